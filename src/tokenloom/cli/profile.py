"""`tokenloom profile`: where a model's time goes on this machine. Knows flags, a table and files; the measuring is bench's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli import options
from tokenloom.cli.opening import open_model

if TYPE_CHECKING:
    from rich.table import Table

PromptLength = Annotated[
    int,
    typer.Option("-p", "--prompt-length", metavar="INTEGER", parser=options.whole(0), help="Tokens of a prompt; 0: none."),
]  # fmt: skip
DecodeTokens = Annotated[
    int,
    typer.Option(
        "-n", "--decode-tokens", metavar="INTEGER", parser=options.whole(0), help="Tokens to decode; 0: none."
    ),
]
Depth = Annotated[
    int,
    typer.Option(
        "--depth", metavar="INTEGER", parser=options.whole(0), help="Tokens in the cache before what is timed."
    ),
]
Shapes = Annotated[bool, typer.Option("--shapes", help="One line for each kernel and shape, not for each op class.")]
AsJson = Annotated[bool, typer.Option("--json", help="Everything as one JSON object.")]


def svg(name: str | None) -> str | None:
    if name is not None and not name.endswith(".svg"):
        raise typer.BadParameter(f"{name} is not valid; give a name that ends in .svg (no other format is written)")
    if name is not None and not Path(name).absolute().parent.is_dir():
        raise typer.BadParameter(f"{name} is not valid: there is no such directory; make it first")
    return name


Plot = Annotated[
    str | None, typer.Option("--plot", metavar="FILE.svg", callback=svg, help="Write a roofline too, as SVG (no PNG).")
]
QUIET = 0.05  # CPUs that others may keep busy without a word
COLUMNS = ("op", "calls", "time", "wait", "MB", "GB/s", "of wall", "GOP/s", "of peak")


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _number(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _row(name: str, share: dict[str, Any]) -> list[str]:
    return [
        name,
        f"{share['calls']:.0f}",
        _percent(share["time_fraction"]),
        _percent(share["wait_fraction"]),
        f"{share['nbytes'] / 1e6:.2f}" if share["nbytes"] else "",
        _number(share["gbs"]),
        _percent(share["wall_fraction"]),
        _number(share["gops"]),
        _percent(share["peak_fraction"]),
    ]


def heading(phase: dict[str, Any], name: str) -> str:
    speed = f"{phase['tokens_per_s']:.1f} tokens/s, {1000 * phase['wall_s']:.2f} ms"
    what = "token" if name == "decode" else f"prompt of {phase['tokens']}"
    kept = f"the quicker {phase['kept']} of {phase['taken']}"
    waiting = f"{phase['barriers']:.0f} barriers, {_percent(phase['total']['wait_fraction'])} of the time waiting"
    return f"{name} at depth {phase['depth']}: {speed} a {what} ({kept}); {waiting}"


def table(phase: dict[str, Any], shapes: bool) -> Table:
    """One phase: an op class, or a kernel and shape, in each row."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    found = Table(box=SIMPLE_HEAD)
    for number, column in enumerate(COLUMNS):
        found.add_column(column, justify="right" if number else "left", no_wrap=True)
    for label, share in phase["details" if shapes else "ops"].items():
        found.add_row(*_row(label, share))
    found.add_section()
    found.add_row(*_row("total", phase["total"]))
    return found


def command(
    model: options.ModelPosition = None,
    model_flag: options.ModelFile = None,
    prompt: PromptLength = 256,
    decode: DecodeTokens = 64,
    depth: Depth = 0,
    shapes: Shapes = False,
    as_json: AsJson = False,
    plot: Plot = None,
    ctx: options.Ctx = None,
    threads: options.Threads = None,
    tier: options.TierName = None,
    kv_dtype: options.KVDtypeName = "f16",
    arithmetic: options.Arithmetic = "exact",
) -> int:
    """Show where a model's time goes, decoding and reading a prompt, against what this machine can do at best.

    time: computing; wait: at the barriers after it, both as the threads' average. GB/s counts weights and cache, of wall: of the read wall measured
    in the same run. GOP/s counts multiplications and additions, of peak: of the measured peak of int8 dot products, or of float fmas
    (attention, float weights).
    """
    path = options.one_model(model, model_flag)
    if not prompt and not decode:
        raise typer.BadParameter("is 0 like -n; nothing is left to time", param_hint="-p")
    from tokenloom.bench.profile import as_dict, profile

    with open_model(path, threads=threads, ctx=ctx, tier=tier, kv_dtype=kv_dtype, arithmetic=arithmetic) as opened:
        result = profile(opened, prompt=prompt, decode=decode, depth=depth)
        file = opened.path
    facts = {"model": str(file), "kv_dtype": kv_dtype, **as_dict(result)}
    if as_json:
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")
    else:
        _show(facts, shapes)
    if plot is not None:
        from tokenloom.bench.profile_plot import roofline

        title = f"{file.name}, {result.tier}, {result.threads} thread{'s' if result.threads > 1 else ''}"
        Path(plot).write_text(roofline(result, title), encoding="utf-8")
    return 0


def _show(facts: dict[str, Any], shapes: bool) -> None:
    from rich.console import Console

    from tokenloom.cli.info import printable

    walls = facts["walls"]
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else 130)
    console.print(
        f"{printable(facts['model'])}, tier {facts['tier']}, threads: {facts['threads']}", markup=False, soft_wrap=True
    )
    limits = f"read wall {walls['read_gbs']:.1f} GB/s, int8 dot peak {walls['dot_gops']:.0f} GOP/s, float fma peak {walls['fma_gops']:.0f} GOP/s"
    console.print(f"this machine in the same run: {limits}", markup=False, soft_wrap=True)
    for name, phase in facts["phases"].items():
        console.print("\n" + heading(phase, name), markup=False, style="bold", soft_wrap=True)
        if phase["foreign"] > QUIET:
            warning = f"disturbed: other processes kept {phase['foreign']:.2f} CPUs busy meanwhile"
            console.print(warning, markup=False, soft_wrap=True)
        console.print(table(phase, shapes))
