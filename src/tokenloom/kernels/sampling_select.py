"""Passes over one row of logits: the largest, the k largest in order, weights, sorting.

Knows rows of float32 and records of (key, id). Knows nothing of what a sampler is asked for. docs/sampling.md states the order these keep:
larger value first, equal values by ascending id, −0 equal to +0.

A *record* is an i64: the value's key in the upper half, the id in the lower. Keys, read as unsigned, ascend as values descend.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tokenloom.jit.ir import Builder, Value, Var, f32, f64, i1, i16, i32, i64, ptr
from tokenloom.jit.primitives import smaller, tree, tree_max
from tokenloom.kernels.functions import exp32

LANES = 16
INFINITY_BITS = 0x7F800000
LARGEST = float.fromhex("0x1.fffffep127")
NOT_FINITE = -1  # what `scan` answers for a row with a NaN or an infinity
_LEAST_RECORD = -0x80_0000_0000_0000  # key of −inf (0xFF800000), id 0
_CHUNK = 1024  # values that leave 16 group maxima, so that 64 values share one
_ROW = f32.x(LANES)


def blocks(b: Builder, row: Value, count: Value, pad: Value, body: Callable[[Value, Value], None]) -> None:
    """body(index, 16 values) over the row; the last block is filled up with `pad`."""
    whole = count & -LANES
    for i in b.range(0, whole, LANES):
        body(i, b.load(_ROW, row + i * 4))
    with b.when(whole < count):
        rest = b.scratch(4 * LANES)
        b.store(b.splat(pad, LANES), rest)
        for i in b.range(whole, count):
            b.store(b.load(f32, row + i * 4), rest + (i - whole) * 4)
        body(whole, b.load(_ROW, rest))


def scan(b: Builder, row: Value, count: Value, *, strict: bool) -> Value:
    """The largest value's bits in the upper half, its lowest id in the lower; `strict`: NOT_FINITE where a value is a NaN or an infinity."""
    name = "scan_finite" if strict else "scan"
    return b.helper(name, [ptr, i64], i64, lambda inner, *v: _scan(inner, *v, strict=strict), row, count, inline=False)


def _scan(b: Builder, row: Value, count: Value, *, strict: bool) -> Value:
    best, where = b.var(b.const(_ROW, -math.inf)), b.var(b.zeros(i32.x(LANES)))
    worst = b.var(b.zeros(i32.x(LANES)))

    def step(i: Value, v: Value) -> None:
        better = v > best.value
        best.value = b.select(better, v, best.value)
        where.value = b.select(better, b.splat(b.trunc(i, i32), LANES), where.value)
        if strict:
            worst.value = b.binary("umax", worst.value, b.bitcast(v, i32.x(LANES)) & 0x7FFFFFFF)

    blocks(b, row, count, b.load(f32, row), step)  # a copy of the first value never wins over it
    top = tree_max(b, best.value)
    ids = b.select(best.value.eq(b.splat(top, LANES)), where.value + b.lane_numbers(i32.x(LANES)), 0x7FFFFFFF)
    lowest = b.reduce("umin", ids)
    found = (b.zext(b.bitcast(top, i32), i64) << 32) | b.zext(lowest, i64)
    if not strict:
        return found
    bad = b.reduce("umax", worst.value)
    return b.select(bad.ult(INFINITY_BITS), found, b.const(i64, NOT_FINITE))


def weigh(b: Builder, row: Value, count: Value, out: Value, top: Value, inverse: Value) -> Value:
    """out[i] = exp((row[i] − top)·inverse), +0 from `count` to the block's end; returns the sum16 of all in float64."""
    return b.helper("weigh", [ptr, i64, ptr, f32, f32], f64, _weigh, row, count, out, top, inverse, inline=False)


def _weigh(b: Builder, row: Value, count: Value, out: Value, top: Value, inverse: Value) -> Value:
    partials = b.var(b.zeros(f64.x(LANES)))

    def step(i: Value, v: Value) -> None:
        weight = exp32(b, (v - b.splat(top, LANES)) * b.splat(inverse, LANES))
        b.store(weight, out + i * 4)
        partials.value = partials.value + b.cast("fpext", weight, f64.x(LANES))

    blocks(b, row, count, b.const(f32, -math.inf), step)
    return tree(b, partials.value)


def weight_from(b: Builder, weights: Value, count: Value, floor: Value) -> Value:
    """The sum, in float64, of the weights that are at least `floor`; for comparing with a margin, not for a draw."""
    return b.helper("weight_from", [ptr, i64, f32], f64, _weight_from, weights, count, floor)


def _weight_from(b: Builder, weights: Value, count: Value, floor: Value) -> Value:
    partials = b.var(b.zeros(f64.x(LANES)))
    for i in b.range(0, count, LANES):
        v = b.load(_ROW, weights + i * 4)
        reached = b.select(v >= b.splat(floor, LANES), v, b.zeros(v.type))
        partials.value = partials.value + b.cast("fpext", reached, f64.x(LANES))
    return tree(b, partials.value)


def key(b: Builder, bits: Value) -> Value:
    """A float's bits (i32) as a key, and back: its own inverse."""
    return bits ^ ((b.ashr(bits, 31) ^ -1) & 0x7FFFFFFF)


def record_values(b: Builder, records: Value) -> Value:
    """The values of 16 records."""
    keys = b.trunc(b.load(i64.x(LANES), records) >> 32, i32.x(LANES))
    return b.bitcast(key(b, keys), _ROW)


def record_id(b: Builder, record: Value) -> Value:
    return b.trunc(b.load(i64, record), i32)


def collect(b: Builder, judged: Value, row: Value, count: Value, floor: Value, records: Value) -> Value:
    """Records of row[i], by ascending i, wherever judged[i] >= floor (floor > −inf). Returns how many; one block of −inf follows them."""
    return b.helper(
        "collect", [ptr, ptr, i64, f32, ptr], i64, _collect, judged, row, count, floor, records, inline=False
    )


def _collect(b: Builder, judged: Value, row: Value, count: Value, floor: Value, records: Value) -> Value:
    found = b.var(b.const(i64, 0))

    def step(i: Value, v: Value) -> None:
        mask = b.var(b.zext(b.bitcast(v >= b.splat(floor, LANES), i16), i32))
        with b.loop() as leave_if:
            leave_if(mask.value.eq(0))
            lane = b.call("llvm.cttz.i32", i32, mask.value, b.const(i1, 1))
            mask.value = mask.value & (mask.value - 1)
            at = i + b.zext(lane, i64)
            bits = b.bitcast(b.load(f32, row + at * 4) + 0.0, i32)  # −0 becomes +0
            b.store((b.zext(key(b, bits), i64) << 32) | at, records + found.value * 8)
            found.value = found.value + 1

    blocks(b, judged, count, b.const(f32, -math.inf), step)
    b.store(b.const(i64.x(LANES), _LEAST_RECORD), records + found.value * 8)
    return found.value


def sort(b: Builder, records: Value, spare: Value, count: Value) -> None:
    """Records in ascending order of their keys, stable, so equal values keep ascending ids."""
    b.helper("sort", [ptr, ptr, i64], i64, _sort, records, spare, count, inline=False)


def _sort(b: Builder, records: Value, spare: Value, count: Value) -> Value:
    """Four passes of eight bits, least significant first; after an even number the result is back in `records`."""
    starts = b.scratch(256 * 4)
    source, target = b.var(records), b.var(spare)
    for shift in b.range(32, 64, 8):

        def digit(record: Value, shift: Value = shift) -> Value:
            return starts + ((record >> shift) & 255) * 4

        for i in b.range(0, 1024, 64):
            b.store(b.zeros(i32.x(LANES)), starts + i)
        for i in b.range(0, count):
            at = digit(b.load(i64, source.value + i * 8))
            b.store(b.load(i32, at) + 1, at)
        before = b.var(b.const(i32, 0))
        for i in b.range(0, 1024, 4):
            size = b.load(i32, starts + i)
            b.store(before.value, starts + i)
            before.value = before.value + size
        for i in b.range(0, count):
            record = b.load(i64, source.value + i * 8)
            at = digit(record)
            place = b.load(i32, at)
            b.store(place + 1, at)
            b.store(record, target.value + b.zext(place, i64) * 8)
        old = source.value
        source.value = target.value
        target.value = old
    return b.const(i64, 0)


def largest(b: Builder, row: Value, count: Value, k: Value, records: Value, spare: Value) -> Value:
    """The k largest values above −inf as sorted records (one block of −inf or lesser ones follows); returns how many there are."""
    return b.helper("largest", [ptr, i64, i64, ptr, ptr], i64, _largest, row, count, k, records, spare, inline=False)


def _largest(b: Builder, row: Value, count: Value, k: Value, records: Value, spare: Value) -> Value:
    """The k-th largest of disjoint groups' maxima is a floor under the k-th largest value, so few others reach the sort."""
    groups = b.var(b.const(i64, 0))
    for chunk in b.range(0, count, _CHUNK):
        best = b.var(b.const(_ROW, -math.inf))

        def step(i: Value, v: Value, best: Var = best) -> None:
            now = best.value
            best.value = b.select(v > now, v, now)

        blocks(b, row + chunk * 4, smaller(b, count - chunk, _CHUNK), b.const(f32, -math.inf), step)
        keys = key(b, b.bitcast(best.value, i32.x(LANES)))
        b.store(b.zext(keys, i64.x(LANES)) << 32, records + groups.value * 8)
        groups.value = groups.value + LANES
    floor = b.var(b.const(f32, -LARGEST))
    with b.when(k <= groups.value):
        sort(b, records, spare, groups.value)
        reached = b.bitcast(key(b, b.trunc(b.load(i64, records + (k - 1) * 8) >> 32, i32)), f32)
        floor.value = b.select(reached > -LARGEST, reached, b.const(f32, -LARGEST))
    found = collect(b, row, row, count, floor.value, records)
    sort(b, records, spare, found)
    return smaller(b, found, k)


__all__ = [
    "LANES",
    "LARGEST",
    "NOT_FINITE",
    "collect",
    "largest",
    "record_id",
    "record_values",
    "scan",
    "sort",
    "weigh",
    "weight_from",
]
