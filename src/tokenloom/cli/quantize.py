"""`tokenloom quantize`: a model file in another type. Knows arguments and output; the work is weights'."""

from __future__ import annotations

import re
import sys
from typing import Annotated

import typer

from tokenloom.cli import options
from tokenloom.cli.info import printable, size
from tokenloom.cli.opening import OpeningBar

TYPES = (
    "F32", "F16", "BF16", "Q8_0", "Q6_K", "Q5_K", "Q5_1", "Q5_0", "Q4_K", "Q4_1", "Q4_0", "IQ4_NL", "IQ4_XS", "Q3_K", "Q2_K", "TQ2_0", "TQ1_0"
)  # fmt: skip
_LIST = ", ".join(TYPES)


def known_type(name: str) -> str:
    if name.upper() not in TYPES:
        mixture = re.fullmatch(r"(Q\d_K)_[SML]", name.upper())  # llama.cpp's names for files of several types
        meant = f"{mixture[1]} is the nearest of the types" if mixture else "types are"
        raise typer.BadParameter(f"cannot write type {name!r}; {meant} {_LIST}")
    return name.upper()


Source = Annotated[str, typer.Argument(metavar="IN", help="GGUF file to read.", show_default=False)]
Target = Annotated[str, typer.Argument(metavar="OUT", help="GGUF file to write.", show_default=False)]
Type = Annotated[
    str, typer.Option("--type", metavar="TYPE", callback=known_type, help=f"Type of the matrices: {_LIST}.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite OUT if it exists.")]


def command(source: Source, target: Target, qtype: Type, force: Force = False, threads: options.Threads = None) -> int:
    """Write a model with its matrices in another type; one-dimensional tensors stay F32.

    A matrix whose rows are no whole number of the type's blocks (of 256 for K types) gets the nearest type of blocks of 32; which ones is said.
    """
    from tokenloom.weights.requantize import requantize

    with OpeningBar() as bar:
        done = requantize(
            source,
            target,
            qtype,
            overwrite=force,
            threads=threads,
            progress=bar if sys.stderr.isatty() else None,
        )
    for remark in done.remarks:
        sys.stderr.write(f"tokenloom: {remark}\n")
    kinds = ", ".join(f"{count} {name}" for name, count in sorted(done.types.items(), key=lambda item: -item[1]))
    line = f"{target}: {size(done.nbytes)} (from {size(done.source_nbytes)}), tensors: {kinds}"
    sys.stdout.write(printable(line) + "\n")
    return 0
