"""Writing packed weights to the cache while nobody waits for the model.

Knows when to write and when to give up. Does not know what the weights are or how an engine works: it is told whether one is busy.

Nothing is written before the first token, nor while tokens are made, unless that goes on for OVERDUE seconds. What is left when the model is closed
or the interpreter ends is written then, for at most LAST_CHANCE seconds, with a line on standard error if that is felt; Ctrl-C skips it. Whatever is
not kept is said, with the reason.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tokenloom.formats.gguf_write import text
from tokenloom.formats.loom_write import LoomWriter
from tokenloom.weights.cache import Draft, PackedCache
from tokenloom.weights.loader import LoadedWeights
from tokenloom.weights.packed import piece_of, plan

SOURCE_KEY = "tokenloom.cache.source"
"""The one metadata key of a cached container: the path it was packed from, for people."""

FIRST_TOKEN = 3.0  # seconds that a model which was opened may take until its first step; after that it is idle
TICK, QUIET_TICKS = 0.1, 3
OVERDUE, BREATH = 30.0, 0.1
FELT, LAST_CHANCE, STOPPING = 1.0, 10.0, 2.0


@dataclass(frozen=True)
class Unkept:
    """Weights that were packed from `source` and belong into `cache` as `name`."""

    cache: PackedCache
    name: str
    source: Path
    weights: LoadedWeights

    @property
    def nbytes(self) -> int:
        return self.weights.region.nbytes


class Keeper:
    """Writes one entry from a thread of its own. `steps` says how many steps the model has run, `stepping` whether one is under way."""

    def __init__(self, unkept: Unkept, steps: Callable[[], int], stepping: Callable[[], bool]) -> None:
        self._unkept, self._steps, self._stepping = unkept, steps, stepping
        self._hurry, self._stop = threading.Event(), threading.Event()
        self._written, self._kept = 0, False
        self._begun, self._idle_at = time.monotonic(), -1
        self._pid = os.getpid()
        self._thread = threading.Thread(target=self._run, name="tokenloom-keep", daemon=True)
        self._thread.start()
        _KEEPERS.add(self)

    def finish(self) -> None:
        """Returns when the entry is written or given up; the weights may be freed then."""
        if self._pid != os.getpid():  # a forked child has no such thread
            return
        self._hurry.set()
        begun = time.monotonic()
        try:
            self._thread.join(FELT)
            if self._thread.is_alive():
                of = f"{self._written / 1e9:.1f} of {self._unkept.nbytes / 1e9:.1f} GB"
                say(f"keeping the packed form of {self._unkept.source} for the next start ({of}); Ctrl-C skips it")
                self._thread.join(LAST_CHANCE - FELT)
        finally:
            late = self._thread.is_alive()
            self._stop.set()
            self._thread.join(STOPPING)  # a write that a disk does not finish dies with the process
        if late and not self._kept:
            say(
                f"{self._unkept.source}: its packed form was not kept: {time.monotonic() - begun:.0f} s did not suffice to write it; "
                "`tokenloom convert` makes a file of it that opens as quickly"
            )

    def _run(self) -> None:
        try:
            self._await_quiet()
            if self._stop.is_set():
                return
            draft = self._unkept.cache.claim(self._unkept.name, self._unkept.nbytes)
            if draft is not None:
                with draft:
                    self._write(draft)
        except OSError as problem:
            say(f"{self._unkept.source}: its packed form was not kept: {problem.strerror}")

    def _write(self, draft: Draft) -> None:
        """All of it, or as much as there is time for: then the draft is not committed."""
        unkept, weights = self._unkept, self._unkept.weights
        writer = LoomWriter(draft.fd, {SOURCE_KEY: text(str(unkept.source))}, *plan(weights.slabs, weights.tensors))
        for slab, start, nbytes in list(writer.pieces()):
            self._await_quiet()
            if self._stop.is_set():
                return
            writer.write(piece_of(weights, slab, start, nbytes))
            self._written += nbytes
        writer.finish()
        if not self._stop.is_set():  # after it the weights may be gone, and what was read is zeros
            unkept.cache.commit(draft)
            self._kept = True

    def _await_quiet(self) -> None:
        """Returns when the model has been idle for a while and still is, or when there is no more waiting."""
        if self._steps() == self._idle_at and not self._stepping():
            return
        seen, quiet = self._steps(), 0
        while quiet < QUIET_TICKS and not self._hurry.wait(TICK):
            waited = time.monotonic() - self._begun
            if waited > OVERDUE:
                self._hurry.wait(BREATH)
                return
            steps = self._steps()
            idle = steps == seen and not self._stepping() and (steps > 0 or waited > FIRST_TOKEN)
            seen, quiet = steps, quiet + 1 if idle else 0
        self._idle_at = seen


def say(line: str) -> None:
    sys.stderr.write(f"tokenloom: {line}\n")


_KEEPERS: weakref.WeakSet[Keeper] = weakref.WeakSet()


@atexit.register
def _finish_all() -> None:
    for keeper in list(_KEEPERS):
        keeper.finish()
