"""`convert` and `cache` at the command line, and .loom files where a GGUF file may stand."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.formats.gguf_build import tiny_llama

from tokenloom.cli.main import main
from tokenloom.weights import identity, source


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOKENLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(source, "WORTH_KEEPING", 0)
    monkeypatch.setattr(identity, "SETTLED", 0.0)
    return tmp_path / "cache"


def test_a_container_goes_where_a_gguf_file_goes(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, packed = tiny_llama(tmp_path / "m.gguf"), tmp_path / "m.loom"
    assert main(["convert", str(model), str(packed)]) == 0
    assert "20 tensors in 4 slabs" in capsys.readouterr().out
    assert main(["convert", str(model), str(packed)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert main(["convert", str(model), str(packed), "--force"]) == 0
    outs = {}
    for path in (model, packed):
        capsys.readouterr()
        assert main(["run", str(path), "hello", "--raw", "-n", "5", "--ignore-eos", "--no-cache"]) == 0
        assert main(["tokenize", "-m", str(path), "the cat"]) == 0
        outs[path] = capsys.readouterr().out
    assert outs[model] == outs[packed]
    assert main(["info", str(packed), "--json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert (about["format"], about["architecture"], about["tensor_count"]) == ("loom v2, tiles v1", "llama", 20)
    assert not (root / "packed").exists()
    assert main(["quantize", str(packed), str(tmp_path / "q.gguf"), "--type", "Q8_0"]) == 1
    assert "packed tokenloom container" in capsys.readouterr().err
    assert main(["tokenize", "m.loom"]) == 2
    assert "is a model's name" in capsys.readouterr().err


def test_what_is_cached_is_listed_and_removed(tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "ls"]) == 0
    assert "packed   0 files" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert not root.exists()  # looking makes no directory
    model = tiny_llama(tmp_path / "m.gguf")
    assert main(["run", str(model), "hello", "--raw", "-n", "1"]) == 0
    (root / "packed" / "damaged.loom").write_text("no container")
    capsys.readouterr()
    assert main(["cache", "ls", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["parts"]
    assert found["objects"]["files"] == len(os.listdir(root / "objects")) > 5
    by_name = {entry["file"]: entry for entry in found["packed"]["entries"]}
    assert "not a packed container" in by_name.pop("damaged.loom")["problem"]
    assert [entry["source"] for entry in by_name.values()] == [str(model)]
    assert main(["cache", "ls"]) == 0
    assert str(model) in (out := capsys.readouterr().out)
    assert "used just now" in out
    assert main(["cache", "clear", "packed"]) == 0
    assert "packed: removed 2 files" in capsys.readouterr().out
    assert [p.name for p in (root / "packed").iterdir()] == [".lock"]
    assert os.listdir(root / "objects")
    assert main(["cache", "clear"]) == 0
    assert os.listdir(root / "objects") == []


@pytest.mark.parametrize("arguments", [["cache"], ["cache", "rm"], ["cache", "ls", "all"], ["convert", "a.gguf"]])
def test_wrong_words_are_usage_errors(arguments: list[str], root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_cache_that_cannot_be_is_said_and_nothing_fails(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root.write_text("no directory")
    assert main(["run", str(tiny_llama(tmp_path / "m.gguf")), "hello", "--raw", "-n", "1"]) == 0
    assert "cannot keep anything, so every start compiles and packs anew" in capsys.readouterr().err
    assert main(["cache", "ls"]) == 0
    assert "packed   0 files" in capsys.readouterr().out
    assert root.read_text() == "no directory"
