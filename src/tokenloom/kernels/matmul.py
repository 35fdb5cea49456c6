"""Matrix products: packed weights times the rows of a step, one kernel per format and row class.

Knows how tiles are shared out, and the epilogues. Knows nothing of which layer calls. Lanes run across 16 outputs, never inside a sum, so both
row classes give the same bits.

    y[row, 16·t + r] = epilogue(Σ_block w.scale · x.scale · (Σ_k w.q · x.q))        x [rows, k], w [16·tiles, k], y [rows, 16·tiles]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Value, f32, i64
from tokenloom.jit.primitives import smaller, tier_of
from tokenloom.kernels import amx
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.fast import DEPTH, fast_in_tiles, fast_rows
from tokenloom.kernels.functions import silu
from tokenloom.kernels.many import Sums, many_rows, scratch_bytes
from tokenloom.kernels.products import Form, Weights, all_groups, float_rows, one_row, plane_params, weights_at
from tokenloom.kernels.superblock import GROUP
from tokenloom.kernels.tiled import LEAST, TOGETHER, Scratch, block_rows, super_rows, tiled_scratch_bytes
from tokenloom.kernels.tiles import BLOCK, BLOCK_TILES, FLOAT_TILES, ROWS, BlockTile, FloatTile, tile_of
from tokenloom.quant.layout import LINE

_FETCHED_ROWS = 64
_SIDE_BY_SIDE = 2  # tiles of one row's product
_FLOAT_SUMS = 8  # in flight hide an fma's latency, and fit 16 registers with the weights and an activation
STORE, ADD, GATE = 0, 1, 2  # y = v; y = y + v; y = silu(y) · v

# `x_stride` and `xs_stride` are bytes from one block of activations to the next, or from one row to the next where they are floats
_PARAMS = (
    *("*x", "*xs", "*w", "*y", "*bias", "*scratch", "k", "tiles", "tile_stride"),
    *plane_params(),
    *("x_stride", "xs_stride", "y_stride", "scratch_stride", "count", "mode"),
)


def _epilogue(a: Args, tile: Value, row: Value, first_lane: Value, value: Value) -> None:
    """Some lanes of a row's outputs."""
    b, lanes = a.b, value.type.lanes
    at = (tile * ROWS + first_lane) * 4
    out = a["y"] + row * a["y_stride"] + at
    cell = b.var(value)
    with b.when(a.present("bias")):
        cell.value = cell.value + b.load(f32.x(lanes), a["bias"] + at)
    with b.when(a["mode"].eq(ADD)):
        cell.value = b.load(f32.x(lanes), out) + cell.value
    with b.when(a["mode"].eq(GATE)):
        cell.value = silu(b, b.load(f32.x(lanes), out)) * cell.value
    b.store(cell.value, out)


def _tiles_at_once(form: Form, lanes: int) -> int:
    """One chain of fmas is slower than memory; 16 integer lanes keep pace with it, and 4 have no registers for another tile."""
    return _SIDE_BY_SIDE if isinstance(form, FloatTile) or lanes == 8 else 1


def _emit_one(form: Form) -> Callable[[Args], None]:
    """Tiles side by side share the loads of activations."""

    def emit(a: Args) -> None:
        b, lanes, row = a.b, tier_of(a.b).lanes, a.b.const(i64, 0)
        together = _tiles_at_once(form, lanes)
        first, last = a.share(a["tiles"])
        for tile in b.range(first, last, together):
            # an odd one's neighbour is itself
            numbers = [tile, *(smaller(b, tile + i, last - 1) for i in range(1, together))]
            sums = one_row(a, form, [weights_at(a, form, number) for number in numbers])
            for i, values in enumerate(sums):
                with b.when(tile + i < last):
                    for group, value in zip(all_groups(b), values, strict=True):
                        _epilogue(a, tile + i, row, group * lanes, value)

    return emit


def _fetch_outputs(a: Args, tile: Value, rows: Value) -> None:
    """They lie a line in each of many pages, which the epilogue would wait for; few rows' wait costs less than the fetching."""
    with a.b.when(rows >= _FETCHED_ROWS):
        for row in a.b.range(0, rows):
            a.b.prefetch(a["y"] + row * a["y_stride"] + tile * LINE)


Walk = Callable[[Args, Any, Weights, Value], Sums]
TiledWalk = Callable[[Args, Any, Sequence[Weights], Scratch], None]


def _emit_many(form: Form, walk: Walk, tiled_walk: TiledWalk, depth: int) -> Callable[[Args], None]:
    """`depth`: bytes of k that a matrix tile multiplies at once."""

    def emit(a: Args) -> None:
        if not tier_of(a.b).tiles:
            _one_tile_at_a_time(a, form, walk)
            return
        a.b.either(
            a.count() >= LEAST,
            lambda: _tiles_together(a, form, tiled_walk, depth),
            lambda: _one_tile_at_a_time(a, form, walk),
        )

    return emit


def _one_tile_at_a_time(a: Args, form: Form, walk: Walk) -> None:
    b, rows, lanes = a.b, a.count(), tier_of(a.b).lanes
    # a step without outputs has no rows for the head, whose weights then must not even be fetched
    first, last = a.share(b.select(rows > 0, a["tiles"], b.const(i64, 0)))
    for tile in b.range(first, last):
        _fetch_outputs(a, tile, rows)
        sums = walk(a, form, weights_at(a, form, tile), rows)
        for row in b.range(0, rows):
            for group in b.range(0, ROWS // lanes):
                at = group * lanes
                _epilogue(a, tile, row, at, b.load(f32.x(lanes), sums.acc(row, at)))


def _tiles_together(a: Args, form: Form, walk: TiledWalk, depth: int) -> None:
    """The last of an odd number of tiles is multiplied twice and stored once."""
    b, rows, tiles = a.b, a.count(), a["tiles"]
    first, last = a.share((tiles + (TOGETHER - 1)) // TOGETHER)
    with amx.unit(b, depth):
        for group in b.range(first * TOGETHER, last * TOGETHER, TOGETHER):
            numbers = [smaller(b, group + t, tiles - 1) for t in range(TOGETHER)]
            for tile in numbers:
                _fetch_outputs(a, tile, rows)
            scratch = Scratch(a, rows)
            scratch.clear()
            walk(a, form, [weights_at(a, form, tile) for tile in numbers], scratch)
            for row in b.range(0, rows):
                for t in b.range(0, smaller(b, tiles - group, b.const(i64, TOGETHER))):
                    _epilogue(a, group + t, row, b.const(i64, 0), b.load(f32.x(ROWS), scratch.acc(t, row)))


def _emit_many_floats(form: FloatTile) -> Callable[[Args], None]:
    """A tile stays in the cache while groups of `tier.tokens` rows pass over it, then of four, then single ones."""

    def emit(a: Args) -> None:
        b = a.b
        rows, most = a.count(), tier_of(b).tokens
        first, last = a.share(a["tiles"])
        for tile in b.range(first, last):
            weights, done = weights_at(a, form, tile), b.const(i64, 0)
            for together in sorted({most, min(4, most)}, reverse=True):
                until = done + (rows - done) // together * together
                for row in b.range(done, until, together):
                    _float_block(a, form, tile, weights, [row + i for i in range(together)])
                done = until
            for row in b.range(done, rows):
                _float_block(a, form, tile, weights, [row])

    return emit


def _float_block(a: Args, form: FloatTile, tile: Value, weights: Weights, rows: Sequence[Value]) -> None:
    """Some rows' outputs of a tile; as many lane groups at once as make _FLOAT_SUMS sums."""
    b, lanes = a.b, tier_of(a.b).lanes
    groups = min(ROWS // lanes, max(1, _FLOAT_SUMS // len(rows)))
    for group in b.range(0, ROWS // lanes, groups):
        parts = [(weights, group + i) for i in range(groups)]
        for (_, own), values in zip(parts, float_rows(a, form, parts, rows), strict=True):
            for row, value in zip(rows, values, strict=True):
                _epilogue(a, tile, row, own * lanes, value)


def matmul(qtype: str, *, many: bool, fast: bool = False) -> Kernel:
    """The product kernel of a weight format for one row or for many; `fast`: of float weights, in bfloat16."""
    form = tile_of(qtype)
    if fast:
        return Kernel(f"matmul_{qtype.lower()}_fast", _PARAMS, _emit_many(form, fast_rows, fast_in_tiles, 2 * DEPTH))
    if not many:
        emit = _emit_one(form)
    elif isinstance(form, FloatTile):
        emit = _emit_many_floats(form)
    elif isinstance(form, BlockTile):
        emit = _emit_many(form, many_rows, block_rows, BLOCK)
    else:
        emit = _emit_many(form, many_rows, super_rows, GROUP)
    return Kernel(f"matmul_{qtype.lower()}_{'many' if many else 'one'}", _PARAMS, emit)


def product_scratch(rows: int, tier: Tier) -> int:
    """Bytes of scratch a thread needs for at most `rows` rows."""
    return max(scratch_bytes(rows), tiled_scratch_bytes(rows) if tier.tiles else 0)


def activation_form(qtype: str) -> str:
    """What products with this weight format read: "f32" rows, int8 windows of "a32", or of "k256"."""
    return "a32" if qtype in BLOCK_TILES else "f32" if qtype in FLOAT_TILES else "k256"
