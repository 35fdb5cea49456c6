"""The integer dot product of every tier, over the values that saturate or overflow a careless one."""

from __future__ import annotations

import ctypes
import functools

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.jit.avx512_in_software import TARGETS, Target

from tokenloom.jit import compiler
from tokenloom.jit.dot import DOTS, dot_of
from tokenloom.jit.ir import Builder, Module, i8, i64, ptr

QUADS = 8  # of one block of 32
on_every_target = pytest.mark.parametrize("target", TARGETS, ids=str)


@functools.cache
def library(target: Target) -> compiler.Library:
    """`dot_signed(w, x, out, n)` and `dot_unsigned`: n blocks of [8 quads][4·lanes] weights and [32] activations."""
    module = Module()
    for name, signed in (("dot_signed", True), ("dot_unsigned", False)):
        b = Builder(module, target.written_for)
        lanes, dot = target.written_for.lanes, DOTS[target.written_for.dot]
        with b.function(name, [("w", ptr), ("x", ptr), ("out", ptr), ("n", i64)]) as (w, x, out, n):
            assert dot_of(b) is dot
            for block in b.range(0, n):
                line = w + block * (QUADS * 4 * lanes)
                quads = ((j, b.load(i8.x(4 * lanes), line + j * 4 * lanes)) for j in range(QUADS))
                (total,) = dot.finish(b, dot.total(b, quads, [x + block * 32], lanes, signed), signed)
                b.store(total, out + block * (4 * lanes))
    return target.load({"dot_signed": str(module)}, extra=["dot_unsigned"])


def products(target: Target, w: NDArray[np.int8], x: NDArray[np.int8], signed: bool) -> NDArray[np.int32]:
    """w [n, lanes, 32], x [n, 32] -> [n, lanes], with the strategy's own offset corrected as callers do."""
    n, lanes, _ = w.shape
    laid = np.ascontiguousarray(w.reshape(n, lanes, QUADS, 4).transpose(0, 2, 1, 3))
    x, out = np.ascontiguousarray(x), np.zeros((n, lanes), np.int32)
    name = "dot_signed" if signed else "dot_unsigned"
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)(library(target).address[name])
    call(laid.ctypes.data, x.ctypes.data, out.ctypes.data, n)
    offset = DOTS[target.written_for.dot].signed_offset if signed else 0
    return out - offset * x.astype(np.int32).sum(1, keepdims=True)


def check(target: Target, w: NDArray[np.int8], x: NDArray[np.int8], signed: bool) -> None:
    got = products(target, w, x, signed)
    want = np.einsum("nlk,nk->nl", w.astype(np.int64), x.astype(np.int64))
    assert (got == want).all(), f"{(got != want).sum()} of {got.size} differ"


def shapes(target: Target, n: int) -> tuple[tuple[int, int, int], tuple[int, int]]:
    return (n, target.written_for.lanes, 32), (n, 32)


@on_every_target
def test_signed_weights_at_their_extremes(target: Target) -> None:
    rng = np.random.default_rng(0)
    w_shape, x_shape = shapes(target, 200)
    for w_values, x_values in [
        ((-128,), (127,)),
        ((-128,), (-127,)),
        ((127,), (-127,)),
        ((-128, 127, 0), (-127, 127)),
        ((-128, -1, 1), (-127, 0, 127)),
    ]:
        check(target, rng.choice(np.int8(w_values), w_shape), rng.choice(np.int8(x_values), x_shape), True)


@on_every_target
def test_unsigned_weights_at_their_extremes(target: Target) -> None:
    """Four bits is what today's formats have; the sum of eight quads then stays within int16."""
    rng = np.random.default_rng(1)
    w_shape, x_shape = shapes(target, 200)
    for w_values, x_values in [((15,), (127,)), ((15,), (-127,)), ((0, 15), (-127, 127))]:
        check(target, rng.choice(np.int8(w_values), w_shape), rng.choice(np.int8(x_values), x_shape), False)


@on_every_target
def test_every_weight_meets_every_activation(target: Target) -> None:
    """One pair alone in its block, and the same pair in all places."""
    lanes = target.written_for.lanes
    for signed, weights in ((True, np.arange(-128, 128)), (False, np.arange(16))):
        pairs = np.array([(w, x) for w in weights for x in range(-127, 128)], np.int8)
        everywhere = np.broadcast_to(pairs[:, :1, None], (len(pairs), lanes, 32))
        x = np.repeat(pairs[:, 1:], 32, 1)
        check(target, everywhere, x, signed)
        place = np.arange(len(pairs)) % 32
        alone = np.zeros_like(x)
        alone[np.arange(len(pairs)), place] = x[:, 0]
        check(target, everywhere, alone, signed)


@on_every_target
def test_random_codes(target: Target) -> None:
    rng = np.random.default_rng(2)
    w_shape, x_shape = shapes(target, 500)
    x = rng.integers(-127, 128, x_shape).astype(np.int8)
    check(target, rng.integers(-128, 128, w_shape).astype(np.int8), x, True)
    check(target, rng.integers(0, 16, w_shape).astype(np.int8), x, False)


def test_guard_of_exactness_fails_when_products_saturate() -> None:
    """vpmaddubsw on unsigned 8-bit weights saturates: the strategies would not pass with it, so the extremes do bite."""
    w, x = np.full((1, 2), 255), np.full((1, 2), 127)
    assert np.clip((w * x).sum(1), -32768, 32767) != (w * x).sum(1)
