"""The packed row tile of each weight format, as kernels see it.

Knows how 16 rows lie in memory (planes of codes and scales) and how to bring a quad of codes into a register. Knows nothing of threads,
activations or files. `quant.packing` writes what this reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value, f16, f32, i16
from tokenloom.jit.primitives import load_f32, lookup16, widen_bf16
from tokenloom.kernels.codebooks import CODEBOOK_TILES
from tokenloom.kernels.codes import Planes, byte_shift, half_row, quad_line, row_bytes
from tokenloom.kernels.superblock import INTEGER_TILES, SuperTile
from tokenloom.quant.layout import IQ4_VALUES, MXFP4_VALUES, ROWS

BLOCK = 32  # k of a rule-A block


@dataclass(frozen=True)
class BlockTile:
    """A format of rule A, blocks of 32 k: `quads` yields (j, codes of k = 4j..4j+3) for some rows; `offset` is subtracted from every code."""

    name: str
    bits: int
    signed: bool
    offset: int
    quads: Callable[[Builder, Planes, Value, Value, int], Iterator[tuple[int, Value]]]  # (block, first row, lanes)
    planes: tuple[str, ...]
    scale: Callable[[Builder, Planes, Value, Value, int], Value]  # of a block, float32: as `quads`

    @property
    def has_min(self) -> bool:
        return "mins" in self.planes


@dataclass(frozen=True)
class FloatTile:
    """A float format, [k][16 rows], used without quantizing the activations."""

    name: str
    bytes_per_k: int
    load: Callable[[Builder, Value, int], Value]  # (address of the first lane, lanes) -> float32
    planes: tuple[str, ...] = ("codes",)


def _quads_q8(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Iterator[tuple[int, Value]]:
    for j in range(8):
        yield j, quad_line(b, planes["codes"] + block * 512 + 64 * j, row, lanes)


def _quads_q4(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Iterator[tuple[int, Value]]:
    for j in range(4):
        line = quad_line(b, planes["codes"] + block * 256 + 64 * j, row, lanes)
        yield j, line & 15
        yield j + 4, byte_shift(b, line, 4) & 15


def _quads_q5(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Iterator[tuple[int, Value]]:
    high = quad_line(b, planes["high"] + block * 64, row, lanes)
    for j, low in _quads_q4(b, planes, block, row, lanes):
        yield j, low | (byte_shift(b, high, j - 4) & 16)


def _quads_table(table: Sequence[int]) -> Callable[[Builder, Planes, Value, Value, int], Iterator[tuple[int, Value]]]:
    """Four-bit codes that index a table of signed bytes."""

    def quads(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Iterator[tuple[int, Value]]:
        return ((j, lookup16(b, table, codes)) for j, codes in _quads_q4(b, planes, block, row, lanes))

    return quads


def _half_scale(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Value:
    return half_row(b, planes["scales"], block, row, lanes)


def _power_scale(b: Builder, planes: Planes, block: Value, row: Value, lanes: int) -> Value:
    """2^(e − 128) from the byte e, by its bits; e = 0 and 1 are subnormal."""
    e = row_bytes(b, planes["scales"], block, row, lanes)
    tiny = b.const(e.type, 0x00200000) << e
    return b.bitcast(b.select(e > 1, (e - 1) << 23, tiny), f32.x(lanes))


def _load_f32(b: Builder, address: Value, lanes: int) -> Value:
    return load_f32(b, address, lanes, f32)


def _load_f16(b: Builder, address: Value, lanes: int) -> Value:
    return load_f32(b, address, lanes, f16)


def _load_bf16(b: Builder, address: Value, lanes: int) -> Value:
    return widen_bf16(b, b.load(i16.x(lanes), address))


BLOCK_TILES: Mapping[str, BlockTile] = {
    t.name: t
    for t in (
        BlockTile("Q8_0", 8, True, 0, _quads_q8, ("codes", "scales"), _half_scale),
        BlockTile("Q4_0", 4, False, 8, _quads_q4, ("codes", "scales"), _half_scale),
        BlockTile("Q4_1", 4, False, 0, _quads_q4, ("codes", "scales", "mins"), _half_scale),
        BlockTile("Q5_0", 5, False, 16, _quads_q5, ("codes", "high", "scales"), _half_scale),
        BlockTile("Q5_1", 5, False, 0, _quads_q5, ("codes", "high", "scales", "mins"), _half_scale),
        BlockTile("IQ4_NL", 8, True, 0, _quads_table(IQ4_VALUES), ("codes", "scales"), _half_scale),
        BlockTile("MXFP4", 8, True, 0, _quads_table(MXFP4_VALUES), ("codes", "scales"), _power_scale),
    )
}
FLOAT_TILES: Mapping[str, FloatTile] = {
    t.name: t
    for t in (FloatTile("F32", 64, _load_f32), FloatTile("F16", 32, _load_f16), FloatTile("BF16", 32, _load_bf16))
}


SUPER_TILES: Mapping[str, SuperTile] = {**INTEGER_TILES, **CODEBOOK_TILES}


def tile_of(qtype: str) -> BlockTile | FloatTile | SuperTile:
    """The kernels' view of a weight format."""
    return BLOCK_TILES.get(qtype) or FLOAT_TILES.get(qtype) or SUPER_TILES[qtype]


def is_known(qtype: str) -> bool:
    """Whether there are kernels for this weight format."""
    return qtype in BLOCK_TILES or qtype in FLOAT_TILES or qtype in SUPER_TILES


__all__ = [
    "BLOCK",
    "BLOCK_TILES",
    "FLOAT_TILES",
    "ROWS",
    "SUPER_TILES",
    "BlockTile",
    "FloatTile",
    "SuperTile",
    "is_known",
    "tile_of",
]
