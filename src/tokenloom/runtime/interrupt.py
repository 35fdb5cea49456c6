"""Ctrl-C between steps: bookkeeping is never cut in half by the first one.

Knows Python's signals. Knows nothing of what is interrupted.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType


class BetweenSteps:
    """Within it the first Ctrl-C waits for `check` or the end, at most a step away; a second one raises at once.

    A handler that the program has set itself stays in force, and so do other threads' ways.
    """

    def __enter__(self) -> BetweenSteps:
        self._came = False
        main = threading.current_thread() is threading.main_thread()
        self._mine = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._mine:
            signal.signal(signal.SIGINT, self._keep)
        return self

    def _keep(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            raise KeyboardInterrupt
        self._came = True

    def check(self) -> None:
        """Raises the KeyboardInterrupt that came meanwhile."""
        if self._came:
            self._came = False
            raise KeyboardInterrupt

    def __exit__(self, kind: object, *_: object) -> None:
        if self._mine:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if kind is None:
            self.check()
