"""Q6_K: 256 codes of six bits in 16 sub-blocks of 16; value = d · sc · (code − 32), sc a signed byte.

Knows the block (128 bytes of nibbles: of each half of 128 k, 64 bytes with its first 64 k in the low nibbles; 64 bytes
of upper bit pairs: of each half 32 bytes, pair s for its k 32s..; 16 sc; d) and the tile, per block:
codes: 4 groups of 64 k, 8 lines each; line j holds quad j of the group low and quad j+8 high.
high: 16 lines; bits 2j, 2j+1 of line h are the upper two bits of quad 4h+j of the block, so a line serves a sub-block.
sub: [16 sub-blocks][16 rows] signed bytes sc. scales: [16 rows] halves d.
Does not know how a kernel sums over a block.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import exchange, store, store_halves, store_lines, transpose_fields, words

_LOW, _HIGH, _SC, _D = slice(0, 128), slice(128, 192), slice(192, 208), slice(208, 210)


def _decode(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    low = blocks[..., _LOW].reshape(*lead, 2, 1, 64)
    low = np.concatenate([low & 15, low >> 4], axis=-2).reshape(*lead, 256)
    pairs = blocks[..., _HIGH].reshape(*lead, 2, 1, 32) >> np.array([[0], [2], [4], [6]], np.uint8)
    codes = low | (pairs.reshape(*lead, 256) & 3) << 4
    sc = np.ascontiguousarray(blocks[..., _SC]).view(np.int8).astype(np.float32)
    scale = halves(blocks[..., _D]) * sc
    values = scale[..., None] * (codes.reshape(*lead, 16, 16).astype(np.float32) - np.float32(32))
    return values.reshape(*lead, 256)


def _pack(blocks: Bytes, planes: Planes) -> None:
    tiles, rows, count, _ = blocks.shape
    low = words(blocks[..., _LOW])
    runs = low.reshape(tiles, count, 2, 2, 8, rows)  # half, first or last 32 k of each 64, word
    exchange(runs[:, :, :, 0], runs[:, :, :, 1], 4)
    store_lines(low, planes["codes"])
    high = words(blocks[..., _HIGH])  # of each half, word w has quad 8s+w in pair s
    transpose_fields(high.reshape(tiles, count * 4, 4, rows), 2)
    order = high.reshape(tiles, count, 2, 2, 4, rows).swapaxes(3, 4)  # w >> 2 and s: quad 8s + 4(w >> 2) + j
    store_lines(order.reshape(tiles, count, 16, rows), planes["high"])
    store(np.ascontiguousarray(blocks[..., _SC]), planes["sub"])
    store_halves(blocks[..., _D], planes["scales"])


FORMATS = (BlockFormat("Q6_K", _decode, _pack),)
