"""Float rows to the bytes of quant blocks, for the types that models are written in.

Knows how the scales of a block are chosen: as ggml chooses them when it is given no importance matrix, so that files
made here and there are worth the same. Does not know files or tiles, and never runs on the token path.

Q8_0, Q4_0 and Q5_0 scale a block by its largest element, and give the very bytes that ggml gives. Q6_K and Q4_K search:
for some twenty candidate scales the elements are rounded to codes, the scale (and minimum) that suits those codes best
follows by weighted least squares, and the candidate with the smallest error stays. What the search finds is then
rounded to the block's six- or eight-bit sub-scales, and the elements are rounded to codes once more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.quant.block import Array, Bytes, Floats
from tokenloom.quant.table import BY_NAME, row_bytes

_PIECE = 1 << 16
"""Elements encoded at once: the search's arrays of them stay in the second-level cache."""
_TINY = np.float32(2.0**-100)
"""Scales below this are zero: their halves are, and their inverses would overflow."""
_HUGE = np.float32(2.0**28)
"""No block of any type reaches so far with scales in half precision, and no sum of the search overflows up to here."""
_TOO_LARGE = "its values are too large for scales in half precision; use BF16 or F32"


def quantize(name: str, values: Floats) -> Bytes:
    """`values`, float32 [rows, k], as type `name`: uint8 [rows, row_bytes]."""
    encode = ENCODERS.get(name)
    if encode is None:
        raise UnsupportedError(f"tensors cannot be written as {name}; types that can be: {', '.join(ENCODERS)}")
    kind = BY_NAME[name]
    out = np.empty((len(values), row_bytes(kind, values.shape[1])), np.uint8)
    blocks, target = values.reshape(-1, kind.block), out.reshape(-1, kind.nbytes)
    step = max(1, _PIECE // kind.block)
    for first in range(0, len(blocks), step):
        part = blocks[first : first + step]
        if not np.isfinite(part).all():
            raise FormatError("it holds a NaN or an infinity; convert the model again")
        if kind.block > 1 and np.abs(part).max() > _HUGE:
            raise FormatError(_TOO_LARGE)
        with np.errstate(over="ignore"):  # looked for just below
            target[first : first + step] = encode(part)
    return out


def _inverse(d: Floats) -> Floats:
    """1 / d, and 0 where d is as good as 0."""
    return np.divide(1, d, out=np.zeros_like(d), where=np.abs(d) > _TINY, dtype=np.float32)


def _half(d: Floats) -> Bytes:
    """[..., n] values rounded to halves, as [..., 2n] bytes."""
    rounded = np.ascontiguousarray(d, np.float32).astype("<f2")
    if not np.isfinite(rounded).all():
        raise FormatError(_TOO_LARGE)
    return rounded.view(np.uint8)


def _widened(half: Bytes) -> Floats:
    return half.view("<f2").astype(np.float32)


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
    scaled = x * _inverse(d)
    codes = np.trunc(scaled + np.copysign(np.float32(0.5), scaled))
    return np.concatenate([_half(d), codes.astype(np.int8).view(np.uint8)], axis=1)


def _nibbles(codes: Bytes) -> Bytes:
    """[..., 2n] codes -> [..., n] bytes, the first half in the low nibbles."""
    low, high = np.split(codes, 2, axis=-1)
    return low & np.uint8(15) | high << np.uint8(4)


def _by_extreme(x: Floats, top: int) -> tuple[Bytes, Bytes]:
    """d as halves, and codes 0 .. 2·top−1 about top: the element furthest from zero becomes code 0."""
    extreme = np.take_along_axis(x, np.abs(x).argmax(axis=1, keepdims=True), axis=1)
    d = extreme / np.float32(-top)
    codes = np.trunc(x * _inverse(d) + np.float32(top + 0.5)).clip(0, 2 * top - 1).astype(np.uint8)
    return _half(d), codes


def _q4_0(x: Floats) -> Bytes:
    d, codes = _by_extreme(x, 8)
    return np.concatenate([d, _nibbles(codes)], axis=1)


def _q5_0(x: Floats) -> Bytes:
    d, codes = _by_extreme(x, 16)
    fifth = np.packbits(codes >> 4, axis=1, bitorder="little")
    return np.concatenate([d, fifth, _nibbles(codes)], axis=1)


def _sum(a: Floats, b: Floats) -> Floats:
    """Of the products, over the last axis."""
    total: Floats = np.einsum("...i,...i->...", a, b)
    return total


def _best_scale(x: Floats, top: int) -> Floats:
    """s of [..., n] -> [...] that makes s · code close to x for codes −top .. top−1, large elements counting more."""
    extreme = np.take_along_axis(x, np.abs(x).argmax(axis=-1, keepdims=True), axis=-1)
    inverse = -_inverse(extreme)
    weighted = x * x * x  # weights x²
    weights = x * x
    scale = np.zeros(x.shape[:-1], np.float32)
    best = np.full(x.shape[:-1], -1, np.float32)
    for step in (0, *range(-9, 0), *range(1, 10)):
        codes = np.rint(x * (inverse * np.float32(top + 0.1 * step))).clip(-top, top - 1)
        across, square = _sum(weighted, codes), _sum(weights * codes, codes)
        fitted = np.divide(across, square, out=np.zeros_like(across), where=square > 0)
        gain = fitted * across  # what of Σ w x² the fit explains
        better = gain > best
        scale[better], best[better] = fitted[better], gain[better]
    return scale


def _best_scale_and_min(x: Floats, top: int) -> tuple[Floats, Floats]:
    """s, m ≥ 0 of [..., n] -> [...] that make s · code − m close to x for codes 0 .. top; weights rms(x) + |x|.

    Fitted to y = x − low, which is not negative and keeps the sums well conditioned. As in ggml, each candidate starts
    from the minimum of the best one before it, which is worth half a percent of error.
    """
    low = np.minimum(x.min(axis=-1), np.float32(0))
    y = x - low[..., None]
    width = y.max(axis=-1)
    weights = np.sqrt(np.mean(x * x, axis=-1, keepdims=True)) + np.abs(x)
    weighted = weights * y
    w, wy, wyy = weights.sum(axis=-1), weighted.sum(axis=-1), _sum(weighted, y)
    scale, least, best = width / np.float32(top), np.zeros_like(low), np.full(width.shape, np.inf, np.float32)
    for step in (None, *range(21)):
        factor = top if step is None else top - 1 + 0.1 * step
        inverse = _inverse(width - least) * np.float32(factor)
        codes = np.rint((y - least[..., None]) * inverse[..., None]).clip(0, top)
        by_code = weights * codes
        wl, wll, wyl = by_code.sum(axis=-1), _sum(by_code, codes), _sum(weighted, codes)
        s, m = (scale, least) if step is None else _line(w, wl, wll, wy, wyl, low)
        error = wyy + s * (s * wll + 2 * m * wl - 2 * wyl) + m * (m * w - 2 * wy)
        better = error < best
        scale, least, best = (np.where(better, new, old) for new, old in ((s, scale), (m, least), (error, best)))
    return scale, -(low + least)


def _line(w: Floats, wl: Floats, wll: Floats, wy: Floats, wyl: Floats, low: Floats) -> tuple[Floats, Floats]:
    """The weighted least-squares line y = s · code + m with low + m <= 0."""
    determinant = w * wll - wl * wl
    usable = determinant > 0
    inverse = np.divide(1, determinant, out=np.zeros_like(w), where=usable)
    s, m = (w * wyl - wy * wl) * inverse, (wll * wy - wl * wyl) * inverse
    through_zero = np.divide(wyl + low * wl, wll, out=np.zeros_like(w), where=wll > 0)
    positive = low + m > 0
    return np.where(positive, through_zero, s), np.where(positive, -low, m)


def _codes(x: Floats, d: Floats, low: int, high: int) -> Floats:
    """[block, sub-block, n] -> codes under sub-block scales d; those of a scale of zero are zero, whatever x is."""
    codes: Floats = np.rint(x * _inverse(d)[..., None]).clip(low, high)
    return codes


def _q4_k(x: Floats) -> Bytes:
    subs = x.reshape(-1, 8, 32)
    scale, least = _best_scale_and_min(subs, 15)
    packed = []
    for found in (scale, least):
        largest = found.max(axis=1, keepdims=True)
        half = _half(largest / np.float32(63))
        packed.append((half, np.rint(found * (_inverse(largest) * np.float32(63))).clip(0, 63).astype(np.uint8)))
    (d, sc), (dmin, mn) = packed
    offset = _widened(dmin) * mn
    codes = _codes(subs + offset[..., None], _widened(d) * sc, 0, 15).astype(np.uint8)
    sub = np.concatenate(
        [
            sc[:, :4] | sc[:, 4:] >> 4 << 6,
            mn[:, :4] | mn[:, 4:] >> 4 << 6,
            sc[:, 4:] & 15 | mn[:, 4:] << 4,
        ],
        axis=1,
    )
    return np.concatenate([d, dmin, sub, _nibbles(codes.reshape(-1, 4, 64)).reshape(-1, 128)], axis=1)


def _q6_k(x: Floats) -> Bytes:
    subs = x.reshape(-1, 16, 16)
    scale = _best_scale(subs, 32)
    largest = np.take_along_axis(scale, np.abs(scale).argmax(axis=1, keepdims=True), axis=1)
    d = _half(largest / np.float32(-128))
    sc = np.rint(scale * (_inverse(largest) * np.float32(-128))).clip(-128, 127).astype(np.int8)
    codes = (_codes(subs, _widened(d) * sc, -32, 31) + 32).astype(np.uint8).reshape(-1, 2, 128)
    low = _nibbles(codes).reshape(-1, 128)
    pairs = (codes >> 4).reshape(-1, 2, 4, 32) << np.array([[0], [2], [4], [6]], np.uint8)
    return np.concatenate([low, np.bitwise_or.reduce(pairs, axis=2).reshape(-1, 64), sc.view(np.uint8), d], axis=1)


ENCODERS: dict[str, Callable[[Array], Bytes]] = {
    "F32": _f32,
    "F16": _half,
    "BF16": _bf16,
    "Q8_0": _q8_0,
    "Q4_0": _q4_0,
    "Q5_0": _q5_0,
    "Q4_K": _q4_k,
    "Q6_K": _q6_k,
}
"""Blocks, float32 [n, elements], to their bytes [n, bytes]."""
