"""One engine by itself: its speeds over repeated samples, and how it starts.

Knows samples, their spread and what a start is. Knows nothing of other engines or of tables.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenloom.bench.artefact import judged
from tokenloom.bench.engines import Engine
from tokenloom.bench.pairing import Limits, bootstrap_median, quartiles
from tokenloom.bench.resident import Resident, Sample
from tokenloom.bench.rows import Row
from tokenloom.bench.side import Side, disturbed
from tokenloom.bench.traffic import bytes_per_token

_LEAST = 3  # undisturbed samples of a row
PROMPT = "What is the capital of France?"

# A start as a user's program makes it. Times are from before Python itself was started; the peak is read at the end.
_START = """
import json, sys, time
begun = float(sys.argv[1])
import tokenloom
imported = time.time()
model = tokenloom.load(sys.argv[2], threads=int(sys.argv[3]), ctx=2048)
loaded = time.time()
ids = model.tokenize(sys.argv[4])
next(iter(model.generate_tokens(ids, max_tokens=2, ignore_eos=True)))
first = time.time()
next(iter(model.generate_tokens(ids, max_tokens=2, ignore_eos=True, reuse=False)))
again = time.time()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "import": imported - begun, "load": loaded - imported, "first": first - begun, "again": again - first,
    "peak": int(status["VmHWM"].split()[0]) * 1024,
}))
"""


@dataclass
class Alone:
    """What is measured, and what came of it: `rows` are the artefact's."""

    engine: Engine
    model: Path
    repeats: int = 5
    limits: Limits = field(default_factory=Limits)
    wall: Callable[[int], float] | None = None  # GB/s that so many threads can read
    say: Callable[[str], None] = lambda text: None
    rows: list[dict[str, Any]] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)
    _number: Iterator[int] = field(default_factory=itertools.count)

    def run(self, rows: Sequence[Row], threads: int) -> None:
        """All rows with one number of threads, in one process; its peak memory is the last row."""
        wall = self.wall(threads) if self.wall and any(row.kind != "prompt" for row in rows) else None
        ctx, batch = -(-max(row.ctx for row in rows) // 32) * 32, max(row.batch for row in rows)
        with Resident(self.engine, self.model, threads, ctx, batch) as resident:
            self.about = {key: resident.about[key] for key in ("version", "build")}
            self.rows.append(_seconds("load, this process", threads, [resident.about["load_s"]]))
            for row in rows:
                self.say(f"{row.title}, {threads} threads")
                self._measure(resident, row, wall)
            self.rows.append(_plain("peak memory", threads, bytes=resident.peak_bytes()))

    def _measure(self, resident: Resident, row: Row, wall: float | None) -> None:
        side = Side(resident, row, resident.about["variants"][0])
        side.warm_up([next(self._number) for _ in range(3)])
        variant = side.better(self._number)
        resident.busy_threads()
        samples: list[Sample] = []
        try:
            for _ in range(self.repeats + -(-self.repeats // 2)):
                if side.fault or sum(not disturbed(s) for s in samples) == self.repeats:
                    break
                samples.append(side.ask(next(self._number)))
        finally:
            if samples or side.fault:
                side.count_threads()
                self.rows.append({**self._judged(row, resident.threads, samples, side.fault, wall), "variant": variant})

    def _judged(
        self, row: Row, threads: int, samples: list[Sample], fault: str | None, wall: float | None
    ) -> dict[str, Any]:
        good = [s.seconds for s in samples if not disturbed(s)]
        figures: dict[str, Any] = {"tokens_per_s": None, "interval": None, "spread": None}
        if good:
            speeds = [row.tokens / s for s in good]
            low, median, high = quartiles(speeds)
            figures = {
                "tokens_per_s": median,
                "interval": list(bootstrap_median(speeds)),
                "spread": (high - low) / median,
            }
        if row.kind != "prompt":
            figures["bytes_per_token"] = bytes_per_token(self.model, row)
            figures["wall_gb_per_s"] = wall
            if good and wall:
                figures["share_of_wall"] = figures["bytes_per_token"] * figures["tokens_per_s"] / (wall * 1e9)
        reason = fault
        if not reason and len(good) < min(_LEAST, self.repeats):
            reason = f"{len(samples) - len(good)} of {len(samples)} samples were disturbed by other load"
        if not reason and figures["spread"] > self.limits.spread:
            reason = f"speeds spread by {figures['spread']:.0%} (IQR/median), more than {self.limits.spread:.0%}"
        return {
            "row": row.title, "kind": row.kind, "n": row.n, "depth": row.depth, "batch": row.batch, "threads": threads,
            **judged(reason), **figures, "samples": len(good),
            "taken": [{"seconds": s.seconds, "disturbed": disturbed(s), "conditions": s.conditions.as_dict()} for s in samples],
        }  # fmt: skip

    def starts(self, threads: int, repeats: int) -> None:
        """Rows of times to the first token: a first process (empty caches), a later one, and an open model; and a later process's peak memory."""
        cold: list[dict[str, float]] = []
        warm: list[dict[str, float]] = []
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as cache:
                self.say("first start, second start")
                cold.append(self._start(threads, cache))
                warm.append(self._start(threads, cache))
        named = (
            ("import", [w["import"] for w in warm]),
            ("load, first process", [c["load"] for c in cold]),
            ("load, later process", [w["load"] for w in warm]),
            ("first token, first process", [c["first"] for c in cold]),
            ("first token, later process", [w["first"] for w in warm]),
            ("first token, open model", [s["again"] for s in [*cold, *warm]]),
        )
        self.rows += [_seconds(name, threads, values) for name, values in named]
        self.rows.append(_plain("peak memory, later process", threads, bytes=int(max(w["peak"] for w in warm))))

    def _start(self, threads: int, cache: str) -> dict[str, float]:
        env = {**self.engine.environment(), "TOKENLOOM_CACHE": cache}
        command = [sys.executable, "-c", _START, repr(time.time()), str(self.model), str(threads), PROMPT]
        done = subprocess.run(command, check=True, env=env, stdout=subprocess.PIPE, text=True)
        found: dict[str, float] = json.loads(done.stdout)
        return found


def _plain(title: str, threads: int, **figures: Any) -> dict[str, Any]:
    return {"row": title, "kind": "start", "threads": threads, **judged(None), **figures}


def _seconds(title: str, threads: int, values: list[float]) -> dict[str, Any]:
    low, median, high = quartiles(values)
    return _plain(title, threads, seconds=median, spread=(high - low) / median, samples=len(values))
