"""Where intermediate rows live: buffers with lifetimes, packed into one arena.

Knows first-fit by lifetime. Knows nothing of what the buffers hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LINE = 64


@dataclass(eq=False)
class Buffer:
    """`nbytes` needed from the first meeting interval that names it to the last; `offset` is set by `plan`."""

    name: str
    nbytes: int
    stride: int = 0  # bytes from row to row, where it is a matrix
    pinned: bool = False  # read after the step, so nothing else may share its place
    first: int = -1
    last: int = -1
    offset: int = field(default=-1)

    def used(self, interval: int) -> None:
        self.first = interval if self.first < 0 else self.first
        self.last = max(self.last, interval)


def row_stride(nbytes: int) -> int:
    """A row's bytes rounded up to lines, off the multiples of 4 KiB that would put all rows in one cache set."""
    stride = -(-nbytes // LINE) * LINE
    return stride + LINE if stride % 4096 == 0 else stride


def plan(buffers: list[Buffer]) -> int:
    """Gives every buffer an offset such that no two alive together overlap; returns the arena's size in bytes."""
    placed: list[Buffer] = []
    for buffer in sorted(buffers, key=lambda x: -x.nbytes):
        alive = sorted((p for p in placed if _overlap(p, buffer)), key=lambda p: p.offset)
        at = 0
        for other in alive:
            if at + buffer.nbytes <= other.offset:
                break
            at = max(at, -(-(other.offset + other.nbytes) // LINE) * LINE)
        buffer.offset = at
        placed.append(buffer)
    return max((b.offset + b.nbytes for b in buffers), default=0)


def _overlap(x: Buffer, y: Buffer) -> bool:
    return x.pinned or y.pinned or (x.first <= y.last and y.first <= x.last)
