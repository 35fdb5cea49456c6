"""log and the counter-based random numbers, as docs/sampling.md states them, in IR.

Knows the constants and the order of operations. Knows nothing of what is drawn or why.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokenloom.jit.ir import Builder, Value, i32, i64
from tokenloom.jit.primitives import fma

_SQRT_HALF = 0x3F3504F3  # the bits of √½: significands are taken from [√½, √2)
_ONE = 0x3F800000
_LN2_HIGH = float.fromhex("0x1.62e400p-1")
_LN2_LOW = float.fromhex("0x1.7f7d1cp-20")
_ATANH = [float.fromhex(t) for t in ("0x1.c71c72p-3", "0x1.24924ap-2", "0x1.99999ap-2", "0x1.555556p-1")]  # 2/9 … 2/3


def log32(b: Builder, x: Value) -> Value:
    """ln x in float32 for normal x > 0, within 1 ulp."""
    return b.helper(f"log_{x.type.suffix}", [x.type], x.type, _log32, x)


def _log32(b: Builder, x: Value) -> Value:
    """x = 2^k·(1 + f); ln(1 + f) = f − (f²/2 − s·(f²/2 + R(s²))) with s = f/(2 + f), R from the series of atanh."""
    bits = b.bitcast(x, i32.x(x.type.lanes)) + (_ONE - _SQRT_HALF)
    k = b.to_float((bits >> 23) - 127)
    f = b.bitcast((bits & 0x7FFFFF) + _SQRT_HALF, x.type) - 1.0
    s = f / (f + 2.0)
    z = s * s
    p = b.const(x.type, _ATANH[0])
    for coefficient in _ATANH[1:]:
        p = fma(b, p, z, coefficient)
    half = (f * 0.5) * f
    inner = fma(b, k, b.const(x.type, _LN2_LOW), s * (half + p * z))
    return fma(b, k, b.const(x.type, _LN2_HIGH), f - (half - inner))


_MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10


def philox(b: Builder, key: tuple[Value, Value], counter: Sequence[Value]) -> list[Value]:
    """Philox4x32-10 (Salmon et al. 2011): four random i32 from a key of two and a counter of four i32."""
    c0, c1, c2, c3 = (b.zext(word, i64) for word in counter)
    k0, k1 = (b.zext(word, i64) for word in key)
    for turn in range(_ROUNDS):
        if turn:
            k0, k1 = (k0 + _WEYL[0]) & 0xFFFFFFFF, (k1 + _WEYL[1]) & 0xFFFFFFFF
        first, second = c0 * _MULTIPLIERS[0], c2 * _MULTIPLIERS[1]
        c0, c1, c2, c3 = (second >> 32) ^ c1 ^ k0, second & 0xFFFFFFFF, (first >> 32) ^ c3 ^ k1, first & 0xFFFFFFFF
    return [b.trunc(word, i32) for word in (c0, c1, c2, c3)]


__all__ = ["log32", "philox"]
