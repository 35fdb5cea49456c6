"""Rotary position embedding (Su et al. 2021): the step's table of cosines and sines, then rotation and the KV cache write.

Knows the "normal" pairing (2i, 2i+1) and how a KV page lies in memory. Knows nothing of attention.

A page holds 16 slots of all KV heads of a layer: K as [head][head_dim][16], then V as [head][16][head_dim].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from tokenloom.jit.ir import Builder, Type, Value, f32, f64, i16, i32, i64
from tokenloom.jit.primitives import fma, narrow_f16, store_f32
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import sincos64
from tokenloom.kernels.step import POS_AXES, column

PAGE_SLOTS = 16
_VECTOR = 16  # head dims handled at once; head_dim is a multiple


def _rows(a: Args) -> Value:
    return a.b.sext(a.b.load(i32, a.step + a["count"]), i64)


def _rope_table(a: Args) -> None:
    """cos then sin of position · freq, [row][2][pairs] float32; pairs is a multiple of 4 (the frequency table is padded)."""
    b, pairs = a.b, a["pairs"]
    factor = b.splat(b.bitcast(a["factor"], f64), 4)
    positions = column(b, a.step, "pos")
    first, last = a.share(_rows(a))
    for row in b.range(first, last):
        position = b.to_float(b.load(i32, positions + row * (4 * POS_AXES)), f64)
        out = a["table"] + row * pairs * 8
        for i in b.range(0, pairs, 4):
            angle = b.splat(position, 4) * b.load(f64.x(4), a["freq"] + i * 8)
            sine, cosine = sincos64(b, angle)
            b.store(b.cast("fptrunc", cosine * factor, f32.x(4)), out + i * 4)
            b.store(b.cast("fptrunc", sine * factor, f32.x(4)), out + (pairs + i) * 4)


ROPE_TABLE = Kernel("rope_table", ("*freq", "*table", "pairs", "factor", "count"), _rope_table)


@dataclass(frozen=True)
class KVShape:
    """One layer's cache geometry; `stored` is f16 or f32."""

    kv_heads: int
    head_dim: int
    stored: Type

    @property
    def head_bytes(self) -> int:
        """Of the 16 slots of one head's K (or V) in a page."""
        return PAGE_SLOTS * self.head_dim * (self.stored.bits // 8)

    @property
    def page_bytes(self) -> int:
        return 2 * self.kv_heads * self.head_bytes


def page_address(a: Args, kv: Value, run: Value, page: Value, shape: KVShape) -> Value:
    """The address of page number `page` (slot // 16) of a run's sequence in one layer's slab."""
    b = a.b
    table = b.sext(b.load(i32, column(b, a.step, "run_pages") + run * 4), i64)
    number = b.sext(b.load(i32, column(b, a.step, "pages") + (table + page) * 4), i64)
    return kv + number * shape.page_bytes


def _rotated(b: Builder, x: Value, cosine: Value, sine: Value, i: Value) -> Value:
    """Sixteen dims from 2·i: eight pairs."""
    values = b.load(f32.x(_VECTOR), x)
    even, odd = b.shuffle(values, None, range(0, _VECTOR, 2)), b.shuffle(values, None, range(1, _VECTOR, 2))
    c, s = b.load(f32.x(8), cosine + i * 4), b.load(f32.x(8), sine + i * 4)
    y0, y1 = fma(b, even, c, -(odd * s)), fma(b, even, s, odd * c)
    return b.shuffle(y0, y1, [n for pair in zip(range(8), range(8, 16), strict=True) for n in pair])


def _head(a: Args, x: Value, row: Value, dim: Value, rotary: int) -> Value:
    """Dims [dim, dim + 16) of a head, rotated where they are rotary."""
    b = a.b
    cell = b.var(b.load(f32.x(_VECTOR), x + dim * 4))
    cosine = a["table"] + row * (rotary // 2 * 8)
    with b.when(dim < rotary):
        cell.value = _rotated(b, x + dim * 4, cosine, cosine + rotary // 2 * 4, dim >> 1)
    return cell.value


def _rope_kv(shape: KVShape, heads: int, rotary: int) -> Kernel:
    dims, size = shape.head_dim, shape.stored.bits // 8

    def query(a: Args, row: Value, head: Value) -> None:
        b = a.b
        x = a["q"] + row * a["q_stride"] + head * (4 * dims)
        scale = b.splat(b.bitcast(b.trunc(a["scale"], i32), f32), _VECTOR)
        for dim in b.range(0, dims, _VECTOR):
            b.store(_head(a, x, row, dim, rotary) * scale, x + dim * 4)

    def key_value(a: Args, row: Value, head: Value) -> None:
        b = a.b
        run = b.sext(b.load(i32, column(b, a.step, "run") + row * 4), i64)
        slot = b.sext(b.load(i32, column(b, a.step, "slot") + row * 4), i64)
        page = page_address(a, a["kv"], run, slot >> 4, shape)
        inside = slot & (PAGE_SLOTS - 1)
        keys = page + head * shape.head_bytes + inside * size
        values = page + (head + shape.kv_heads) * shape.head_bytes + inside * (dims * size)
        for dim in b.range(0, dims, _VECTOR):
            key = _head(a, a["k"] + row * a["kv_stride"] + head * (4 * dims), row, dim, rotary)
            stored = narrow_f16(b, key) if shape.stored.bits == 16 else key
            for lane in range(_VECTOR):
                b.store(b.extract(stored, lane), keys + (dim + lane) * (PAGE_SLOTS * size))
            value = b.load(f32.x(_VECTOR), a["v"] + row * a["kv_stride"] + head * (4 * dims) + dim * 4)
            store_f32(b, value, values + dim * size, shape.stored)

    def emit(a: Args) -> None:
        b = a.b
        units = heads + shape.kv_heads
        first, last = a.share(_rows(a) * units)
        for unit in b.range(first, last):
            row, head = unit // units, unit % units
            b.either(head < heads, partial(query, a, row, head), partial(key_value, a, row, head - heads))

    name = f"rope_kv_h{heads}_kv{shape.kv_heads}_d{dims}_r{rotary}_{'f16' if size == 2 else 'f32'}"
    return Kernel(name, ("*q", "*k", "*v", "*kv", "*table", "scale", "q_stride", "kv_stride", "count"), emit)


def rope_kv(shape: KVShape, heads: int, rotary: int) -> Kernel:
    """Rotates q in place (and scales it), rotates k and stores k and v in their slots. head_dim and rotary are multiples of 16."""
    return _rope_kv(shape, heads, rotary)


__all__ = ["PAGE_SLOTS", "ROPE_TABLE", "KVShape", "i16", "page_address", "rope_kv"]
