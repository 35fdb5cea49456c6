"""Products of one row: tiles' weights stream past once, everything else stays in registers.

Knows rule A, rule K and the float chains of docs/arithmetic.md, and where a step's activations lie. Knows nothing of threads or epilogues.

Quantized activations lie block by block, in each the rows one after another: codes [blocks, rows, block], records [blocks, rows, bytes].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value, f32, i32, i64
from tokenloom.jit.primitives import fma, tier_of
from tokenloom.kernels.args import Args
from tokenloom.kernels.codes import Planes, Prefetch, half_row
from tokenloom.kernels.sums import block_dots, group_sums, has_lows, low_pairs, low_sum, offset_of
from tokenloom.kernels.superblock import GROUP, GROUPS, SUPER, Place, SuperTile
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile, FloatTile
from tokenloom.quant.layout import LINE

SCALE_BYTES = 16  # of one window of 32: f32 d, i32 Σq, f32 d·Σq, padding
MAX_PLANES = 6
UNROLLED = 4  # k of a float product: the addresses of many rows do not fit registers, and are loaded once for so many
Form = BlockTile | FloatTile | SuperTile


@dataclass(frozen=True)
class Weights:
    """One row tile: its planes' addresses, and the next tile's distance."""

    planes: Planes
    stride: Value


Part = tuple[Weights, Value]  # a tile, and the number of a lane group of it


def plane_params() -> tuple[str, ...]:
    """The argument words that say where planes lie in a tile, the codes' own 0 left out."""
    return tuple(f"plane{i}" for i in range(1, MAX_PLANES))


def weights_at(a: Args, form: Form, tile: Value) -> Weights:
    """The row tile number `tile`."""
    start = a["w"] + tile * a["tile_stride"]
    places = {name: start + a[f"plane{i}"] if i else start for i, name in enumerate(form.planes)}
    return Weights(places, a["tile_stride"])


def all_groups(b: Builder) -> list[Value]:
    """The lane groups of a tile, by number."""
    return [b.const(i64, g) for g in range(ROWS // tier_of(b).lanes)]


def one_row(a: Args, form: Form, tiles: Sequence[Weights]) -> list[list[Value]]:
    """acc[tile][lane group] for row 0, of tiles that follow one another."""
    parts = [(weights, group) for weights in tiles for group in all_groups(a.b)]
    k = BLOCK if isinstance(form, BlockTile) else SUPER if isinstance(form, SuperTile) else 1
    near = tier_of(a.b).lanes == 16  # with fewer the arithmetic leaves the first level's misses time enough
    aheads = [Prefetch(a.b, form.name, w.planes, w.stride * len(tiles), a["k"] // k, near=near) for w in tiles]
    if isinstance(form, BlockTile):
        accs = _blocks(a, form, parts, aheads)
    elif isinstance(form, SuperTile):
        accs = _supers(a, form, parts, aheads)
    else:
        accs = [acc for (acc,) in float_rows(a, form, parts, [a.b.const(i64, 0)], aheads)]
    groups = len(accs) // len(tiles)
    return [accs[i : i + groups] for i in range(0, len(accs), groups)]


def _blocks(a: Args, tile: BlockTile, parts: Sequence[Part], aheads: Sequence[Prefetch]) -> list[Value]:
    b, lanes = a.b, tier_of(a.b).lanes
    accs = [b.var(b.zeros(f32.x(lanes))) for _ in parts]
    for block in b.range(0, a["k"] // BLOCK):
        for ahead in aheads:
            ahead.whole(block)
        x, window = a["x"] + block * a["x_stride"], a["xs"] + block * a["xs_stride"]
        for (weights, group), acc in zip(parts, accs, strict=True):
            planes, row = weights.planes, group * lanes
            if tile.has_min:
                least = half_row(b, planes["mins"], block, row, lanes)
                acc.value = fma(b, least, b.splat(b.load(f32, window + 8), lanes), acc.value)
            (exact,) = block_dots(b, tile, tile.quads(b, planes, block, row, lanes), [x], lanes)
            if offset := offset_of(b, tile):
                exact = exact - b.splat(b.load(i32, window + 4) * offset, lanes)
            scale = tile.scale(b, planes, block, row, lanes) * b.splat(b.load(f32, window), lanes)
            acc.value = fma(b, b.to_float(exact), scale, acc.value)
    return [acc.value for acc in accs]


def _supers(a: Args, tile: SuperTile, parts: Sequence[Part], aheads: Sequence[Prefetch]) -> list[Value]:
    """Parts take turns, so that memory is asked for at one pace."""
    b, lanes = a.b, tier_of(a.b).lanes
    accs = [b.var(b.zeros(f32.x(lanes))) for _ in parts]
    for block in b.range(0, a["k"] // SUPER):
        sums = [(b.var(b.zeros(i32.x(lanes))), b.var(b.zeros(i32.x(lanes)))) for _ in parts]
        fetches = [ahead.block(block) for ahead in aheads]
        x, window = a["x"] + block * a["x_stride"], a["xs"] + block * a["xs_stride"]
        for group in b.range(0, GROUPS):
            for fetch in fetches:
                fetch(group, GROUPS)
            for (weights, lane_group), (total, low) in zip(parts, sums, strict=True):
                place = Place(block, group, lane_group * lanes, lanes)
                more, lower = _super_sums(a, tile, weights, place, x, window)
                total.value = total.value + more
                if lower is not None:
                    low.value = low.value + lower
        xd, offset = b.splat(b.load(f32, window), lanes), offset_of(b, tile)
        for (weights, lane_group), (total, low), acc in zip(parts, sums, accs, strict=True):
            exact = total.value - low.value * offset if offset else total.value
            scales = super_scales(b, tile, weights.planes, block, lane_group * lanes, lanes)
            acc.value = fold_super(b, scales, xd, exact, low.value, acc.value)
    return [acc.value for acc in accs]


def _super_sums(
    a: Args, tile: SuperTile, weights: Weights, place: Place, x: Value, window: Value
) -> tuple[Value, Value | None]:
    """A group's scaled dots, and its sum for minima or an offset where the format has such."""
    b, planes = a.b, weights.planes
    scales = tile.scales(b, planes, place)
    (total,) = group_sums(
        b, tile, lambda quad: tile.quad(b, planes, place, quad), scales, [x + place.group * GROUP], place.lanes
    )
    if not has_lows(b, tile):
        return total, None
    return total, low_sum(b, tile, low_pairs(b, tile, planes, place, scales), window, place.group)


def super_scales(
    b: Builder, tile: SuperTile, planes: Planes, block: Value, row: Value, lanes: int
) -> tuple[Value, Value | None]:
    """A super-block's d, and its dmin where the format has minima."""
    scale = half_row(b, planes["scales"], block, row, lanes) * tile.factor
    return scale, half_row(b, planes["mins"], block, row, lanes) if tile.mins else None


def fold_super(
    b: Builder, scales: tuple[Value, Value | None], xd: Value, total: Value, low: Value, acc: Value
) -> Value:
    """The float part of rule K: one fma for a super-block, and one for its minima (`low`: Σ min·Σq)."""
    scale, least = scales
    acc = fma(b, b.to_float(total), scale * xd, acc)
    return acc if least is None else fma(b, b.to_float(low), -(least * xd), acc)


def float_rows(
    a: Args, tile: FloatTile, parts: Sequence[Part], rows: Sequence[Value], aheads: Sequence[Prefetch] = ()
) -> list[list[Value]]:
    """acc[part][row], one fma per k; float activations lie row by row, `x_stride` bytes apart. `aheads` fetch what weights come next."""
    b, lanes = a.b, tier_of(a.b).lanes
    accs = [[b.var(b.zeros(f32.x(lanes))) for _ in rows] for _ in parts]
    x_rows = [a["x"] + row * a["x_stride"] for row in rows]
    size = tile.bytes_per_k // ROWS
    starts = [weights.planes["codes"] + group * (size * lanes) for weights, group in parts]

    def add(k: Value, unrolled: int) -> None:
        places = [start + k * tile.bytes_per_k for start in starts]
        xs = [x + k * 4 for x in x_rows]
        for i in range(0, unrolled, max(1, LINE // tile.bytes_per_k)):
            for ahead in aheads:
                ahead.whole(k + i)
        for i in range(unrolled):
            weights = [tile.load(b, place + i * tile.bytes_per_k, lanes) for place in places]
            for row, x in enumerate(xs):
                value = b.splat(b.load(f32, x + 4 * i), lanes)
                for w, part_accs in zip(weights, accs, strict=True):
                    part_accs[row].value = fma(b, w, value, part_accs[row].value)

    whole = a["k"] // UNROLLED * UNROLLED
    for k in b.range(0, whole, UNROLLED):
        add(k, UNROLLED)
    for k in b.range(whole, a["k"]):
        add(k, 1)
    return [[acc.value for acc in part_accs] for part_accs in accs]
