"""Embedding lookup: rows of the packed table, widened to float32.

Knows every format's value of one element (docs/arithmetic.md). Knows nothing of layers. Reads the same planes as the products, one row at a time.
"""

from __future__ import annotations

from collections.abc import Callable

from tokenloom.jit.ir import Builder, Value, f16, f32, i32
from tokenloom.jit.primitives import fma, load_f32
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.products import Weights, plane_params, weights_at
from tokenloom.kernels.step import column
from tokenloom.kernels.superblock import GROUP, GROUP_QUADS, GROUPS, SUPER, Place, SuperTile
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile, FloatTile, tile_of


def _one(b: Builder, address: Value) -> Value:
    """A stored f16, as the four lanes of a quad."""
    return b.splat(b.extract(load_f32(b, address, 1, f16), 0), 4)


def _four(b: Builder, codes: Value, *, signed: bool) -> Value:
    return (b.sext if signed else b.zext)(codes, i32.x(4))


def _float_row(a: Args, form: FloatTile, weights: Weights, row: Value, out: Value) -> None:
    b = a.b
    size = form.bytes_per_k // ROWS
    for k in b.range(0, a["k"]):
        value = form.load(b, weights.planes["codes"] + k * form.bytes_per_k + row * size, 1)
        b.store(b.extract(value, 0), out + k * 4)


def _block_row(a: Args, form: BlockTile, weights: Weights, row: Value, out: Value) -> None:
    b = a.b
    for block in b.range(0, a["k"] // BLOCK):
        scale = b.splat(b.extract(form.scale(b, weights.planes, block, row, 1), 0), 4)
        least = _one(b, weights.planes["mins"] + block * (2 * ROWS) + row * 2) if form.has_min else None
        for j, codes in form.quads(b, weights.planes, block, row, 1):
            code = b.to_float(_four(b, codes, signed=form.signed) - form.offset)
            value = code * scale if least is None else fma(b, code, scale, least)
            b.store(value, out + block * (4 * BLOCK) + 16 * j)


def _super_row(a: Args, form: SuperTile, weights: Weights, row: Value, out: Value) -> None:
    """d·sc·q is exact in float32; a minimum is subtracted with one rounding."""
    b, planes = a.b, weights.planes
    per_sub = form.sub // 4
    for block in b.range(0, a["k"] // SUPER):
        at = block * (2 * ROWS) + row * 2
        scale = _one(b, planes["scales"] + at) * form.factor
        least = _one(b, planes["mins"] + at) if form.mins else None
        for group in b.range(0, GROUPS):
            place = Place(block, group, row, 1)
            subs = [b.splat(b.extract(b.to_float(s), 0), 4) for s in form.scales(b, planes, place)]
            mins = [b.splat(b.extract(b.to_float(m), 0), 4) for m in form.mins(b, planes, place)] if form.mins else []
            for quad in range(GROUP_QUADS):
                code = b.to_float(_four(b, form.quad(b, planes, place, quad), signed=form.signed) - form.offset)
                value = (scale * subs[quad // per_sub]) * code
                if least is not None:
                    value = value - least * mins[quad // per_sub]
                b.store(value, out + block * (4 * SUPER) + group * (4 * GROUP) + 16 * quad)


def _embed(form: BlockTile | FloatTile | SuperTile) -> Callable[[Args], None]:
    def emit(a: Args) -> None:
        b = a.b
        first, last = a.share(a.count())
        tokens = column(b, a.step, "token")
        for row in b.range(first, last):
            token = b.load_index(tokens + row * 4)
            out = a["y"] + row * a["y_stride"]

            def from_table(token: Value = token, out: Value = out) -> None:
                weights, lane = weights_at(a, form, token >> 4), token & (ROWS - 1)
                if isinstance(form, FloatTile):
                    _float_row(a, form, weights, lane, out)
                elif isinstance(form, BlockTile):
                    _block_row(a, form, weights, lane, out)
                else:
                    _super_row(a, form, weights, lane, out)

            def from_inputs(token: Value = token, out: Value = out) -> None:
                source = a["inputs"] + (token ^ -1) * a["y_stride"]
                for k in b.range(0, a["k"]):
                    b.store(b.load(f32, source + k * 4), out + k * 4)

            b.either(token >= 0, from_table, from_inputs)

    return emit


def embed(qtype: str) -> Kernel:
    """y[row] = W[token[row]]; a negative token takes row ~token of `inputs` (float32, y's stride)."""
    params = ("*w", "*y", "*inputs", "k", "tile_stride", *plane_params(), "y_stride", "count")
    return Kernel(f"embed_{qtype.lower()}", params, _embed(tile_of(qtype)))
