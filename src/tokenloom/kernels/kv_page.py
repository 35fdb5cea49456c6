"""How keys and values lie in a KV page, and how the page's numbers become floats and floats the page's numbers.

Knows the three ways to store a value and the page's bytes. Knows nothing of rotation, attention or who holds a page.

A page holds 16 slots of all KV heads of a layer: K as [head][head_dim][16], then V as [head][16][head_dim]. With 8 bits a head's codes are followed
by their scales, f16 [window][16]: one for each slot and window of 32 dims (the last may have 16), so no slot's bytes depend on another slot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Type, Value, f16, f32, i8, i16, i32
from tokenloom.jit.primitives import load_f32, narrow_f16, widen_f16
from tokenloom.kernels.args import Args
from tokenloom.kernels.quantization import codes_of, largest, scale_of
from tokenloom.kernels.step import STATUS_NON_FINITE, column, fail

PAGE_SLOTS = 16
STORED = {"f16": f16, "f32": f32, "q8": i8}  # by the name that callers give
_WINDOW = 32  # dims that share a scale
_SCALE = 2  # bytes
_HALF_INFINITY = 0x7C00


@dataclass(frozen=True)
class KVShape:
    """One layer's cache geometry; `stored` is f16, f32, or i8 for codes with scales."""

    kv_heads: int
    head_dim: int
    stored: Type

    @property
    def name(self) -> str:
        """Of the stored type, as callers say it."""
        return next(name for name, kind in STORED.items() if kind == self.stored)

    @property
    def size(self) -> int:
        """Bytes of a value, its share of a scale not counted."""
        return self.stored.bits // 8

    @property
    def scaled(self) -> bool:
        return self.stored == i8

    @property
    def windows(self) -> int:
        """Scales of one head's key or value."""
        return -(-self.head_dim // _WINDOW) if self.scaled else 0

    @property
    def scales_at(self) -> int:
        """Where a head's scales begin, from its codes."""
        return PAGE_SLOTS * self.head_dim * self.size

    @property
    def head_bytes(self) -> int:
        """Of the 16 slots of one head's K (or V) in a page."""
        return self.scales_at + PAGE_SLOTS * self.windows * _SCALE

    @property
    def page_bytes(self) -> int:
        return 2 * self.kv_heads * self.head_bytes

    def strips(self, *, values_only: bool = False) -> Iterator[tuple[int, int, int]]:
        """Every byte of a page as (start, number, slot bytes): so many strips of 16 slots follow one another from `start`."""
        for block in range(self.kv_heads if values_only else 0, 2 * self.kv_heads):
            start, keys = block * self.head_bytes, block < self.kv_heads
            yield (start, self.head_dim, self.size) if keys else (start, 1, self.head_dim * self.size)
            if self.scaled:
                yield start + self.scales_at, self.windows, _SCALE


def page_address(a: Args, kv: Value, run: Value, page: Value, shape: KVShape) -> Value:
    """The address of page number `page` (slot // 16) of a run's sequence in one layer's slab."""
    b = a.b
    table = a.entry("run_pages", run)
    number = b.load_index(column(b, a.step, "pages") + (table + page) * 4)
    return kv + number * shape.page_bytes


# ---- reading: always exact, since a code times an f16 has at most 18 bits ----------------------------------------------------


def scales_of(b: Builder, head: Value, window: Value, shape: KVShape) -> Value:
    """The 16 slots' scales of one window, float32."""
    return load_f32(b, head + shape.scales_at + window * (PAGE_SLOTS * _SCALE), PAGE_SLOTS, f16)


def load_values(b: Builder, at: Value, shape: KVShape, scale: Value | None) -> Value:
    """Sixteen stored values as float32; `scale` is what codes are multiplied by, lane by lane."""
    if scale is None:
        return load_f32(b, at, 16, shape.stored)
    return b.to_float(b.sext(b.load(i8.x(16), at), i32.x(16))) * scale


def load_key(b: Builder, head: Value, slot: Value, shape: KVShape, out: Value) -> None:
    """One slot's key as float32 [head_dim] to `out`."""
    for dim in b.range(0, shape.head_dim):
        at = head + (dim * PAGE_SLOTS + slot) * shape.size
        if shape.scaled:
            scale = b.load(i16, head + shape.scales_at + ((dim >> 5) * PAGE_SLOTS + slot) * _SCALE)
            value = b.to_float(b.sext(b.load(i8, at), i32)) * widen_f16(b, scale)
        elif shape.stored == f16:
            value = widen_f16(b, b.load(i16, at))
        else:
            value = b.load(f32, at)
        b.store(value, out + dim * 4)


# ---- writing -----------------------------------------------------------------------------------------------------------------


def store_key(b: Builder, values: Value, head: Value, slot: Value, dim: Value, shape: KVShape) -> None:
    """Sixteen dims of a slot's key from `dim` on, of a type without scales."""
    stored = narrow_f16(b, values) if shape.stored == f16 else values
    _scatter(b, stored, head, slot, dim, shape)


def _scatter(b: Builder, stored: Value, head: Value, slot: Value, dim: Value, shape: KVShape) -> None:
    first = head + (dim * PAGE_SLOTS + slot) * shape.size
    for lane in range(stored.type.lanes):
        b.store(b.extract(stored, lane), first + lane * (PAGE_SLOTS * shape.size))


def quantize_key(a: Args, x: Value, row: Value, head: Value, slot: Value, shape: KVShape) -> None:
    """The float32 key [head_dim] at `x` into a slot, as codes and scales. What no f16 scale can hold fails the step."""
    _quantize(a, x, row, head, slot, shape, lambda dim, codes: _scatter(a.b, codes, head, slot, dim, shape))


def quantize_value(a: Args, x: Value, row: Value, head: Value, slot: Value, shape: KVShape) -> None:
    """As `quantize_key`, for a value."""
    at = head + slot * shape.head_dim
    _quantize(a, x, row, head, slot, shape, lambda dim, codes: a.b.store(codes, at + dim))


def _quantize(
    a: Args, x: Value, row: Value, head: Value, slot: Value, shape: KVShape, place: Callable[[Value, Value], None]
) -> None:
    b = a.b
    whole = shape.head_dim // _WINDOW * _WINDOW
    for begin, end, width in ((0, whole, _WINDOW), (whole, shape.head_dim, shape.head_dim - whole)):
        if begin == end:
            continue
        for dim in b.range(begin, end, width):
            usable, scale, inverse = scale_of(a, largest(b, x + dim * 4, width), row)
            place(dim, b.trunc(codes_of(b, x + dim * 4, width, usable, inverse), i8.x(width)))
            half = narrow_f16(b, scale)
            with b.when((half & 0x7FFF) >= _HALF_INFINITY):
                fail(b, a.step, STATUS_NON_FINITE, row)
            b.store(half, head + shape.scales_at + ((dim >> 5) * PAGE_SLOTS + slot) * _SCALE)


def copy_value(b: Builder, old: Value, from_slot: Value, new: Value, to_slot: Value, shape: KVShape) -> None:
    """One slot's value of a head as it is, from one page to another."""
    width = shape.head_dim * shape.size
    for at in b.range(0, width, 16):
        b.store(b.load(i8.x(16), old + from_slot * width + at), new + to_slot * width + at)
    for window in range(shape.windows):
        scales = shape.scales_at + window * (PAGE_SLOTS * _SCALE)
        b.store(b.load(i16, old + scales + from_slot * _SCALE), new + scales + to_slot * _SCALE)
