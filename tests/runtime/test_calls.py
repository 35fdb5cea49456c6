"""Python per token: call events counted by sys.setprofile, the same for any number of layers, and no array made on the way."""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama
from tokenloom.runtime.engine import Engine
from tokenloom.runtime.model import Model

MOST_CALLS = 60
TOKENS = 40
VOCAB = 8192
ARRAY = 4 * VOCAB
"""Bytes of the smallest array one could mean: a row of logits."""
Start = Callable[[Model], Iterator[object]]

WAYS: dict[str, Start] = {
    "generate_tokens": lambda m: iter(m.generate_tokens([7, 8, 9], ignore_eos=True)),
    "generate": lambda m: iter(m.generate("hello", ignore_eos=True)),
    "generate with stop strings": lambda m: iter(m.generate("hello", ignore_eos=True, stop=("never", "ever"))),
    "sampled": lambda m: iter(m.generate_tokens([7, 8, 9], ignore_eos=True, temp=1.0, top_k=40, top_p=0.9, repeat_penalty=1.1)),
    "a session": lambda m: iter(m.session().generate([7, 8, 9], ignore_eos=True)),
}  # fmt: skip


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Model]]:
    folder = tmp_path_factory.mktemp("layers")
    paths = {n: tiny_llama(folder / f"{n}.gguf", layers=n, ctx=256, vocab=VOCAB) for n in (2, 30)}
    opened = {n: tokenloom.load(path, threads=2) for n, path in paths.items()}
    yield opened
    for model in opened.values():
        model.close()


def calls(model: Model, start: Start) -> Counter[str]:
    """Call events of TOKENS decoded tokens, by name. The first token is the prompt's."""
    source = start(model)
    model._engine.sampling.words.tolist()  # nothing lazy is left
    emitted = next(source)
    assert emitted is not None
    seen: Counter[str] = Counter()

    def count(frame: Any, event: str, arg: Any) -> None:
        if event == "call":
            seen[frame.f_code.co_qualname] += 1
        elif event == "c_call":
            seen[f"{arg.__module__}.{arg.__qualname__}"] += 1

    steps = model._engine.steps
    sys.setprofile(count)
    try:
        while model._engine.steps < steps + TOKENS:
            next(source)
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.parametrize("way", WAYS)
def test_calls_per_token(way: str, models: dict[int, Model]) -> None:
    few, many = (calls(model, WAYS[way]) for model in models.values())
    # another text may hold back another character, so pieces differ in number; all else must not
    assert abs(few.total() - many.total()) <= TOKENS
    assert few.total() / TOKENS <= MOST_CALLS, few.most_common()
    assert many.total() / TOKENS <= MOST_CALLS
    if way in ("generate_tokens", "sampled"):
        assert few == many


def test_guard_on_calls_fails_when_each_layer_costs_one(
    models: dict[int, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    sampled = Engine.sampled

    def slow(self: Engine, out: int) -> int:
        for layer in range(self.config.num_hidden_layers):
            self.pool.slab_address(layer)
        return sampled(self, out)

    monkeypatch.setattr(Engine, "sampled", slow)
    with pytest.raises(AssertionError):
        test_calls_per_token("generate_tokens", models)


def most_memory(model: Model, start: Start) -> int:
    """The most that any one token took beside what it left, in bytes, transient or not."""
    source = start(model)
    next(source)
    tracemalloc.start()
    try:
        for _ in range(4):
            next(source)
        most = 0
        for _ in range(TOKENS):
            before = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            next(source)
            most = max(most, tracemalloc.get_traced_memory()[1] - before)
        return most
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("way", WAYS)
def test_no_array_is_made(way: str, models: dict[int, Model]) -> None:
    """NumPy reports what it allocates to tracemalloc, as Python does."""
    assert most_memory(models[2], WAYS[way]) < ARRAY // 2


def test_no_call_of_numpy(models: dict[int, Model]) -> None:
    for way in WAYS.values():
        assert not [name for name in calls(models[2], way) if "numpy" in name or "ndarray" in name]


def test_guards_on_arrays_fail_when_logits_are_looked_at(
    models: dict[int, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    sampled = Engine.sampled

    def curious(self: Engine, out: int) -> int:
        self.logits(1)
        return sampled(self, out)

    monkeypatch.setattr(Engine, "sampled", curious)
    with pytest.raises(AssertionError):
        test_no_array_is_made("generate_tokens", models)
    with pytest.raises(AssertionError):
        test_no_call_of_numpy(models)
