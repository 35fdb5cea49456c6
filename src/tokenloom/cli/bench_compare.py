"""`tokenloom bench compare`: tokenloom beside another engine. Knows arguments and output; the work is bench's."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from tokenloom.cli import bench_options, options
from tokenloom.cli.exits import DONE, REFUSED

EPILOG = (
    "Example: tokenloom bench compare --against tokenloom --shape tiny -p 32 -n 8 --pairs 6 --aa-pairs 6 --threads 1"
)

Against = Annotated[
    str,
    typer.Option(
        "--against",
        metavar="ENGINE",
        help="llama.cpp (the build of bench/peers/llama_cpp.sh), llama.cpp=PATH (a virtual environment with llama-cpp-python, or its Python), "
        "llama.cpp=wheel (the xllamacpp package), openvino[=PATH] (openvino-genai, as bench/peers/openvino.sh installs it), "
        "transformers, tokenloom (itself: every ratio should be 1), tokenloom=REV (another commit).",
        show_default=False,
    ),
]
Pairs = Annotated[int, typer.Option("--pairs", metavar="INTEGER", parser=options.whole(1), help="Pairs of every row.")]
ControlPairs = Annotated[
    int,
    typer.Option(
        "--aa-pairs", metavar="INTEGER", parser=options.whole(1), help="Pairs of tokenloom against itself, before."
    ),
]


def command(
    against: Against,
    model: options.ModelPosition = None,
    prompts: bench_options.Prompts = "256",
    n: bench_options.Decode = 64,
    depth: bench_options.Depth = "16",
    batch: bench_options.Batch = "1",
    threads: bench_options.ThreadCounts = None,
    pairs: Pairs = 12,
    control_pairs: ControlPairs = 8,
    shape: bench_options.ShapeName = None,
    qtype: bench_options.TypeName = None,
    tier: options.TierName = None,
    arithmetic: options.Arithmetic = "exact",
    out: bench_options.Out = None,
    as_json: bench_options.AsJson = False,
) -> int:
    """Compare speeds in pairs taken in turns: per-pair ratios, above 1 where tokenloom is faster; first against itself (A/A).

    Both engines get the same tokens and threads, the other one its better setting; what was unfair or disturbed is REJECTED (exit code 3).
    --tier and --arithmetic are tokenloom's own; the other engine is what it is (llama.cpp=PATH of a build for AVX2, say).
    """
    from tokenloom.bench import artefact
    from tokenloom.bench.compare import Comparison
    from tokenloom.bench.engines import parse, pinned
    from tokenloom.bench.models import bench_model
    from tokenloom.bench.rows import wanted_rows

    rows = wanted_rows(bench_options.numbers(prompts), n, bench_options.numbers(depth), bench_options.numbers(batch))
    theirs = parse(against)
    bench_options.check_rows(rows, theirs)
    path = bench_model(model, shape, qtype)
    name = bench_options.model_name(path, shape, qtype)
    record = artefact.begin("compare", path, name)
    comparison = Comparison(pinned(tier, arithmetic), theirs, path, pairs, control_pairs, say=bench_options.say)
    if not as_json:
        comparison.row_done = lambda: _show_last(comparison.rows)
    try:
        for count in bench_options.thread_counts(threads):
            comparison.run(rows, count)
    except KeyboardInterrupt:
        record["interrupted"] = True
        raise
    finally:
        record["rows"], record["engines"] = comparison.rows, comparison.engines
        if comparison.rows:
            written = artefact.write(record, out or artefact.RESULTS, f"{name}-vs-{against}")
            bench_options.say(f"wrote {written}")
    if as_json:
        sys.stdout.write(json.dumps(record, indent=1) + "\n")
    return REFUSED if artefact.refused(comparison.rows) else DONE


def _show_last(rows: list[dict[str, Any]]) -> None:
    """Prints the table's last line, and its head before the first."""
    from tokenloom.bench import tables

    lines = tables.compare_table(rows).splitlines(keepends=True)
    sys.stdout.write("".join(lines[-1 if len(rows) > 1 else 0 :]))
    sys.stdout.flush()
