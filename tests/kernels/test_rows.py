"""Embedding, RMS norm, quantization and the finite check against reference/, bit for bit."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.jit.avx512_in_software import TARGETS, Target
from tests.kernels.rig import (
    COUNT,
    F32,
    FENCE,
    THREADS,
    Matrix,
    Memory,
    Rig,
    Rows,
    Weights,
    assert_bits,
    on_distinct_targets,
)
from tests.kernels.weights_for_tests import FLOATS, QTYPES, activations, block_of, random_rows

from tokenloom.errors import NonFiniteLogitsError
from tokenloom.kernels.embedding import embed
from tokenloom.kernels.products import SCALE_BYTES
from tokenloom.kernels.quantization import QUANTIZE, QUANTIZE_K
from tokenloom.kernels.rows import FINITE, RMS_NORM
from tokenloom.kernels.step import STATUS_NON_FINITE, STATUS_OK
from tokenloom.kernels.superblock import SUMS16, SUMS32, WINDOW_BYTES
from tokenloom.reference.floats import rms_norm
from tokenloom.reference.matmul import embed as reference_embed
from tokenloom.reference.quantize import quantize
from tokenloom.trace.lower import float_bits, plane_words

ALL = (QUANTIZE, QUANTIZE_K, RMS_NORM, FINITE, *(embed(q) for q in QTYPES))


@functools.cache
def rig(target: Target) -> Rig:
    return Rig(target, *ALL)


class _Windows:
    """Where int8 codes and their records go: block by block, in each the rows one after another, and a gap behind."""

    block, record = 0, 0

    def __init__(self, rows: int, k: int) -> None:
        self.rows, self.k, self.blocks = rows, k, k // self.block
        self.q_stride, self.s_stride = rows * self.block + 64, rows * self.record + 64
        self.q, self.s = Memory(max(1, self.blocks) * self.q_stride), Memory(max(1, self.blocks) * self.s_stride)

    def parts(self, what: str) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
        """Codes [rows, k] and records [rows, blocks, bytes], once nothing was written between two blocks."""
        found = []
        for memory, stride, size in ((self.q, self.q_stride, self.block), (self.s, self.s_stride, self.record)):
            memory.check()
            lines = memory.bytes.reshape(-1, stride)[: self.blocks]
            assert (lines[:, self.rows * size :] == FENCE).all(), what
            found.append(lines[:, : self.rows * size].reshape(self.blocks, self.rows, size).swapaxes(0, 1))
        return found[0].reshape(self.rows, self.k).view(np.int8), np.ascontiguousarray(found[1])


class Codes(_Windows):
    """Windows of 32."""

    block, record = 32, SCALE_BYTES

    def check(self, x: F32, what: str) -> None:
        q, d, sums = quantize(x)
        codes, records = self.parts(what)
        assert (codes == q).all(), what
        table = records.view(np.float32)
        assert_bits(np.ascontiguousarray(table[..., 0]), d, f"{what}: d")
        assert (table.view(np.int32)[..., 1] == sums).all(), what
        with np.errstate(over="ignore"):  # a row of the largest floats
            assert_bits(np.ascontiguousarray(table[..., 2]), d * sums.astype(np.float32), f"{what}: d·Σq")


class SuperCodes(_Windows):
    """Windows of 256."""

    block, record = 256, WINDOW_BYTES

    def check(self, x: F32, what: str) -> None:
        q, d, _ = quantize(x, 256)
        codes, records = self.parts(what)
        assert (codes == q).all(), what
        assert_bits(np.ascontiguousarray(records[..., :4]).view(np.float32)[..., 0], d, f"{what}: d")
        for at, size in ((SUMS32, 32), (SUMS16, 16)):
            sums = np.ascontiguousarray(records[..., at : at + 512 // size]).view(np.int16)
            want = q.reshape(self.rows, -1, 256 // size, size).sum(-1, dtype=np.int64)
            assert (sums == want).all(), f"{what}: Σq of each {size}"


# ---- embedding -------------------------------------------------------------------------------------------------------------


@on_distinct_targets
@pytest.mark.parametrize("qtype", QTYPES)
def test_embedding(target: Target, qtype: str) -> None:
    """Rows of the table, and, for negative tokens, rows of `inputs`."""
    vocab = 37
    for k in (block_of(qtype), 3 * block_of(qtype)) if qtype not in FLOATS else (1, 7, 48):
        raw = random_rows(qtype, vocab, k)
        table = Weights(qtype, raw, k)
        tokens = np.array([0, 36, 15, 16, ~2, 31, 15, ~0, 5], np.int64)
        inputs = Matrix(3, k, np.random.default_rng(0).standard_normal((3, k)))
        want = reference_embed(qtype, raw, np.maximum(tokens, 0))
        for row, token in enumerate(tokens):
            if token < 0:
                want[row] = inputs.values[~token]
        for threads in THREADS:
            y, step = Matrix(len(tokens), k), Rows(len(tokens))
            step.column("token", tokens)
            rig(target).run(
                embed(qtype), threads, step, w=table, y=y, inputs=inputs, k=k, tile_stride=table.layout.stride,
                y_stride=y.stride, count=COUNT["rows"], **plane_words(table.layout),
            )  # fmt: skip
            y.check()
            assert_bits(np.ascontiguousarray(y.values), want, f"k {k}, {threads} threads")


# ---- quantization ----------------------------------------------------------------------------------------------------------


Results = Codes | SuperCodes
WINDOWS = {32: (QUANTIZE, Codes), 256: (QUANTIZE_K, SuperCodes)}
each_window = pytest.mark.parametrize("window", WINDOWS)


def run_quantize(target: Target, x: F32, threads: int, window: int) -> tuple[Results, tuple[int, int]]:
    rows, k = x.shape
    kernel, results = WINDOWS[window]
    source, codes, step = Matrix(rows, k, x), results(rows, k), Rows(rows)
    rig(target).run(
        kernel, threads, step, x=source, q=codes.q, s=codes.s, k=k, x_stride=source.stride, q_stride=codes.q_stride,
        s_stride=codes.s_stride, count=COUNT["rows"],
    )  # fmt: skip
    source.check()
    return codes, step.status


@each_window
@on_distinct_targets
def test_quantization(target: Target, window: int) -> None:
    for rows in (1, 2, 9):
        for k in (window, 2 * window, 576 if window == 32 else 1280):
            x = activations(rows, k)
            for threads in THREADS:
                codes, status = run_quantize(target, x, threads, window)
                codes.check(x, f"{rows}×{k}, {threads} threads")
                assert status[0] == STATUS_OK


def edges(size: int) -> F32:
    """Windows about the threshold, at the ends of the float range, and with ties to round."""
    top = np.float32(3.4028234663852886e38)
    limit = np.float32(2.0**-100)
    windows = []
    below, above = (np.nextafter(limit, np.float32(to)) for to in (0, 1))
    for amax in (0.0, -0.0, 2.0**-149, 2.0**-126, below, limit, above, 127.0, 254.0, 1.0, top):
        for sign in (1, -1):
            window = np.zeros(size, np.float32)
            window[size - 25] = sign * np.float32(amax)
            window[size - 24 : size - 12] = np.float32(amax) * np.linspace(-1, 1, 12, dtype=np.float32)
            windows.append(window)
    ties = np.zeros(size, np.float32)
    ties[:20] = np.arange(20) - 9.5  # x · (127/127): half way between two integers
    ties[-1] = 127.0
    windows += [ties, -ties, np.full(size, 1e-40, np.float32), np.full(size, -0.0, np.float32)]
    windows += [np.full(size, sign, np.float32) for sign in (1, -1)]  # the largest sums
    for seed in range(40):
        windows.append(np.random.default_rng(seed).standard_normal(size).astype(np.float32))
    return np.array(windows)


@each_window
@on_distinct_targets
def test_quantization_at_its_edges(target: Target, window: int) -> None:
    x = edges(window)
    codes, status = run_quantize(target, x, 2, window)
    codes.check(x, "edges")
    assert status[0] == STATUS_OK


@each_window
@on_distinct_targets
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan, -np.nan])
def test_a_value_that_is_not_finite_fails_the_step_and_names_the_row(target: Target, bad: float, window: int) -> None:
    x = activations(5, 3 * window)
    for row, at in ((0, 0), (3, 3 * window - 1), (4, 40)):
        broken = x.copy()
        broken[row, at] = bad
        with pytest.raises(NonFiniteLogitsError):
            quantize(broken, window)
        for threads in (1, 3):
            assert run_quantize(target, broken, threads, window)[1] == (STATUS_NON_FINITE, row)


@each_window
@on_distinct_targets
def test_the_largest_float_is_still_finite(target: Target, window: int) -> None:
    x = np.full((1, window), 3.4028234663852886e38, np.float32)
    codes, status = run_quantize(target, x, 1, window)
    assert status[0] == STATUS_OK
    codes.check(x, "largest")


# ---- RMS norm --------------------------------------------------------------------------------------------------------------


def run_norm(
    target: Target, x: F32, w: F32, eps: float, threads: int, *, quantized: bool = False, out_rows: NDArray[np.int64] | None = None
) -> tuple[F32, Codes | None, tuple[int, int]]:  # fmt: skip
    rows, k = len(out_rows) if out_rows is not None else x.shape[0], x.shape[1]
    source, weight, y = Matrix(x.shape[0], k, x), Matrix(1, k, w), Matrix(rows, k)
    codes = Codes(rows, k) if quantized else None
    step = Rows(x.shape[0], outs=rows)
    if out_rows is not None:
        step.column("out_row", out_rows)
    rig(target).run(
        RMS_NORM, threads, step, x=source, w=weight, y=y, q=codes and codes.q, s=codes and codes.s, k=k, eps=float_bits(eps),
        x_stride=source.stride, y_stride=y.stride, q_stride=codes.q_stride if codes else 0, s_stride=codes.s_stride if codes else 0,
        gather=int(out_rows is not None), count=COUNT["outs" if out_rows is not None else "rows"],
    )  # fmt: skip
    y.check()
    return np.ascontiguousarray(y.values), codes, step.status


@on_distinct_targets
def test_norm_of_any_width(target: Target) -> None:
    rng = np.random.default_rng(2)
    for k in (1, 2, 15, 16, 17, 31, 33, 48, 100, 576):
        for rows in (1, 3, 8):
            x, w = activations(rows, k), rng.standard_normal(k).astype(np.float32)
            for threads in THREADS:
                got, _, status = run_norm(target, x, w, 1e-5, threads)
                assert_bits(got, rms_norm(x, w, 1e-5), f"{rows}×{k}, {threads} threads")
                assert status[0] == STATUS_OK


@on_distinct_targets
@pytest.mark.parametrize("eps", [1e-6, 1e-5, 0.1, 1e-30])
def test_norm_with_other_eps_and_with_sizes_far_apart(target: Target, eps: float) -> None:
    rng = np.random.default_rng(3)
    x = (rng.standard_normal((6, 40)) * 10.0 ** np.array([-30, -20, -3, 0, 10, 17])[:, None]).astype(np.float32)
    w = rng.standard_normal(40).astype(np.float32)
    got, _, _ = run_norm(target, x, w, eps, 2)
    assert_bits(got, rms_norm(x, w, eps))


@on_distinct_targets
def test_norm_then_windows(target: Target) -> None:
    rng = np.random.default_rng(4)
    for k in (32, 64, 160):
        x, w = activations(5, k), rng.standard_normal(k).astype(np.float32)
        for threads in THREADS:
            got, codes, status = run_norm(target, x, w, 1e-5, threads, quantized=True)
            want = rms_norm(x, w, 1e-5)
            assert_bits(got, want, f"k {k}")
            assert codes
            codes.check(want, f"k {k}, {threads} threads")
            assert status[0] == STATUS_OK


@on_distinct_targets
def test_norm_of_the_outputs_alone(target: Target) -> None:
    rng = np.random.default_rng(5)
    x, w = activations(9, 64), rng.standard_normal(64).astype(np.float32)
    chosen = np.array([8, 0, 3, 3])
    for quantized in (False, True):
        got, codes, _ = run_norm(target, x, w, 1e-5, 2, quantized=quantized, out_rows=chosen)
        want = rms_norm(x, w, 1e-5)[chosen]
        assert_bits(got, want)
        if codes:
            codes.check(want, "gathered")


# ---- the finite check ------------------------------------------------------------------------------------------------------


@on_distinct_targets
def test_finite_check(target: Target) -> None:
    """Any place of any row, and nothing behind the row's end; the row that is named is the step's, not the output's."""
    for k in (1, 16, 17, 100):
        x = activations(4, k)
        x[2] *= np.float32(1e30)
        for bad, place in [(None, 0), (np.nan, 0), (np.inf, k - 1), (-np.inf, k // 2), (-np.nan, k - 1)]:
            logits, step = Matrix(4, k, x), Rows(9, outs=4)
            step.column("out_row", [2, 5, 7, 8])
            if bad is not None:
                logits.values[1, place] = bad
            for threads in (1, 3):
                step.set_header(status=STATUS_OK, status_row=0)
                rig(target).run(FINITE, threads, step, x=logits, k=k, x_stride=logits.stride, count=COUNT["outs"])
                assert step.status == ((STATUS_NON_FINITE, 5) if bad is not None else (STATUS_OK, 0))


@on_distinct_targets
def test_a_step_that_failed_keeps_the_first_row_it_named(target: Target) -> None:
    logits, step = Matrix(2, 32, np.nan), Rows(4, outs=2)
    step.column("out_row", [1, 3])
    step.set_header(status=STATUS_NON_FINITE, status_row=2)
    rig(target).run(FINITE, 1, step, x=logits, k=32, x_stride=logits.stride, count=COUNT["outs"])
    assert step.status == (STATUS_NON_FINITE, 2)


def test_no_rows_is_nothing_to_do() -> None:
    for target in TARGETS[:1]:
        y, step = Matrix(1, 32), Rows(0)
        x = Matrix(1, 32, 1.0)
        rig(target).run(
            RMS_NORM, 3, step, x=x, w=x, y=y, q=None, s=None, k=32, eps=0, x_stride=0, y_stride=0, q_stride=0, s_stride=0,
            gather=0, count=COUNT["rows"],
        )  # fmt: skip
        assert np.isnan(y.whole).all()
