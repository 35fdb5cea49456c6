"""The scale, or scale and minimum, that suits a block of floats best: searches by weighted least squares.

Knows how ggml chooses for Q4_K and Q6_K when it is given no importance matrix, so that files made here and there are worth the same; for Q2_K, Q3_K
and Q5_K the same searches leave smaller errors than its own. Does not know formats.

For some twenty candidate scales the elements are rounded to codes, the scale (and minimum) that suits those codes best follows by weighted least
squares, and the candidate with the smallest error stays.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokenloom.quant.block import Bytes, Floats
from tokenloom.quant.encoding import inverse_of


def _sum(a: Floats, b: Floats) -> Floats:
    """Of the products, over the last axis."""
    total: Floats = np.einsum("...i,...i->...", a, b)
    return total


def _fit(weighted: Floats, weights: Floats, codes: Floats) -> tuple[Floats, Floats]:
    """The scale that suits the codes of some elements best, and what of Σ w x² it explains; `weighted` is w x."""
    across, square = _sum(weighted, codes), _sum(weights * codes, codes)
    fitted = np.divide(across, square, out=np.zeros_like(across), where=square > 0)
    return fitted, fitted * across


def best_scale(x: Floats, top: int, weights: Floats) -> Floats:
    """s of [..., n] -> [...] that makes s · code close to x for codes −top .. top−1."""
    extreme = np.take_along_axis(x, np.abs(x).argmax(axis=-1, keepdims=True), axis=-1)
    inverse = -inverse_of(extreme)
    weighted = weights * x
    scale = np.zeros(x.shape[:-1], np.float32)
    best = np.full(x.shape[:-1], -1, np.float32)
    for step in (0, *range(-9, 0), *range(1, 10)):
        codes = np.rint(x * (inverse * np.float32(top + 0.1 * step))).clip(-top, top - 1)
        fitted, gain = _fit(weighted, weights, codes)
        better = gain > best
        scale[better], best[better] = fitted[better], gain[better]
    return scale


def best_scale_and_min(x: Floats, top: int) -> tuple[Floats, Floats]:
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
        inverse = inverse_of(width - least) * np.float32(factor)
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


def nearest(x: Floats, table: Sequence[int]) -> Bytes:
    """The index of the entry of an ascending table that is nearest to each x; the upper one of two equally near."""
    values = np.array(table, np.float32)
    return np.searchsorted((values[1:] + values[:-1]) / 2, x, side="right").astype(np.uint8)


def best_scale_of_table(x: Floats, table: Sequence[int]) -> Floats:
    """s of [..., n] -> [...] that makes s · table[code] close to x, large elements counting more."""
    values = np.array(table, np.float32)
    extreme = np.take_along_axis(x, np.abs(x).argmax(axis=-1, keepdims=True), axis=-1)
    inverse, weights = inverse_of(extreme), x * x
    weighted = weights * x
    scale, best = np.zeros(x.shape[:-1], np.float32), np.full(x.shape[:-1], -1, np.float32)
    for step in range(-7, 8):
        for end in (values[0], values[-1]):
            codes = values[nearest(x * (inverse * (end + np.float32(step))), table)]
            fitted, gain = _fit(weighted, weights, codes)
            better = gain > best
            scale[better], best[better] = fitted[better], gain[better]
    return scale
