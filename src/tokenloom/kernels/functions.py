"""exp, silu and the sine pair as polynomials, and the sum16 reduction: docs/arithmetic.md, in IR.

Knows the constants and the order of operations. Knows nothing of where they are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from tokenloom.jit.ir import Builder, Value, f32, i32, i64
from tokenloom.jit.primitives import fma

_LOG2E = float.fromhex("0x1.715476p+0")
_LN2_HIGH = float.fromhex("0x1.62e400p-1")
_LN2_LOW = float.fromhex("0x1.7f7d1cp-20")
_EXP = [
    float.fromhex(t)
    for t in ("0x1.6c16c2p-10", "0x1.111112p-7", "0x1.555556p-5", "0x1.555556p-3", "0x1p-1", "0x1p0", "0x1p0")
]


def round_even(b: Builder, x: Value) -> Value:
    return b.unary("roundeven", x)


def exp32(b: Builder, x: Value) -> Value:
    """e^x in float32; +0 below −87, clamped at 88."""
    return b.helper(f"exp_{x.type.suffix}", [x.type], x.type, _exp32, x)


def _exp32(b: Builder, x: Value) -> Value:
    top = b.select(x > 88.0, b.const(x.type, 88.0), x)
    safe = b.select(x < -87.0, b.const(x.type, -87.0), top)
    n = round_even(b, safe * _LOG2E)
    r = fma(b, n, b.const(x.type, -_LN2_HIGH), safe)
    r = fma(b, n, b.const(x.type, -_LN2_LOW), r)
    p = b.const(x.type, _EXP[0])
    for coefficient in _EXP[1:]:
        p = fma(b, p, r, coefficient)
    exponent = (b.to_int(n) + 127) << 23
    return b.select(x < -87.0, b.zeros(x.type), p * b.bitcast(exponent, x.type))


def silu(b: Builder, x: Value) -> Value:
    return x / (exp32(b, -x) + 1.0)


def _taylor(first: int) -> list[float]:
    """Coefficients of sin(r)/r (first = 1) or cos r (first = 0) in r², highest power first, up to r^16."""
    terms = [Fraction((-1) ** i, math.factorial(2 * i + first)) for i in range(9)]
    return [float(t) for t in reversed(terms)]


_HALF_PI = [float.fromhex(t) for t in ("0x1.921fb50000000p+0", "0x1.110b460000000p-26", "0x1.1a62633145c07p-54")]
_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")


def sincos64(b: Builder, t: Value) -> tuple[Value, Value]:
    """(sin t, cos t) in float64 from separate multiplications and additions, so that CPUs without a float64 fma agree."""
    n = round_even(b, t * _TWO_OVER_PI)
    r = t
    for part in _HALF_PI:
        r = r - n * part
    z = r * r

    def horner(coefficients: list[float]) -> Value:
        p = b.const(t.type, coefficients[0])
        for c in coefficients[1:]:
            p = p * z + c
        return p

    sine, cosine = r * horner(_taylor(1)), horner(_taylor(0))
    quadrant = b.to_int(n, i64) & 3
    swapped = (quadrant & 1).ne(0)
    s = b.select(swapped, cosine, sine)
    c = b.select(swapped, sine, cosine)
    return b.select(quadrant >= 2, -s, s), b.select((quadrant.eq(1) | quadrant.eq(2)), -c, c)


def sum16(
    b: Builder, count: Value, term: Callable[[Value, Value], Value], tail: Callable[[Value, Value], Value]
) -> Value:
    """The sum16 partials over `count` elements as <16 x float>: `term(index, partials)` folds 16 elements in, `tail(index, partial)` one."""
    partials = b.var(b.zeros(f32.x(16)))
    whole = (count // 16) * 16
    for i in b.range(0, whole, 16):
        partials.value = term(i, partials.value)
    for i in b.range(whole, count):
        lane = b.trunc(i - whole, i32)
        partials.value = b.insert(partials.value, tail(i, b.extract(partials.value, lane)), lane)
    return partials.value


__all__ = ["exp32", "round_even", "silu", "sincos64", "sum16"]
