"""How two things are compared when the machine's speed wanders: in pairs, interleaved, judged by ratios.

Knows samples, ratios and when to refuse a verdict. Knows nothing of what is timed, nor how.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Sample = Callable[[], float]  # takes one measurement, in seconds


@dataclass(frozen=True)
class Summary:
    """Ratios of speeds (second over first: above 1, the first is faster), and how far they spread."""

    n: int
    median: float
    iqr: float
    low: float
    high: float
    first_s: float  # median seconds of either side
    second_s: float

    @property
    def spread(self) -> float:
        return self.iqr / self.median


@dataclass(frozen=True)
class Limits:
    """What a run must keep to be believed: the control's distance from 1, and the spread of any comparison."""

    control_off: float = 0.05
    spread: float = 0.15
    pairs: int = 6


def interleave(first: Sample, second: Sample, pairs: int) -> list[tuple[float, float]]:
    """Pairs taken as A B, B A, A B, ...: a drift of the machine's speed favours neither side."""
    taken = []
    for i in range(pairs):
        if i % 2 == 0:
            a = first()
            b = second()
        else:
            b = second()
            a = first()
        taken.append((a, b))
    return taken


def summarize(taken: Sequence[tuple[float, float]]) -> Summary:
    ratios = sorted(b / a for a, b in taken)
    low, median, high = statistics.quantiles(ratios, n=4, method="inclusive")
    sides = [statistics.median(side) for side in zip(*taken, strict=True)]
    return Summary(len(ratios), median, high - low, ratios[0], ratios[-1], sides[0], sides[1])


def refusal(control: Summary, compared: Summary, limits: Limits = Limits()) -> str | None:
    """Why this comparison says nothing, or None when it may be believed."""
    if compared.n < limits.pairs:
        return f"{compared.n} pairs; {limits.pairs} are needed"
    if abs(control.median - 1) > limits.control_off:
        return f"the same thing against itself gave {control.median:.3f}, more than {limits.control_off:.0%} from 1"
    for name, summary in (("control", control), ("comparison", compared)):
        if summary.spread > limits.spread:
            return f"the {name}'s ratios spread by {summary.spread:.0%} (IQR/median), more than {limits.spread:.0%}"
    return None


def as_dict(summary: Summary) -> dict[str, Any]:
    return {**asdict(summary), "spread": summary.spread}
