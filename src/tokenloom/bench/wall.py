"""What this machine can do at best: bytes read per second, int8 dot products and float fmas per second, measured with generated loops.

Knows the loops, and that the best of several rounds is a limit while anything slower was disturbed. Knows nothing of models.

The read wall is that of memory: the working set is far beyond L3, in huge pages. The peaks are of registers: no loop waits for memory or for itself.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tokenloom.errors import OutOfBudgetError
from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, Tier, missing
from tokenloom.jit.dot import DOTS
from tokenloom.jit.ir import Builder, Value, f32, i8, i32, i64
from tokenloom.jit.memory import Region, address_of, private_memory
from tokenloom.jit.primitives import fma, tier_of, tree
from tokenloom.jit.runner import BARRIER
from tokenloom.jit.team import team
from tokenloom.kernels import amx
from tokenloom.kernels.args import Args, Kernel
from tokenloom.trace.buffers import Buffer
from tokenloom.trace.tape import ARENA, SAMPLING, Bases, Entry, Tape
from tokenloom.weights.memory import free_memory

LINE, PAGE = 64, 4096
WORKING_SET = 512 << 20
STEPS = 8  # fmas of each chain in one turn of a loop
BITS = 4  # of the weights that `dot_peak` multiplies: what most files hold
OUT_STRIDE = 1024  # bytes of results of a thread
_LEAST_SECONDS, _ROUNDS = 0.02, 5


@dataclass(frozen=True)
class ReadLoop:
    """A way to read: each thread walks `streams` stretches side by side, fetching `ahead` bytes before it needs them (0: the hardware guesses)."""

    streams: int
    ahead: int


READ_LOOPS = (ReadLoop(1, 0), ReadLoop(1, 2048), ReadLoop(4, 2048))


class Loop:
    """One kernel on a tape of its own. Base ARENA is `data`, base SAMPLING the results."""

    def __init__(self, kernel: Kernel, tier: Tier, data: int, threads: int, **values: int) -> None:
        self._library = compiler.load({kernel.name: kernel.ir(tier)}, tier)
        self._results = private_memory(OUT_STRIDE * threads)
        self._bases = Bases(SAMPLING + 1)
        self._bases[ARENA], self._bases[SAMPLING] = data, address_of(self._results)
        self._step = private_memory(PAGE)  # the loops read no step; the runner's abort word is its first
        self._threads, self._kernel = threads, kernel
        self._values = values

    def run(self, **values: int) -> float:
        """Seconds of one pass, the waking of the threads included."""
        arguments: dict[str, int | tuple[int, int] | Buffer] = {"data": (ARENA, 0), "out": (SAMPLING, 0)}
        arguments |= self._values | values
        entry = Entry(self._kernel, arguments, BARRIER, "")
        tape, step = Tape([entry], self._library.address), address_of(self._step)
        begun = time.perf_counter()
        team().run(tape.address, 1, self._bases.address, step, step, self._threads)
        return time.perf_counter() - begun

    def results(self, thread: int, kind: str, count: int) -> list[int | float]:
        """What a thread left: `count` values of a struct format."""
        return list(struct.unpack_from(f"<{count}{kind}", self._results, OUT_STRIDE * thread))

    def close(self) -> None:
        self._library.close()


# ---- reading ----------------------------------------------------------------------------------------------------------


def _fill(a: Args) -> None:
    """Every 64-bit word its own number."""
    b, kind = a.b, i64.x(tier_of(a.b).lanes // 2)
    first, last = a.share(a["nbytes"] // PAGE)
    for at in b.range(first * PAGE, last * PAGE, kind.nbytes):
        b.store(b.splat(at >> 3, kind.lanes) + b.lane_numbers(kind), a["data"] + at)


def _read(loop: ReadLoop) -> Callable[[Args], None]:
    """The sum of all words, so that each must be in a register once."""

    def emit(a: Args) -> None:
        b, kind = a.b, i64.x(tier_of(a.b).lanes // 2)
        turn = 8 * LINE // loop.streams
        starts = [a["data"] + (a.thread * loop.streams + s) * a["part"] for s in range(loop.streams)]
        sums = [b.var(b.zeros(kind)) for _ in range(8)]
        for at in b.range(0, a["part"], turn):
            for line in range(0, turn if loop.ahead else 0, LINE):
                for start in starts:
                    b.prefetch(start + at + (line + loop.ahead))
            for number, within in enumerate(range(0, turn, kind.nbytes)):
                for s, start in enumerate(starts):
                    cell = sums[(number * loop.streams + s) % len(sums)]
                    cell.value = cell.value + b.load(kind, start + at + within)
        total = sums[0].value
        for cell in sums[1:]:
            total = total + cell.value
        b.store(tree(b, total), a["out"] + a.thread * OUT_STRIDE)

    return emit


def best_tier() -> Tier:
    """The highest this CPU runs, whatever TOKENLOOM_TIER says: the wall is the machine's."""
    return [t for t in TIERS.values() if not missing(t)][-1]


def l3_bytes() -> int:
    """Of the first CPU; 0 where the system does not say."""
    try:
        text = Path("/sys/devices/system/cpu/cpu0/cache/index3/size").read_text().strip()
    except OSError:
        return 0
    return int(text.removesuffix("K")) << 10


class ReadBench:
    """Memory of which every word holds its number, and the loops that sum it. `close()` gives the memory back."""

    def __init__(self, threads: int, nbytes: int = 0) -> None:
        self.nbytes, self._tier, self._threads = nbytes or _working_set(), best_tier(), threads
        self._region = Region(self.nbytes, huge=True)
        fill = Loop(Kernel("fill", ("*data", "*out", "nbytes"), _fill), self._tier, self._region.address, threads)
        fill.run(nbytes=self.nbytes)
        fill.close()

    def part(self, loop: ReadLoop) -> int:
        """Bytes of one stream: whole pages."""
        return self.nbytes // (self._threads * loop.streams) // PAGE * PAGE

    def measure(self, loop: ReadLoop, rounds: int = _ROUNDS) -> tuple[float, int]:
        """GB/s of the best round, and the sum of all words modulo 2^64."""
        kernel = Kernel("read", ("*data", "*out", "part"), _read(loop))
        part = self.part(loop)
        run = Loop(kernel, self._tier, self._region.address, self._threads, part=part)
        try:
            best = min(run.run() for _ in range(rounds))
            total = sum(int(run.results(t, "q", 1)[0]) for t in range(self._threads))
        finally:
            run.close()
        return part * loop.streams * self._threads / best / 1e9, total % 2**64

    def close(self) -> None:
        self._region.discard()


def _working_set() -> int:
    """Far beyond L3, at most a quarter of free memory. Raises OutOfBudgetError when that is not to be had."""
    wanted, free = max(WORKING_SET, 8 * l3_bytes()), free_memory()
    size = min(wanted, free // 4) // (2 << 20) * (2 << 20)
    if size < 4 * max(l3_bytes(), 16 << 20):
        raise OutOfBudgetError(
            f"the read wall needs a working set far beyond L3 ({l3_bytes() >> 20} MiB), and {free >> 20} MiB are free"
        )
    return size


def read_wall(threads: int) -> float:
    """GB/s (1e9 bytes) at which `threads` threads together read memory: the best of READ_LOOPS. Takes about a second."""
    bench = ReadBench(threads)
    try:
        return max(bench.measure(loop)[0] for loop in READ_LOOPS)
    finally:
        bench.close()


# ---- computing --------------------------------------------------------------------------------------------------------


def _opaque(b: Builder, value: Value) -> Value:
    """The same value, about which LLVM knows nothing: what is computed from it cannot be moved out of the loop."""
    register = "w" if tier_of(b).arch == "aarch64" else "v"  # any vector register, in the words of either architecture
    return b.emit(value.type, f'call {value.type} asm sideeffect "", "={register},0"({value!r})')


def chains_of(tier: Tier) -> int:
    """Independent sums in flight: latency times throughput (10 to 12), as far as AVX2's 16 registers allow it."""
    return 12 if tier.lanes == 16 or tier.arch == "aarch64" else 4


def dot_steps(tier: Tier) -> int:
    """Dot products of a chain in one turn of the loop: what an accumulator holds, so that widening it is paid for."""
    return min(32, DOTS[tier.dot].quads(BITS))


def _dots(a: Args) -> None:
    """out[chain][lane] += steps·Σ code·x in each turn; at data: 64 bytes of codes, then for each chain two like quads of
    activations, since some instructions take eight k."""
    b, tier = a.b, tier_of(a.b)
    lanes, dot = tier.lanes, DOTS[tier.dot]
    codes = b.var(b.load(i8.x(4 * lanes), a["data"]))
    xs = [a["data"] + LINE + 8 * c for c in range(chains_of(tier))]
    totals = [b.var(b.zeros(i32.x(lanes))) for _ in xs]

    def quads() -> Iterator[tuple[int, Value]]:
        for step in range(dot_steps(tier)):
            codes.value = _opaque(b, codes.value)
            yield step % 2, codes.value

    for _ in b.range(0, a["turns"]):
        parts = dot.finish(b, dot.total(b, quads(), xs, lanes, False), False)
        for total, part in zip(totals, parts, strict=True):
            total.value = total.value + part
    _leave(a, [total.value for total in totals])


def _tile_dots(a: Args) -> None:
    """Products of whole matrix tiles of int8: two operands of each kind, four tiles of sums; the first of these is left."""
    b = a.b
    with amx.unit(b, LINE):
        for number, tile in enumerate((*amx.A, *amx.B)):
            amx.load(b, tile, a["data"] + number * amx.TILE)
        for tile in amx.C:
            amx.zero(b, tile)
        for _ in b.range(0, a["turns"]):
            for step in range(STEPS):
                amx.dot(b, amx.C[step % len(amx.C)], amx.A[step % 2], amx.B[step % 2])
        amx.store(b, amx.C[0], a["out"] + a.thread * OUT_STRIDE)


def _fmas(a: Args) -> None:
    """out[chain] = s·out[chain] + c, STEPS times in each turn; at data: s, c, and a start for each chain."""
    b, lanes, chains = a.b, tier_of(a.b).lanes, fma_chains(tier_of(a.b))
    s, c, *starts = [b.splat(b.load(f32, a["data"] + 4 * i), lanes) for i in range(2 + chains)]
    sums = [b.var(start) for start in starts]
    for _ in b.range(0, a["turns"]):
        values = [cell.value for cell in sums]
        for _ in range(STEPS):
            values = [fma(b, value, s, c) for value in values]
        for cell, value in zip(sums, values, strict=True):
            cell.value = value
    _leave(a, [cell.value for cell in sums])


def fma_chains(tier: Tier) -> int:
    """As `chains_of`; an fma needs no register but its sum."""
    return 12 if tier.lanes >= 8 else 4


def _leave(a: Args, values: list[Value]) -> None:
    for number, value in enumerate(values):
        a.b.store(value, a["out"] + a.thread * OUT_STRIDE + number * value.type.nbytes)


TILE_LOOP = Kernel("tile_dots", ("*data", "*out", "turns"), _tile_dots)
TILE_OPERANDS = bytes(i % 7 for i in range(4 * amx.TILE))
DOT_LOOP = Kernel("dots", ("*data", "*out", "turns"), _dots)
FMA_LOOP = Kernel("fmas", ("*data", "*out", "turns"), _fmas)
DOT_OPERANDS = bytes(range(1 << BITS)) * (LINE >> BITS) + b"".join(2 * bytes(range(i, i + 4)) for i in range(1, 49, 4))


class PeakBench:
    """A register loop over some operands. `close()` frees its code."""

    def __init__(self, kernel: Kernel, tier: Tier, threads: int, operands: bytes) -> None:
        self._operands = private_memory(max(PAGE, len(operands)))
        self._operands[: len(operands)] = operands
        self.loop = Loop(kernel, tier, address_of(self._operands), threads)

    def turns_per_s(self, rounds: int = _ROUNDS) -> float:
        """Of each thread, in the best round."""
        turns = 1024
        while self.loop.run(turns=turns) < _LEAST_SECONDS:
            turns *= 2
        return turns / min(self.loop.run(turns=turns) for _ in range(rounds))

    def close(self) -> None:
        self.loop.close()


def _peak(kernel: Kernel, tier: Tier, threads: int, operands: bytes) -> float:
    bench = PeakBench(kernel, tier, threads, operands)
    try:
        return bench.turns_per_s() * threads
    finally:
        bench.close()


def dot_peak(tier: Tier, threads: int) -> float:
    """GOP/s (a multiplication and an addition are two) of `tier`'s int8 products, all threads together: of matrix tiles, or of dot products
    with unsigned codes of 4 bits."""
    if tier.tiles:
        return _peak(TILE_LOOP, tier, threads, TILE_OPERANDS) * STEPS * amx.TILE_ROWS * amx.TILE_ROWS * LINE * 2 / 1e9
    return _peak(DOT_LOOP, tier, threads, DOT_OPERANDS) * dot_steps(tier) * chains_of(tier) * tier.lanes * 4 * 2 / 1e9


def fma_operands(tier: Tier) -> bytes:
    """s = -1, c = 1: each step turns a sum into 1 minus itself, which is exact however often."""
    return struct.pack(f"<{2 + fma_chains(tier)}f", -1.0, 1.0, *range(2, 2 + fma_chains(tier)))


def fma_peak(tier: Tier, threads: int) -> float:
    """GFLOP/s (an fma is two) of `tier`'s float32 fma, all threads together."""
    return _peak(FMA_LOOP, tier, threads, fma_operands(tier)) * STEPS * fma_chains(tier) * tier.lanes * 2 / 1e9


# ---- together -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Walls:
    """The limits of some threads of this machine: GB/s read, GOP/s of int8 dot products, GOP/s of float fmas."""

    read_gbs: float
    dot_gops: float
    fma_gops: float

    def best(self, other: Walls) -> Walls:
        """Of two measurements of the same."""
        return Walls(
            max(self.read_gbs, other.read_gbs),
            max(self.dot_gops, other.dot_gops),
            max(self.fma_gops, other.fma_gops),
        )


def measure(tier: Tier, threads: int) -> Walls:
    """All three; about two seconds."""
    return Walls(read_wall(threads), dot_peak(tier, threads), fma_peak(tier, threads))
