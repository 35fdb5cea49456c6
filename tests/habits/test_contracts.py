"""The import contracts hold, and are shown to fail on planted violations before they are trusted."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(tree: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command as c; c()"
    env = {**os.environ, "PYTHONPATH": str(tree / "src"), "COLUMNS": "200"}
    command = [sys.executable, "-c", code, "--no-cache"]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold(tree):
    done = lint_imports(tree)
    assert done.returncode == 0, done.stdout


PLANTED = [
    ("runtime/planted.py", "from tokenloom.reference import llama", "imports reference"),
    ("kernels/planted.py", "import llvmlite.binding", "Only jit imports llvmlite"),
    ("formats/planted.py", "from tokenloom import kernels", "formats stands on"),
    ("text/planted.py", "from tokenloom import quant", "text stands alone"),
    ("jit/planted.py", "from tokenloom import quant", "Rooms are layered"),
    ("weights/planted.py", "from tokenloom import runtime", "Rooms are layered"),
    ("screen/planted.py", "from tokenloom import runtime", "screen knows the errors alone"),
    ("reference/planted.py", "from tokenloom import kernels", "reference stands on"),
]


@pytest.mark.parametrize(("path", "line", "contract"), PLANTED, ids=[p[0].split("/")[0] for p in PLANTED])
def test_guard_of_imports_fails_when_violated(path, line, contract, tree):
    (tree / "src" / "tokenloom" / path).write_text(f'"""Planted."""\n\n{line}\n')
    done = lint_imports(tree)
    assert done.returncode == 1
    broken = [row for row in done.stdout.splitlines() if row.endswith("BROKEN")]
    assert any(contract in row for row in broken), done.stdout
