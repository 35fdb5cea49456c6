"""Matrix products: packed weights times the rows of a step, one kernel per format and row class.

Knows rule A and the float chains of docs/arithmetic.md, and the epilogues. Knows nothing of which layer calls. Lanes run across 16 outputs,
never inside a sum, so every register shape below gives the same bits.

    y[row, 16·t + r] = epilogue(Σ_block w.scale · x.scale · (Σ_k w.q · x.q))        x [rows, k], w [16·tiles, k], y [rows, 16·tiles]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tokenloom.jit.dot import dot_of
from tokenloom.jit.ir import Builder, Value, Var, f16, f32, i32, i64
from tokenloom.jit.primitives import fma, load_f32, tier_of
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import silu
from tokenloom.kernels.tiles import BLOCK, BLOCK_TILES, FLOAT_TILES, ROWS, BlockTile, FloatTile

STORE, ADD, GATE = 0, 1, 2  # y = v; y = y + v; y = silu(y) · v
SCALE_BYTES = 16  # of one activation window: f32 d, i32 Σq, f32 d·Σq, padding

_PARAMS = (
    "*x",
    "*xs",
    "*w",
    "*y",
    "*bias",
    "k",
    "tiles",
    "tile_stride",
    "scales",
    "mins",
    "x_stride",
    "xs_stride",
    "y_stride",
    "count",
    "mode",
)

Micro = Callable[[Args, Value, Value, list[Value], list[Value]], list[list[Value]]]


@dataclass(frozen=True)
class _Shape:
    """A register block: the lane groups of a tile held at once, and the rows of activations."""

    groups: list[Value]
    rows: list[Value]


def _block_micro(tile: BlockTile, a: Args, weights: Value, shape: _Shape) -> list[list[Value]]:
    """acc[group][row] over all of k for rule A."""
    b, lanes, dot = a.b, tier_of(a.b).lanes, dot_of(a.b)
    accs = [[b.var(b.zeros(f32.x(lanes))) for _ in shape.rows] for _ in shape.groups]
    x_rows = [a["x"] + row * a["x_stride"] for row in shape.rows]
    s_rows = [a["xs"] + row * a["xs_stride"] for row in shape.rows]
    offset = tile.offset + (dot.signed_offset if tile.signed else 0)
    for block in b.range(0, a["k"] // BLOCK):
        window = [s + block * SCALE_BYTES for s in s_rows]
        if (len(shape.rows) == 1 and len(shape.groups) > 1) or lanes == ROWS:
            _prefetch_next_tile(a, tile, weights, block)
        for group, row_accs in zip(shape.groups, accs, strict=True):
            at = block * (2 * ROWS) + group * (2 * lanes)
            scale = load_f32(b, weights + a["scales"] + at, lanes, f16)
            if tile.has_min:
                least = load_f32(b, weights + a["mins"] + at, lanes, f16)
                for acc, s in zip(row_accs, window, strict=True):
                    acc.value = fma(b, least, b.splat(b.load(f32, s + 8), lanes), acc.value)
            sums = [dot.start(b, lanes, tile.signed) for _ in shape.rows]
            for j, codes in tile.quads(b, weights + block * tile.code_bytes + group * (4 * lanes), lanes):
                prepared = dot.prepare(b, codes, tile.signed)
                for t, x in enumerate(x_rows):
                    sums[t] = dot.step(b, sums[t], prepared, b.load(i32, x + block * BLOCK + 4 * j), tile.signed)
            for acc, total, s in zip(row_accs, sums, window, strict=True):
                exact = dot.finish(b, total, tile.signed)
                if offset:
                    exact = exact - b.splat(b.load(i32, s + 4) * offset, lanes)
                acc.value = fma(b, b.to_float(exact), scale * b.splat(b.load(f32, s), lanes), acc.value)
    return [[acc.value for acc in row_accs] for row_accs in accs]


def _prefetch_next_tile(a: Args, tile: BlockTile, weights: Value, block: Value) -> None:
    """The same block of the next tile: its planes are short, and the hardware's prefetchers stop at each one's end."""
    b = a.b
    following = weights + a["tile_stride"]
    for line in range(0, tile.code_bytes, 64):
        b.prefetch(following + block * tile.code_bytes + line)
    b.prefetch(following + a["scales"] + block * (2 * ROWS))
    if tile.has_min:
        b.prefetch(following + a["mins"] + block * (2 * ROWS))


def _float_micro(tile: FloatTile, a: Args, weights: Value, shape: _Shape) -> list[list[Value]]:
    """acc[group][row] over all of k, one fma per k."""
    b, lanes = a.b, tier_of(a.b).lanes
    accs: list[list[Var]] = [[b.var(b.zeros(f32.x(lanes))) for _ in shape.rows] for _ in shape.groups]
    x_rows = [a["x"] + row * a["x_stride"] for row in shape.rows]
    size = tile.bytes_per_k // ROWS
    for k in b.range(0, a["k"]):
        xs = [b.splat(b.load(f32, x + k * 4), lanes) for x in x_rows]
        for group, row_accs in zip(shape.groups, accs, strict=True):
            w = tile.load(b, weights + group * (size * lanes), k, lanes)
            for acc, x in zip(row_accs, xs, strict=True):
                acc.value = fma(b, w, x, acc.value)
    return [[acc.value for acc in row_accs] for row_accs in accs]


def _epilogue(a: Args, tile: Value, shape: _Shape, values: list[list[Value]]) -> None:
    b, lanes = a.b, tier_of(a.b).lanes
    for group, row_values in zip(shape.groups, values, strict=True):
        at = (tile * ROWS + group * lanes) * 4
        for row, value in zip(shape.rows, row_values, strict=True):
            out = a["y"] + row * a["y_stride"] + at
            cell = b.var(value)
            with b.when(a.present("bias")):
                cell.value = cell.value + b.load(f32.x(lanes), a["bias"] + at)
            with b.when(a["mode"].eq(ADD)):
                cell.value = b.load(f32.x(lanes), out) + cell.value
            with b.when(a["mode"].eq(GATE)):
                cell.value = silu(b, b.load(f32.x(lanes), out)) * cell.value
            b.store(cell.value, out)


def _tile_rows(a: Args, tile: Value, shape: _Shape, form: BlockTile | FloatTile) -> None:
    weights = a["w"] + tile * a["tile_stride"]
    if isinstance(form, BlockTile):
        values = _block_micro(form, a, weights, shape)
    else:
        values = _float_micro(form, a, weights, shape)
    _epilogue(a, tile, shape, values)


def _all_groups(b: Builder) -> list[Value]:
    return [b.const(i64, g) for g in range(ROWS // tier_of(b).lanes)]


def _emit_one(form: BlockTile | FloatTile) -> Callable[[Args], None]:
    """One row: whole tiles, so that weights stream past once."""

    def emit(a: Args) -> None:
        first, last = a.share(a["tiles"])
        for tile in a.b.range(first, last):
            _tile_rows(a, tile, _Shape(_all_groups(a.b), [a.b.const(i64, 0)]), form)

    return emit


def _emit_many(form: BlockTile | FloatTile) -> Callable[[Args], None]:
    """Any number of rows: a tile stays in L1 while groups of `tier.tokens` rows pass over it."""

    def emit(a: Args) -> None:
        b, together = a.b, tier_of(a.b).tokens
        rows = b.sext(b.load(i32, a.step + a["count"]), i64)
        whole = (rows // together) * together
        first, last = a.share(a["tiles"])
        for tile in b.range(first, last):
            for row in b.range(0, whole, together):
                for group in b.range(0, ROWS // tier_of(b).lanes):
                    _tile_rows(a, tile, _Shape([group], [row + i for i in range(together)]), form)
            for row in b.range(whole, rows):
                _tile_rows(a, tile, _Shape(_all_groups(b), [row]), form)

    return emit


def matmul(qtype: str, *, many: bool) -> Kernel:
    """The product kernel of a weight format for one row or for many."""
    form = BLOCK_TILES.get(qtype) or FLOAT_TILES[qtype]
    emit = (_emit_many if many else _emit_one)(form)
    return Kernel(f"matmul_{qtype.lower()}_{'many' if many else 'one'}", _PARAMS, emit)


def wants_quantized(qtype: str) -> bool:
    """Whether products with this weight format read int8 windows instead of float32 activations."""
    return qtype in BLOCK_TILES
