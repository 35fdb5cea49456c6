"""Models whose layers see a sliding window: pages stay, so every way to cut, branch, batch and reuse a cache keeps its bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.exact.bits import Logits, assert_same_bits, fed, in_chunks
from tests.formats.gguf_build import tiny_llama
from tests.runtime.books import assert_empty
from tokenloom.runtime.engine import Rows
from tokenloom.runtime.model import Model

TEXT = np.random.default_rng(9).integers(3, 280, 150).tolist()
WINDOWS = {"all layers": {"window": 40}, "one of two": {"window": 9, "slides": [True, False]}}


@pytest.fixture(params=WINDOWS)
def model(request: pytest.FixtureRequest, tmp_path: Path, opened: Callable[..., Model]) -> Iterator[Model]:
    path = tiny_llama(tmp_path / "m.gguf", ctx=256, qtype="F32", **WINDOWS[request.param])
    model = opened(path, threads=2, kv_dtype="q8" if request.param == "one of two" else "f16")
    yield model
    assert_empty(model)


@pytest.fixture
def want(model: Model) -> Logits:
    return in_chunks(model._engine, TEXT, 64)


def test_company_and_chunks(model: Model, want: Logits) -> None:
    engine = model._engine
    for size in (1, 7, 50):
        assert_same_bits(in_chunks(engine, TEXT, size), want)
    long = fed(engine, TEXT[:140])
    for count in (3, 12):
        held = []
        for n in range(count):
            held.append(long.fork())
            held[-1].truncate(1 + 43 * n % 140)
        outs = engine.step([Rows(s, [TEXT[s.length]]) for s in held])
        assert_same_bits(engine.logits(outs), want[[s.length - 1 for s in held]])
        for s in held:
            s.close()
    long.close()


def test_a_session_s_ways_agree(model: Model, want: Logits, tmp_path: Path) -> None:
    with model.session() as session:
        session.append(TEXT[:100])
        session.hold(TEXT[20:90]).reject()
        session.append(TEXT[:30])
        session.truncate(110)
        session.evict(100, 110)
        session.truncate(60)  # back to where the window saw other slots
        with session.hold(TEXT[60:120]) as held:
            assert_same_bits(held.logits, want[119])
            held.admit()
        session.save(tmp_path / "it")
    with model.restore(tmp_path / "it") as again:
        assert_same_bits(again.hold(TEXT[120:131]).logits, want[130])
    alone = list(model.generate_tokens(TEXT[:70], max_tokens=20, ignore_eos=True, reuse=False))
    reused = model.generate_tokens(TEXT[:70], max_tokens=20, ignore_eos=True)
    assert list(reused) == alone
    assert reused.cached_tokens == 69
