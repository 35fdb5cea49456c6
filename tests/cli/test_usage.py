"""Impossible flags are usage errors: exit code 2, one line that names the flag and what would be valid."""

from __future__ import annotations

import pytest

from tokenloom.cli.options import KV_DTYPES
from tokenloom.kernels.kv_page import STORED

WRONG = [
    (["-n", "-1"], "--max-tokens", "from 0"),
    (["-n", "1.5"], "--max-tokens", "1.5 is not valid; give a whole number from 0"),
    (["--temp", "-0.1"], "--temp", "from 0"),
    (["--temp", "nan"], "--temp", "from 0"),
    (["--temp", "inf"], "--temp", "from 0"),
    (["--top-k", "-1"], "--top-k", "from 0"),
    (["--top-p", "0"], "--top-p", "above 0 up to 1"),
    (["--top-p", "1.01"], "--top-p", "above 0 up to 1"),
    (["--top-p", "nan"], "--top-p", "above 0 up to 1"),
    (["--min-p", "-1"], "--min-p", "from 0 up to 1"),
    (["--repeat-penalty", "0"], "--repeat-penalty", "above 0"),
    (["--presence-penalty", "nan"], "--presence-penalty", "finite"),
    (["--frequency-penalty", "-inf"], "--frequency-penalty", "finite"),
    (["--seed", "-1"], "--seed", "from 0 up to 18446744073709551615"),
    (["--seed", "18446744073709551616"], "--seed", "from 0 up to 18446744073709551615"),
    (["--ctx", "0"], "--ctx", "from 1"),
    (["--threads", "0"], "--threads", "from 1 up to 256"),
    (["--threads", "two"], "--threads", "whole number from 1 up to 256"),
    (["--tier", "sse9"], "unknown tier", "avx2"),
    (["--temp", "warm"], "--temp", "warm is not valid; give a finite number from 0"),
    (["--kv-dtype", "f8"], "--kv-dtype", "f8 is not valid; give f16 or f32 or q8"),
    (["--stop", ""], "--stop", "at least one character"),
    (["--bogus"], "--bogus", "--help"),
    (["--raw", "--system", "be brief"], "--system", "--raw"),
    (["-p", "one", "-f", "two"], "-f", "-p"),
]


@pytest.mark.parametrize(("flags", "named", "valid"), WRONG, ids=[" ".join(w[0]) for w in WRONG])
def test_impossible_flags_are_usage_errors(flags, named, valid, cli, model):
    outcome = cli("run", *flags, "hello")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert named in outcome.err
    assert valid in outcome.err
    assert not model.asked


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["run"], "PROMPT"),
        (["run", ""], "PROMPT"),
        (["run", "model.gguf"], "PROMPT"),
        (["run", "a", "b", "c"], "too many"),
        (["run", "-m", "a.gguf", "b", "c"], "too many"),
        (["run", "-m", "a.gguf", "-p", "b", "c"], "two of them were given"),
        (["chat", "a.gguf", "-m", "b.gguf"], "leave one out"),
        (["tokenize"], "TEXT"),
        (["nonsense"], "nonsense"),
    ],
)
def test_impossible_arguments_are_usage_errors(arguments, named, cli, model):
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert named in outcome.err


def test_every_cache_type_has_a_flag():
    """Options name them without importing what knows them."""
    assert tuple(STORED) == KV_DTYPES


def test_no_command_shows_the_commands(cli):
    outcome = cli()
    assert outcome.code == 2
    assert all(name in outcome.err for name in ("run", "chat", "info", "tokenize", "asm", "doctor"))


def test_help_and_version_are_done(cli):
    assert cli("--help").code == 0
    assert "--top-p" in cli("run", "--help").out
    assert cli("--version").out.startswith("tokenloom 0.")
