"""The vocabularies with expected ids that ship in a source distribution of llama-cpp-python.

Knows how to get that file with pip, whatever index pip is set up for, checks it by its sha256, and keeps what the tests
need under ${TOKENLOOM_MODELS:-~/.cache/tokenloom-models}. Knows the .inp/.out format. Nothing of it is built or run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

PACKAGE, VERSION = "llama-cpp-python", "0.3.36"
SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
LINE_BREAK = "\n__ggml_vocab_test__\n"
EXPECTED = (
    "bert-bge", "command-r", "deepseek-coder", "deepseek-llm", "falcon", "gemma-4", "gpt-2", "llama-bpe", "llama-spm",
    "mpt", "phi-3", "qwen2", "qwen35", "refact", "starcoder",
)  # fmt: skip
WITHOUT_EXPECTATIONS = ("aquila", "baichuan", "gpt-neox", "nomic-bert-moe")


@cache
def folder() -> Path:
    """Where ggml-vocab-*.gguf (with .inp and .out) and the templates lie; skips where the file cannot be had."""
    root = Path(os.environ.get("TOKENLOOM_MODELS") or Path.home() / ".cache" / "tokenloom-models")
    kept = root / f"{PACKAGE}-{VERSION}-{SHA256[:12]}"
    if not kept.is_dir():
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root) as scratch:
            _extract(_download(Path(scratch)), Path(scratch) / "kept")
            try:
                (Path(scratch) / "kept").rename(kept)
            except OSError:
                assert kept.is_dir()  # another process was first
    return kept


def _download(scratch: Path) -> Path:
    wanted = [f"{PACKAGE}=={VERSION}", "--no-deps", "--no-binary", PACKAGE]
    command = [sys.executable, "-m", "pip", "download", "-q", "-d", str(scratch), *wanted]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280)
    found = list(scratch.glob("*.tar.gz"))
    if done.returncode != 0 or not found:
        tail = "\n".join(done.stderr.splitlines()[-3:])
        pytest.skip(f"pip could not fetch {PACKAGE} {VERSION}: the expected ids are unproved\n{tail}")
    digest = hashlib.sha256(found[0].read_bytes()).hexdigest()
    assert digest == SHA256, f"{found[0].name} has sha256 {digest}, expected {SHA256}"
    return found[0]


def _extract(archive: Path, target: Path) -> None:
    (target / "templates").mkdir(parents=True)
    with tarfile.open(archive) as tar:
        for member in tar:
            path = PurePosixPath(member.name)
            source = tar.extractfile(member) if member.isfile() else None
            if source is None or path.parts[1:4] != ("vendor", "llama.cpp", "models"):
                continue
            if path.name.startswith("ggml-vocab-"):
                place = target / path.name
            elif path.suffix == ".jinja":
                place = target / "templates" / path.name
            else:
                continue
            with source, place.open("wb") as file:
                shutil.copyfileobj(source, file)


def model(name: str) -> Path:
    return folder() / f"ggml-vocab-{name}.gguf"


def lines(name: str) -> list[tuple[str, list[int]]]:
    """Each text with its expected ids."""
    inputs = Path(f"{model(name)}.inp").read_bytes().decode().split(LINE_BREAK)
    outputs = Path(f"{model(name)}.out").read_text().split("\n")
    ids = [[int(number) for number in line.split()] for line in outputs]
    assert len(inputs) >= 40
    assert len(ids) - len(inputs) in (0, 1)  # one file ends with a spare empty line
    return list(zip(inputs, ids, strict=False))
