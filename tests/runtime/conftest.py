"""Tiny models, open. Knows how they are made and loaded; each is made once a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama
from tokenloom.runtime.model import Model


@pytest.fixture(scope="session")
def tiny_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of two layers, Q8_0, with 128 slots of context and no template."""
    return tiny_llama(tmp_path_factory.mktemp("tiny") / "tiny.gguf", ctx=128)


@pytest.fixture(scope="module")
def tiny(tiny_file: Path) -> Iterator[Model]:
    with tokenloom.load(tiny_file, threads=2) as model:
        yield model


@pytest.fixture
def opened() -> Iterator[Callable[..., Model]]:
    """opened(path, **settings): a model that is closed after the test."""
    models: list[Model] = []

    def open_as(path: Path, **settings: Any) -> Model:
        models.append(tokenloom.load(path, **{"threads": 1, **settings}))
        return models[-1]

    yield open_as
    for model in models:
        model.close()
