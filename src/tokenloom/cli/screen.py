"""`tokenloom screen`: the verdict on a text, for shell scripts. Knows arguments, output and the exit codes 4 and 5; opens no model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tokenloom.cli import inputs

PAGED, QUARANTINED = 4, 5
_LEVELS = ("trusted", "internal", "untrusted")


def known_provenance(name: str | None) -> str | None:
    if name is not None and name not in _LEVELS:
        raise typer.BadParameter(f"{name} is not valid; give {', '.join(_LEVELS)}")
    return name


File = Annotated[
    str, typer.Argument(metavar="FILE", help="The text's file (- reads standard input).", show_default=False)
]
PolicyFile = Annotated[str | None, typer.Option("--policy", metavar="FILE", help="JSON policy (else the defaults).")]
Source = Annotated[
    str, typer.Option("--source", metavar="NAME", help="Where the text came from, as the policy names it.")
]
Level = Annotated[
    str | None,
    typer.Option(
        "--provenance", metavar="|".join(_LEVELS), callback=known_provenance, help="How far its author is trusted."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="The verdict as one JSON object.")]


def command(
    file: File, policy: PolicyFile = None, source: Source = "cli", provenance: Level = None, as_json: AsJson = False
) -> int:
    """Judge a text as it would be judged before it enters a session. Exit code 0: admit, 4: page, 5: quarantine."""
    from tokenloom.screen import Screen

    text = inputs.read_text("-") if file == "-" else inputs.read_file(Path(file))
    verdict = Screen(policy).check(text, source=source, provenance=provenance)
    if as_json:
        out = json.dumps(verdict.as_dict(), ensure_ascii=False)
    else:
        reasons = (f"  {r.action:<10} {r.rule} (weight {r.weight}, {r.view}): {r.excerpt}" for r in verdict.reasons)
        out = "\n".join([f"{verdict.action}: {verdict.chars} characters from {source}, {verdict.provenance}", *reasons])
    sys.stdout.write(out + "\n")
    return {"admit": 0, "page": PAGED, "quarantine": QUARANTINED}[verdict.action]
