"""MXFP4 (OCP Microscaling Formats 1.0): 32 floats of four bits, E2M1, under one power of two, E8M0.

Knows the block (the exponent byte e, nibbles as in Q4_0) and the tile: codes as in Q4_0; scales: [block][16] bytes e.
The table holds twice the E2M1 values, so that they are whole: value = table[code] · 2^(e − 128). e = 255 is E8M0's NaN:
it decodes to NaN, and is refused when packed, since a kernel makes the scale from e's bits without looking.
Does not know kernels.
"""

from __future__ import annotations

import numpy as np

from tokenloom.errors import FormatError
from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes
from tokenloom.quant.blocks.q4 import nibbles
from tokenloom.quant.layout import MXFP4_VALUES
from tokenloom.quant.lines import store, store_words

_TABLE = np.array(MXFP4_VALUES, np.float32)
_POWERS = np.ldexp(np.float32(1), np.arange(256) - 128)
_POWERS[255] = np.nan


def _decode(blocks: Bytes) -> Floats:
    return _TABLE[nibbles(blocks[..., 1:])] * _POWERS[blocks[..., :1]]


def _pack(blocks: Bytes, planes: Planes) -> None:
    exponents = blocks[..., :1]
    if (exponents == 255).any():
        raise FormatError("an MXFP4 block has scale byte 255, which stands for NaN; convert the model again")
    store_words(blocks[..., 1:], planes["codes"])
    store(exponents, planes["scales"])


FORMATS = (BlockFormat("MXFP4", _decode, _pack),)
