"""IQ1_S and IQ1_M: eight neighbouring trits by a number into a code book, an eighth added to or taken from all.

value = d/8 · (2s + 1) · (8 · trit ± 1).

Knows the blocks of 256 and the tiles. IQ1_S: d; 32 low bytes of numbers; for every 32 k a halfword: four times three upper bits of a number,
s in bits 12..14, the eighth's sign in bit 15. IQ1_M: 32 low bytes of numbers; 16 bytes, a nibble for 8 k: three upper bits of the number, the
eighth's sign; four halfwords, each four times three bits of s, one for 16 k, and above them four bits of d, the lowest first. There is no other d.
The tile holds IQ1_S as the file does, the rows' fields side by side: codes: [32][16 rows] bytes; high: [8][16] halfwords; scales: [16] halves d.
IQ1_M: codes as well; high: [16][16] bytes; sub: [4][16] bytes; bits 2i, 2i+1 of byte g: the lower two bits of s(4g+i).
sub_top: [2][16] bytes; bit 4h+i of byte g: the upper bit of s(8g+4h+i). scales: as before.
Does not know how a kernel looks codes up.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import Array, BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.iq2 import book, odd, scaled, words_of
from tokenloom.quant.lines import store, store_halves

_EIGHTH = np.float32(0.125)
_THREES = np.array([0, 3, 6, 9], np.uint16)


def _codes(low: Bytes, upper: Array, minus: Array) -> Floats:
    """Numbers [..., 32] in two parts, and whether the eighth is taken away -> [..., 32, 8]."""
    shift = np.float32(1) - np.float32(2) * minus.astype(np.float32)
    codes: Floats = book("IQ1")[low | upper << np.uint16(8)] + shift[..., None]
    return codes


def _iq1_s(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    high = words_of(blocks[..., 34:50], "<u2")
    upper = (high[..., None] >> _THREES & np.uint16(7)).reshape(*lead, 32)
    codes = _codes(blocks[..., 2:34], upper, np.repeat(high >> 15, 4, axis=-1))
    return scaled(halves(blocks[..., :2]) * _EIGHTH * odd(high >> 12 & 7), codes)


def _pack_iq1_s(blocks: Bytes, planes: Planes) -> None:
    store(blocks[..., 2:34], planes["codes"])
    store(words_of(blocks[..., 34:50], "<u2"), planes["high"])
    store_halves(blocks[..., :2], planes["scales"])


def _scales_of(blocks: Bytes) -> tuple[Bytes, Array]:
    """d as the two bytes of a half [..., 2], and s [..., 16], of the four halfwords that hold them in pieces."""
    packed = words_of(blocks[..., 48:56], "<u2")
    pieces = packed >> 12 << np.array([0, 4, 8, 12], np.uint16)
    d = np.bitwise_or.reduce(pieces, axis=-1, keepdims=True).astype("<u2")
    return d.view(np.uint8), (packed[..., None] >> _THREES & np.uint16(7)).reshape(*blocks.shape[:-1], 16)


def _iq1_m(blocks: Bytes) -> Floats:
    high = (blocks[..., 32:48, None] >> np.array([0, 4], np.uint8)).reshape(*blocks.shape[:-1], 32).astype(np.uint16)
    codes = _codes(blocks[..., :32], high & np.uint16(7), high >> 3 & 1)
    d, s = _scales_of(blocks)
    return scaled(halves(d) * _EIGHTH * odd(s), codes)


def _pack_iq1_m(blocks: Bytes, planes: Planes) -> None:
    d, s = _scales_of(blocks)
    fours = s.astype(np.uint8).reshape(*s.shape[:-1], 4, 4)
    pairs = np.bitwise_or.reduce((fours & np.uint8(3)) << np.array([0, 2, 4, 6], np.uint8), axis=-1)
    tops = np.bitwise_or.reduce(fours >> np.uint8(2) << np.array([0, 1, 2, 3], np.uint8), axis=-1)
    store(blocks[..., :32], planes["codes"])
    store(blocks[..., 32:48], planes["high"])
    store(pairs, planes["sub"])
    store(tops[..., 0::2] | tops[..., 1::2] << np.uint8(4), planes["sub_top"])
    store_halves(d, planes["scales"])


FORMATS = (BlockFormat("IQ1_S", _iq1_s, _pack_iq1_s), BlockFormat("IQ1_M", _iq1_m, _pack_iq1_m))
