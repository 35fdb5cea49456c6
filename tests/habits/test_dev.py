"""The set-up script: what it says when it cannot begin, and what it keeps away from pip."""

from __future__ import annotations

import importlib.util
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType

import pytest
from typer.main import get_command

from tokenloom.cli.main import app

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def dev() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_old_python_is_told_so(dev, monkeypatch, capsys):
    version = namedtuple("version", "major minor micro releaselevel serial")
    monkeypatch.setattr(sys, "version_info", version(3, 10, 13, "final", 0))
    assert dev.main(["run"]) == 2
    assert "needs Python 3.11 or newer; this is 3.10.13" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["nonsense"]])
def test_an_unknown_command_shows_the_known_ones(arguments, dev, capsys):
    assert dev.main(arguments) == 2
    err = capsys.readouterr().err
    assert "dev.py test" in err
    assert ("unknown command 'nonsense'" if arguments else "no command given") in err


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_is_an_answer(flag, dev, capsys):
    assert dev.main([flag]) == 0
    out, err = capsys.readouterr()
    assert "dev.py test" in out
    assert err == ""


@pytest.mark.parametrize(
    "arguments", [[], ["-n", "5"], ["-n5"], ["--max-tokens=5", "--json"], ["-m", "a.gguf"], ["--temp", "-0.0", "--raw"]]
)
def test_without_a_prompt_the_default_question_is_asked(arguments, dev):
    assert dev.with_question(arguments) == [*arguments, dev.DEFAULT_PROMPT]


@pytest.mark.parametrize(
    "arguments",
    [["Why?"], ["-n", "5", "Why?"], ["--json", "Why?"], ["-p", "Why?"], ["-pWhy?"], ["--file=a"], ["-f", "a"], ["-"],
     ["--", "-n"], ["-h"]],
)  # fmt: skip
def test_a_prompt_or_a_call_for_help_is_left_alone(arguments, dev):
    assert dev.with_question(arguments) == arguments


def test_the_options_without_a_value_are_those_of_run(dev):
    parameters = get_command(app).commands["run"].params
    flags = {name for p in parameters if getattr(p, "is_flag", False) for name in p.opts}
    assert flags - {"-h", "--help"} == set(dev.NO_VALUE)


def test_run_works_where_the_caller_is(dev, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(dev, "set_up", lambda profile: Path(sys.executable))
    monkeypatch.setattr(dev.subprocess, "call", lambda command, cwd, env: asked.append((command, cwd)) or 0)
    assert dev.main(["run", "-f", "a prompt.txt"]) == 0
    assert asked == [([sys.executable, "-P", "-m", "tokenloom", "run", "-f", "a prompt.txt"], None)]


def test_another_pythons_settings_do_not_leak_in(dev, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    env = dev.child_env()
    assert "PYTHONPATH" not in env
    assert "VIRTUAL_ENV" not in env
    assert env["PIP_USER"] == "0"


def test_a_changed_lock_installs_anew(dev, monkeypatch, tmp_path):
    (tmp_path / "requirements").mkdir()
    (tmp_path / "pyproject.toml").write_text("one")
    (tmp_path / "requirements" / "run.txt").write_text("one")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    before = dev.digest("run")
    assert dev.digest("run") == before
    (tmp_path / "requirements" / "run.txt").write_text("two")
    assert dev.digest("run") != before


def test_locks_pin_every_package_with_hashes():
    for name in ("run", "test"):
        lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
        pins = [i for i, line in enumerate(lines) if line and line[0] not in " #"]
        assert pins
        assert all("==" in lines[i] and lines[i + 1].strip().startswith("--hash=sha256:") for i in pins)


def test_torch_is_the_one_that_the_package_metadata_pins(dev):
    assert f'"{dev.TORCH}"' in (ROOT / "pyproject.toml").read_text()
