"""The scheduler's promises about work and memory: what is computed, who advances, who is removed, what stays. Answers: test_schedules.py."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.runtime.books import Solo, assert_balanced, assert_empty, job, limit_pages, outcome
from tests.runtime.tiny import poisoned
from tokenloom.errors import ClosedError, NonFiniteLogitsError, NothingAllowedError, OutOfBudgetError, RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.drafts import drafter_of
from tokenloom.runtime.engine import MAX_OUTS, RECORDS, Engine, Rows
from tokenloom.runtime.generation import Lease, make_request
from tokenloom.runtime.job import Job
from tokenloom.runtime.many import run_all
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]
TEXT = np.random.default_rng(5).integers(3, 280, 128).tolist()
BAD = 200
REQUEST = make_request(300)


@pytest.fixture(scope="module")
def lone(tiny_file: Path) -> Iterator[Model]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield model


@pytest.fixture(scope="module")
def solo(tiny_file: Path) -> Iterator[Solo]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield Solo(model)


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    """With nothing in it, before and after."""
    limit_pages(lone, 500)
    yield lone
    assert_empty(lone)


def drive(model: Model, steps: int = 10**6) -> None:
    while steps and (model._scheduler.waiting or model._scheduler.running):
        model._scheduler.advance()
        steps -= 1


# ---- what is computed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 15, 16, 17, 32, 33, 100])
@pytest.mark.parametrize("at_once", [True, False])
def test_samples_share_their_prefill(length: int, at_once: bool, model: Model, solo: Solo) -> None:
    jobs = [job(model, TEXT[:length], temp=1.0, seed=n, max_tokens=4) for n in range(9)]
    for group in [jobs] if at_once else [[j] for j in jobs]:
        run_all(model._scheduler, group)
    found = 0 if at_once and length < PAGE_SLOTS else length - 1  # nobody waits for less than a page
    assert [j.prefilled_tokens for j in jobs] == [length] + [length - found] * 8
    assert [j.cached_tokens for j in jobs] == [0] + [found] * 8
    for j in jobs:
        solo.check(j)
    assert len({tuple(j.tokens) for j in jobs}) > 1


@pytest.mark.parametrize("shared", [0, 10, 16, 31, 48, 80])
def test_a_shared_beginning_is_computed_once(shared: int, model: Model, solo: Solo) -> None:
    own = 20
    jobs = [job(model, TEXT[:shared] + [100 + n] * own, max_tokens=3) for n in range(6)]
    run_all(model._scheduler, jobs)
    found = shared if shared >= PAGE_SLOTS else 0
    assert sum(j.prefilled_tokens for j in jobs) == len(jobs) * (shared + own) - (len(jobs) - 1) * found
    for j in jobs:
        solo.check(j)


def test_an_answer_is_found_by_the_next_turn(model: Model) -> None:
    first = job(model, TEXT[:40], max_tokens=30)
    run_all(model._scheduler, [first])
    second = job(model, [*TEXT[:40], *first.tokens, *TEXT[50:60]], max_tokens=2)
    run_all(model._scheduler, [second])
    assert (second.cached_tokens, second.prefilled_tokens) == (69, 11)  # the last token was never computed


def test_without_reuse_nothing_is_found_or_left(model: Model) -> None:
    for _ in range(2):
        jobs = [job(model, TEXT[:40], reuse=False, max_tokens=4) for _ in range(3)]
        run_all(model._scheduler, jobs)
        assert [(j.cached_tokens, j.prefilled_tokens) for j in jobs] == [(0, 40)] * 3
        assert model._engine.pool.used == 0


def test_what_runs_together_takes_few_steps(model: Model) -> None:
    before = model._engine.steps
    run_all(model._scheduler, [job(model, [n + 5], max_tokens=20) for n in range(MAX_OUTS)])
    assert model._engine.steps - before == 20


# ---- who advances --------------------------------------------------------------------------------------------------------


def read_alone(model: Model, text: list[int]) -> None:
    assert len(list(model.generate_tokens(text, reuse=False, max_tokens=1, ignore_eos=True))) == 1


def append(model: Model, text: list[int]) -> None:
    with model.session(reuse=False) as session:
        session.append(text)


def hold(model: Model, text: list[int]) -> None:
    with model.session(reuse=False) as session:
        session.hold(text).reject()


def draft(model: Model, text: list[int]) -> None:
    with tokenloom.load(model.path, threads=1) as other:
        other._engine.chunk_rows, other._engine.beside_rows = 64, 16
        other._engine.learn_speed = lambda rows, seconds: None  # type: ignore[method-assign]
        drafter = drafter_of(other, model)(
            Lease(model._engine.new_sequence(), text, 0, lambda generated: None), REQUEST
        )
        drafter.propose(text, 1)
        drafter.close()


@pytest.mark.parametrize("read", [read_alone, append, hold, draft])
def test_a_long_prompt_elsewhere_is_cut_short_beside_joint_steps(
    read: Callable[[Model, list[int]], None], model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On another thread it would hold all of them up for a chunk at a time. Alone it takes large ones."""
    monkeypatch.setattr(model._engine, "chunk_rows", 64)
    monkeypatch.setattr(model._engine, "beside_rows", 16)
    monkeypatch.setattr(model._engine, "learn_speed", lambda rows, seconds: None)
    step, sizes = Engine.step, []

    def spied(self: Engine, batch: list[Rows], records: tuple[int, ...] = ()) -> int:
        sizes.append(sum(len(rows.tokens) for rows in batch))
        return step(self, batch, records)

    talker = job(model, TEXT[:4], max_tokens=10)
    model._scheduler.submit([talker])
    drive(model, 3)
    monkeypatch.setattr(Engine, "step", spied)
    read(model, TEXT[:100])
    assert max(sizes) == 16
    drive(model)
    solo.check(talker)
    sizes.clear()
    read(model, TEXT[:100])
    assert max(sizes) == 64


def test_a_long_prompt_stops_nobody(model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model._engine, "beside_rows", 32)  # whatever the machine was found to compute in time
    scheduler = model._scheduler
    talkers = [job(model, [n + 5, 6], max_tokens=60) for n in range(40)]
    scheduler.submit(talkers)
    drive(model, 3)
    readers = [job(model, [n + 50, *TEXT[:110]], max_tokens=3) for n in range(4)]
    scheduler.submit(readers)
    steps = 0
    while not all(j.done for j in readers):
        before = [len(j.tokens) for j in talkers]
        scheduler.advance()
        steps += 1
        assert [len(j.tokens) for j in talkers] == [n + 1 for n in before]
    assert steps >= 12, "the prompts should have taken several steps, or this shows nothing"
    drive(model)
    for j in talkers + readers:
        solo.check(j)


def test_jobs_begin_in_order_of_arrival(model: Model) -> None:
    limit_pages(model, 8)
    jobs = [job(model, [n + 5, *TEXT[:40]], max_tokens=4) for n in range(9)]
    ended: list[Job] = []
    run_all(model._scheduler, jobs, ended.append)
    assert ended == jobs


# ---- preemption ----------------------------------------------------------------------------------------------------------


def test_a_preempted_job_says_the_same(model: Model, solo: Solo) -> None:
    limit_pages(model, 9)
    jobs = [job(model, TEXT[n : n + 12], temp=1.0, seed=n, repeat_penalty=1.2, max_tokens=80) for n in range(6)]
    model._scheduler.submit(jobs)
    while not all(j.done for j in jobs):
        model._scheduler.advance()
        assert_balanced(model)
    assert sum(j.preemptions for j in jobs) >= 2
    assert all(j.preemptions < 10 for j in jobs)
    for j in jobs:
        solo.check(j)


def test_nothing_is_admitted_onto_promised_pages(model: Model) -> None:
    """Prompts take their pages as they are computed; one that began before the first had all of its own would be preempted."""
    limit_pages(model, 10)
    jobs = [job(model, [n + 5, *TEXT[:99]], max_tokens=4) for n in range(4)]
    run_all(model._scheduler, jobs)
    assert [(j.preemptions, j.prefilled_tokens) for j in jobs] == [(0, 100)] * 4


def test_a_job_that_cannot_fit_ends_alone(model: Model, solo: Solo) -> None:
    limit_pages(model, 4)
    big = [job(model, TEXT[:100], max_tokens=4), job(model, TEXT[60:70], max_tokens=100)]
    small = [job(model, TEXT[n : n + 10], max_tokens=20) for n in range(8)]
    jobs = [*small[:4], *big, *small[4:]]
    run_all(model._scheduler, jobs)
    for j in big:
        assert isinstance(j.error, OutOfBudgetError)
        assert j.finish_reason is None
    for j in small:
        solo.check(j)


# ---- cancellation --------------------------------------------------------------------------------------------------------


def cancel_at_random(model: Model, solo: Solo, count: int) -> None:
    limit_pages(model, 30)
    rng = random.Random(11)
    scheduler = model._scheduler
    waiting, running, gone, kept = set(), set(), [], []
    while len(gone) < count:
        if len(scheduler.waiting) < 6:
            lengths = rng.choice([(3, 20), (40, 8), (90, 2)])
            at = rng.randrange(20)
            new = job(
                model,
                TEXT[at : at + lengths[0]],
                temp=rng.choice([0.0, 1.0]),
                seed=rng.randrange(3),
                max_tokens=lengths[1],
            )
            scheduler.submit([new])
            kept.append(new)
        if rng.random() < 0.3:
            scheduler.advance()
        live = [*scheduler.waiting, *scheduler.running]
        if live and rng.random() < 0.4:
            victim = rng.choice(live)
            others = [j for j in live if j is not victim]
            where = "waiting" if victim in scheduler.waiting else "prefill" if victim.missing > 1 else "decode"
            {"waiting": waiting}.get(where, running).add(where)
            scheduler.cancel([victim])
            assert [*scheduler.waiting, *scheduler.running] == others
            assert not victim.done
            scheduler.cancel([victim])  # again does nothing
            gone.append(victim)
            kept.remove(victim)
        assert_balanced(model)
    assert waiting | running == {"waiting", "prefill", "decode"}
    drive(model)
    assert len(kept) > count // 20
    for j in kept:
        solo.check(j)


def test_cancelling_leaks_nothing(model: Model, solo: Solo) -> None:
    cancel_at_random(model, solo, 200)


@pytest.mark.slow
def test_cancelling_a_thousand_leaks_nothing(model: Model, solo: Solo) -> None:
    cancel_at_random(model, solo, 1000)


# ---- failures ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_job_that_is_not_finite_ends_alone(value: float, tmp_path: Path, opened: Opener) -> None:
    path = poisoned(tmp_path / "bad.gguf", BAD, value, ctx=128)
    model, solo = opened(path), Solo(opened(path))
    rng = random.Random(3)
    fine = [t for t in TEXT if t != BAD]
    ask = {"logit_bias": {BAD: -math.inf}, "max_tokens": 12}
    good = [job(model, fine[n : n + 30], temp=float(n % 2), seed=n, **ask) for n in range(20)]
    # in the first chunk, in a later one, as the last, and said by the job itself
    bad = [
        job(model, [BAD], **ask),
        job(model, [*fine[:9], BAD, *fine[9:30]], **ask),
        job(model, [*fine[:99], BAD], **ask),
    ]
    said = job(model, fine[:20], logit_bias={BAD: 1e30}, max_tokens=12)
    silent = job(model, fine[:25], logit_bias=dict.fromkeys(range(model._engine.vocab_size), -math.inf), max_tokens=5)
    jobs = [*good, *bad, said, silent]
    rng.shuffle(jobs)
    run_all(model._scheduler, jobs)
    for j in [*bad, said]:
        assert isinstance(j.error, NonFiniteLogitsError)
        assert j.finish_reason is None
    assert said.tokens == [BAD]
    assert isinstance(silent.error, NothingAllowedError)
    for j in good:
        solo.check(j)
    assert_balanced(model)
    # and nothing bad can be found again
    again = job(model, fine[:30], **ask)
    run_all(model._scheduler, [again])
    solo.check(again)
    assert_empty(model)


def test_generations_elsewhere_may_hold_all_records(model: Model, solo: Solo) -> None:
    others = [model.generate_tokens([5, n + 3], reuse=False, max_tokens=3, ignore_eos=True) for n in range(RECORDS)]
    for other in others[1:]:
        next(other)
    jobs = [job(model, [n + 9], max_tokens=3) for n in range(5)]
    run_all(model._scheduler, jobs)  # one at a time
    for j in jobs:
        solo.check(j)
    next(others[0])
    refused = job(model, [9], max_tokens=3)
    run_all(model._scheduler, [refused])
    assert isinstance(refused.error, RequestError)
    for other in others:
        other.close()


def test_a_closed_model_ends_all(tiny_file: Path) -> None:
    model = tokenloom.load(tiny_file, threads=1)
    jobs = [job(model, [n + 5], max_tokens=5) for n in range(3)]
    model.close()
    with pytest.raises(ClosedError):
        run_all(model._scheduler, jobs)
    assert_balanced(model)


def test_an_exception_in_a_step_loses_no_job(model: Model, solo: Solo, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another thread's driver is interrupted in begins again and says the same."""
    rng = random.Random(2)
    jobs = [job(model, TEXT[n : n + 40], temp=1.0, seed=n, max_tokens=15) for n in range(6)]
    model._scheduler.submit(jobs)
    engine, step, taken = model._engine, model._engine.step, model._scheduler._take

    def sometimes(call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*arguments: object) -> object:
            if rng.random() < 0.1:
                raise KeyboardInterrupt
            result = call(*arguments)
            if rng.random() < 0.1:
                raise KeyboardInterrupt
            return result

        return wrapped

    monkeypatch.setattr(engine, "step", sometimes(step))
    monkeypatch.setattr(model._scheduler, "_take", sometimes(taken))
    interrupts = 0
    for _ in range(5000):
        if all(j.done for j in jobs):
            break
        try:
            model._scheduler.advance()
        except KeyboardInterrupt:
            interrupts += 1
            assert_balanced(model)
    assert interrupts > 10
    for j in jobs:
        solo.check(j)


# ---- many ----------------------------------------------------------------------------------------------------------------


def resident_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


def short_jobs(model: Model, count: int) -> list[Job]:
    rng = random.Random(8)
    return [
        job(model, TEXT[:at] + [rng.randrange(3, 280) for _ in range(rng.randrange(1, 8))], logprobs=None,
            temp=rng.choice([0.0, 1.0]), seed=rng.randrange(2**32), max_tokens=rng.randrange(1, 9))
        for at in (rng.choice([0, 5, 20, 40]) for _ in range(count))
    ]  # fmt: skip


def through_a_small_pool(model: Model, count: int) -> None:
    limit_pages(model, 500)
    want = short_jobs(model, count)
    run_all(model._scheduler, want)
    limit_pages(model, 64)
    got = short_jobs(model, count)
    seen: list[int] = []
    ended = 0

    def look(job: Job) -> None:
        nonlocal ended
        ended += 1
        if ended % (count // 20) == 0:
            seen.append(resident_bytes())
            assert_balanced(model)

    run_all(model._scheduler, got, look)
    assert [outcome(j) for j in got] == [outcome(j) for j in want]
    assert all(j.done and j.error is None for j in got)
    assert model._engine.pool.used == len(model._tree) <= 64
    slope = float(np.polyfit(range(len(seen)), seen, 1)[0]) * len(seen) / count  # bytes for each sequence
    print(f"{count} sequences: {slope:.0f} bytes each; {min(seen) >> 20} to {max(seen) >> 20} MiB")
    # a kept Job itself is about 1 KiB; a leaked page would be 4 KiB, a leaked page table 1 KiB more
    assert slope < 2048


def test_short_sequences_through_a_small_pool(model: Model) -> None:
    through_a_small_pool(model, 2000)


@pytest.mark.slow
def test_ten_thousand_short_sequences_through_a_small_pool(model: Model) -> None:
    through_a_small_pool(model, 10000)
