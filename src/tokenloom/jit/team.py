"""The thread team: Python threads parked in generated code, and the one call that makes them walk a tape.

Knows threads, forks and process exit. Knows nothing of what a tape computes. One team per process; every model queues on its lock.
"""

from __future__ import annotations

import atexit
import ctypes
import mmap
import os
import threading

from tokenloom.jit import compiler, runner
from tokenloom.jit.cpu import Tier, choose

_SPIN_CYCLES = 15_000  # about 5 µs: longer than a balanced step's waits, shorter than a scheduler's time slice
_IDLE_SPIN_CYCLES = 150_000  # about 50 µs: Python's time between two tokens, so that a decoding team is not put to sleep each token


class Team:
    """`run(tape, ...)` is one foreign call; the GIL is released for all of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._memory = mmap.mmap(-1, runner.CONTROL_BYTES)
        self._control = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._words = memoryview(self._memory).cast("q")
        self._words[runner.SPIN // 8] = _SPIN_CYCLES
        self._words[runner.IDLE_SPIN // 8] = _IDLE_SPIN_CYCLES
        self._threads: list[threading.Thread] = []
        tier = _lowest(choose())
        self._library = compiler.Library([(compiler.object_code(runner.runner_ir(tier), tier), ["run", "worker", "stop"])], tier)
        address = self._library.address
        self._run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(address["run"])
        self._worker = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)(address["worker"])
        self._stop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address["stop"])

    def ensure(self, threads: int) -> None:
        """At least `threads` participants, the caller of `run` being one."""
        with self.lock:
            while len(self._threads) < threads - 1:
                number = len(self._threads) + 1
                epoch = self._words[runner.WORD // 8] & 0xFFFFFFFF
                thread = threading.Thread(target=self._worker, args=(self._control, number, epoch), daemon=True, name=f"tokenloom-{number}")
                thread.start()
                self._threads.append(thread)

    def run(self, tape: int, entries: int, bases: int, step: int, abort: int, threads: int, profile: int = 0) -> int:
        """Walks a tape with `threads` participants; all arguments are addresses in memory the caller keeps alive. Returns entries done."""
        words, job = self._words, runner.JOB // 8
        with self.lock:
            words[job], words[job + 1], words[job + 2] = tape, entries, bases
            words[job + 3], words[job + 4], words[job + 5] = step, abort, profile
            return int(self._run(self._control, threads))

    def close(self) -> None:
        """Workers return from generated code; the control block and the code outlive them."""
        with self.lock:
            self._stop(self._control)
            for thread in self._threads:
                thread.join(timeout=2.0)
            self._threads.clear()


def _lowest(tier: Tier) -> Tier:
    """The runner has no arithmetic, so one build serves every tier of the architecture."""
    from tokenloom.jit.cpu import TIERS

    return next(t for t in TIERS.values() if t.arch == tier.arch)


_team: Team | None = None
_guard = threading.Lock()


def team() -> Team:
    """The process's team, built on first use."""
    global _team
    with _guard:
        if _team is None:
            _team = Team()
            atexit.register(_at_exit, _team)
        return _team


def _at_exit(members: Team) -> None:
    if members is _team:
        members.close()


def _after_fork() -> None:
    """Threads do not survive a fork: the child builds its own team when it first needs one."""
    global _team, _guard
    _team, _guard = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
