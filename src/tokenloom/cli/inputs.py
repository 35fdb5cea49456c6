"""Where a prompt and a model come from on a command line.

Knows arguments, files and standard input. Knows nothing of tokens.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from tokenloom.errors import RequestError


def _decode(data: bytes, source: str) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise RequestError(f"{source} is not UTF-8 text: byte {problem.start} is {data[problem.start]:#04x}") from None
    return text.removesuffix("\n").removesuffix("\r")


def read_text(argument: str) -> str:
    """The argument itself, or standard input for `-`; one newline at the end of the input is not part of the text."""
    if argument == "-":
        return _decode(sys.stdin.buffer.read(), "standard input")
    return _decode(argument.encode("utf-8", "surrogateescape"), "an argument")


def read_file(path: Path) -> str:
    try:
        return _decode(path.read_bytes(), str(path))
    except OSError as problem:
        raise RequestError(f"cannot read the prompt file {path}: {problem.strerror}") from None


def model_and_text(
    arguments: list[str], model: str | None, text: str | None, what: str = "PROMPT"
) -> tuple[str | None, str]:
    """Sort out `PROMPT`, `MODEL PROMPT` and the flags for either: the model (None: the default one) and the text."""
    rest = list(arguments)
    two = text is not None
    if text is None and rest:
        text = rest.pop()
    named = model is not None
    if model is None and rest:
        model = rest.pop()
    if rest:
        given = "".join(f" {a!r}" for a in arguments)
        wrong = f"two of them were given, by a flag and as{given}; leave one out" if two and named else (
            f"too many arguments:{given}; give {what}, or MODEL {what}; quote a {what} of several words")  # fmt: skip
        raise typer.BadParameter(wrong, param_hint=what)
    if model is not None and not named and not os.path.exists(model):
        remedy = f"two {what}s were given: leave one out" if two else f"quote the whole {what}"
        raise RequestError(
            f"{model}: there is no such file, and the argument in this place is the MODEL; "
            f"check the path, or if it was meant as part of the {what}, {remedy}"
        )
    if text is None:
        raise typer.BadParameter("missing; give it as an argument, or - for standard input", param_hint=what)
    if model is None and len(arguments) == 1 and text.endswith((".gguf", ".loom")):
        raise typer.BadParameter(f"{text!r} is a model's name; give the {what} after it", param_hint=what)
    return model, text


def not_empty(text: str, what: str = "PROMPT") -> str:
    if not text:
        raise typer.BadParameter("is empty; give at least one character", param_hint=what)
    return text
