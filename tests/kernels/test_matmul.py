"""Matrix products against reference/: every format, epilogue, row count, shape and thread count, bit for bit."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.jit.avx512_in_software import TARGETS, Target
from tests.kernels.rig import COUNT, F32, THREADS, Matrix, Memory, Rig, Rows, Weights, assert_bits
from tests.kernels.weights_for_tests import BLOCKS, FLOATS, QTYPES, SUPERS, activations, block_of, random_rows

from tokenloom.kernels.matmul import ADD, GATE, STORE, activation_form, matmul, product_scratch
from tokenloom.kernels.products import SCALE_BYTES
from tokenloom.kernels.superblock import SUMS16, SUMS32, WINDOW_BYTES
from tokenloom.kernels.tiled import padded
from tokenloom.kernels.tiles import ROWS
from tokenloom.reference.blocks import blocks as take_apart
from tokenloom.reference.floats import silu
from tokenloom.reference.matmul import matmul as reference
from tokenloom.reference.quantize import quantize
from tokenloom.trace.lower import plane_words

ROW_COUNTS = (1, 2, 3, 4, 5, 7, 8, 9)
MODES = {"store": STORE, "add": ADD, "gate": GATE}
CASES = [
    (target, qtype) for target in TARGETS for qtype in QTYPES if target.products_only is False or qtype not in FLOATS
]
each_format = pytest.mark.parametrize(("target", "qtype"), CASES, ids=[f"{t}-{q}" for t, q in CASES])


class Windows:
    """Activations as the quantize kernels leave them: block by block, in each the rows' codes and records one after another."""

    def __init__(self, x: F32, size: int, record_bytes: int) -> None:
        rows, k = x.shape
        blocks = k // size
        self.stride, self.s_stride = padded(rows) * size + 64, padded(rows) * record_bytes + 64
        self.codes, self.scales = Memory(blocks * self.stride), Memory(blocks * self.s_stride)
        q, d, sums = quantize(x, size)
        by_block = q.reshape(rows, blocks, size).swapaxes(0, 1).reshape(blocks, -1)
        self.codes.bytes.reshape(blocks, -1)[:, : rows * size] = by_block.view(np.uint8)
        records = np.zeros((rows, blocks, record_bytes), np.uint8)
        (_records32 if size == 32 else _records256)(records, q, d, sums)
        self.scales.bytes.reshape(blocks, -1)[:, : rows * record_bytes] = records.swapaxes(0, 1).reshape(blocks, -1)


def _records32(records: NDArray[np.uint8], q: NDArray[np.int8], d: F32, sums: NDArray[np.int32]) -> None:
    """(d, Σq, d·Σq, padding)"""
    records.view(np.float32)[..., 0], records.view(np.float32)[..., 2] = d, d * sums.astype(np.float32)
    records.view(np.int32)[..., 1] = sums


def _records256(records: NDArray[np.uint8], q: NDArray[np.int8], d: F32, sums: NDArray[np.int32]) -> None:
    """d, then Σq of each 32 and of each 16 as int16."""
    records[..., :4] = d[..., None].view(np.uint8)
    for at, size in ((SUMS32, 32), (SUMS16, 16)):
        part = q.reshape(len(q), -1, 256 // size, size).sum(-1, dtype=np.int16)
        records[..., at : at + 512 // size] = part.view(np.uint8)


class Scratch:
    """What the threads keep their sums in."""

    def __init__(self, threads: int, rows: int, target: Target) -> None:
        self.stride = product_scratch(rows, target.written_for) + 64
        self.memory = Memory(threads * self.stride)


class Product:
    """One weight matrix and the rows to multiply it with (`times` over), and the answer. Made once for all targets that compute it."""

    def __init__(
        self, qtype: str, raw: NDArray[np.uint8], x: F32, *, bias: bool = False, seed: int = 0, times: int = 1
    ) -> None:
        rows, (count, self.k) = raw.shape[0], x.shape
        self.qtype, self.count, self.x = qtype, count * times, np.repeat(x, times, axis=0)
        self.weights = Weights(qtype, raw, self.k)
        rng = np.random.default_rng(seed + 1)
        self.bias: F32 | None = rng.standard_normal(rows).astype(np.float32) if bias else None
        self.before = (rng.standard_normal((self.count, rows)) * 3).astype(np.float32)
        self._product = np.repeat(reference(qtype, raw, x, self.bias), times, axis=0)
        self._bias = Matrix(1, self.weights.tiles * ROWS, pad=0)
        self._bias.values[:] = 0
        if self.bias is not None:
            self._bias.values[0, :rows] = self.bias

    @functools.cached_property
    def windows(self) -> Windows:
        return Windows(self.x, *((32, SCALE_BYTES) if activation_form(self.qtype) == "a32" else (256, WINDOW_BYTES)))

    def want(self, mode: int) -> F32:
        if mode == ADD:
            return self.before + self._product
        return silu(self.before) * self._product if mode == GATE else self._product

    def got(self, rig: Rig, mode: int, threads: int, *, many: bool) -> F32:
        w, padded = self.weights, self.weights.tiles * ROWS
        y = Matrix(self.count, padded)
        y.values[:] = 0
        y.values[:, : w.rows] = self.before
        step = Rows(self.count)
        scratch = Scratch(threads, self.count, rig.target)
        if activation_form(self.qtype) != "f32":
            source = {
                "x": self.windows.codes,
                "xs": self.windows.scales,
                "x_stride": self.windows.stride,
                "xs_stride": self.windows.s_stride,
            }
        else:
            x = Matrix(self.count, self.k, self.x)
            source = {"x": x, "xs": None, "x_stride": x.stride, "xs_stride": 0}
        rig.run(
            matmul(self.qtype, many=many), threads, step, **source, w=w, y=y, bias=self._bias if self.bias is not None else None, k=self.k,
            tiles=w.tiles, tile_stride=w.layout.stride, y_stride=y.stride,
            scratch=scratch.memory, scratch_stride=scratch.stride, count=COUNT["rows"], mode=mode, **plane_words(w.layout),
        )  # fmt: skip
        y.check()
        scratch.memory.check()
        return np.ascontiguousarray(y.values[:, : w.rows])


@functools.cache
def rig(target: Target, qtype: str) -> Rig:
    return Rig(target, matmul(qtype, many=False), matmul(qtype, many=True))


@functools.cache
def product(qtype: str, rows: int, k: int, count: int, bias: bool = False, seed: int = 0) -> Product:
    return Product(qtype, random_rows(qtype, rows, k, seed), activations(count, k, seed), bias=bias, seed=seed)


def depths(qtype: str) -> tuple[int, ...]:
    return (1, 7, 33, 70) if qtype in FLOATS else (256, 512, 1280) if qtype in SUPERS else (32, 64, 160)


def some(qtype: str, k: int) -> int:
    """A k near the one given that the format can have; for float formats one that is no multiple of anything."""
    return k + 3 if qtype in FLOATS else max(k, block_of(qtype))


@each_format
def test_shapes(target: Target, qtype: str) -> None:
    """Rows not a multiple of 16; every multiple of 32 (of 256 by rule K, any k for float formats)."""
    for k in depths(qtype):
        for rows in (1, 16, 21, 48):
            p = product(qtype, rows, k, 1)
            assert_bits(p.got(rig(target, qtype), STORE, 1, many=False), p.want(STORE), f"{rows}×{k}, one row")
            p = product(qtype, rows, k, 5)
            assert_bits(p.got(rig(target, qtype), STORE, 2, many=True), p.want(STORE), f"{rows}×{k}, five rows")


@each_format
def test_row_counts_and_threads(target: Target, qtype: str) -> None:
    k = some(qtype, 96)
    for count in ROW_COUNTS:
        p = product(qtype, 53, k, count)
        for threads in THREADS if count == ROW_COUNTS[-1] else (1, 3):
            assert_bits(
                p.got(rig(target, qtype), STORE, threads, many=True), p.want(STORE), f"{count} rows, {threads} threads"
            )
    p = product(qtype, 53, k, 1)
    for threads in THREADS:
        assert_bits(p.got(rig(target, qtype), STORE, threads, many=False), p.want(STORE), f"one row, {threads} threads")


@each_format
def test_rows_by_sixteens(target: Target, qtype: str) -> None:
    """A matrix tile's rows, and those left over; more blocks than are multiplied at once."""
    for k in (*depths(qtype)[1:], *(608,) * (qtype in BLOCKS)):
        for count in (16, 19, 33):
            p = product(qtype, 37, k, count)
            for threads in (1,) if target.software else (1, 3):
                got = p.got(rig(target, qtype), STORE, threads, many=True)
                assert_bits(got, p.want(STORE), f"{count} rows of {k}, {threads} threads")


@each_format
@pytest.mark.parametrize("mode", MODES)
def test_epilogues(target: Target, qtype: str, mode: str) -> None:
    k = some(qtype, 64)
    for bias in (False, True):
        for count in (1, 3, 9):
            p = product(qtype, 37, k, count, bias, 5)
            got = p.got(rig(target, qtype), MODES[mode], 2, many=count > 1)
            assert_bits(got, p.want(MODES[mode]), f"{mode}, bias {bias}, {count} rows")


@each_format
def test_one_row_is_the_same_in_both_kernels(target: Target, qtype: str) -> None:
    p = product(qtype, 40, some(qtype, 128), 1, False, 9)
    one, many = (p.got(rig(target, qtype), STORE, 1, many=m) for m in (False, True))
    assert_bits(one, many)


@dataclass
class Extreme:
    """A row alone and among others like it."""

    what: str
    raw: NDArray[np.uint8]
    x: F32
    products: list[Product]


def extreme(qtype: str, raw: NDArray[np.uint8], x: F32, what: str) -> Extreme:
    return Extreme(what, raw.copy(), x, [Product(qtype, raw, x, times=times) for times in (1, 5, 17)])


def check_both(target: Target, extremes: list[Extreme]) -> None:
    """In both kernels."""
    for one in extremes:
        for p in one.products:
            for many in (False, True)[p.count > 1 :]:
                got = p.got(rig(target, p.qtype), STORE, 1, many=many)
                assert_bits(got, p.want(STORE), f"{one.what}, {p.count} rows, many {many}")


@functools.cache
def extremes_of_blocks(qtype: str) -> list[Extreme]:
    k, rows = 64, 16
    raw = random_rows(qtype, rows, k)
    fields = BLOCKS[qtype][0]
    blocks: NDArray[np.uint8] = raw.reshape(rows, k // 32, -1)
    found = []
    for code in (0x80, 0x7F, 0x81, 0x00, 0xFF, 0xF0):
        blocks[..., int(2 * fields) :] = code
        for signs in (np.arange(k) % 3 == 0, np.zeros(k, bool), np.ones(k, bool)):
            x = np.where(signs, -1.0, 1.0).astype(np.float32)[None, :] * np.float32(2.5)
            found.append(extreme(qtype, raw, x, f"code {code:#x}"))
    return found


@pytest.mark.parametrize("qtype", BLOCKS)
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_extremes_of_block_formats(target: Target, qtype: str) -> None:
    """All codes at one end, all activations at ±amax: where a saturating product or a wrong correction shows."""
    check_both(target, extremes_of_blocks(qtype))


SUB = {"Q4_K": slice(4, 16), "Q5_K": slice(4, 16), "Q6_K": slice(192, 208)}  # the bytes of the sub-block scales
BEYOND_24_BITS = {"Q4_K": 30_723_840, "Q5_K": 63_495_936, "Q6_K": 133_169_152}  # the largest integer sums there are


@functools.cache
def extremes_of_super_blocks(qtype: str) -> list[Extreme]:
    k, rows = 512, 16
    raw = random_rows(qtype, rows, k)
    blocks: NDArray[np.uint8] = raw.reshape(rows, k // 256, -1)
    _, at, fields = SUPERS[qtype]
    heads = blocks[..., at : at + 2 * fields].copy()
    signs = [np.full(k, 1.0), np.full(k, -1.0), np.where(np.arange(k) % 3 == 0, -1.0, 1.0)]
    nearly = np.where(np.arange(k) % 37 == 5, 100 / 127, 1.0)  # makes Σq odd
    found = []
    for code in (0xFF, 0x00):
        for scale in (0xFF, 0x80, 0x7F, 0x81):
            blocks[...] = code
            blocks[..., SUB[qtype]] = scale
            blocks[..., at : at + 2 * fields] = heads
            for x in (*signs, nearly):
                activation = (x * 127)[None, :].astype(np.float32)
                found.append(extreme(qtype, raw, activation, f"code {code:#x}, scale {scale:#x}"))
    return found


@pytest.mark.parametrize("qtype", BEYOND_24_BITS)
@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_the_extremes_of_super_blocks(target: Target, qtype: str) -> None:
    """All codes and scales at their ends, activations at ±127 but for a few: sums beyond 2^24, rounded once."""
    check_both(target, extremes_of_super_blocks(qtype))


@pytest.mark.parametrize("qtype", BEYOND_24_BITS)
def test_the_extremes_of_super_blocks_are_what_they_are_meant_to_be(qtype: str) -> None:
    """The largest sum there is, and one that float32 cannot hold."""
    sums = np.stack([integer_sums(qtype, one.raw, one.x) for one in extremes_of_super_blocks(qtype)])
    assert np.abs(sums).max() == BEYOND_24_BITS[qtype]
    assert (sums.astype(np.float32).astype(np.int64) != sums).any(), "no sum was one that float32 cannot hold"


def integer_sums(qtype: str, raw: NDArray[np.uint8], x: F32) -> NDArray[np.int64]:
    """Σ sc·code·q of each super-block of every row, in plain integers."""
    w, q = take_apart(qtype, raw), quantize(x, 256)[0].astype(np.int64).reshape(-1, 256)
    assert w.sub_scale is not None
    per_code = np.repeat(w.sub_scale.astype(np.int64), 256 // w.sub_scale.shape[-1], axis=-1)
    return np.asarray((w.codes.astype(np.int64) * per_code * q).sum(-1))


def test_guard_of_the_products_fails_when_one_bit_is_off() -> None:
    p = product("Q8_0", 16, 32, 1)
    wrong = p.want(STORE).copy()
    wrong.view(np.uint32)[0, 3] ^= 1
    with pytest.raises(AssertionError, match=r"1 of 16 differ; first at \(0, 3\)"):
        assert_bits(p.got(rig(TARGETS[-1], "Q8_0"), STORE, 1, many=False), wrong)
