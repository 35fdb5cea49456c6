"""The elementwise functions against exact rational arithmetic and mpmath, with the accuracy each one promises."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tokenloom.reference import floats

mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed: the ulp bounds of exp and sine stay unproved")

finite = st.floats(width=32, allow_nan=False, allow_infinity=False)
small = st.integers(-(2**26), 2**26).map(
    lambda i: float(np.ldexp(i, -149 - 13))
)  # products of these land among subnormals


def round_to_f32(value: Fraction) -> float:
    """Nearest float32, ties to even, by integer arithmetic alone."""
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    quantum = Fraction(2) ** max(exponent - 23, -149)
    scaled = round(magnitude / quantum) * quantum  # Fraction rounds half to even
    limit = Fraction(2) ** 128
    result = float("inf") if scaled >= limit else float(scaled)
    return -result if value < 0 else result


def check_fma(a: float, b: float, c: float) -> None:
    got = float(floats.fma(np.float32(a), np.float32(b), np.float32(c)))
    want = round_to_f32(Fraction(a) * Fraction(b) + Fraction(c))
    assert got == want, f"fma({a.hex()}, {b.hex()}, {c.hex()}) = {got.hex()}, exactly rounded {want.hex()}"


@settings(max_examples=600, deadline=None)
@given(finite, finite, finite)
@example(2.0**127, 2.0, -(2.0**127))
@example(-3.4028234663852886e38, 1.0, 2.0**103)
def test_fma_is_rounded_once(a: float, b: float, c: float) -> None:
    check_fma(a, b, c)


@settings(max_examples=600, deadline=None)
@given(st.integers(-(2**24), 2**24), st.integers(-(2**24), 2**24), st.integers(-(2**24), 2**24), st.integers(0, 100))
def test_fma_is_exact_among_subnormals(a: int, b: int, c: int, shift: int) -> None:
    check_fma(
        float(np.float32(np.ldexp(a, -90 - shift))), float(np.float32(np.ldexp(b, -80))), float(np.ldexp(c, -149))
    )


odd_13_bits = st.integers(2048, 2895).map(lambda i: 2 * i + 1)  # two of them multiply to an odd number of 25 bits


@settings(max_examples=600, deadline=None)
@given(odd_13_bits, odd_13_bits, st.sampled_from([-1, 1]), st.integers(-149, -30), st.integers(-20, 20))
def test_fma_is_not_fooled_by_double_rounding(a: int, b: int, sign: int, far: int, power: int) -> None:
    """A product exactly half way between two float32 values and an addend too far below to survive 53 bits."""
    check_fma(float(a) * 2.0**power, float(b), sign * 2.0**far)
    check_fma(float(-a) * 2.0**power, float(b), sign * 2.0**far)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("far", [-60, -100, -149])
def test_fma_double_rounding_traps(sign: float, far: int) -> None:
    tie = 1 + 2.0**-12
    check_fma(tie, tie, sign * 2.0**far)  # 1 + 2^-11 + 2^-24: a tie in float32, the addend decides
    check_fma(-tie, tie, sign * 2.0**far)
    check_fma(2.0**-75, 2.0**-75, sign * 2.0**-149)  # half the smallest subnormal
    check_fma(3 * 2.0**-75, 2.0**-75, sign * 2.0**-149)
    check_fma(2.0**-75 * (1 + 2.0**-23), 2.0**-75, 0.0)


def test_a_plain_double_rounding_fma_would_fail_the_traps() -> None:
    """The planted violation: float32(float64(a*b + c)) gets the tie wrong, so the traps do bite."""
    tie, addend = 1 + 2.0**-12, -(2.0**-100)
    assert float(np.float32(tie * tie + addend)) != round_to_f32(Fraction(tie) ** 2 + Fraction(addend)) or float(
        np.float32(tie * tie - addend)
    ) != round_to_f32(Fraction(tie) ** 2 - Fraction(addend))


@pytest.mark.parametrize(
    ("a", "b", "c", "negative"),
    [
        (0, 1, 0, False),
        (-0.0, 1, -0.0, True),
        (-0.0, 1, 0.0, False),
        (1, 1, -1, False),
        (-(2.0**-100), 2.0**-100, 0.0, True),
    ],
)
def test_fma_signs_of_zero(a: float, b: float, c: float, negative: bool) -> None:
    got = floats.fma(np.float32(a), np.float32(b), np.float32(c))
    assert got == 0
    assert bool(np.signbit(got)) is negative


def test_fma_broadcasts() -> None:
    rng = np.random.default_rng(0)
    a, b, c = (rng.standard_normal(s).astype(np.float32) for s in ((3, 1), (1, 5), (5,)))
    got = floats.fma(a, b, c)
    assert got.shape == (3, 5)
    for i, j in np.ndindex(3, 5):
        assert float(got[i, j]) == round_to_f32(
            Fraction(float(a[i, 0])) * Fraction(float(b[0, j])) + Fraction(float(c[j]))
        )


def ulps(got: np.ndarray, exact: np.ndarray) -> float:
    """Largest error in units in the last place of float32; `exact` is in float64, so itself off by 2^-29 of one."""
    return float((np.abs(got.astype(np.float64) - exact) / np.spacing(np.abs(exact).astype(np.float32))).max())


def test_exp32_is_within_3_ulp() -> None:
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-87, 88, 200_000), -rng.exponential(2, 200_000), np.linspace(-1, 1, 40_001)])
    x = x[x >= -87].astype(np.float32)
    assert ulps(floats.exp32(x), np.exp(x.astype(np.float64))) <= 3
    worst = np.float32(-2.4256308)  # the largest error seen, 2.58 ulp, checked without any libm
    with mpmath.workprec(100):
        exact = mpmath.exp(mpmath.mpf(float(worst)))
        error = abs(mpmath.mpf(float(floats.exp32(worst))) - exact) / float(np.spacing(np.float32(exact)))
    assert 2 < error <= 3


def test_exp32_edges() -> None:
    x = np.array(
        [
            0.0,
            -0.0,
            1e-45,
            -1e-30,
            -87.0,
            np.nextafter(np.float32(-87), np.float32(-88)),
            -np.inf,
            -1e38,
            88,
            89,
            3e38,
            np.inf,
        ]
    )
    got = floats.exp32(x.astype(np.float32))
    assert (got[:4] == 1).all()
    assert got[4] > np.float32(2.0**-126)
    assert (got[5:8] == 0).all()
    assert not np.signbit(got[5:8]).any()
    assert (got[8:] == got[8]).all()
    assert np.isfinite(got).all()


def test_silu_is_within_4_ulp() -> None:
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.uniform(-30, 30, 200_000), rng.standard_normal(100_000)]).astype(np.float32)
    exact = x.astype(np.float64) / (1 + np.exp(-x.astype(np.float64)))
    assert ulps(floats.silu(x), exact) <= 4
    assert floats.silu(np.float32(0)) == 0
    assert np.isfinite(floats.silu(np.array([-1e30, 1e30, -200, 200], np.float32))).all()


def test_sum16_is_the_stated_order() -> None:
    rng = np.random.default_rng(3)
    for n in (1, 15, 16, 17, 31, 64, 576, 577):
        x = (rng.standard_normal(n) * 10.0 ** rng.uniform(-4, 4, n)).astype(np.float32)
        p = [np.float32(0)] * 16
        squares = list(p)
        for i, value in enumerate(x):
            p[i % 16] = p[i % 16] + value
            squares[i % 16] = np.float32(round_to_f32(Fraction(float(value)) ** 2 + Fraction(float(squares[i % 16]))))
        for partials, got in ((p, floats.sum16(x)), (squares, floats.sum_of_squares16(x))):
            for half in (8, 4, 2, 1):
                for j in range(half):
                    partials[j] = partials[j] + partials[j + half]
            assert partials[0] == got
    assert floats.sum16(np.float32([1e8, 1, -1e8])) == 1  # three partials, one tree; left to right would give 0


def test_rms_norm_matches_the_formula() -> None:
    rng = np.random.default_rng(4)
    x, w = rng.standard_normal((5, 576)).astype(np.float32), rng.standard_normal(576).astype(np.float32)
    exact = x / np.sqrt((x.astype(np.float64) ** 2).mean(-1, keepdims=True) + 1e-5) * w
    assert np.abs(floats.rms_norm(x, w, 1e-5) / exact - 1).max() < 1e-6
    assert (floats.rms_norm(np.zeros((1, 32), np.float32), w[:32], 1e-5) == 0).all()


@pytest.mark.parametrize("bound", [10, 1e3, 1e5, 2**21, 4e8])
def test_sincos64_is_within_one_ulp_of_one(bound: float) -> None:
    """|error| <= 2^-52 for |t| < 4e8 (n·P1 is exact while n < 2^28), also beside the multiples of pi/2."""
    rng = np.random.default_rng(5)
    with mpmath.workprec(140):
        near = [float(mpmath.mpf(int(n)) * mpmath.pi / 2) for n in rng.integers(0, int(bound / 1.58) + 1, 500)]
        t = np.minimum(np.concatenate([rng.uniform(0, bound, 1000), near]), bound)
        sine, cosine = floats.sincos64(t)
        for v, s, c in zip(t, sine, cosine, strict=True):
            angle = mpmath.mpf(float(v))
            assert abs(float(s) - mpmath.sin(angle)) <= 2.0**-52
            assert abs(float(c) - mpmath.cos(angle)) <= 2.0**-52


def test_the_parts_of_half_pi_add_up_to_it() -> None:
    with mpmath.workprec(300):
        total = sum(mpmath.mpf(part) for part in floats._HALF_PI)
        assert abs(total - mpmath.pi / 2) < mpmath.mpf(2) ** -106


def test_taylor_coefficients_are_correctly_rounded() -> None:
    factorial = 1
    exact = [Fraction(1)]
    for j in range(1, 18):
        factorial *= j
        exact.append(Fraction(1, factorial))
    assert list(floats.SIN_TAYLOR) == [float(exact[2 * i + 1] * (-1) ** i) for i in range(8, -1, -1)]
    assert list(floats.COS_TAYLOR) == [float(exact[2 * i] * (-1) ** i) for i in range(8, -1, -1)]


ALL_HALVES = np.arange(65536, dtype=np.uint16)


def test_widen_f16_over_all_values() -> None:
    want = ALL_HALVES.view(np.float16).astype(np.float32)
    got = floats.widen_f16(ALL_HALVES)
    nan = np.isnan(want)
    assert np.array_equal(np.isnan(got), nan)
    assert np.array_equal(got[~nan].view(np.uint32), want[~nan].view(np.uint32))


def test_widen_bf16_over_all_values() -> None:
    got = floats.widen_bf16(ALL_HALVES)
    for bits in range(0, 65536, 7):
        sign, exponent, fraction = bits >> 15, (bits >> 7) & 255, bits & 127
        if exponent == 255:
            assert np.isnan(got[bits]) if fraction else np.isinf(got[bits])
            continue
        value = Fraction(fraction + (128 if exponent else 0)) * Fraction(2) ** (max(exponent, 1) - 134)
        assert Fraction(float(got[bits])) == (-value if sign else value)


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_rounding_to_half_formats_is_nearest_even(kind: str) -> None:
    """Every finite value comes back as itself; a midpoint goes to the even neighbour, one float32 step beside it does
    not.
    """
    widen = floats.widen_f16 if kind == "f16" else floats.widen_bf16
    narrow = floats.round_f16 if kind == "f16" else floats.round_bf16
    values = widen(ALL_HALVES)
    finite_bits = ALL_HALVES[np.isfinite(values)]
    assert np.array_equal(narrow(widen(finite_bits)), finite_bits)
    positive = finite_bits[finite_bits < 0x8000]
    below, above = positive[:-1], positive[1:]
    low, high = widen(below).astype(np.float64), widen(above).astype(np.float64)
    middle = ((low + high) / 2).astype(np.float32)
    exact = (middle.astype(np.float64) - low) == (high - middle.astype(np.float64))
    even = np.where(below & 1, above, below)
    assert np.array_equal(narrow(middle)[exact], even[exact])
    assert np.array_equal(narrow(-middle)[exact], (even | 0x8000)[exact])
    up = np.nextafter(middle, np.float32(np.inf))
    down = np.nextafter(middle, np.float32(0))
    assert np.array_equal(narrow(up)[exact], above[exact])
    assert np.array_equal(narrow(down)[exact], below[exact])


def test_rounding_to_f16_agrees_with_numpy_on_arbitrary_bits() -> None:
    rng = np.random.default_rng(6)
    x = rng.integers(0, 2**32, 300_000, dtype=np.uint32).view(np.float32)
    x = np.concatenate(
        [x, rng.standard_normal(100_000).astype(np.float32), np.float32([65519.996, 65520, 1e6, np.inf, -np.inf])]
    )
    x = x[~np.isnan(x)]
    with np.errstate(over="ignore"):
        assert np.array_equal(floats.round_f16(x), x.astype(np.float16).view(np.uint16))
    assert floats.widen_f16(floats.round_f16(np.float32([np.nan]))) != 0
    assert np.isnan(floats.widen_f16(floats.round_f16(np.float32([np.nan])))).all()
    assert np.isnan(floats.widen_bf16(floats.round_bf16(np.float32([np.nan])))).all()
