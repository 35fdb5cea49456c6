"""Pages are found by whoever asks for the same beginning, through any door of a model, and never change a bit of an answer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.formats.gguf_build import CHATML, tiny_llama
from tests.runtime.books import assert_balanced, assert_empty
from tokenloom.runtime.model import Model
from tokenloom.runtime.prefix import PrefixTree

TEXT = np.random.default_rng(8).integers(3, 280, 200).tolist()
ASK = {"max_tokens": 5, "ignore_eos": True}
Asked = tuple[list[int], int]  # the generated ids and cached_tokens


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    with tokenloom.load(
        tiny_llama(tmp_path_factory.mktemp("reuse") / "m.gguf", template=CHATML, ctx=256), threads=1
    ) as m:
        yield m


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    yield lone
    assert_empty(lone)


def by_generate(model: Model, ids: list[int]) -> Asked:
    running = model.generate_tokens(ids, temp=1.0, **ASK)
    return [*running], running.cached_tokens


def by_many(model: Model, ids: list[int]) -> Asked:
    (result,) = model.generate_many([ids], temp=1.0, **ASK)
    return result.tokens, result.cached_tokens


def by_session(model: Model, ids: list[int]) -> Asked:
    with model.session() as session:
        running = session.generate(ids, temp=1.0, **ASK)
        assert [*running]
        return running.tokens, running.cached_tokens


DOORS: list[Callable[[Model, list[int]], Asked]] = [by_generate, by_many, by_session]


@pytest.mark.parametrize("length", [1, 15, 16, 17, 32, 33, 100])
@pytest.mark.parametrize(("first", "second"), [*itertools.product(DOORS, DOORS)])
def test_every_door_finds_what_any_left(
    first: Callable[[Model, list[int]], Asked], second: Callable[[Model, list[int]], Asked], length: int, model: Model
) -> None:
    """A prompt again, exactly: all of it is found, and one token computed for its output."""
    want = [*model.generate_tokens(TEXT[:length], reuse=False, temp=1.0, **ASK)]
    assert first(model, TEXT[:length]) == (want, 0)
    tokens, cached = second(model, TEXT[:length])
    assert tokens == want
    assert cached == length - 1
    assert_balanced(model)


@pytest.mark.parametrize("first", DOORS)
@pytest.mark.parametrize("shared", [0, 10, 16, 40, 96])
def test_a_shared_beginning_is_found(first: Callable[[Model, list[int]], Asked], shared: int, model: Model) -> None:
    first(model, TEXT[:100])
    list(model.generate_tokens([9], max_tokens=1))  # something else in between
    other = [*TEXT[:shared], *TEXT[150:180]]
    want = [*model.generate_tokens(other, reuse=False, temp=1.0, **ASK)]
    assert by_session(model, other) == (want, shared)
    assert by_generate(model, other)[0] == want


def test_texts_that_take_turns_keep_their_pages(model: Model) -> None:
    """Two conversations through one model: each finds its own again."""
    talks = [TEXT[:40], TEXT[100:150]]
    for turn in range(4):
        for talk in talks:
            running = model.generate_tokens(talk, **ASK)
            tokens = [*running]
            assert tokens == [*model.generate_tokens(talk, reuse=False, **ASK)]
            if turn:
                assert running.cached_tokens == len(talk) - 2  # what was sampled last and what was added are new
            talk += [*tokens, 7 + turn]


def test_sessions_find_each_other_s_text(model: Model) -> None:
    one, two = model.session(), model.session()
    one.append(TEXT[:64])
    steps = model._engine.steps
    two.append(TEXT[:64])
    assert model._engine.steps == steps, "nothing is computed twice"
    assert one._sequence.table[:4] == two._sequence.table[:4]
    two.append([5])
    two.truncate(50)
    two.append([6] * 30)
    for session in (one, two):
        want = model.logits([*session.tokens, 9])[-1]
        assert_same_bits(session.hold([9]).logits, want)
        session.close()


def test_without_reuse_nothing_is_found_or_left(model: Model) -> None:
    used = model._engine.pool.used
    for _ in range(2):
        for cached in (
            (g := model.generate_tokens(TEXT[:50], reuse=False, **ASK), list(g))[0].cached_tokens,
            (g := model.chat([{"role": "user", "content": "one two"}], reuse=False, **ASK), list(g))[0].cached_tokens,
        ):
            assert cached == 0
        with model.session(reuse=False) as session:
            session.append(TEXT[:50])
            session.evict(3, 9)
            session.hold(TEXT[50:90]).admit()
            list(session.generate([4] * 20, **ASK))
        with model.session() as session:
            running = session.generate(TEXT[:50], reuse=False, **ASK)
            assert [*running]
            assert running.cached_tokens == 0
        assert model._engine.pool.used == used


def test_what_is_held_is_not_found_before_it_is_admitted(model: Model) -> None:
    with model.session() as session:
        session.append(TEXT[:20])
        session.hold(TEXT[20:80]).reject()
        assert model._tree.longest(TEXT[:80]) == 20
        held = session.hold(TEXT[20:80])
        assert model._tree.longest(TEXT[:80]) == 20
        held.admit()
        assert model._tree.longest(TEXT[:80]) == 80
        again = model.session()
        again.append(TEXT[:20])
        steps = model._engine.steps
        assert_same_bits(again.hold(TEXT[20:80]).logits, held.logits)
        assert model._engine.steps == steps + 1


def test_a_restored_file_s_pages_are_its_own(model: Model, tmp_path: Path) -> None:
    """Anyone can forge a file; other prompts must not get what it says."""
    with model.session(reuse=False) as session:
        session.append(TEXT[:60])
        session.save(tmp_path / "it")
    restored = model.restore(tmp_path / "it")
    restored.append(TEXT[60:80])
    fork = restored.fork()
    list(fork.generate([5], **ASK))
    assert len(model._tree) == 0
    fork.truncate(0)
    fork.append(TEXT[:40])  # computed here, so it may be found
    assert model._tree.longest(TEXT[:40]) == 40
    restored.append(TEXT[80:100])  # takes nothing from others either: it would be a mixture
    assert model._tree.longest(TEXT[:100]) == 40


def test_guard_on_reuse_fails_when_a_foreign_page_is_found(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    by_session(model, TEXT[:64])
    by_session(model, TEXT[100:164])
    match = PrefixTree._walk
    monkeypatch.setattr(PrefixTree, "_walk", lambda self, tokens: match(self, TEXT[100 : 100 + len(tokens)]))
    running = model.generate_tokens([*TEXT[:64], 9], logprobs=3, **ASK)
    assert [*running]
    monkeypatch.undo()
    alone = model.generate_tokens([*TEXT[:64], 9], logprobs=3, reuse=False, **ASK)
    assert [*alone]
    assert running.logprobs != alone.logprobs
