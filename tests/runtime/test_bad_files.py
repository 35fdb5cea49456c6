"""Files that are damaged or no models: a typed error from `load`, one line and a non-zero exit from the command, and no crash whatever the bits."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama, tiny_llama_builder
from tests.runtime.tiny import EOS
from tokenloom.errors import FormatError, TokenloomError, UnsupportedError

ROOT = Path(__file__).parents[2]
MUTANTS, TIME_BOX_S = 400, 40.0


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tokenloom", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def one_line(done: subprocess.CompletedProcess[str], *named: str) -> None:
    assert done.returncode == 1, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    for text in named:
        assert text in done.stderr


def offsets() -> list[float]:
    """Twelve places to cut a file: in the magic, the counts, the keys, the lists, the tensor table, and the data's start, middle and last byte."""
    return [0.0, 3, 11, 23, 60, 0.05, 0.1, 0.3, 0.5, 0.9, 0.999, -1]


def cut(data: bytes, where: float) -> bytes:
    return data[: int(where) if where >= 1 else len(data) - 1 if where < 0 else int(where * len(data))]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return tiny_llama(tmp_path_factory.mktemp("whole") / "m.gguf").read_bytes()


@pytest.mark.parametrize("where", offsets())
def test_a_cut_file(where: float, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(cut(whole, where))
    with pytest.raises(FormatError) as found:
        tokenloom.load(path)
    assert str(path) in str(found.value)


@pytest.mark.parametrize("where", offsets()[1::3])
def test_a_cut_file_at_the_command_line(where: float, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    path.write_bytes(cut(whole, where))
    one_line(command("run", str(path), "hi"), str(path))


def test_a_file_cut_while_it_is_read(tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header was whole, the data no longer is: an error, no SIGBUS."""
    from tokenloom.runtime import load as load_module

    path = tmp_path / "m.gguf"
    path.write_bytes(whole)
    load_weights = load_module.load_weights

    def cut_first(*arguments: object) -> object:
        os.truncate(path, len(whole) // 2)
        return load_weights(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(load_module, "load_weights", cut_first)
    with pytest.raises(FormatError, match=r"m\.gguf"):
        tokenloom.load(path)


BAD: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("I am no model.\n" * 99),
    "random": lambda path: path.write_bytes(random.Random(1).randbytes(70_000)),
    "random after the magic": lambda path: path.write_bytes(b"GGUF\3\0\0\0" + random.Random(2).randbytes(70_000)),
    "a directory": lambda path: path.mkdir(),
    "a pipe": lambda path: os.mkfifo(path),
    "another architecture": lambda path: tiny_llama(path, arch="mamba"),
    "another pre-tokenizer": lambda path: tiny_llama(path, pre="klingon"),
}
UNSUPPORTED = {"another architecture": "mamba", "another pre-tokenizer": "klingon"}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_model(what: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.gguf"
    BAD[what](path)
    with pytest.raises(UnsupportedError if what in UNSUPPORTED else FormatError) as found:
        tokenloom.load(path)
    assert UNSUPPORTED.get(what, str(path)) in str(found.value)


@pytest.mark.parametrize("what", ["missing", "text", "random after the magic", "another architecture"])
def test_what_is_no_model_at_the_command_line(what: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.gguf"
    BAD[what](path)
    one_line(command("run", str(path), "hi"), UNSUPPORTED.get(what, str(path)))


def test_a_prompt_that_does_not_fit_at_the_command_line(tmp_path: Path) -> None:
    path = tiny_llama(tmp_path / "m.gguf", ctx=64)
    one_line(command("run", str(path), "x" * 100, "--raw"), "100", "64")
    one_line(command("run", str(path), "x" * 40, "--raw", "-c", "16"), "40", "16")


def test_damaged_weights_end_in_an_error_too(tmp_path: Path) -> None:
    b = tiny_llama_builder(qtype="F16")
    next(t for t in b.tensors if t.name == "blk.1.ffn_up.weight").data = b"\xff\xff" * (128 * 64)
    done = command("run", str(b.write(tmp_path / "nan.gguf")), "hi", "--raw")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("tokenloom: error: step 1 computed a NaN or an infinity at position ")


# ---- damaged at random -----------------------------------------------------------------------------------------------------

BASES = (
    {"qtype": "Q8_0", "layers": 1},
    {"qtype": "F32", "layers": 1, "hidden": 32, "heads": 2, "kv_heads": 1, "ff": 32, "tied": False},
    {"qtype": "Q4_1", "rope_scaling": {"type": "yarn", "factor": 4.0, "original_context_length": 32},
     "rope_freqs": [1.0, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 8.0]},
    {"qtype": "F16", "layers": 1, "rope_scaling": {"type": "linear", "factor": 2.0}},
    {"qtype": "Q4_0", "layers": 1},
    {"qtype": "BF16", "layers": 1},
)  # fmt: skip


def write_bases(folder: Path) -> None:
    for number, options in enumerate(BASES):
        b = tiny_llama_builder(ctx=64, **options)  # type: ignore[arg-type]
        (folder / f"base-{number}-{len(b.header())}.gguf").write_bytes(b.build())


class CrashError(Exception):
    """A mutant that ended its process, or hung, or raised what is no TokenloomError."""


def run_mutants(folder: Path, first: int, count: int, deadline: float) -> Counter[str]:
    """Outcomes of mutants [first, first + count), fewer when the time box closes."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.mutate", str(folder), str(first), str(count)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    outcomes: Counter[str] = Counter()
    assert process.stdout
    number = None
    try:
        while line := process.stdout.readline().strip():
            number = int(line)
            outcome = process.stdout.readline().strip()
            if not outcome:
                break
            outcomes[outcome] += 1
            number = None
            if time.monotonic() > deadline:
                return outcomes
        _, err = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    if number is not None or process.returncode:
        raise CrashError(f"mutant {number} ended its process with {process.returncode}:\n{err}")
    return outcomes


def test_mutants_load_and_run_or_are_refused(tmp_path: Path) -> None:
    """Hundreds of damaged models through load, a chunk, single rows, sampling and text."""
    write_bases(tmp_path)
    outcomes = run_mutants(tmp_path, 0, MUTANTS, time.monotonic() + TIME_BOX_S)
    assert outcomes.total() >= 300, f"the time box closed after {outcomes}"
    assert outcomes["FormatError"] > 100
    assert outcomes["ran"] > 30
    assert outcomes["NonFiniteLogitsError"] > 10
    kinds = {kind.__name__ for kind in all_errors(TokenloomError)}
    assert set(outcomes) <= kinds | {"ran"}


@pytest.mark.slow
def test_thousands_of_mutants(tmp_path: Path) -> None:
    write_bases(tmp_path)
    outcomes = run_mutants(tmp_path, 100_000, 6000, time.monotonic() + 250)
    assert outcomes.total() > 2000


def all_errors(kind: type[TokenloomError]) -> list[type[TokenloomError]]:
    return [kind, *(e for sub in kind.__subclasses__() for e in all_errors(sub))]


@pytest.mark.parametrize("plant", ["os.abort()", "raise KeyError(5)", "time.sleep(60)"])
def test_guard_on_mutants_fails_when_one_crashes(plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash, an error of another kind and a hang are each seen, and named by the mutant's number."""
    write_bases(tmp_path)
    hook = tmp_path / "sitecustomize.py"
    hook.write_text(
        f"import os, time\nimport tests.runtime.mutate as m\nm.SECONDS = 3\nattempt = m.attempt\n"
        f"def planted(path):\n    if b'GGUF' in path.read_bytes()[:4]:\n        {plant}\n    return attempt(path)\nm.attempt = planted\n"
        f"import sys\nm.main(m.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))\n"
    )
    real = subprocess.Popen

    def planted_process(arguments: list[str], **options: object) -> object:
        return real([arguments[0], str(hook), *arguments[3:]], env={**os.environ, "PYTHONPATH": str(ROOT)}, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", planted_process)
    with pytest.raises(CrashError, match=r"mutant 0 ended its process with"):
        run_mutants(tmp_path, 0, 5, time.monotonic() + 30)


def test_end_tokens_of_a_damaged_file_are_checked(tmp_path: Path) -> None:
    b = tiny_llama_builder()
    b.metadata = [entry for entry in b.metadata if entry[0] != "tokenizer.ggml.eos_token_id"]
    b.add("tokenizer.ggml.eos_token_id", "u32", 10**6)
    with pytest.raises(FormatError, match="eos_token_id"):
        tokenloom.load(b.write(tmp_path / "m.gguf"))
    assert EOS < 10**6
