"""`tokenloom asm`: the machine code (or the IR) of one kernel. Knows names; knows no instructions."""

from __future__ import annotations

import difflib
import sys
from typing import Annotated

import typer

from tokenloom.cli import options


def command(
    kernel: Annotated[
        str | None,
        typer.Argument(metavar="[KERNEL]", help="A kernel's name; all names if left out.", show_default=False),
    ] = None,
    tier: options.TierName = None,
    ir: Annotated[bool, typer.Option("--ir", help="The LLVM IR instead of the machine code.")] = False,
) -> int:
    """Print a kernel as it is generated for a tier of this machine."""
    from tokenloom.kernels import catalog

    names = catalog.kernel_names()
    if kernel is None:
        text = "\n".join(names)
    elif kernel not in names:
        near = difflib.get_close_matches(kernel, names, n=3, cutoff=0.4) or names[:3]
        raise typer.BadParameter(
            f"no kernel {kernel!r}; like it: {', '.join(near)} (`tokenloom asm` lists all)", param_hint="KERNEL"
        )
    else:
        text = (catalog.ir if ir else catalog.asm)(kernel, tier)
    sys.stdout.write(text.rstrip("\n") + "\n")
    return 0
