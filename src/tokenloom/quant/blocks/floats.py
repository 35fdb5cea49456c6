"""F32, F16, BF16: a block is one value; a tile is [k][16 rows].

Knows how each is widened and laid out. Does not know k.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import store


def _f32(blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks).view("<f4").astype(np.float32)


def _bf16(blocks: Bytes) -> Floats:
    return (np.ascontiguousarray(blocks).view("<u2").astype(np.uint32) << 16).view(np.float32)


def _pack_f32(blocks: Bytes, planes: Planes) -> None:
    store(np.ascontiguousarray(blocks).view(np.uint32), planes["codes"])


def _pack_16(blocks: Bytes, planes: Planes) -> None:
    store(np.ascontiguousarray(blocks).view(np.uint16), planes["codes"])


FORMATS = (
    BlockFormat("F32", _f32, _pack_f32),
    BlockFormat("F16", halves, _pack_16),
    BlockFormat("BF16", _bf16, _pack_16),
)
