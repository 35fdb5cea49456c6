"""Quantizing activations to int8 windows: of 32 for rule A, of 256 for rule K.

Knows docs/arithmetic.md's windows and the records behind them. Knows nothing of weights. A non-finite value fails the step.
"""

from __future__ import annotations

from collections.abc import Callable

from tokenloom.jit.ir import Builder, Value, f32, i8, i16, i32
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import round_even
from tokenloom.kernels.products import SCALE_BYTES
from tokenloom.kernels.step import STATUS_NON_FINITE, fail
from tokenloom.kernels.superblock import SUMS16, SUMS32, SUPER, WINDOW_BYTES
from tokenloom.kernels.tiles import BLOCK

INFINITY = 0x7F800000
# `q_stride` and `s_stride` are bytes from one block to the next: `products` says how activations lie
_PARAMS = ("*x", "*q", "*s", "k", "x_stride", "q_stride", "s_stride", "count")


def scale_of(a: Args, top: Value, row: Value) -> tuple[Value, Value, Value]:
    """(usable, d, 127/amax) from the largest magnitude's bits; d is +0 and the codes will be 0 where it is tiny."""
    b = a.b
    with b.when(top >= INFINITY):
        fail(b, a.step, STATUS_NON_FINITE, row)
    amax = b.bitcast(top, f32)
    usable = (top < INFINITY) & (amax >= 2.0**-100)
    safe = b.select(usable, amax, b.const(f32, 1.0))
    return usable, b.select(usable, safe / 127.0, b.const(f32, 0.0)), 127.0 / safe


def _magnitudes(b: Builder, x: Value, lanes: int) -> Value:
    return b.load(i32.x(lanes), x) & 0x7FFFFFFF


def largest(b: Builder, x: Value, lanes: int) -> Value:
    """The bits of the largest magnitude of `lanes` floats at x."""
    return b.reduce("umax", _magnitudes(b, x, lanes))


def codes_of(b: Builder, x: Value, lanes: int, usable: Value, inverse: Value) -> Value:
    """int32 codes of `lanes` floats at x, zeros where the window is not usable."""
    values = b.select(b.splat(usable, lanes), b.load(f32.x(lanes), x), b.zeros(f32.x(lanes)))
    return b.to_int(round_even(b, values * b.splat(inverse, lanes)))


def _codes(b: Builder, x: Value, q: Value, usable: Value, inverse: Value) -> Value:
    """Writes 32 codes; returns them as int32."""
    codes = codes_of(b, x, BLOCK, usable, inverse)
    b.store(b.trunc(codes, i8.x(BLOCK)), q)
    return codes


def window32(a: Args, x: Value, q: Value, record: Value, row: Value) -> None:
    """One window of 32: codes and (d, Σq, d·Σq)."""
    b = a.b
    usable, scale, inverse = scale_of(a, largest(b, x, BLOCK), row)
    total = b.reduce("add", _codes(b, x, q, usable, inverse))
    b.store(scale, record)
    b.store(total, record + 4)
    b.store(scale * b.to_float(total), record + 8)


def window256(a: Args, x: Value, q: Value, record: Value, row: Value) -> None:
    """One window of 256: codes, d, and Σq of each 32 and each 16 as int16."""
    b = a.b
    top = b.var(b.zeros(i32.x(BLOCK)))
    for at in b.range(0, SUPER, BLOCK):
        top.value = b.binary("umax", top.value, _magnitudes(b, x + at * 4, BLOCK))
    usable, scale, inverse = scale_of(a, b.reduce("umax", top.value), row)
    b.store(scale, record)
    for at in b.range(0, SUPER, BLOCK):
        low, high = b.halves(_codes(b, x + at * 4, q + at, usable, inverse))
        first, second = b.reduce("add", low), b.reduce("add", high)
        b.store(b.trunc(first + second, i16), record + SUMS32 + at // 16)
        b.store(b.trunc(first, i16), record + SUMS16 + at // 8)
        b.store(b.trunc(second, i16), record + (SUMS16 + 2) + at // 8)


def _emit(
    size: int, record_bytes: int, window: Callable[[Args, Value, Value, Value, Value], None]
) -> Callable[[Args], None]:
    """Work units are windows of rows, so one row spreads over the team."""

    def emit(a: Args) -> None:
        b = a.b
        windows = a["k"] // size
        first, last = a.share(a.count() * windows)
        for unit in b.range(first, last):
            row, number = unit // windows, unit % windows
            x = a["x"] + row * a["x_stride"] + number * (4 * size)
            q = a["q"] + number * a["q_stride"] + row * size
            window(a, x, q, a["s"] + number * a["s_stride"] + row * record_bytes, row)

    return emit


QUANTIZE = Kernel("quantize", _PARAMS, _emit(BLOCK, SCALE_BYTES, window32))
QUANTIZE_K = Kernel("quantize_k", _PARAMS, _emit(SUPER, WINDOW_BYTES, window256))
