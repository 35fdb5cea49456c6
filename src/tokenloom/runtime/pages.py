"""KV pages: 16 slots of all layers and heads, one id and one reference count each.

Knows slabs, ids, counts and copying. Knows nothing of tokens or attention. Free pages are zeroed, so a masked slot never holds a NaN.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence

from tokenloom.errors import OutOfBudgetError
from tokenloom.jit.memory import Region
from tokenloom.kernels.kv_page import PAGE_SLOTS, KVShape


class PagePool:
    """`pages` pages over one slab per layer. Memory is reserved, and taken from the system when first written."""

    def __init__(self, shapes: Sequence[KVShape], pages: int) -> None:
        self.shapes, self.pages = list(shapes), pages
        sizes = [shape.page_bytes for shape in shapes]
        try:
            self._slabs = [Region(size * pages, huge=False) for size in sizes]
        except (OSError, MemoryError):
            raise OutOfBudgetError(
                f"the system gives no address space for a cache of {pages * PAGE_SLOTS} tokens; load with a smaller ctx (-c)"
            ) from None
        self._sizes = sizes
        self._counts = [0] * pages
        self._free: list[int] = []
        self.discarded = False
        self._fresh = 0  # pages from here on were never used
        # of the counts, and of all that keeps pages for later: one lock, so no order of two
        self.lock = threading.RLock()
        self.reclaim: Callable[[], bool] | None = None  # asks whoever keeps pages for later to give one up
        self.forget: Callable[[int], None] | None = None  # and to give up this one, though it frees nothing

    @property
    def page_nbytes(self) -> int:
        """Bytes of one page over all layers."""
        return sum(self._sizes)

    @property
    def used(self) -> int:
        """Pages that someone holds."""
        return self._fresh - len(self._free)

    def discard(self) -> None:
        """Gives all memory back; pages can still be released, which then only keeps the books."""
        self.discarded = True
        for slab in self._slabs:
            slab.discard()

    def slab_address(self, layer: int) -> int:
        return self._slabs[layer].address

    def take(self) -> int:
        """A zeroed page with one holder. Raises OutOfBudgetError when all are held and none is kept only for later."""
        with self.lock:
            while not self._free and self._fresh == self.pages and self.reclaim and self.reclaim():
                pass
            if self._free:
                page = self._free.pop()
            elif self._fresh < self.pages:
                page = self._fresh
                self._fresh += 1
            else:
                raise OutOfBudgetError(
                    f"all {self.pages} KV pages ({self.pages * PAGE_SLOTS} tokens) are in use; "
                    "close a session, or load with a larger kv_budget (--kv-budget)"
                )
            self._counts[page] = 1
            return page

    def share(self, page: int) -> int:
        with self.lock:
            self._counts[page] += 1
        return page

    def release(self, page: int) -> None:
        """One holder less; the last one's page is zeroed and free again."""
        with self.lock:
            self._counts[page] -= 1
            if self._counts[page] == 0:
                if not self.discarded:
                    for slab, size in zip(self._slabs, self._sizes, strict=True):
                        ctypes.memset(slab.address + page * size, 0, size)
                self._free.append(page)
            elif self._counts[page] < 0:
                raise AssertionError(f"page {page} was released more often than it was taken")

    def clear_tail(self, page: int, slot: int) -> None:
        """Zeroes the values from `slot` on: after a failed step they may hold infinities, which a zero probability would not mask."""
        for slab, size, shape in zip(self._slabs, self._sizes, self.shapes, strict=True):
            for start, count, width in shape.strips(values_only=True):
                for number in range(count):
                    at = start + (number * PAGE_SLOTS + slot) * width
                    ctypes.memset(slab.address + page * size + at, 0, (PAGE_SLOTS - slot) * width)

    def contents(self, page: int, slots: int = PAGE_SLOTS) -> bytes:
        """All layers' bytes of a page; slots from `slots` on read as zeros, whatever truncated tokens left there."""
        parts = []
        for slab, size, shape in zip(self._slabs, self._sizes, self.shapes, strict=True):
            part = bytearray(ctypes.string_at(slab.address + page * size, size))
            if slots < PAGE_SLOTS:
                for start, count, width in shape.strips():
                    _zero_tails(memoryview(part)[start : start + count * PAGE_SLOTS * width], PAGE_SLOTS * width, slots)
            parts.append(part)
        return b"".join(parts)

    def fill(self, page: int, data: bytes) -> None:
        """Writes what `contents` gave."""
        at = 0
        for slab, size in zip(self._slabs, self._sizes, strict=True):
            ctypes.memmove(slab.address + page * size, data[at : at + size], size)
            at += size

    def is_shared(self, page: int) -> bool:
        return self._counts[page] > 1

    def copy(self, page: int) -> int:
        """A page of one's own with the same contents. The hold on `page` stays, to be released once the copy has taken its place."""
        own = self.take()
        for slab, size in zip(self._slabs, self._sizes, strict=True):
            ctypes.memmove(slab.address + own * size, slab.address + page * size, size)
        return own

    def alone(self, page: int) -> bool:
        """Whether a holder of `page` has it to himself, once it is kept for nobody's later use."""
        with self.lock:
            if self._counts[page] > 2:  # himself, who keeps it for later, and a third one
                return False
            if self.forget is not None:
                self.forget(page)
            return not self.is_shared(page)


def _zero_tails(view: memoryview, row: int, slots: int) -> None:
    """Zeroes each row from slot `slots` on."""
    done = slots * row // PAGE_SLOTS
    for at in range(0, len(view), row):
        view[at + done : at + row] = bytes(row - done)
