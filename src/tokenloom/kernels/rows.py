"""Row-wise kernels: RMS norm and the finite check.

Knows docs/arithmetic.md for these. Knows nothing of layers. Every kernel splits rows (or pieces of rows) over threads; `count` is the byte
offset of the header word that says how many rows there are.
"""

from __future__ import annotations

from tokenloom.jit.ir import Builder, Value, f32, i32
from tokenloom.jit.primitives import fma, tree
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import sum16
from tokenloom.kernels.products import SCALE_BYTES
from tokenloom.kernels.quantization import INFINITY, window32
from tokenloom.kernels.step import STATUS_NON_FINITE, fail
from tokenloom.kernels.tiles import BLOCK

# ---- RMS norm ---------------------------------------------------------------------------------------------------------------


def _scaled(b: Builder, x: Value, inverse: Value, weight: Value) -> Value:
    return (x * inverse) * weight


def _rms_norm(a: Args) -> None:
    b, k = a.b, a["k"]
    first, last = a.share(a.count())
    for row in b.range(first, last):
        source = b.var(row)
        with b.when(a["gather"].ne(0)):
            source.value = a.entry("out_row", row)
        x, y = a["x"] + source.value * a["x_stride"], a["y"] + row * a["y_stride"]

        def square(i: Value, partials: Value, x: Value = x) -> Value:
            v = b.load(f32.x(16), x + i * 4)
            return fma(b, v, v, partials)

        def square_one(i: Value, partial: Value, x: Value = x) -> Value:
            v = b.load(f32, x + i * 4)
            return fma(b, v, v, partial)

        total = tree(b, sum16(b, k, square, square_one))
        with b.when((b.bitcast(total, i32) & 0x7FFFFFFF) >= INFINITY):
            fail(b, a.step, STATUS_NON_FINITE, source.value)
        epsilon = a.float32("eps")
        inverse = 1.0 / b.unary("sqrt", total / b.to_float(k) + epsilon)
        whole = (k // 16) * 16
        for i in b.range(0, whole, 16):
            v = b.load(f32.x(16), x + i * 4)
            b.store(_scaled(b, v, b.splat(inverse, 16), b.load(f32.x(16), a["w"] + i * 4)), y + i * 4)
        for i in b.range(whole, k):
            b.store(_scaled(b, b.load(f32, x + i * 4), inverse, b.load(f32, a["w"] + i * 4)), y + i * 4)
        with b.when(a.present("q")):
            for window in b.range(0, k // BLOCK):
                q, s = a["q"] + window * a["q_stride"], a["s"] + window * a["s_stride"]
                window32(a, y + window * (4 * BLOCK), q + row * BLOCK, s + row * SCALE_BYTES, row)


# y = norm(x) · w, and its int8 windows where `q` is given; with `gather`, row i reads x[out_row[i]]
RMS_NORM = Kernel(
    "rms_norm",
    ("*x", "*w", "*y", "*q", "*s", "k", "eps", "x_stride", "y_stride", "q_stride", "s_stride", "gather", "count"),
    _rms_norm,
)


# ---- finite check -----------------------------------------------------------------------------------------------------------


def _finite(a: Args) -> None:
    """A NaN or an infinity among the first k of any row fails the step, naming the row."""
    b, k = a.b, a["k"]
    first, last = a.share(a.count())
    for row in b.range(first, last):
        x = a["x"] + row * a["x_stride"]
        worst = b.var(b.zeros(i32.x(16)))
        whole = (k // 16) * 16
        for i in b.range(0, whole, 16):
            bits = b.load(i32.x(16), x + i * 4) & 0x7FFFFFFF
            worst.value = b.binary("umax", worst.value, bits)
        top = b.var(b.reduce("umax", worst.value))
        for i in b.range(whole, k):
            top.value = b.binary("umax", top.value, b.load(i32, x + i * 4) & 0x7FFFFFFF)
        with b.when(top.value >= INFINITY):
            fail(b, a.step, STATUS_NON_FINITE, a.entry("out_row", row))


FINITE = Kernel("finite", ("*x", "k", "x_stride", "count"), _finite)
