"""A roofline (Williams, Waterman and Patterson 2009) as SVG text: op classes under the machine's limits.

Knows logarithmic axes and SVG. Knows nothing of how anything was measured.

Across: operations per byte that comes from memory. Up: GOP/s. A point's area is its share of the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from tokenloom.bench.profile import Profile, Share
from tokenloom.bench.wall import Walls

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 900, 560, 70, 30, 50, 60
COLOURS = {"decode": "#c0392b", "prompt": "#2471a3"}


class Axis:
    """Positions of numbers on a logarithmic axis over whole decades."""

    def __init__(self, values: list[float], begin: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self._begin, self._scale = begin, (end - begin) / (self.high - self.low)

    def __call__(self, value: float) -> float:
        return self._begin + (math.log10(value) - self.low) * self._scale

    def decades(self) -> list[float]:
        return [10.0**n for n in range(self.low, self.high + 1)]


def _text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" style="{style}"/>'


def intensity(share: Share) -> float:
    """Operations per byte."""
    return (share.int_ops + share.float_ops) / share.nbytes


def _axes(across: Axis, up: Axis) -> Iterator[str]:
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    for value in across.decades():
        yield _line(across(value), top, across(value), bottom, "stroke:#ddd")
        yield _text(across(value), bottom + 18, f"{value:g}", "middle")
    for value in up.decades():
        yield _line(left, up(value), right, up(value), "stroke:#ddd")
        yield _text(left - 8, up(value) + 4, f"{value:g}", "end")
    yield _text((left + right) / 2, HEIGHT - 16, "operations per byte from memory", "middle")
    middle = (top + bottom) / 2
    yield _text(18, middle, "GOP/s", "middle", f'transform="rotate(-90 18 {middle:.1f})"')


def _roof(across: Axis, up: Axis, walls: Walls, name: str, peak: float, style: str) -> Iterator[str]:
    """The slope of the read wall, up to where it meets a peak."""
    low, high = across.decades()[0], across.decades()[-1]
    bend = min(max(peak / walls.read_gbs, low), high)
    start = max(low, up.decades()[0] / walls.read_gbs)
    yield _line(across(start), up(start * walls.read_gbs), across(bend), up(min(peak, bend * walls.read_gbs)), style)
    yield _line(across(bend), up(peak), across(high), up(peak), style)
    yield _text(across(high) - 4, up(peak) - 6, f"{name} {peak:.0f} GOP/s", "end")


def _free(x: float, y: float, taken: list[tuple[float, float]]) -> tuple[float, float]:
    """A place for a label, moved down until it covers no other."""
    while any(abs(x - other_x) < 130 and abs(y - other_y) < 13 for other_x, other_y in taken):
        y += 13
    taken.append((x, y))
    return x, y


def roofline(result: Profile, title: str) -> str:
    """The SVG document."""
    shares = [
        (phase, share)
        for phase in result.phases
        for share in phase.shares
        if share.nbytes and share.int_ops + share.float_ops
    ]
    walls = result.walls
    across = Axis([0.1, *[intensity(s) for _, s in shares], 2 * walls.dot_gops / walls.read_gbs], LEFT, WIDTH - RIGHT)
    up = Axis([1.0, *[s.gops for _, s in shares], 2 * walls.dot_gops], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, 24, title, more='font-size="15"'),
        *_axes(across, up),
        *_roof(across, up, walls, "int8 dot", walls.dot_gops, "stroke:black;stroke-width:2"),
        *_roof(across, up, walls, "float32 fma", walls.fma_gops, "stroke:black;stroke-dasharray:6 4"),
        _text(LEFT + 8, TOP + 16, f"slope: read wall {walls.read_gbs:.1f} GB/s"),
    ]
    for number, phase in enumerate(result.phases):
        at = TOP + 36 + 18 * number
        parts.append(f'<circle cx="{LEFT + 14}" cy="{at - 4}" r="5" fill="{COLOURS[phase.name]}" fill-opacity="0.6"/>')
        parts.append(_text(LEFT + 26, at, f"{phase.name} at depth {phase.depth}: {phase.tokens_per_s:.1f} tokens/s"))
    taken: list[tuple[float, float]] = []
    for phase, share in shares:
        x, y = across(intensity(share)), up(share.gops)
        fraction = share.compute_s / phase.wall_s
        radius = 3 + 22 * math.sqrt(fraction)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{COLOURS[phase.name]}" fill-opacity="0.45"/>'
        )
        label = _free(x + radius + 3, y + 4, taken)
        parts.append(_text(*label, f"{share.name} {fraction:.0%}"))
    return "\n".join([*parts, "</svg>"]) + "\n"
