"""Rows of artefacts as Markdown tables. Knows columns and figures; knows nothing of measuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def markdown(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    cells = [list(heads), ["---"] * len(heads), *map(list, lines)]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def _verdict(row: dict[str, Any]) -> str:
    """With its reason, where there is one."""
    return f"{row['verdict']}: {row['reason']}" if row["reason"] else str(row["verdict"])


COMPARE_HEADS = (
    "row", "threads", "tokens/s", "theirs", "their setting", "ratio", "95 % interval", "IQR/median", "n", "A/A", "verdict",
)  # fmt: skip


def compare_line(row: dict[str, Any]) -> list[str]:
    """One row of a comparison, in COMPARE_HEADS."""
    ratio, control, speeds = row["ratio"], row["control"], row["tokens_per_s"]
    figures = [
        *([f"{speed:.1f}" for speed in speeds] if speeds else ["-", "-"]),
        row["variant"] or "-",
        *(
            [f"{ratio['median']:.3f}", f"{ratio['ci_low']:.3f}..{ratio['ci_high']:.3f}", f"{ratio['spread']:.1%}", str(ratio["n"])]
            if ratio
            else ["-", "-", "-", "0"]
        ),
        f"{control['median']:.3f}" if control else "-",
    ]  # fmt: skip
    return [row["row"], str(row["threads"]), *figures, _verdict(row)]


def compare_table(rows: Iterable[dict[str, Any]]) -> str:
    return markdown(COMPARE_HEADS, map(compare_line, rows))


MODEL_HEADS = (
    "row",
    "threads",
    "tokens/s",
    "95 % interval",
    "IQR/median",
    "n",
    "MB per token",
    "of the read wall",
    "verdict",
)
START_HEADS = ("start", "threads", "value", "IQR/median", "n")


def model_line(row: dict[str, Any]) -> list[str]:
    """A speed of one engine alone, in MODEL_HEADS."""
    speed, size, share = row["tokens_per_s"], row.get("bytes_per_token"), row.get("share_of_wall")
    low, high = row["interval"] or (0.0, 0.0)
    return [
        row["row"], str(row["threads"]), f"{speed:.1f}" if speed else "-", f"{low:.1f}..{high:.1f}" if speed else "-",
        f"{row['spread']:.1%}" if speed else "-", str(row["samples"]), f"{size / 1e6:.1f}" if size else "-",
        f"{share:.0%} of {row['wall_gb_per_s']:.1f} GB/s" if share else "-", _verdict(row),
    ]  # fmt: skip


def start_line(row: dict[str, Any]) -> list[str]:
    """A time or a size, in START_HEADS."""
    if "bytes" in row:
        return [row["row"], str(row["threads"]), f"{row['bytes'] / 1e6:.0f} MB", "-", "-"]
    return [row["row"], str(row["threads"]), f"{row['seconds']:.3f} s", f"{row['spread']:.1%}", str(row["samples"])]


def model_tables(rows: Sequence[dict[str, Any]]) -> str:
    speeds = [model_line(row) for row in rows if row["kind"] != "start"]
    starts = [start_line(row) for row in rows if row["kind"] == "start"]
    both = [markdown(heads, lines) for heads, lines in ((MODEL_HEADS, speeds), (START_HEADS, starts)) if lines]
    return "\n".join(both)


QUALITY_HEADS = (
    "engine", "against", "windows", "perplexity", "theirs", "ratio", "95 % interval", "mean KL, nats", "same likeliest", "verdict",
)  # fmt: skip


def quality_line(row: dict[str, Any]) -> list[str]:
    """One measurement of how well tokens are predicted, in QUALITY_HEADS."""
    ours, *theirs = row["engines"]
    perplexities = [f"{e['perplexity']:.4f} ± {e['standard_error']:.4f}" for e in row["engines"]]
    verdict = _verdict(row)
    if within := row.get("within"):
        verdict = f"within {within['percent']:g} %: {verdict if row['reason'] else within['verdict']}"
    if not theirs:
        return [ours["engine"], "-", str(ours["windows"]), *perplexities, *["-"] * 5, verdict]
    ratio = row["perplexity_ratio"]
    known = ratio["low"] is not None  # one window has no spread
    return [
        ours["engine"], theirs[0]["engine"], str(ours["windows"]), *perplexities, f"{ratio['ratio']:.5f}",
        f"{ratio['low']:.5f}..{ratio['high']:.5f}" if known else "-", f"{row['kl']['mean']:.6f}", f"{row['top1']['same']:.2%}", verdict,
    ]  # fmt: skip


SESSIONS_HEADS = (
    "arm", "agent-turns/s", "seconds", "prompt tokens", "stated", "of shared's time", "median turn", "95 % interval",
    "IQR/median", "n", "verdict",
)  # fmt: skip


def sessions_line(row: dict[str, Any]) -> list[str]:
    """A row of the artefact, in SESSIONS_HEADS."""
    ratio = row["ratio"]
    per_turn = (
        [
            f"{ratio['median']:.2f}",
            f"{ratio['ci_low']:.2f}..{ratio['ci_high']:.2f}",
            f"{ratio['spread']:.0%}",
            str(ratio["n"]),
        ]
        if ratio
        else ["-"] * 4
    )
    setting = {None: "", True: ", flash attention on", False: ", flash attention off"}[row["flash"]]
    return [
        row["arm"] + setting, f"{row['agent_turns_per_s']:.2f}", f"{row['seconds']:.2f}", str(row["prefilled"]), str(row["stated"]),
        f"{row['ratio_of_totals']:.2f}", *per_turn, _verdict(row),
    ]  # fmt: skip


SERVERS_HEADS = (
    "server", "TTFT p50", "95 % interval", "p90", "p99", "gap p50", "p90", "p99", "tokens/s", "requests/s", "goodput", "n", "verdict",
)  # fmt: skip


def _ms(value: float) -> str:
    return f"{value * 1e3:.1f}"


def servers_line(row: dict[str, Any]) -> list[str]:
    """A row of the artefact, in SERVERS_HEADS; times in milliseconds."""
    t, g = row["ttft"], row["gaps"]
    if t is None:
        return [row["row"], *["-"] * 10, str(row["finished"]), _verdict(row)]
    first = [_ms(t["p50"]), f"{_ms(t['ci_low'])}..{_ms(t['ci_high'])}", _ms(t["p90"]), _ms(t["p99"])]
    gaps = [_ms(g[p]) for p in ("p50", "p90", "p99")] if g else ["-"] * 3
    rates = [f"{row['tokens_per_s']:.1f}", f"{row['requests_per_s']:.2f}", f"{row['goodput']:.2f}"]
    return [row["row"], *first, *gaps, *rates, str(row["finished"]), _verdict(row)]


def servers_table(rows: Iterable[dict[str, Any]]) -> str:
    return markdown(SERVERS_HEADS, map(servers_line, rows))
