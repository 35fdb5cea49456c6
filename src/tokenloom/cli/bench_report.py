"""`tokenloom bench report`: docs/performance.md from the artefacts. Knows arguments and output; the text is bench's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tokenloom.cli import bench_options
from tokenloom.errors import FormatError, RequestError

EPILOG = "Example: tokenloom bench report --results bench/results --to docs/performance.md --check"

Results = Annotated[Path, typer.Option("--results", metavar="DIR", help="Where the artefacts are.")]
Target = Annotated[Path, typer.Option("--to", metavar="FILE", help="The document.")]
Check = Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 if the document would change.")]


def command(
    results: Results = Path("bench/results"), to: Target = Path("docs/performance.md"), check: Check = False
) -> int:
    """Write the document of all artefacts: the newest row of every model, machine, engine and setting."""
    from tokenloom.bench import artefact, report

    if not results.is_dir():
        raise RequestError(f"--results {results}: there is no such directory")
    if check:
        if not to.exists() or to.read_text() != report.performance(artefact.read_all(results)):
            raise FormatError(f"{to}: is not what the artefacts in {results} give; run `tokenloom bench report`")
        return 0
    bench_options.say(f"{to} {'written' if report.write(results, to) else 'is as it was'}")
    return 0
