"""Q2_K: 256 codes of two bits in 16 sub-blocks of 16; value = d · sc · code − dmin · min, sc and min of four bits.

Knows the block (16 bytes sc | min << 4, 64 bytes of bit pairs: of each half of 128 k 32 bytes, pair s for its k 32s..,
then d, dmin) and the tile, per block:
codes: 4 groups of 64 k, 4 lines each; pair j of line l is quad l+4j of the group, so a pair of the lines is a sub-block.
sub: [16 sub-blocks][16 rows] bytes, as in the file. scales, mins: [16 rows] halves d, dmin.
Does not know how a kernel sums over a block.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import exchange, store, store_halves, store_lines, words

_SUB, _CODES, _D, _DMIN = slice(0, 16), slice(16, 80), slice(80, 82), slice(82, 84)


def pairs(packed: Bytes) -> Bytes:
    """[..., 64] bytes -> [..., 256] codes of two bits."""
    halves_of_k = packed.reshape(*packed.shape[:-1], 2, 1, 32) >> np.array([[0], [2], [4], [6]], np.uint8)
    return halves_of_k.reshape(*packed.shape[:-1], 256) & np.uint8(3)


def pack_pairs(packed: Bytes, plane: Bytes) -> None:
    """The 64 bytes of bit pairs of Q2_K, Q3_K and TQ2_0 into 16 lines.

    In a half, pair s of word w is quad 8s + w: words l and l+4 hold the even and the odd sub-blocks' quads l.
    """
    lines = words(packed)
    tiles, blocks, _, rows = lines.shape
    runs = lines.reshape(tiles, blocks, 2, 2, 4, rows)
    even, odd = runs[:, :, :, 0], runs[:, :, :, 1]
    exchange(even, odd, 2)
    exchange(even, odd, 4)
    store_lines(lines, plane)


def _decode(blocks: Bytes) -> Floats:
    sub = blocks[..., _SUB]
    scale = halves(blocks[..., _D]) * (sub & 15).astype(np.float32)
    least = halves(blocks[..., _DMIN]) * (sub >> 4).astype(np.float32)
    codes = pairs(blocks[..., _CODES]).reshape(*blocks.shape[:-1], 16, 16).astype(np.float32)
    values = scale[..., None] * codes - least[..., None]
    return values.reshape(*blocks.shape[:-1], 256)


def _pack(blocks: Bytes, planes: Planes) -> None:
    pack_pairs(blocks[..., _CODES], planes["codes"])
    store(blocks[..., _SUB], planes["sub"])
    store_halves(blocks[..., _D], planes["scales"])
    store_halves(blocks[..., _DMIN], planes["mins"])


FORMATS = (BlockFormat("Q2_K", _decode, _pack),)
