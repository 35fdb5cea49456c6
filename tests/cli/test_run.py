"""`tokenloom run` with a model made of nothing: what it is asked, what is printed where, and the exit codes."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tokenloom.errors import RequestError


def stdin_holds(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_answer_on_stdout_and_timings_on_stderr(cli, model):
    outcome = cli("run", "capital?")
    assert (outcome.code, outcome.out) == (0, "Paris.\n")
    assert outcome.err == (
        "prompt 10 tokens in 0.10 s, 100.0 tokens/s (3 more from cache) | "
        "generated 3 tokens in 0.02 s, 100.0 tokens/s | load 0.50 s | finish stop\n"
    )
    assert model.closed


def test_greedy_unless_told_otherwise(cli, model):
    cli("run", "capital?")
    ((text, settings),) = model.asked
    assert text == "capital?"
    assert settings == {
        "max_tokens": None,
        "temp": 0.0,
        "top_k": 0,
        "top_p": 1.0,
        "min_p": 0.0,
        "repeat_penalty": 1.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": 0,
        "stop": (),
        "ignore_eos": False,
        "raw": False,
        "system": None,
    }


def test_flags_reach_the_model(cli, model):
    flags = (
        "-n 7 --temp 0.5 --top-k 40 --top-p 0.9 --min-p 0.1 -s 9 --stop A --stop B --ignore-eos --system S -c 64 -t 3"
    )
    cli("run", *flags.split(), "--kv-dtype", "f32", "--tier", "avx2", "--kv-budget", "1.5G", "x")
    settings = model.asked[0][1]
    assert (settings["max_tokens"], settings["temp"], settings["top_k"], settings["seed"]) == (7, 0.5, 40, 9)
    assert (settings["stop"], settings["ignore_eos"], settings["system"]) == (("A", "B"), True, "S")
    del model.opened_with["progress"]
    assert model.opened_with == {
        "path": None, "threads": 3, "ctx": 64, "tier": "avx2", "kv_dtype": "f32", "kv_budget": "1.5G",
        "cache": True, "arithmetic": "exact",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "path", "text"),
    [
        (["hello"], None, "hello"),
        (["m.gguf", "hello"], "m.gguf", "hello"),
        (["-m", "m.gguf", "hello"], "m.gguf", "hello"),
        (["-m", "m.gguf", "-p", "hello"], "m.gguf", "hello"),
        (["-p", "hello"], None, "hello"),
        (["m.gguf", "-p", "hello"], "m.gguf", "hello"),
        (["--", "-n"], None, "-n"),
    ],
)
def test_ways_to_name_model_and_prompt(arguments, path, text, cli, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.gguf").touch()
    assert cli("run", *arguments).code == 0
    assert model.opened_with["path"] == path
    assert model.asked[0][0] == text


def test_prompt_from_standard_input_loses_one_newline(cli, model, monkeypatch):
    stdin_holds(monkeypatch, "größe\n\n".encode())
    assert cli("run", "-").code == 0
    assert model.asked[0][0] == "größe\n"


def test_prompt_from_a_file(cli, model, tmp_path):
    file = tmp_path / "a prompt.txt"
    file.write_text("two\nlines\n")
    assert cli("run", "-f", str(file)).code == 0
    assert model.asked[0][0] == "two\nlines"


def test_missing_prompt_file_is_an_error(cli, model, tmp_path):
    outcome = cli("run", "-f", str(tmp_path / "none"))
    assert outcome.code == 1
    assert "No such file" in outcome.err


def test_input_that_is_not_text_is_an_error(cli, model, monkeypatch):
    stdin_holds(monkeypatch, b"abc\xff")
    outcome = cli("run", "-")
    assert outcome.code == 1
    assert outcome.err == "tokenloom: error: standard input is not UTF-8 text: byte 3 is 0xff\n"


def test_json_is_one_object(cli, model):
    outcome = cli("run", "--json", "capital?")
    answer = json.loads(outcome.out)
    assert answer["text"] == "Paris."
    assert answer["tokens"] == [0, 1, 2]
    assert answer["finish_reason"] == "stop"
    assert answer["timings"]["decode_tokens_per_s"] == 100.0


def test_json_names_the_system_message_that_is_used(cli, model):
    def system(*flags: str) -> str | None:
        return json.loads(cli("run", "--json", *flags, "capital?").out)["system"]

    assert system() is None
    assert system("--system", "S") == "S"
    model.default_system = "D"
    assert system() == "D"
    assert system("--system", "") == ""
    assert system("--raw") is None
    model.template = None
    assert system() is None


@pytest.mark.parametrize(("ctx", "ending"), [(16, "length (context full)"), (17, "length")])
def test_a_full_context_is_said_to_be_why(ctx, ending, cli, model):
    model.ctx, model.finish = ctx, "length"  # 3 cached, 10 prompt and 3 generated tokens
    assert cli("run", "capital?").err.endswith(f"finish {ending}\n")


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["why", "not"], "quote the whole PROMPT"),
        (["why", "-p", "not"], "two PROMPTs were given"),
        (["none.gguf", "why"], "check the path"),
    ],
)
def test_a_model_that_is_no_file_may_have_been_a_prompt(arguments, advice, cli, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = cli("run", *arguments)
    assert outcome.code == 1
    assert outcome.err.startswith(f"tokenloom: error: {arguments[0]}: there is no such file")
    assert advice in outcome.err
    assert not model.asked


def test_an_error_is_one_line_without_traceback(cli, model):
    outcome = cli("run", "too long")
    assert outcome.code == 1
    assert outcome.err == "tokenloom: error: the prompt has 200 tokens and the context 128\n"


def test_debug_lets_the_traceback_through(cli, model, monkeypatch):
    monkeypatch.setenv("TOKENLOOM_DEBUG", "1")
    with pytest.raises(RequestError):
        cli("run", "too long")


def test_interruption_keeps_what_was_said(cli, model):
    outcome = cli("run", "interrupt")
    assert outcome.code == 130
    assert outcome.out == "Paris\n"
    assert "finish interrupted" in outcome.err
    assert model.closed


def test_guessing_ahead(cli, model):
    outcome = cli("run", "--speculate", "ngram", "x")
    assert model.asked[-1][1]["speculate"] == "ngram"
    assert " | 6 of 8 guesses right | load " in outcome.err
    found = json.loads(cli("run", "--speculate", "draft.gguf", "-t", "1", "--json", "x").out)
    draft = model.asked[-1][1]["speculate"]
    assert (draft.path, draft.opened_with["threads"], draft.closed) == ("draft.gguf", 1, True)
    assert found["drafts"] == {"drafted": 8, "accepted": 6}
    cli("run", "x")
    assert "speculate" not in model.asked[-1][1]
