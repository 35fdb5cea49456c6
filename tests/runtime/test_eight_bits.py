"""A session over an 8-bit cache: the same bits alone, in company, forked, cut, reused, held, guessed at and restored; and what it would not be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.exact.bits import Logits, assert_same_bits, fed, in_chunks, next_alone
from tests.formats.gguf_build import tiny_llama
from tests.runtime.books import assert_empty
from tokenloom.runtime.engine import Rows
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]
TEXT = np.random.default_rng(8).integers(3, 280, 150).tolist()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("q8") / "m.gguf", ctx=256, head_dim=48, qtype="F32")


@pytest.fixture
def model(file: Path, opened: Opener) -> Iterator[Model]:
    model = opened(file, threads=2, kv_dtype="q8")
    yield model
    assert_empty(model)


@pytest.fixture
def want(model: Model) -> Logits:
    return in_chunks(model._engine, TEXT, 64)


def test_company_and_cuts_change_nothing(model: Model, want: Logits) -> None:
    engine = model._engine
    assert_same_bits(in_chunks(engine, TEXT, 7), want)
    long = fed(engine, TEXT[:100])
    for count in (3, 12):  # the classes of few and of many rows
        held = []
        for n in range(count):
            held.append(long.fork())
            held[-1].truncate(1 + 29 * n % 100)  # in the middle of pages, which are copied when they are written
        outs = engine.step([Rows(s, [TEXT[s.length]]) for s in held])
        lengths = [s.length - 1 for s in held]
        assert_same_bits(engine.logits(outs), want[lengths])
        for s in held:
            s.close()
    assert_same_bits(next_alone(engine, long, TEXT[100]), want[100])
    long.close()


def test_a_session_s_ways_agree(model: Model, want: Logits, tmp_path: Path) -> None:
    with model.session() as session:
        session.append(TEXT[:60])
        session.hold(TEXT[90:120]).reject()
        session.append(TEXT[:50])
        session.truncate(70)
        session.evict(60, 70)
        with session.hold(TEXT[60:100]) as held:
            assert_same_bits(held.logits, want[99])
            held.admit()
        session.save(tmp_path / "it")
    with model.restore(tmp_path / "it") as again, again.fork() as branch:
        assert_same_bits(branch.hold(TEXT[100:111]).logits, want[110])
    alone = list(model.generate_tokens(TEXT[:70], max_tokens=20, ignore_eos=True, reuse=False))
    repeated = model.generate_tokens(TEXT[:70], max_tokens=20, ignore_eos=True)
    assert list(repeated) == alone
    assert repeated.cached_tokens == 69
    assert list(model.generate_tokens(TEXT[:70], max_tokens=20, ignore_eos=True, speculate="ngram")) == alone


def test_it_is_near_an_f16_cache_and_not_the_same(file: Path, want: Logits, opened: Opener) -> None:
    other = opened(file).logits(TEXT)
    assert (want != other).mean() > 0.9
    assert np.sqrt(np.square(want - other).mean()) < 0.05 * other.std()
