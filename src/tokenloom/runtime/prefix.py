"""The prefix tree: full KV pages of past sequences, found again by their tokens.

Knows tokens in runs of a page, and page ids with a hold on each. Knows nothing of sequences' owners, of how pages were computed, or of time beyond
"least recently used".

A node is one full page below the page before it, so two prompts share exactly the pages their common prefix fills. A node is used whenever its
child is, and counted as used after it: children come before their parents in the order of use.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, field

from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.interrupt import BetweenSteps
from tokenloom.runtime.pages import PagePool
from tokenloom.runtime.sequence import Sequence

Key = tuple[int, ...]


@dataclass(eq=False)
class _Node:
    key: Key
    page: int
    parent: _Node | None
    children: dict[Key, _Node] = field(default_factory=dict)


class PrefixTree:
    """Holds one share of every page it knows. The pool's lock guards it, because the pool calls `evict` while it holds that."""

    def __init__(self, pool: PagePool) -> None:
        self._pool = pool
        self._root = _Node((), -1, None)
        self._used: OrderedDict[int, _Node] = OrderedDict()  # by page id, least recently used first

    def __len__(self) -> int:
        """Pages held."""
        return len(self._used)

    def spare(self, besides: Items[int]) -> int:
        """Pages that nobody else holds, without those of the tokens `besides`."""
        with self._pool.lock:
            kept = {node.page for node in self._walk(besides)}
            return sum(page not in kept and not self._pool.is_shared(page) for page in self._used)

    def _walk(self, tokens: Items[int]) -> Iterator[_Node]:
        node = self._root
        for at in range(0, len(tokens) - PAGE_SLOTS + 1, PAGE_SLOTS):
            found = node.children.get(tuple(tokens[at : at + PAGE_SLOTS]))
            if found is None:
                return
            yield found
            node = found

    def _touch(self, path: Items[_Node]) -> None:
        for node in reversed(path):
            self._used.move_to_end(node.page)

    def longest(self, tokens: Items[int]) -> int:
        """How many leading tokens are held."""
        with self._pool.lock:
            return PAGE_SLOTS * sum(1 for _ in self._walk(tokens))

    def match(self, tokens: Items[int]) -> list[int]:
        """The pages of the longest held prefix, a share of each for the caller."""
        with self._pool.lock:
            path = list(self._walk(tokens))
            self._touch(path)
            return [self._pool.share(node.page) for node in path]

    def extend(self, sequence: Sequence, tokens: Items[int]) -> None:
        """A sequence that holds a beginning of `tokens` goes on with the pages of the longest held prefix, if that is longer.

        A sequence that is not genuine all through stays as it is: it would become a mixture.
        """
        with BetweenSteps(), self._pool.lock:
            path = list(self._walk(tokens))
            own = sequence.length // PAGE_SLOTS
            if PAGE_SLOTS * len(path) <= sequence.length or sequence.genuine < sequence.length:
                return
            self._touch(path)
            sequence.truncate(own * PAGE_SLOTS)
            for node in path[own:]:
                sequence.adopt([self._pool.share(node.page)], node.key)

    def remember(self, sequence: Sequence) -> None:
        """Makes the full pages of a sequence findable, as far as they are genuine."""
        self.insert(sequence.tokens[: sequence.genuine], sequence.table[: sequence.held])

    def insert(self, tokens: Items[int], pages: Items[int]) -> None:
        """Remembers the full pages of a sequence; pages already known by their tokens stay as they are."""
        with self._pool.lock:
            path = list(self._walk(tokens))
            node = path[-1] if path else self._root
            for number in range(len(path), min(len(tokens) // PAGE_SLOTS, len(pages))):
                key = tuple(tokens[number * PAGE_SLOTS : (number + 1) * PAGE_SLOTS])
                child = _Node(key, self._pool.share(pages[number]), node)
                self._used[child.page] = node.children[key] = child
                path.append(child)
                node = child
            self._touch(path)

    def evict(self) -> bool:
        """Frees the least recently used page that nobody else holds; whether there was one.

        What is below it goes too: it could not be found any more.
        """
        with self._pool.lock:
            oldest = next((node for page, node in self._used.items() if not self._pool.is_shared(page)), None)
            if oldest is not None:
                self._drop(oldest)
            return oldest is not None

    def clear(self) -> None:
        """Gives every share back."""
        with self._pool.lock:
            for node in [*self._root.children.values()]:
                self._drop(node)

    def _drop(self, top: _Node) -> None:
        assert top.parent is not None, "the root is never dropped"
        del top.parent.children[top.key]
        below = [top]
        while below:
            node = below.pop()
            below += node.children.values()
            del self._used[node.page]
            self._pool.release(node.page)
