"""Integer sums of sixteen rows at a time on AMX tiles (Intel SDM 1, chapter 18; SDM 2, TDPBSSD).

Knows tile numbers, shapes, and how weights become operands: a quad line is a tile row as it is; codes of rule K are multiplied by their sub-block's
scale, so that one tile sums a whole super-block, in two planes of seven bits and the rest. Knows nothing of float sums or of the walk.

A tile product here is C[row, output] += Σ_k A[row, k] · B[k, output], C int32 [16][16], A the rows' codes as they lie, B [k/4][16][4].
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from tokenloom.jit.ir import Builder, Value, i8, i16, i64
from tokenloom.kernels.codes import Planes
from tokenloom.kernels.superblock import GROUP, GROUP_QUADS, GROUPS, SUPER, Place, SuperTile
from tokenloom.kernels.tiles import BLOCK, ROWS, BlockTile
from tokenloom.quant.layout import LINE, plane_bytes

TILE_ROWS = 16  # rows of activations in a tile
GROUP_BYTES = GROUP * ROWS  # of the operand of 64 k
OPERAND_BYTES = 2 * GROUPS * GROUP_BYTES  # of a super-block: both planes
PLANE_BITS = 7
_B, _C, _A, _HIGH = range(4)  # tile numbers


def _do(b: Builder, name: str, *arguments: Value) -> None:
    b.declare(f"declare void @llvm.x86.{name}({', '.join(str(a.type) for a in arguments)})", f"llvm.x86.{name}")
    b.do(f"call void @llvm.x86.{name}({', '.join(map(repr, arguments))})")


def _tile(b: Builder, number: int) -> Value:
    return b.const(i8, number)


@contextmanager
def unit(b: Builder, depth: int, wanted: Value) -> Iterator[None]:
    """Where `wanted`: tiles shaped for products over `depth` bytes of k (at most 64). They are the thread's own, and given back behind the body."""
    shapes = {_B: (depth // 4, LINE), _C: (TILE_ROWS, LINE), _A: (TILE_ROWS, depth), _HIGH: (TILE_ROWS, LINE)}
    columns, rows = ([shapes.get(n, (0, 0))[i] for n in range(8)] for i in (1, 0))
    config = b.scratch(64)
    with b.when(wanted):
        for number, word in enumerate(struct.unpack("<8q", struct.pack("<BB14x8H16x8B8x", 1, 0, *columns, *rows))):
            b.store(b.const(i64, word), config + 8 * number)
        _do(b, "ldtilecfg", config)
    yield
    with b.when(wanted):
        _do(b, "tilerelease")


def bf16_sums(b: Builder, operand: Value, xs: Value, rows: Value, sums: Value) -> None:
    """sums[row] += Σ w·x over 32 k in bfloat16 (TDPBF16PS), for `rows` (a multiple of 16) rows whose values lie 64 bytes apart."""
    _do(b, "tileloadd64", _tile(b, _B), operand, b.const(i64, LINE))
    for row in b.range(0, rows, TILE_ROWS):
        _do(b, "tileloadd64", _tile(b, _C), sums + row * LINE, b.const(i64, LINE))
        _do(b, "tileloadd64", _tile(b, _A), xs + row * LINE, b.const(i64, LINE))
        _do(b, "tdpbf16ps", _tile(b, _C), _tile(b, _A), _tile(b, _B))
        _do(b, "tilestored64", _tile(b, _C), sums + row * LINE, b.const(i64, LINE))


def block_operand(b: Builder, tile: BlockTile, planes: Planes, block: Value, scratch: Value) -> Value:
    """Where a block's codes lie as signed bytes, the offset gone: in the weights themselves, or unpacked to `scratch`."""
    if dict(plane_bytes(tile.name))["codes"] == BLOCK * ROWS:
        return planes["codes"] + block * (BLOCK * ROWS)
    for j, codes in tile.quads(b, planes, block, b.const(i64, 0), ROWS):
        b.store(codes - tile.offset if tile.offset else codes, scratch + LINE * j)
    return scratch


def block_sums(b: Builder, operand: Value, xs: Value, rows: Value, totals: Value) -> None:
    """totals[row] = Σ code·q over a block of 32, for `rows` (a multiple of 16) rows whose codes lie 32 bytes apart."""
    _do(b, "tileloadd64", _tile(b, _B), operand, b.const(i64, LINE))
    for row in b.range(0, rows, TILE_ROWS):
        _do(b, "tilezero", _tile(b, _C))
        _do(b, "tileloadd64", _tile(b, _A), xs + row * BLOCK, b.const(i64, BLOCK))
        _do(b, "tdpbssd", _tile(b, _C), _tile(b, _A), _tile(b, _B))
        _do(b, "tilestored64", _tile(b, _C), totals + row * LINE, b.const(i64, LINE))


def _scaled(b: Builder, codes: Value, offset: int, scale: Value) -> tuple[Value, Value]:
    """(code − offset) · scale of every byte, as its low seven bits (0..127) and what is above them (signed)."""
    words = b.bitcast(codes, i16.x(2 * ROWS))
    factors = b.bitcast((scale & 0xFFFF) | (scale << 16), i16.x(2 * ROWS))
    even, odd = ((b.ashr(half, 8) - offset) * factors for half in (words << 8, words))
    low = (even & 0x7F) | ((odd & 0x7F) << 8)
    high = (b.ashr(even, PLANE_BITS) & 0xFF) | (b.ashr(odd, PLANE_BITS) << 8)
    return b.bitcast(low, codes.type), b.bitcast(high, codes.type)


def group_operand(b: Builder, tile: SuperTile, planes: Planes, place: Place, scratch: Value) -> None:
    """Unpacks a group's scaled codes behind those of the groups before it, the low plane of the super-block first."""
    scales = tile.scales(b, planes, place)
    at = scratch + place.group * GROUP_BYTES
    for quad in range(GROUP_QUADS):
        codes = tile.quad(b, planes, place, quad)
        low, high = _scaled(b, codes, tile.offset, scales[quad * 4 // tile.sub])
        b.store(low, at + LINE * quad)
        b.store(high, at + (GROUPS * GROUP_BYTES + LINE * quad))


def super_sums(b: Builder, operand: Value, xs: Value, rows: Value, lows: Value, highs: Value) -> None:
    """lows[row] + 128·highs[row] = Σ scale·(code − offset)·q over a super-block, for `rows` (a multiple of 16) rows 256 bytes apart."""
    for row in b.range(0, rows, TILE_ROWS):
        for number in (_C, _HIGH):
            _do(b, "tilezero", _tile(b, number))
        for group in range(GROUPS):
            _do(b, "tileloadd64", _tile(b, _A), xs + row * SUPER + GROUP * group, b.const(i64, SUPER))
            for plane, number in enumerate((_C, _HIGH)):
                at = operand + (plane * GROUPS + group) * GROUP_BYTES
                _do(b, "tileloadd64", _tile(b, _B), at, b.const(i64, LINE))
                _do(b, "tdpbssd", _tile(b, number), _tile(b, _A), _tile(b, _B))
        _do(b, "tilestored64", _tile(b, _C), lows + row * LINE, b.const(i64, LINE))
        _do(b, "tilestored64", _tile(b, _HIGH), highs + row * LINE, b.const(i64, LINE))
