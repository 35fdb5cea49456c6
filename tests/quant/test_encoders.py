"""The encoders: bytes where ggml's choice is one of rounding alone, errors where it is a search."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.encoders import ENCODERS, quantize
from tokenloom.quant.table import BY_NAME


def rows(kind: str, seed: int = 0, shape: tuple[int, int] = (24, 1024)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape, dtype=np.float32)
    match kind:
        case "heavy-tailed":
            x = rng.standard_t(3, shape).astype(np.float32)
        case "positive":
            x = np.abs(x)
        case "negative":
            x = -np.abs(x)
        case "far from zero":
            x = x * np.float32(0.1) + np.float32(1)
        case "sparse":
            x *= rng.random(shape) < 0.03
    return x * np.float32(0.02)


KINDS = ("normal", "heavy-tailed", "positive", "negative", "far from zero", "sparse")


def error(name: str, x: np.ndarray, raw: np.ndarray) -> float:
    return float(np.sqrt(np.mean((dequantize(BY_NAME[name], raw).astype(np.float64) - x) ** 2)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "TQ1_0", "TQ2_0"])
def test_same_bytes_as_the_gguf_package(name: str, kind: str) -> None:
    x = rows(kind)
    theirs = gguf.quants.quantize(x, gguf.GGMLQuantizationType[name]).view(np.uint8)
    ours = quantize(name, x)
    if kind == "sparse":  # a block of zeros may have any codes
        ours, theirs = (dequantize(BY_NAME[name], raw) for raw in (ours, theirs))
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "bits"), [("Q2_K", 2), ("Q4_K", 4), ("Q5_K", 5), ("Q3_K", 3), ("Q6_K", 6)])
def test_searched_scales_beat_the_plain_ones(name: str, bits: int, kind: str) -> None:
    """Scaling each block of 32 by its extremes in exact arithmetic is the naive way of the same number of bits."""
    x, lopsided = rows(kind), name in ("Q2_K", "Q4_K", "Q5_K")
    blocks = x.reshape(-1, 32).astype(np.float64)
    low = np.minimum(blocks.min(axis=1, keepdims=True), 0) if lopsided else -np.abs(blocks).max(1, keepdims=True)
    high = blocks.max(axis=1, keepdims=True) if lopsided else -low
    step = np.where(high > low, high - low, 1) / (2**bits - 1)
    naive = float(np.sqrt(np.mean((np.rint((blocks - low) / step) * step + low - blocks) ** 2)))
    assert error(name, x, quantize(name, x)) < 1.02 * naive


@pytest.mark.parametrize("name", list(ENCODERS))
def test_what_the_format_holds_exactly_comes_back(name: str) -> None:
    """Zero rows, and values that decoding gave: encoding them again moves nothing by more than rounding."""
    zeros = np.zeros((3, 512), np.float32)
    assert not dequantize(BY_NAME[name], quantize(name, zeros)).any()
    x = dequantize(BY_NAME[name], quantize(name, rows("normal")))
    again = dequantize(BY_NAME[name], quantize(name, x))
    if name in ("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q5_0"):
        assert np.abs(again - x).max() <= 2**-10 * np.abs(x).max()
    else:
        assert np.sqrt(np.mean((again - x) ** 2)) < 0.3 * error(name, rows("normal"), quantize(name, rows("normal")))


@pytest.mark.parametrize("name", list(ENCODERS))
def test_tiny_and_constant_rows_have_finite_codes(name: str) -> None:
    for value in (1e-40, -1e-40, 1e-30, 1e-7, 1.0, -1.0, 1000.0):
        back = dequantize(BY_NAME[name], quantize(name, np.full((1, 256), value, np.float32)))
        assert np.isfinite(back).all()
        assert np.abs(back - np.float32(value)).max() <= max(abs(value) / 100, 1e-6)


@pytest.mark.parametrize("name", list(ENCODERS))
def test_rows_are_encoded_one_by_one(name: str) -> None:
    x = rows("heavy-tailed", shape=(70, 1280))
    whole = quantize(name, x)
    for row in (0, 51, 69):
        assert np.array_equal(whole[row : row + 1], quantize(name, x[row : row + 1]))


@pytest.mark.parametrize("name", list(ENCODERS))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused(name: str, value: float) -> None:
    x = rows("normal", shape=(2, 256))
    x[1, 200] = value
    with pytest.raises(FormatError, match="NaN or an infinity"):
        quantize(name, x)


def test_refusals() -> None:
    with pytest.raises(UnsupportedError, match="cannot be written as IQ2_S"):
        quantize("IQ2_S", rows("normal"))
    with pytest.raises(ValueError, match="288 elements is not a whole number of Q4_K blocks"):
        quantize("Q4_K", np.zeros((1, 288), np.float32))
    huge = np.full((1, 256), 3e38, np.float32)
    for name in ("F16", "Q8_0", "Q4_0", "Q4_K", "Q6_K"):
        with pytest.raises(FormatError, match="too large for scales in half precision"):
            quantize(name, huge)
    with pytest.raises(FormatError, match="an infinity of BF16"):
        quantize("BF16", np.full((1, 1), 3.4e38, np.float32))
