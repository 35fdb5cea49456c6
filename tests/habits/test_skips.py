"""With TOKENLOOM_CI=1 a skip because something is not installed fails; one because of the hardware stands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"
TESTS = """
import pytest
def test_package():
    pytest.importorskip("no_such_package_anywhere")
def test_hardware():
    pytest.skip("hardware: this CPU lacks everything")
def test_sound():
    pass
"""


def run_pytest(folder: Path, ci: str) -> str:
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "test_three.py").write_text(TESTS)
    env = {**os.environ, "TOKENLOOM_CI": ci}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(("ci", "counts"), [("1", "1 failed, 1 passed, 1 skipped"), ("", "1 passed, 2 skipped")])
def test_skips(ci, counts, tmp_path):
    out = run_pytest(tmp_path, ci)
    assert counts in out
    assert "claims left unproved on this machine" in out
    assert "test_hardware: hardware: this CPU lacks everything" in out
    assert ("where only skips that start with" in out) == bool(ci)
