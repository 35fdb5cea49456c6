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
libgguf = pytest.importorskip("libgguf", reason="libgguf is not installed: super-blocks stay unchecked")

FLOATS = ("F32", "F16", "BF16")
SUPER = ("Q4_K", "Q5_K", "Q6_K")
FORMATS = ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", *SUPER, *FLOATS)


def wide(qtype: str, k: int) -> int:
    """k, or what a format of super-blocks needs at least."""
    return -(-k // 256) * 256 if qtype in SUPER else k


def make_raw(qtype: str, w: np.ndarray) -> np.ndarray:
    if qtype in SUPER:
        return np.asarray(libgguf.quantize_rows(w, int(gguf.GGMLQuantizationType[qtype])), np.uint8)
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


def half_of(raw: np.ndarray) -> Fraction:
    return f(raw.view(np.float16)[0])


def codes_of(qtype: str, block: np.ndarray) -> np.ndarray:
    """The 32 integers of a block of rule A."""
    if qtype == "Q8_0":
        return block[2:].view(np.int8).astype(int)
    head = {"Q4_0": 2, "Q4_1": 4, "Q5_0": 6, "Q5_1": 8}[qtype]
    codes = np.concatenate([block[head:] % 16, block[head:] // 16]).astype(int)
    if qtype.startswith("Q5"):
        word = int.from_bytes(block[head - 4 : head].tobytes(), "little")
        codes += [16 * (word >> j & 1) for j in range(32)]
    return codes - {"Q4_0": 8, "Q5_0": 16}.get(qtype, 0)


def super_block(qtype: str, block: np.ndarray) -> tuple[list[int], list[int], list[int], Fraction, Fraction]:
    """Codes, scale of each code, minimum of each code, d and dmin, element by element."""
    b = [int(v) for v in block]
    codes, scales, minima = [], [], []
    for k in range(256):
        if qtype == "Q6_K":
            half, rest = divmod(k, 128)
            low = b[64 * half + rest % 64] >> (4 * (rest // 64)) & 15
            high = b[128 + 32 * half + rest % 32] >> (2 * (rest // 32)) & 3
            codes.append(low + 16 * high - 32)
            scales.append((b[192 + k // 16] ^ 128) - 128)
            minima.append(0)
            continue
        at = 16 if qtype == "Q4_K" else 48
        code = b[at + 32 * (k // 64) + k % 32] >> (4 * (k // 32 % 2)) & 15
        codes.append(code + (16 * (b[16 + k % 32] >> (k // 32) & 1) if qtype == "Q5_K" else 0))
        j, packed = k // 32, b[4:16]
        if j < 4:
            pair = packed[j] % 64, packed[j + 4] % 64
        else:
            pair = packed[j + 4] % 16 + packed[j - 4] // 64 * 16, packed[j + 4] // 16 + packed[j] // 64 * 16
        scales.append(pair[0])
        minima.append(pair[1])
    if qtype == "Q6_K":
        return codes, scales, minima, half_of(block[208:210]), Fraction(0)
    return codes, scales, minima, half_of(block[:2]), half_of(block[2:4])


def super_chain(qtype: str, raw: np.ndarray, x: np.ndarray) -> Fraction:
    acc = Fraction(0)
    codes_of_x, d, _ = quantize(x, 256)
    blocks = raw.reshape(-1, {"Q4_K": 144, "Q5_K": 176, "Q6_K": 210}[qtype])
    for b, block in enumerate(blocks):
        q = [int(v) for v in codes_of_x[256 * b : 256 * b + 256]]
        codes, scales, minima, scale, least = super_block(qtype, block)
        isum = sum(s * c * v for s, c, v in zip(scales, codes, q, strict=True))
        acc = rounded(rounded(Fraction(isum)) * rounded(scale * f(d[b])) + acc)
        if qtype != "Q6_K":
            msum = sum(m * v for m, v in zip(minima, q, strict=True))
            acc = rounded(msum * -rounded(least * f(d[b])) + acc)
    return acc


def chain(qtype: str, raw: np.ndarray, x: np.ndarray) -> Fraction:
    """One output element as docs/arithmetic.md writes it, over one row's bytes."""
    acc = Fraction(0)
    if qtype in FLOATS:
        width = {"F32": np.float32, "F16": np.float16}.get(qtype)
        w = raw.view(width) if width else (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        for wk, xk in zip(w, x, strict=True):
            acc = rounded(f(wk) * f(xk) + acc)
        return acc
    if qtype in SUPER:
        return super_chain(qtype, raw, x)
    size = {"Q8_0": 34, "Q4_0": 18, "Q4_1": 20, "Q5_0": 22, "Q5_1": 24}[qtype]
    q, d, total = quantize(x)
    for b, block in enumerate(raw.reshape(-1, size)):
        if qtype.endswith("_1"):
            acc = rounded(half_of(block[2:4]) * rounded(f(d[b]) * int(total[b])) + acc)
        dot = int((codes_of(qtype, block) * q[32 * b : 32 * b + 32].astype(int)).sum())
        acc = rounded(dot * rounded(half_of(block[:2]) * f(d[b])) + acc)
    return acc


@pytest.mark.parametrize("qtype", FORMATS)
def test_every_output_is_its_chain(qtype: str) -> None:
    k = wide(qtype, 500 if qtype in SUPER else 96)
    raw, _ = make(qtype, 7, k, 1)
    x = (np.random.default_rng(2).standard_normal((3, k)) * [[1.0], [1e-3], [50.0]]).astype(np.float32)
    x[1, 32:64] = 0
    got = matmul(qtype, raw, x)
    for i, r in np.ndindex(3, 7):
        assert f(got[i, r]) == chain(qtype, raw[r], x[i])


@pytest.mark.parametrize("qtype", SUPER)
def test_super_blocks_of_any_bits(qtype: str) -> None:
    """Scales and codes at random rather than as an encoder chooses them, with integer sums beyond 2^24."""
    rng = np.random.default_rng(11)
    nbytes, at = {"Q4_K": (144, 0), "Q5_K": (176, 0), "Q6_K": (210, 208)}[qtype]
    raw = rng.integers(0, 256, (6, 2, nbytes), dtype=np.uint8)
    raw[3:] |= 0x77
    heads = (rng.standard_normal((6, 2, 1 + (at == 0))) * 0.01).astype(np.float16)
    raw[..., at : at + heads.shape[-1] * 2] = heads.view(np.uint8)
    raw = raw.reshape(6, -1)
    x = np.stack([rng.standard_normal(512), np.where(rng.random(512) < 0.02, 0.3, 1.0)]).astype(np.float32)
    got = matmul(qtype, raw, x)
    for i, r in np.ndindex(2, 6):
        assert f(got[i, r]) == chain(qtype, raw[r], x[i])
    rows = embed(qtype, raw, range(6))
    for r, b in np.ndindex(6, 2):
        codes, scales, minima, d, least = super_block(qtype, raw[r].reshape(2, -1)[b])
        for k in (0, 31, 32, 100, 127, 128, 250, 255):
            assert f(rows[r, 256 * b + k]) == rounded(d * scales[k] * codes[k] - least * minima[k])


@pytest.mark.parametrize("qtype", FORMATS)
def test_products_approximate_the_dequantized_ones(qtype: str) -> None:
    raw, w = make(qtype, 40, 256, 3)
    x = np.random.default_rng(4).standard_normal((70, 256)).astype(np.float32)
    exact = x.astype(np.float64) @ w.T.astype(np.float64)
    error = np.abs(matmul(qtype, raw, x) - exact).max() / exact.std()
    assert error < (1e-5 if qtype in FLOATS else 0.05)  # the activations are rounded to 8 bits


@pytest.mark.parametrize("qtype", FORMATS)
def test_results_do_not_depend_on_the_other_rows(qtype: str) -> None:
    k = wide(qtype, 64)
    raw, _ = make(qtype, 300, k, 5)
    x = np.random.default_rng(6).standard_normal((130, k)).astype(np.float32)
    whole = matmul(qtype, raw, x)
    assert np.array_equal(whole[77:78].view(np.uint32), matmul(qtype, raw, x[77:78]).view(np.uint32))
    assert np.array_equal(whole[:, 290:].view(np.uint32), matmul(qtype, raw[290:], x).view(np.uint32))


@pytest.mark.parametrize("qtype", FORMATS)
def test_embedding_is_the_dequantized_row(qtype: str) -> None:
    raw, w = make(qtype, 9, wide(qtype, 64), 7)
    got = embed(qtype, raw, [3, 0, 8, 3])
    if qtype not in ("Q4_1", "Q5_1"):
        assert np.array_equal(got, w[[3, 0, 8, 3]])
        return
    block = raw[3].reshape(2, -1)[1]
    for j, code in enumerate(codes_of(qtype, block)):
        assert f(got[0, 32 + j]) == rounded(int(code) * half_of(block[:2]) + half_of(block[2:4]))


def test_bias_is_added_last() -> None:
    raw, _ = make("Q8_0", 5, 32, 8)
    x, bias = np.ones((2, 32), np.float32), np.arange(5, dtype=np.float32)
    assert np.array_equal(matmul("Q8_0", raw, x, bias), matmul("Q8_0", raw, x) + bias)


def test_extreme_codes_are_exact() -> None:
    """-128 and 127 against +-127: the largest integer dot a block can have."""
    raw = np.concatenate([np.array([1.0], np.float16).view(np.uint8), np.full(32, -128, np.int8).view(np.uint8)])[None]
    assert matmul("Q8_0", raw, np.full((1, 32), -127, np.float32))[0, 0] == 128 * 127 * 32


def test_refusals() -> None:
    with pytest.raises(UnsupportedError, match="NVFP4"):
        matmul("NVFP4", np.zeros((1, 144), np.uint8), np.zeros((1, 256), np.float32))
    with pytest.raises(RequestError, match="64"):
        matmul("Q8_0", np.zeros((1, 68), np.uint8), np.zeros((1, 32), np.float32))
