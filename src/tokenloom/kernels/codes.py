"""Bringing packed codes of 16 rows into registers: lines, shifts, planes.

Knows quad lines (64 bytes: four neighbouring k of each of 16 rows). Knows nothing of any format's planes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tokenloom.jit.ir import Builder, Value, f16, i8, i16, i32, i64
from tokenloom.jit.primitives import load_f32
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


def half_row(b: Builder, plane: Value, block: Value, row: Value, lanes: int) -> Value:
    """A stored f16 of each lane, of a plane [blocks][16 rows]."""
    return load_f32(b, plane + block * (2 * ROWS) + row * 2, lanes, f16)


AHEAD = 16 << 10  # bytes of weights between a prefetch and its use, of 2 to 24 KiB the best (docs/lab-notebook.md)
NEAR = 2 << 10  # the same, of a line that is in the second-level cache by now and is wanted in the first
_LARGE = 4 * LINE  # bytes of a block


class Prefetch:
    """Fetches what a walk over a tile's blocks, and then over the tiles behind it, will read AHEAD bytes from now.

    A tile's planes are short, and the hardware's prefetchers stop at each one's end, and at every page's. `near`: large planes and all codes are
    brought on into the first-level cache NEAR bytes before their use.
    """

    def __init__(
        self, b: Builder, name: str, planes: Planes, stride: Value, blocks: Value, *, near: bool = False
    ) -> None:
        self._b, self._planes, self._stride, self._blocks, self._near = b, planes, stride, blocks, near
        self._sizes = plane_bytes(name)
        ahead = b.const(blocks.type, -(-AHEAD // sum(nbytes for _, nbytes in self._sizes)))
        self._tiles, self._rest = (ahead // blocks) * stride, ahead % blocks

    def whole(self, block: Value) -> None:
        """What lies ahead of the walk's block number `block`."""
        self.block(block)(self._b.const(i64, 0), 1)

    def block(self, block: Value) -> Callable[[Value, int], None]:
        """For the walk's block number `block`: fetches what lies ahead in small planes; what it returns does so for a part of the large ones."""
        b = self._b
        target = block + self._rest
        over = target >= self._blocks
        jump = self._tiles + b.select(over, self._stride, b.const(self._stride.type, 0))
        target = target - b.select(over, self._blocks, b.const(self._blocks.type, 0))
        near = [(plane, nbytes) for plane, nbytes in self._sizes if nbytes >= _LARGE or plane == "codes"]
        starts = [(self._planes[plane] + jump + target * nbytes, nbytes) for plane, nbytes in self._sizes]
        for start, nbytes in starts:
            for at in range(0, nbytes if nbytes < _LARGE else 0, LINE):
                b.prefetch(start + at)

        def fetch(part: Value, parts: int) -> None:
            for start, nbytes in starts:
                size = nbytes // parts
                for at in range(0, size if nbytes >= _LARGE else 0, LINE):
                    b.prefetch(start + part * size + at)
            for plane, nbytes in near if self._near else ():
                start, size = self._planes[plane] + block * nbytes, nbytes // parts
                for at in range(0, size, LINE):
                    b.prefetch(start + part * size + (at + NEAR), level=1)

        return fetch
