"""The thread team: Python threads parked in generated code, and the one call that makes them walk a tape.

Knows threads, forks and process exit. Knows nothing of what a tape computes. One team per process; every model queues on its lock.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import threading

from tokenloom.errors import ClosedError
from tokenloom.jit import compiler, runner
from tokenloom.jit.cpu import TIERS, Tier, choose, cpus
from tokenloom.jit.memory import address_of, private_memory

# Microseconds of spinning before a thread sleeps. Waking one costs 20–50 µs on a virtual machine, more than most waits last, so where
# every participant has a CPU of its own it spins through them (docs/lab-notebook.md); where they share CPUs or a quota, the one that waits
# had better leave.
_SPIN_ALONE, _SPIN_CROWDED = 50, 5
_IDLE_SPIN = 50  # Python's time between two tokens, so that a decoding team is not put to sleep each token


class Team:
    """`run(tape, ...)` is one foreign call; the GIL is released for all of it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._memory = private_memory(runner.CONTROL_BYTES)
        self._control = address_of(self._memory)
        self._words = memoryview(self._memory).cast("q")
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._cpus = cpus()
        tier = _lowest(choose())
        self._library = compiler.Library(
            [(compiler.object_code(runner.runner_ir(tier), tier), runner.ENTRY_POINTS)], tier
        )
        address = self._library.address
        self._run = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(address["run"])
        self._worker = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32)(address["worker"])
        self._stop = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address["stop"])
        self._ticks_per_us = max(1, int(ctypes.CFUNCTYPE(ctypes.c_int64)(address["ticks_per_second"])()) // 1_000_000)
        self._reset()

    def _reset(self) -> None:
        for word in range(runner.CONTROL_BYTES // 8):
            self._words[word] = 0
        self._words[runner.SPIN // 8] = _SPIN_CROWDED * self._ticks_per_us
        self._words[runner.IDLE_SPIN // 8] = _IDLE_SPIN * self._ticks_per_us

    def ensure(self, threads: int) -> None:
        """At least `threads` participants, the caller of `run` being one. `run` does it too; here is where it can be done early."""
        with self.lock:
            self._grow(threads)

    def _grow(self, threads: int) -> None:
        while len(self._threads) < threads - 1:
            if self._closed:
                raise ClosedError(
                    "the thread team has stopped because the interpreter is exiting; nothing can be computed any more"
                )
            number = len(self._threads) + 1
            epoch = self._words[runner.WORD // 8] & 0xFFFFFFFF
            thread = threading.Thread(
                target=self._worker, args=(self._control, number, epoch), daemon=True, name=f"tokenloom-{number}"
            )
            thread.start()
            self._threads.append(thread)

    def run(self, tape: int, entries: int, bases: int, step: int, abort: int, threads: int, profile: int = 0) -> int:
        """Walks a tape with `threads` participants; all arguments are addresses in memory the caller keeps alive. Returns entries done.

        profile: int64 [entries + 1][threads][2] for clock stamps: a kernel's end and the barrier's after it; the last row is each thread's begin.
        """
        words, job = self._words, runner.JOB // 8
        with self.lock:
            self._grow(threads)
            words[runner.SPIN // 8] = self._ticks_per_us * (_SPIN_ALONE if threads <= self._cpus else _SPIN_CROWDED)
            words[job], words[job + 1], words[job + 2] = tape, entries, bases
            words[job + 3], words[job + 4], words[job + 5] = step, abort, profile
            return int(self._run(self._control, threads))

    def close(self) -> None:
        """Workers return from generated code; the control block and the code outlive them."""
        with self.lock:
            self._closed = True
            self._stop(self._control)
            for thread in self._threads:
                thread.join(timeout=2.0)
            self._threads.clear()

    def after_fork(self) -> None:
        """In the child: the workers stayed behind, perhaps in the middle of a step, and so may have whoever held the lock."""
        self.lock = threading.RLock()
        self._threads = []
        self._reset()


def _lowest(tier: Tier) -> Tier:
    """The runner has no arithmetic, so one build serves every tier of the architecture."""
    return next(t for t in TIERS.values() if t.arch == tier.arch)


_team: Team | None = None
_guard = threading.Lock()


def team() -> Team:
    """The process's team, built on first use."""
    global _team
    with _guard:
        if _team is None:
            _team = Team()
            atexit.register(_team.close)
        return _team


def _after_fork() -> None:
    """Threads do not survive a fork: the child starts its own when it first needs them."""
    global _guard
    _guard = threading.Lock()
    if _team is not None:
        _team.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
