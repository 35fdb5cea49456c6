"""The packed row tile of each weight format, as kernels see it.

Knows how 16 rows lie in memory (planes of codes and scales) and how to bring a quad of codes into a register. Knows nothing of threads,
activations or files. `quant.packing` writes what this reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Type, Value, f16, f32, i8, i16
from tokenloom.jit.primitives import load_f32, widen_bf16

ROWS = 16  # rows of a tile: the lanes of its vectors
BLOCK = 32  # k of a rule-A block


@dataclass(frozen=True)
class BlockTile:
    """A block format of rule A: `quads` yields (j, codes of k = 4j..4j+3), `offset` is subtracted from every code."""

    name: str
    code_bytes: int  # of 16 rows × 32 k
    signed: bool
    offset: int
    has_min: bool
    quads: Callable[[Builder, Value, int], Iterator[tuple[int, Value]]]
    code: Callable[[Builder, Value, Value, Value], Value]  # one code as i32: (block address, row, k in block)


@dataclass(frozen=True)
class FloatTile:
    """A float format: [k][16] (bf16: pairs of k interleaved), used without quantizing the activations."""

    name: str
    bytes_per_k: int
    load: Callable[
        [Builder, Value, Value, int], Value
    ]  # (tile, k, byte offset of the lanes' f32 equivalent / 4) -> lanes


def _quads_q8(b: Builder, codes: Value, lanes: int) -> Iterator[tuple[int, Value]]:
    for j in range(8):
        yield j, b.load(i8.x(4 * lanes), codes + 64 * j, 4 * min(lanes, 4))


def _quads_q4(b: Builder, codes: Value, lanes: int) -> Iterator[tuple[int, Value]]:
    for j in range(4):
        line = b.load(i8.x(4 * lanes), codes + 64 * j, 4 * min(lanes, 4))
        yield j, line & 15
        # shifted as 16-bit words: bytes have no shift of their own on x86
        words = b.bitcast(b.bitcast(line, i16.x(2 * lanes)) >> 4, line.type)
        yield j + 4, words & 15


def _code_q8(b: Builder, block: Value, row: Value, k: Value) -> Value:
    from tokenloom.jit.ir import i32

    return b.sext(b.load(i8, block + (k >> 2) * 64 + row * 4 + (k & 3)), i32)


def _code_q4(b: Builder, block: Value, row: Value, k: Value) -> Value:
    from tokenloom.jit.ir import i32

    quad = k >> 2
    byte = b.zext(b.load(i8, block + (quad & 3) * 64 + row * 4 + (k & 3)), i32)
    return b.select(quad >= 4, byte >> 4, byte & 15)


def _load_f32(b: Builder, tile: Value, k: Value, lanes: int) -> Value:
    return load_f32(b, tile + k * 64, lanes, f32)


def _load_f16(b: Builder, tile: Value, k: Value, lanes: int) -> Value:
    return load_f32(b, tile + k * 32, lanes, f16)


def _load_bf16(b: Builder, tile: Value, k: Value, lanes: int) -> Value:
    return widen_bf16(b, b.load(i16.x(lanes), tile + k * 32))


BLOCK_TILES: Mapping[str, BlockTile] = {
    t.name: t
    for t in (
        BlockTile("Q8_0", 512, True, 0, False, _quads_q8, _code_q8),
        BlockTile("Q4_0", 256, False, 8, False, _quads_q4, _code_q4),
        BlockTile("Q4_1", 256, False, 0, True, _quads_q4, _code_q4),
    )
}
FLOAT_TILES: Mapping[str, FloatTile] = {
    t.name: t
    for t in (
        FloatTile("F32", 64, _load_f32),
        FloatTile("F16", 32, _load_f16),
        FloatTile("BF16", 32, _load_bf16),
    )
}


def line_up(nbytes: int) -> int:
    """Rounded up to whole 64-byte lines."""
    return -(-nbytes // 64) * 64


@dataclass(frozen=True)
class TileLayout:
    """Where the planes of a row tile lie, in bytes from its start; `stride` is from tile to tile."""

    scales: int
    mins: int
    stride: int


def tile_layout(name: str, k: int) -> TileLayout:
    """The layout of 16 rows × k of format `name`."""
    if name in FLOAT_TILES:
        return TileLayout(0, 0, line_up(FLOAT_TILES[name].bytes_per_k * k))
    tile, blocks = BLOCK_TILES[name], k // BLOCK
    scales = tile.code_bytes * blocks
    mins = scales + line_up(2 * ROWS * blocks)
    return TileLayout(scales, mins, mins + line_up(2 * ROWS * blocks) if tile.has_min else mins)


__all__ = [
    "BLOCK",
    "BLOCK_TILES",
    "FLOAT_TILES",
    "ROWS",
    "BlockTile",
    "FloatTile",
    "TileLayout",
    "Type",
    "line_up",
    "tile_layout",
]
