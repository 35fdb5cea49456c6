"""The bytes of quant blocks to float32.

Knows that `docs/arithmetic.md` ("Embedding") defines each value; how each type's block is laid out is in `blocks/`.
Does not know tiles, tiers or files; this is for converting and for tests, never the token path.

Why plain float32 does it: a half has an 11-bit significand, the integers it is multiplied by (codes, sub-scales) have
at most 13 bits together, so every product fits float32's 24 bits and is exact (all are multiples of 2^-24, far from
subnormal). Where a minimum is added or taken away, that sum is the only rounding, which makes it the fused
multiply-add asked for.
"""

from __future__ import annotations

import numpy as np

from tokenloom.errors import UnsupportedError
from tokenloom.quant.block import Bytes, Floats
from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.table import QuantType


def dequantize(qtype: QuantType, raw: Bytes) -> Floats:
    """float32 [rows, k] of `raw`, uint8 [rows, row_bytes]."""
    form = FORMATS.get(qtype.name)
    if form is None:
        raise UnsupportedError(f"tensor type {qtype.name} cannot be decoded; those that can: {', '.join(FORMATS)}")
    if raw.dtype != np.uint8 or raw.ndim != 2 or raw.shape[1] % qtype.nbytes:
        raise ValueError(f"{qtype.name} wants uint8 [rows, n * {qtype.nbytes}], not {raw.dtype} {list(raw.shape)}")
    rows, row_nbytes = raw.shape
    blocks = raw.reshape(rows, row_nbytes // qtype.nbytes, qtype.nbytes)
    # a scale of infinity times a code of zero is NaN here as it is in a kernel; MXFP4's largest scale overflows
    with np.errstate(invalid="ignore", over="ignore"):
        values = form.decode(blocks)
    return values.reshape(rows, row_nbytes // qtype.nbytes * qtype.block)
