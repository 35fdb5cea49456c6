"""Products of float weights with bfloat16 operands: the named fast mode, for many rows.

Knows how operands are rounded (to nearest even) and walked. Promises no bits: VDPBF16PS and TDPBF16PS flush subnormals and round where they please
(Intel SDM 2), sums of 32 k are added to float32 sums. Knows nothing of threads or epilogues.

Activations lie block by block of 32 k, in each the rows one after another, 64 bytes each.
"""

from __future__ import annotations

from tokenloom.jit.ir import Builder, Value, bf16, f32, i16, i32, i64
from tokenloom.jit.primitives import tier_of
from tokenloom.kernels import amx
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.many import Sums, tiled_rows
from tokenloom.kernels.products import Weights
from tokenloom.kernels.tiles import ROWS, FloatTile

DEPTH = 32  # k of a block
PAIRS = DEPTH // 2
LINE = 2 * DEPTH


def _rounded(b: Builder, values: Value) -> Value:
    """float32 lanes as int32, the bfloat16 nearest to each in the upper half; what is not finite stays so."""
    bits = b.bitcast(values, i32.x(values.type.lanes))
    return b.select((bits & 0x7F800000).eq(0x7F800000), bits, bits + 0x7FFF + ((bits >> 16) & 1))


def _narrow(a: Args) -> None:
    """Work units are blocks of rows."""
    b = a.b
    blocks = a["k"] // DEPTH
    first, last = a.share(b.sext(b.load(i32, a.step + a["count"]), i64) * blocks)
    for unit in b.range(first, last):
        row, block = unit // blocks, unit % blocks
        values = b.load(f32.x(DEPTH), a["x"] + row * a["x_stride"] + block * (4 * DEPTH))
        b.store(b.trunc(_rounded(b, values) >> 16, i16.x(DEPTH)), a["q"] + block * a["q_stride"] + row * LINE)


NARROW = Kernel("narrow", ("*x", "*q", "k", "x_stride", "q_stride", "count"), _narrow)


def _pairs(b: Builder, tile: FloatTile, weights: Weights, block: Value) -> list[Value]:
    """A block's weights as the operands of sixteen products, each of two neighbouring k of all rows."""
    codes = weights.planes["codes"] + block * (DEPTH * tile.bytes_per_k)
    rounded = [_rounded(b, tile.load(b, codes + k * tile.bytes_per_k, ROWS)) for k in range(DEPTH)]
    return [(rounded[k] >> 16) | (rounded[k + 1] & -65536) for k in range(0, DEPTH, 2)]


def fast_rows(a: Args, tile: FloatTile, weights: Weights, rows: Value) -> Sums:
    """The sums of all rows with one tile."""
    b, sums = a.b, Sums(a, rows)
    tiled = tiled_rows(b, rows)
    for block in b.range(0, a["k"] // DEPTH):
        pairs = _pairs(b, tile, weights, block)
        xs = a["x"] + block * a["x_stride"]
        if tier_of(b).tiles:
            with b.when(tiled > 0):
                for number, pair in enumerate(pairs):
                    b.store(pair, sums.operand + LINE * number)
                amx.bf16_sums(b, sums.operand, xs, tiled, sums.acc(b.const(i64, 0), b.const(i64, 0)))
        for row in b.range(tiled, rows):
            place = sums.acc(row, b.const(i64, 0))
            acc = b.load(f32.x(ROWS), place)
            for number, pair in enumerate(pairs):
                x = b.splat(b.load(i32, xs + row * LINE + 4 * number), ROWS)
                operands = (b.bitcast(v, bf16.x(2 * ROWS)) for v in (pair, x))
                acc = b.call("llvm.x86.avx512bf16.dpbf16ps.512", acc.type, acc, *operands)
            b.store(acc, place)
    return sums
