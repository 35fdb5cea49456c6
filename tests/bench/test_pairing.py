"""Pairing holds against a machine whose speed drifts, and refuses what says nothing."""

from __future__ import annotations

import itertools
import random

import pytest

from tokenloom.bench.pairing import Limits, bootstrap_median, in_turns, refusal, summarize


def test_order_alternates():
    order = []
    list(in_turns(lambda _: order.append("A"), lambda _: order.append("B"), 4))
    assert "".join(order) == "ABBAABBA"


def test_a_steady_drift_cancels_out():
    clock = itertools.count()

    def sample(_: int) -> float:
        return 1.0 * 0.99 ** next(clock)  # every measurement is 1 % faster than the one before

    assert summarize(list(in_turns(sample, sample, 8))).median == pytest.approx(1, abs=1e-3)


def test_ratio_above_one_means_the_first_is_faster():
    summary = summarize([(1.0, 2.0), (1.1, 2.2), (0.9, 1.8)])
    assert summary.median == pytest.approx(2)
    assert (summary.first_s, summary.second_s, summary.n) == (1.0, 2.0, 3)


SAME = summarize([(1.0, 1.0)] * 8)
OFF = summarize([(1.0, 1.1)] * 8)
WIDE = summarize([(1.0, 1.0), (1.0, 1.6)] * 4)


def test_a_clean_run_is_believed():
    assert refusal(SAME, summarize([(1.0, 1.4)] * 8)) is None


@pytest.mark.parametrize(
    ("control", "compared", "why"),
    [
        (OFF, SAME, "against itself"),
        (WIDE, SAME, "control|against itself"),
        (SAME, WIDE, "comparison's ratios spread"),
        (SAME, summarize([(1.0, 1.0)] * 3), "3 pairs; 6 are needed"),
    ],
)
def test_what_says_nothing_is_refused(control, compared, why):
    import re

    assert re.search(why, refusal(control, compared, Limits()) or "believed")


def noisy(rng: random.Random, n: int, slower: float) -> list[tuple[float, float]]:
    return [(rng.lognormvariate(0, 0.03), slower * rng.lognormvariate(0, 0.03)) for _ in range(n)]


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    rng = random.Random(1)
    held = 0
    for _ in range(60):
        summary = summarize(noisy(rng, 12, 1.0))
        held += summary.ci_low <= 1 <= summary.ci_high
    assert held >= 52  # 95 % of 60 is 57


def test_a_planted_slowdown_is_outside_the_interval_around_1_and_inside_its_own():
    summary = summarize(noisy(random.Random(2), 30, 1.1))
    assert 1 < summary.ci_low < 1.1 < summary.ci_high


def test_an_interval_is_the_same_for_the_same_values():
    values = [1.0, 1.1, 0.9, 1.2, 1.05]
    assert bootstrap_median(values) == bootstrap_median(values)
    assert bootstrap_median([2.0]) == (2.0, 2.0)
