"""IQ2_XXS, IQ2_XS and IQ2_S: eight neighbouring codes by a number into a code book, then eight signs; value = d/8 · (2s + 1) · ± code.

Knows the blocks of 256 and the tiles; the books themselves are in `grids`. IQ2_XXS: d; of every 32 k four bytes of numbers and a word: four signs
of seven bits, s above them in the last four. IQ2_XS: d; 32 halfwords, nine bits of number and seven of signs; 8 bytes of s, a nibble for 16 k.
IQ2_S: d; 32 low bytes of numbers; 32 bytes of signs; 8 bytes of bit pairs, the numbers' upper bits; s as in IQ2_XS.
Bit i of the signs makes code i negative; signs of seven bits leave out the last one, which makes their number even.
The tile holds each field as the file does, those of the 16 rows side by side: codes: [32][16 rows] numbers (bytes; IQ2_XS: halfwords with
the signs); signs: [8][16] words (IQ2_XXS) or [32][16] bytes (IQ2_S); high: [8][16] bytes; sub: [8][16] bytes; scales: [16] halves d.
Does not know how a kernel looks codes up.
"""

from __future__ import annotations

import functools

import numpy as np

from tokenloom.quant.block import Array, BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.grids import entries
from tokenloom.quant.lines import store, store_halves

_D = slice(0, 2)
_EIGHTH = np.float32(0.125)
_PLACES = np.arange(8, dtype=np.uint8)


@functools.cache
def book(name: str) -> Floats:
    """A code book as float32 [vectors, codes]."""
    return np.array(entries(name), np.float32)


def words_of(raw: Bytes, kind: str) -> Array:
    """[..., n · size] bytes -> [..., n] little-endian numbers."""
    return np.ascontiguousarray(raw).view(kind)


def signs_of(masks: Bytes) -> Floats:
    """[..., n] bytes -> [..., n, 8] of +1 and −1."""
    signs: Floats = np.float32(1) - np.float32(2) * (masks[..., None] >> _PLACES & np.uint8(1))
    return signs


def eighth_sign(masks: Array) -> Bytes:
    """Signs of seven bits, with the one that makes their number even."""
    parity = masks ^ masks >> 4
    parity ^= parity >> 2
    parity ^= parity >> 1
    return np.asarray(masks | (parity & 1) << 7, np.uint8)


def sevens(words: Array) -> Bytes:
    """The four signs of seven bits in each word: [..., n] -> [..., 4n], eight bits each."""
    masks = words[..., None] >> np.array([0, 7, 14, 21], np.uint32) & np.uint32(127)
    return eighth_sign(masks).reshape(*words.shape[:-1], -1)


def odd(s: Array) -> Floats:
    """2s + 1."""
    numbers: Floats = s.astype(np.float32) * np.float32(2) + np.float32(1)
    return numbers


def nibble_scales(packed: Bytes) -> Floats:
    """[..., n] bytes -> [..., 2n] odd numbers 2s + 1."""
    return odd((packed[..., None] >> np.array([0, 4], np.uint8) & np.uint8(15)).reshape(*packed.shape[:-1], -1))


def scaled(scale: Floats, codes: Floats) -> Floats:
    """[..., sub-blocks] times codes of any shape [..., 256 in all] -> [..., 256]."""
    lead = scale.shape[:-1]
    values = scale[..., None] * codes.reshape(*lead, scale.shape[-1], -1)
    return values.reshape(*lead, 256)


def _iq2_xxs(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    pairs = words_of(blocks[..., 2:66], "<u4").reshape(*lead, 8, 2)
    numbers, words = words_of(pairs[..., 0], "u1"), pairs[..., 1]
    codes = book("IQ2_XXS")[numbers] * signs_of(sevens(words))
    return scaled(halves(blocks[..., _D]) * _EIGHTH * odd(words >> np.uint32(28)), codes)


def _pack_iq2_xxs(blocks: Bytes, planes: Planes) -> None:
    pairs = words_of(blocks[..., 2:66], "<u4").reshape(*blocks.shape[:-1], 8, 2)
    store(words_of(pairs[..., 0], "u1"), planes["codes"])
    store(pairs[..., 1], planes["signs"])
    store_halves(blocks[..., _D], planes["scales"])


def _iq2_xs(blocks: Bytes) -> Floats:
    fields = words_of(blocks[..., 2:66], "<u2")
    codes = book("IQ2_XS")[fields & 511] * signs_of(eighth_sign(fields >> 9))
    return scaled(halves(blocks[..., _D]) * _EIGHTH * nibble_scales(blocks[..., 66:74]), codes)


def _pack_iq2_xs(blocks: Bytes, planes: Planes) -> None:
    store(words_of(blocks[..., 2:66], "<u2"), planes["codes"])
    store(blocks[..., 66:74], planes["sub"])
    store_halves(blocks[..., _D], planes["scales"])


def _iq2_s(blocks: Bytes) -> Floats:
    upper = (blocks[..., 66:74, None] >> np.array([0, 2, 4, 6], np.uint8) & np.uint8(3)).reshape(*blocks.shape[:-1], 32)
    codes = book("IQ2_S")[blocks[..., 2:34] | upper.astype(np.uint16) << 8] * signs_of(blocks[..., 34:66])
    return scaled(halves(blocks[..., _D]) * _EIGHTH * nibble_scales(blocks[..., 74:82]), codes)


def _pack_iq2_s(blocks: Bytes, planes: Planes) -> None:
    store(blocks[..., 2:34], planes["codes"])
    store(blocks[..., 34:66], planes["signs"])
    store(blocks[..., 66:74], planes["high"])
    store(blocks[..., 74:82], planes["sub"])
    store_halves(blocks[..., _D], planes["scales"])


FORMATS = (
    BlockFormat("IQ2_XXS", _iq2_xxs, _pack_iq2_xxs),
    BlockFormat("IQ2_XS", _iq2_xs, _pack_iq2_xs),
    BlockFormat("IQ2_S", _iq2_s, _pack_iq2_s),
)
