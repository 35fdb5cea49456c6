"""The generated tape runner: barrier, worker loop and the walk over a tape's entries.

Knows when to wait on a futex, atomics and the control block's layout. Knows nothing of what the kernels compute.

Every kernel is `void k(ptr bases, ptr args, ptr step, i64 thread, i64 threads)`. A tape entry is four 64-bit words: kernel, args, flags, label.
"""

from __future__ import annotations

from tokenloom.jit.arch import arch_of, futex, pause, ticks
from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Module, Value, i32, i64, ptr

KERNEL_PARAMS = [("bases", ptr), ("args", ptr), ("step", ptr), ("thread", i64), ("threads", i64)]
ENTRY_WORDS = 4
# entry flags: all threads meet after it; control may return to Python after it (implies a barrier)
BARRIER, SEGMENT = 1, 2

# offsets into the control block, each written by different parties on a cache line pair of its own
WORD, STOP, SPIN, IDLE_SPIN, JOB, ARRIVED, PHASE, SLEEPERS, SEEN, IDLERS, CONTROL_BYTES = (
    0, 128, 136, 144, 256, 384, 512, 640, 768, 896, 1024,
)  # fmt: skip
JOB_FIELDS = ("tape", "entries", "bases", "step", "abort", "profile")
_WAIT_PRIVATE, _WAKE_PRIVATE = 128, 129
_EVERYONE = 0x7FFFFFFF


def _job(b: Builder, control: Value, name: str) -> Value:
    return control + (JOB + 8 * JOB_FIELDS.index(name))


def _wait_change(b: Builder, address: Value, old: Value, sleepers: Value, limit: Value) -> None:
    """Returns once the int32 at `address` differs from `old`: spins `limit` ticks, then sleeps on a futex."""
    begun = ticks(b)
    with b.loop() as leave_if:
        leave_if(b.atomic_load(i32, address).ne(old))
        pause(b)
        with b.when(ticks(b) - begun > limit):
            b.atomic_add(sleepers, b.const(i32, 1))
            futex(b, address, _WAIT_PRIVATE, b.zext(old, i64))
            b.atomic_add(sleepers, b.const(i32, -1))


def _wake(b: Builder, address: Value, sleepers: Value) -> None:
    b.fence()
    with b.when(b.atomic_load(i32, sleepers) > 0):
        futex(b, address, _WAKE_PRIVATE, b.const(i64, _EVERYONE))


def _barrier(b: Builder, control: Value, threads: Value) -> Value:
    phase = b.atomic_load(i32, control + PHASE)
    last = b.atomic_add(control + ARRIVED, b.const(i32, 1)).eq(b.trunc(threads, i32) - 1)

    def release() -> None:
        b.atomic_store(b.const(i32, 0), control + ARRIVED)
        b.atomic_store(phase + 1, control + PHASE)
        _wake(b, control + PHASE, control + SLEEPERS)

    def wait() -> None:
        _wait_change(b, control + PHASE, phase, control + SLEEPERS, b.load(i64, control + SPIN))

    b.either(last, release, wait)
    return b.const(i64, 0)


def barrier(b: Builder, control: Value, threads: Value) -> None:
    """All `threads` participants meet. A single thread passes."""
    with b.when(threads > 1):
        b.helper("barrier", [ptr, i64], i64, _barrier, control, threads)


def _walk(b: Builder, control: Value, thread: Value, threads: Value) -> Value:
    """Runs the job's entries as `thread`. Returns the number of entries done (fewer when aborted)."""
    tape, bases, step = (b.load(ptr, _job(b, control, n)) for n in ("tape", "bases", "step"))
    abort, profile = (b.load(ptr, _job(b, control, n)) for n in ("abort", "profile"))
    entries = b.load(i64, _job(b, control, "entries"))
    index, segment = b.var(b.const(i64, 0)), b.var(b.const(i64, 0))
    timed = profile.ne(b.const(ptr, Value(b, ptr, "null")))
    with b.when(timed):  # a last row holds when each thread began
        b.store(ticks(b), profile + (entries * threads + thread) * 16)
    with b.loop() as leave_if:
        now = index.value
        leave_if(now >= entries)
        entry = tape + now * (8 * ENTRY_WORDS)
        kernel, args, flags = b.load(ptr, entry), b.load(ptr, entry + 8), b.load(i64, entry + 16)
        b.do(f"call void {kernel.text}({bases!r}, {args!r}, {step!r}, {thread!r}, {threads!r})")
        index.value = now + 1
        parity = control + SEEN + (segment.value & 1) * 4
        with b.when((flags & SEGMENT).ne(0)), b.when(thread.eq(0)):
            b.atomic_store(b.atomic_load(i32, abort), parity)
        # a row of (kernel end, barrier end) per thread and entry
        mark = profile + (now * threads + thread) * 16
        with b.when(timed):
            b.store(ticks(b), mark)
        with b.when((flags & (BARRIER | SEGMENT)).ne(0)):
            barrier(b, control, threads)
        with b.when(timed):
            b.store(ticks(b), mark + 8)
        aborted = b.var(b.const(i32, 0))
        with b.when((flags & SEGMENT).ne(0)):
            aborted.value = b.atomic_load(i32, parity)
            segment.value = segment.value + 1
        leave_if(aborted.value.ne(0))
    return index.value


def _set_float_state(b: Builder) -> Value:
    """Round to nearest, subnormals kept, exceptions masked, whatever other libraries left behind; returns the old state."""
    arch = arch_of(b)
    old = arch.float_state(b)
    arch.set_float_state(b, b.const(i64, arch.plain_float_state))
    return old


def _worker(module: Module, tier: Tier) -> None:
    """`void worker(ptr control, i64 thread, i32 epoch)`: serves every job after `epoch` until STOP. The word's halves are (participants, epoch), read
    as one, so a worker that lags sees either a job it takes part in or none of its business."""
    b = Builder(module, tier)
    with b.function("worker", [("control", ptr), ("thread", i64), ("epoch", i32)]) as (control, thread, epoch):
        _set_float_state(b)
        seen = b.var(epoch)
        with b.loop() as leave_if:
            _wait_change(b, control + WORD, seen.value, control + IDLERS, b.load(i64, control + IDLE_SPIN))
            leave_if(b.atomic_load(i32, control + STOP).ne(0))
            word = b.atomic_load(i64, control + WORD)
            seen.value = b.trunc(word, i32)
            threads = word >> 32
            with b.when(thread < threads):
                b.helper("walk", [ptr, i64, i64], i64, _walk, control, thread, threads)
                barrier(b, control, threads)


def _run(module: Module, tier: Tier) -> None:
    """`i64 run(ptr control, i64 threads)`: the caller is thread 0; the job fields are filled in. Returns the entries done."""
    b = Builder(module, tier)
    with b.function("run", [("control", ptr), ("threads", i64)], i64) as (control, threads):
        old = _set_float_state(b)
        with b.when(threads > 1):
            epoch = b.zext(b.load(i32, control + WORD) + 1, i64)
            b.atomic_store((threads << 32) | epoch, control + WORD)
            _wake(b, control + WORD, control + IDLERS)
        done = b.helper("walk", [ptr, i64, i64], i64, _walk, control, b.const(i64, 0), threads)
        barrier(b, control, threads)
        arch_of(b).set_float_state(b, old)
        b.ret(done)


def _stop(module: Module, tier: Tier) -> None:
    """`void stop(ptr control)`: tells every worker to return."""
    b = Builder(module, tier)
    with b.function("stop", [("control", ptr)]) as (control,):
        b.atomic_store(b.const(i32, 1), control + STOP)
        b.atomic_store(b.load(i32, control + WORD) + 1, control + WORD)
        futex(b, control + WORD, _WAKE_PRIVATE, b.const(i64, _EVERYONE))


def _ticks_per_second(module: Module, tier: Tier) -> None:
    """`i64 ticks_per_second()`: how fast the clock of spins and profiles runs."""
    b = Builder(module, tier)
    with b.function("ticks_per_second", [], i64):
        b.ret(arch_of(b).ticks_per_second(b))


ENTRY_POINTS = ("run", "worker", "stop", "ticks_per_second")


def runner_ir(tier: Tier) -> str:
    """One module with the ENTRY_POINTS."""
    module = Module()
    for make in (_run, _worker, _stop, _ticks_per_second):
        make(module, tier)
    return str(module)


__all__ = [
    "BARRIER",
    "CONTROL_BYTES",
    "ENTRY_POINTS",
    "ENTRY_WORDS",
    "KERNEL_PARAMS",
    "SEGMENT",
    "barrier",
    "runner_ir",
]
