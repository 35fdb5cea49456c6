"""Exact primitives on every tier this CPU runs: fma rounded once, half formats over all their values, the fixed trees."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.jit.native import RUNNABLE, Elementwise, Native, bits

from tokenloom.jit.ir import Builder, Value, f32, f64, i16
from tokenloom.jit.primitives import fma, narrow_f16, tree, tree_max, widen_bf16, widen_f16
from tokenloom.reference import floats

on_every_tier = pytest.mark.parametrize("tier", RUNNABLE)
F32 = NDArray[np.float32]
finite = st.floats(width=32, allow_nan=False, allow_infinity=False)


def doubly_rounded(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """What an fma must not be: float64, then rounded again."""
    wide = [b.cast("fpext", v, floats64) for v in (x, y, z)]
    return b.cast("fptrunc", wide[0] * wide[1] + wide[2], x.type)


floats64 = f64.x(16)


@functools.cache
def native(tier: str) -> Native:
    return Native(tier, {
        "fma": Elementwise((f32, f32, f32), f32, fma),
        "doubly_rounded": Elementwise((f32, f32, f32), f32, doubly_rounded),
        "widen_f16": Elementwise((i16,), f32, widen_f16),
        "narrow_f16": Elementwise((f32,), i16, narrow_f16),
        "widen_bf16": Elementwise((i16,), f32, widen_bf16),
        "tree": Elementwise((f32,), f32, lambda b, x: b.splat(tree(b, x), 16)),
        "tree_max": Elementwise((f32,), f32, lambda b, x: b.splat(tree_max(b, x), 16)),
    })  # fmt: skip


def check_fma(tier: str, x: F32, y: F32, z: F32) -> None:
    got = native(tier)("fma", np.float32, x, y, z)
    want = floats.fma(x, y, z)
    wrong = np.nonzero(bits(got) != bits(want))[0]
    if wrong.size:
        i = wrong[0]
        raise AssertionError(
            f"{wrong.size} of {x.size}: fma({x[i]!r}, {y[i]!r}, {z[i]!r}) = {got[i]!r}, not {want[i]!r}"
        )


def rows(values: list[tuple[float, float, float]]) -> tuple[F32, F32, F32]:
    table = np.array(values, np.float32)
    return tuple(np.ascontiguousarray(table[:, i]) for i in range(3))  # type: ignore[return-value]


def traps() -> list[tuple[float, float, float]]:
    tie = 1 + 2.0**-12  # its square is half way between two float32 values
    found = [(s * tie, tie, t * 2.0**far) for s in (-1, 1) for t in (-1, 1) for far in (-30, -53, -54, -60, -100, -149)]
    found += [(2.0**-75, 2.0**-75, t * 2.0**-149) for t in (-1, 1)]  # half the least subnormal
    found += [(3 * 2.0**-75, 2.0**-75, 0.0), (5 * 2.0**-76, 2.0**-75, 0.0), (2.0**-75 * (1 + 2.0**-23), 2.0**-75, 0.0)]
    found += [(2.0**-126, 1.0, -(2.0**-149)), (1.1754942e-38, 1.0, 2.0**-149), (2.0**-100, 2.0**-100, 2.0**-149)]
    top = 3.4028234663852886e38
    found += [
        (top, 1.0, 2.0**102),
        (top, 1.0, 2.0**103),
        (top, 1.0, -(2.0**103)),
        (-top, 1.0, -(2.0**103)),
        (top, top, top),
    ]
    found += [(top, 2.0, -top), (2.0**127, 2.0, -(2.0**127)), (-top, top, 0.0), (2.0**64, 2.0**64, -top)]
    zeros = (0.0, -0.0)
    found += [(x, y, z) for x in (*zeros, 1.0, -1.0) for y in (*zeros, 1.0) for z in (*zeros, 1.0, -1.0)]
    found += [(-(2.0**-100), 2.0**-100, 0.0), (2.0**-149, 0.5, -0.0), (-(2.0**-149), 0.25, 0.0)]
    inf = float("inf")
    return [*found, (inf, 1.0, 1.0), (inf, -1.0, 5.0), (1.0, 1.0, -inf), (inf, 1.0, -inf), (inf, 0.0, 1.0), (top, top, -inf)]  # fmt: skip


@on_every_tier
def test_fma_is_rounded_once_where_it_is_hard(tier: str) -> None:
    check_fma(tier, *rows(traps()))


@on_every_tier
def test_guard_of_fma_fails_when_it_is_rounded_twice(tier: str) -> None:
    x, y, z = rows(traps())
    got = native(tier)("doubly_rounded", np.float32, x, y, z)
    assert (bits(got) != bits(floats.fma(x, y, z))).any()


@on_every_tier
@pytest.mark.parametrize("spread", ["near", "far", "subnormal", "cancelling", "huge", "ties"])
def test_fma_of_random_operands(tier: str, spread: str) -> None:
    rng = np.random.default_rng(3)
    n = 20_000

    def normal(low: int, high: int) -> F32:
        return np.ldexp(rng.standard_normal(n), rng.integers(low, high, n)).astype(np.float32)

    if spread == "near":
        x, y, z = normal(-3, 3), normal(-3, 3), normal(-3, 3)
    elif spread == "far":
        x, y, z = normal(-40, 40), normal(-40, 40), normal(-80, 80)
    elif spread == "subnormal":
        x, y, z = normal(-90, -60), normal(-70, -60), normal(-150, -126)
    elif spread == "cancelling":
        x, y = normal(-3, 3), normal(-3, 3)
        z = -(x * y)
    elif spread == "huge":
        x, y, z = normal(60, 66), normal(60, 63), normal(120, 127)
    else:  # two odd 13-bit integers multiply to 25 bits; the addend lies far below and decides the tie
        x, y = ((2 * rng.integers(2048, 2895, n) + 1).astype(np.float32) for _ in range(2))
        z = np.ldexp(rng.choice([-1.0, 1.0], n), rng.integers(-149, -20, n)).astype(np.float32)
    check_fma(tier, x, y, z)


@on_every_tier
@settings(max_examples=100, deadline=None)
@given(values=st.lists(st.tuples(finite, finite, finite), min_size=1, max_size=40))
def test_fma_of_any_operands(tier: str, values: list[tuple[float, float, float]]) -> None:
    check_fma(tier, *rows(values))


@on_every_tier
def test_every_half_and_bfloat16_widens_exactly(tier: str) -> None:
    every = np.arange(65536, dtype=np.uint16)
    assert (bits(native(tier)("widen_f16", np.float32, every)) == bits(floats.widen_f16(every))).all()
    assert (bits(native(tier)("widen_f16", np.float32, every)) == bits(every.view(np.float16).astype(np.float32))).all()
    assert (bits(native(tier)("widen_bf16", np.float32, every)) == bits(floats.widen_bf16(every))).all()


def half_traps() -> F32:
    """Every finite half, the points half way to the next one, and one float32 step to either side of those."""
    halves = np.arange(0x7C01, dtype=np.uint16).view(np.float16).astype(np.float64)
    halves[-1] = 65536.0  # where infinity begins
    middle = ((halves[1:] + halves[:-1]) / 2).astype(np.float32)
    points = np.concatenate([halves.astype(np.float32), middle])
    words = np.concatenate([points.view(np.int32) + step for step in (-1, 0, 1)])
    near = words[words >= 0].view(np.float32)
    tails = np.float32([0, 2.0**-149, 2.0**-126, 2.0**-25, 65519.996, 65520, 1e30, 3.4e38, np.inf, np.nan])
    return np.concatenate([near, tails, -near, -tails])


def is_nan(halves: NDArray[np.uint16]) -> NDArray[np.bool_]:
    return (halves & 0x7FFF) > 0x7C00


@on_every_tier
def test_narrowing_to_half_rounds_to_nearest_even(tier: str) -> None:
    x = half_traps()
    got, want = native(tier)("narrow_f16", np.uint16, x), floats.round_f16(x)
    assert (is_nan(got) == np.isnan(x)).all()  # which NaN is nobody's promise
    numbers = ~np.isnan(x)
    assert (got[numbers] == want[numbers]).all()
    with np.errstate(over="ignore"):
        assert (want[numbers] == x.astype(np.float16).view(np.uint16)[numbers]).all()


@on_every_tier
def test_narrowing_random_bits(tier: str) -> None:
    x = np.random.default_rng(5).integers(0, 2**32, 200_000, dtype=np.uint32).view(np.float32)
    x = x[~np.isnan(x)]
    assert (native(tier)("narrow_f16", np.uint16, x) == floats.round_f16(x)).all()


@on_every_tier
def test_the_tree_halves_in_order(tier: str) -> None:
    rng = np.random.default_rng(7)
    x = (rng.standard_normal((64, 16)) * 10.0 ** rng.integers(-6, 6, (64, 16))).astype(np.float32)
    p = x
    for half in (8, 4, 2, 1):
        p = p[:, :half] + p[:, half : 2 * half]
    got = native(tier)("tree", np.float32, x)
    assert (got.view(np.uint32) == p.repeat(16, 1).view(np.uint32)).all()
    assert (x.sum(1) != p[:, 0]).any()  # another order would have been noticed
    assert (native(tier)("tree_max", np.float32, x) == x.max(1, keepdims=True)).all()
    x[:, 3] = -np.inf
    assert (native(tier)("tree_max", np.float32, x) == x.max(1, keepdims=True)).all()
