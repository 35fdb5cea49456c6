"""Encoders of the super-blocks of 256.

Knows how what the search finds for each sub-block is rounded to the block's own sub-scales, and the elements to codes once more. Does not know
the search (`scale_search`).
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import Array, Bytes, Floats, halves
from tokenloom.quant.encoding import half_of, inverse_of, nibbles
from tokenloom.quant.layout import IQ4_VALUES
from tokenloom.quant.scale_search import best_scale, best_scale_and_min, best_scale_of_table, nearest


def _codes(x: Floats, d: Floats, low: int, high: int) -> Floats:
    """[block, sub-block, n] -> codes under sub-block scales d; those of a scale of zero are zero, whatever x is."""
    codes: Floats = np.rint(x * inverse_of(d)[..., None]).clip(low, high)
    return codes


def _fields(codes: Array, bits: int) -> Bytes:
    """Codes [block, n, 32] of `bits` bits each -> [block, 32 n bits / 8] bytes: of every 8 / bits runs of 32, field s of byte l is run s's code l."""
    runs = codes.reshape(len(codes), -1, 8 // bits, 32) << np.arange(0, 8, bits, dtype=np.uint8)[:, None]
    return np.asarray(np.bitwise_or.reduce(runs, axis=2), np.uint8).reshape(len(codes), -1)


def _with_minima(x: Floats, bits: int, top: int) -> tuple[Bytes, Bytes, Bytes, Bytes, Bytes]:
    """d and dmin as halves, sub-scales and minima 0 .. top [block, sub-block], codes of `bits` bits [block, sub-block, n] for x of that shape."""
    scale, least = best_scale_and_min(x, (1 << bits) - 1)
    packed = []
    for found in (scale, least):
        largest = found.max(axis=1, keepdims=True)
        whole = np.rint(found * (inverse_of(largest) * np.float32(top))).clip(0, top).astype(np.uint8)
        packed.append((half_of(largest / np.float32(top)), whole))
    (d, sc), (dmin, mn) = packed
    offset = halves(dmin) * mn
    codes = _codes(x + offset[..., None], halves(d) * sc, 0, (1 << bits) - 1).astype(np.uint8)
    return d, dmin, sc, mn, codes


def _six_bit_pairs(sc: Bytes, mn: Bytes) -> Bytes:
    """The 12 bytes of eight sc and min in Q4_K and Q5_K."""
    parts = [sc[:, :4] | sc[:, 4:] >> 4 << 6, mn[:, :4] | mn[:, 4:] >> 4 << 6, sc[:, 4:] & 15 | mn[:, 4:] << 4]
    return np.concatenate(parts, axis=1)


def _q4_k(x: Floats) -> Bytes:
    d, dmin, sc, mn, codes = _with_minima(x.reshape(-1, 8, 32), 4, 63)
    return np.concatenate([d, dmin, _six_bit_pairs(sc, mn), nibbles(codes.reshape(-1, 4, 64)).reshape(-1, 128)], axis=1)


def _q5_k(x: Floats) -> Bytes:
    d, dmin, sc, mn, codes = _with_minima(x.reshape(-1, 8, 32), 5, 63)
    low, fifth = nibbles(codes.reshape(-1, 4, 64)).reshape(-1, 128), _fields(codes >> 4, 1)
    return np.concatenate([d, dmin, _six_bit_pairs(sc, mn), fifth, low], axis=1)


def _q2_k(x: Floats) -> Bytes:
    d, dmin, sc, mn, codes = _with_minima(x.reshape(-1, 16, 16), 2, 15)
    return np.concatenate([sc | mn << 4, _fields(codes.reshape(-1, 8, 32), 2), d, dmin], axis=1)


def _sub_scales(scale: Floats, top: int) -> tuple[Bytes, Floats]:
    """Scales [block, sub-block] of either sign as d, a half, times -top .. top-1: the largest becomes -top."""
    largest = np.take_along_axis(scale, np.abs(scale).argmax(axis=1, keepdims=True), axis=1)
    sc: Floats = np.rint(scale * (inverse_of(largest) * np.float32(-top))).clip(-top, top - 1)
    return half_of(largest / np.float32(-top)), sc


def _signed_scales(x: Floats, top: int, sub_top: int, weights: Floats) -> tuple[Bytes, Floats, Bytes]:
    """d as a half, sub-scales -sub_top .. sub_top-1 and codes 0 .. 2·top-1 about top, for x [block, sub-block, n]."""
    d, sc = _sub_scales(best_scale(x, top, weights), sub_top)
    codes = (_codes(x, halves(d) * sc, -top, top - 1) + top).astype(np.uint8)
    return d, sc, codes


def _q3_k(x: Floats) -> Bytes:
    subs = x.reshape(-1, 16, 16)
    d, signed, codes = _signed_scales(subs, 4, 32, np.abs(subs))  # x² as in Q6_K is 3 % worse in rms
    sc, runs = (signed + 32).astype(np.uint8), codes.reshape(-1, 8, 32)
    tops = np.bitwise_or.reduce(sc.reshape(-1, 4, 4) >> 4 << np.array([[0], [2], [4], [6]], np.uint8), axis=1)
    return np.concatenate([_fields(runs >> 2, 1), _fields(runs & 3, 2), nibbles(sc), tops, d], axis=1)


def _q6_k(x: Floats) -> Bytes:
    subs = x.reshape(-1, 16, 16)
    d, sc, codes = _signed_scales(subs, 32, 128, subs * subs)
    low = nibbles(codes.reshape(-1, 2, 128)).reshape(-1, 128)
    pairs = _fields(codes.reshape(-1, 8, 32) >> 4, 2)
    return np.concatenate([low, pairs, sc.astype(np.int8).view(np.uint8), d], axis=1)


def _iq4_xs(x: Floats) -> Bytes:
    subs = x.reshape(-1, 8, 32)
    d, signed = _sub_scales(best_scale_of_table(subs, IQ4_VALUES), 32)
    codes = nearest(subs * inverse_of(halves(d) * signed)[..., None], IQ4_VALUES)
    sc = (signed + 32).astype(np.uint8)
    low, tops = sc[:, 0::2] & 15 | sc[:, 1::2] << 4, sc.reshape(-1, 2, 4) >> 4 << np.array([0, 2, 4, 6], np.uint8)
    return np.concatenate([d, np.bitwise_or.reduce(tops, axis=2), low, nibbles(codes).reshape(-1, 128)], axis=1)


def _ternary(x: Floats) -> tuple[Bytes, Bytes]:
    """d as a half, and trits 0 .. 2 about 1: values beyond half the largest are ±d."""
    d = np.abs(x).max(axis=1, keepdims=True)
    scaled = x * inverse_of(d)
    return half_of(d), (np.trunc(scaled + np.copysign(np.float32(0.5), scaled)) + 1).astype(np.uint8)


def _tq1_0(x: Floats) -> Bytes:
    d, trits = _ternary(x)
    runs = (trits[:, :160].reshape(-1, 5, 32), trits[:, 160:240].reshape(-1, 5, 16), trits[:, 240:].reshape(-1, 4, 4))
    powers = np.array([81, 27, 9, 3, 1], np.uint16)[:, None]
    numbers = np.concatenate([(run * powers[: run.shape[1]]).sum(axis=1, dtype=np.uint32) for run in runs], axis=1)
    return np.concatenate([((numbers * 256 + 242) // 243).astype(np.uint8), d], axis=1)


def _tq2_0(x: Floats) -> Bytes:
    d, trits = _ternary(x)
    return np.concatenate([_fields(trits.reshape(-1, 8, 32), 2), d], axis=1)


ENCODERS = {
    "Q2_K": _q2_k,
    "Q3_K": _q3_k,
    "Q4_K": _q4_k,
    "Q5_K": _q5_k,
    "Q6_K": _q6_k,
    "IQ4_XS": _iq4_xs,
    "TQ1_0": _tq1_0,
    "TQ2_0": _tq2_0,
}
