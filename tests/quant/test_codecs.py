"""The scalar codecs, held against the `gguf` package and against exact rational arithmetic."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from tokenloom.errors import UnsupportedError
from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.table import BY_NAME, QTYPES, row_bytes

DECODED = [t.name for t in QTYPES.values() if t.name in FORMATS]


def random_blocks(name: str, rows: int, k: int, seed: int) -> np.ndarray:
    """Any bytes at all, so scales are subnormal, infinite and NaN now and then."""
    raw = np.random.default_rng(seed).integers(0, 256, (rows, row_bytes(BY_NAME[name], k)), dtype=np.uint8)
    if name == "MXFP4":  # 255 is NaN by the standard, and 2^127 in the package
        raw[:, ::17] = np.minimum(raw[:, ::17], 254)
    return raw


@pytest.mark.parametrize("name", DECODED)
def test_same_bits_as_the_gguf_package_on_any_bytes(name: str) -> None:
    raw = random_blocks(name, 64, 1024, seed=1)
    ours = dequantize(BY_NAME[name], raw)
    with np.errstate(all="ignore"):
        theirs = gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[name]).astype(np.float32)
    assert ours.shape == (64, 1024)
    assert ours.dtype == np.float32
    nan = np.isnan(ours)
    assert np.array_equal(nan, np.isnan(theirs))
    assert np.array_equal(ours[~nan].view(np.uint32), theirs[~nan].view(np.uint32))
    assert not nan.all()


@pytest.mark.parametrize("name", ["Q8_0", "Q4_0", "Q4_1"])
def test_quantized_values_survive_a_round_trip_through_the_package(name: str) -> None:
    x = np.random.default_rng(2).standard_normal((8, 96), dtype=np.float32)
    raw = gguf.quants.quantize(x, gguf.GGMLQuantizationType[name])
    step = np.abs(x).max() / (127 if name == "Q8_0" else 7)
    assert np.abs(dequantize(BY_NAME[name], raw) - x).max() <= step


def test_q4_1_rounds_once_for_every_nibble_and_awkward_scales() -> None:
    """fma(nibble, d, m): float64 holds nibble·d + m exactly (at most 45 bits), so one cast from it is the reference."""
    halves = np.random.default_rng(3).integers(0, 0x7C00, (4096, 2), dtype=np.uint16)
    halves |= np.random.default_rng(4).integers(0, 2, halves.shape, dtype=np.uint16) << 15
    codes = np.tile(np.arange(16, dtype=np.uint8) * 17, (4096, 1))
    raw = np.concatenate([halves.view(np.uint8).reshape(4096, 4), codes], axis=1)
    d, m = (halves[:, i : i + 1].view(np.float16).astype(np.float64) for i in (0, 1))
    exact = np.tile(np.arange(16, dtype=np.float64), 2) * d + m
    assert np.array_equal(dequantize(BY_NAME["Q4_1"], raw).view(np.uint32), exact.astype(np.float32).view(np.uint32))


def test_refusals() -> None:
    with pytest.raises(UnsupportedError, match="NVFP4 cannot be decoded"):
        dequantize(BY_NAME["NVFP4"], np.zeros((1, 36), np.uint8))
    with pytest.raises(ValueError, match=r"Q8_0 wants uint8 \[rows, n \* 34\], not uint8 \[1, 33\]"):
        dequantize(BY_NAME["Q8_0"], np.zeros((1, 33), np.uint8))
    with pytest.raises(ValueError, match="float32"):
        dequantize(BY_NAME["F32"], np.zeros((1, 4), np.float32))  # type: ignore[arg-type]


def test_no_rows_and_no_columns() -> None:
    assert dequantize(BY_NAME["Q8_0"], np.zeros((0, 34), np.uint8)).shape == (0, 32)
    assert dequantize(BY_NAME["Q8_0"], np.zeros((3, 0), np.uint8)).shape == (3, 0)
