"""Pages and sequences under random histories: the books balance, and what a sequence holds decides its logits, not how it came to hold it."""

from __future__ import annotations

import ctypes
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.exact.bits import assert_same_bits, fed, in_chunks, next_alone
from tokenloom.errors import ClosedError, ContextOverflowError, OutOfBudgetError, RequestError
from tokenloom.jit.ir import f16, f32, i8
from tokenloom.kernels.kv_page import KVShape
from tokenloom.runtime.engine import MAX_OUTS, MAX_ROWS, Rows
from tokenloom.runtime.model import Model
from tokenloom.runtime.pages import PagePool
from tokenloom.runtime.sequence import Sequence

SHAPES = [KVShape(2, 16, f16), KVShape(1, 32, f32), KVShape(1, 48, i8)]
PAGES = 6
QUICK = settings(max_examples=50, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def contents(pool: PagePool, page: int) -> list[bytes]:
    return [
        ctypes.string_at(pool.slab_address(i) + page * s.page_bytes, s.page_bytes) for i, s in enumerate(pool.shapes)
    ]


def scribble(pool: PagePool, page: int, byte: int) -> None:
    for i, shape in enumerate(pool.shapes):
        ctypes.memset(pool.slab_address(i) + page * shape.page_bytes, byte, shape.page_bytes)


class Pages(RuleBasedStateMachine):
    """A pool against a dictionary: page -> (holders, byte it is filled with)."""

    def __init__(self) -> None:
        super().__init__()
        self.pool = PagePool(SHAPES, PAGES)
        self.held: dict[int, tuple[int, int]] = {}

    def pick(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.held)))

    @rule(byte=st.integers(1, 255))
    def take(self, byte: int) -> None:
        if len(self.held) == PAGES:
            with pytest.raises(OutOfBudgetError, match=f"all {PAGES} KV pages"):
                self.pool.take()
            return
        page = self.pool.take()
        assert page not in self.held
        assert not any(any(part) for part in contents(self.pool, page))
        scribble(self.pool, page, byte)
        self.held[page] = (1, byte)

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def share(self, data: st.DataObject) -> None:
        page = self.pick(data)
        assert self.pool.share(page) == page
        self.held[page] = (self.held[page][0] + 1, self.held[page][1])

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        page = self.pick(data)
        self.pool.release(page)
        holders, byte = self.held.pop(page)
        if holders > 1:
            self.held[page] = (holders - 1, byte)

    @precondition(lambda self: 0 < len(self.held) < PAGES)
    @rule(data=st.data(), byte=st.integers(1, 255))
    def copy_and_write(self, data: st.DataObject, byte: int) -> None:
        page = self.pick(data)
        own = self.pool.copy(page)
        assert own not in self.held
        assert contents(self.pool, own) == contents(self.pool, page)
        scribble(self.pool, own, byte)
        self.held[own] = (1, byte)

    @invariant()
    def the_books_balance(self) -> None:
        assert self.pool.used == len(self.held)
        for page, (holders, byte) in self.held.items():
            assert self.pool.is_shared(page) == (holders > 1)
            assert all(set(part) == {byte} for part in contents(self.pool, page))


TestPages = Pages.TestCase
TestPages.settings = settings(QUICK, max_examples=60)


class Sequences(RuleBasedStateMachine):
    """Sequences of a tiny model against lists of tokens."""

    model: Model

    @initialize()
    def begin(self) -> None:
        self.engine = self.model._engine
        self.live: list[tuple[Sequence, list[int]]] = []
        assert self.engine.pool.used == 0

    tokens = st.lists(st.integers(3, 280), min_size=1, max_size=24)

    @precondition(lambda self: len(self.live) < 5)
    @rule()
    def open_one(self) -> None:
        self.live.append((self.engine.new_sequence(), []))

    @precondition(lambda self: self.live)
    @rule(data=st.data(), tokens=tokens)
    def feed(self, data: st.DataObject, tokens: list[int]) -> None:
        sequence, known = data.draw(st.sampled_from(self.live))
        if len(known) + len(tokens) > self.model.ctx:
            with pytest.raises(ContextOverflowError, match=f"{len(known) + len(tokens)} tokens .* {self.model.ctx}"):
                self.engine.step([Rows(sequence, tokens)])
            return
        self.engine.step([Rows(sequence, tokens)])
        known += tokens
        assert_same_bits(self.engine.logits(1), self.model.logits(known)[-1:])

    @precondition(lambda self: len(self.live) > 1)
    @rule(token=st.integers(3, 280))
    def feed_all(self, token: int) -> None:
        ready = [(s, known) for s, known in self.live if len(known) < self.model.ctx]
        outs = self.engine.step([Rows(s, [token]) for s, _ in ready]) if ready else 0
        got = self.engine.logits(outs)
        for (_, known), row in zip(ready, got, strict=True):
            known.append(token)
            assert_same_bits(row, self.model.logits(known)[-1])

    @precondition(lambda self: 0 < len(self.live) < 5)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        sequence, known = data.draw(st.sampled_from(self.live))
        self.live.append((sequence.fork(), [*known]))

    @precondition(lambda self: self.live)
    @rule(data=st.data(), keep=st.floats(0, 1))
    def truncate(self, data: st.DataObject, keep: float) -> None:
        sequence, known = data.draw(st.sampled_from(self.live))
        length = int(keep * len(known))
        sequence.truncate(length)
        del known[length:]

    @precondition(lambda self: self.live)
    @rule(data=st.data(), tokens=tokens)
    def fail(self, data: st.DataObject, tokens: list[int]) -> None:
        """A step that was interrupted before its commit."""
        sequence, known = data.draw(st.sampled_from(self.live))
        if len(known) + len(tokens) <= self.model.ctx:
            commit, sequence.commit = sequence.commit, interrupted  # type: ignore[method-assign]
            with pytest.raises(KeyboardInterrupt):
                self.engine.step([Rows(sequence, tokens)])
            sequence.commit = commit  # type: ignore[method-assign]

    @precondition(lambda self: self.live)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        number = data.draw(st.integers(0, len(self.live) - 1))
        sequence, _ = self.live.pop(number)
        sequence.close()
        with pytest.raises(ClosedError):
            sequence.reserve(1)

    @invariant()
    def the_books_balance(self) -> None:
        holders = Counter(s.table[i] for s, _ in self.live for i in range(s.held))
        assert self.engine.pool.used == len(holders)
        assert all(self.engine.pool.is_shared(page) == (n > 1) for page, n in holders.items())
        assert all(s.tokens == known and s.length == len(known) for s, known in self.live)

    def teardown(self) -> None:
        for sequence, _ in getattr(self, "live", ()):
            sequence.close()
        assert self.model._engine.pool.used == 0


def interrupted(_: object) -> None:
    raise KeyboardInterrupt


def test_sequences(tiny: Model) -> None:
    bound = type("Bound", (Sequences,), {"model": tiny})
    run_state_machine_as_test(bound, settings=QUICK)


@pytest.mark.parametrize("at", [1, 15, 16, 17, 40])
def test_a_fork_that_diverges_leaves_its_parent_alone(at: int, tiny: Model) -> None:
    engine, ids = tiny._engine, np.random.default_rng(1).integers(3, 280, 60).tolist()
    parent = fed(engine, ids[:at])
    want = in_chunks(engine, ids, 64)[at:]
    fork = parent.fork()
    fork.truncate(at - 1)
    in_chunks(engine, ids[30:50], 3, fork)
    other = parent.fork()
    assert_same_bits(in_chunks(engine, ids[at:], 7, parent), want)
    assert_same_bits(in_chunks(engine, ids[at:], 64, other), want)
    for s in (parent, fork, other):
        s.close()
    assert engine.pool.used == 0


def test_guard_on_forks_fails_when_a_shared_page_is_written(tiny: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PagePool, "is_shared", lambda self, page: False)
    with pytest.raises(pytest.fail.Exception, match="values differ"):
        test_a_fork_that_diverges_leaves_its_parent_alone(40, tiny)
    monkeypatch.undo()
    _free_all(tiny)


def _free_all(model: Model) -> None:
    pool = model._engine.pool
    for page in range(pool.pages):
        for _ in range(pool._counts[page]):
            pool.release(page)


def test_a_cut_sequence_is_one_that_never_saw_the_rest(tiny: Model) -> None:
    engine, ids = tiny._engine, np.random.default_rng(2).integers(3, 280, 100).tolist()
    sequence = fed(engine, ids)
    for length in (99, 64, 63, 33, 16, 15, 1, 0):
        sequence.truncate(length)
        fresh = fed(engine, ids[:length])
        assert_same_bits(next_alone(engine, sequence, 77), next_alone(engine, fresh, 77))
        fresh.close()
    sequence.close()


def test_a_step_takes_so_many_rows_and_no_more(tiny: Model) -> None:
    engine = tiny._engine
    held = [engine.new_sequence() for _ in range(2)]
    ids = [5] * 65
    with pytest.raises(RequestError, match=f"{MAX_ROWS} rows"):
        engine.step([Rows(s, ids, "none") for s in held])
    with pytest.raises(RequestError, match=f"{MAX_OUTS} rows of logits"):
        engine.step([Rows(held[0], ids, "all")])
    engine.step([Rows(s, ids[:64], "none") for s in held])
    for s in held:
        assert s.tokens == ids[:64]
        s.close()
    assert engine.pool.used == 0


def test_a_pool_without_pages_refuses_and_recovers(tiny: Model) -> None:
    engine = tiny._engine
    taken = [engine.pool.take() for _ in range(engine.pool.pages - 1)]
    one = engine.new_sequence()
    engine.step([Rows(one, [5] * 10)])
    two = engine.new_sequence()
    with pytest.raises(OutOfBudgetError, match="KV pages"):
        engine.step([Rows(one, [6] * 3), Rows(two, [7])])
    assert (one.tokens, two.tokens) == ([5] * 10, [])
    engine.step([Rows(one, [6] * 3)])
    got = engine.logits(1)
    for page in taken:
        engine.pool.release(page)
    assert_same_bits(got, tiny.logits([5] * 10 + [6] * 3)[-1:])
    one.close()
    two.close()
    assert engine.pool.used == 0


def test_nothing_to_discard_takes_no_page(tiny: Model) -> None:
    """A last page that others share stays theirs as well."""
    engine = tiny._engine
    one = engine.new_sequence()
    engine.step([Rows(one, [5] * 10)])
    two = one.fork()
    taken = [engine.pool.take() for _ in range(engine.pool.pages - 1)]
    two.discard_uncommitted()
    assert (two.tokens, two.table[0]) == ([5] * 10, one.table[0])
    for page in taken:
        engine.pool.release(page)
    one.close()
    two.close()
    assert engine.pool.used == 0
