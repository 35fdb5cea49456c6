"""Rotary position embedding (Su et al. 2021): the step's table of cosines and sines, then rotation and the KV cache write.

Knows both pairings of dims, and that keys are rotated before they are stored. Knows nothing of attention.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tokenloom.jit.ir import Builder, Value, f32, f64, i32
from tokenloom.jit.primitives import fma, store_f32
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import sincos64
from tokenloom.kernels.kv_page import PAGE_SLOTS, KVShape, page_address, quantize_key, quantize_value, store_key
from tokenloom.kernels.step import POS_AXES, column

_VECTOR = 16  # head dims handled at once; head_dim is a multiple


def _rope_table(a: Args) -> None:
    """cos then sin of position · freq, [row][2][pairs] float32; pairs is a multiple of 4 (the frequency table is padded)."""
    b, pairs = a.b, a["pairs"]
    factor = b.splat(b.bitcast(a["factor"], f64), 4)
    positions = column(b, a.step, "pos")
    first, last = a.share(a.count())
    for row in b.range(first, last):
        position = b.to_float(b.load(i32, positions + row * (4 * POS_AXES)), f64)
        out = a["table"] + row * pairs * 8
        for i in b.range(0, pairs, 4):
            angle = b.splat(position, 4) * b.load(f64.x(4), a["freq"] + i * 8)
            sine, cosine = sincos64(b, angle)
            b.store(b.cast("fptrunc", cosine * factor, f32.x(4)), out + i * 4)
            b.store(b.cast("fptrunc", sine * factor, f32.x(4)), out + (pairs + i) * 4)


ROPE_TABLE = Kernel("rope_table", ("*freq", "*table", "pairs", "factor", "count"), _rope_table)


Sink = Callable[[Value, Value], None]  # takes (first dim, sixteen values), in the generated code


def _turn(b: Builder, x0: Value, x1: Value, cosine: Value, sine: Value) -> tuple[Value, Value]:
    return fma(b, x0, cosine, -(x1 * sine)), fma(b, x0, sine, x1 * cosine)


def _pieces_normal(b: Builder, x: Value, cosine: Value, sine: Value, rotary: int, sink: Sink) -> None:
    """Pairs are neighbours (2i, 2i+1): sixteen dims hold eight."""
    for dim in b.range(0, rotary, _VECTOR):
        values = b.load(f32.x(_VECTOR), x + dim * 4)
        even, odd = b.shuffle(values, None, range(0, _VECTOR, 2)), b.shuffle(values, None, range(1, _VECTOR, 2))
        at = (dim >> 1) * 4
        y0, y1 = _turn(b, even, odd, b.load(f32.x(8), cosine + at), b.load(f32.x(8), sine + at))
        sink(dim, b.shuffle(y0, y1, [n for pair in zip(range(8), range(8, 16), strict=True) for n in pair]))


def _pieces_neox(b: Builder, x: Value, cosine: Value, sine: Value, rotary: int, sink: Sink) -> None:
    """Pairs are half the rotary dims apart (i, i + rotary/2); rotary is a multiple of 32."""
    half = rotary // 2
    for dim in b.range(0, half, _VECTOR):
        x0, x1 = b.load(f32.x(_VECTOR), x + dim * 4), b.load(f32.x(_VECTOR), x + (dim + half) * 4)
        y0, y1 = _turn(b, x0, x1, b.load(f32.x(_VECTOR), cosine + dim * 4), b.load(f32.x(_VECTOR), sine + dim * 4))
        sink(dim, y0)
        sink(dim + half, y1)


_PIECES = {"normal": _pieces_normal, "neox": _pieces_neox}


def head_pieces(a: Args, x: Value, row: Value, dims: int, rotary: int, style: str, sink: Sink) -> None:
    """Hands every sixteen dims of a head to `sink`, the first `rotary` rotated."""
    b = a.b
    cosine = a["table"] + row * (rotary // 2 * 8)
    _PIECES[style](b, x, cosine, cosine + rotary // 2 * 4, rotary, sink)
    for dim in b.range(rotary, dims, _VECTOR):
        sink(dim, b.load(f32.x(_VECTOR), x + dim * 4))


def rope_kv(shape: KVShape, heads: int, rotary: int, style: str = "normal") -> Kernel:
    """Rotates q in place (and scales it), rotates k and stores k and v in their slots.

    `style` says which dims are a pair: "normal" (2i, 2i+1) or "neox" (i, i + rotary/2). head_dim and rotary are multiples of 16 (neox: of 32).
    """
    dims = shape.head_dim

    def query(a: Args, row: Value, head: Value) -> None:
        b = a.b
        x = a["q"] + row * a["q_stride"] + head * (4 * dims)
        scale = b.splat(a.float32("scale"), _VECTOR)
        head_pieces(a, x, row, dims, rotary, style, lambda dim, values: b.store(values * scale, x + dim * 4))

    def key_value(a: Args, row: Value, head: Value) -> None:
        b = a.b
        run = a.entry("run", row)
        slot = a.entry("slot", row)
        page = page_address(a, a["kv"], run, slot >> 4, shape)
        inside = slot & (PAGE_SLOTS - 1)
        keys, values = (page + (head + n) * shape.head_bytes for n in (0, shape.kv_heads))
        x, v = (a[name] + row * a["kv_stride"] + head * (4 * dims) for name in ("k", "v"))

        if shape.scaled:
            rotated = b.scratch(4 * dims)  # a window's scale is known once all its dims are
            head_pieces(a, x, row, dims, rotary, style, lambda dim, key: b.store(key, rotated + dim * 4))
            quantize_key(a, rotated, row, keys, inside, shape)
            quantize_value(a, v, row, values, inside, shape)
            return
        head_pieces(a, x, row, dims, rotary, style, lambda dim, key: store_key(b, key, keys, inside, dim, shape))
        for dim in b.range(0, dims, _VECTOR):
            at = values + (inside * dims + dim) * shape.size
            store_f32(b, b.load(f32.x(_VECTOR), v + dim * 4), at, shape.stored)

    def emit(a: Args) -> None:
        b = a.b
        units = heads + shape.kv_heads
        first, last = a.share(a.count() * units)
        for unit in b.range(first, last):
            row, head = unit // units, unit % units
            b.either(head < heads, partial(query, a, row, head), partial(key_value, a, row, head - heads))

    kind = "" if style == "normal" else f"_{style}"
    name = f"rope_kv{kind}_h{heads}_kv{shape.kv_heads}_d{dims}_r{rotary}_{shape.name}"
    return Kernel(name, ("*q", "*k", "*v", "*kv", "*table", "scale", "q_stride", "kv_stride", "count"), emit)
