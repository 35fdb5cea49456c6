"""Attention over pages against reference/, bit for bit: split and merge, whole runs, and both alike."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from tests.jit.avx512_in_software import Target
from tests.kernels.paged import Pool
from tests.kernels.rig import COUNT, F32, THREADS, Matrix, Memory, Rig, Rows, assert_bits, on_distinct_targets

from tokenloom.jit.ir import Type, f16, f32, i8
from tokenloom.kernels.attention import (
    NO_WINDOW,
    attention_merge,
    attention_run,
    attention_split,
    partial_floats,
    run_scratch_floats,
    split_scratch_floats,
)
from tokenloom.kernels.kv_page import KVShape
from tokenloom.kernels.span import SPAN
from tokenloom.reference.attention import attention as reference

LENGTHS = (1, 15, 16, 17, 63, 64, 65, 130, 300)


@dataclass(frozen=True)
class Heads:
    """Query heads, KV heads, head_dim and how the cache stores them."""

    heads: int
    kv_heads: int
    dim: int
    stored: Type

    def __str__(self) -> str:
        return f"{self.heads}x{self.kv_heads}x{self.dim}-{self.shape.name}"

    @property
    def shape(self) -> KVShape:
        return KVShape(self.kv_heads, self.dim, self.stored)


GROUPS = [  # query heads per KV head: 1, 2, 3, 4, 7, 8
    Heads(2, 2, 16, f32),
    Heads(4, 2, 32, f16),
    Heads(9, 3, 64, f16),
    Heads(4, 1, 16, f32),
    Heads(7, 1, 48, f16),
    Heads(8, 1, 16, f16),
    Heads(9, 3, 64, i8),
    Heads(7, 1, 48, i8),
    Heads(2, 2, 16, i8),
]
each_group = pytest.mark.parametrize("heads", GROUPS, ids=str)


@functools.cache
def rig(target: Target, heads: Heads) -> Rig:
    tier, n = target.written_for, heads.heads
    return Rig(
        target,
        attention_split(heads.shape, n, tier),
        attention_merge(heads.shape, n),
        attention_run(heads.shape, n, tier),
    )


@dataclass
class Run:
    """One sequence: `lo[i] <= slot < hi[i]` is what its row i sees of `slots` slots."""

    slots: int
    lo: list[int]
    hi: list[int]


class Problem:
    """Queries of several runs over one pool, and the answer."""

    def __init__(
        self, heads: Heads, runs: list[Run], seed: int = 0, scale: float = 1.0, window: int = NO_WINDOW
    ) -> None:
        self.heads, self.runs, self.window = heads, runs, window
        rng = np.random.default_rng(seed)
        self.rows = sum(len(run.lo) for run in runs)
        self.q = (rng.standard_normal((self.rows, heads.heads, heads.dim)) * scale).astype(np.float32)
        self.pool = Pool(heads.kv_heads, heads.dim, heads.stored, [run.slots for run in runs], seed)
        answers, at = [], 0
        for number, run in enumerate(runs):
            k, v = (rng.standard_normal((run.slots, heads.kv_heads, heads.dim)).astype(np.float32) for _ in range(2))
            for slot in range(run.slots):
                self.pool.put(number, slot, k[slot], v[slot])
            q = self.q[at : at + len(run.lo)]
            lo = np.maximum(run.lo, np.array(run.hi) - window)
            answers.append(reference(q, k, v, lo, run.hi, self.pool.kv_dtype))
            at += len(run.lo)
        self.want: F32 = np.concatenate(answers).reshape(self.rows, -1)

    def step(self) -> Rows:
        step = Rows(self.rows, runs=len(self.runs), pages=sum(map(len, self.pool.tables)))
        counts = [len(run.lo) for run in self.runs]
        step.column("run", np.repeat(np.arange(len(counts)), counts))
        step.column("run_start", np.cumsum([0, *counts])[:-1])
        step.column("run_rows", counts)
        for name, values in (
            ("att_lo", [x for r in self.runs for x in r.lo]),
            ("att_hi", [x for r in self.runs for x in r.hi]),
        ):
            step.column(name, values)
        self.pool.describe(step)
        return step

    def split(self, target: Target, threads: int) -> F32:
        h, tier = self.heads, target.written_for
        spans = -(-max(run.slots for run in self.runs) // SPAN) + 1
        q, y = (Matrix(self.rows, h.heads * h.dim, v) for v in (self.q.reshape(self.rows, -1), None))
        partials = Memory(4 * self.rows * h.heads * spans * partial_floats(h.dim))
        stride = split_scratch_floats(h.shape, h.heads, tier) * 4 + 64
        scratch = Memory(stride * threads)
        kernel, merge = attention_split(h.shape, h.heads, tier), attention_merge(h.shape, h.heads)
        shared = {
            "partials": partials,
            "heads": h.heads,
            "max_spans": spans,
            "window": self.window,
            "count": COUNT["rows"],
        }
        rig(target, h).run(
            kernel, threads, self.step(), q=q, kv=self.pool, scratch=scratch, scratch_stride=stride, q_stride=q.stride, **shared
        )  # fmt: skip
        rig(target, h).run(merge, threads, self.step(), y=y, y_stride=y.stride, **shared)
        for buffer in (partials, scratch, q, y, self.pool.memory):
            buffer.check()
        return np.ascontiguousarray(y.values)

    def whole(self, target: Target, threads: int) -> F32:
        h, tier = self.heads, target.written_for
        q, y = (Matrix(self.rows, h.heads * h.dim, v) for v in (self.q.reshape(self.rows, -1), None))
        stride = 4 * run_scratch_floats(h.shape, h.heads, tier) + 64
        scratch = Memory(stride * threads)
        rig(target, h).run(
            attention_run(h.shape, h.heads, tier), threads, self.step(), q=q, kv=self.pool, y=y, scratch=scratch, scratch_stride=stride,
            q_stride=q.stride, y_stride=y.stride, window=self.window, count=COUNT["runs"],
        )  # fmt: skip
        for buffer in (scratch, q, y, self.pool.memory):
            buffer.check()
        return np.ascontiguousarray(y.values)

    def check(self, target: Target, threads: int, what: str) -> None:
        assert_bits(self.split(target, threads), self.want, f"split and merge, {what}, {threads} threads")
        assert_bits(self.whole(target, threads), self.want, f"whole runs, {what}, {threads} threads")


@functools.cache
def decoding(heads: Heads) -> Problem:
    """Nine sequences, one row each, at lengths around the span's and the page's borders."""
    return Problem(heads, [Run(n, [0], [n]) for n in LENGTHS], seed=1)


@functools.cache
def prompts(heads: Heads) -> Problem:
    """Chunks of several sequences, causal: from the start, across a span, in the middle of a page, one row alone."""
    runs = [
        Run(end, [0] * (end - start), list(range(start + 1, end + 1)))
        for start, end in ((0, 5), (60, 70), (125, 132), (16, 17))
    ]
    return Problem(heads, runs, seed=2)


@functools.cache
def windows(heads: Heads) -> Problem:
    """Sliding windows and other ranges that do not begin at slot 0."""
    runs = [
        Run(200, [10, 64, 70, 130, 63, 199], [200, 128, 140, 200, 65, 200]),
        Run(90, [0, 16, 17, 31, 33], [1, 17, 32, 90, 48]),
        Run(130, [max(0, i - 20) for i in range(120, 130)], list(range(121, 131))),
    ]
    return Problem(heads, runs, seed=3)


@on_distinct_targets
@each_group
def test_one_row_of_many_sequences(target: Target, heads: Heads) -> None:
    for threads in THREADS:
        decoding(heads).check(target, threads, "decoding")


@on_distinct_targets
@each_group
def test_chunks_of_prompts(target: Target, heads: Heads) -> None:
    for threads in THREADS:
        prompts(heads).check(target, threads, "prompts")


@on_distinct_targets
@each_group
def test_windows(target: Target, heads: Heads) -> None:
    for threads in (1, 3):
        windows(heads).check(target, threads, "windows")


@functools.cache
def layer_windows(heads: Heads, window: int) -> Problem:
    """Causal chunks and single rows of a layer that sees so many slots; one run sees even less."""
    runs = [
        Run(150, [0] * 12, list(range(139, 151))),
        Run(10, [0] * 10, list(range(1, 11))),
        Run(200, [0], [200]),
        Run(100, [98], [100]),
    ]
    return Problem(heads, runs, seed=8, window=window)


@on_distinct_targets
@pytest.mark.parametrize("heads", [GROUPS[2], GROUPS[3], GROUPS[7]], ids=str)
def test_a_layer_s_window(target: Target, heads: Heads) -> None:
    """One slot, within a page, a span, over more than one, and all there are."""
    for number, window in enumerate((1, 13, 64, 100, 200)):
        layer_windows(heads, window).check(target, 1 + number % 3, f"window {window}")


@on_distinct_targets
def test_guard_of_windows_fails_when_one_is_off_by_one(target: Target) -> None:
    for window in (12, 14):
        problem = layer_windows(GROUPS[3], 13)
        problem.window = window
        try:
            for got in (problem.split(target, 2), problem.whole(target, 2)):
                differ = (got != problem.want).any(axis=-1)
                assert differ[:12].all()
                assert differ[22]
        finally:
            problem.window = 13


@on_distinct_targets
@pytest.mark.parametrize("scale", [0.0, 30.0, 1e-20])
def test_scores_that_are_equal_far_apart_or_tiny(target: Target, scale: float) -> None:
    """All probabilities alike; all but one zero (so whole spans weigh nothing); subnormal scores."""
    heads = GROUPS[3]
    runs = [Run(150, [0, 0, 100], [150, 65, 150]), Run(20, [0], [20])]
    Problem(heads, runs, seed=4, scale=scale).check(target, 2, f"scale {scale}")


@on_distinct_targets
def test_invisible_slots_change_nothing(target: Target) -> None:
    """Another pool content behind the visible slots gives the same bits."""
    heads = GROUPS[1]
    problem = Problem(heads, [Run(70, [3, 20], [37, 70])], seed=5)
    pages = problem.pool.tables[0]
    first, last = problem.pool.value_page(pages[0]), problem.pool.value_page(pages[4])
    first[:, :3], last[:, 6:] = -900.0, 900.0
    problem.pool.key_page(pages[0])[:, :, :3] = 900.0
    problem.pool.key_page(pages[4])[:, :, 6:] = -900.0
    problem.check(target, 2, "rubbish behind")


@on_distinct_targets
def test_signs_of_zero(target: Target) -> None:
    """All visible values −0 or +0: the answer is +0, whatever the invisible ones' signs."""
    heads = GROUPS[0]
    for sign in (0.0, -0.0):
        problem = Problem(heads, [Run(17, [0], [17])], seed=6)
        for page in problem.pool.tables[0]:
            problem.pool.value_page(page)[:] = sign
        zeros = np.zeros_like(problem.want)
        assert_bits(problem.split(target, 1), zeros)
        assert_bits(problem.whole(target, 1), zeros)


@on_distinct_targets
def test_guard_fails_when_one_code_or_one_scale_differs(target: Target) -> None:
    """Of a key or a value, in each window; a kernel that took another's scale would be seen."""
    heads = GROUPS[7]
    assert heads.stored == i8
    problem = Problem(heads, [Run(17, [0], [17])], seed=7)
    problem.check(target, 2, "undisturbed")
    page = problem.pool.tables[0][0]
    for place in (
        *(problem.pool.scale_page(page, part)[0, window] for part in (0, 1) for window in (0, 1)),
        problem.pool.key_page(page)[0, 40],
        problem.pool.value_page(page)[0, 9],
    ):
        kept = place[9].copy()
        place[9] = kept * 2 if kept.dtype == np.float16 else kept ^ 1
        for got in (problem.split(target, 1), problem.whole(target, 1)):
            assert (got != problem.want).any()
        place[9] = kept
    problem.check(target, 2, "undisturbed again")
