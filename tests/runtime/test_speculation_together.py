"""Guessing ahead in joint steps: every job says what it says alone, whoever guesses beside it, fails, leaves or is preempted."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.formats.gguf_build import CHATML, tiny_llama
from tests.runtime.books import Oracle, Solo, assert_balanced, assert_empty, job, limit_pages, outcome
from tests.runtime.tiny import EOS, byte_id, ids_of, in_a_circle, poisoned, reciter
from tokenloom.errors import OutOfBudgetError
from tokenloom.runtime import joint_step
from tokenloom.runtime.drafts import NgramDrafter
from tokenloom.runtime.engine import MAX_OUTS, RECORDS
from tokenloom.runtime.job import Job
from tokenloom.runtime.many import run_all
from tokenloom.runtime.model import Model
from tokenloom.runtime.pace import Costs
from tokenloom.runtime.speculation import Drafting

Opener = Callable[..., Model]
TEXT = np.random.default_rng(9).integers(3, 280, 128).tolist()
ASKS: list[dict[str, Any]] = [
    {},
    {"temp": 0.8},
    {"temp": 1.3, "top_k": 30, "top_p": 0.9, "min_p": 0.01},
    {"repeat_penalty": 1.2, "frequency_penalty": 0.1, "presence_penalty": 0.1, "repeat_last_n": 9},
    {"temp": 0.6, "repeat_penalty": 1.1, "repeat_last_n": -1},
]
RIGHT: dict[str, Callable[[int], bool]] = {
    "always": lambda at: True,
    "never": lambda at: False,
    "mostly": lambda at: at % 7 != 0,
    "half": lambda at: at % 2 == 0,
}


@pytest.fixture(scope="module")
def lone(tiny_file: Path) -> Iterator[Model]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield model


@pytest.fixture(scope="module")
def solo(tiny_file: Path) -> Iterator[Solo]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield Solo(model)


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps cost what they have rows, whatever else the machine does: the pace would follow its clock."""
    saw = Costs.saw
    monkeypatch.setattr(Costs, "saw", lambda self, rows, _: saw(self, rows, 0.95 + 0.05 * rows))


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    """With nothing in it, before and after."""
    limit_pages(lone, 500)
    yield lone
    assert_empty(lone)


def guessing(model: Model, solo: Solo, right: Callable[[int], bool], prompt: list[int], **ask: Any) -> Job:
    """A job whose guesses come from what it will say."""
    return job(model, prompt, drafter=solo.drafter(job(model, prompt, **ask), right), **ask)


def drafts_of(j: Job) -> tuple[int, int]:
    assert j.drafting is not None
    assert j.drafting.drafts.stopped is None
    return j.drafting.drafts.drafted, j.drafting.drafts.accepted


@pytest.mark.parametrize("size", [1, 2, 5, 33, 64])
@pytest.mark.parametrize("right", RIGHT)
def test_the_texts_are_the_same(right: str, size: int, model: Model, solo: Solo) -> None:
    """Of different lengths, ends and settings, some of them without guesses."""
    jobs = []
    for n in range(size):
        ask = {**ASKS[n % len(ASKS)], "seed": n % 3, "max_tokens": (24, 1, 3, 40)[n % 4]}
        prompt = TEXT[n % 5 : n % 5 + 3 + 5 * (n % 6)]
        jobs.append(job(model, prompt, **ask) if n % 7 == 3 else guessing(model, solo, RIGHT[right], prompt, **ask))
    model._scheduler.submit(jobs)
    while not all(j.done for j in jobs):
        model._scheduler.advance()
        assert_balanced(model)
    for j in jobs:
        solo.check(j)
    drafted = sum(drafts_of(j)[0] for j in jobs if j.drafting)
    accepted = sum(drafts_of(j)[1] for j in jobs if j.drafting)
    assert drafted > 5
    assert accepted == {"always": drafted, "never": 0}.get(right, accepted)


@pytest.mark.parametrize(("right", "fewest", "most"), [("always", 9, 14), ("never", 60, 60)])
def test_right_guesses_take_few_steps(right: str, fewest: int, most: int, model: Model, solo: Solo) -> None:
    jobs = [guessing(model, solo, RIGHT[right], TEXT[n : n + 5], max_tokens=60) for n in range(4)]
    before = model._engine.steps
    run_all(model._scheduler, jobs)
    assert fewest <= model._engine.steps - before <= most
    if right == "never":
        assert all(drafts_of(j)[0] <= 10 for j in jobs)


def test_guesses_have_a_price_while_prompts_keep_coming(
    model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step is without prompts then, so none of only decoding rows was measured: rows cost alike."""
    monkeypatch.setattr(model._engine, "beside_rows", 16)
    monkeypatch.setattr(model._engine, "learn_speed", lambda rows, seconds: None)
    monkeypatch.setattr(model._scheduler, "_costs", Costs())
    paid: list[tuple[int, float]] = []
    judged = Drafting.judged
    monkeypatch.setattr(
        Drafting, "judged", lambda self, drafted, right, cost: (paid.append((drafted, cost)), judged(self, drafted, right, cost))
    )  # fmt: skip
    jobs = [guessing(model, solo, RIGHT["half"], TEXT[n : n + 5], max_tokens=40) for n in range(3)]
    model._scheduler.submit(jobs)
    arriving = []
    while not all(j.done for j in jobs):
        if len(model._scheduler.running) + len(model._scheduler.waiting) < 6:
            arriving.append(job(model, TEXT[:100], reuse=False, max_tokens=1))
            model._scheduler.submit(arriving[-1:])
        model._scheduler.advance()
    model._scheduler.cancel(arriving)
    for j in jobs:
        solo.check(j)
    together = paid[: len(paid) // 2]  # all three decode
    assert len(together) > 10
    assert all(cost >= 0.99 * drafted * 3 / 19 for drafted, cost in together)


def test_nobody_guesses_where_outputs_are_needed(model: Model, solo: Solo) -> None:
    """A full scheduler has none left, and guesses beside many are few: a step takes so many outputs and no more."""
    jobs = [guessing(model, solo, RIGHT["always"], [n + 5], max_tokens=12) for n in range(MAX_OUTS)]
    before = model._engine.steps
    run_all(model._scheduler, jobs)
    assert model._engine.steps - before == 12
    assert sum(drafts_of(j)[0] for j in jobs) == 0


@pytest.mark.parametrize("left", [0, 1, 2, 5, 9])
def test_the_context_s_end(left: int, model: Model, solo: Solo) -> None:
    jobs = [guessing(model, solo, RIGHT["always"], TEXT[: 128 - left - n]) for n in range(3)]
    run_all(model._scheduler, jobs)
    for n, j in enumerate(jobs):
        solo.check(j)
        assert len(j.tokens) == left + n + 1


def test_an_end_within_a_draft(tmp_path: Path, opened: Opener) -> None:
    """End of text and stop strings; nothing past them stays in the cache as text."""
    letters = b"abcdefghijklm"
    follows = {byte_id(a): byte_id(b) for a, b in itertools.pairwise(letters)}
    model = opened(reciter(tmp_path / "m.gguf", {**follows, byte_id("m"): EOS, EOS: byte_id("a")}))
    model._scheduler._costs.saw(3, 1.0)
    prompts = [[*ids_of(letters), EOS, *ids_of(start)] for start in (b"ab", b"cde", b"ghi")]
    for stop in (None, "jk", "k"):
        got = model.generate_many(prompts, speculate="ngram", stop=stop)
        want = model.generate_many(prompts, stop=stop, reuse=False)
        assert [(r.text, r.tokens, r.finish_reason) for r in got] == [(r.text, r.tokens, r.finish_reason) for r in want]
        assert sum(r.drafts.accepted for r in got if r.drafts) > 5
        assert all(r.drafts is None for r in want)
    assert_empty(model)


@pytest.mark.parametrize("ask", [{}, {"temp": 0.3, "seed": 5, "n": 2}])
def test_a_repetitive_text_is_guessed(ask: dict[str, Any], tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "circle.gguf", in_a_circle(b"abcdefghij"), ctx=512, template=CHATML))
    prompts = ["abcd", "cdefg", "hij"]
    plain = {**ask, "max_tokens": 90, "ignore_eos": True, "raw": True, "logprobs": 2}
    want = model.generate_many(prompts, reuse=False, **plain)
    steps = model._engine.steps
    got = model.generate_many(prompts, speculate="ngram", **plain)
    assert model._engine.steps - steps < 45
    assert [(r.text, r.tokens, r.logprobs) for r in got] == [(r.text, r.tokens, r.logprobs) for r in want]
    assert all(r.drafts and r.drafts.acceptance > 0.8 and r.drafts.accepted > 40 for r in got)


def test_each_of_many_asks_may_guess(tmp_path: Path, opened: Opener) -> None:
    model = opened(tiny_llama(tmp_path / "m.gguf", ctx=128))
    asks = [
        {"prompt": "the cat " * 3, "max_tokens": 20, "ignore_eos": True, "speculate": s} for s in (None, "ngram", "x")
    ]
    found: dict[int, Any] = {}
    model.generate_each(asks, found.__setitem__)
    assert found[0].tokens == found[1].tokens
    assert (found[0].drafts, found[1].drafts is not None) == (None, True)
    assert "speculate='x' is not valid" in str(found[2].error)


# ---- what else happens ---------------------------------------------------------------------------------------------------


def test_preempted_and_cancelled_jobs(model: Model, solo: Solo) -> None:
    """On a pool where pages are short, some leaving in the middle."""
    limit_pages(model, 12)
    rng = random.Random(2)
    jobs = [guessing(model, solo, RIGHT["mostly"], TEXT[n : n + 12], temp=1.0, seed=n, max_tokens=60) for n in range(9)]
    model._scheduler.submit(jobs)
    steps = 0
    while not all(j.done for j in jobs):
        model._scheduler.advance()
        assert_balanced(model)
        steps += 1
        if steps % 9 == 0 and len(jobs) > 5:
            gone = rng.choice([j for j in jobs if not j.done])
            model._scheduler.cancel([gone])
            jobs.remove(gone)
    assert sum(j.preemptions for j in jobs) >= 2
    for j in jobs:
        solo.check(j)


@pytest.mark.parametrize("right", [None, "always", "half"])
def test_a_page_that_only_a_guess_needs(
    right: str | None, model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guesses preempt nobody: one text needs a fourth page when the other has ended, and wants it for a guess before."""
    jobs = []
    for n, most in enumerate((34, 19)):  # 63 slots and 48
        ask = {"max_tokens": most}
        prompt = TEXT[n : n + 30]
        jobs.append(guessing(model, solo, RIGHT[right], prompt, **ask) if right else job(model, prompt, **ask))
    limit_pages(model, 6)
    step, short = model._engine.step, 0

    def counted(*arguments: Any) -> int:
        nonlocal short
        try:
            return step(*arguments)
        except OutOfBudgetError:
            short += 1
            raise

    monkeypatch.setattr(model._engine, "step", counted)
    run_all(model._scheduler, jobs)
    for j in jobs:
        solo.check(j)
        assert j.preemptions == 0
    assert (short > 0) == (right is not None)


def test_a_guess_that_fails_harms_nobody(tmp_path: Path, opened: Opener) -> None:
    """A drafted token whose row overflows is not the text's; a text that fails itself ends alone all the same."""
    path = poisoned(tmp_path / "bad.gguf", 200, math.nan, ctx=128)
    model, solo = opened(path), Solo(opened(path))

    class Poison(Oracle):
        def propose(self, text: list[int], most: int) -> list[int]:
            return [200][:most]

    fine = [t for t in TEXT if t != 200]
    ask = {"max_tokens": 30, "logit_bias": {200: -math.inf}, "temp": 0.7}
    jobs = [job(model, fine[n : n + 9], drafter=Poison(RIGHT["never"], []), **ask) for n in range(4)]
    bad = job(model, [*fine[:5], 200], drafter=NgramDrafter(), **ask)
    run_all(model._scheduler, [*jobs[:2], bad, *jobs[2:]])
    for j in jobs:
        solo.check(j)
    assert bad.error is not None
    assert_empty(model)


def test_a_drafter_that_fails_ends_guessing_alone(model: Model, solo: Solo) -> None:
    class Failing(Oracle):
        def propose(self, text: list[int], most: int) -> list[int]:
            raise OutOfBudgetError("no room")

    failing = job(model, TEXT[:20], drafter=Failing(RIGHT["never"], []), max_tokens=20)
    other = guessing(model, solo, RIGHT["always"], TEXT[5:20], max_tokens=20)
    run_all(model._scheduler, [failing, other])
    for j in (failing, other):
        solo.check(j)
    assert failing.drafting is not None
    assert isinstance(failing.drafting.drafts.stopped, OutOfBudgetError)
    assert drafts_of(other)[1] > 5


def test_few_records_mean_few_guesses(model: Model, solo: Solo) -> None:
    for spare in (2, 3, 5, 9):
        kept = [model._engine.take_record() for _ in range(RECORDS - spare)]
        jobs = [guessing(model, solo, RIGHT["always"], TEXT[n : n + 9], max_tokens=20) for n in range(2)]
        run_all(model._scheduler, jobs)
        for j in jobs:
            solo.check(j)
        for record in kept:
            model._engine.give_record(record)
        assert len(model._engine._records) == RECORDS


@pytest.mark.parametrize("at", range(1, 9, 2))
@pytest.mark.parametrize("before", [True, False])
def test_an_interrupt_leaves_nothing(
    at: int, before: bool, model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a step, and after it, when drafts are computed and not yet judged."""
    jobs = [guessing(model, solo, RIGHT["mostly"], TEXT[n : n + 9], max_tokens=30) for n in range(3)]
    step, calls = model._engine.step, 0

    def broken(*arguments: Any) -> int:
        nonlocal calls
        calls += 1
        if calls == at and before:
            raise KeyboardInterrupt
        result = step(*arguments)
        if calls == at:
            raise KeyboardInterrupt
        return result

    monkeypatch.setattr(model._engine, "step", broken)
    with pytest.raises(KeyboardInterrupt):
        run_all(model._scheduler, jobs)
    assert not model._scheduler.running
    assert_balanced(model)


def test_a_finished_text_is_forgotten_by_its_drafter(model: Model) -> None:
    drafter = NgramDrafter()
    run_all(model._scheduler, [job(model, TEXT[:40], drafter=drafter, max_tokens=20)])
    assert drafter._known == 0
    assert not any(drafter._after.values())


def test_guard_on_joint_speculation_fails_when_wrong_guesses_are_kept(
    model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_step, "count_accepted", lambda draft, sampled: len(draft))
    jobs = [guessing(model, solo, RIGHT["half"], TEXT[n : n + 9], max_tokens=30) for n in range(2)]
    run_all(model._scheduler, jobs)
    assert [outcome(j) for j in jobs] != [solo(j) for j in jobs]
