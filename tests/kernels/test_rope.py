"""The step's table of cosines and sines, the rotation and the cache write, against reference/."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.jit.avx512_in_software import Target
from tests.kernels.paged import Pool
from tests.kernels.rig import COUNT, F32, THREADS, Matrix, Memory, Rig, Rows, assert_bits, on_distinct_targets

from tokenloom.jit.ir import f16, f32, i8
from tokenloom.kernels.args import Kernel
from tokenloom.kernels.kv_page import KVShape
from tokenloom.kernels.rope import ROPE_TABLE, rope_kv
from tokenloom.kernels.step import STATUS_NON_FINITE, STATUS_OK
from tokenloom.reference.rope import RopeScaling, cos_sin, rope, rope_table
from tokenloom.trace.lower import double_bits, float_bits


@functools.cache
def rig(target: Target, *kernels: Kernel) -> Rig:
    return Rig(target, *kernels)


def run_table(target: Target, positions: list[int], freq: np.ndarray, factor: float, threads: int) -> F32:
    """[rows, 2, pairs]: cosines, then sines."""
    pairs = -(-len(freq) // 4) * 4
    frequencies, out = Memory(8 * pairs), Memory(len(positions) * pairs * 8)
    frequencies.bytes.view(np.float64)[:] = 0
    frequencies.bytes.view(np.float64)[: len(freq)] = freq
    step = Rows(len(positions))
    step.positions(positions)
    rig(target, ROPE_TABLE).run(
        ROPE_TABLE, threads, step, freq=frequencies, table=out, pairs=pairs, factor=double_bits(factor), count=COUNT["rows"]
    )  # fmt: skip
    out.check()
    return out.bytes.view(np.float32).reshape(len(positions), 2, pairs)[:, :, : len(freq)]


POSITIONS = [0, 1, 2, 7, 100, 4095, 8191, 131071, 1 << 20, (1 << 24) + 1, (1 << 26) - 1]


@on_distinct_targets
@pytest.mark.parametrize(("rot", "base"), [(16, 10000.0), (64, 100000.0), (128, 500000.0), (80, 1e6), (6, 10000.0)])
def test_table(target: Target, rot: int, base: float) -> None:
    for scaling in (RopeScaling(), RopeScaling("yarn", 4.0, 2048)):
        table = rope_table(base, rot, scaling)
        for threads in THREADS:
            got = run_table(target, POSITIONS, table.freq, table.attn_factor, threads)
            c, s = cos_sin(POSITIONS, table)
            assert_bits(np.ascontiguousarray(got[:, 0]), c, f"cosines, {threads} threads")
            assert_bits(np.ascontiguousarray(got[:, 1]), s, f"sines, {threads} threads")


@on_distinct_targets
def test_table_in_every_quadrant(target: Target) -> None:
    freq = np.linspace(1e-3, np.pi, 64)
    table = rope_table(10000.0, 128)
    positions = list(range(300))
    c, s = cos_sin(positions, type(table)(freq, 0.75))
    got = run_table(target, positions, freq, 0.75, 2)
    assert_bits(np.ascontiguousarray(got[:, 0]), c)
    assert_bits(np.ascontiguousarray(got[:, 1]), s)


SHAPES = [  # heads, kv heads, head_dim, rotary, style
    (4, 2, 16, 16, "normal"),
    (3, 1, 64, 64, "normal"),
    (2, 2, 48, 16, "normal"),
    (7, 1, 32, 32, "normal"),
    (1, 1, 96, 80, "normal"),
    (4, 2, 32, 32, "neox"),
    (7, 1, 64, 64, "neox"),
    (2, 2, 80, 64, "neox"),
    (1, 1, 128, 96, "neox"),
]
each_shape = pytest.mark.parametrize(
    ("heads", "kv_heads", "dim", "rotary", "style"), SHAPES, ids=["-".join(map(str, s)) for s in SHAPES]
)


@on_distinct_targets
@each_shape
def test_rotation_and_cache_write(target: Target, heads: int, kv_heads: int, dim: int, rotary: int, style: str) -> None:
    """Rows of three sequences in one step, slots across a page boundary; nothing else in the pool changes."""
    for stored in (f16, f32, i8):
        kernel = rope_kv(KVShape(kv_heads, dim, stored), heads, rotary, style)
        slots = [[14, 15, 16, 17], [0], [40, 41]]
        rows = [(run, slot) for run, all_slots in enumerate(slots) for slot in all_slots]
        n = len(rows)
        rng = np.random.default_rng(heads * dim)
        q0, k0, v0 = (rng.standard_normal((n, h, dim)).astype(np.float32) * 3 for h in (heads, kv_heads, kv_heads))
        k0[0, 0, :4] = [65504, -1e-8, 6e-5, 0.0]  # the ends of binary16's range
        v0[0, 0, :6] = [65519.9, -65504, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 2.0**-25, 3 * 2.0**-26]
        positions = np.array([slot + 1000 * run for run, slot in rows])  # a position need not be a slot
        table, scale = rope_table(10000.0, rotary), np.float32(1 / np.sqrt(np.float64(dim)))
        want_q = rope(q0, positions, table.freq, style=style) * scale
        want_k = rope(k0, positions, table.freq, style=style)
        expected = Pool(kv_heads, dim, stored, [32, 16, 48])
        for row, (run, slot) in enumerate(rows):
            expected.put(run, slot, want_k[row], v0[row])
        for threads in THREADS:
            pool = Pool(kv_heads, dim, stored, [32, 16, 48])
            assert (pool.pages != expected.pages).any()
            q, k, v = (Matrix(n, x[0].size, x.reshape(n, -1)) for x in (q0, k0, v0))
            cos_and_sin = Memory(n * rotary * 4)
            c, s = cos_sin(positions, table)
            cos_and_sin.bytes.view(np.float32)[:] = np.concatenate([c, s], 1).reshape(-1)
            step = Rows(n, runs=3)
            step.column("run", [run for run, _ in rows])
            step.column("slot", [slot for _, slot in rows])
            pool.describe(step)
            rig(target, kernel).run(
                kernel, threads, step, q=q, k=k, v=v, kv=pool, table=cos_and_sin, scale=float_bits(float(scale)), q_stride=q.stride,
                kv_stride=k.stride, count=COUNT["rows"],
            )  # fmt: skip
            what = f"{stored}, {threads} threads"
            assert_bits(np.ascontiguousarray(q.values), want_q.reshape(n, -1), f"q, {what}")
            assert pool.pages.tobytes() == expected.pages.tobytes(), what
            for matrix in (q, k, v):
                matrix.check()
            assert_bits(np.ascontiguousarray(k.values), k0.reshape(n, -1), "k itself stays as it was")
            pool.memory.check()


def store(target: Target, k: F32, v: F32, threads: int = 2) -> tuple[Pool, Rows]:
    """Keys and values [rows, head_dim] of one head through the kernel, unrotated at position 0, into an 8-bit cache's first slots."""
    n, dim = k.shape
    kernel = rope_kv(KVShape(1, dim, i8), 1, 16)
    pool, step = Pool(1, dim, i8, [n]), Rows(n)
    step.column("slot", range(n))
    pool.describe(step)
    q, keys, values = (Matrix(n, dim, x) for x in (np.zeros_like(k), k, v))
    table = Memory(n * 16 * 4)
    table.bytes.view(np.float32)[:] = np.repeat(np.float32([1, 0] * n), 8)
    rig(target, kernel).run(
        kernel, threads, step, q=q, k=keys, v=values, kv=pool, table=table, scale=float_bits(1.0), q_stride=q.stride,
        kv_stride=keys.stride, count=COUNT["rows"],
    )  # fmt: skip
    return pool, step


def at_the_ends() -> F32:
    """Windows that round in every way: ties, tiny, scales that are subnormal or vanish, the largest that a scale can hold."""
    x = np.zeros((8, 48), np.float32)
    x[0, :6] = [127, 0.5, 1.5, -2.5, -126.5, 63.5]
    x[1] = np.linspace(-1, 1, 48) * 2.0**-20
    x[2] = np.linspace(-1, 1, 48) * 2.0**-30
    x[3, 5], x[3, 40] = 2.0**-100, -np.nextafter(np.float32(2.0**-100), np.float32(0))
    x[4] = 65519 * 127.0
    x[5, 31:33] = [3.0, -4.0]  # neighbours with a scale each
    x[6, ::2] = -0.0
    x[7] = np.random.default_rng(0).standard_normal(48)
    return x


@on_distinct_targets
def test_eight_bits_at_the_ends(target: Target) -> None:
    x = at_the_ends()
    for threads in (1, 3):
        pool, step = store(target, x, x[::-1], threads)
        expected = Pool(1, 48, i8, [8])
        for slot in range(8):
            expected.put(0, slot, x[slot, None], x[7 - slot, None])
        assert pool.pages.tobytes() == expected.pages.tobytes()
        assert step.status == (STATUS_OK, 0)


@on_distinct_targets
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 65520 * 127.0, -3e38])
def test_what_eight_bits_cannot_hold_fails_the_step(target: Target, value: float) -> None:
    """Named by its row; in a key or a value, and in the last, shorter window as well."""
    for part in (0, 1):
        for dim in (3, 47):
            x = np.ones((2, 3, 48), np.float32)
            x[part, 2, dim] = value
            assert store(target, *x)[1].status == (STATUS_NON_FINITE, 2)


def test_guard_of_eight_bits_fails_when_a_code_or_a_scale_differs() -> None:
    """What the comparisons above compare holds every code and every scale."""
    x = at_the_ends()
    want = Pool(1, 48, i8, [8])
    for slot in range(8):
        want.put(0, slot, x[slot, None], x[slot, None])
    page, before = want.tables[0][0], want.pages.tobytes()
    for place in (want.key_page(page)[0, 47], want.value_page(page)[0, 7], want.scale_page(page, 0)[0, 1]):
        kept = place[7]
        place[7] = np.nextafter(kept, kept.dtype.type(9)) if kept.dtype == np.float16 else kept ^ 1
        assert want.pages.tobytes() != before
        place[7] = kept
        assert want.pages.tobytes() == before
