"""A sequence: its tokens, its page table, and how much of both is committed.

Knows pages by id. Knows nothing of models or text. `length` is the only truth: tokens and pages past it are leftovers of a step that did not
finish, and are overwritten by the next.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable

from tokenloom.errors import ClosedError, ContextOverflowError, OutOfBudgetError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.pages import PagePool


class Sequence:
    """At most `limit` slots. `table` holds page ids as int32 for the Step to copy."""

    closed = True  # until it is whole

    def __init__(self, pool: PagePool, limit: int) -> None:
        self.pool, self.limit = pool, limit
        self.table = (ctypes.c_int32 * -(-limit // PAGE_SLOTS))()
        self.table_address = ctypes.addressof(self.table)
        self.held = 0  # pages in the table
        self.length = 0
        self.written = 0  # slots up to here may hold what an unfinished step wrote
        # leading slots that hold what this engine computes of the tokens; others may not use the rest
        self.genuine = limit
        self.approximate_from = limit  # and those that hold what they would if the text had always been so
        self._tokens: list[int] = []
        self.closed = False

    @property
    def tokens(self) -> list[int]:
        """The committed tokens."""
        return self._tokens[: self.length]

    def reserve(self, count: int) -> None:
        """Pages of one's own for `count` more slots. Raises ContextOverflowError past the limit."""
        if self.closed:
            raise ClosedError("this session is closed; open a new one")
        end = self.length + count
        if end > self.limit:
            raise ContextOverflowError(f"{end} tokens do not fit the context of {self.limit}")
        if self.written > self.length:
            self.discard_uncommitted()  # an interrupt kept the step before from doing so
        self._own_last()
        while self.held * PAGE_SLOTS < end:
            self.table[self.held] = self.pool.take()
            self.held += 1
        self.written = end

    def adopt(self, pages: Iterable[int], tokens: Iterable[int]) -> None:
        """A sequence of full pages goes on with pages that begin with `tokens`; the caller's shares become the sequence's."""
        for page in pages:
            self.table[self.held] = page
            self.held += 1
        self.commit(tokens)
        self.written = self.length

    @property
    def shares_last(self) -> bool:
        """Whether the next slot lies in a page that is someone else's as well."""
        last = self.length // PAGE_SLOTS
        return last < self.held and self.length % PAGE_SLOTS > 0 and self.pool.is_shared(self.table[last])

    def _own_last(self) -> None:
        """Copies a last page that is not full and is someone else's as well. Where there is no room for a copy, it may be kept for later only."""
        if self.shares_last:
            last = self.length // PAGE_SLOTS
            shared = self.table[last]
            try:
                own = self.pool.copy(shared)
            except OutOfBudgetError:
                if self.pool.alone(shared):
                    return
                raise
            self.table[last] = own
            self.pool.release(shared)

    def commit(self, tokens: Iterable[int]) -> None:
        """The step that wrote these tokens' slots was good."""
        del self._tokens[self.length :]
        self._tokens.extend(tokens)
        self.length = len(self._tokens)

    def truncate(self, length: int) -> None:
        """Keeps the first `length` tokens: later logits are those of a sequence that never saw the rest."""
        clean = self.written <= self.length
        self.length = min(self.length, length)
        keep = -(-self.length // PAGE_SLOTS)
        while self.held > keep:
            self.held -= 1
            self.pool.release(self.table[self.held])
        if clean:
            self.written = self.length
        if self.length <= self.genuine:
            self.genuine = self.limit
        if self.length <= self.approximate_from:
            self.approximate_from = self.limit

    def discard_uncommitted(self) -> None:
        """After a failed step: nothing it wrote can reach a later one."""
        self.truncate(self.length)
        if self.written <= self.length:
            return
        self._own_last()
        if self.length % PAGE_SLOTS:
            self.pool.clear_tail(self.table[self.held - 1], self.length % PAGE_SLOTS)
        self.written = self.length

    def fork(self) -> Sequence:
        """A sequence that shares all pages; the first to write a shared one copies it."""
        other = Sequence(self.pool, self.limit)
        for i in range(-(-self.length // PAGE_SLOTS)):
            other.table[i] = self.pool.share(self.table[i])
            other.held += 1
        other.written, other.genuine, other.approximate_from = self.written, self.genuine, self.approximate_from
        other.commit(self.tokens)
        return other

    def close(self) -> None:
        self.truncate(0)
        self.closed = True

    def __del__(self) -> None:
        """One that nobody has any more gives its pages back as if it had been closed."""
        if not self.closed and not sys.is_finalizing():
            self.close()
