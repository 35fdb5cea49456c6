"""IQ3_XXS and IQ3_S: four neighbouring codes by a number into a code book, signs for eight.

value = d/4 · (2s + 1) · ± code, or d · (2s + 1) · ± code.

Knows the blocks of 256 and the tiles. IQ3_XXS: d; 64 bytes of numbers; for every 32 k a word of signs and s as in IQ2_XXS. IQ3_S: d; 64 low bytes
of numbers; 8 bytes of their ninth bits; 32 bytes of signs; 4 bytes of s, a nibble for 32 k.
The tile holds each field as the file does, those of the 16 rows side by side: codes: [64][16 rows] bytes; signs: [8][16] words (IQ3_XXS) or
[32][16] bytes (IQ3_S); high: [8][16] bytes; sub: [4][16] bytes; scales: [16] halves d.
Does not know how a kernel looks codes up.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.iq2 import book, nibble_scales, odd, scaled, sevens, signs_of, words_of
from tokenloom.quant.lines import store, store_halves

_D = slice(0, 2)
_BITS = np.arange(8, dtype=np.uint8)


def _iq3_xxs(blocks: Bytes) -> Floats:
    words = words_of(blocks[..., 66:98], "<u4")
    codes = book("IQ3_XXS")[blocks[..., 2:66]].reshape(*blocks.shape[:-1], 32, 8) * signs_of(sevens(words))
    return scaled(halves(blocks[..., _D]) * np.float32(0.25) * odd(words >> np.uint32(28)), codes)


def _pack_iq3_xxs(blocks: Bytes, planes: Planes) -> None:
    store(blocks[..., 2:66], planes["codes"])
    store(words_of(blocks[..., 66:98], "<u4"), planes["signs"])
    store_halves(blocks[..., _D], planes["scales"])


def _iq3_s(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    ninth = (blocks[..., 66:74, None] >> _BITS & np.uint8(1)).reshape(*lead, 64).astype(np.uint16)
    codes = book("IQ3_S")[blocks[..., 2:66] | ninth << 8].reshape(*lead, 32, 8) * signs_of(blocks[..., 74:106])
    return scaled(halves(blocks[..., _D]) * nibble_scales(blocks[..., 106:110]), codes)


def _pack_iq3_s(blocks: Bytes, planes: Planes) -> None:
    store(blocks[..., 2:66], planes["codes"])
    store(blocks[..., 66:74], planes["high"])
    store(blocks[..., 74:106], planes["signs"])
    store(blocks[..., 106:110], planes["sub"])
    store_halves(blocks[..., _D], planes["scales"])


FORMATS = (BlockFormat("IQ3_XXS", _iq3_xxs, _pack_iq3_xxs), BlockFormat("IQ3_S", _iq3_s, _pack_iq3_s))
