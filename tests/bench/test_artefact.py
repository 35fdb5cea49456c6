"""Artefacts keep their schema, and docs/performance.md is what the committed ones give."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tokenloom.bench import artefact, report
from tokenloom.bench.pairing import as_dict, summarize
from tokenloom.errors import FormatError

ROOT = Path(__file__).resolve().parents[2]
RATIO = as_dict(summarize([(1.0, 1.5)] * 8))


def row(**changes):
    about = {"row": "decode 64 at depth 16", "kind": "decode", "n": 64, "depth": 16, "batch": 1, "threads": 2}
    figures = {"ratio": RATIO, "control": RATIO, "tokens_per_s": [64.0, 42.7], "variant": "flash attention on"}
    return {**about, **figures, "verdict": "measured", "reason": None, **changes}


def record(**changes):
    made = artefact.begin("compare", Path(__file__), "a model")
    made["engines"] = {
        "ours": {"name": "tokenloom"},
        "theirs": {"name": "llama.cpp", "version": "1", "build": "AVX = 1 |"},
    }
    return {**made, "rows": [row()], **changes}


def test_a_record_is_written_and_read(tmp_path):
    made = record()
    path = artefact.write(made, tmp_path / "new", "a/b c")
    assert path.name.endswith("-compare-a-b-c.json")
    read = artefact.read(path)
    assert read["rows"][0]["ratio"]["median"] == 1.5
    assert read["machine"]["cpus"] >= 1
    assert read["commit"] is None or len(read["commit"]) == 40
    assert artefact.write(made, tmp_path / "new", "a/b c").name.endswith("-compare-a-b-c-2.json"), "none is overwritten"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"schema": "other"}, "no artefact of schema"),
        ({"rows": None}, "'rows' is None"),
        ({"machine": []}, "'machine' is"),
        ({"rows": [row(verdict="good")]}, "row 0: verdict 'good'"),
        ({"rows": [row(), row(verdict="REJECTED")]}, "row 1: verdict 'REJECTED' with reason None"),
        ({"rows": [{"row": "x"}]}, "row 0: 'verdict' is missing"),
    ],
)
def test_what_is_not_as_the_schema_has_it_is_named(changes, named, tmp_path):
    (tmp_path / "x.json").write_text(json.dumps(record(**changes)))
    with pytest.raises(FormatError, match=named):
        artefact.read(tmp_path / "x.json")


def test_a_command_names_no_directory_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [str(Path.home() / "m.gguf"), str(Path.cwd() / "bench" / "results"), "--out", "/elsewhere/x"]
    monkeypatch.setattr("sys.argv", ["tokenloom", *words])
    assert record()["command"] == ["tokenloom", "~/m.gguf", "./bench/results", "--out", "/elsewhere/x"]


def test_the_newest_row_is_shown_and_a_rejected_one_with_its_reason():
    old, new = record(when="2026-01-01T00:00:00+00:00"), record(when="2026-01-02T00:00:00+00:00")
    new["rows"] = [row(verdict="REJECTED", reason="the hog ran")]
    other = copy.deepcopy(old)
    other["model"]["name"] = "another"
    text = report.performance([old, other, new])
    assert text.count("| a model |") == text.count("| another |") == 1
    assert "REJECTED: the hog ran" in text
    assert "against llama.cpp (1; AVX = 1)" in text


def committed() -> list[Path]:
    """Results of one's own that are not committed do not count."""
    if not (ROOT / ".git").exists():
        return sorted((ROOT / "bench" / "results").glob("*.json"))
    done = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "bench/results"], capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in done.stdout.split("\0") if name.endswith(".json") and (ROOT / name).exists()]


def test_the_document_is_what_the_artefacts_give(tmp_path):
    for path in committed():
        shutil.copy(path, tmp_path)
    expected = report.performance(artefact.read_all(tmp_path))
    assert (ROOT / "docs" / "performance.md").read_text() == expected, "run `tokenloom bench report`"


def test_guard_of_the_document_fails_when_it_is_edited(tmp_path):
    from tokenloom.cli.main import main

    results, document = tmp_path / "results", tmp_path / "performance.md"
    artefact.write(record(), results, "x")
    words = ["bench", "report", "--results", str(results), "--to", str(document)]
    assert main(words) == 0
    assert main([*words, "--check"]) == 0
    document.write_text(document.read_text().replace("1.500", "9.500"))
    assert main([*words, "--check"]) == 1
