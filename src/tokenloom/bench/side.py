"""One engine answering the requests of one row: warmed up, its answers checked, its threads counted.

Knows what makes an answer unfair or a sample disturbed. Knows nothing of pairs or of the other side.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from tokenloom.bench.resident import Resident, Sample
from tokenloom.bench.rows import Row

# a sample is disturbed when others use more CPUs than this, or some task waits for a CPU longer than this share
FOREIGN, PRESSURE = 0.15, 0.10
_PROBES = 2  # pairs that decide which of the other engine's variants it is given
_CACHED = 0.5  # of a new prompt's time: a repeated one that is answered quicker than that was found in a cache


def disturbed(sample: Sample) -> bool:
    c = sample.conditions
    return c.foreign > FOREIGN or (c.pressure is not None and c.pressure > PRESSURE)


class Side:
    """One process, asked the requests of one row, each with a number of its own."""

    def __init__(self, resident: Resident, row: Row, variant: str) -> None:
        self.resident, self.row, self.variant = resident, row, variant
        self.name = resident.engine.name
        self.busy = 0  # threads that did the work, once counted
        said = resident.about["threads"]
        self.fault: str | None = (
            None
            if said == resident.threads
            else (f"unfair: {self.name} runs {said} threads instead of {resident.threads}")
        )

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

    def better(self, number: Iterator[int]) -> str:
        """Takes the variant that is faster here, and returns it: an engine gets its better setting, row by row."""
        variants = self.resident.about["variants"]
        times: dict[str, list[float]] = {name: [] for name in variants}
        if len(variants) > 1:
            for turn in range(2 * _PROBES):
                for name in variants if turn % 2 else reversed(variants):
                    self.variant = name
                    times[name].append(self.ask(next(number)).seconds)
            self.variant = min(variants, key=lambda name: statistics.median(times[name]))
        return self.variant

    def count_threads(self) -> None:
        wanted = self.resident.threads
        self.busy = self.resident.busy_threads()
        if self.busy != wanted and self.fault is None:
            self.fault = f"unfair: {self.name} kept {self.busy} threads busy instead of {wanted}"
