"""Q4_K and Q5_K: 256 codes of four or five bits in 8 sub-blocks of 32; value = d · sc · code − dmin · min.

Knows the block (d, dmin, 12 bytes of six-bit sc and min, for Q5_K 32 bytes of fifth bits, 128 bytes of nibbles: of
every 64 k, 32 bytes with the first half in the low nibbles) and the tile, per block:
codes: 4 groups of 64 k, 8 lines each; line j holds quad j of the group low and quad j+8 high, as the file pairs them.
high (Q5_K): 8 lines; bit j of line h is the fifth bit of quad 8h+j of the block, so a line serves a sub-block.
sub: [8 sub-blocks][16 rows] bytes, (sc & 15) | (min & 15) << 4.
sub_top: [4][16 rows] bytes; byte g: sc(2g) >> 4 | (min(2g) >> 4) << 2 | (sc(2g+1) >> 4) << 4 | (min(2g+1) >> 4) << 6.
scales, mins: [16 rows] halves d, dmin.
Does not know how a kernel sums over a block.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import store, store_halves, store_lines, store_words, transpose_fields, words

_D, _DMIN, _SUB = slice(0, 2), slice(2, 4), slice(4, 16)


def sub_scales(packed: Bytes) -> tuple[Bytes, Bytes]:
    """[..., 12] bytes -> sc and min, [..., 8] each, six bits.

    Bytes 0..3 hold sc 0..3 and 4..7 min 0..3 in their low six bits; 8..11 the low nibbles of sc (low) and min (high)
    4..7, whose upper two bits are the upper two of bytes 0..7.
    """
    first, least, rest = packed[..., 0:4], packed[..., 4:8], packed[..., 8:12]
    sc = np.concatenate([first & 63, rest & 15 | (first >> 6) << 4], axis=-1)
    mn = np.concatenate([least & 63, rest >> 4 | (least >> 6) << 4], axis=-1)
    return sc, mn


def _nibbles(packed: Bytes) -> Bytes:
    """[..., 128] bytes -> [..., 8, 32] codes."""
    groups = packed.reshape(*packed.shape[:-1], 4, 1, 32)
    return np.concatenate([groups & 15, groups >> 4], axis=-2).reshape(*packed.shape[:-1], 8, 32)


def fifth_bits(packed: Bytes) -> Bytes:
    """[..., 32] bytes -> [..., 8, 32] bits: bit s of byte l belongs to k = 32s + l."""
    bits: Bytes = packed[..., None, :] >> np.arange(8, dtype=np.uint8)[:, None] & np.uint8(1)
    return bits


def _values(blocks: Bytes, codes: Bytes) -> Floats:
    sc, mn = sub_scales(blocks[..., _SUB])
    scale = halves(blocks[..., _D]) * sc.astype(np.float32)
    least = halves(blocks[..., _DMIN]) * mn.astype(np.float32)
    values = scale[..., None] * codes.astype(np.float32) - least[..., None]
    return values.reshape(*blocks.shape[:-1], 256)


def _q4_k(blocks: Bytes) -> Floats:
    return _values(blocks, _nibbles(blocks[..., 16:]))


def _q5_k(blocks: Bytes) -> Floats:
    return _values(blocks, _nibbles(blocks[..., 48:]) | fifth_bits(blocks[..., 16:48]) << np.uint8(4))


def _pack_scales(blocks: Bytes, planes: Planes) -> None:
    sc, mn = sub_scales(blocks[..., _SUB])
    store(sc & 15 | mn << 4, planes["sub"])
    top = sc >> 4 | (mn >> 4) << 2
    store(top[..., 0::2] | top[..., 1::2] << 4, planes["sub_top"])
    store_halves(blocks[..., _D], planes["scales"])
    store_halves(blocks[..., _DMIN], planes["mins"])


def pack_fifth_bits(packed: Bytes, plane: Bytes) -> None:
    """The 32 bytes of bits of Q5_K and Q3_K into 8 lines, bit j of line h being quad 8h+j's."""
    lines = words(packed)
    transpose_fields(lines, 1)
    store_lines(lines, plane)


def _pack_q4_k(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 16:], planes["codes"])
    _pack_scales(blocks, planes)


def _pack_q5_k(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 48:], planes["codes"])
    pack_fifth_bits(blocks[..., 16:48], planes["high"])
    _pack_scales(blocks, planes)


FORMATS = (BlockFormat("Q4_K", _q4_k, _pack_q4_k), BlockFormat("Q5_K", _q5_k, _pack_q5_k))
