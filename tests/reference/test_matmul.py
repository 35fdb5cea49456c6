"""Products and look-ups: each output against its chain written out as scalars, in rationals, for every format."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.reference.test_floats import round_to_f32
from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.reference.matmul import embed, matmul
from tokenloom.reference.quantize import quantize

gguf = pytest.importorskip("gguf", reason="the gguf package is not installed: block layouts stay unchecked")

FORMATS = ("Q8_0", "Q4_0", "Q4_1", "F32", "F16", "BF16")


def make_raw(qtype: str, w: np.ndarray) -> np.ndarray:
    return (
        np.ascontiguousarray(gguf.quants.quantize(w, gguf.GGMLQuantizationType[qtype]))
        .view(np.uint8)
        .reshape(w.shape[0], -1)
    )


def make(qtype: str, rows: int, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    w = np.random.default_rng(seed).standard_normal((rows, k)).astype(np.float32)
    raw = make_raw(qtype, w)
    return raw, gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[qtype]).reshape(rows, k).astype(np.float32)


def f(value: float | np.floating) -> Fraction:
    return Fraction(float(value))


def rounded(value: Fraction) -> Fraction:
    return Fraction(round_to_f32(value))


def half(raw: np.ndarray) -> Fraction:
    return f(raw.view(np.float16)[0])


def chain(qtype: str, raw: np.ndarray, x: np.ndarray) -> Fraction:
    """One output element as docs/arithmetic.md writes it, over one row's bytes."""
    acc = Fraction(0)
    if qtype in ("F32", "F16", "BF16"):
        width = {"F32": np.float32, "F16": np.float16}.get(qtype)
        w = raw.view(width) if width else (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        for wk, xk in zip(w, x, strict=True):
            acc = rounded(f(wk) * f(xk) + acc)
        return acc
    size = {"Q8_0": 34, "Q4_0": 18, "Q4_1": 20}[qtype]
    q, d, total = quantize(x)
    for b, block in enumerate(raw.reshape(-1, size)):
        head = 4 if qtype == "Q4_1" else 2
        if qtype == "Q8_0":
            codes = block[2:].view(np.int8).astype(int)
        else:
            codes = np.concatenate([block[head:] % 16, block[head:] // 16]).astype(int) - (8 if qtype == "Q4_0" else 0)
        if qtype == "Q4_1":
            acc = rounded(half(block[2:4]) * rounded(f(d[b]) * int(total[b])) + acc)
        dot = int((codes * q[32 * b : 32 * b + 32].astype(int)).sum())
        acc = rounded(dot * rounded(half(block[:2]) * f(d[b])) + acc)
    return acc


@pytest.mark.parametrize("qtype", FORMATS)
def test_every_output_is_its_chain(qtype: str) -> None:
    raw, _ = make(qtype, 7, 96, 1)
    x = (np.random.default_rng(2).standard_normal((3, 96)) * [[1.0], [1e-3], [50.0]]).astype(np.float32)
    x[1, 32:64] = 0
    got = matmul(qtype, raw, x)
    for i, r in np.ndindex(3, 7):
        assert f(got[i, r]) == chain(qtype, raw[r], x[i])


@pytest.mark.parametrize("qtype", FORMATS)
def test_products_approximate_the_dequantized_ones(qtype: str) -> None:
    raw, w = make(qtype, 40, 256, 3)
    x = np.random.default_rng(4).standard_normal((70, 256)).astype(np.float32)
    exact = x.astype(np.float64) @ w.T.astype(np.float64)
    error = np.abs(matmul(qtype, raw, x) - exact).max() / exact.std()
    assert error < (1e-5 if qtype in ("F32", "F16", "BF16") else 0.05)  # the activations are rounded to 8 bits


@pytest.mark.parametrize("qtype", FORMATS)
def test_results_do_not_depend_on_the_other_rows(qtype: str) -> None:
    raw, _ = make(qtype, 300, 64, 5)
    x = np.random.default_rng(6).standard_normal((130, 64)).astype(np.float32)
    whole = matmul(qtype, raw, x)
    assert np.array_equal(whole[77:78].view(np.uint32), matmul(qtype, raw, x[77:78]).view(np.uint32))
    assert np.array_equal(whole[:, 290:].view(np.uint32), matmul(qtype, raw[290:], x).view(np.uint32))


@pytest.mark.parametrize("qtype", FORMATS)
def test_embedding_is_the_dequantized_row(qtype: str) -> None:
    raw, w = make(qtype, 9, 64, 7)
    got = embed(qtype, raw, [3, 0, 8, 3])
    if qtype != "Q4_1":
        assert np.array_equal(got, w[[3, 0, 8, 3]])
        return
    block = raw[3].reshape(-1, 20)[1]
    codes = np.concatenate([block[4:] % 16, block[4:] // 16]).astype(int)
    for j, code in enumerate(codes):
        assert f(got[0, 32 + j]) == rounded(int(code) * half(block[:2]) + half(block[2:4]))


def test_bias_is_added_last() -> None:
    raw, _ = make("Q8_0", 5, 32, 8)
    x, bias = np.ones((2, 32), np.float32), np.arange(5, dtype=np.float32)
    assert np.array_equal(matmul("Q8_0", raw, x, bias), matmul("Q8_0", raw, x) + bias)


def test_extreme_codes_are_exact() -> None:
    """-128 and 127 against +-127: the largest integer dot a block can have."""
    raw = np.concatenate([np.array([1.0], np.float16).view(np.uint8), np.full(32, -128, np.int8).view(np.uint8)])[None]
    assert matmul("Q8_0", raw, np.full((1, 32), -127, np.float32))[0, 0] == 128 * 127 * 32


def test_refusals() -> None:
    with pytest.raises(UnsupportedError, match="Q6_K"):
        matmul("Q6_K", np.zeros((1, 210), np.uint8), np.zeros((1, 256), np.float32))
    with pytest.raises(RequestError, match="64"):
        matmul("Q8_0", np.zeros((1, 68), np.uint8), np.zeros((1, 32), np.float32))
