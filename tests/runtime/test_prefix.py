"""The prefix tree against a list of what it was told: what it finds, what it gives up first, and one lock with the pool."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.runtime.test_sequences import QUICK, SHAPES
from tokenloom.errors import OutOfBudgetError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.pages import PagePool
from tokenloom.runtime.prefix import PrefixTree

PAGES = 12


def text(letters: str) -> list[int]:
    """A page for each letter."""
    return [ord(letter) for letter in letters for _ in range(PAGE_SLOTS)]


def inserted(pool: PagePool, tree: PrefixTree, letters: str) -> list[int]:
    """As a sequence does it: shares what is known, computes the rest, and is closed."""
    pages = tree.match(text(letters))
    pages += [pool.take() for _ in range(len(letters) - len(pages))]
    tree.insert(text(letters), pages)
    for page in pages:
        pool.release(page)
    return pages


class Tree(RuleBasedStateMachine):
    """Against a dictionary from letters to the page of the last of them."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = PagePool(SHAPES, PAGES)
        self.tree = PrefixTree(self.pool)
        self.pool.reclaim = self.tree.evict
        self.known: dict[str, int] = {}
        self.held: list[list[int]] = []

    letters = st.text("abc", min_size=1, max_size=4)

    def forget_what_is_gone(self) -> None:
        """What was given up is gone with all that was below it."""
        gone = {key for key in self.known if self.tree.longest(text(key)) < PAGE_SLOTS * len(key)}
        assert all(longer in gone for key in gone for longer in self.known if longer.startswith(key))
        mine = {page for pages in self.held for page in pages}
        # a page that a sequence holds goes only with one above it that nobody held
        assert all(
            self.known[key] not in mine or any(self.known[k] not in mine for k in gone if key.startswith(k))
            for key in gone
        )
        self.known = {key: page for key, page in self.known.items() if key not in gone}

    @rule(letters=letters, kept=st.booleans())
    def a_sequence(self, letters: str, kept: bool) -> None:
        pages = self.tree.match(text(letters) + [0] * 5)
        prefixes = [letters[: n + 1] for n in range(len(letters))]
        assert pages == [self.known[p] for p in prefixes if p in self.known]
        try:
            while len(pages) < len(letters):
                pages.append(self.pool.take())
                self.forget_what_is_gone()
        except OutOfBudgetError:
            assert self.tree.spare(()) == 0
            kept = False
        else:
            self.tree.insert(text(letters), pages)
            for prefix, page in zip(prefixes, pages, strict=True):
                self.known.setdefault(prefix, page)
        if kept:
            self.held.append(pages)
        else:
            for page in pages:
                self.pool.release(page)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def one_ends(self, data: st.DataObject) -> None:
        for page in self.held.pop(data.draw(st.integers(0, len(self.held) - 1))):
            self.pool.release(page)

    @rule()
    def evict(self) -> None:
        spare, used = self.tree.spare(()), self.pool.used
        assert self.tree.evict() == (spare > 0)
        assert self.pool.used < used or not spare
        self.forget_what_is_gone()

    @rule()
    def clear(self) -> None:
        self.tree.clear()
        self.known = {}

    @invariant()
    def the_books_balance(self) -> None:
        holders = Counter(page for pages in self.held for page in pages)
        holders.update(self.known.values())
        assert {page: n for page, n in enumerate(self.pool._counts) if n} == holders
        assert len(self.tree) == len(self.known)
        for key in self.known:
            assert self.tree.longest(text(key)) == PAGE_SLOTS * len(key)


TestTree = Tree.TestCase
TestTree.settings = QUICK


def test_only_full_pages_are_found() -> None:
    pool = PagePool(SHAPES, PAGES)
    tree = PrefixTree(pool)
    pages = inserted(pool, tree, "ab")
    for length, found in ((0, 0), (15, 0), (16, 1), (31, 1), (32, 2)):
        assert tree.longest(text("ab")[:length]) == PAGE_SLOTS * found
        shares = tree.match(text("ab")[:length])
        assert shares == pages[:found]
        for page in shares:
            pool.release(page)
    tree.insert(text("abc")[:-1], [*pages, pool.take()])
    assert len(tree) == 2
    other = text("ab")
    other[20] += 1
    assert tree.longest(other) == PAGE_SLOTS


def test_the_least_recently_used_goes_first() -> None:
    pool = PagePool(SHAPES, PAGES)
    tree = PrefixTree(pool)
    for letters in ("ab", "ac", "d"):
        inserted(pool, tree, letters)
    for page in tree.match(text("ab")):
        pool.release(page)
    order = []
    while tree.evict():
        order.append("".join(key for key in ("ab", "ac", "d", "a") if tree.longest(text(key)) == PAGE_SLOTS * len(key)))
    assert order == ["abda", "aba", "a", ""]
    assert pool.used == 0


def test_what_sequences_hold_is_not_forgotten_for_nothing() -> None:
    pool = PagePool(SHAPES, 3)
    tree = PrefixTree(pool)
    pool.reclaim = tree.evict
    pages = [pool.take(), pool.take()]
    tree.insert(text("ab"), pages)
    inserted(pool, tree, "c")
    own = pool.take()  # "c" goes, though "ab" is older
    assert (tree.longest(text("ab")), tree.longest(text("c"))) == (2 * PAGE_SLOTS, 0)
    with pytest.raises(OutOfBudgetError):
        pool.take()
    assert tree.longest(text("ab")) == 2 * PAGE_SLOTS
    for page in [*pages, own]:
        pool.release(page)
    tree.clear()
    assert pool.used == 0


def test_threads_that_take_and_match_do_not_wait_for_each_other() -> None:
    """A pool without pages asks the tree while others ask the tree for pages: two locks in two orders would stand still."""
    pool = PagePool(SHAPES, 6)
    tree = PrefixTree(pool)
    pool.reclaim = tree.evict
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(1500):
                inserted(pool, tree, "abcd"[(n + number) % 4 :][:2])
        except BaseException as problem:  # noqa: BLE001 - told to the test below
            failed.append(problem)

    workers = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert not any(worker.is_alive() for worker in workers)
    assert not failed
    tree.clear()
    assert pool.used == 0
