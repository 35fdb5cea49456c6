"""How two things are compared when the machine's speed wanders: in pairs, interleaved, judged by ratios.

Knows samples, ratios, their confidence and when to refuse a verdict. Knows nothing of what is timed, nor how.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

T = TypeVar("T")
_RESAMPLES = 4000


@dataclass(frozen=True)
class Summary:
    """Ratios of speeds (second over first: above 1, the first is faster), and how far they spread.

    `ci_low` to `ci_high` holds the true median ratio in 95 of 100 such runs (percentile bootstrap over pairs).
    """

    n: int
    median: float
    iqr: float
    low: float
    high: float
    ci_low: float
    ci_high: float
    first_s: float  # median seconds of either side
    second_s: float

    @property
    def spread(self) -> float:
        return self.iqr / self.median


@dataclass(frozen=True)
class Limits:
    """What a run must keep to be believed."""

    control_off: float = 0.03  # the control's distance from 1
    spread: float = 0.10  # IQR/median of control and comparison
    pairs: int = 6  # undisturbed ones, of either
    disturbed: float = 1 / 3  # the share of pairs taken that may be disturbed


def in_turns(first: Callable[[int], T], second: Callable[[int], T], pairs: int) -> Iterator[tuple[T, T]]:
    """Pairs taken as A B, B A, A B, ...: a drift of the machine's speed favours neither side.

    Both are given the pair's number. Each pair is given out when it is whole.
    """
    for i in range(pairs):
        if i % 2 == 0:
            a = first(i)
            b = second(i)
        else:
            b = second(i)
            a = first(i)
        yield a, b


def bootstrap_median(values: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """A confidence interval of the median: its percentiles over resamples (Efron 1979), the same for the same values."""
    draw = random.Random(0).choices
    medians = sorted(statistics.median(draw(values, k=len(values))) for _ in range(_RESAMPLES))
    tail = round((1 - level) / 2 * _RESAMPLES)
    return medians[tail], medians[-1 - tail]


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Lower quartile, median, upper quartile; of one value, that value."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, median, high


def summarize(taken: Sequence[tuple[float, float]]) -> Summary:
    """Of at least one pair of seconds."""
    ratios = sorted(b / a for a, b in taken)
    low, median, high = quartiles(ratios)
    sides = [statistics.median(side) for side in zip(*taken, strict=True)]
    interval = bootstrap_median(ratios)
    return Summary(len(ratios), median, high - low, ratios[0], ratios[-1], *interval, sides[0], sides[1])


def refusal(control: Summary, compared: Summary, limits: Limits = Limits()) -> str | None:
    """Why this comparison says nothing, or None when it may be believed."""
    for name, summary in (("control", control), ("comparison", compared)):
        if summary.n < limits.pairs:
            return f"the {name} has {summary.n} pairs; {limits.pairs} are needed"
    if abs(control.median - 1) > limits.control_off:
        return f"the same thing against itself gave {control.median:.3f}, more than {limits.control_off:.0%} from 1"
    for name, summary in (("control", control), ("comparison", compared)):
        if summary.spread > limits.spread:
            return f"the {name}'s ratios spread by {summary.spread:.0%} (IQR/median), more than {limits.spread:.0%}"
    return None


def as_dict(summary: Summary) -> dict[str, Any]:
    return {**asdict(summary), "spread": summary.spread}
