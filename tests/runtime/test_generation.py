"""Generations: how they end, what they give out, what they leave behind, and that nothing but the request decides them."""

from __future__ import annotations

import gc
import itertools
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.formats.gguf_build import tiny_llama
from tests.runtime.tiny import EOS, byte_id, ids_of, in_a_circle, reciter
from tokenloom.errors import ClosedError, ContextOverflowError, RequestError
from tokenloom.runtime.engine import RECORDS
from tokenloom.runtime.model import Model
from tokenloom.runtime.prefix import common_prefix

Opener = Callable[..., Model]
PROMPT = [40, 41, 42, 43, 44]


# ---- how they end ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, 20])
def test_max_tokens(count: int, tiny: Model) -> None:
    ids = tiny.generate_tokens(PROMPT, max_tokens=count, ignore_eos=True)
    assert ids.finish_reason is None
    assert len(list(ids)) == count == len(ids.tokens)
    assert ids.finish_reason == "length"
    text = tiny.generate("hello", max_tokens=count, ignore_eos=True)
    assert "".join(text) == text.text
    assert (len(text.tokens), text.finish_reason) == (count, "length")


@pytest.mark.parametrize("room", [0, 1, 9])
def test_a_full_context_ends_it(room: int, tiny_file: Path, opened: Opener) -> None:
    """The last token needs no slot, so `room` free slots are room + 1 tokens."""
    model = opened(tiny_file, ctx=32)
    ids = list(range(40, 40 + 32 - room))
    for reuse in (True, True, False):
        generation = model.generate_tokens(ids, ignore_eos=True, reuse=reuse)
        tokens = list(generation)
        assert (len(tokens), generation.finish_reason) == (room + 1, "length")
        assert tokens[0] == model.logits(ids)[-1].argmax()


def test_a_prompt_longer_than_the_context_names_both(tiny_file: Path, opened: Opener) -> None:
    model = opened(tiny_file, ctx=32)
    for ask in (
        lambda: model.generate_tokens([7] * 33),
        lambda: model.logits([7] * 33),
        lambda: model.session().append([7] * 33),
        lambda: model.session().generate([7] * 33),
    ):
        with pytest.raises(ContextOverflowError, match=r"33 tokens.*32"):
            ask()
    with pytest.raises(ContextOverflowError, match=r"\d+ tokens.*32"):
        model.generate("word " * 100)
    assert model._engine.pool.used == 0


def test_an_end_token_ends_it_unless_ignored(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "m.gguf", {byte_id("a"): byte_id("b"), byte_id("b"): EOS, EOS: byte_id("a")}))
    generation = model.generate_tokens(ids_of(b"a"))
    assert list(generation) == [byte_id("b")]
    assert (generation.tokens, generation.finish_reason) == ([byte_id("b"), EOS], "stop")
    text = model.generate("a")
    assert [*text] == ["b"]
    assert (text.tokens, text.finish_reason) == ([byte_id("b"), EOS], "stop")
    ignored = model.generate("a", ignore_eos=True, max_tokens=5)
    assert "".join(ignored) == "bab"
    assert ignored.tokens == [byte_id("b"), EOS, byte_id("a"), byte_id("b"), EOS]
    assert ignored.finish_reason == "length"


def test_every_end_token_of_the_model_counts(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "m.gguf", {byte_id("a"): 0}))
    assert 0 in model.tokenizer.eog_ids
    assert [*model.generate_tokens(ids_of(b"a"))] == []


# ---- text ----------------------------------------------------------------------------------------------------------------


def test_stop_strings_span_tokens(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "m.gguf", in_a_circle(b"abcdefg")))
    for stop, want in {"def": "bc", "b": "", "fgabcd": "bcde", "gab": "bcdef", "a": "bcdefg"}.items():
        generation = model.generate("a", stop=stop, max_tokens=50)
        pieces = [*generation]
        assert ("".join(pieces), generation.text, generation.finish_reason) == (want, want, "stop")
        assert all(pieces)
    both = model.generate("a", stop=("zzz", "fg", "ef"), max_tokens=50)
    assert "".join(both) == "bcd"
    # a stop that has only begun when the tokens run out is text
    cut = model.generate("a", stop="efgX", max_tokens=5)
    assert ("".join(cut), cut.finish_reason) == ("bcdef", "length")
    # the session of a stopped generation goes on
    session = model.session()
    assert "".join(session.generate("a", stop="de", max_tokens=50)) == "bc"
    assert "".join(session.generate("", max_tokens=2)) == "fg"


@pytest.mark.parametrize("text", ["😀", "→", "é", "a😀é"])
def test_characters_come_whole(text: str, tmp_path: Path, opened: Opener) -> None:
    """One token is one byte here, so most tokens are parts of characters."""
    data = text.encode()
    model = opened(reciter(tmp_path / "m.gguf", in_a_circle(data)))
    last = ids_of(data[-1:])
    for count in range(1, 3 * len(data)):
        generation = model.session().generate(last, max_tokens=count)
        pieces = [*generation]
        whole = bytes(b for b, _ in zip(itertools.cycle(data), range(count), strict=False)).decode("utf-8", "replace")
        assert "".join(pieces) == generation.text == whole == model.detokenize(generation.tokens)
        assert "\ufffd" not in "".join(pieces[:-1])


def test_random_bytes_stream_as_they_decode(tiny: Model) -> None:
    for seed in range(6):
        bias = {byte_id(b): 30.0 for b in "é😀x".encode()}
        generation = tiny.generate("go", temp=2.0, seed=seed, max_tokens=40, logit_bias=bias)
        pieces = [*generation]
        assert "".join(pieces) == generation.text
        kept = [t for t in generation.tokens if not tiny.tokenizer.is_special(t)]
        assert generation.text == tiny.detokenize(kept)
        for piece in pieces:
            piece.encode()


def test_special_tokens_are_no_text(tmp_path: Path, opened: Opener) -> None:
    model = opened(reciter(tmp_path / "m.gguf", {byte_id("a"): 1, 1: byte_id("b"), byte_id("b"): EOS}))
    assert "".join(model.generate("a")) == "b"


# ---- what decides them -----------------------------------------------------------------------------------------------------


def test_a_seed_repeats_on_any_threads_and_in_any_order(tiny: Model, tiny_file: Path, opened: Opener) -> None:
    ask = {"max_tokens": 30, "temp": 1.5, "top_k": 50, "top_p": 0.95, "ignore_eos": True}
    want = {seed: list(tiny.generate_tokens(PROMPT, seed=seed, **ask)) for seed in (0, 1, 2**63)}
    assert len({tuple(tokens) for tokens in want.values()}) == 3
    for threads in (1, 3):
        other = opened(tiny_file, threads=threads)
        for seed in (2**63, 0, 1):
            assert list(other.generate_tokens(PROMPT, seed=seed, **ask)) == want[seed]
    # interleaved token by token
    running = {seed: tiny.generate_tokens(PROMPT, seed=seed, reuse=seed == 1, **ask) for seed in want}
    got = {seed: [] for seed in want}
    for _ in range(30):
        for seed, generation in running.items():
            got[seed].append(next(generation))
    assert got == want


def test_sampling_in_a_batch_is_sampling_alone(tiny: Model) -> None:
    """The engine's step with several records: each draws as it does by itself, whatever the class of rows."""
    from tokenloom.runtime.engine import Rows
    from tokenloom.runtime.sampler import SamplingSettings

    engine = tiny._engine
    count = 12
    prompts = [[50 + n, 60 + n, 70 + n] for n in range(count)]
    alone = [
        list(tiny.generate_tokens(p, seed=n, temp=1.3, max_tokens=6, ignore_eos=True)) for n, p in enumerate(prompts)
    ]
    for size in (2, 8, 12):
        held = [engine.new_sequence() for _ in range(size)]
        records = [engine.take_record() for _ in held]
        for n, record in enumerate(records):
            engine.sampling.configure(record, SamplingSettings(seed=n, temp=1.3), engine.vocab_size)
            engine.sampling.begin_history(record, prompts[n])
        rows = prompts[:size]
        got: list[list[int]] = [[] for _ in held]
        for _ in range(6):
            engine.step([Rows(s, r) for s, r in zip(held, rows, strict=True)], records)
            rows = [[engine.sampled(n)] for n in range(size)]
            for n, row in enumerate(rows):
                got[n] += row
                engine.sampling.advance(records[n], row[0])
        assert got == alone[:size]
        for s, record in zip(held, records, strict=True):
            s.close()
            engine.give_record(record)


def test_logprobs_are_those_of_the_logits(tiny: Model) -> None:
    for temp in (0.0, 1.0):
        generation = tiny.generate_tokens(PROMPT, max_tokens=12, logprobs=5, temp=temp, seed=3, ignore_eos=True)
        tokens = list(generation)
        logits = tiny.logits(PROMPT + tokens)[len(PROMPT) - 1 : -1].astype(np.float64)
        logprobs = logits - logits.max(axis=1, keepdims=True)
        logprobs -= np.log(np.exp(logprobs).sum(axis=1, keepdims=True))
        assert generation.logprobs is not None
        assert [entry.token for entry in generation.logprobs] == tokens
        for row, entry in zip(logprobs, generation.logprobs, strict=True):
            assert abs(row[entry.token] - entry.logprob) < 1e-4
            order = sorted(range(len(row)), key=lambda i: -row[i])[:5]
            assert [token for token, _ in entry.top] == order
            assert all(abs(row[token] - value) < 1e-4 for token, value in entry.top)
    assert tiny.generate_tokens(PROMPT, max_tokens=1).logprobs is None


def test_a_bias_forces_and_forbids(tiny: Model) -> None:
    assert list(tiny.generate_tokens(PROMPT, max_tokens=3, logit_bias={99: 1e4})) == [99, 99, 99]
    first = next(tiny.generate_tokens(PROMPT))
    second = next(tiny.generate_tokens(PROMPT, logit_bias={first: float("-inf")}))
    order = tiny.logits(PROMPT)[-1].argsort()[::-1]
    assert [first, second] == order[:2].tolist()
    ended = tiny.generate_tokens(PROMPT, logit_bias={EOS: 1e4})
    assert list(ended) == []
    assert ended.finish_reason == "stop"


def test_reuse_changes_nothing_but_the_work(tiny: Model) -> None:
    prompts = [PROMPT, [*PROMPT, 45, 46, *range(60, 90)], [*PROMPT, 45], [*PROMPT, 45], [7], PROMPT]
    want = [list(tiny.generate_tokens(p, max_tokens=9, ignore_eos=True, reuse=False)) for p in prompts]
    tiny._tree.clear()
    list(tiny.generate_tokens([8], max_tokens=1))
    before: list[list[int]] = [[8]]
    for prompt, tokens in zip(prompts, want, strict=True):
        generation = tiny.generate_tokens(prompt, max_tokens=9, ignore_eos=True)
        assert list(generation) == tokens
        found = max(common_prefix(text, prompt[:-1]) for text in before)
        assert generation.cached_tokens == found
        assert generation.timings.prompt_tokens == len(prompt) - found
        before.append(prompt + tokens[:-1])
    fresh = tiny.generate_tokens(PROMPT, max_tokens=9, ignore_eos=True, reuse=False)
    assert (list(fresh), fresh.cached_tokens) == (want[0], 0)


# ---- what they leave behind ------------------------------------------------------------------------------------------------


def test_dropped_before_its_first_token(tiny: Model) -> None:
    """By reference counting alone: nothing waits for the garbage collector."""
    gc.disable()
    try:
        session = tiny.session()
        for ask in (lambda: session.generate(PROMPT), lambda: session.generate("text")):
            for _ in range(3):
                ask()
        records = len(tiny._engine._records)
        used = tiny._engine.pool.used
        for _ in range(3):
            tiny.generate_tokens(PROMPT, reuse=False)
            tiny.generate("text", reuse=False)
        assert (len(tiny._engine._records), tiny._engine.pool.used) == (records, used)
        session.close()
    finally:
        gc.enable()


def test_left_half_way(tiny: Model) -> None:
    """A loop that breaks, a close(), and a generation that is dropped all give back what they held."""
    gc.disable()
    try:
        session = tiny.session()
        session.append(PROMPT)
        want = list(tiny.generate_tokens([*PROMPT, 50], max_tokens=6, ignore_eos=True, reuse=False))
        for _ in range(3):
            for _ in session.generate([50], max_tokens=6, ignore_eos=True):
                break
            assert session.tokens[: len(PROMPT) + 2] == [*PROMPT, 50, want[0]]
            session.truncate(len(PROMPT))
            generation = session.generate([50], max_tokens=6, ignore_eos=True)
            next(generation)
            generation.close()
            generation.close()
            session.truncate(len(PROMPT))
            ids = tiny.generate_tokens([*PROMPT, 50], max_tokens=6, ignore_eos=True)
            assert [next(ids), next(ids)] == want[:2]
            del ids
        assert len(tiny._engine._records) == RECORDS
        generation = session.generate([50], max_tokens=6, ignore_eos=True)
        assert [*generation]
        assert generation.tokens == want
        session.close()
        with pytest.raises(ClosedError):
            session.append([3])
    finally:
        gc.enable()


def test_too_many_at_once_is_an_error_and_no_leak(tiny: Model) -> None:
    running = [tiny.generate_tokens(PROMPT, reuse=False, max_tokens=3, ignore_eos=True) for _ in range(RECORDS + 1)]
    for generation in running[:-1]:
        next(generation)
    with pytest.raises(RequestError, match=f"{RECORDS} generations"):
        next(running[-1])
    used = tiny._engine.pool.used
    running.pop(0).close()
    assert tiny._engine.pool.used < used
    list(tiny.generate_tokens(PROMPT, reuse=False, max_tokens=3))
    del running, generation
    assert len(tiny._engine._records) == RECORDS


def test_threads_share_a_model(tiny: Model) -> None:
    prompts = [[30 + n, 40, 50, *range(60, 60 + n)] for n in range(4)]
    ask = {"max_tokens": 40, "ignore_eos": True}
    want = [list(tiny.generate_tokens(p, reuse=False, **ask)) for p in prompts]
    got: list[list[list[int]]] = [[] for _ in prompts]

    def work(number: int) -> None:
        for reuse in (True, False, True, True):
            got[number].append(list(tiny.generate_tokens(prompts[number], reuse=reuse, **ask)))

    workers = [threading.Thread(target=work, args=(n,)) for n in range(len(prompts))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert got == [[tokens] * 4 for tokens in want]
    assert len(tiny._engine._records) == RECORDS


def test_after_close(tiny_file: Path, opened: Opener) -> None:
    model = opened(tiny_file)
    session = model.session()
    session.append(PROMPT)
    running = model.generate_tokens(PROMPT, ignore_eos=True)
    next(running)
    model.close()
    model.close()
    for ask in (
        lambda: model.generate("a"),
        lambda: model.generate_tokens([7]),
        lambda: model.logits([7]),
        lambda: model.session(),
        lambda: next(running),
        lambda: session.append([7]),
        lambda: next(session.generate([7])),
    ):
        with pytest.raises(ClosedError):
            ask()
    session.close()
    model._tree.clear()
    assert model._engine.pool.used == 0


def test_two_models_side_by_side(tiny: Model, tmp_path: Path, opened: Opener) -> None:
    other = opened(tiny_llama(tmp_path / "other.gguf", qtype="Q4_1", seed=9, ctx=64), threads=3)
    ask = {"max_tokens": 20, "ignore_eos": True}
    want = [list(m.generate_tokens(PROMPT, **ask)) for m in (tiny, other)]
    pairs = zip(tiny.generate_tokens(PROMPT, **ask), other.generate_tokens(PROMPT, **ask), strict=True)
    assert [list(tokens) for tokens in zip(*pairs, strict=True)] == want
    assert want[0] != want[1]


# ---- what is refused ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "max_tokens": [-1, 1.5, True, "3"],
    "temp": [-0.1, float("nan"), float("inf"), "hot", None],
    "top_k": [-1, 1.5, True],
    "top_p": [0, -1, 1.1, float("nan")],
    "min_p": [-0.1, 1.1],
    "repeat_penalty": [0, -1],
    "presence_penalty": [float("inf"), "x"],
    "frequency_penalty": [float("nan")],
    "seed": [-1, 2**64, 1.5],
    "stop": ["", ("a", ""), (1,)],
    "logit_bias": [[1], {-1: 0.0}, {1: float("nan")}, {10**9: 1.0}, {"a": 1.0}],
    "logprobs": [-1, 21, 1.5],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_a_setting_out_of_range_is_refused_at_once(name: str, value: object, tiny: Model) -> None:
    """By name, before anything is computed, and without keeping a session busy."""
    session = tiny.session()
    for ask in (tiny.generate, session.generate):
        with pytest.raises(RequestError, match=name):
            ask("hello", **{name: value})
    session.close()


def test_prompts_that_are_none(tiny: Model) -> None:
    for ids in ([], [-1], [tiny.config.vocab_size]):
        for ask in (tiny.generate_tokens, tiny.logits):
            with pytest.raises(RequestError, match=r"empty|outside the vocabulary"):
                ask(ids)
    with pytest.raises(RequestError, match="empty"):
        tiny.generate("")
    with pytest.raises(RequestError, match="str"):
        tiny.generate([7])  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="stop"):
        tiny.generate_tokens(PROMPT, stop="x")
    with pytest.raises(RequestError, match="template"):
        tiny.generate("a", system="b")
    with pytest.raises(RequestError, match="surrogate"):
        tiny.generate("\ud800")
