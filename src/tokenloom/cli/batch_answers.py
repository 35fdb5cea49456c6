"""The answers of a batch on disk: kept as they come, so that a killed run goes on, and put in order when all are there.

Knows two files: OUT.part, where each answer is a line as soon as it is known, and OUT, which takes its place with all of them in order. An answer is
found by the key of its question, so lines may be added, moved or mended between runs. Knows nothing of models or of what an answer says.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, cast

from tokenloom.cli.batch_lines import Question
from tokenloom.errors import RequestError


class Answers:
    """Use it in a `with` statement: it holds the lock on OUT.part. Raises RequestError where files or another run are in the way."""

    def __init__(self, out: Path) -> None:
        self.out, self.part = out, out.with_name(out.name + ".part")
        self._places: dict[str, tuple[BinaryIO, int, int]] = {}
        self._files: list[BinaryIO] = []

    def __enter__(self) -> Answers:
        try:
            if self.out.exists():
                self._read(self._opened(self.out, "rb"), strict=True)
            self._kept = self._opened(self.part, "ab")
            fcntl.flock(self._kept, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._reader = self._opened(self.part, "rb")
            self._end = self._read(self._reader, strict=False)
            self._kept.truncate(self._end)  # what a killed run wrote by half
        except BlockingIOError:
            self._close()
            raise RequestError(f"{self.part}: another run is writing it; wait for it, or give another -o") from None
        except OSError as problem:
            self._close()
            raise RequestError(f"{problem.filename or self.part}: cannot be used: {problem.strerror}") from None
        except BaseException:
            self._close()
            raise
        return self

    def _opened(self, path: Path, mode: str) -> BinaryIO:
        self._files.append(cast(BinaryIO, open(path, mode)))  # noqa: SIM115 (closed by _close)
        return self._files[-1]

    def __exit__(self, *_: object) -> None:
        if self._end == 0 and self.part.exists():
            self.part.unlink()
        self._close()

    def _close(self) -> None:
        for file in self._files:
            file.close()

    def _read(self, file: BinaryIO, *, strict: bool) -> int:
        """Finds the answers in a file; returns where its last whole line ends."""
        file.seek(0)
        at = 0
        for line in iter(file.readline, b""):
            if not line.endswith(b"\n"):
                break
            answer = _answer(line)
            if strict and answer is None:
                raise RequestError(f"{self.out}: there is such a file, and it is no output of batch; give another -o")
            if answer and "key" in answer and "error" not in answer:
                self._places[answer["key"]] = file, at, len(line)
            at += len(line)
        return at

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        """Writes an answer behind the others, for good."""
        line = _line({**answer, "key": key})
        self._kept.write(line)
        self._kept.flush()
        self._places[key] = self._reader, self._end, len(line)
        self._end += len(line)

    def finish(self, wanted: Iterable[Question | dict[str, Any]]) -> None:
        """Writes OUT: the answers to questions, and lines of their own, in this order. It takes the place of OUT.part and of an OUT before."""
        temporary = self.out.with_name(self.out.name + ".new")
        with open(temporary, "wb") as file:
            for item in wanted:
                file.write(_line(item if isinstance(item, dict) else self._of(item)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, self.out)
        self.part.unlink()
        self._end = 0

    def _of(self, question: Question) -> dict[str, Any]:
        file, at, size = self._places[question.key]
        file.seek(at)
        answer = json.loads(file.read(size))
        for name in ("line", "id", "sample"):
            answer.pop(name, None)
        return {**place(question), **answer}


class Printed:
    """Answers on standard output instead, each as soon as all before it are known; nothing outlives the run."""

    def __init__(self, wanted: Iterable[Question | dict[str, Any]]) -> None:
        self._coming, self._known = deque(wanted), dict[str, dict[str, Any]]()

    def __enter__(self) -> Printed:
        return self

    def __exit__(self, *_: object) -> None:
        sys.stdout.buffer.flush()

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        self._known[key] = {name: value for name, value in answer.items() if name not in ("line", "id", "sample")}
        self._print()

    def _print(self) -> None:
        while self._coming:
            item = self._coming[0]
            if isinstance(item, Question):
                if item.key not in self._known:
                    break
                item = {**place(item), **self._known[item.key]}
            sys.stdout.buffer.write(_line(item))
            self._coming.popleft()
        sys.stdout.buffer.flush()

    def finish(self, wanted: Iterable[Question | dict[str, Any]]) -> None:
        self._print()


def place(question: Question) -> dict[str, Any]:
    """Where an answer belongs."""
    named = {} if question.id is None else {"id": question.id}
    return {"line": question.line, **named, "sample": question.sample}


def _line(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False).encode() + b"\n"


def _answer(line: bytes) -> dict[str, Any] | None:
    """What batch once wrote, or None."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    known = isinstance(answer, dict) and "line" in answer and (isinstance(answer.get("key"), str) or "error" in answer)
    return answer if known else None
