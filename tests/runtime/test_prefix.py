"""The prefix tree against a set of what it was told: what it finds, what it gives up first, and one lock with the pool."""

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
from tokenloom.runtime.sequence import Sequence

PAGES = 12
Text = tuple[int, ...]


def text(letters: str) -> list[int]:
    """A page for each letter."""
    return [ord(letter) for letter in letters for _ in range(PAGE_SLOTS)]


def made(pages: int) -> tuple[PagePool, PrefixTree]:
    pool = PagePool(SHAPES, pages)
    tree = PrefixTree(pool)
    pool.reclaim, pool.forget = tree.evict, tree.forget
    return pool, tree


def computed(pool: PagePool, tree: PrefixTree, tokens: list[int]) -> Sequence:
    """Takes what is known and computes the rest. Raises OutOfBudgetError, with nothing left behind."""
    sequence = Sequence(pool, PAGES * PAGE_SLOTS)
    try:
        tree.extend(sequence, tokens)
        rest = tokens[sequence.length :]
        sequence.reserve(len(rest))
    except OutOfBudgetError:
        sequence.close()
        raise
    sequence.commit(rest)
    tree.remember(sequence)
    return sequence


def pages_of(sequence: Sequence) -> list[int]:
    return list(sequence.table[: sequence.held])


def shared(left: Text, right: Text) -> int:
    return next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


class Tree(RuleBasedStateMachine):
    """Against the set of beginnings that end with a page, full or not, where nothing goes on from a page that is not full."""

    def __init__(self) -> None:
        super().__init__()
        self.pool, self.tree = made(PAGES)
        self.known: set[Text] = set()
        self.held: list[Sequence] = []

    # pages of a letter each, then one that changes its letter somewhere, or ends
    texts = st.builds(
        lambda letters, last, at, end: (*text(letters), *text(last)[:at], *text("d")[: max(0, end - at)]),
        st.text("abc", max_size=3), st.sampled_from("abc"), st.integers(0, 16), st.integers(0, 16),
    ).filter(bool)  # fmt: skip

    def forget_what_is_gone(self) -> None:
        """What was given up is gone with all that was below it."""
        gone = {key for key in self.known if self.tree.longest(key) < len(key)}
        assert all(longer in gone for key in gone for longer in self.known if shared(key, longer) == len(key))
        self.known -= gone

    @rule(tokens=texts, kept=st.booleans())
    def a_sequence(self, tokens: Text, kept: bool) -> None:
        assert self.tree.longest(tokens) == max((shared(key, tokens) for key in self.known), default=0)
        try:
            sequence = computed(self.pool, self.tree, list(tokens))
        except OutOfBudgetError:
            assert self.tree.spare(tokens) == 0  # what it shares of its beginning was in use
            self.forget_what_is_gone()
            return
        self.forget_what_is_gone()  # before what took its place
        for end in [*range(PAGE_SLOTS, len(tokens), PAGE_SLOTS), len(tokens)]:
            new = tokens[:end]
            page = (len(new) - 1) // PAGE_SLOTS * PAGE_SLOTS
            self.known -= {key for key in self.known if page < len(key) < end and shared(key, new) == len(key)}
            if not any(
                shared(key, new) == end and (len(key) - 1) // PAGE_SLOTS * PAGE_SLOTS == page for key in self.known
            ):
                self.known.add(new)
        self.forget_what_is_gone()
        assert self.tree.longest(tokens) == len(tokens)
        if kept:
            self.held.append(sequence)
        else:
            sequence.close()

    @precondition(lambda self: self.held)
    @rule(data=st.data(), count=st.integers(1, 20))
    def one_goes_on(self, data: st.DataObject, count: int) -> None:
        """Into a page that the tree and others may have too, and says nothing of it."""
        sequence = data.draw(st.sampled_from(self.held))
        with_room = min(count, sequence.limit - sequence.length)
        try:
            sequence.reserve(with_room)
            sequence.commit([0] * with_room)
        except OutOfBudgetError:
            sequence.discard_uncommitted()
        self.forget_what_is_gone()

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def one_ends(self, data: st.DataObject) -> None:
        self.held.pop(data.draw(st.integers(0, len(self.held) - 1))).close()

    @rule()
    def evict(self) -> None:
        spare, used = self.tree.spare(()), self.pool.used
        assert self.tree.evict() == (spare > 0)
        assert self.pool.used < used or not spare
        self.forget_what_is_gone()

    @rule()
    def clear(self) -> None:
        self.tree.clear()
        self.known = set()

    @invariant()
    def the_books_balance(self) -> None:
        holders = Counter(page for sequence in self.held for page in pages_of(sequence))
        holders.update(self.tree._used.keys())
        assert {page: n for page, n in enumerate(self.pool._counts) if n} == holders
        assert len(self.tree) == len(self.known)
        for key in self.known:
            assert self.tree.longest(key) == len(key)


TestTree = Tree.TestCase
TestTree.settings = QUICK


def test_a_beginning_is_found_to_the_token() -> None:
    pool, tree = made(PAGES)
    first = computed(pool, tree, text("abc")[:40])
    for length in (0, 1, 15, 16, 31, 32, 39, 40):
        assert tree.longest(text("abc")[:length]) == length
    other = text("abc")
    other[20] += 1
    assert tree.longest(other) == 20
    assert tree.longest(text("abc")) == 40
    second = computed(pool, tree, other)
    assert pages_of(second)[0] == pages_of(first)[0]
    assert pages_of(second)[1] != pages_of(first)[1]
    for sequence in (first, second):
        sequence.close()
    tree.clear()
    assert pool.used == 0


def test_a_short_page_makes_way_for_one_that_goes_on_from_it() -> None:
    pool, tree = made(PAGES)
    for length in (3, 9, 20, 14):
        computed(pool, tree, text("ab")[:length]).close()
        assert (len(tree), pool.used) == ((1, 1) if length < 16 and length != 14 else (2, 2))
    assert tree.longest(text("ab")) == 20


def test_a_found_page_is_copied_before_it_is_written() -> None:
    """By whoever goes on from it, the one who computed it too; what was found stays as it was."""
    pool, tree = made(PAGES)
    first = computed(pool, tree, text("a")[:5])
    page = first.table[0]
    pool.fill(page, bytes([1]) * pool.page_nbytes)
    for sequence in (first, computed(pool, tree, text("a")[:5])):
        sequence.reserve(1)
        assert sequence.table[0] != page
        assert pool.contents(sequence.table[0]) == pool.contents(page) == bytes([1]) * pool.page_nbytes
        sequence.close()


def test_where_there_is_no_room_for_a_copy_the_tree_gives_the_page_up() -> None:
    """A text that has all the pages goes on as if nothing were kept of it, full ones and short ones."""
    pool, tree = made(2)
    sequence = computed(pool, tree, text("ab")[:20])
    assert len(tree) == 2
    sequence.reserve(12)
    sequence.commit(text("b")[:12])
    assert len(tree) == 1
    tree.remember(sequence)
    sequence.truncate(31)  # as for an output of the last token
    sequence.reserve(1)
    assert len(tree) == 1
    fork = sequence.fork()
    fork.truncate(30)
    with pytest.raises(OutOfBudgetError):
        fork.reserve(1)  # somebody else needs it as it is


def test_what_an_unfinished_step_wrote_is_not_found() -> None:
    pool, tree = made(PAGES)
    sequence = computed(pool, tree, text("a"))
    sequence.reserve(5)
    sequence.commit(text("b")[:5])
    sequence.reserve(3)  # and no more is heard of it
    tree.remember(sequence)
    assert tree.longest(text("ab")) == PAGE_SLOTS


def test_the_least_recently_used_goes_first() -> None:
    pool, tree = made(PAGES)
    for letters in ("ab", "ac", "d", "ab"):
        computed(pool, tree, text(letters)).close()
    order = []
    while tree.evict():
        order.append("".join(key for key in ("ab", "ac", "d", "a") if tree.longest(text(key)) == PAGE_SLOTS * len(key)))
    assert order == ["abda", "aba", "a", ""]
    assert pool.used == 0


def test_what_sequences_hold_is_not_forgotten_for_nothing() -> None:
    pool, tree = made(3)
    first = computed(pool, tree, text("ab"))
    computed(pool, tree, text("c")).close()
    own = pool.take()  # "c" goes, though "ab" is older
    assert (tree.longest(text("ab")), tree.longest(text("c"))) == (2 * PAGE_SLOTS, 0)
    with pytest.raises(OutOfBudgetError):
        pool.take()
    assert tree.longest(text("ab")) == 2 * PAGE_SLOTS
    pool.release(own)
    first.close()
    tree.clear()
    assert pool.used == 0


def test_threads_that_take_and_match_do_not_wait_for_each_other() -> None:
    """A pool without pages asks the tree while others ask the tree for pages: two locks in two orders would stand still."""
    pool, tree = made(6)
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(1500):
                computed(pool, tree, text("abcd"[(n + number) % 4 :][:2])[: 32 - n % 5]).close()
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
