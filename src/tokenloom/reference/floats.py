"""Scalar functions of the arithmetic, elementwise over arrays: fma, exp, silu, sum16, sine and cosine, half formats.

Knows: IEEE 754 binary32/binary64 and docs/arithmetic.md. Does not know: what the numbers mean. Nothing here calls a
math library: NumPy is used for +, -, *, /, sqrt, rint and conversions only, each of which IEEE 754 defines to the last
bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_LOW_BITS = np.int64((1 << 29) - 1)  # what binary64 has beyond binary32's 24 bits of significand
_HALF_WAY = np.int64(1 << 28)
_SMALLEST_NORMAL = np.float32(2.0**-126)


def _exact_sum_to_f32(p: F64, c: F64) -> F32:
    """p + c rounded once to float32, through round-to-odd (Boldo & Melquiond 2008, "Emulation of a FMA and correctly
    rounded sums").

    TwoSum (Knuth, TAOCP 2, 4.2.2) gives the error of the float64 sum. Forcing the last bit to 1 whenever there is one
    keeps the information "not a tie" through the second rounding, which is exact because 53 >= 24 + 2 (also for
    subnormal results).
    """
    s = p + c
    t = s - p
    error = (p - (s - t)) + (c - t)
    even = (s.view(np.int64) & 1) == 0
    wants_odd = (error != 0) & even & np.isfinite(s)
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.where(wants_odd, np.nextafter(s, toward), s).astype(np.float32)


def round_sum(p: F64, c: F64) -> F32:
    """float32(p + c), rounded once, for finite float64 arrays of one shape.

    Rounding twice (to 53 bits, then to 24) goes wrong only where the float64 sum lies half way between two float32
    values, or where the result is subnormal; only those few take the exact path.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        s = np.add(p, c)
        result = s.astype(np.float32)
        doubtful = (s.view(np.int64) & _LOW_BITS) == _HALF_WAY
        doubtful |= np.abs(result) <= _SMALLEST_NORMAL
        if doubtful.any():
            result[doubtful] = _exact_sum_to_f32(p[doubtful], c[doubtful])
    return result


def fma(a: Any, b: Any, c: Any) -> F32:
    """a*b + c rounded once, in float32; operands broadcast. The product of two float32 is exact in float64."""
    a64, b64, c64 = (np.asarray(v, np.float32).astype(np.float64) for v in (a, b, c))
    with np.errstate(invalid="ignore"):
        product, addend = np.broadcast_arrays(a64 * b64, c64)
    return round_sum(np.atleast_1d(product), np.atleast_1d(addend)).reshape(product.shape)


_EXP_COEFFICIENTS = tuple(
    np.float32(float.fromhex(c))
    for c in ("0x1.111112p-7", "0x1.555556p-5", "0x1.555556p-3", "0x1p-1", "0x1p+0", "0x1p+0")
)
_LOG2_E = np.float32(float.fromhex("0x1.715476p+0"))
_MINUS_LN2_HIGH = np.float32(float.fromhex("-0x1.62e400p-1"))
_MINUS_LN2_LOW = np.float32(float.fromhex("-0x1.7f7d1cp-20"))
_EXP_FIRST = np.float32(float.fromhex("0x1.6c16c2p-10"))


def exp32(x: Any) -> F32:
    """exp(x) by two-step range reduction (Cody & Waite 1980) and Taylor's series; above 88 as at 88, below -87 +0."""
    x = np.asarray(x, np.float32)
    clipped = np.minimum(np.maximum(x, np.float32(-87)), np.float32(88))
    n = np.rint(clipped * _LOG2_E)
    r = fma(n, _MINUS_LN2_HIGH, clipped)
    r = fma(n, _MINUS_LN2_LOW, r)
    p = np.full(x.shape, _EXP_FIRST, np.float32)
    for coefficient in _EXP_COEFFICIENTS:
        p = fma(p, r, coefficient)
    power = ((n.astype(np.int32) + np.int32(127)) << np.int32(23)).view(np.float32)
    return np.where(x < np.float32(-87), np.float32(0), p * power).astype(np.float32)


def silu(x: Any) -> F32:
    """x / (1 + exp(-x)) (Elfwing et al. 2017, "Sigmoid-weighted linear units")."""
    x = np.asarray(x, np.float32)
    return np.asarray(x / (np.float32(1) + exp32(-x)), np.float32)


def _pages_of_16(x: F32) -> F32:
    """[..., n] -> [pages, ..., 16]; the missing elements of the last page are +0, which leaves a partial as it was."""
    n = x.shape[-1]
    padded = np.zeros((*x.shape[:-1], -(-n // 16) * 16), np.float32)
    padded[..., :n] = x
    return np.moveaxis(padded.reshape(*x.shape[:-1], -1, 16), -2, 0)


def _fold16(p: F32) -> F32:
    for half in (8, 4, 2, 1):
        p = p[..., :half] + p[..., half : 2 * half]
    return p[..., 0]


def sum16(x: Any) -> F32:
    """Sum over the last axis: 16 partials, element i into partial i mod 16, then the tree 8, 4, 2, 1."""
    x = np.asarray(x, np.float32)
    p = np.zeros((*x.shape[:-1], 16), np.float32)
    for page in _pages_of_16(x):
        p = p + page
    return _fold16(p)


def sum_of_squares16(x: Any) -> F32:
    """As sum16, each step p = fma(x, x, p)."""
    x = np.asarray(x, np.float32)
    p = np.zeros((*x.shape[:-1], 16), np.float32)
    for page in _pages_of_16(x):
        p = fma(page, page, p)
    return _fold16(p)


def rms_norm(x: Any, weight: Any, eps: float) -> F32:
    """x / sqrt(mean(x^2) + eps) * weight over the last axis (Zhang & Sennrich 2019, "Root Mean Square Layer
    Normalization", eq. 4).
    """
    x, weight = np.asarray(x, np.float32), np.asarray(weight, np.float32)
    mean = sum_of_squares16(x) / np.float32(x.shape[-1])
    inverse = np.float32(1) / np.sqrt(mean + np.float32(eps))
    return np.asarray((x * inverse[..., None]) * weight, np.float32)


_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
_HALF_PI = tuple(float.fromhex(c) for c in ("0x1.921fb50000000p+0", "0x1.110b460000000p-26", "0x1.1a62633145c07p-54"))


def _taylor(first: int) -> tuple[float, ...]:
    """(-1)^m / (first + 2m)! for m = 8 .. 0, correctly rounded (Python's int / int is)."""
    coefficients, factorial = [], 1
    for j in range(1, first + 17):
        factorial *= j
        if j >= first and (j - first) % 2 == 0:
            coefficients.append((-1) ** ((j - first) // 2) / factorial)
    if first == 0:
        coefficients.insert(0, 1.0)
    return tuple(reversed(coefficients))


SIN_TAYLOR, COS_TAYLOR = _taylor(1), _taylor(0)


def _horner(coefficients: tuple[float, ...], z: F64) -> F64:
    c = np.full(z.shape, coefficients[0], np.float64)
    for following in coefficients[1:]:
        c = c * z + following
    return c


def sincos64(t: Any) -> tuple[F64, F64]:
    """(sin t, cos t) in float64 with separate mul and add: Cody & Waite reduction by pi/2 in three parts, Taylor to
    r^16.
    """
    t = np.asarray(t, np.float64)
    n = np.rint(t * _TWO_OVER_PI)
    r = t
    for part in _HALF_PI:
        r = r - n * part
    z = r * r
    sine, cosine = r * _horner(SIN_TAYLOR, z), _horner(COS_TAYLOR, z)
    quadrant = n.astype(np.int64) & 3
    return (
        np.choose(quadrant, [sine, cosine, -sine, -cosine]),
        np.choose(quadrant, [cosine, -sine, -cosine, sine]),
    )


def widen_f16(bits: NDArray[np.uint16]) -> F32:
    """binary16 bits -> float32, exact: value = significand * 2^(exponent)."""
    exponent = ((bits >> 10) & 0x1F).astype(np.int32)
    fraction = (bits & 0x3FF).astype(np.float32)
    normal = np.ldexp(fraction + np.float32(1024), exponent - 25)
    subnormal = fraction * np.float32(2.0**-24)
    special = np.where(bits & 0x3FF, np.float32(np.nan), np.float32(np.inf))
    magnitude = np.where(exponent == 31, special, np.where(exponent == 0, subnormal, normal)).astype(np.float32)
    return np.where(bits >> 15, -magnitude, magnitude)


def widen_bf16(bits: NDArray[np.uint16]) -> F32:
    """bfloat16 bits -> float32, exact: they are its upper half."""
    return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)


def round_f16(x: Any) -> NDArray[np.uint16]:
    """float32 -> binary16 bits, to nearest even, subnormals kept, beyond 65520 infinite; in integers. NaN becomes
    0x7e00.
    """
    bits = np.asarray(x, np.float32).view(np.uint32)
    sign = ((bits >> 16) & 0x8000).astype(np.uint16)
    magnitude = (bits & 0x7FFFFFFF).astype(np.int64)
    exponent = (magnitude >> 23) - 127 + 15
    significand = (magnitude & 0x7FFFFF) | np.where(magnitude >> 23, 0x800000, 0)
    shift = np.clip(13 + np.maximum(1 - exponent, 0), 13, 25)
    kept = significand >> shift
    rest, half = significand & ((np.int64(1) << shift) - 1), np.int64(1) << (shift - 1)
    kept += (rest > half) | ((rest == half) & (kept & 1 == 1))
    base = np.where(exponent >= 1, (exponent - 1) << 10, 0)  # the hidden bit of `kept` adds the missing 1
    result = np.minimum(base + kept, 0x7C00)
    result = np.where(magnitude > 0x7F800000, 0x7E00, result)
    return np.asarray(result.astype(np.uint16) | sign, np.uint16)


def round_bf16(x: Any) -> NDArray[np.uint16]:
    """float32 -> bfloat16 bits, to nearest even, in integers. NaN becomes 0x7fc0 with its sign."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    nan = (((bits >> 16) & 0x8000) | 0x7FC0).astype(np.uint16)
    return np.where((bits & 0x7FFFFFFF) > 0x7F800000, nan, rounded)
