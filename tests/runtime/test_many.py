"""`Model.generate_many`: the answers are those of `generate`, in order; Ctrl-C leaves nothing; threads share a model."""

from __future__ import annotations

import gc
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tokenloom
from tests.formats.gguf_build import CHATML, tiny_llama
from tests.runtime.books import assert_balanced, assert_empty
from tests.runtime.tiny import byte_id, ids_of, in_a_circle, poisoned, reciter
from tokenloom.errors import ContextOverflowError, NonFiniteLogitsError, RequestError
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]
PROMPTS = ["the cat sat on the", "the cat and the dog went out", "", "of"]
PROMPTS[2] = "the cat sat on the mat and was there in the end"
ASK = {"max_tokens": 12, "ignore_eos": True}


@pytest.fixture(scope="module")
def chat_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("many") / "chat.gguf", template=CHATML, ctx=256)


@pytest.fixture
def model(chat_file: Path) -> Iterator[Model]:
    with tokenloom.load(chat_file, threads=1) as model:
        yield model
        assert_empty(model)


@pytest.mark.parametrize(
    "ask", [{}, {"temp": 1.0, "seed": 5, "top_p": 0.9}, {"raw": True, "temp": 0.7}, {"system": "be brief"}]
)
def test_the_answers_are_those_of_generate(ask: dict[str, object], model: Model) -> None:
    got = model.generate_many(PROMPTS * 9, **ASK, **ask)
    for prompt, result in zip(PROMPTS * 9, got, strict=True):
        alone = model.generate(prompt, reuse=False, **ASK, **ask)
        assert result.text == "".join(alone)
        assert result.tokens == alone.tokens
        assert (result.finish_reason, result.error, result.logprobs) == (alone.finish_reason, None, None)
        assert result.cached_tokens + result.prefilled_tokens == alone.cached_tokens + alone.timings.prompt_tokens
    assert sum(r.cached_tokens for r in got) >= 16 * 8


def test_samples_count_their_seeds_up(model: Model) -> None:
    got = model.generate_many(PROMPTS[:2], n=3, temp=1.2, seed=2**64 - 2, logprobs=2, **ASK)
    assert len(got) == 6
    seeds = [2**64 - 2, 2**64 - 1, 0] * 2
    for prompt, seed, result in zip([p for p in PROMPTS[:2] for _ in range(3)], seeds, got, strict=True):
        alone = model.generate(prompt, reuse=False, temp=1.2, seed=seed, logprobs=2, **ASK)
        assert result.text == "".join(alone)
        assert result.logprobs == alone.logprobs
    assert len({r.text for r in got}) > 3


def test_ends_and_stop_strings(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "circle.gguf", in_a_circle(b"abcdefgh")))
    prompts = [ids_of(b"a"), ids_of(b"c"), ids_of(b"h"), ids_of(b"gh")]
    for stop in ((), ("f",), ("de", "ha"), ("xyz",)):
        for most in (1, 3, 9):
            got = model.generate_many(prompts, max_tokens=most, stop=stop)
            for prompt, result in zip(prompts, got, strict=True):
                alone = model._text(prompt, False, {"max_tokens": most, "stop": stop})
                assert (result.text, result.tokens) == ("".join(alone), alone.tokens)
                assert result.finish_reason == alone.finish_reason
    ended = opened(reciter(tmp_path / "end.gguf", {byte_id("a"): byte_id("b"), byte_id("b"): 2, 2: byte_id("c")}))
    (result,) = ended.generate_many([ids_of(b"a")])
    assert (result.text, result.tokens, result.finish_reason) == ("b", [byte_id("b"), 2], "stop")
    (result,) = ended.generate_many([ids_of(b"a")], ignore_eos=True, max_tokens=3)
    assert (result.text, result.finish_reason) == ("bc", "length")
    (full,) = model.generate_many([ids_of(b"abc")])
    assert len(full.tokens) == model.ctx - 3 + 1
    assert (full.finish_reason, full.error) == ("length", None)


def test_nothing_asked_nothing_done(model: Model) -> None:
    assert model.generate_many([]) == []
    (result,) = model.generate_many(["the"], max_tokens=0)
    assert (result.text, result.tokens, result.finish_reason, result.prefilled_tokens) == ("", [], "length", 0)


def test_what_is_refused_is_refused_before_anything_runs(model: Model) -> None:
    steps = model._engine.steps
    with pytest.raises(RequestError, match="n=0"):
        model.generate_many(["a"], n=0)
    with pytest.raises(RequestError, match="list"):
        model.generate_many("the cat")
    with pytest.raises(RequestError, match="temp="):
        model.generate_many(["a"], temp=-1)
    with pytest.raises(ContextOverflowError, match="300 tokens"):
        model.generate_many(["a", [5] * 300])
    with pytest.raises(RequestError, match="empty"):
        model.generate_many(["a", []])
    with pytest.raises(RequestError, match="outside the vocabulary"):
        model.generate_many([[10**6]])
    assert model._engine.steps == steps


def test_a_failure_is_its_own_result(tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", 200, float("nan"), ctx=128))
    fine = [[n + 5, 6, 7] for n in range(5)]
    ask = {**ASK, "logit_bias": {200: float("-inf")}}
    got = model.generate_many([*fine[:2], [9, 200, 9], *fine[2:]], **ask)
    failed = got.pop(2)
    assert isinstance(failed.error, NonFiniteLogitsError)
    assert (failed.text, failed.tokens, failed.finish_reason) == ("", [], None)
    assert [r.tokens for r in got] == [list(model.generate_tokens(p, reuse=False, **ask)) for p in fine]
    assert_empty(model)


def test_the_cache_is_given_up_where_it_is_needed(model: Model) -> None:
    """Pages kept for later do not stand in anyone's way: not a session's, not a generation's."""
    pool = model._engine.pool
    pool.pages = 20
    model.generate_many([[n + 5] * 60 for n in range(4)], max_tokens=2)
    assert len(model._tree) >= 12
    session = model.session()
    session.append([5] * 250)
    assert pool.used <= 20
    session.truncate(100)
    assert len(list(model.generate_tokens([9] * 200, max_tokens=2, ignore_eos=True))) == 2
    session.append([6] * 140)
    session.close()


def test_a_forgotten_model_is_freed(chat_file: Path) -> None:
    gc.collect()
    gc.disable()
    try:
        model = tokenloom.load(chat_file, threads=1)
        model.generate_many(["a", "b"], max_tokens=2)
        pool = weakref.ref(model._engine.pool)
        del model
        assert pool() is None
    finally:
        gc.enable()


# ---- interrupts ----------------------------------------------------------------------------------------------------------


def test_an_interrupt_at_any_step_leaves_nothing(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the step, where no handler can hold it back, and as a signal, which waits for the step's end."""
    want = [r.text for r in model.generate_many(PROMPTS, **ASK)]
    step = model._engine.step
    left = 0

    def counted(*arguments: object) -> int:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        if left == -(10**6):
            signal.raise_signal(signal.SIGINT)
        return step(*arguments)

    monkeypatch.setattr(model._engine, "step", counted)
    for base in (0, -(10**6)):
        for at in range(1, 16, 2):
            left = base + at
            try:
                got = model.generate_many(PROMPTS, **ASK)
            except KeyboardInterrupt:
                assert at < 15
            else:
                assert [r.text for r in got] == want
            assert not model._scheduler.running
            assert not model._scheduler.waiting
            assert_balanced(model)
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_does_not_wait(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    step, after = model._engine.step, []

    def twice(*arguments: object) -> int:
        result = step(*arguments)
        signal.raise_signal(signal.SIGINT)
        after.append("one")
        signal.raise_signal(signal.SIGINT)
        after.append("two")
        return result

    monkeypatch.setattr(model._engine, "step", twice)
    with pytest.raises(KeyboardInterrupt):
        model.generate_many(PROMPTS, **ASK)
    assert after == ["one"]
    assert_balanced(model)


def test_a_program_s_own_handler_stays(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        step = model._engine.step

        def once(*arguments: object) -> int:
            if not seen:
                signal.raise_signal(signal.SIGINT)
            return step(*arguments)

        monkeypatch.setattr(model._engine, "step", once)
        assert len(model.generate_many(PROMPTS, **ASK)) == len(PROMPTS)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


CHILD = textwrap.dedent("""
    import sys, tokenloom
    from tests.runtime.books import assert_balanced
    model = tokenloom.load(sys.argv[1], threads=2)
    prompts = [[*range(40, 60), n] for n in range(10, 40)]
    ask = {"max_tokens": 40, "ignore_eos": True, "temp": 1.0}
    want = [r.tokens for r in model.generate_many(prompts, **ask)]
    for round in range(int(sys.argv[2])):
        try:
            print("go", flush=True)
            while True:
                model.generate_many(prompts, **ask)
        except KeyboardInterrupt:
            pass
        assert not model._scheduler.running and not model._scheduler.waiting
        assert_balanced(model)
        assert [r.tokens for r in model.generate_many(prompts, **ask)] == want
        print("same", flush=True)
    model._tree.clear()
    assert model._engine.pool.used == 0
""")


def test_real_interrupts_leave_nothing(tiny_file: Path) -> None:
    rounds, rng = 20, random.Random(1)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tiny_file), str(rounds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert child.stdout
    try:
        for _ in range(rounds):
            assert child.stdout.readline() == "go\n", child.communicate(timeout=30)[1]
            time.sleep(rng.uniform(0.005, 0.05))
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "same\n", child.communicate(timeout=30)[1]
        assert child.wait(timeout=30) == 0, child.communicate()[1]
    finally:
        child.kill()
        child.communicate()


# ---- threads -------------------------------------------------------------------------------------------------------------


def in_threads(works: list[Callable[[], None]]) -> None:
    failed: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as problem:  # noqa: BLE001 - raised below, in the test's thread
            failed.append(problem)

    workers = [threading.Thread(target=guarded, args=(work,), daemon=True) for work in works]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=120)
    assert not any(worker.is_alive() for worker in workers)
    if failed:
        raise failed[0]


@pytest.mark.parametrize("pages", [60, 2000])
def test_threads_share_a_model(pages: int, chat_file: Path, opened: Opener) -> None:
    """Several callers of generate_many, of generate and of sessions at once, on a pool where pages are short and on one where they are not."""
    model, judge = opened(chat_file), opened(chat_file)
    model._engine.pool.pages = pages
    ask = {"max_tokens": 20, "ignore_eos": True, "temp": 1.0}
    prompts = [[[*range(40, 60), *range(n, n + 12), n + k] for k in range(25)] for n in (60, 90, 120)]
    want = {tuple(p): list(judge.generate_tokens(p, reuse=False, **ask)) for group in prompts for p in group}

    def many(group: list[list[int]]) -> Callable[[], None]:
        def work() -> None:
            for _ in range(4):
                got = model.generate_many(group, **ask)
                assert [r.error for r in got] == [None] * len(group)
                assert [r.tokens for r in got] == [want[tuple(p)] for p in group]

        return work

    def alone() -> None:
        for n in range(12):
            p = prompts[n % 3][n]
            assert list(model.generate_tokens(p, **ask)) == want[tuple(p)]

    def session() -> None:
        for n in range(12):
            p = prompts[n % 3][n]
            own = model.session()
            own.append(p[:-1])
            running = own.generate(p[-1:], **ask)
            assert [*running]
            assert running.tokens == want[tuple(p)]
            own.close()

    if pages == 60:  # 25 · 4 pages are wanted at once
        in_threads([many(group) for group in prompts])
    else:
        in_threads([*(many(group) for group in prompts), alone, alone, session, session])
    assert_balanced(model)
    assert_empty(model)


def test_a_short_call_does_not_wait_for_a_long_one(model: Model) -> None:
    """Both advance with every step, whoever drives it."""
    order: list[str] = []

    def long() -> None:
        model.generate_many([[n + 5] for n in range(8)], max_tokens=230, ignore_eos=True)
        order.append("long")

    def short() -> None:
        while not model._scheduler.running:
            time.sleep(0)
        model.generate_many([[9, 9]], max_tokens=2, ignore_eos=True)
        order.append("short")

    in_threads([long, short])
    assert order == ["short", "long"]
