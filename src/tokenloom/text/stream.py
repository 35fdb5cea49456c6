"""Text as it is generated: characters from token bytes, and stop strings that may span tokens.

Knows UTF-8 and string matching. Does not know tokens or models: it is fed bytes, or text, piece by piece, and what it
gives out is the same however the pieces were cut.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable

from tokenloom.errors import RequestError


class TextStream:
    """Bytes in, whole characters out; the parts join to `bytes.decode("utf-8", "replace")` of all that was fed."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes) -> str:
        """The characters that `data` completes."""
        return self._decoder.decode(data)

    def flush(self) -> str:
        """The end of the stream: bytes that began a character and never finished it become U+FFFD."""
        rest = self._decoder.decode(b"", final=True)
        self._decoder.reset()
        return rest


class StopMatcher:
    """Text in, text out up to the stop string that begins first; only what may begin one is held back."""

    def __init__(self, stops: str | Iterable[str] = ()) -> None:
        self._stops = (stops,) if isinstance(stops, str) else tuple(stops)
        for stop in self._stops:
            if not isinstance(stop, str) or not stop:
                raise RequestError(f"stop strings must be non-empty text, found {stop!r}")
        self._longest = max(map(len, self._stops), default=0)
        self._beginnings = frozenset(stop[:n] for stop in self._stops for n in range(1, len(stop)))
        self._held = ""
        self.stopped = False
        self.matched: str | None = None

    def feed(self, text: str) -> tuple[str, bool]:
        """What may be shown now, and whether a stop was found (then nothing comes after)."""
        if self.stopped:
            return "", True
        self._held += text
        stop_at, stop = self._first_stop()
        begins_at = self._first_beginning(stop_at)
        if stop is not None and stop_at <= begins_at:
            return self._end(stop_at, stop), True
        shown, self._held = self._held[:begins_at], self._held[begins_at:]
        return shown, False

    def flush(self) -> str:
        """The end of the text: what was held back and is no stop's beginning after all."""
        if self.stopped:
            return ""
        stop_at, stop = self._first_stop()
        if stop is not None:
            return self._end(stop_at, stop)
        shown, self._held = self._held, ""
        return shown

    def _end(self, at: int, stop: str) -> str:
        shown, self._held = self._held[:at], ""
        self.stopped, self.matched = True, stop
        return shown

    def _first_stop(self) -> tuple[int, str | None]:
        """Where the first whole stop begins (the end of the text if there is none), and which it is."""
        found = [(at, stop) for stop in self._stops if (at := self._held.find(stop)) >= 0]
        return min(found, key=lambda match: (match[0], -len(match[1])), default=(len(self._held), None))

    def _first_beginning(self, before: int) -> int:
        """Where the first stop that has only begun begins, when that is before `before`; else `before`."""
        held, beginnings = self._held, self._beginnings
        for at in range(max(0, len(held) - self._longest + 1), before):
            if held[at:] in beginnings:
                return at
        return before
