"""`tokenloom screen`: the verdict on standard output, and an exit code for scripts."""

from __future__ import annotations

import io
import json
import sys
from types import SimpleNamespace

import pytest

from tests.screen.evasions import ORDER
from tokenloom.cli.main import main


@pytest.mark.parametrize(
    ("text", "flags", "code", "said"),
    [
        ("It rains.", [], 0, "admit: 9 characters from cli, untrusted\n"),
        (ORDER, [], 5, "quarantine: "),
        (ORDER, ["--provenance", "trusted"], 0, "admit: "),
        ("x" * 20_000, [], 4, "page: "),
    ],
)
def test_a_file_is_judged(text, flags, code, said, tmp_path, capsys):
    (tmp_path / "result.txt").write_text(text)
    assert main(["screen", str(tmp_path / "result.txt"), *flags]) == code
    assert capsys.readouterr().out.startswith(said)


def test_reasons_are_told(tmp_path, capsys):
    (tmp_path / "result.txt").write_text(ORDER[::-1])
    assert main(["screen", str(tmp_path / "result.txt")]) == 5
    assert "quarantine injection.override (weight 3, text, reversed): " in capsys.readouterr().out


def test_json_from_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(ORDER.encode())))
    assert main(["screen", "-", "--json", "--source", "tool:web"]) == 5
    verdict = json.loads(capsys.readouterr().out)
    assert (verdict["action"], verdict["source"]) == ("quarantine", "tool:web")
    assert verdict["reasons"][0]["rule"] == "injection.override"


def test_a_policy_decides(tmp_path, capsys):
    (tmp_path / "policy.json").write_text('{"page_above_chars": 3}')
    (tmp_path / "result.txt").write_text("It rains.")
    assert main(["screen", str(tmp_path / "result.txt"), "--policy", str(tmp_path / "policy.json")]) == 4


@pytest.mark.parametrize(
    ("flags", "code", "named"),
    [
        (["--policy", "no-such.json"], 1, "no-such.json"),
        (["--provenance", "friend"], 2, "friend is not valid"),
        (["--source", "two words"], 1, "source='two words'"),
    ],
)
def test_mistakes_are_named(flags, code, named, tmp_path, capsys):
    (tmp_path / "result.txt").write_text("It rains.")
    assert main(["screen", str(tmp_path / "result.txt"), *flags]) == code
    out, err = capsys.readouterr()
    assert named in err
    assert out == ""


def test_a_missing_file_is_named(tmp_path, capsys):
    assert main(["screen", str(tmp_path / "none.txt")]) == 1
    assert "none.txt" in capsys.readouterr().err
