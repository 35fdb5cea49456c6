"""Q3_K: 256 codes of three bits in 16 sub-blocks of 16; value = d · (sc − 32) · (code − 4), sc of six bits.

Knows the block (32 bytes of third bits laid out as Q5_K's fifth ones, 64 bytes of bit pairs as in Q2_K, 12 bytes of
sc, d) and the tile, per block:
codes: 16 lines of bit pairs as in Q2_K. high: 8 lines of third bits as the fifth ones of Q5_K; a set bit adds 4.
sub: [8][16 rows] bytes; byte g: (sc(2g) & 15) | (sc(2g+1) & 15) << 4.
sub_top: [4][16 rows] bytes; bits 2i, 2i+1 of byte g: sc(4g+i) >> 4. scales: [16 rows] halves d.
Does not know how a kernel sums over a block.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.q2_k import pack_pairs, pairs
from tokenloom.quant.blocks.q4_k import fifth_bits, pack_fifth_bits
from tokenloom.quant.lines import store, store_halves

_HIGH, _CODES, _SUB, _D = slice(0, 32), slice(32, 96), slice(96, 108), slice(108, 110)


def _sub_scales(packed: Bytes) -> Bytes:
    """[..., 12] bytes -> [..., 16] sc of six bits: nibbles of 0..7 (low) and 8..15 (high), then bit pairs by fours."""
    low, top = packed[..., :8], packed[..., 8:]
    nibbles = np.concatenate([low & 15, low >> 4], axis=-1)
    tops = np.concatenate([top >> shift & 3 for shift in (0, 2, 4, 6)], axis=-1)
    sc: Bytes = nibbles | tops << np.uint8(4)
    return sc


def pack_six_bits(sc: Bytes, low: Bytes, top: Bytes) -> None:
    """Sub-scales [tile, row, block, n]: two low nibbles to a byte, and four pairs of upper bits to a byte."""
    store(sc[..., 0::2] & 15 | sc[..., 1::2] << 4, low)
    tops = sc >> 4
    store(tops[..., 0::4] | tops[..., 1::4] << 2 | tops[..., 2::4] << 4 | tops[..., 3::4] << 6, top)


def _decode(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    third = fifth_bits(blocks[..., _HIGH]).reshape(*lead, 256)
    codes = (pairs(blocks[..., _CODES]) | third << 2).reshape(*lead, 16, 16).astype(np.float32) - np.float32(4)
    scale = halves(blocks[..., _D]) * (_sub_scales(blocks[..., _SUB]).astype(np.float32) - np.float32(32))
    values: Floats = scale[..., None] * codes
    return values.reshape(*lead, 256)


def _pack(blocks: Bytes, planes: Planes) -> None:
    pack_pairs(blocks[..., _CODES], planes["codes"])
    pack_fifth_bits(blocks[..., _HIGH], planes["high"])
    pack_six_bits(_sub_scales(blocks[..., _SUB]), planes["sub"], planes["sub_top"])
    store_halves(blocks[..., _D], planes["scales"])


FORMATS = (BlockFormat("Q3_K", _decode, _pack),)
