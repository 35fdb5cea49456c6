"""Bringing packed codes of 16 rows into registers: lines, shifts, planes.

Knows quad lines (64 bytes: four neighbouring k of each of 16 rows). Knows nothing of any format's planes.
"""

from __future__ import annotations

from collections.abc import Mapping

from tokenloom.jit.ir import Builder, Value, i8, i16, i32
from tokenloom.quant.layout import LINE, ROWS, plane_bytes

Planes = Mapping[str, Value]


def byte_shift(b: Builder, value: Value, right: int) -> Value:
    """Every byte shifted right (left where negative), as 16-bit words since x86 shifts no bytes: the neighbour's bits must be masked."""
    if right == 0:
        return value
    words = b.bitcast(value, i16.x(value.type.lanes // 2))
    return b.bitcast(words >> right if right > 0 else words << -right, value.type)


def quad_line(b: Builder, line: Value, row: Value, lanes: int) -> Value:
    """The lanes' part of a 64-byte line: four bytes a row."""
    return b.load(i8.x(4 * lanes), line + row * 4, 4 * min(lanes, 4))


def row_bytes(b: Builder, plane: Value, index: Value, row: Value, lanes: int, *, signed: bool = False) -> Value:
    """One byte a row of a plane [index][16 rows], as int32 lanes."""
    raw = b.load(i8.x(lanes), plane + index * ROWS + row, min(lanes, 4))
    return (b.sext if signed else b.zext)(raw, i32.x(lanes))


def prefetch_blocks(b: Builder, name: str, planes: Planes, ahead: Value, part: Value, parts: int) -> None:
    """Part number `part` of what lies `ahead` bytes on: a block's bytes of every plane in `parts` equal parts.

    A tile's planes are short, and the hardware's prefetchers stop at each one's end.
    """
    for plane, nbytes in plane_bytes(name):
        size = max(nbytes // parts, 1)
        for at in range(0, size, LINE):
            b.prefetch(planes[plane] + ahead + part * size + at)
