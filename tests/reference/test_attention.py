"""Attention over spans: against float64 softmax, blind to what a row may not see, and the merge written out."""

from __future__ import annotations

import numpy as np
import pytest

from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.reference.attention import attention
from tokenloom.reference.floats import exp32, fma, sum16


def data(n: int, heads: int, kv_heads: int, slots: int, dim: int = 16, seed: int = 0) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        rng.standard_normal(s).astype(np.float32)
        for s in ((n, heads, dim), (slots, kv_heads, dim), (slots, kv_heads, dim))
    )


def exact(q: np.ndarray, k: np.ndarray, v: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    out = np.zeros(q.shape)
    for i, h in np.ndindex(q.shape[:2]):
        kv = h * k.shape[1] // q.shape[1]
        s = k[lo[i] : hi[i], kv].astype(np.float64) @ q[i, h]
        p = np.exp(s - s.max())
        out[i, h] = (p / p.sum()) @ v[lo[i] : hi[i], kv]
    return out


@pytest.mark.parametrize(("kv_dtype", "tolerance"), [("f32", 3e-6), ("f16", 5e-3), ("q8", 3e-2)])
def test_against_float64(kv_dtype: str, tolerance: float) -> None:
    q, k, v = data(9, 6, 2, 200)
    lo = np.array([0, 0, 0, 0, 0, 10, 64, 70, 130])
    hi = np.array([1, 16, 63, 64, 65, 200, 128, 140, 200])
    assert np.abs(attention(q, k, v, lo, hi, kv_dtype) - exact(q, k, v, lo, hi)).max() < tolerance


def test_large_scores_do_not_overflow() -> None:
    q, k, v = data(2, 2, 1, 150)
    got = attention(q * 100, k * 100, v, [0, 0], [150, 100], "f32")
    assert np.abs(got - exact(q * 100, k * 100, v, np.zeros(2, int), np.array([150, 100]))).max() < 2e-2
    assert np.isfinite(got).all()


def test_invisible_slots_change_nothing() -> None:
    q, k, v = data(3, 4, 2, 180)
    lo, hi = np.array([5, 70, 0]), np.array([100, 129, 37])
    want = attention(q, k, v, lo, hi)
    for i in range(3):
        other_k, other_v = k.copy(), v.copy()
        hidden = np.ones(180, bool)
        hidden[lo[i] : hi[i]] = False
        other_k[hidden], other_v[hidden] = 9.0, -9.0
        alone = attention(q[i : i + 1], other_k, other_v, lo[i : i + 1], hi[i : i + 1])
        assert np.array_equal(alone[0].view(np.uint32), want[i].view(np.uint32))


def test_two_spans_merge_as_written() -> None:
    q, k, v = data(1, 1, 1, 80, dim=4)
    parts = []
    for slots in (range(64), range(64, 80)):
        scores = np.float32([0] * len(slots))
        for j, slot in enumerate(slots):
            for d in range(4):
                scores[j] = fma(k[slot, 0, d], q[0, 0, d], scores[j])
        p = exp32(scores - scores.max())
        o = np.zeros(4, np.float32)
        for j, slot in enumerate(slots):
            o = fma(v[slot, 0], p[j], o)
        parts.append((scores.max(), sum16(p), o))
    (m0, l0, o0), (m1, l1, o1) = parts
    m = max(m0, m1)
    a, b = exp32(m0 - m), exp32(m1 - m)
    want = fma(o0, a, o1 * b) / fma(l0, a, l1 * b)
    assert np.array_equal(attention(q, k, v, [0], [80], "f32")[0, 0], want)


def test_refusals() -> None:
    q, k, v = data(1, 1, 1, 4)
    with pytest.raises(RequestError, match="at least one"):
        attention(q, k, v, [2], [2])
    with pytest.raises(UnsupportedError, match="q4"):
        attention(q, k, v, [0], [4], "q4")
