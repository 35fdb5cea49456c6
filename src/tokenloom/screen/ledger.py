"""What a screen has decided: the newest verdicts with their reasons, and how many there were of each.

Knows verdicts and a bound. Keeps no text but the reasons' short excerpts.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tokenloom.screen.verdict import Action, Verdict


@dataclass(frozen=True, slots=True)
class Entry:
    number: int  # counts from 0 over the screen's life, so that a gap shows what the bound has dropped
    time: float  # seconds since 1970
    verdict: Verdict

    def as_dict(self) -> dict[str, Any]:
        return {"number": self.number, "time": self.time, **self.verdict.as_dict()}


class Ledger:
    """The newest `entries` verdicts, oldest first; iterate over it, or print `to_jsonl()`."""

    def __init__(self, entries: int) -> None:
        self._entries: deque[Entry] = deque(maxlen=entries)
        self._counts: Counter[Action] = Counter()
        self._lock = threading.Lock()

    def add(self, verdict: Verdict) -> None:
        with self._lock:
            self._entries.append(Entry(self._counts.total(), time.time(), verdict))
            self._counts[verdict.action] += 1

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        with self._lock:
            return iter([*self._entries])

    @property
    def counts(self) -> dict[Action, int]:
        """Verdicts since the screen was made, those no longer listed included."""
        with self._lock:
            return {action: self._counts[action] for action in Action}

    def to_jsonl(self) -> str:
        return "".join(json.dumps(entry.as_dict(), ensure_ascii=False) + "\n" for entry in self)
