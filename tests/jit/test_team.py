"""The thread team and the runner: barriers, growth, forks, aborts, float state, exit."""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tokenloom.errors import ClosedError
from tokenloom.jit import compiler
from tokenloom.jit.arch import arch_of
from tokenloom.jit.cpu import TIERS, choose
from tokenloom.jit.ir import Builder, Module, f32, i32, i64, ptr
from tokenloom.jit.runner import BARRIER, ENTRY_WORDS, KERNEL_PARAMS, SEGMENT
from tokenloom.jit.team import Team, team

ROOT = Path(__file__).resolve().parents[2]
SLOT = 128  # bytes between two threads' counters
THREADS = (1, 2, 3, 5)
Emit = Callable[..., None]


def _count(b: Builder, bases: Any, args: Any, step: Any, thread: Any, threads: Any) -> None:
    """counters[thread] += 1"""
    at = step + thread * SLOT
    b.store(b.load(i64, at) + 1, at)


def _spread(b: Builder, bases: Any, args: Any, step: Any, thread: Any, threads: Any) -> None:
    """counters[thread] = 1 + counters[thread + 1], of the next generation: wrong unless all met since the last entry.

    `args` holds (generation): odd ones read the first half and write the second, even ones the other way round.
    """
    old = (b.load(i64, args) & 1) * (64 * SLOT)
    new = b.const(i64, 64 * SLOT) - old
    b.store(b.load(i64, step + old + ((thread + 1) % threads) * SLOT) + 1, step + new + thread * SLOT)


def _abort(b: Builder, bases: Any, args: Any, step: Any, thread: Any, threads: Any) -> None:
    """Thread `args[1]` sets the abort word (at args[0]), as a signal handler would."""
    with b.when(thread.eq(b.load(i64, args + 8) % threads)):
        b.atomic_store(b.const(i32, 1), b.load(ptr, args))


def _floats(b: Builder, bases: Any, args: Any, step: Any, thread: Any, threads: Any) -> None:
    """Per thread: least subnormal / 2 · 2 (FTZ, DAZ), 1 + 2^-24 (rounding), and the control register itself."""
    out = step + thread * SLOT
    tiny = b.load(f32, args)
    b.store(tiny * 0.5, out)
    b.store(tiny + b.load(f32, args + 4), out + 4)
    b.store(b.load(f32, args + 8) + b.load(f32, args + 12), out + 8)
    b.store(b.trunc(arch_of(b).float_state(b), i32), out + 12)


def _float_state(module: Module) -> None:
    b = Builder(module, choose())
    with b.function("set_float_state", [("p", ptr)]) as (p,):
        arch_of(b).set_float_state(b, b.zext(b.load(i32, p), i64))
    b = Builder(module, choose())
    with b.function("get_float_state", [("p", ptr)]) as (p,):
        b.store(b.trunc(arch_of(b).float_state(b), i32), p)


KERNELS: dict[str, Emit] = {"count": _count, "spread": _spread, "abort": _abort, "floats": _floats}


@functools.cache
def library() -> compiler.Library:
    module, tier = Module(), choose()
    for name, emit in KERNELS.items():
        b = Builder(module, tier)
        with b.function(name, KERNEL_PARAMS) as values:
            emit(b, *values)
    _float_state(module)
    return compiler.Library(
        [(compiler.object_code(str(module), tier), [*KERNELS, "set_float_state", "get_float_state"])], tier
    )


class TapeOf:
    """A tape of (kernel, argument words, flags) over an int64 state."""

    def __init__(self, *entries: tuple[str, list[int], int]) -> None:
        self.state = np.zeros(64 * 2 * SLOT // 8, np.int64)
        self.abort = np.zeros(1, np.int32)
        self._args = [np.array(args or [0], np.int64) for _, args, _ in entries]
        words = [
            (library().address[name], args.ctypes.data, flags, n)
            for n, ((name, _, flags), args) in enumerate(zip(entries, self._args, strict=True))
        ]
        self.words = np.array(words, np.int64).reshape(-1, ENTRY_WORDS)

    def run(self, threads: int, members: Team | None = None, profile: NDArray[np.int64] | None = None) -> int:
        return (members or team()).run(
            self.words.ctypes.data, len(self.words), 0, self.state.ctypes.data, self.abort.ctypes.data, threads,
            profile.ctypes.data if profile is not None else 0,
        )  # fmt: skip

    def counters(self, threads: int, generation: int = 0) -> list[int]:
        at = generation % 2 * 64 * SLOT // 8
        return self.state[at : at + threads * SLOT // 8 : SLOT // 8].tolist()


@pytest.mark.parametrize("threads", THREADS)
def test_every_thread_walks_every_entry(threads: int) -> None:
    tape = TapeOf(*[("count", [], flags) for flags in (0, BARRIER, 0, SEGMENT, BARRIER | SEGMENT)])
    assert tape.run(threads) == 5
    assert tape.counters(5) == [5] * threads + [0] * (5 - threads)


@pytest.mark.parametrize("threads", THREADS)
def test_barriers_order_the_threads(threads: int) -> None:
    """Each entry reads what another thread wrote in the entry before."""
    entries = 200
    tape = TapeOf(*[("spread", [n], BARRIER) for n in range(entries)])
    for turn in range(1, 11):
        assert tape.run(threads) == entries
        assert tape.counters(threads, entries) == [turn * entries] * threads


@pytest.mark.parametrize("flag", [BARRIER, SEGMENT])
def test_guard_of_barriers_fails_when_one_is_missing(flag: int) -> None:
    """Without barriers the same tape goes wrong sooner or later, so the test above can fail."""
    entries, threads = 200, 3
    tape = TapeOf(*[("spread", [n], 0) for n in range(entries)])
    wrong = 0
    for _ in range(500):
        tape.state[:] = 0
        tape.run(threads)
        wrong += tape.counters(threads, entries) != [entries] * threads
        if wrong:
            break
    assert wrong
    tape = TapeOf(*[("spread", [n], flag) for n in range(entries)])
    tape.run(threads)
    assert tape.counters(threads, entries) == [entries] * threads


def test_an_empty_tape_returns() -> None:
    assert TapeOf(*[("count", [], 0)][:0]).run(1) == 0


@pytest.mark.parametrize("threads", [2, 5])
def test_many_short_runs(threads: int) -> None:
    tape = TapeOf(("count", [], BARRIER), ("count", [], SEGMENT))
    for _ in range(2000):
        assert tape.run(threads) == 2
    assert tape.counters(threads) == [4000] * threads


def test_participants_may_change_from_run_to_run() -> None:
    tape = TapeOf(("count", [], BARRIER), ("count", [], 0))
    rng = np.random.default_rng(0)
    expected = np.zeros(5, np.int64)
    for threads in rng.integers(1, 6, 500):
        tape.run(int(threads))
        expected[:threads] += 2
    assert tape.counters(5) == expected.tolist()


def test_a_team_grows_and_workers_that_start_late_take_part() -> None:
    members = Team()
    tape = TapeOf(("count", [], BARRIER))
    for threads in (1, 2, 4, 3, 5):
        tape.run(threads, members)  # the new workers may not have reached generated code yet
    assert tape.counters(5) == [5, 4, 3, 2, 1]
    assert sum(t.name.startswith("tokenloom-") for t in members._threads) == 4
    members.close()


def test_sleeping_workers_are_woken() -> None:
    members = Team()
    tape = TapeOf(("count", [], BARRIER), ("count", [], BARRIER))
    for _ in range(5):
        tape.run(3, members)
        time.sleep(0.02)  # far beyond the spin: they sleep in the kernel now
    assert tape.counters(3) == [10] * 3
    members.close()
    assert not any(t.is_alive() for t in threading.enumerate() if t in members._threads)


def test_parked_workers_burn_no_time() -> None:
    members = Team()
    TapeOf(("count", [], BARRIER)).run(3, members)
    time.sleep(0.01)
    before = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - before < 0.1
    members.close()


def test_a_closed_team_says_so_instead_of_waiting_for_ever() -> None:
    members = Team()
    tape = TapeOf(("count", [], BARRIER))
    tape.run(2, members)
    members.close()
    with pytest.raises(ClosedError, match="the interpreter is exiting"):
        tape.run(2, members)
    assert tape.run(1, members) == 1


def test_callers_take_turns() -> None:
    """Steps from several Python threads queue on the one team."""
    tape = TapeOf(("count", [], BARRIER), ("count", [], BARRIER))
    callers = [threading.Thread(target=lambda: [tape.run(3) for _ in range(200)]) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    assert tape.counters(3) == [2 * 4 * 200] * 3


# ---- aborts ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", THREADS)
def test_an_abort_stops_all_threads_after_the_same_segment(threads: int) -> None:
    """The word is set in the middle of a segment, by any thread; that segment is finished, by everyone, and no more."""
    for turn in range(60):
        entries: list[tuple[str, list[int], int]] = []
        for n in range(9):
            entries.append(("count", [], SEGMENT if n % 3 == 2 else BARRIER if n % 2 else 0))
        tape = TapeOf(*entries[:4], ("abort", [0, turn], 0), *entries[4:])
        tape._args[4][0] = tape.abort.ctypes.data
        done = tape.run(threads)
        assert done in (7, 10) if turn % threads else done == 7, "thread 0's own store is seen at once, others' by the next segment"  # fmt: skip
        assert tape.counters(threads) == [done - 1] * threads


@pytest.mark.parametrize("threads", THREADS)
def test_an_abort_that_was_there_before_ends_the_first_segment(threads: int) -> None:
    tape = TapeOf(("count", [], 0), ("count", [], SEGMENT), ("count", [], SEGMENT))
    tape.abort[0] = 1
    assert tape.run(threads) == 2
    tape.abort[0] = 0
    assert tape.run(threads) == 3  # and leaves nothing behind
    assert tape.counters(threads) == [5] * threads


def test_aborts_and_runs_in_any_order() -> None:
    tape = TapeOf(*[("count", [], SEGMENT) for _ in range(4)])
    rng = np.random.default_rng(1)
    expected = np.zeros(5, np.int64)
    for _ in range(500):
        threads, tape.abort[0] = int(rng.integers(1, 6)), int(rng.integers(0, 2))
        done = tape.run(threads)
        assert done == (1 if tape.abort[0] else 4)
        expected[:threads] += done
    assert tape.counters(5) == expected.tolist()


# ---- profiling -------------------------------------------------------------------------------------------------------------


def test_a_profile_has_two_stamps_per_entry_and_thread() -> None:
    threads = 3
    tape = TapeOf(("count", [], BARRIER), ("count", [], 0), ("count", [], SEGMENT))
    every = np.zeros((3 + 1, threads, 2), np.int64)
    assert tape.run(threads, profile=every) == 3
    stamps, begun = every[:3], every[3, :, 0]
    assert (stamps > 0).all()
    assert (begun > 0).all()
    assert (begun <= stamps[0, :, 0]).all()
    assert (stamps[:, :, 1] >= stamps[:, :, 0]).all()
    assert (np.diff(stamps.transpose(1, 0, 2).reshape(threads, -1)) >= 0).all()


# ---- float state -----------------------------------------------------------------------------------------------------------

# the state kernels need, one that flushes subnormals, one that rounds up, and the flags that any operation may set
STATES = {
    "x86_64": (0x1F80, 0x1F80 | 0x8040, 0x1F80 | 0x4000, 0x3F),  # MXCSR
    "aarch64": (0, 1 << 24, 1 << 22, 0),  # FPCR; its flags are in a register of their own
}
PLAIN, FLUSH, UP, FLAGS = STATES[choose().arch]


def float_state(new: int | None = None) -> int:
    """Sets (when given) and reads this thread's control register, without the flags."""
    word = ctypes.c_uint32(new or 0)
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    if new is not None:
        call(library().address["set_float_state"])(ctypes.addressof(word))
    call(library().address["get_float_state"])(ctypes.addressof(word))
    return word.value & ~FLAGS


def floats_tape() -> TapeOf:
    """Each thread leaves 2^-148 / 2, 2^-148 + 2^-149, 1 + 2^-24 and the control register."""
    tape = TapeOf(("floats", [0, 0], BARRIER))
    tape._args[0][:] = np.array([2.0**-148, 2.0**-149, 1.0, 2.0**-24], np.float32).view(np.int64)
    return tape


def observed(tape: TapeOf, threads: int) -> list[tuple[int, int, int, int]]:
    """The bits each thread left, read as integers: NumPy's own floats flush too when the state says so."""
    words = tape.state.view(np.uint32).reshape(-1, SLOT // 4)[:threads, :4]
    return [(int(a), int(b), int(c), int(d) & ~FLAGS) for a, b, c, d in words]


KEPT = (1, 3, 0x3F800000, PLAIN)


@pytest.mark.parametrize("inherited", [PLAIN, FLUSH, UP], ids=["plain", "flushing", "rounding up"])
@pytest.mark.parametrize("threads", [1, 3])
def test_kernels_keep_subnormals_whatever_the_caller_left_behind(threads: int, inherited: int) -> None:
    tape, before = floats_tape(), float_state()
    try:
        assert float_state(inherited) == inherited
        tape.run(threads)
        assert float_state() == inherited, "the caller gets its own state back"
    finally:
        float_state(before)
    assert observed(tape, threads) == [KEPT] * threads


def test_guard_of_the_float_state_fails_when_it_is_inherited() -> None:
    """The same kernel called without the runner sees what the caller left."""
    arguments = np.array([2.0**-148, 2.0**-149, 1.0, 2.0**-24], np.float32)
    out = np.zeros(4, np.float32)
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_int64)(library().address["floats"])
    before = float_state()
    try:
        float_state(FLUSH)
        call(0, arguments.ctypes.data, out.ctypes.data, 0, 1)
    finally:
        float_state(before)
    assert out[0] == 0


def test_workers_start_clean_under_a_flushing_parent() -> None:
    """On x86 a thread inherits this state from the one that creates it."""
    before, members, tape = float_state(), Team(), floats_tape()
    try:
        float_state(FLUSH)
        tape.run(3, members)
    finally:
        float_state(before)
    members.close()
    assert observed(tape, 3) == [KEPT] * 3


# ---- forks and exits -------------------------------------------------------------------------------------------------------


def in_a_fork(act: Callable[[], bool], seconds: float = 20.0) -> int:
    """The exit status of a forked child that runs `act`: 0 for true. A child that hangs is killed: -SIGKILL."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if act() else 1)
        finally:
            os._exit(2)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
class TestForks:
    def test_a_child_has_a_team_of_its_own(self) -> None:
        tape = TapeOf(*[("spread", [n], BARRIER) for n in range(20)])
        assert tape.run(3) == 20
        kept = team()

        def act() -> bool:
            done = tape.run(3, kept) == 20 and tape.run(3) == 20 and tape.run(5) == 20
            return done and tape.counters(3, 0)[0] >= 40

        assert in_a_fork(act) == 0
        before = tape.counters(3, 20)
        assert tape.run(3) == 20  # the parent goes on, and the child wrote nothing of its
        assert tape.counters(3, 20) == [n + 20 for n in before]

    def test_a_fork_in_the_middle_of_a_step(self) -> None:
        """Another thread steps (and holds the lock) at the moment of the fork."""
        tape = TapeOf(*[("spread", [n], BARRIER) for n in range(200)])
        stop = threading.Event()

        def keep_stepping() -> None:
            while not stop.is_set():
                tape.run(3)

        stepping = threading.Thread(target=keep_stepping)
        stepping.start()
        try:
            for _ in range(5):
                mine = TapeOf(("count", [], BARRIER))
                assert in_a_fork(lambda mine=mine: mine.run(3) == 1 and mine.counters(3) == [1] * 3) == 0
        finally:
            stop.set()
            stepping.join(20)
        assert not stepping.is_alive()

    def test_the_control_block_is_not_shared_with_a_child(self) -> None:
        """A child's job must not wake the parent's workers: they would run its tape at its addresses."""
        tape = TapeOf(("count", [], BARRIER))
        tape.run(3)
        time.sleep(0.01)
        assert in_a_fork(lambda: [tape.run(3) for _ in range(50)] == [1] * 50) == 0
        assert tape.counters(3) == [1] * 3


EXIT = """
import sys, threading, time
from tests.jit.test_team import BARRIER, TapeOf, team
tape = TapeOf(*[("count", [], BARRIER)] * 50)
tape.run(5)
{then}
"""


@pytest.mark.parametrize(
    "then",
    [
        "pass",
        "time.sleep(0.05)",  # the workers sleep
        "sys.exit(0)",
        "threading.Thread(target=lambda: [tape.run(5) for _ in range(10**9)], daemon=True).start(); time.sleep(0.05)",
    ],
    ids=["at once", "asleep", "sys.exit", "while stepping"],
)
def test_the_interpreter_exits_quickly_with_parked_workers(then: str) -> None:
    code = EXIT.format(then=textwrap.dedent(then)) + "\nsys.stdout.write(str(time.monotonic()))\nsys.stdout.flush()"
    if then == "sys.exit(0)":
        code = EXIT.format(then="sys.stdout.write(str(time.monotonic())); sys.stdout.flush(); sys.exit(0)")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=ROOT, timeout=60)
    took = time.monotonic() - float(done.stdout)
    assert done.returncode == 0, done.stderr
    assert took < 3.0, f"{took:.1f} s from the last line to the end"
    assert done.stderr == ""


def test_one_team_per_process() -> None:
    assert team() is team()
    assert TIERS  # the runner is built for the lowest tier of the architecture: see runner_ir
