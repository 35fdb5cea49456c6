"""Where intermediate rows live: buffers with lifetimes, packed into one arena.

Knows first-fit by lifetime. Knows nothing of what the buffers hold.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass

LINE = 64


@dataclass(eq=False)
class Buffer:
    """`nbytes` needed from the first meeting interval that names it to the last; `offset` is set by `plan`."""

    name: str
    nbytes: int
    stride: int = 0  # bytes from row to row (of quantized activations: from block to block)
    pinned: bool = False  # read after the step, so nothing else may share its place
    first: int = -1
    last: int = -1
    offset: int = -1

    def used(self, interval: int) -> None:
        self.first = interval if self.first < 0 else self.first
        self.last = max(self.last, interval)


def row_stride(nbytes: int) -> int:
    """A row's bytes rounded up to lines, off the multiples of 4 KiB that would put all rows in one cache set."""
    stride = _lines(nbytes)
    return stride + LINE if stride % 4096 == 0 else stride


def plan(buffers: list[Buffer]) -> int:
    """Gives every buffer an offset such that no two alive together overlap; returns the arena's size in bytes.

    First fit in order of birth. Pinned buffers come first and never make room.
    """
    pinned = [b for b in buffers if b.pinned]
    size = 0
    for buffer in pinned:
        buffer.offset = size
        size += _lines(buffer.nbytes)
    floor, alive = size, list[Buffer]()
    for buffer in sorted((b for b in buffers if not b.pinned), key=lambda b: b.first):
        alive = [other for other in alive if other.last >= buffer.first]
        at = floor
        for other in alive:  # kept in order of their offsets
            if at + buffer.nbytes <= other.offset:
                break
            at = max(at, other.offset + _lines(other.nbytes))
        buffer.offset = at
        insort(alive, buffer, key=lambda b: b.offset)
        size = max(size, at + _lines(buffer.nbytes))
    return size


def _lines(nbytes: int) -> int:
    return -(-nbytes // LINE) * LINE
