"""Scaled dot-product attention (Vaswani et al. 2017) with grouped queries (Ainslie et al. 2023), over key spans merged
in order.

Knows: docs/arithmetic.md "Attention": what a cache keeps of a value, spans of 64 slots, a softmax per span, and the running merge of Milakov &
Gimelshein 2018 ("Online normalizer calculation for softmax"). Does not know: pages' storage, sequences, positions; a
row sees the slots it is told to see.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.errors import NonFiniteLogitsError, RequestError, UnsupportedError
from tokenloom.reference.floats import F32, exp32, fma, round_f16, sum16, widen_f16
from tokenloom.reference.quantize import WINDOW, quantize

SPAN = 64


def quantize_kv(x: Any) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
    """x [..., head_dim] -> (codes int8, as x; the scales' f16 bits [..., windows]); head_dim is a multiple of 16."""
    x = np.asarray(x, np.float32)
    parts = [quantize(part, part.shape[-1]) for part in np.split(x, range(WINDOW, x.shape[-1], WINDOW), axis=-1)]
    scales = round_f16(np.concatenate([d for _, d, _ in parts], axis=-1))
    if not np.isfinite(widen_f16(scales)).all():
        raise NonFiniteLogitsError("a key or a value is too large for an 8-bit cache", 0)
    return np.concatenate([codes for codes, _, _ in parts], axis=-1), scales


def store(x: Any, kv_dtype: str) -> F32:
    """What reading x back from a cache of this dtype gives."""
    if kv_dtype == "f32":
        return np.array(x, np.float32)
    if kv_dtype == "f16":
        return widen_f16(round_f16(x))
    if kv_dtype == "q8":
        codes, scales = quantize_kv(x)
        widened = np.repeat(widen_f16(scales), WINDOW, axis=-1)[..., : codes.shape[-1]]
        return np.asarray(codes.astype(np.float32) * widened, np.float32)
    raise UnsupportedError(f"kv_dtype {kv_dtype!r}: f16, f32 and q8 are defined")


def _span(q: F32, k: F32, v: F32, visible: NDArray[np.bool_]) -> tuple[F32, F32, F32]:
    """One span for all rows: q [n, h, d], k and v [slots, h, d], visible [n, slots] -> m, l [n, h] and o [n, h, d]."""
    n, heads, dim = q.shape
    scores = np.zeros((n, heads, k.shape[0]), np.float32)
    for d in range(dim):
        scores = fma(k[None, :, :, d].transpose(0, 2, 1), q[:, :, None, d], scores)
    scores = np.where(visible[:, None, :], scores, np.float32(-np.inf))
    m = scores.max(-1)
    some = np.isfinite(m)
    shifted = np.where(visible[:, None, :], scores - np.where(some, m, np.float32(0))[..., None], np.float32(-np.inf))
    p = exp32(shifted)
    o = np.zeros((n, heads, dim), np.float32)
    for j in range(k.shape[0]):
        o = np.where(visible[:, None, None, j], fma(v[None, j], p[:, :, None, j], o), o)
    return m, sum16(p), o


def attention(q: Any, k: Any, v: Any, lo: Any, hi: Any, kv_dtype: str = "f16") -> F32:
    """q [n, heads, d], already scaled; k, v [slots, kv_heads, d]; row i sees slots lo[i] <= j < hi[i] -> as q."""
    q = np.asarray(q, np.float32)
    k, v = store(k, kv_dtype), store(v, kv_dtype)
    lo, hi = np.asarray(lo, np.int64), np.asarray(hi, np.int64)
    if not ((lo >= 0) & (lo < hi) & (hi <= k.shape[0])).all():
        raise RequestError(f"every row must see at least one of the {k.shape[0]} slots: 0 <= lo < hi <= slots")
    group = np.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    k, v = k[:, group], v[:, group]
    m = np.full(q.shape[:2], -np.inf, np.float32)
    total, out = np.zeros(q.shape[:2], np.float32), np.zeros(q.shape, np.float32)
    for begin in range(0, k.shape[0], SPAN):
        slots = np.arange(begin, min(begin + SPAN, k.shape[0]))
        visible = (slots >= lo[:, None]) & (slots < hi[:, None])
        rows = np.nonzero(visible.any(1))[0]
        if rows.size == 0:
            continue
        m_s, l_s, o_s = _span(q[rows], k[slots], v[slots], visible[rows])
        first = (lo[rows] >= begin)[:, None]
        m_new = np.maximum(np.where(first, m_s, m[rows]), m_s)
        a = exp32(np.where(first, np.float32(0), m[rows] - m_new))
        b = exp32(m_s - m_new)
        merged_l = fma(total[rows], a, l_s * b)
        merged_o = fma(out[rows], a[..., None], o_s * b[..., None])
        total[rows] = np.where(first, l_s, merged_l)
        out[rows] = np.where(first[..., None], o_s, merged_o)
        m[rows] = m_new
    return np.asarray(out / total[..., None] + np.float32(0), np.float32)
