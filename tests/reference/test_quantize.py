"""Activation windows: the formula, ties, signed zeros, tiny and huge windows, and refusals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloom.errors import NonFiniteLogitsError, RequestError
from tokenloom.reference.quantize import quantize


def window(**at: float) -> np.ndarray:
    x = np.zeros(32, np.float32)
    for where, value in at.items():
        x[int(where[1:])] = value
    return x


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=32, max_size=32))
def test_codes_are_the_nearest_multiples(values: list[float]) -> None:
    x = np.array(values, np.float32)
    q, d, total = quantize(x)
    assert np.abs(q.astype(int)).max() <= 127
    assert total[0] == q.astype(int).sum()
    amax = np.abs(x).max()
    if amax < 2.0**-100:
        assert d[0] == 0
        assert not np.signbit(d[0])
        assert not q.any()
        return
    assert d[0] == np.float32(amax) / np.float32(127)
    scaled = x * (np.float32(127) / np.float32(amax))
    for code, value in zip(q, scaled, strict=True):
        assert int(code) == round(Fraction(float(value)))
    assert np.abs(q).max() == 127


def test_ties_go_to_even() -> None:
    x = window(i0=127.0, i1=0.5, i2=1.5, i3=2.5, i4=-0.5, i5=-1.5, i6=-2.5)
    q, d, total = quantize(x)
    assert d[0] == 1
    assert q[:7].tolist() == [127, 0, 2, 2, 0, -2, -2]
    assert total[0] == 127


def test_zeros_of_both_signs() -> None:
    q, d, total = quantize(np.float32([0.0, -0.0] * 16))
    assert not q.any()
    assert d.view(np.uint32)[0] == 0
    assert total[0] == 0


def test_the_smallest_window_that_counts() -> None:
    below = np.nextafter(np.float32(2.0**-100), np.float32(0))
    q, d, _ = quantize(window(i3=below, i4=-below))
    assert not q.any()
    assert d[0] == 0
    q, d, _ = quantize(window(i3=2.0**-100, i4=below))
    assert q[3] == 127
    assert q[4] == 127
    assert d[0] > 0
    q, d, _ = quantize(window(i0=np.finfo(np.float32).max, i1=-np.finfo(np.float32).max))
    assert q[:2].tolist() == [127, -127]
    assert np.isfinite(d[0])


def test_windows_are_independent() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((4, 96)).astype(np.float32)
    q, d, total = quantize(x)
    assert q.shape == (4, 96)
    assert d.shape == total.shape == (4, 3)
    for row, w in np.ndindex(4, 3):
        alone = quantize(x[row, 32 * w : 32 * w + 32])
        assert np.array_equal(alone[0], q[row, 32 * w : 32 * w + 32])
        assert alone[1][0] == d[row, w]


def test_windows_of_256_are_one_scale_each() -> None:
    """The same formula over the longer window: of 32 where the largest value is in each, and of no other."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((3, 512)).astype(np.float32)
    x[:, ::32] = 5.0
    q, d, total = quantize(x, 256)
    q32, d32, _ = quantize(x)
    assert np.array_equal(q, q32)
    assert d.shape == total.shape == (3, 2)
    assert np.array_equal(d, d32[:, ::8])
    assert np.array_equal(total, q.reshape(3, 2, 256).sum(-1, dtype=np.int32))
    x[0, 7] = 50.0
    assert np.abs(quantize(x, 256)[0][0, 32:256].astype(int)).max() == 13
    with pytest.raises(RequestError, match="256"):
        quantize(x[:, :96], 256)


def test_what_is_not_defined_is_refused() -> None:
    with pytest.raises(RequestError, match="33"):
        quantize(np.zeros(33, np.float32))
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(NonFiniteLogitsError):
            quantize(window(i7=bad))
