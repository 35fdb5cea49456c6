"""Row-wise kernels: embedding lookup, RMS norm, activation quantization, the finite check.

Knows docs/arithmetic.md for these. Knows nothing of layers. Every kernel splits rows (or pieces of rows) over threads; `count` is the byte
offset of the header word that says how many rows there are.
"""

from __future__ import annotations

from collections.abc import Callable

from tokenloom.jit.ir import Builder, Value, f16, f32, i8, i32, i64
from tokenloom.jit.primitives import fma, load_f32, tree
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import round_even, sum16
from tokenloom.kernels.matmul import SCALE_BYTES
from tokenloom.kernels.step import STATUS_NON_FINITE, column, fail
from tokenloom.kernels.tiles import BLOCK, BLOCK_TILES, FLOAT_TILES, ROWS, BlockTile, FloatTile

_INFINITY = 0x7F800000


def _rows(a: Args) -> Value:
    return a.b.sext(a.b.load(i32, a.step + a["count"]), i64)


# ---- embedding --------------------------------------------------------------------------------------------------------------


def _embed(form: BlockTile | FloatTile) -> Callable[[Args], None]:
    def emit(a: Args) -> None:
        b = a.b
        first, last = a.share(_rows(a))
        tokens = column(b, a.step, "token")
        for row in b.range(first, last):
            token = b.sext(b.load(i32, tokens + row * 4), i64)
            out = a["y"] + row * a["y_stride"]

            def from_table(token: Value = token, out: Value = out) -> None:
                tile, lane = a["w"] + (token >> 4) * a["tile_stride"], token & (ROWS - 1)
                for k in b.range(0, a["k"]):
                    b.store(_element(a, form, tile, lane, k), out + k * 4)

            def from_inputs(token: Value = token, out: Value = out) -> None:
                source = a["inputs"] + (token ^ -1) * a["y_stride"]
                for k in b.range(0, a["k"]):
                    b.store(b.load(f32, source + k * 4), out + k * 4)

            b.either(token >= 0, from_table, from_inputs)

    return emit


def _element(a: Args, form: BlockTile | FloatTile, tile: Value, lane: Value, k: Value) -> Value:
    b = a.b
    if isinstance(form, FloatTile):
        size = form.bytes_per_k // ROWS
        return b.extract(form.load(b, tile + lane * size, k, 1), 0)
    block = k // BLOCK
    code = form.code(b, tile + block * form.code_bytes, lane, k & (BLOCK - 1))
    at = block * (2 * ROWS) + lane * 2
    scale = b.extract(load_f32(b, tile + a["scales"] + at, 1, f16), 0)
    if form.has_min:
        least = b.extract(load_f32(b, tile + a["mins"] + at, 1, f16), 0)
        return fma(b, b.to_float(code), scale, least)
    return b.to_float(code - form.offset) * scale


def embed(qtype: str) -> Kernel:
    """y[row] = W[token[row]]; a negative token takes row ~token of `inputs` (float32, y's stride)."""
    form = BLOCK_TILES.get(qtype) or FLOAT_TILES[qtype]
    params = ("*w", "*y", "*inputs", "k", "tile_stride", "scales", "mins", "y_stride", "count")
    return Kernel(f"embed_{qtype.lower()}", params, _embed(form))


# ---- quantization -----------------------------------------------------------------------------------------------------------


def _quantize_window(a: Args, x: Value, q: Value, scales: Value, row: Value) -> None:
    b = a.b
    values = b.load(f32.x(BLOCK), x)
    bits = b.bitcast(values, i32.x(BLOCK)) & 0x7FFFFFFF
    top = b.call(f"llvm.vector.reduce.umax.v{BLOCK}i32", i32, bits)
    finite = top < _INFINITY
    with b.when(top >= _INFINITY):
        fail(b, a.step, STATUS_NON_FINITE, row)
    amax = b.bitcast(top, f32)
    usable = finite & (amax >= 2.0**-100)
    safe = b.select(usable, amax, b.const(f32, 1.0))
    lanes = b.select(b.splat(usable, BLOCK), values, b.zeros(values.type))
    codes = b.to_int(round_even(b, lanes * b.splat(127.0 / safe, BLOCK)))
    b.store(b.trunc(codes, i8.x(BLOCK)), q)
    total = b.call(f"llvm.vector.reduce.add.v{BLOCK}i32", i32, codes)
    scale = b.select(usable, safe / 127.0, b.const(f32, 0.0))
    b.store(scale, scales)
    b.store(total, scales + 4)
    b.store(scale * b.to_float(total), scales + 8)


def _quantize(a: Args) -> None:
    """Work units are windows of rows, so one row spreads over the team."""
    b = a.b
    windows = a["k"] // BLOCK
    first, last = a.share(_rows(a) * windows)
    for unit in b.range(first, last):
        row, window = unit // windows, unit % windows
        x = a["x"] + row * a["x_stride"] + window * (4 * BLOCK)
        _quantize_window(
            a,
            x,
            a["q"] + row * a["q_stride"] + window * BLOCK,
            a["s"] + row * a["s_stride"] + window * SCALE_BYTES,
            row,
        )


QUANTIZE = Kernel("quantize", ("*x", "*q", "*s", "k", "x_stride", "q_stride", "s_stride", "count"), _quantize)


# ---- RMS norm ---------------------------------------------------------------------------------------------------------------


def _scaled(b: Builder, x: Value, inverse: Value, weight: Value) -> Value:
    return (x * inverse) * weight


def _rms_norm(a: Args) -> None:
    b, k = a.b, a["k"]
    first, last = a.share(_rows(a))
    for row in b.range(first, last):
        source = b.var(row)
        with b.when(a["gather"].ne(0)):
            source.value = b.sext(b.load(i32, column(b, a.step, "out_row") + row * 4), i64)
        x, y = a["x"] + source.value * a["x_stride"], a["y"] + row * a["y_stride"]

        def square(i: Value, partials: Value, x: Value = x) -> Value:
            v = b.load(f32.x(16), x + i * 4)
            return fma(b, v, v, partials)

        def square_one(i: Value, partial: Value, x: Value = x) -> Value:
            v = b.load(f32, x + i * 4)
            return fma(b, v, v, partial)

        total = tree(b, sum16(b, k, square, square_one))
        with b.when((b.bitcast(total, i32) & 0x7FFFFFFF) >= _INFINITY):
            fail(b, a.step, STATUS_NON_FINITE, source.value)
        epsilon = b.bitcast(b.trunc(a["eps"], i32), f32)
        inverse = 1.0 / b.unary("sqrt", total / b.to_float(k) + epsilon)
        whole = (k // 16) * 16
        for i in b.range(0, whole, 16):
            v = b.load(f32.x(16), x + i * 4)
            b.store(_scaled(b, v, b.splat(inverse, 16), b.load(f32.x(16), a["w"] + i * 4)), y + i * 4)
        for i in b.range(whole, k):
            b.store(_scaled(b, b.load(f32, x + i * 4), inverse, b.load(f32, a["w"] + i * 4)), y + i * 4)
        with b.when(a.present("q")):
            for window in b.range(0, k // BLOCK):
                q, s = a["q"] + row * a["q_stride"], a["s"] + row * a["s_stride"]
                _quantize_window(a, y + window * (4 * BLOCK), q + window * BLOCK, s + window * SCALE_BYTES, row)


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
    first, last = a.share(_rows(a))
    for row in b.range(first, last):
        x = a["x"] + row * a["x_stride"]
        worst = b.var(b.zeros(i32.x(16)))
        whole = (k // 16) * 16
        for i in b.range(0, whole, 16):
            bits = b.load(i32.x(16), x + i * 4) & 0x7FFFFFFF
            worst.value = b.binary("umax", worst.value, bits)
        top = b.var(b.call("llvm.vector.reduce.umax.v16i32", i32, worst.value))
        for i in b.range(whole, k):
            top.value = b.binary("umax", top.value, b.load(i32, x + i * 4) & 0x7FFFFFFF)
        with b.when(top.value >= _INFINITY):
            fail(b, a.step, STATUS_NON_FINITE, b.sext(b.load(i32, column(b, a.step, "out_row") + row * 4), i64))


FINITE = Kernel("finite", ("*x", "k", "x_stride", "count"), _finite)
