"""Products of many rows on matrix tiles: sixteen rows by two tiles of sixteen outputs at a time, first to memory, then into the float sums.

Knows how weights become operands (by rule K codes are multiplied by their sub-block's scale, so that one tile sums a super-block, in two planes
of bytes where one does not hold it) and the order of the walks. Knows nothing of threads or epilogues. The sums of a row over its blocks are
made in the same order as in `products`, so the bits are the same. Rows up to the next multiple of sixteen are computed too, from whatever lies
there.

What limits it is the way from the second-level cache, so activations serve two tiles of outputs, and what is in use at once fits the first level
(docs/lab-notebook.md).
"""

from __future__ import annotations

from collections.abc import Sequence

from tokenloom.jit.ir import Builder, Value, f32, i16, i32, i64
from tokenloom.jit.primitives import fma, smaller
from tokenloom.kernels import amx
from tokenloom.kernels.args import Args
from tokenloom.kernels.codes import Planes, Prefetch, half_row
from tokenloom.kernels.products import SCALE_BYTES, Weights, fold_super, super_scales
from tokenloom.kernels.sums import low_pairs, low_sum
from tokenloom.kernels.superblock import GROUP, GROUP_QUADS, GROUPS, SUPER, WINDOW_BYTES, Place, SuperTile
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile
from tokenloom.quant.layout import LINE, plane_bytes

LEAST = 12  # rows from which tiles are at least as quick as the rows' own products
TOGETHER = 2  # tiles of outputs
CHUNK = 9  # blocks of rule A that are multiplied before they are folded
ACC_STRIDE = TOGETHER * LINE  # bytes from a row's float sums to the next row's
_BLOCK_BYTES = BLOCK * ROWS  # of a block's operand
_PLANE_BYTES = SUPER * ROWS  # of a super-block's operand, one plane
_SUMS_BYTES = TOGETHER * max(CHUNK, 2) * amx.TILE
OPERAND_BYTES = TOGETHER * max(CHUNK * _BLOCK_BYTES, 2 * _PLANE_BYTES)


def padded(rows: int) -> int:
    """Rows that buffers for at most `rows` must have room for."""
    return -(-rows // amx.TILE_ROWS) * amx.TILE_ROWS if rows >= LEAST else rows


def tiled_scratch_bytes(rows: int) -> int:
    """Bytes a thread needs."""
    return TOGETHER * LINE * padded(rows) + _SUMS_BYTES + OPERAND_BYTES if rows >= LEAST else 0


class Scratch:
    """A thread's own memory: float sums [row][tile][16], the sums of what is at work, and unpacked weights."""

    def __init__(self, a: Args, rows: Value) -> None:
        self._b = a.b
        self.rows = (rows + (amx.TILE_ROWS - 1)) // amx.TILE_ROWS * amx.TILE_ROWS  # that are computed
        self._floats = a["scratch"] + a.thread * a["scratch_stride"]
        self.sums = self._floats + self.rows * (TOGETHER * LINE)
        self.operand = self.sums + _SUMS_BYTES

    def clear(self) -> None:
        """Float sums begin at zero."""
        for row in self._b.range(0, self.rows * TOGETHER):
            self._b.store(self._b.zeros(f32.x(ROWS)), self._floats + row * LINE)

    def acc(self, tile: Value | int, row: Value) -> Value:
        """Where a row's float sums lie."""
        return self._floats + (row * TOGETHER + tile) * LINE


# ---- rule A ------------------------------------------------------------------------------------------------------------------


def block_rows(a: Args, tile: BlockTile, weights: Sequence[Weights], scratch: Scratch) -> None:
    """Adds the tiles' products to all rows' float sums."""
    b, blocks = a.b, a["k"] // BLOCK
    chunks = (blocks + (CHUNK - 1)) // CHUNK
    chunk = (blocks + chunks - 1) // chunks
    aheads = [Prefetch(b, tile.name, some.planes, some.stride * TOGETHER, blocks) for some in weights]
    direct = dict(plane_bytes(tile.name))["codes"] == _BLOCK_BYTES
    for first in b.range(0, blocks, chunk):
        last = smaller(b, first + chunk, blocks)
        operands = [scratch.operand + t * (CHUNK * _BLOCK_BYTES) for t in range(TOGETHER)]
        for block in b.range(first, last):
            for some, ahead, operand in zip(weights, aheads, operands, strict=True):
                ahead.whole(block)
                if not direct:
                    _unpack_block(b, tile, some.planes, block, operand + (block - first) * _BLOCK_BYTES)
        if direct:
            operands = [some.planes["codes"] + first * _BLOCK_BYTES for some in weights]
        for row in b.range(0, scratch.rows, amx.TILE_ROWS):
            xs = a["x"] + first * a["x_stride"] + row * BLOCK
            whole = (last - first) // 2 * 2
            for number in b.range(0, whole, 2):
                _multiply_blocks(a, operands, xs, [number, number + 1], scratch.sums)
            for number in b.range(whole, last - first):
                _multiply_blocks(a, operands, xs, [number], scratch.sums)
            for t, some in enumerate(weights):
                sums = scratch.sums + t * (CHUNK * amx.TILE)
                _fold_blocks(a, tile, some.planes, (first, last), row, scratch.acc(t, row), sums)


def _unpack_block(b: Builder, tile: BlockTile, planes: Planes, block: Value, operand: Value) -> None:
    """Its codes as signed bytes, the offset gone."""
    for j, codes in tile.quads(b, planes, block, b.const(i64, 0), ROWS):
        b.store(codes - tile.offset if tile.offset else codes, operand + LINE * j)


def _multiply_blocks(a: Args, operands: Sequence[Value], xs: Value, numbers: Sequence[Value], sums: Value) -> None:
    """sums[tile][block number] = Σ code·q of a block."""
    b, free = a.b, iter(amx.C)
    done: list[tuple[int, Value]] = []
    for activations, number in zip(amx.A, numbers, strict=False):
        amx.load(b, activations, xs + number * a["x_stride"], BLOCK)
        for t, operand in enumerate(operands):
            c = next(free)
            amx.zero(b, c)
            amx.load(b, amx.B[t], operand + number * _BLOCK_BYTES)
            amx.dot(b, c, activations, amx.B[t])
            done.append((c, sums + t * (CHUNK * amx.TILE) + number * amx.TILE))
    for c, place in done:
        amx.store(b, c, place)


def _fold_blocks(
    a: Args, tile: BlockTile, planes: Planes, blocks: tuple[Value, Value], row: Value, accs: Value, sums: Value
) -> None:
    """Sixteen rows' float sums of a tile, in registers over the blocks."""
    b, zero = a.b, a.b.const(i64, 0)
    held = [b.var(b.load(f32.x(ROWS), accs + ACC_STRIDE * i)) for i in range(amx.TILE_ROWS)]
    for block in b.range(*blocks):
        scale = tile.scale(b, planes, block, zero, ROWS)
        least = half_row(b, planes["mins"], block, zero, ROWS) if tile.has_min else None
        windows, exacts = a["xs"] + block * a["xs_stride"] + row * SCALE_BYTES, sums + (block - blocks[0]) * amx.TILE
        for i, acc in enumerate(held):
            window = windows + SCALE_BYTES * i
            if least is not None:
                acc.value = fma(b, least, b.splat(b.load(f32, window + 8), ROWS), acc.value)
            exact = b.to_float(b.load(i32.x(ROWS), exacts + LINE * i))
            acc.value = fma(b, exact, scale * b.splat(b.load(f32, window), ROWS), acc.value)
    for i, acc in enumerate(held):
        b.store(acc.value, accs + ACC_STRIDE * i)


# ---- rule K ------------------------------------------------------------------------------------------------------------------


def super_rows(a: Args, tile: SuperTile, weights: Sequence[Weights], scratch: Scratch) -> None:
    """As `block_rows`."""
    b, zero = a.b, a.b.const(i64, 0)
    aheads = [Prefetch(b, tile.name, some.planes, some.stride * TOGETHER, a["k"] // SUPER) for some in weights]
    for block in b.range(0, a["k"] // SUPER):
        fetches = [ahead.block(block) for ahead in aheads]
        for group in b.range(0, GROUPS):
            for t, (some, fetch) in enumerate(zip(weights, fetches, strict=True)):
                fetch(group, GROUPS)
                _unpack_group(
                    b, tile, some.planes, Place(block, group, zero, ROWS), scratch.operand + t * (2 * _PLANE_BYTES)
                )
        folds = [_SuperFold(a, tile, some.planes, block) for some in weights]
        for row in b.range(0, scratch.rows, amx.TILE_ROWS):
            _multiply_supers(b, tile, scratch.operand, a["x"] + block * a["x_stride"] + row * SUPER, scratch.sums)
            for i in b.range(0, amx.TILE_ROWS):
                for t, fold in enumerate(folds):
                    fold.row(row + i, scratch.sums + t * (_planes(tile) * amx.TILE) + i * LINE, scratch.acc(t, row + i))


def _planes(tile: SuperTile) -> int:
    """Of its operand: the low bytes, and the high ones where there are any."""
    return 1 if tile.small else 2


def _scaled(b: Builder, tile: SuperTile, codes: Value, scale: Value) -> list[Value]:
    """(code − offset) · scale of every byte, as its low byte (0..255, signed where it is all) and the high byte (signed)."""
    words = b.bitcast(codes, i16.x(2 * ROWS))
    factors = b.bitcast((scale & 0xFFFF) | (scale << 16), i16.x(2 * ROWS))
    halves = (b.ashr(words << 8, 8), b.ashr(words, 8)) if tile.signed else (words & 0xFF, words >> 8)
    even, odd = ((half - tile.offset if tile.offset else half) * factors for half in halves)
    planes = [(even & 0xFF) | (odd << 8), (even >> 8) | (odd & -256)]
    return [b.bitcast(plane, codes.type) for plane in planes[: _planes(tile)]]


def _unpack_group(b: Builder, tile: SuperTile, planes: Planes, place: Place, operand: Value) -> None:
    """A group's scaled codes behind those of the groups before it, the low plane of the super-block first."""
    scales = tile.scales(b, planes, place)
    at = operand + place.group * (GROUP * ROWS)
    for quad in range(GROUP_QUADS):
        for number, values in enumerate(
            _scaled(b, tile, tile.quad(b, planes, place, quad), scales[quad * 4 // tile.sub])
        ):
            b.store(values, at + (number * _PLANE_BYTES + LINE * quad))


def _multiply_supers(b: Builder, tile: SuperTile, operand: Value, xs: Value, sums: Value) -> None:
    """sums[tile][plane] of a super-block: low + 256·high = Σ scale·(code − offset)·q."""
    planes = [(t, plane) for t in range(TOGETHER) for plane in range(_planes(tile))]
    for c, _ in enumerate(planes):
        amx.zero(b, amx.C[c])
    for group in range(GROUPS):
        activations = amx.A[group % 2]
        amx.load(b, activations, xs + GROUP * group, SUPER)
        for c, (t, plane) in enumerate(planes):
            amx.load(b, amx.B[c % 2], operand + ((2 * t + plane) * _PLANE_BYTES + group * GROUP * ROWS))
            amx.dot(b, amx.C[c], activations, amx.B[c % 2], signed=tile.small or plane == 1)
    for c, _ in enumerate(planes):
        amx.store(b, amx.C[c], sums + c * amx.TILE)


class _SuperFold:
    """Takes rows' integer sums of one tile's super-block into their float sums."""

    def __init__(self, a: Args, tile: SuperTile, planes: Planes, block: Value) -> None:
        b, zero = a.b, a.b.const(i64, 0)
        self._b, self._tile = b, tile
        self._scales = super_scales(b, tile, planes, block, zero, ROWS)
        self._lows: list[tuple[Value, list[Value]]] = []
        for number in range(GROUPS if tile.mins else 0):
            place = Place(block, b.const(i64, number), zero, ROWS)
            self._lows.append((place.group, low_pairs(b, tile, planes, place, [])))
        self._windows = a["xs"] + block * a["xs_stride"]

    def row(self, row: Value, exact: Value, acc: Value) -> None:
        """One row, whose low sums lie at `exact`."""
        b = self._b
        window, low = self._windows + row * WINDOW_BYTES, b.zeros(i32.x(ROWS))
        for group, pairs in self._lows:
            low = low + low_sum(b, self._tile, pairs, window, group)
        total = b.load(i32.x(ROWS), exact)
        if not self._tile.small:
            total = total + (b.load(i32.x(ROWS), exact + amx.TILE) << 8)
        xd = b.splat(b.load(f32, window), ROWS)
        b.store(fold_super(b, self._scales, xd, total, low, b.load(f32.x(ROWS), acc)), acc)
