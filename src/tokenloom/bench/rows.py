"""What a row measures, as a request to an engine, and how an answer is held against it.

Knows prompts, decoding at a depth and batches, and the ways in which an answer is not what was asked. Knows nothing of processes or time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """`prompt`: `n` prompt tokens until the first token is known. `decode`: `n` tokens after `depth` others. `batch`: the same of `batch` sequences
    together."""  # fmt: skip

    kind: str
    n: int
    depth: int = 0
    batch: int = 1

    @property
    def title(self) -> str:
        if self.kind == "prompt":
            return f"prompt {self.n}"
        together = f", batch {self.batch}" if self.kind == "batch" else ""
        return f"decode {self.n} at depth {self.depth}{together}"

    @property
    def tokens(self) -> int:
        """How many tokens its seconds are divided by."""
        return self.n * self.batch

    @property
    def ctx(self) -> int:
        """Slots a sequence needs; a batch's sequences may run some steps ahead of one another before they are timed."""
        return {"prompt": self.n + 1, "decode": self.depth + self.n + 1}.get(
            self.kind, self.depth + self.n + 2 * self.batch + 32
        )

    def request(self, vocab: int, number: int) -> dict[str, Any]:
        """The `number`-th request of this row: no two begin alike, so that no cache of prefixes can help."""
        if self.kind == "prompt":
            return {"op": "prompt", "ids": token_ids(self.n, vocab, number)}
        if self.kind == "decode":
            return {"op": "decode", "prompt": token_ids(self.depth, vocab, number), "n": self.n}
        prompts = [token_ids(self.depth, vocab, number * self.batch + i) for i in range(self.batch)]
        return {"op": "batch", "prompts": prompts, "n": self.n}

    def fault(self, answer: dict[str, Any]) -> str | None:
        """What is not as it was asked for, or None."""
        fed = self.n if self.kind == "prompt" else self.depth * self.batch
        if answer["fed"] != fed:
            return f"took a prompt of {answer['fed']} tokens instead of {fed}"
        if answer["computed"] < fed:
            return f"found {fed - answer['computed']} of {fed} prompt tokens in a cache of prefixes"
        sequences = answer["ids"] if self.kind == "batch" else [answer["ids"]]
        wanted = {"prompt": 1, "decode": self.n + 1}.get(self.kind, self.n)
        if len(sequences) != self.batch or any(len(ids) != wanted for ids in sequences):
            return f"gave {'/'.join(str(len(ids)) for ids in sequences)} tokens instead of {wanted}" + (
                f" for each of {self.batch}" if self.kind == "batch" else ""
            )
        return None


def token_ids(count: int, vocab: int, number: int) -> list[int]:
    """Ordinary tokens in no particular order, the same for the same `number`, and different from the first on for another."""
    low = min(1000, vocab // 8)
    span = vocab - 2 * low
    return [low + (i * 7919 + number * 104729 + number * number * i) % span for i in range(count)]


def wanted_rows(prompts: Iterable[int], n: int, depths: Iterable[int], batches: Iterable[int]) -> list[Row]:
    """The rows of a command line; 0 prompt tokens, or 0 generated ones, leave theirs out."""
    rows = [Row("prompt", p) for p in prompts if p]
    if n:
        for depth in depths:
            rows += [Row("batch", n, depth, b) if b > 1 else Row("decode", n, depth) for b in batches]
    return rows
