"""The prefix tree: KV pages of past sequences, found again by their tokens, to the token.

Knows tokens in runs of a page, and page ids with a hold on each. Knows nothing of sequences' owners, of how pages were computed, or of time beyond
"least recently used".

A node is one page below the page before it: a full one, or what a sequence ended with. Of the last page that a prompt has in common with a node the
first slots may serve it: whoever writes behind them copies the page. Of two neighbours, neither's tokens begin with all of the other's, so a short
page makes way for one that goes on from it. A node is used whenever its child is, and counted as used after it: children come before their parents in
the order of use.
"""

from __future__ import annotations

from bisect import bisect_left
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
    key: Key  # a page's tokens, fewer than all slots only where nothing follows
    page: int
    parent: _Node | None
    children: list[_Node] = field(default_factory=list)  # by their keys

    def place(self, key: Key) -> int:
        """Where a child with this key stands, or would."""
        return bisect_left(self.children, key, key=lambda child: child.key)

    def nearest(self, key: Key) -> tuple[_Node | None, int]:
        """The child that has the most first tokens in common with `key`, and how many; keys in order have it beside where this one would stand."""
        at, best, most = self.place(key), None, 0
        for child in self.children[max(0, at - 1) : at + 1]:
            if (count := common_prefix(child.key, key)) > most:
                best, most = child, count
        return best, most


class PrefixTree:
    """Holds one share of every page it knows. The pool's lock guards it, because the pool calls `evict` and `forget` while it holds that."""

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
            kept = {node.page for node, _ in self._walk(besides)}
            return sum(page not in kept and not self._pool.is_shared(page) for page in self._used)

    def _walk(self, tokens: Items[int]) -> Iterator[tuple[_Node, int]]:
        """The pages of the longest held prefix, and how many tokens of each: all but the last are full."""
        node = self._root
        for at in range(0, len(tokens), PAGE_SLOTS):
            found, count = node.nearest(tuple(tokens[at : at + PAGE_SLOTS]))
            if found is None:
                return
            yield found, count
            if count < PAGE_SLOTS:
                return
            node = found

    def _touch(self, path: Items[_Node]) -> None:
        for node in reversed(path):
            self._used.move_to_end(node.page)

    def longest(self, tokens: Items[int]) -> int:
        """How many leading tokens are held."""
        with self._pool.lock:
            return sum(count for _, count in self._walk(tokens))

    def extend(self, sequence: Sequence, tokens: Items[int]) -> None:
        """A sequence that holds a beginning of `tokens` goes on with the pages of the longest held prefix, if that is longer.

        A sequence that is not genuine all through stays as it is: it would become a mixture.
        """
        with BetweenSteps(), self._pool.lock:
            path = list(self._walk(tokens))
            if sum(count for _, count in path) <= sequence.length or sequence.genuine < sequence.length:
                return
            self._touch([node for node, _ in path])
            own = sequence.length // PAGE_SLOTS
            sequence.truncate(own * PAGE_SLOTS)
            for node, count in path[own:]:
                sequence.adopt([self._pool.share(node.page)], node.key[:count])

    def remember(self, sequence: Sequence) -> None:
        """Makes what a sequence holds findable, as far as it is genuine; pages already known by their tokens stay as they are."""
        length = min(sequence.length, sequence.genuine)
        if sequence.written > sequence.length:  # an unfinished step may have left anything behind the last token
            length = length // PAGE_SLOTS * PAGE_SLOTS
        tokens = sequence.tokens[:length]
        with BetweenSteps(), self._pool.lock:
            path, node = [], self._root
            for number, at in enumerate(range(0, length, PAGE_SLOTS)):
                key = tuple(tokens[at : at + PAGE_SLOTS])
                found, count = node.nearest(key)
                node = (
                    found if found is not None and count == len(key) else self._add(node, key, sequence.table[number])
                )
                path.append(node)
            self._touch(path)

    def _add(self, parent: _Node, key: Key, page: int) -> _Node:
        at = parent.place(key)
        if at and (before := parent.children[at - 1]).key == key[: len(before.key)]:
            self._drop(before)  # this one goes on from it
            at -= 1
        child = _Node(key, self._pool.share(page), parent)
        parent.children.insert(at, child)
        self._used[child.page] = child
        return child

    def evict(self) -> bool:
        """Frees the least recently used page that nobody else holds; whether there was one.

        What is below it goes too: it could not be found any more.
        """
        with BetweenSteps(), self._pool.lock:
            oldest = next((node for page, node in self._used.items() if not self._pool.is_shared(page)), None)
            if oldest is not None:
                self._drop(oldest)
            return oldest is not None

    def forget(self, page: int) -> None:
        """Gives up one page, whoever else holds it, and what is below it."""
        with BetweenSteps(), self._pool.lock:
            if page in self._used:
                self._drop(self._used[page])

    def clear(self) -> None:
        """Gives every share back."""
        with BetweenSteps(), self._pool.lock:
            for node in [*self._root.children]:
                self._drop(node)

    def _drop(self, top: _Node) -> None:
        assert top.parent is not None, "the root is never dropped"
        del top.parent.children[top.parent.place(top.key)]
        below = [top]
        while below:
            node = below.pop()
            below += node.children
            del self._used[node.page]
            self._pool.release(node.page)


def common_prefix(left: Items[int], right: Items[int]) -> int:
    """How many first tokens are equal."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
