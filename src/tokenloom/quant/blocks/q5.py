"""Q5_0 and Q5_1: 32 codes of five bits; value = d · (code − 16), or d · code + m.

Knows the block (d, m if there is one, 32 fifth bits in order of k, nibbles as in Q4_0) and the tile: codes as in Q4_0,
4 lines a block; high: 1 line a block, bit j of a byte is the fifth bit of quad j; scales and mins [block][16] halves.
Does not know the super-blocks of Q5_K.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.q4 import nibbles
from tokenloom.quant.lines import gather_bits, store, store_halves, store_words


def _codes(high: Bytes, low: Bytes) -> Floats:
    fifth = np.unpackbits(np.ascontiguousarray(high), axis=-1, bitorder="little")
    return (nibbles(low) | fifth << 4).astype(np.float32)


def _q5_0(blocks: Bytes) -> Floats:
    return (_codes(blocks[..., 2:6], blocks[..., 6:]) - np.float32(16)) * halves(blocks[..., :2])


def _q5_1(blocks: Bytes) -> Floats:
    return _codes(blocks[..., 4:8], blocks[..., 8:]) * halves(blocks[..., :2]) + halves(blocks[..., 2:4])


def _pack_codes(high: Bytes, low: Bytes, planes: Planes) -> None:
    store_words(low, planes["codes"])
    store(gather_bits(np.ascontiguousarray(high).view(np.uint32)), planes["high"])


def _pack_q5_0(blocks: Bytes, planes: Planes) -> None:
    _pack_codes(blocks[..., 2:6], blocks[..., 6:], planes)
    store_halves(blocks[..., :2], planes["scales"])


def _pack_q5_1(blocks: Bytes, planes: Planes) -> None:
    _pack_codes(blocks[..., 4:8], blocks[..., 8:], planes)
    store_halves(blocks[..., :2], planes["scales"])
    store_halves(blocks[..., 2:4], planes["mins"])


FORMATS = (BlockFormat("Q5_0", _q5_0, _pack_q5_0), BlockFormat("Q5_1", _q5_1, _pack_q5_1))
