"""The shape of the source: small files that open by saying what they know, and a package that imports quickly."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
HEAVY = ("numpy", "llvmlite", "tokenizers", "jinja2", "typer", "rich", "pydantic")


@pytest.mark.parametrize("path", SOURCES, ids=[str(p.relative_to(ROOT / "src" / "tokenloom")) for p in SOURCES])
def test_a_file_is_one_idea_and_says_which(path):
    text = path.read_text()
    assert text.count("\n") <= 500
    if path.name != "__init__.py":
        opening = ast.get_docstring(ast.parse(text)) or ""
        assert "know" in opening.lower(), "the opening docstring says what the module knows and what it does not"


def loaded_by(module: str, watched: tuple[str, ...]) -> list[str]:
    code = f"import {module}, sys; print(*[m for m in {watched!r} if m in sys.modules])"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_import_loads_nothing_heavy():
    assert loaded_by("tokenloom", HEAVY) == []


def test_the_command_line_loads_no_engine():
    assert loaded_by("tokenloom.cli.main", ("numpy", "llvmlite", "tokenizers", "jinja2", "rich")) == []
