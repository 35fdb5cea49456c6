"""Encoders of the float types and of the formats with blocks of 32.

Knows the blocks that are scaled by their extremes, and give the very bytes that ggml gives, and IQ4_NL's search for the scale that suits its table.
Does not know super-blocks (`encoders_k`).
"""

from __future__ import annotations

import numpy as np

from tokenloom.errors import FormatError
from tokenloom.quant.block import Bytes, Floats
from tokenloom.quant.encoding import half_of, inverse_of, nibbles
from tokenloom.quant.layout import IQ4_VALUES
from tokenloom.quant.scale_search import best_scale_of_table, nearest


def _f32(x: Floats) -> Bytes:
    return np.ascontiguousarray(x).view(np.uint8)


def _bf16(x: Floats) -> Bytes:
    """Rounded to nearest even."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    rounded = (bits + (np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1)))) >> np.uint32(16)
    if ((rounded & np.uint32(0x7F80)) == 0x7F80).any():
        raise FormatError("a value would round to an infinity of BF16; use F32")
    return rounded.astype("<u2").view(np.uint8)


def _q8_0(x: Floats) -> Bytes:
    d = np.abs(x).max(axis=1, keepdims=True) / np.float32(127)
    scaled = x * inverse_of(d)
    codes = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    return np.concatenate([half_of(d), codes.astype(np.int8).view(np.uint8)], axis=1)


def _by_extreme(x: Floats, top: int) -> tuple[Bytes, Bytes]:
    """d as halves, and codes 0 .. 2·top−1 about top: the element furthest from zero becomes code 0."""
    extreme = np.take_along_axis(x, np.abs(x).argmax(axis=1, keepdims=True), axis=1)
    d = extreme / np.float32(-top)
    codes = np.trunc(x * inverse_of(d) + np.float32(top + 0.5)).clip(0, 2 * top - 1).astype(np.uint8)
    return half_of(d), codes


def _q4_0(x: Floats) -> Bytes:
    d, codes = _by_extreme(x, 8)
    return np.concatenate([d, nibbles(codes)], axis=1)


def _q5_0(x: Floats) -> Bytes:
    d, codes = _by_extreme(x, 16)
    fifth = np.packbits(codes >> 4, axis=1, bitorder="little")
    return np.concatenate([d, fifth, nibbles(codes)], axis=1)


def _by_range(x: Floats, top: int) -> tuple[Bytes, Bytes]:
    """d and m as halves, and codes 0 .. top between the smallest and the largest element."""
    low = x.min(axis=1, keepdims=True)
    d = (x.max(axis=1, keepdims=True) - low) / np.float32(top)
    codes = np.trunc((x - low) * inverse_of(d) + np.float32(0.5)).clip(0, top).astype(np.uint8)
    return half_of(np.concatenate([d, low], axis=1)), codes


def _q4_1(x: Floats) -> Bytes:
    heads, codes = _by_range(x, 15)
    return np.concatenate([heads, nibbles(codes)], axis=1)


def _q5_1(x: Floats) -> Bytes:
    heads, codes = _by_range(x, 31)
    return np.concatenate([heads, np.packbits(codes >> 4, axis=1, bitorder="little"), nibbles(codes)], axis=1)


def _iq4_nl(x: Floats) -> Bytes:
    scale = best_scale_of_table(x, IQ4_VALUES)
    return np.concatenate(
        [half_of(scale[:, None]), nibbles(nearest(x * inverse_of(scale)[:, None], IQ4_VALUES))], axis=1
    )


ENCODERS = {
    "F32": _f32,
    "F16": half_of,
    "BF16": _bf16,
    "Q8_0": _q8_0,
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
    "Q5_0": _q5_0,
    "Q5_1": _q5_1,
    "IQ4_NL": _iq4_nl,
}
