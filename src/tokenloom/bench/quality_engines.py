"""Engines whose logits are compared: a model opened here, or llama.cpp in a process of its own.

Knows how a window of ids becomes the logits of its scored places. Knows nothing of what is made of them.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from tokenloom.bench.engines import parse
from tokenloom.bench.quality import Agreement, Logits, Score, Windows, nll
from tokenloom.errors import RequestError, RunError, TokenloomError, UnsupportedError
from tokenloom.runtime.engine import MAX_OUTS, MAX_ROWS, Rows
from tokenloom.runtime.interrupt import BetweenSteps
from tokenloom.runtime.model import Model

WORKER = Path(__file__).with_name("quality_llama_cpp.py")


def peer_python(name: str) -> Path:
    """The Python of the llama.cpp that `name` means on the command line of `bench compare`. Raises UnsupportedError when it is not there."""
    if name == "llama.cpp=wheel":
        raise UnsupportedError("the xllamacpp wheel gives no logits; give llama.cpp or llama.cpp=PATH")
    return Path(parse(name).command[0])


class Engine(Protocol):
    """`logits` of places first to len(window) − 2 of a window, computed from an empty cache."""

    name: str
    vocab_size: int

    def logits(self, window: Sequence[int], first: int) -> Logits: ...

    def close(self) -> None: ...


class Here:
    """A tokenloom model. Logits are computed for the scored places alone."""

    def __init__(self, model: Model, name: str) -> None:
        self.name, self.model = name, model
        self.vocab_size = model.tokenizer.vocab_size

    def logits(self, window: Sequence[int], first: int) -> Logits:
        engine, last = self.model._engine, len(window) - 1
        result = np.empty((last - first, self.vocab_size), np.float32)
        sequence = engine.new_sequence()
        try:
            for at in range(0, first, MAX_ROWS):
                engine.step_locked([Rows(sequence, window[at : min(at + MAX_ROWS, first)], "none")])
            for at in range(first, last, MAX_OUTS):
                with engine.lock:
                    outs = engine.step([Rows(sequence, window[at : min(at + MAX_OUTS, last)], "all")])
                    result[at - first : at - first + outs] = engine.logits(outs)
        finally:
            sequence.close()
        return result

    def close(self) -> None:
        self.model.close()


class LlamaCpp:
    """llama.cpp behind a Python that has `llama-cpp-python`; one context, flash attention off, an f16 cache."""

    def __init__(self, python: Path, model: Path, *, threads: int, ctx: int) -> None:
        if not python.exists():
            raise RequestError(f"no llama.cpp at {python}; bench/peers/llama_cpp.sh builds one")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (a pipe that nobody reads would fill up)
        self._process = subprocess.Popen(
            [str(python), str(WORKER), str(model), str(threads), str(ctx)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
            start_new_session=True,  # Ctrl-C is ours to answer: the windows that are finished are kept
        )  # fmt: skip
        try:
            about = self._answer()
        except BaseException:
            self.close()
            raise
        self.name, self.vocab_size, self.about = "llama.cpp", int(about["vocab_size"]), about

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise self._ended()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _ended(self) -> TokenloomError:
        """What its last line of complaint says."""
        self._process.wait(10)
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        return RunError(f"the llama.cpp process ended: {lines[-1] if lines else 'it said nothing'}", 0)

    def tokenize(self, text: str, *, add_bos: bool) -> list[int]:
        """The ids llama.cpp's own tokenizer gives, special tokens' texts read as text."""
        ids: list[int] = self._ask({"op": "tokenize", "text": text, "add_bos": add_bos})["ids"]
        return ids

    def logits(self, window: Sequence[int], first: int) -> Logits:
        answer = self._ask({"op": "logits", "ids": list(window), "first": first})
        assert self._process.stdout
        count = int(answer["places"]) * self.vocab_size
        raw = self._process.stdout.read(4 * count)
        if len(raw) != 4 * count:
            raise self._ended()
        return np.frombuffer(raw, np.float32).reshape(-1, self.vocab_size)

    def close(self) -> None:
        process = self._process
        if process.poll() is None:
            assert process.stdin
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for stream in (process.stdin, process.stdout, self._said):
            if stream:
                stream.close()

    def __enter__(self) -> LlamaCpp:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_same_vocabulary(model: Here, other: Engine) -> None:
    """Raises RequestError when the same ids are not the same text to both."""
    if isinstance(other, Here) and other.model.tokenizer.fingerprint != model.model.tokenizer.fingerprint:
        raise RequestError(f"{model.name} and {other.name} have different tokenizers: the same ids are other texts")
    if other.vocab_size != model.vocab_size:
        raise RequestError(
            f"{model.name} has {model.vocab_size} tokens and {other.name} {other.vocab_size}: their logits cannot be compared"
        )


def ids_of(model: Model, text: str) -> tuple[list[int], int | None]:
    """A text's ids by the model's own rule, and the beginning token that this rule adds, or None."""
    tokenizer = model.tokenizer
    return tokenizer.encode(text, add_eos=False), tokenizer.bos_id if tokenizer.add_bos else None


@dataclass
class Quality:
    """What has been scored so far, in whole windows; `reference` and `agreement` are those of a comparison."""

    model: Score
    reference: Score | None = None
    agreement: Agreement | None = None


def measure(
    quality: Quality, model: Engine, reference: Engine | None, windows: Windows, done: Callable[[int], None]
) -> None:
    """Scores all windows into `quality`, telling `done` how many are finished. Ctrl-C is kept until a window is."""
    with BetweenSteps() as interrupts:
        for number, window in enumerate(windows.ids):
            targets = window[windows.first + 1 :]
            ours = model.logits(window, windows.first)
            if reference is not None:
                assert quality.reference is not None
                assert quality.agreement is not None
                theirs = reference.logits(window, windows.first)
                quality.agreement.add(ours, theirs)
                quality.reference.windows.append(nll(theirs, targets))
            quality.model.windows.append(nll(ours, targets))
            done(number + 1)
            interrupts.check()
