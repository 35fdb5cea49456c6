"""Products of many rows: a block of weights is unpacked once, and all rows pass over it.

Knows the order of that walk and the sums that wait in memory meanwhile. Knows nothing of threads or epilogues. The sums of a row over its blocks
are made in the same order as in `products`, so the bits are the same.

The unpacked block stays in registers while rows pass two at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tokenloom.jit.ir import Builder, Value, f32, i32, i64
from tokenloom.jit.primitives import fma, tier_of
from tokenloom.kernels.args import Args
from tokenloom.kernels.codes import Prefetch, half_row
from tokenloom.kernels.products import SCALE_BYTES, Weights, all_groups, fold_super, super_scales
from tokenloom.kernels.sums import block_dots, group_sums, has_lows, low_pairs, low_sum, offset_of
from tokenloom.kernels.superblock import GROUP, GROUP_QUADS, GROUPS, SUPER, WINDOW_BYTES, Place, SuperTile
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile

TOGETHER = 2  # rows in flight: what smmla multiplies at once
_LINE = 4 * ROWS


def scratch_bytes(rows: int) -> int:
    """Bytes a thread needs: of every row float32 sums over the blocks so far and int32 sums of the block at work."""
    return 2 * _LINE * rows


class Sums:
    """A tile's sums in this thread's scratch, [rows][16] each."""

    def __init__(self, a: Args, rows: Value) -> None:
        self._floats = a["scratch"] + a.thread * a["scratch_stride"]
        self._totals = self._floats + rows * _LINE
        for row in a.b.range(0, rows * 2):
            a.b.store(a.b.zeros(f32.x(ROWS)), self._floats + row * _LINE)

    def acc(self, row: Value, first_lane: Value) -> Value:
        """Where a row's float sums of `tier.lanes` outputs lie."""
        return self._floats + row * _LINE + first_lane * 4

    def total(self, row: Value, first_lane: Value) -> Value:
        """Where a row's integer sums lie."""
        return self._totals + row * _LINE + first_lane * 4


def many_rows(a: Args, form: BlockTile | SuperTile, weights: Weights, rows: Value) -> Sums:
    """The sums of all rows with one tile."""
    sums = Sums(a, rows)
    if isinstance(form, BlockTile):
        _blocks(a, form, weights, rows, sums)
    else:
        _supers(a, form, weights, rows, sums)
    return sums


def _passing(b: Builder, rows: Value) -> Iterator[list[Value]]:
    """The rows, some at a time. The body runs twice in Python, once for the rest."""
    whole = (rows // TOGETHER) * TOGETHER
    for row in b.range(0, whole, TOGETHER):
        yield [row + i for i in range(TOGETHER)]
    for row in b.range(whole, rows):
        yield [row]


# ---- rule A ------------------------------------------------------------------------------------------------------------------


def _blocks(a: Args, tile: BlockTile, weights: Weights, rows: Value, sums: Sums) -> None:
    b, lanes, planes = a.b, tier_of(a.b).lanes, weights.planes
    ahead = Prefetch(b, tile.name, planes, weights.stride, a["k"] // BLOCK)
    for block in b.range(0, a["k"] // BLOCK):
        ahead.whole(block)
        xs, windows = a["x"] + block * a["x_stride"], a["xs"] + block * a["xs_stride"]
        for group in all_groups(b):
            first = group * lanes
            scale = tile.scale(b, planes, block, first, lanes)
            least = half_row(b, planes["mins"], block, first, lanes) if tile.has_min else None
            quads, offset = list(tile.quads(b, planes, block, first, lanes)), offset_of(b, tile)
            for some in _passing(b, rows):
                dots = block_dots(b, tile, quads, [xs + row * BLOCK for row in some], lanes)
                for row, exact in zip(some, dots, strict=True):
                    window, place = windows + row * SCALE_BYTES, sums.acc(row, first)
                    if offset:
                        exact = exact - b.splat(b.load(i32, window + 4) * offset, lanes)
                    acc = b.load(f32.x(lanes), place)
                    if least is not None:
                        acc = fma(b, least, b.splat(b.load(f32, window + 8), lanes), acc)
                    b.store(fma(b, b.to_float(exact), scale * b.splat(b.load(f32, window), lanes), acc), place)


# ---- rule K ------------------------------------------------------------------------------------------------------------------


def _supers(a: Args, tile: SuperTile, weights: Weights, rows: Value, sums: Sums) -> None:
    b, lanes = a.b, tier_of(a.b).lanes
    ahead = Prefetch(b, tile.name, weights.planes, weights.stride, a["k"] // SUPER)
    for block in b.range(0, a["k"] // SUPER):
        fetch = ahead.block(block)
        for i, lane_group in enumerate(all_groups(b)):
            first = lane_group * lanes
            for group in b.range(0, GROUPS):
                if i == 0:
                    fetch(group, GROUPS)
                _group(a, tile, weights, Place(block, group, first, lanes), rows, sums)
            _fold(a, tile, weights, block, first, rows, sums)


def _group(a: Args, tile: SuperTile, weights: Weights, place: Place, rows: Value, sums: Sums) -> None:
    """Adds a group of 64 k to the rows' integer sums."""
    b = a.b
    scales = tile.scales(b, weights.planes, place)
    codes = [tile.quad(b, weights.planes, place, quad) for quad in range(GROUP_QUADS)]
    code: Callable[[int], Value] = codes.__getitem__
    xs = a["x"] + place.block * a["x_stride"] + place.group * GROUP
    for some in _passing(b, rows):
        totals = group_sums(b, tile, code, scales, [xs + row * SUPER for row in some], place.lanes)
        for row, more in zip(some, totals, strict=True):
            total = sums.total(row, place.row)
            b.store(b.load(i32.x(place.lanes), total) + more, total)


def _fold(a: Args, tile: SuperTile, weights: Weights, block: Value, first: Value, rows: Value, sums: Sums) -> None:
    """Takes rows' integer sums of a super-block into their float sums, and leaves zeros for the next."""
    b, lanes, planes = a.b, tier_of(a.b).lanes, weights.planes
    scales = super_scales(b, tile, planes, block, first, lanes)
    zero, offset = b.zeros(i32.x(lanes)), offset_of(b, tile)
    lows: list[tuple[Value, list[Value]]] = []
    for number in range(GROUPS if has_lows(b, tile) else 0):
        place = Place(block, b.const(i64, number), first, lanes)
        own = [] if tile.mins else list(tile.scales(b, planes, place))
        lows.append((place.group, low_pairs(b, tile, planes, place, own)))
    windows = a["xs"] + block * a["xs_stride"]
    for row in b.range(0, rows):
        window, low = windows + row * WINDOW_BYTES, zero
        for group, pairs in lows:
            low = low + low_sum(b, tile, pairs, window, group)
        held, acc = sums.total(row, first), sums.acc(row, first)
        total = b.load(i32.x(lanes), held)
        if offset:
            total = total - low * offset
        xd = b.splat(b.load(f32, window), lanes)
        b.store(fold_super(b, scales, xd, total, low, b.load(f32.x(lanes), acc)), acc)
        b.store(zero, held)
