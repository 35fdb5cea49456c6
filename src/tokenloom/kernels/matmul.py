"""Matrix products: packed weights times the rows of a step, one kernel per format and row class.

Knows how tiles and rows are walked, and the epilogues. Knows nothing of which layer calls. Lanes run across 16 outputs, never inside a sum, so
every register shape gives the same bits.

    y[row, 16·t + r] = epilogue(Σ_block w.scale · x.scale · (Σ_k w.q · x.q))        x [rows, k], w [16·tiles, k], y [rows, 16·tiles]
"""

from __future__ import annotations

from collections.abc import Callable

from tokenloom.jit.ir import Value, f32, i32, i64
from tokenloom.jit.primitives import tier_of
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import silu
from tokenloom.kernels.products import Shape, all_groups, plane_params, sums, weights_at
from tokenloom.kernels.tiles import BLOCK_TILES, FLOAT_TILES, ROWS, BlockTile, FloatTile, SuperTile, tile_of

STORE, ADD, GATE = 0, 1, 2  # y = v; y = y + v; y = silu(y) · v

_ADDRESSES = ("*x", "*xs", "*w", "*y", "*bias")
_PARAMS = (
    *_ADDRESSES,
    "k",
    "tiles",
    "tile_stride",
    *plane_params(),
    "x_stride",
    "xs_stride",
    "y_stride",
    "count",
    "mode",
)

Form = BlockTile | FloatTile | SuperTile


def _epilogue(a: Args, tile: Value, shape: Shape, values: list[list[Value]]) -> None:
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


def _tile_rows(a: Args, tile: Value, shape: Shape, form: Form) -> None:
    _epilogue(a, tile, shape, sums(a, form, weights_at(a, form, tile), shape))


def _emit_one(form: Form) -> Callable[[Args], None]:
    """One row: whole tiles, so that weights stream past once."""

    def emit(a: Args) -> None:
        first, last = a.share(a["tiles"])
        for tile in a.b.range(first, last):
            _tile_rows(a, tile, Shape(all_groups(a.b), [a.b.const(i64, 0)], whole_tile=True), form)

    return emit


def _emit_many(form: Form) -> Callable[[Args], None]:
    """Any number of rows: a tile stays in L1 while groups of `tier.tokens` rows pass over it."""

    def emit(a: Args) -> None:
        b, together = a.b, tier_of(a.b).tokens
        rows = b.sext(b.load(i32, a.step + a["count"]), i64)
        whole = (rows // together) * together
        first, last = a.share(a["tiles"])
        for tile in b.range(first, last):
            for row in b.range(0, whole, together):
                for group in b.range(0, ROWS // tier_of(b).lanes):
                    _tile_rows(a, tile, Shape([group], [row + i for i in range(together)]), form)
            for row in b.range(whole, rows):
                _tile_rows(a, tile, Shape(all_groups(b), [row]), form)

    return emit


def matmul(qtype: str, *, many: bool) -> Kernel:
    """The product kernel of a weight format for one row or for many."""
    emit = (_emit_many if many else _emit_one)(tile_of(qtype))
    return Kernel(f"matmul_{qtype.lower()}_{'many' if many else 'one'}", _PARAMS, emit)


def activation_form(qtype: str) -> str:
    """What products with this weight format read: "f32" rows, int8 windows of "a32", or of "k256"."""
    return "a32" if qtype in BLOCK_TILES else "f32" if qtype in FLOAT_TILES else "k256"
