"""`tokenloom bench sessions`: many turns of many agents over one prompt. Knows arguments and output; knows nothing of measuring."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli import bench_options, options
from tokenloom.cli.exits import DONE, REFUSED
from tokenloom.cli.opening import open_model

if TYPE_CHECKING:
    from tokenloom.bench.sessions import Cell

EPILOG = "Example: tokenloom bench sessions --prefix 64 --turns 3 --agents 2 --decode 4 --result 8 --arms shared,own --threads 1"

_list = bench_options.numbers


def _grid(flag: str, help_text: str, low: int = 1) -> Any:
    def parse(text: str) -> str:
        _list(text, low)
        return text

    return typer.Option(flag, metavar="LIST", parser=parse, help=help_text)


Prefix = Annotated[str, _grid("--prefix", "Tokens that all agents begin with.", 0)]
Turns = Annotated[str, _grid("--turns", "Turns of each agent.")]
Agents = Annotated[str, _grid("--agents", "Agents.")]
Decode = Annotated[str, _grid("--decode", "Tokens generated in a turn.")]
Result = Annotated[str, _grid("--result", "New tokens that an agent is given in a turn.")]
Arms = Annotated[
    str | None,
    typer.Option("--arms", metavar="LIST", help="Of re-prefill, own, shared, llama.cpp; shared is always there."),
]
CountsOnly = Annotated[
    bool, typer.Option("--counts-only", help="How many prompt tokens each arm computes, without running any.")
]
Flash = Annotated[
    str,
    typer.Option("--peer-flash", metavar="on|off|auto", help="llama.cpp's flash attention; auto: the better in a short trial."),
]  # fmt: skip
FLASH = {"on": True, "off": False, "auto": None}
NAMES = {"re-prefill": "re-prefill", "own": "own KV", "shared": "shared", "llama.cpp": "llama.cpp"}


def arms_of(text: str | None) -> list[str]:
    """The arms by their full names, in the order of NAMES."""
    asked = list(NAMES) if text is None else text.split(",")
    for name in asked:
        if name not in NAMES:
            raise typer.BadParameter(f"{name!r} is no arm; arms are {', '.join(NAMES)}", param_hint="--arms")
    return [full for name, full in NAMES.items() if name in asked or name == "shared"]


def _count(cells: list[Cell], arms: list[str], as_json: bool) -> int:
    from tokenloom.bench import sessions, tables

    found = [
        {
            "cell": cell.__dict__,
            **{arm: sum(sessions.prefilled(cell, arm)) for arm in arms},
            "least": sessions.least(cell),
        }
        for cell in cells
    ]
    if as_json:
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        heads = ["prompt tokens computed", *arms, "least possible"]
        counts = [[cell.title, *(str(row[arm]) for arm in arms), str(row["least"])] for cell, row in zip(cells, found, strict=True)]  # fmt: skip
        sys.stdout.write(tables.markdown(heads, counts))
    return 0


def command(
    model: options.ModelPosition = None,
    model_flag: options.ModelFile = None,
    prefix: Prefix = "1024",
    turns: Turns = "10",
    agents: Agents = "8",
    decode: Decode = "32",
    result: Result = "64",
    arms: Arms = None,
    counts_only: CountsOnly = False,
    peer_flash: Flash = "auto",
    kv_budget: options.KVBudget = None,
    threads: options.Threads = None,
    out: bench_options.Out = None,
    as_json: bench_options.AsJson = False,
) -> int:
    """Turns × agents over a shared prompt: re-prefill everything, a cache for each agent, shared pages with joint steps, llama.cpp's server.

    Every arm takes a turn before any takes the next; the other arms' times are given relative to the shared one's, per turn from the second on.
    What was disturbed, or computed other prompt tokens than stated, is REJECTED (exit code 3).
    """
    from tokenloom.bench import sessions

    cells = sessions.grid(_list(prefix), _list(turns), _list(agents), _list(decode), _list(result))
    names = arms_of(arms)
    if peer_flash not in FLASH:
        raise typer.BadParameter(f"{peer_flash} is not valid; give on, off or auto", param_hint="--peer-flash")
    if counts_only:
        return _count(cells, names, as_json)
    from tokenloom.bench import artefact, sessions_run

    settings = {"ctx": max(cell.ctx for cell in cells), "threads": threads, "kv_budget": kv_budget}
    measured: list[sessions_run.Measured] = []
    with open_model(options.one_model(model, model_flag), **settings) as opened:
        record = artefact.begin("sessions", opened.path)
        try:
            for cell in cells:
                sessions_run.measure(opened, cell, names, flash=FLASH[peer_flash], say=bench_options.say, into=measured)
                _show(measured[-1].rows(), as_json)
        except KeyboardInterrupt:
            record["interrupted"] = True
            _show(measured[-1].rows() if measured else [], as_json)
            raise
        finally:
            record["rows"] = [row for found in measured for row in found.rows()]
            record["engines"] = {"ours": {"name": "tokenloom", "threads": opened.threads, "tier": opened.tier}}
            for found in measured:
                record["engines"].update(found.engines())
            if record["rows"]:
                written = artefact.write(record, out or artefact.RESULTS, opened.path.stem)
                bench_options.say(f"wrote {written}")
    if as_json:
        sys.stdout.write(json.dumps(record, indent=1) + "\n")
    return REFUSED if artefact.refused(record["rows"]) else DONE


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    from tokenloom.bench import tables

    if rows and not as_json:
        title = rows[0]["row"].rpartition(": ")[0]
        sys.stdout.write(f"{title}\n\n{tables.markdown(tables.SESSIONS_HEADS, map(tables.sessions_line, rows))}\n")
        sys.stdout.flush()
