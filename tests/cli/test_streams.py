"""Standard streams that are closed, or whose reader goes away: no traceback, no false failure."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.formats.gguf_build import tiny_llama


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("streams") / "m.gguf")


def shell(line: str, model: Path) -> subprocess.CompletedProcess[str]:
    program = f"exec '{sys.executable}' -m tokenloom" if "|" not in line else f"'{sys.executable}' -m tokenloom"
    full = line.replace("TOKENLOOM", program).replace("MODEL", f"'{model}'")
    return subprocess.run(["bash", "-c", full], capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("command", ["run MODEL hi -n 4 --raw", "info MODEL"])
def test_a_reader_that_leaves_is_no_error(model: Path, command: str) -> None:
    done = shell(f"set -o pipefail; TOKENLOOM {command} | true", model)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-"])
def test_a_closed_stream_is_the_null_device(model: Path, closed: str) -> None:
    done = shell(f"TOKENLOOM run MODEL hi -n 2 --raw {closed}", model)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr


def test_a_prompt_from_a_closed_stream_is_empty(model: Path) -> None:
    done = shell("TOKENLOOM run MODEL - <&-", model)
    assert done.returncode == 2
    assert "empty" in done.stderr
