"""Bars in an SVG file. Knows drawing; knows nothing of what the figures mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from tokenloom.bench.artefact import MEASURED

_LABEL, _WIDTH, _BAR, _GAP = 260, 420, 16, 8


@dataclass(frozen=True)
class Bar:
    """A value, the interval it lies in, and what it is called."""

    label: str
    value: float
    low: float
    high: float


def speeds(rows: Sequence[dict[str, Any]]) -> list[Bar]:
    """The speeds that were not REJECTED."""
    return [
        Bar(f"{row['row']}, {row['threads']} threads", row["tokens_per_s"], *row["interval"])
        for row in rows
        if row.get("tokens_per_s") and row["verdict"] == MEASURED
    ]


def write_bars(path: Path, title: str, bars: Sequence[Bar]) -> None:
    """Horizontal bars from 0, with a line over each interval."""
    most = max((bar.high for bar in bars), default=1.0)
    height = 40 + len(bars) * (_BAR + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_LABEL + _WIDTH + 80}" height="{height}" font-family="sans-serif" font-size="12">',
        f'<text x="8" y="18" font-size="14">{escape(title)}</text>',
    ]
    for number, bar in enumerate(bars):
        top = 32 + number * (_BAR + _GAP)
        middle, base = top + _BAR / 2, top + _BAR - 4
        x, low, high = (_LABEL + value / most * _WIDTH for value in (bar.value, bar.low, bar.high))
        parts += [
            f'<text x="{_LABEL - 8}" y="{base}" text-anchor="end">{escape(bar.label)}</text>',
            f'<rect x="{_LABEL}" y="{top}" width="{x - _LABEL:.1f}" height="{_BAR}" fill="#4878a8"/>',
            f'<path d="M{low:.1f} {middle}H{high:.1f}" stroke="black" stroke-width="2"/>',
            f'<text x="{_LABEL + _WIDTH + 8}" y="{base}">{bar.value:.1f}</text>',
        ]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")
