"""Products of float weights with bfloat16 operands: the named fast mode, for many rows.

Knows how operands are rounded (to nearest even) and walked. Promises no bits: VDPBF16PS and TDPBF16PS flush subnormals and round where they please
(Intel SDM 2), sums of 32 k are added to float32 sums. Knows nothing of threads or epilogues.

Activations lie block by block of 32 k, in each the rows one after another, 64 bytes each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokenloom.jit.ir import Builder, Value, bf16, f32, i16, i32, i64
from tokenloom.jit.primitives import smaller
from tokenloom.kernels import amx
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.many import Sums
from tokenloom.kernels.products import Weights
from tokenloom.kernels.tiled import ACC_STRIDE, OPERAND_BYTES, TOGETHER, Scratch
from tokenloom.kernels.tiles import ROWS, FloatTile

DEPTH = 32  # k of a block
LINE = 2 * DEPTH
CHUNK = OPERAND_BYTES // (TOGETHER * amx.TILE)  # blocks whose weights are unpacked at once


def _rounded(b: Builder, values: Value) -> Value:
    """float32 lanes as int32, the bfloat16 nearest to each in the upper half; what is not finite stays so."""
    bits = b.bitcast(values, i32.x(values.type.lanes))
    return b.select((bits & 0x7F800000).eq(0x7F800000), bits, bits + 0x7FFF + ((bits >> 16) & 1))


def _narrow(a: Args) -> None:
    """Work units are blocks of rows."""
    b = a.b
    blocks = a["k"] // DEPTH
    first, last = a.share(a.count() * blocks)
    for unit in b.range(first, last):
        row, block = unit // blocks, unit % blocks
        values = b.load(f32.x(DEPTH), a["x"] + row * a["x_stride"] + block * (4 * DEPTH))
        b.store(b.trunc(_rounded(b, values) >> 16, i16.x(DEPTH)), a["q"] + block * a["q_stride"] + row * LINE)


NARROW = Kernel("narrow", ("*x", "*q", "k", "x_stride", "q_stride", "count"), _narrow)


def _pairs(b: Builder, tile: FloatTile, weights: Weights, block: Value) -> Iterator[Value]:
    """A block's weights as the operands of sixteen products, each of two neighbouring k of all rows."""
    codes = weights.planes["codes"] + block * (DEPTH * tile.bytes_per_k)
    for k in range(0, DEPTH, 2):
        places = [codes + (k + i) * tile.bytes_per_k for i in range(2)]
        if tile.name == "BF16":
            low, high = (b.zext(b.load(i16.x(ROWS), place), i32.x(ROWS)) for place in places)
            yield low | (high << 16)
        else:
            low, high = (tile.load(b, place, ROWS) for place in places)
            both = b.call("llvm.x86.avx512bf16.cvtne2ps2bf16.512", bf16.x(2 * ROWS), high, low)
            lanes = [half * ROWS + row for row in range(ROWS) for half in range(2)]
            yield b.bitcast(b.shuffle(both, None, lanes), i32.x(ROWS))


def fast_rows(a: Args, tile: FloatTile, weights: Weights, rows: Value) -> Sums:
    """The sums of all rows with one tile."""
    b, sums = a.b, Sums(a, rows)
    for block in b.range(0, a["k"] // DEPTH):
        pairs = list(_pairs(b, tile, weights, block))
        xs = a["x"] + block * a["x_stride"]
        for row in b.range(0, rows):
            place = sums.acc(row, b.const(i64, 0))
            acc = b.load(f32.x(ROWS), place)
            for number, pair in enumerate(pairs):
                x = b.splat(b.load(i32, xs + row * LINE + 4 * number), ROWS)
                operands = (b.bitcast(v, bf16.x(2 * ROWS)) for v in (pair, x))
                acc = b.call("llvm.x86.avx512bf16.dpbf16ps.512", acc.type, acc, *operands)
            b.store(acc, place)
    return sums


def fast_in_tiles(a: Args, tile: FloatTile, weights: Sequence[Weights], scratch: Scratch) -> None:
    """Adds the tiles' products to all rows' float sums, which stay in matrix tiles over CHUNK blocks."""
    b, blocks = a.b, a["k"] // DEPTH
    for first in b.range(0, blocks, CHUNK):
        last = smaller(b, first + CHUNK, blocks)
        for block in b.range(first, last):
            for t, some in enumerate(weights):
                operand = scratch.operand + t * (CHUNK * amx.TILE) + (block - first) * amx.TILE
                for number, pair in enumerate(_pairs(b, tile, some, block)):
                    b.store(pair, operand + LINE * number)
        pairs = scratch.rows // (2 * amx.TILE_ROWS) * (2 * amx.TILE_ROWS)
        for row in b.range(0, pairs, 2 * amx.TILE_ROWS):
            _multiply(a, row, 2, (first, last), scratch)
        for row in b.range(pairs, scratch.rows, amx.TILE_ROWS):
            _multiply(a, row, 1, (first, last), scratch)


def _multiply(a: Args, row: Value, tiles: int, blocks: tuple[Value, Value], scratch: Scratch) -> None:
    """One or two tiles of rows."""
    b, rows = a.b, [row + i * amx.TILE_ROWS for i in range(tiles)]
    places = [(2 * i + t, scratch.acc(t, rows[i])) for i in range(tiles) for t in range(TOGETHER)]
    for c, place in places:
        amx.load(b, amx.C[c], place, ACC_STRIDE)
    for block in b.range(*blocks):
        for i in range(tiles):
            amx.load(b, amx.A[i], a["x"] + block * a["x_stride"] + rows[i] * LINE)
        for t in range(TOGETHER):
            amx.load(b, amx.B[t], scratch.operand + t * (CHUNK * amx.TILE) + (block - blocks[0]) * amx.TILE)
            for i in range(tiles):
                amx.dot_bf16(b, amx.C[2 * i + t], amx.A[i], amx.B[t])
    for c, place in places:
        amx.store(b, amx.C[c], place, ACC_STRIDE)
