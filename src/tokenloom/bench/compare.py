"""tokenloom against another engine, row by row: first against itself, then against the other, in pairs taken in turns.

Knows the order of a comparison and why a row is REJECTED. Knows nothing of either engine or of tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenloom.bench.artefact import judged
from tokenloom.bench.engines import Engine
from tokenloom.bench.pairing import Limits, Summary, as_dict, in_turns, refusal, summarize
from tokenloom.bench.resident import Resident, Sample
from tokenloom.bench.rows import Row
from tokenloom.bench.side import Side, disturbed

Say = Callable[[str], None]


@dataclass
class Arm:
    """The pairs of one row between two processes. `fault`: what made the comparison unfair, by name."""

    pairs: list[tuple[Sample, Sample]] = field(default_factory=list)
    fault: str | None = None
    variant: str = ""
    same_ids: int | None = None
    busy: list[int] = field(default_factory=list)  # threads of either side that did the work

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


def take(first: Resident, second: Resident, row: Row, pairs: int, into: Arm, number: Iterator[int]) -> None:
    """Warms both sides up and adds pairs to `into` one by one, so that what is finished stays when the rest is interrupted.

    `number` counts requests up over the whole run, so that no process sees the same prompt twice.
    """
    a = Side(first, row, first.about["variants"][0])
    b = Side(second, row, second.about["variants"][0])
    base = [next(number) for _ in range(3)]
    ours, theirs = a.warm_up(base), b.warm_up(base)
    into.same_ids = _same(ours.answer["ids"], theirs.answer["ids"])
    into.variant = b.better(number)
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
        into.busy = [a.busy, b.busy]
        into.fault = a.fault or b.fault


def _same(ours: list[Any], theirs: list[Any]) -> int:
    """How many tokens from the first on are the same: a sign that both run the same model, and no more than that, since near ties fall either way."""
    if ours and isinstance(ours[0], list):
        ours, theirs = ours[0], theirs[0]
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), len(ours))


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
    row_done: Callable[[], None] = lambda: None  # called whenever `rows` has a new one
    rows: list[dict[str, Any]] = field(default_factory=list)
    engines: dict[str, dict[str, Any]] = field(default_factory=dict)
    _number: Iterator[int] = field(default_factory=itertools.count)

    def run(self, rows: Sequence[Row], threads: int) -> None:
        """All rows with one number of threads. Rows that are finished, and pairs of one that is not, stay in `rows` whatever happens."""
        left = [(row, Arm(), Arm()) for row in rows]
        ctx, batch = -(-max(row.ctx for row in rows) // 32) * 32, max(row.batch for row in rows)
        try:
            with ExitStack() as processes:
                ours = self._open(self.ours, "ours", threads, ctx, batch, processes)
                with ExitStack() as twins:
                    twin = self._open(self.ours, "ours", threads, ctx, batch, twins)
                    for row, control, _ in left:
                        self.say(f"{row.title}, {threads} threads: against itself")
                        take(ours, twin, row, self.control_pairs, control, self._number)
                theirs = self._open(self.theirs, "theirs", threads, ctx, batch, processes)
                while left:
                    row, control, arm = left[0]
                    self.say(f"{row.title}, {threads} threads: against {self.theirs.name}")
                    take(ours, theirs, row, self.pairs, arm, self._number)
                    self._keep(*left.pop(0), threads)
        finally:
            for row, control, arm in left:
                if control.pairs or control.fault or arm.fault:
                    self._keep(row, control, arm, threads)

    def _keep(self, row: Row, control: Arm, arm: Arm, threads: int) -> None:
        self.rows.append(self._judged(row, threads, control, arm))
        self.row_done()

    def _open(self, engine: Engine, role: str, threads: int, ctx: int, batch: int, processes: ExitStack) -> Resident:
        resident = processes.enter_context(Resident(engine, self.model, threads, ctx, batch))
        about = {key: resident.about[key] for key in ("version", "build")}
        self.engines[role] = {"name": engine.name, "detail": engine.detail, **about}
        return resident

    def _judged(self, row: Row, threads: int, control: Arm, arm: Arm) -> dict[str, Any]:
        """A row of the artefact."""
        reason = self._reason(control, arm)
        compared, checked = arm.summary(), control.summary()
        return {
            "row": row.title, "kind": row.kind, "n": row.n, "depth": row.depth, "batch": row.batch, "threads": threads,
            **judged(reason),
            "ratio": compared and as_dict(compared), "control": checked and as_dict(checked),
            "tokens_per_s": compared and [row.tokens / compared.first_s, row.tokens / compared.second_s],
            "variant": arm.variant, "same_first_tokens": arm.same_ids, "busy_threads": arm.busy,
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
