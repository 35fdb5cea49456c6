"""The prefix tree: full KV pages of past sequences, found again by their tokens.

Knows tokens in runs of a page, and page ids with a hold on each. Knows nothing of sequences' owners or of time beyond "least recently used".

A node is one full page below the page before it, so two prompts share exactly the pages their common prefix fills. A node is used whenever its
child is, and counted as used after it: the least recently used node is therefore always a leaf.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, field

from tokenloom.kernels.rope import PAGE_SLOTS
from tokenloom.runtime.pages import PagePool

Key = tuple[int, ...]


@dataclass(eq=False)
class _Node:
    key: Key
    page: int
    parent: _Node | None
    children: dict[Key, _Node] = field(default_factory=dict)


class PrefixTree:
    """Holds one share of every page it knows. `evict` gives shares back, oldest leaves first."""

    def __init__(self, pool: PagePool) -> None:
        self._pool = pool
        self._root = _Node((), -1, None)
        self._lock = threading.RLock()
        self._used: OrderedDict[int, _Node] = OrderedDict()  # by page id, least recently used first

    def __len__(self) -> int:
        """Pages held."""
        return len(self._used)

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
        with self._lock:
            return PAGE_SLOTS * sum(1 for _ in self._walk(tokens))

    def match(self, tokens: Items[int]) -> list[int]:
        """The pages of the longest held prefix, a share of each for the caller."""
        with self._lock:
            path = list(self._walk(tokens))
            self._touch(path)
            return [self._pool.share(node.page) for node in path]

    def insert(self, tokens: Items[int], pages: Items[int]) -> None:
        """Remembers the full pages of a sequence; pages already known by their tokens stay as they are."""
        with self._lock:
            node, path = self._root, []
            for number in range(min(len(tokens) // PAGE_SLOTS, len(pages))):
                key = tuple(tokens[number * PAGE_SLOTS : (number + 1) * PAGE_SLOTS])
                child = node.children.get(key)
                if child is None:
                    child = node.children[key] = _Node(key, self._pool.share(pages[number]), node)
                    self._used[child.page] = child
                path.append(child)
                node = child
            self._touch(path)

    def evict(self, pages: int = 1) -> int:
        """Drops up to `pages` of the oldest leaves; returns how many. A page that a sequence still holds is not freed by it."""
        with self._lock:
            dropped = 0
            while dropped < pages and self._used:
                _, node = self._used.popitem(last=False)
                assert node.parent is not None, "the root is never kept"
                del node.parent.children[node.key]
                self._pool.release(node.page)
                dropped += 1
            return dropped

    def clear(self) -> None:
        self.evict(len(self._used))
