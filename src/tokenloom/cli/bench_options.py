"""The flags that the measuring commands share. Knows what they may hold; knows nothing of what is done with them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tokenloom.cli import options
from tokenloom.errors import RequestError

if TYPE_CHECKING:
    from tokenloom.bench.engines import Engine
    from tokenloom.bench.rows import Row


def numbers(text: str, low: int = 0) -> list[int]:
    """Whole numbers from `low` on, parted by commas."""
    parse = options.whole(low)
    return [parse(word) for word in text.split(",")]


def _list(text: str) -> str:
    numbers(text)
    return text


def _list_from_1(text: str) -> str:
    numbers(text, 1)
    return text


Prompts = Annotated[
    str, typer.Option("-p", "--prompt-tokens", metavar="LIST", parser=_list, help="Prompt rows, in tokens; 0: none.")
]
Decode = Annotated[
    int, typer.Option("-n", "--tokens", metavar="INTEGER", parser=options.whole(0), help="Tokens a decode row generates; 0: none.")
]  # fmt: skip
Depth = Annotated[
    str, typer.Option("--depth", metavar="LIST", parser=_list_from_1, help="Tokens before those of a decode row.")
]
Batch = Annotated[
    str, typer.Option("--batch", metavar="LIST", parser=_list_from_1, help="Sequences that decode together.")
]
ThreadCounts = Annotated[
    str | None,
    typer.Option(
        "--threads", "-t", metavar="LIST", parser=_list_from_1,
        help="Numbers of threads, one after another (else the physical cores this process may use).",
    ),
]  # fmt: skip
ShapeName = Annotated[
    str | None, typer.Option("--shape", metavar="SHAPE", help="A model of random weights instead: tiny, 1b (Llama-3.2-1B), 3b.")
]  # fmt: skip
TypeName = Annotated[
    str | None,
    typer.Option("--type", metavar="TYPE", help="The model in that type: made on first use, and kept in the cache."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where the artefact goes (else bench/results).")]
AsJson = Annotated[bool, typer.Option("--json", help="The artefact on standard output instead of a table.")]


def thread_counts(text: str | None) -> list[int]:
    from tokenloom.jit.cpu import default_threads

    return [default_threads()] if text is None else numbers(text, 1)


def check_rows(rows: list[Row], engine: Engine) -> None:
    """Raises RequestError where there is nothing to measure, or what the engine cannot be asked."""
    if not rows:
        raise RequestError("nothing to measure: -p and -n are both 0")
    if not engine.batches and any(row.batch > 1 for row in rows):
        raise RequestError(f"{engine.name}={engine.detail} takes no batches; leave --batch out")


def model_name(path: Path, shape: str | None, qtype: str | None) -> str:
    """What the model is called in tables: the file's name, or its first part and the type it was put into."""
    return f"{path.stem.split('.')[0]}.{qtype}" if qtype and not shape else path.stem


def say(text: str) -> None:
    sys.stderr.write(f"tokenloom: {text}\n")
    sys.stderr.flush()
