"""`tokenloom cache`: what is kept in the user's cache directory, and emptying it. Knows how to lay it out on a terminal."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from tokenloom.cli.info import printable, size

ACTIONS = ("ls", "clear")
PARTS = ("packed", "objects")


def _one_of(names: tuple[str, ...], word: str | None) -> str | None:
    if word is not None and word not in names:
        raise typer.BadParameter(f"{word!r} is not valid; give {' or '.join(names)}")
    return word


def known_action(word: str) -> str:
    _one_of(ACTIONS, word)
    return word


def known_part(word: str | None) -> str | None:
    return _one_of(PARTS, word)


Action = Annotated[str, typer.Argument(metavar="ls|clear", callback=known_action, show_default=False)]
Part = Annotated[
    str | None,
    typer.Argument(metavar="[packed|objects]", callback=known_part, help="Only this part.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="The same as one JSON object.")]


def _age(seconds: float) -> str:
    for unit, step in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * step:
            return f"{seconds / step:.0f} {unit} ago"
    return "just now"


def _lines(found: dict[str, Any]) -> Iterable[str]:
    yield f"cache    {found['root']}"
    for name, part in found["parts"].items():
        bound = "off" if part["bound"] == 0 else f"at most {size(part['bound'])}"
        yield f"{name:<8} {part['files']} files, {size(part['bytes'])} ({bound})"
        for entry in part.get("entries", ()):
            used = _age(time.time() - entry["used"])
            yield f"         {size(entry['bytes']):>9}  used {used:<15} {entry['source'] or entry['problem']}"


def command(action: Action, part: Part = None, as_json: AsJson = False) -> int:
    """List what is cached (packed models and compiled kernels) or remove it."""
    from tokenloom.weights import cache_report

    wanted = [part] if part else list(PARTS)
    found = cache_report.contents(wanted) if action == "ls" else cache_report.clear(wanted)
    if as_json:
        text = json.dumps(found, indent=2)
    elif action == "ls":
        text = "\n".join(printable(line) for line in _lines(found))
    else:
        text = "\n".join(
            f"{name}: removed {gone['files']} files, {size(gone['bytes'])}" for name, gone in found["removed"].items()
        )
    sys.stdout.write(text + "\n")
    return 0
