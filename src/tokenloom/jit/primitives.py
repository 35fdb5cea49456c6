"""Operations every tier must do exactly alike, though not every tier has an instruction for them.

Knows minima, fma, half-precision conversion and the fixed reduction tree. Knows nothing of what is being computed. Rules: docs/arithmetic.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokenloom.jit.arch import arch_of
from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Operand, Type, Value, f16, f32, f64, i8, i16, i32, i64


def tier_of(b: Builder) -> Tier:
    assert isinstance(b.tier, Tier)
    return b.tier


def smaller(b: Builder, x: Value, y: Operand) -> Value:
    """The smaller of two signed integers."""
    return b.binary("smin", x, y)


def larger(b: Builder, x: Value, y: Operand) -> Value:
    """The larger of two signed integers."""
    return b.binary("smax", x, y)


def fma(b: Builder, x: Value, y: Value, z: Operand) -> Value:
    """x·y + z in float32, rounded once."""
    third = b.const(x.type, z)
    if tier_of(b).fma:
        return b.call(f"llvm.fma.{x.type.suffix}", x.type, x, y, third)
    return b.helper(f"fma_{x.type.suffix}", [x.type] * 3, x.type, _fma_exact, x, y, third)


def _fma_exact(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """The product is exact in float64; its sum with z is rounded to odd there, so the second rounding is the only one
    (Boldo & Melquiond 2008). The rounding error comes from Knuth's TwoSum."""
    wide = f64.x(x.type.lanes)
    bits = i64.x(x.type.lanes)
    product = b.cast("fpext", x, wide) * b.cast("fpext", y, wide)
    addend = b.cast("fpext", z, wide)
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    word = b.bitcast(total, bits)
    error_word = b.bitcast(error, bits)
    # one step away from zero when the error points outward, toward zero otherwise: the neighbour that is odd
    outward = (error_word ^ word) >= 0
    odd = b.select(outward, word + 1, word - 1)
    even = (word & 1).eq(0)
    inexact = error.ne(0.0)
    inexact_even = b.emit(even.type, f"and {even!r}, {inexact.text}")
    return b.cast("fptrunc", b.bitcast(b.select(inexact_even, odd, word), wide), x.type)


def widen_f16(b: Builder, bits: Value) -> Value:
    """Half-precision bits (i16) to float32, exactly."""
    lanes = bits.type.lanes
    if tier_of(b).f16c:
        return b.cast("fpext", b.bitcast(bits, f16.x(lanes)), f32.x(lanes))
    word = b.zext(bits, i32.x(lanes))
    magnitude = (word & 0x7FFF) << 13
    scaled = b.bitcast(magnitude, f32.x(lanes)) * 2.0**112  # exact for subnormals too
    special = b.select(magnitude >= 0x7C00 << 13, b.const(magnitude.type, 0x7F800000), b.zeros(magnitude.type))
    return b.bitcast(b.bitcast(scaled, magnitude.type) | special | ((word & 0x8000) << 16), f32.x(lanes))


def narrow_f16(b: Builder, value: Value) -> Value:
    """Float32 to half-precision bits (i16), rounded to nearest even."""
    lanes = value.type.lanes
    if tier_of(b).f16c:
        return b.bitcast(b.cast("fptrunc", value, f16.x(lanes)), i16.x(lanes))
    kind = i32.x(lanes)
    word = b.bitcast(value, kind)
    magnitude = word & 0x7FFFFFFF
    # below 2^-14 the sum with 0.5 rounds at the half's subnormal step; above, rounding is an integer addition
    tiny = b.bitcast(b.bitcast(magnitude, value.type) + 0.5, kind) - 0x3F000000
    normal = (magnitude + ((magnitude >> 13) & 1) + (0xFFF - (112 << 23))) >> 13
    huge = b.select(magnitude > 0x7F800000, b.const(kind, 0x7E00), b.const(kind, 0x7C00))
    finite = b.select(magnitude < 0x38800000, tiny, normal)
    half = b.select(magnitude >= 0x47800000, huge, finite)
    return b.trunc(half | ((word >> 16) & 0x8000), i16.x(lanes))


def widen_bf16(b: Builder, bits: Value) -> Value:
    """bfloat16 bits (i16) to float32, exactly."""
    lanes = bits.type.lanes
    return b.bitcast(b.zext(bits, i32.x(lanes)) << 16, f32.x(lanes))


def lookup16(b: Builder, table: Sequence[int], codes: Value) -> Value:
    """table[code] for bytes 0..15, `table` being sixteen signed bytes."""
    lanes = codes.type.lanes
    width = max(16, lanes)
    padded = codes if lanes == width else b.shuffle(codes, None, [min(i, lanes - 1) for i in range(width)])
    entries = Value(b, i8.x(width), "<" + ", ".join(f"i8 {table[i % 16]}" for i in range(width)) + ">")
    found = b.call(arch_of(b).lookup16[width], i8.x(width), entries, padded)
    return found if lanes == width else b.shuffle(found, None, range(lanes))


def load_f32(b: Builder, address: Value, lanes: int, stored: Type) -> Value:
    """`lanes` values stored as f32, or as f16 (named by Type f16), widened exactly."""
    if stored == f32:
        return b.load(f32.x(lanes), address)
    return widen_f16(b, b.load(i16.x(lanes), address))


def store_f32(b: Builder, value: Value, address: Value, stored: Type) -> None:
    b.store(value if stored == f32 else narrow_f16(b, value), address)


def tree(b: Builder, value: Value) -> Value:
    """The halving tree of a vector's lanes: p[j] + p[j + n/2], down to one."""
    while value.type.lanes > 2:
        low, high = b.halves(value)
        value = low + high
    return b.extract(value, 0) + b.extract(value, 1)


def tree_max(b: Builder, value: Value) -> Value:
    """The largest lane; no NaN may be among them."""
    while value.type.lanes > 2:
        low, high = b.halves(value)
        value = b.select(low > high, low, high)
    first, second = b.extract(value, 0), b.extract(value, 1)
    return b.select(first > second, first, second)
