"""A model made of nothing: it answers with fixed pieces, so that the command line can be tested alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

import tokenloom
from tokenloom.cli.main import main
from tokenloom.errors import RequestError


class FakeGeneration:
    def __init__(self, pieces: list[str], interrupt_after: int | None = None, finish: str = "stop") -> None:
        self._finish = finish
        self._pieces = pieces
        self._interrupt_after = interrupt_after
        self.text = ""
        self.tokens: list[int] = []
        self.finish_reason: str | None = None
        self.cached_tokens = 3
        self.drafts: SimpleNamespace | None = None
        self.timings = SimpleNamespace(
            load_s=0.5,
            prompt_tokens=10,
            prompt_s=0.1,
            prompt_tps=100.0,
            decode_tokens=2,
            decode_s=0.02,
            decode_tps=100.0,
        )

    def __iter__(self) -> Iterator[str]:
        for i, piece in enumerate(self._pieces):
            if i == self._interrupt_after:
                raise KeyboardInterrupt
            self.text += piece
            self.tokens.append(i)
            yield piece
        self.finish_reason = self._finish


@dataclass
class FakeModel:
    """Records what it is asked. A prompt that contains `too long` is refused, one with `interrupt` is interrupted."""

    asked: list[tuple[Any, dict[str, Any]]] = field(default_factory=list)
    opened_with: dict[str, Any] = field(default_factory=dict)
    template: object | None = "template"
    path: str = "/models/fake.gguf"
    tier: str = "generic"
    threads: int = 2
    ctx: int = 128
    closed: bool = False
    default_system: str | None = None
    finish: str = "stop"

    def generate(self, text: str, **settings: Any) -> FakeGeneration:
        self.asked.append((text, settings))
        if "speculate" in settings:
            generation = FakeGeneration(["Par", "is", "."])
            generation.drafts = SimpleNamespace(drafted=8, accepted=6, stopped=None)
            return generation
        if "too long" in text:
            raise RequestError("the prompt has 200 tokens\nand the context 128")
        return FakeGeneration(["Par", "is", "."], 2 if "interrupt" in text else None, self.finish)

    def chat(self, messages: list[dict[str, str]], **settings: Any) -> FakeGeneration:
        self.asked.append((messages, settings))
        return FakeGeneration([f"answer {len(messages)}"])

    def __enter__(self) -> FakeModel:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> FakeModel:
    fake = FakeModel()

    def load(path: str | None, **settings: Any) -> FakeModel:
        if path == "draft.gguf":
            return FakeModel(path=path, opened_with=settings)
        fake.opened_with = {"path": path, **settings}
        return fake

    monkeypatch.setattr(tokenloom, "load", load, raising=False)
    return fake


@dataclass
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def call(*arguments: str) -> Outcome:
        code = main(arguments)
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call
