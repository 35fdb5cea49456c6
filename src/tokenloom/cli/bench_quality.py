"""`tokenloom bench quality`: perplexity on a text, and agreement with another file, arithmetic or engine.

Knows arguments and output. Knows nothing of measuring, which is bench's.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli import bench_options, inputs, options
from tokenloom.cli.exits import DONE, ERROR, INTERRUPTED, REFUSED
from tokenloom.cli.opening import OpeningBar, open_model

if TYPE_CHECKING:
    from tokenloom.bench.quality import Score
    from tokenloom.bench.quality_engines import Engine, Quality
    from tokenloom.runtime.model import Model

WITH = (
    "llama.cpp, llama.cpp=PATH (a virtual environment or its Python), tokenloom (the same file), or another GGUF file"
)

TextFile = Annotated[
    Path, typer.Option("-f", "--text", metavar="FILE", help="UTF-8 text to predict.", show_default=False)
]
Against = Annotated[
    str | None,
    typer.Option("--against", metavar="ENGINE|FILE", help=f"What to compare with, on the same tokens: {WITH}."),
]
AgainstKV = Annotated[
    str | None,
    typer.Option(
        "--against-kv-dtype",
        callback=lambda name: name and options.known_kv_dtype(name),
        metavar="|".join(options.KV_DTYPES),
        help="The other tokenloom's cache type (else --kv-dtype).",
    ),
]
Window = Annotated[
    int, typer.Option("-c", "--ctx", metavar="INTEGER", parser=options.whole(8), help="Tokens of a window.")
]
Most = Annotated[
    int | None,
    typer.Option("--windows", metavar="INTEGER", parser=options.whole(1), help="At most so many windows (else all)."),
]
Within = Annotated[
    float | None,
    typer.Option(
        "--within",
        metavar="PERCENT",
        parser=options.real(0, 100, above_low=True),
        help="Exit 1 where the perplexities differ by more, 3 where the text is too short to tell.",
    ),
]
EPILOG = (
    "Example: tokenloom bench quality --text README.md --ctx 128 --windows 2 --against tokenloom --against-kv-dtype f32"
)


def reference_of(
    against: str, opened: Model, *, ctx: int, kv_dtype: str, threads: int | None, tier: str | None
) -> Engine:
    """What `--against` names, open."""
    from tokenloom.bench.quality_engines import Here, LlamaCpp, peer_python

    if against.partition("=")[0] == "llama.cpp":
        return LlamaCpp(peer_python(against), opened.path, threads=opened.threads, ctx=ctx)
    if against != "tokenloom" and not Path(against).exists():
        raise typer.BadParameter(f"{against!r} is no engine and no file; give {WITH}", param_hint="--against")
    path = str(opened.path) if against == "tokenloom" else against
    other = open_model(path, threads=threads, ctx=ctx, tier=tier, kv_dtype=kv_dtype)
    return Here(other, f"tokenloom {other.path.name}, {kv_dtype} cache")


def scored(score: Score) -> dict[str, Any]:
    return {
        "engine": score.name,
        "perplexity": score.perplexity,
        "standard_error": score.error,
        "mean_nll": score.mean_nll,
        "windows": len(score.windows),
        "tokens": score.tokens,
    }


def as_dict(quality: Quality) -> dict[str, Any]:
    """All figures as plain data."""
    from tokenloom.bench.quality import Spread, difference

    found: dict[str, Any] = {"engines": [scored(quality.model)]}
    if quality.reference is not None and quality.agreement is not None:
        import numpy as np

        found["engines"].append(scored(quality.reference))
        apart, agreement = difference(quality.model, quality.reference), quality.agreement
        every = np.concatenate(agreement.kl)
        divergence, same = Spread.of(agreement.kl), Spread.of(agreement.same)
        found["ln_ratio"] = dataclasses.asdict(apart)
        found["perplexity_ratio"] = {
            "ratio": math.exp(apart.mean), "low": math.exp(apart.low), "high": math.exp(apart.high),
        }  # fmt: skip
        found["kl"] = {
            "mean": divergence.mean, "standard_error": divergence.error, "median": float(np.median(every)),
            "p99": float(np.quantile(every, 0.99)), "max": float(every.max()),
        }  # fmt: skip
        found["top1"] = {"same": same.mean, "standard_error": same.error}
    return found


def _table(found: dict[str, Any]) -> str:
    heads = ["engine", "perplexity", "± (1 s.e.)", "windows", "scored tokens"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for row in found["engines"]:
        cells = [row["engine"], f"{row['perplexity']:.4f}", f"{row['standard_error']:.4f}"]
        lines.append(f"| {' | '.join([*cells, str(row['windows']), str(row['tokens'])])} |")
    if "kl" in found:
        ratio, kl, top = found["perplexity_ratio"], found["kl"], found["top1"]
        interval = f"95 % interval {ratio['low']:.5f} to {ratio['high']:.5f}, paired by token, spread over windows"
        mean = f"mean {kl['mean']:.6f} ± {kl['standard_error']:.6f}, median {kl['median']:.6f}"
        lines += [
            "",
            f"perplexity ratio {ratio['ratio']:.5f} ({interval})",
            f"KL(second ‖ first) in nats: {mean}, p99 {kl['p99']:.5f}, max {kl['max']:.4f}",
            f"same likeliest token: {top['same']:.2%} ± {top['standard_error']:.2%}",
        ]
    return "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """JSON has no NaN: what is not known is null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _judge(found: dict[str, Any], within: float) -> tuple[int, str]:
    """Adds what became of `--within`; its exit code and its line."""
    from tokenloom.bench import quality as q

    kind, why = q.verdict(q.Spread(**found["ln_ratio"]), within / 100)
    found["within"] = {"percent": within, "verdict": kind, "why": why}
    if kind == q.REJECTED:
        found.update(verdict=kind, reason=why)
    code = {q.KEPT: DONE, q.MISSED: ERROR, q.REJECTED: REFUSED}[kind]
    return code, f"within {within:g} %: {kind}: {why}\n"


def command(
    text: TextFile,
    model: options.ModelPosition = None,
    model_flag: options.ModelFile = None,
    against: Against = None,
    against_kv: AgainstKV = None,
    ctx: Window = 512,
    windows: Most = None,
    within: Within = None,
    out: bench_options.Out = None,
    as_json: bench_options.AsJson = False,
    threads: options.Threads = None,
    tier: options.TierName = None,
    kv_dtype: options.KVDtypeName = "f16",
    arithmetic: options.Arithmetic = "exact",
) -> int:
    """Perplexity on a text file; with --against also how far two files, arithmetics or engines agree on the same tokens.

    A file given to --against is always computed exactly.

    Windows of CTX tokens that do not overlap, the second half of each scored, as llama.cpp's llama-perplexity does.
    """
    from tokenloom.bench import artefact
    from tokenloom.bench import quality as q
    from tokenloom.bench.quality_engines import Here, Quality, check_same_vocabulary, ids_of, measure

    if against is None and (within is not None or against_kv is not None):
        flag = "--within" if within is not None else "--against-kv-dtype"
        raise typer.BadParameter("compares with something: say with what (--against)", param_hint=flag)
    words = inputs.read_file(text)
    settings: dict[str, Any] = {"threads": threads, "ctx": ctx, "tier": tier}
    with ExitStack() as stack:
        path = options.one_model(model, model_flag)
        opened = stack.enter_context(open_model(path, kv_dtype=kv_dtype, arithmetic=arithmetic, **settings))
        fast = "" if arithmetic == "exact" else f", arithmetic {arithmetic}"
        record = artefact.begin("quality", opened.path)
        ours, other = Here(opened, f"tokenloom {opened.path.name}, {kv_dtype} cache{fast}"), None
        ids, bos = ids_of(opened, words)
        cut = q.windows_of(ids, ctx, bos=bos, most=windows)
        found = Quality(q.Score(ours.name))
        if against is not None:
            other = reference_of(against, opened, kv_dtype=against_kv or kv_dtype, **settings)
            stack.callback(other.close)
            check_same_vocabulary(ours, other)
            found.reference, found.agreement = q.Score(other.name), q.Agreement()
        bar = stack.enter_context(OpeningBar()) if sys.stderr.isatty() else None
        try:
            measure(found, ours, other, cut, lambda n: bar("scoring", n / len(cut.ids)) if bar else None)
        except KeyboardInterrupt:
            if not found.model.windows:
                raise
            record["interrupted"] = True
        record["engines"] = {
            "ours": {"name": "tokenloom", "detail": ours.name, "threads": opened.threads, "tier": opened.tier}
        }
        if other is not None:
            record["engines"]["theirs"] = {"name": other.name}
    compared, subject = (f" against {other.name}", "-vs-" + other.name.split(",")[0]) if other is not None else ("", "")
    row: dict[str, Any] = {
        "row": ours.name + compared, "verdict": artefact.MEASURED, "reason": None, "text": text.name,
        "sha256": hashlib.sha256(words.encode()).hexdigest(), "ctx": ctx, "threads": opened.threads, **as_dict(found),
    }  # fmt: skip
    code, said = _judge(row, within) if within is not None else (DONE, "")
    record["rows"] = [_plain(row)]
    written = artefact.write(record, out or artefact.RESULTS, opened.path.stem + subject)
    sys.stdout.write(json.dumps(record, indent=1) + "\n" if as_json else _table(row) + said)
    bench_options.say(f"wrote {written}")
    return INTERRUPTED if record["interrupted"] else code
