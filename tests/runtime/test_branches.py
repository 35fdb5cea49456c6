"""Branches of a session: what was forked, held, rejected, truncated or evicted leaves exactly what never having seen it leaves."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.runtime.books import assert_balanced, assert_empty
from tests.runtime.tiny import poisoned
from tokenloom.errors import (
    ClosedError,
    ContextOverflowError,
    NonFiniteLogitsError,
    OutOfBudgetError,
    RequestError,
    SessionBusyError,
)
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.model import Model
from tokenloom.runtime.session import Session

Opener = Callable[..., Model]
TEXT = np.random.default_rng(6).integers(3, 280, 128).tolist()
LATER = [77, 78, 79]


@pytest.fixture(scope="module")
def lone(tiny_file: Path) -> Iterator[Model]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield model


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    """Sessions that a test forgets give their pages back by themselves."""
    yield lone
    gc.collect()
    assert_empty(lone)


def opened_with(model: Model, ids: list[int]) -> Session:
    session = model.session()
    if ids:
        session.append(ids)
    return session


def assert_goes_on_as(session: Session, ids: list[int], model: Model) -> None:
    """Tokens, all later logits, and a sampled text are those of a session that has seen `ids` and nothing else."""
    assert session.tokens == ids
    want = model.logits(ids + LATER)[len(ids) :]
    with session.fork() as branch:
        for n in range(len(LATER)):
            with branch.hold(LATER[n : n + 1]) as held:
                assert_same_bits(held.logits, want[n])
                held.admit()
        said = branch.generate([80], max_tokens=5, temp=1.0, seed=4, ignore_eos=True)
        assert [*said]
        assert said.tokens == list(
            model.generate_tokens([*ids, *LATER, 80], max_tokens=5, temp=1.0, seed=4, ignore_eos=True, reuse=False)
        )


def spans(seed: int, count: int) -> list[tuple[int, int, int]]:
    """Lengths of a text and spans in it, among them those at its ends and at pages' edges."""
    rng = random.Random(seed)
    edges = [0, 1, 15, 16, 17, 32, 48, 64, 100]
    found = []
    while len(found) < count:
        length = rng.choice([*edges[1:], rng.randrange(1, 101)])
        start, stop = sorted(rng.choice([0, length, rng.randrange(length + 1), *edges]) for _ in range(2))
        if stop <= length:
            found.append((length, start, stop))
    return found


# ---- as if never seen ----------------------------------------------------------------------------------------------------


def test_what_was_held_and_rejected_was_never_seen(model: Model) -> None:
    for length, start, stop in spans(1, 60):
        session = opened_with(model, TEXT[:length])
        held = session.hold(TEXT[start : max(start + 1, min(stop, start + 128 - length))])
        assert session.tokens == TEXT[:length]
        held.reject()
        assert_goes_on_as(session, TEXT[:length], model)
        session.close()


def test_what_was_truncated_was_never_seen(model: Model) -> None:
    for length, start, _ in spans(2, 60):
        session = opened_with(model, TEXT[:length])
        session.truncate(start)
        assert_goes_on_as(session, TEXT[:start], model)
        session.close()


def test_what_was_evicted_was_never_seen(model: Model) -> None:
    for length, start, stop in spans(3, 60):
        session = opened_with(model, TEXT[:length])
        session.evict(start, stop)
        assert_goes_on_as(session, TEXT[:start] + TEXT[stop:length], model)
        session.close()


def test_all_of_them_one_after_another(model: Model) -> None:
    session = opened_with(model, TEXT[:50])
    other = session.fork()
    session.hold(TEXT[60:80]).reject()
    session.hold(TEXT[80:90]).admit()
    session.evict(10, 30)
    session.truncate(35)
    assert_goes_on_as(session, [*TEXT[:10], *TEXT[30:50], *TEXT[80:85]], model)
    assert_goes_on_as(other, TEXT[:50], model)


def test_dropping_the_pages_of_a_middle_span_is_not_the_same(model: Model) -> None:
    """What follows a span has seen it: its pages keep that, and the span's absence shows."""
    session = opened_with(model, TEXT[:96])
    sequence, start, stop = session._sequence, 32, 64
    for number in range(start // PAGE_SLOTS, stop // PAGE_SLOTS):
        sequence.pool.release(sequence.table[number])
    kept = [*range(start // PAGE_SLOTS), *range(stop // PAGE_SLOTS, sequence.held)]
    for place, number in enumerate(kept):
        sequence.table[place] = sequence.table[number]
    sequence.held = len(kept)
    session._tokens = TEXT[:start] + TEXT[stop:96]
    sequence._tokens, sequence.length, sequence.written = [*session._tokens], 64, 64
    got = session.hold([77]).logits
    want = model.logits([*session.tokens, 77])[-1]
    off = float(np.abs(got - want).max())
    print(
        f"logits are off by up to {off:.3f}, of a range of {float(np.ptp(want)):.3f}; likeliest: {got.argmax()} for {want.argmax()}"
    )
    assert off > 0.01 * float(np.ptp(want))
    assert (got != want).mean() > 0.99


# ---- branches ------------------------------------------------------------------------------------------------------------


def test_a_fork_copies_no_pages(model: Model) -> None:
    session = opened_with(model, TEXT[:100])
    used = model._engine.pool.used
    forks = [session.fork() for _ in range(20)]
    assert model._engine.pool.used == used
    for n, fork in enumerate(forks):
        fork.append([n + 5])
    assert model._engine.pool.used == used + 20  # each its last, partial page
    assert {fork.nbytes for fork in forks} == {session.nbytes} == {7 * model._engine.pool.page_nbytes}
    session.close()
    for n, fork in enumerate(forks):
        assert_goes_on_as(fork, [*TEXT[:100], n + 5], model)
    assert_balanced(model, forks)


def test_a_held_branch_is_inspected_and_admitted(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    held = session.hold(TEXT[20:25])
    assert (held.ids, held.tokens) == (TEXT[20:25], TEXT[:25])
    assert_same_bits(held.logits, model.logits(TEXT[:25])[-1])
    steps = model._engine.steps
    held.ids.append(5)  # the caller's own list
    held.tokens.append(5)
    held.admit()
    assert model._engine.steps == steps
    assert_goes_on_as(session, TEXT[:25], model)


def test_text_is_held_as_it_would_be_appended(model: Model) -> None:
    session, other = model.session(), model.session()
    for text in ("hello", " world"):
        other.append(text)
        held = session.hold(text)
        assert held.tokens == other.tokens
        held.admit()


def test_a_branch_is_used_once(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    admitted, rejected = session.hold([5]), session.hold([6])
    rejected.reject()
    admitted.admit()
    for held in (admitted, rejected):
        for use in (held.admit, held.reject):
            with pytest.raises(ClosedError, match="already admitted or rejected"):
                use()
    assert_goes_on_as(session, [*TEXT[:20], 5], model)


def test_a_with_statement_rejects_what_it_did_not_admit(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    used = model._engine.pool.used
    with session.hold(TEXT[20:60]):
        assert model._engine.pool.used > used
    with pytest.raises(KeyError), session.hold(TEXT[20:60]):
        raise KeyError
    assert model._engine.pool.used == used
    with session.hold(TEXT[20:60]) as held:
        held.admit()
    assert session.tokens == TEXT[:60]
    with session.hold([5]) as held:
        held.reject()
    with model.session() as other:
        other.append([5])
    with pytest.raises(ClosedError):
        other.append([5])


def test_a_session_that_changed_admits_nothing_old(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    for change in (
        lambda: session.append([5]),
        lambda: session.truncate(10),
        lambda: session.evict(2, 3),
        lambda: list(session.generate([5], max_tokens=1)),
        lambda: session.hold([9]).admit(),
    ):
        session.truncate(0)
        session.append(TEXT[:20])
        held = session.hold([5, 6])
        change()
        with pytest.raises(RequestError, match="changed since"):
            held.admit()
        held.reject()
    session.close()
    empty = model.session()
    held = empty.hold([5])
    empty.close()
    with pytest.raises(ClosedError, match="closed"):
        held.admit()
    held.reject()


def test_a_session_in_use_has_no_branches(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    held = session.hold([5])
    running = session.generate([6], max_tokens=9, ignore_eos=True)
    next(running)
    for use in (
        session.fork,
        lambda: session.hold([5]),
        lambda: session.evict(0, 1),
        held.admit,
        lambda: session.save("x"),
    ):
        with pytest.raises(SessionBusyError):
            use()
    running.close()
    held.reject()


def test_what_is_refused(model: Model) -> None:
    session = opened_with(model, TEXT[:20])
    for start, stop in ((-1, 3), (3, 2), (0, 21)):
        with pytest.raises(RequestError, match=f"start={start}, stop={stop} .*20 tokens"):
            session.evict(start, stop)
    with pytest.raises(RequestError, match="nothing to hold"):
        session.hold([])
    with pytest.raises(ContextOverflowError, match="129 tokens"):
        session.hold(TEXT[:109])
    with pytest.raises(RequestError, match="vocabulary"):
        session.hold([10**6])
    assert_goes_on_as(session, TEXT[:20], model)
    session.close()
    for use in (
        session.fork,
        lambda: session.hold([5]),
        lambda: session.evict(0, 0),
        lambda: session.truncate(0),
        lambda: session.save("x"),
    ):
        with pytest.raises(ClosedError, match="closed"):
            use()


# ---- failures ------------------------------------------------------------------------------------------------------------


def test_a_branch_that_fails_leaves_nothing(tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", 200, float("nan"), ctx=128))
    session = opened_with(model, TEXT[:20])
    for ids in ([200], [*TEXT[20:100], 200], [TEXT[20], 200, TEXT[21]]):
        with pytest.raises(NonFiniteLogitsError):
            session.hold(ids)
        assert_balanced(model, [session])
    assert_goes_on_as(session, TEXT[:20], model)
    session.close()
    assert_empty(model)


def test_an_eviction_without_pages_is_finished_by_the_next_use(model: Model) -> None:
    pool = model._engine.pool
    session = opened_with(model, TEXT[:100])
    fork = session.fork()
    taken = [pool.take() for _ in range(pool.pages - pool.used)]
    for use in (lambda: session.evict(20, 30), lambda: session.append([5]), lambda: session.hold([5])):
        with pytest.raises(OutOfBudgetError):
            use()
        assert session.tokens == TEXT[:20] + TEXT[30:100]
    for page in taken:
        pool.release(page)
    assert_goes_on_as(session, TEXT[:20] + TEXT[30:100], model)
    assert_goes_on_as(fork, TEXT[:100], model)


def test_what_is_forgotten_gives_its_pages_back(model: Model) -> None:
    used = model._engine.pool.used
    session = opened_with(model, TEXT[:50])
    fork, held = session.fork(), session.hold(TEXT[50:90])
    assert model._engine.pool.used > used
    del session, fork, held
    model._tree.clear()
    assert model._engine.pool.used == used
