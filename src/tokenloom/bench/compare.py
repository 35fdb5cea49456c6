"""tokenloom against another engine, row by row: first against itself, then against the other, in pairs taken in turns.

Knows the order of a comparison and why a row is REJECTED. Knows nothing of either engine or of tables.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenloom.bench.engines import Engine
from tokenloom.bench.pairing import Limits, Summary, as_dict, in_turns, refusal, summarize
from tokenloom.bench.resident import Resident, Sample
from tokenloom.bench.rows import Row

FOREIGN, PRESSURE = (
    0.15,
    0.10,
)  # a sample is disturbed when others use more CPUs than this, or some task waits for a CPU longer than this share
_PROBES = 2  # pairs that decide which of the other engine's variants it is given
_CACHED = 0.5  # of a new prompt's time: a repeated one that is answered quicker than that was found in a cache

Say = Callable[[str], None]


@dataclass
class Arm:
    """The pairs of one row between two processes. `fault`: what made the comparison unfair, by name."""

    pairs: list[tuple[Sample, Sample]] = field(default_factory=list)
    fault: str | None = None
    variant: str = ""
    same_ids: int | None = None

    def undisturbed(self) -> list[tuple[float, float]]:
        return [(a.seconds, b.seconds) for a, b in self.pairs if not (disturbed(a) or disturbed(b))]

    def summary(self) -> Summary | None:
        left = self.undisturbed()
        return summarize(left) if left else None

    def records(self) -> list[dict[str, Any]]:
        """For the artefact: both sides' seconds and the conditions of either sample, in the order taken."""
        return [
            {
                "seconds": [a.seconds, b.seconds],
                "disturbed": disturbed(a) or disturbed(b),
                "conditions": [a.conditions.as_dict(), b.conditions.as_dict()],
            }
            for a, b in self.pairs
        ]


def disturbed(sample: Sample) -> bool:
    c = sample.conditions
    return c.foreign > FOREIGN or (c.pressure is not None and c.pressure > PRESSURE)


class Side:
    """One process, asked the requests of one row, each with a number of its own."""

    def __init__(self, resident: Resident, row: Row, variant: str) -> None:
        self.resident, self.row, self.variant = resident, row, variant
        self.name = resident.engine.name
        self.fault: str | None = None

    def ask(self, number: int) -> Sample:
        vocab = self.resident.about["vocab"]
        sample = self.resident.sample({**self.row.request(vocab, number), "variant": self.variant})
        wrong = self.row.fault(sample.answer)
        if wrong and self.fault is None:
            self.fault = f"unfair: {self.name} {wrong}"
        return sample

    def warm_up(self, numbers: Sequence[int]) -> Sample:
        """A first answer, which is not counted. A prompt is also repeated, to see whether an engine remembers what it should not."""
        first = self.ask(numbers[0])
        if self.row.kind == "prompt":
            for other in numbers[1:]:
                again, new = self.ask(numbers[0]).seconds, self.ask(other).seconds
                if again >= _CACHED * new:
                    return first
            self.fault = self.fault or (
                f"unfair: {self.name} answered a repeated prompt in {again:.4f} s, a new one in {new:.4f} s: "
                "it has a cache of prefixes"
            )
        return first

    def count_threads(self) -> None:
        wanted, busy = self.resident.threads, self.resident.busy_threads()
        if busy != wanted and self.fault is None:
            self.fault = f"unfair: {self.name} kept {busy} threads busy instead of {wanted}"


def take(first: Resident, second: Resident, row: Row, pairs: int, into: Arm, number: Iterator[int]) -> None:
    """Warms both sides up and adds pairs to `into` one by one, so that what is finished stays when the rest is interrupted.

    `number` counts requests up over the whole run, so that no process sees the same prompt twice.
    """
    a = Side(first, row, first.about["variants"][0])
    b = Side(second, row, second.about["variants"][0])
    base = [next(number) for _ in range(3)]
    ours, theirs = a.warm_up(base), b.warm_up(base)
    into.same_ids = _same(ours.answer["ids"], theirs.answer["ids"])
    b.variant = into.variant = _better(b, second.about["variants"], number)
    for side in (a, b):
        side.ask(next(number))
        side.resident.busy_threads()  # what the warm-up used is not counted
    most = pairs + -(-pairs // 2)  # disturbed pairs are made up for, as long as two of three are not
    numbers = [next(number) for _ in range(most)]
    into.fault = a.fault or b.fault
    if into.fault:
        return
    try:
        for pair in in_turns(lambda i: a.ask(numbers[i]), lambda i: b.ask(numbers[i]), most):
            into.pairs.append(pair)
            if a.fault or b.fault or len(into.undisturbed()) == pairs:
                break
    finally:
        for side in (a, b):
            side.count_threads()
        into.fault = a.fault or b.fault


def _same(ours: list[Any], theirs: list[Any]) -> int:
    """How many tokens from the first on are the same: a sign that both run the same model, and no more than that, since near ties fall either way."""
    if ours and isinstance(ours[0], list):
        ours, theirs = ours[0], theirs[0]
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), len(ours))


def _better(side: Side, variants: Sequence[str], number: Iterator[int]) -> str:
    """The variant that is faster here: the other engine gets its better setting, row by row."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    if len(variants) > 1:
        for turn in range(2 * _PROBES):
            for name in variants if turn % 2 else reversed(variants):
                side.variant = name
                times[name].append(side.ask(next(number)).seconds)
        return min(variants, key=lambda name: statistics.median(times[name]))
    return variants[0]


@dataclass
class Comparison:
    """What is compared, and what came of it: `rows` are the artefact's, in the order measured."""

    ours: Engine
    theirs: Engine
    model: Path
    pairs: int = 12
    control_pairs: int = 8
    limits: Limits = field(default_factory=Limits)
    say: Say = lambda text: None
    rows: list[dict[str, Any]] = field(default_factory=list)
    engines: dict[str, dict[str, Any]] = field(default_factory=dict)
    _number: Iterator[int] = field(default_factory=itertools.count)

    def run(self, rows: Sequence[Row], threads: int) -> None:
        """All rows with one number of threads. Rows that are finished, and pairs of one that is not, stay in `rows` whatever happens."""
        controls, results = [Arm() for _ in rows], [Arm() for _ in rows]
        ctx, batch = -(-max(row.ctx for row in rows) // 32) * 32, max(row.batch for row in rows)
        try:
            with ExitStack() as processes:
                ours = self._open(self.ours, "ours", threads, ctx, batch, processes)
                with ExitStack() as twins:
                    twin = self._open(self.ours, "ours", threads, ctx, batch, twins)
                    for row, arm in zip(rows, controls, strict=True):
                        self.say(f"{row.title}, {threads} threads: against itself")
                        self._take(ours, twin, row, self.control_pairs, arm)
                theirs = self._open(self.theirs, "theirs", threads, ctx, batch, processes)
                for row, arm in zip(rows, results, strict=True):
                    self.say(f"{row.title}, {threads} threads: against {self.theirs.name}")
                    self._take(ours, theirs, row, self.pairs, arm)
        finally:
            for row, control, arm in zip(rows, controls, results, strict=True):
                if control.pairs or control.fault or arm.fault:
                    self.rows.append(self._judged(row, threads, control, arm))

    def _open(self, engine: Engine, role: str, threads: int, ctx: int, batch: int, processes: ExitStack) -> Resident:
        resident = processes.enter_context(Resident(engine, self.model, threads, ctx, batch))
        about = {key: resident.about[key] for key in ("version", "build")}
        self.engines[role] = {"name": engine.name, "detail": engine.detail, **about}
        return resident

    def _take(self, first: Resident, second: Resident, row: Row, pairs: int, arm: Arm) -> None:
        for resident in (first, second):
            said = resident.about["threads"]
            if said != resident.threads:
                arm.fault = f"unfair: {resident.engine.name} runs {said} threads instead of {resident.threads}"
                return
        take(first, second, row, pairs, arm, self._number)

    def _judged(self, row: Row, threads: int, control: Arm, arm: Arm) -> dict[str, Any]:
        """A row of the artefact."""
        reason = self._reason(control, arm)
        compared, checked = arm.summary(), control.summary()
        return {
            "row": row.title, "kind": row.kind, "n": row.n, "depth": row.depth, "batch": row.batch, "threads": threads,
            "verdict": "REJECTED" if reason else "measured", "reason": reason,
            "ratio": compared and as_dict(compared), "control": checked and as_dict(checked),
            "tokens_per_s": compared and [row.tokens / compared.first_s, row.tokens / compared.second_s],
            "variant": arm.variant, "same_first_tokens": arm.same_ids,
            "disturbed_pairs": len(arm.pairs) - len(arm.undisturbed()), "pairs": arm.records(),
            "control_pairs": control.records(),
        }  # fmt: skip

    def _reason(self, control: Arm, arm: Arm) -> str | None:
        """Why the row is REJECTED, or None."""
        if fault := control.fault or arm.fault:
            return fault
        for name, one, wanted in (("control", control, self.control_pairs), ("comparison", arm, self.pairs)):
            lost = len(one.pairs) - len(one.undisturbed())
            if lost > self.limits.disturbed * max(1, len(one.pairs)):
                return f"{lost} of the {name}'s {len(one.pairs)} pairs were disturbed by other load"
            if len(one.pairs) < wanted and len(one.undisturbed()) < self.limits.pairs:
                return f"interrupted: the {name} has {len(one.pairs)} pairs of {wanted}"
        checked, compared = control.summary(), arm.summary()
        assert checked
        assert compared
        return refusal(checked, compared, self.limits)
