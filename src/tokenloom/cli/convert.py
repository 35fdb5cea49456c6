"""`tokenloom convert`: a GGUF file as a packed container. Knows arguments and output; the work is weights'."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tokenloom.cli.info import printable, size
from tokenloom.cli.opening import OpeningBar

Source = Annotated[str, typer.Argument(metavar="IN", help="GGUF file to read.", show_default=False)]
Target = Annotated[str, typer.Argument(metavar="OUT.loom", help="Container to write.", show_default=False)]
Force = Annotated[bool, typer.Option("--force", help="Overwrite OUT.loom if it exists.")]


def command(source: Source, target: Target, force: Force = False) -> int:
    """Write a model packed as the kernels read it: it opens faster, on any machine, and needs no GGUF file."""
    from tokenloom.weights.convert import convert

    with OpeningBar() as bar:
        done = convert(source, target, overwrite=force, progress=bar if sys.stderr.isatty() else None)
    line = (
        f"{target}: {size(done.nbytes)} (from {size(done.source_nbytes)}), {done.tensors} tensors in {done.slabs} slabs"
    )
    sys.stdout.write(printable(line) + "\n")
    return 0
