"""The sums of a register block: some weight rows times some activation rows, over all of k.

Knows rule A, rule K and the float chains of docs/arithmetic.md. Knows nothing of tiles in flight, threads or epilogues. Every function returns
acc[lane group][activation row], and gives the same bits for any shape of the block.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tokenloom.jit.dot import dot_of
from tokenloom.jit.ir import Builder, Value, Var, f16, f32, i32, i64
from tokenloom.jit.primitives import fma, load_f32, tier_of
from tokenloom.kernels.args import Args
from tokenloom.kernels.codes import Planes, Prefetch
from tokenloom.kernels.superblock import SUPER, Activations, super_sums
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile, FloatTile, SuperTile

SCALE_BYTES = 16  # of one window of 32: f32 d, i32 Σq, f32 d·Σq, padding
MAX_PLANES = 6


@dataclass(frozen=True)
class Weights:
    """One row tile: its planes' addresses, and the next tile's distance."""

    planes: Planes
    stride: Value


@dataclass(frozen=True)
class Shape:
    """A register block: the lane groups of a tile held at once, and the rows of activations."""

    groups: Sequence[Value]
    rows: Sequence[Value]
    whole_tile: bool = (
        False  # one row against all of a tile: weights stream past once, so what comes is worth prefetching
    )


def plane_params() -> tuple[str, ...]:
    """The argument words that say where planes lie in a tile, the codes' own 0 left out."""
    return tuple(f"plane{i}" for i in range(1, MAX_PLANES))


def weights_at(a: Args, form: BlockTile | FloatTile | SuperTile, tile: Value) -> Weights:
    """The row tile number `tile`."""
    start = a["w"] + tile * a["tile_stride"]
    places = {name: start + a[f"plane{i}"] if i else start for i, name in enumerate(form.planes)}
    return Weights(places, a["tile_stride"])


def sums(a: Args, form: BlockTile | FloatTile | SuperTile, weights: Weights, shape: Shape) -> list[list[Value]]:
    """acc[group][row] of a register block."""
    if isinstance(form, BlockTile):
        return _block_sums(a, form, weights, shape)
    if isinstance(form, FloatTile):
        return _float_sums(a, form, weights, shape)
    lanes = tier_of(a.b).lanes
    rows = [Activations(a["x"] + row * a["x_stride"], a["xs"] + row * a["xs_stride"]) for row in shape.rows]
    ahead = Prefetch(a.b, form.name, weights.planes, weights.stride, a["k"] // SUPER)
    # the first lane group's pass fetches for all of them
    return [
        super_sums(
            a.b,
            form,
            weights.planes,
            a["k"],
            group * lanes,
            rows,
            ahead if shape.whole_tile and i == 0 else None,
        )
        for i, group in enumerate(shape.groups)
    ]


def _block_sums(a: Args, tile: BlockTile, weights: Weights, shape: Shape) -> list[list[Value]]:
    b, lanes, dot = a.b, tier_of(a.b).lanes, dot_of(a.b)
    accs = [[b.var(b.zeros(f32.x(lanes))) for _ in shape.rows] for _ in shape.groups]
    x_rows = [a["x"] + row * a["x_stride"] for row in shape.rows]
    s_rows = [a["xs"] + row * a["xs_stride"] for row in shape.rows]
    offset = tile.offset + (dot.signed_offset if tile.signed else 0)
    ahead = Prefetch(b, tile.name, weights.planes, weights.stride, a["k"] // BLOCK)
    for block in b.range(0, a["k"] // BLOCK):
        if shape.whole_tile:
            ahead.block(block)(b.const(i64, 0), 1)
        windows = [s + block * SCALE_BYTES for s in s_rows]
        codes = [x + block * BLOCK for x in x_rows]
        for group, row_accs in zip(shape.groups, accs, strict=True):
            scale = tile.scale(b, weights.planes, block, group * lanes, lanes)
            if tile.has_min:
                at = block * (2 * ROWS) + group * (2 * lanes)
                least = load_f32(b, weights.planes["mins"] + at, lanes, f16)
                for acc, window in zip(row_accs, windows, strict=True):
                    acc.value = fma(b, least, b.splat(b.load(f32, window + 8), lanes), acc.value)
            dots = _block_dots(b, tile, weights.planes, block, group * lanes, codes)
            for acc, exact, window in zip(row_accs, dots, windows, strict=True):
                if offset:
                    exact = exact - b.splat(b.load(i32, window + 4) * offset, lanes)
                acc.value = fma(b, b.to_float(exact), scale * b.splat(b.load(f32, window), lanes), acc.value)
    return [[acc.value for acc in row_accs] for row_accs in accs]


def _block_dots(
    b: Builder, tile: BlockTile, planes: Planes, block: Value, row: Value, xs: Sequence[Value]
) -> list[Value]:
    """Σ code·q of one block for each activation row, as int32 lanes."""
    dot, lanes = dot_of(b), tier_of(b).lanes
    limit = 8 if tile.signed else min(8, dot.quads(tile.bits))
    totals: list[Value] | None = None
    quads = iter(tile.quads(b, planes, block, row, lanes))
    for _ in range(0, BLOCK // 4, limit):
        parts = dot.total(b, islice(quads, limit), xs, lanes, tile.signed)
        done = dot.finish(b, parts, tile.signed)
        totals = done if totals is None else [total + part for total, part in zip(totals, done, strict=True)]
    assert totals is not None
    return totals


def _float_sums(a: Args, tile: FloatTile, weights: Weights, shape: Shape) -> list[list[Value]]:
    """One fma per k."""
    b, lanes = a.b, tier_of(a.b).lanes
    accs: list[list[Var]] = [[b.var(b.zeros(f32.x(lanes))) for _ in shape.rows] for _ in shape.groups]
    x_rows = [a["x"] + row * a["x_stride"] for row in shape.rows]
    size = tile.bytes_per_k // ROWS
    for k in b.range(0, a["k"]):
        xs = [b.splat(b.load(f32, x + k * 4), lanes) for x in x_rows]
        for group, row_accs in zip(shape.groups, accs, strict=True):
            w = tile.load(b, weights.planes["codes"] + k * tile.bytes_per_k + group * (size * lanes), lanes)
            for acc, x in zip(row_accs, xs, strict=True):
                acc.value = fma(b, w, x, acc.value)
    return [[acc.value for acc in row_accs] for row_accs in accs]


def all_groups(b: Builder) -> list[Value]:
    """Every lane group of a tile."""
    return [b.const(i64, g) for g in range(ROWS // tier_of(b).lanes)]
