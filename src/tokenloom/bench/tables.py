"""Rows of artefacts as Markdown tables. Knows columns and figures; knows nothing of measuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def markdown(heads: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    cells = [list(heads), ["---"] * len(heads), *map(list, lines)]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


COMPARE_HEADS = (
    "row", "threads", "tokens/s", "theirs", "their setting", "ratio", "95 % interval", "IQR/median", "n", "A/A", "verdict",
)  # fmt: skip


def compare_line(row: dict[str, Any]) -> list[str]:
    """One row of a comparison, in COMPARE_HEADS."""
    ratio, control, speeds = row["ratio"], row["control"], row["tokens_per_s"]
    verdict = row["verdict"] if not row["reason"] else f"{row['verdict']}: {row['reason']}"
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
    return [row["row"], str(row["threads"]), *figures, verdict]


def compare_table(rows: Iterable[dict[str, Any]]) -> str:
    return markdown(COMPARE_HEADS, map(compare_line, rows))
