"""Fixtures of the truth tests: the real file, its copies in other types, and the prompts. Copies are removed after the
session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.truth import files, prompts


@pytest.fixture(scope="session")
def real_file() -> Path:
    return files.smollm2()


@pytest.fixture(scope="session")
def real_file_as(real_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Path]]:
    """real_file_as("Q8_0"): the file itself when it is of that type already ("Q4_1"), else a copy."""
    made: dict[str, Path] = {"Q4_1": real_file}
    folder = tmp_path_factory.mktemp("models")

    def get(qtype: str) -> Path:
        if qtype not in made:
            made[qtype] = files.copy_as(real_file, qtype, folder / f"smollm2-{qtype}.gguf")
        return made[qtype]

    yield get
    for qtype, path in made.items():
        if qtype != "Q4_1":
            path.unlink()


@pytest.fixture(scope="session")
def real_prompts(real_file: Path) -> list[list[int]]:
    return prompts.prompts(files.keys(files.gguf.GGUFReader(real_file)))
