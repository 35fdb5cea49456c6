"""`tokenloom chat` through a pipe, with a model made of nothing."""

from __future__ import annotations

import io
import sys

import pytest

from tokenloom.cli import chat


def talk(cli, monkeypatch, text, *flags):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    return cli("chat", *flags)


def test_history_grows_and_nothing_decorates_a_pipe(cli, model, monkeypatch):
    outcome = talk(cli, monkeypatch, "one\n\ntwo\n", "--system", "S")
    assert (outcome.code, outcome.out) == (0, "answer 2\nanswer 4\n")
    assert [m["role"] for m in model.asked[1][0]] == ["system", "user", "assistant", "user"]
    assert model.asked[1][0][2]["content"] == "answer 2"


def test_reset_keeps_the_system_message_only(cli, model, monkeypatch):
    outcome = talk(cli, monkeypatch, "one\n/reset\ntwo\n", "--system", "S")
    assert outcome.out == "answer 2\nanswer 2\n"
    assert [m["content"] for m in model.asked[1][0]] == ["S", "two"]


def test_exit_ends_it(cli, model, monkeypatch):
    outcome = talk(cli, monkeypatch, "one\n/exit\ntwo\n")
    assert (outcome.code, len(model.asked)) == (0, 1)


def test_quit_ends_it_too(cli, model, monkeypatch):
    assert talk(cli, monkeypatch, "/quit\ntwo\n").code == 0
    assert not model.asked


def test_unknown_commands_do_not_reach_the_model(cli, model, monkeypatch):
    outcome = talk(cli, monkeypatch, "/foo bar\n//usr is what?\n")
    assert (outcome.code, outcome.out) == (0, "answer 1\n")
    assert "unknown command '/foo'" in outcome.err
    assert model.asked[0][0][0]["content"] == "/usr is what?"


def test_ctrl_c_at_the_prompt_ends_the_line(monkeypatch, capsys):
    def interrupted(sign: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(chat._lines(interactive=True))
    assert capsys.readouterr().out == "\n"


def test_a_model_without_a_template_is_refused(cli, model, monkeypatch):
    model.template = None
    outcome = talk(cli, monkeypatch, "one\n")
    assert outcome.code == 1
    assert "no chat template" in outcome.err


def test_flags_reach_the_model(cli, model, monkeypatch):
    talk(cli, monkeypatch, "one\n", "m.gguf", "--temp", "0.7", "-n", "5", "-c", "99")
    assert model.opened_with["path"] == "m.gguf"
    assert model.opened_with["ctx"] == 99
    assert (model.asked[0][1]["temp"], model.asked[0][1]["max_tokens"]) == (0.7, 5)
