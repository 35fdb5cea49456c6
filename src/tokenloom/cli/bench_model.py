"""`tokenloom bench MODEL`: one model's speeds, start and memory. Knows arguments and output; the work is bench's."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from tokenloom.cli import bench_options, options
from tokenloom.cli.exits import DONE, REFUSED

EPILOG = "Example: tokenloom bench --shape tiny -p 32 -n 8 --threads 1 --batch 1,2 -r 3 --starts 1"

Repeats = Annotated[
    int, typer.Option("-r", "--repeats", metavar="INTEGER", parser=options.whole(1), help="Samples of every row.")
]
Starts = Annotated[
    int, typer.Option("--starts", metavar="INTEGER", parser=options.whole(0), help="Times it is started anew; 0: not.")
]
EngineName = Annotated[
    str, typer.Option("--engine", metavar="ENGINE", help="Another engine alone, as `bench compare --against` names them.")
]  # fmt: skip
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="The speeds as bars, in an SVG file.")]


def command(
    model: options.ModelPosition = None,
    prompts: bench_options.Prompts = "512",
    n: bench_options.Decode = 128,
    repeats: Repeats = 5,
    depth: bench_options.Depth = "16",
    batch: bench_options.Batch = "1",
    threads: bench_options.ThreadCounts = None,
    starts: Starts = 3,
    engine: EngineName = "tokenloom",
    shape: bench_options.ShapeName = None,
    qtype: bench_options.TypeName = None,
    out: bench_options.Out = None,
    plot: Plot = None,
    as_json: bench_options.AsJson = False,
) -> int:
    """Measure one model: prompt and decode speeds, bytes per token beside what this machine can read, start-up times, peak memory.

    A row whose samples spread too far, or were disturbed by other load, is REJECTED (exit code 3).
    """
    from tokenloom.bench import artefact, plots, tables
    from tokenloom.bench.alone import Alone
    from tokenloom.bench.engines import parse
    from tokenloom.bench.models import bench_model
    from tokenloom.bench.rows import wanted_rows
    from tokenloom.bench.wall import read_wall

    rows = wanted_rows(bench_options.numbers(prompts), n, bench_options.numbers(depth), bench_options.numbers(batch))
    counts = bench_options.thread_counts(threads)
    chosen = parse(engine)
    if rows or not starts:
        bench_options.check_rows(rows, chosen)
    path = bench_model(model, shape, qtype)
    name = bench_options.model_name(path, shape, qtype)
    record = artefact.begin("model", path, name)
    alone = Alone(chosen, path, repeats, wall=read_wall, say=bench_options.say)
    try:
        if starts and chosen.name == "tokenloom" and not chosen.detail:
            alone.starts(counts[-1], starts)
        for count in counts if rows else ():
            alone.run(rows, count)
    except KeyboardInterrupt:
        record["interrupted"] = True
        raise
    finally:
        record["rows"] = alone.rows
        record["engines"] = {"ours": {"name": chosen.name, "detail": chosen.detail, **alone.about}}
        if alone.rows:
            written = artefact.write(record, out or artefact.RESULTS, f"{name}-{engine}")
            sys.stdout.write(json.dumps(record, indent=1) + "\n" if as_json else tables.model_tables(alone.rows))
            bench_options.say(f"wrote {written}")
    if plot is not None:
        plots.write_bars(plot, f"{name}, tokens/s", plots.speeds(alone.rows))
    return REFUSED if artefact.refused(alone.rows) else DONE
