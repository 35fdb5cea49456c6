"""Results that were too long for a context, kept outside it, and the pointers that lead back to them.

Knows texts and how many characters it may keep; the least recently fetched go first. Knows nothing of verdicts or sessions.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from tokenloom.errors import RequestError


@dataclass(frozen=True, slots=True)
class Pointer:
    """Stands for a text that is kept. The same text from the same source has the same id."""

    id: str  # "result-" and 12 hexadecimal digits
    chars: int
    source: str

    def __str__(self) -> str:
        return self.id


class Shelf:
    """Keeps at most `chars` characters, and always the newest text."""

    def __init__(self, chars: int) -> None:
        self._room = chars
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, text: str, source: str, sha256: str) -> Pointer:
        pointer = Pointer(f"result-{sha256[:12]}", len(text), source)
        with self._lock:
            self._texts[pointer.id] = text
            self._texts.move_to_end(pointer.id)
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > self._room:
                self._texts.popitem(last=False)
        return pointer

    def fetch(self, pointer: Pointer | str, start: int, stop: int | None) -> str:
        """text[start:stop]. Raises RequestError for a pointer that leads nowhere (any more) and for places before the text."""
        wanted = str(pointer)
        with self._lock:
            text = self._texts.get(wanted)
            if text is None:
                raise RequestError(
                    f"{wanted!r} points to no result that is kept; results are {', '.join(self._texts) or 'none'}"
                )
            self._texts.move_to_end(wanted)
        stop = len(text) if stop is None else stop
        if not 0 <= start <= stop:
            raise RequestError(f"start={start}, stop={stop} is not a span of a text of {len(text)} characters")
        return text[start:stop]
