"""Exact integer dot products of four neighbouring bytes per lane, one strategy per instruction set.

Knows vpmaddubsw, vpdpbusd and their traps (saturation, signedness). Knows nothing of quant formats. Every strategy gives the same int32.

A weight vector holds 4·lanes bytes, byte 4r+i being the i-th of lane r's four; the activations are four signed bytes (−127..127) in an
int32, broadcast to all lanes. Weights are `signed` int8 (−128..127) or unsigned of at most 6 bits, of which
`Dot.quads` may be summed at once (int16 on AVX2); the caller subtracts offset·Σx.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tokenloom.jit.dot_arm import ARM_DOTS
from tokenloom.jit.dot_form import INT16_MAX, INT32_MAX, Dot, Quads, Total, as_it_is, keep, times
from tokenloom.jit.ir import Builder, Value, i1, i8, i16, i32
from tokenloom.jit.primitives import tier_of

Weights = tuple[Value, ...]


def _stepwise(
    prepare: Callable[[Builder, Value, bool], Weights],
    start: Callable[[Builder, int, bool], Value],
    step: Callable[[Builder, Value, Weights, Value, bool], Value],
) -> Total:
    """A `total` that goes quad by quad: `prepare` what all rows share of a weight vector, then a `step` of each row's accumulator."""

    def total(b: Builder, quads: Quads, xs: Sequence[Value], lanes: int, signed: bool) -> list[Value]:
        parts = [start(b, lanes, signed) for _ in xs]
        for j, codes in quads:
            prepared = prepare(b, codes, signed)
            parts = [step(b, part, prepared, b.load(i32, x + 4 * j), signed) for part, x in zip(parts, xs, strict=True)]
        return parts

    return total


def _bytes(b: Builder, quad: Value, lanes: int) -> Value:
    return b.bitcast(b.splat(quad, lanes), i8.x(4 * lanes))


# ---- portable: even and odd bytes as int16, products of two pairs fit int16 exactly (|w·x| ≤ 16256) -------------------------


def _split(b: Builder, value: Value) -> tuple[Value, Value]:
    words = b.bitcast(value, i16.x(value.type.lanes // 2))
    return b.ashr(words << 8, 8), b.ashr(words, 8)


def _portable_prepare(b: Builder, weights: Value, signed: bool) -> Weights:
    return _split(b, weights)


def _portable_step(b: Builder, acc: Value, weights: Weights, quad: Value, signed: bool) -> Value:
    even, odd = _split(b, _bytes(b, quad, acc.type.lanes))
    pairs = b.bitcast(weights[0] * even + weights[1] * odd, acc.type)
    return acc + (b.ashr(pairs << 16, 16) + b.ashr(pairs, 16))


# ---- vpmaddubsw: unsigned · signed pairs, saturating at int16; |w| ≤ 128 with sign moved to x never saturates ----------------


def _avx2_prepare(b: Builder, weights: Value, signed: bool) -> Weights:
    if not signed:
        return (weights,)
    return weights, b.call(f"llvm.abs.{weights.type.suffix}", weights.type, weights, b.const(i1, 0))


def _maddubs(b: Builder, unsigned: Value, signed: Value) -> Value:
    name = "llvm.x86.avx2.pmadd.ub.sw" if unsigned.type.lanes == 32 else "llvm.x86.avx512.pmaddubs.w.512"
    return b.call(name, i16.x(unsigned.type.lanes // 2), unsigned, signed)


def _maddwd_by(b: Builder, words: Value, factors: Value) -> Value:
    name = "llvm.x86.avx2.pmadd.wd" if words.type.lanes == 16 else "llvm.x86.avx512.pmaddw.d.512"
    return b.call(name, i32.x(words.type.lanes // 2), words, factors)


def _maddwd(b: Builder, words: Value) -> Value:
    return _maddwd_by(b, words, b.const(words.type, 1))


def _madd_start(b: Builder, lanes: int, signed: bool) -> Value:
    return b.zeros(i32.x(lanes) if signed else i16.x(2 * lanes))


def _with_sign(b: Builder, x: Value, weights: Value) -> Value:
    if weights.type.lanes == 32:
        return b.call("llvm.x86.avx2.psign.b", x.type, x, weights)
    return b.select(weights < 0, -x, x)  # vpmovb2m and a masked subtraction; zero weights meet |w| = 0


def _madd_step(b: Builder, acc: Value, weights: Weights, quad: Value, signed: bool) -> Value:
    if signed:
        x = _with_sign(b, _bytes(b, quad, acc.type.lanes), weights[0])
        return acc + _maddwd(b, _maddubs(b, weights[1], x))
    # int16: 8 quads of 4 bits reach 8·2·15·127 = 30480
    return acc + _maddubs(b, weights[0], _bytes(b, quad, acc.type.lanes // 2))


def _madd_finish(b: Builder, parts: list[Value], signed: bool) -> list[Value]:
    return parts if signed else [_maddwd(b, part) for part in parts]


def _madd_finish_scaled(b: Builder, parts: list[Value], scale: Value) -> list[Value]:
    return [_maddwd_by(b, part, scale) for part in parts]


def _both_halves(b: Builder, scale: Value) -> Value:
    """The scale as an int16 pair, so that one vpmaddwd both adds two partial sums and multiplies them."""
    return b.bitcast((scale & 0xFFFF) | (scale << 16), i16.x(2 * scale.type.lanes))


def _madd_pair(b: Builder, pairs: Value, x: Value) -> Value:
    lanes = pairs.type.lanes
    words = i16.x(2 * lanes)
    return _maddwd_by(b, b.bitcast(pairs, words), b.bitcast(b.splat(x, lanes), words))


def _plain_pair(b: Builder, pairs: Value, x: Value) -> Value:
    both = b.splat(x, pairs.type.lanes)
    low = b.ashr(pairs << 16, 16) * b.ashr(both << 16, 16)
    return low + b.ashr(pairs, 16) * b.ashr(both, 16)


# ---- vpdpbusd: unsigned · signed quads into int32, exact -------------------------------------------------------------------


def _vnni_prepare(b: Builder, weights: Value, signed: bool) -> Weights:
    return (weights ^ -128 if signed else weights,)


def _vnni_step(b: Builder, acc: Value, weights: Weights, quad: Value, signed: bool) -> Value:
    return b.call(
        f"llvm.x86.avx512.vpdpbusd.{acc.type.nbytes * 8}", acc.type, acc, weights[0], _bytes(b, quad, acc.type.lanes)
    )


def _int32(b: Builder, lanes: int, signed: bool) -> Value:
    return b.zeros(i32.x(lanes))


_PORTABLE = _stepwise(_portable_prepare, _int32, _portable_step)
_MADD = Dot(
    _stepwise(_avx2_prepare, _madd_start, _madd_step), _madd_finish, _both_halves, _madd_finish_scaled, _madd_pair, INT16_MAX, 0
)  # fmt: skip
_VNNI = _stepwise(_vnni_prepare, _int32, _vnni_step)
DOTS = {
    "portable": Dot(_PORTABLE, keep, as_it_is, times, _plain_pair, INT32_MAX, 0),
    "avx2": _MADD,
    "avx512": _MADD,
    "vnni": Dot(_VNNI, keep, as_it_is, times, _madd_pair, INT32_MAX, 128),
    **ARM_DOTS,
}


def dot_of(b: Builder) -> Dot:
    """The strategy of the builder's tier."""
    return DOTS[tier_of(b).dot]
