"""Held against ggml's own C code, as the `libgguf` package has it: what it encodes we decode, and encode no worse."""

from __future__ import annotations

import gguf
import libgguf
import numpy as np
import pytest

from tests.quant.test_encoders import KINDS, error, rows
from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.encoders import ENCODERS, quantize
from tokenloom.quant.table import BY_NAME

SLOW = ("IQ2_XS", "IQ2_S", "IQ1_S", "IQ1_M")  # it takes seconds to prepare their searches
QUANTIZED = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in FORMATS if BY_NAME[name].block > 1
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", QUANTIZED)
def test_tensors_it_encodes_are_decoded_as_it_decodes_them(name: str, kind: str) -> None:
    x, qtype = rows(kind, shape=(8, 1024)), BY_NAME[name].ggml_id
    weights = np.ones(1024, np.float32) if libgguf.quantize_requires_imatrix(qtype) else None
    raw = libgguf.quantize_rows(x, qtype, weights)
    ours = dequantize(BY_NAME[name], raw)
    theirs = gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[name])
    assert np.array_equal(ours.view(np.uint32), theirs.view(np.uint32))
    # its C code may fuse the subtraction of a minimum, so the last bit is its own
    native = libgguf.dequantize_rows(raw, BY_NAME[name].ggml_id)
    assert np.allclose(ours, native, rtol=2e-6, atol=1e-6 * np.abs(native).max())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in ENCODERS if BY_NAME[name].block > 1])
def test_our_error_is_within_two_percent_of_its(name: str, kind: str) -> None:
    x = rows(kind, seed=7)
    theirs = error(name, x, libgguf.quantize_rows(x, BY_NAME[name].ggml_id))
    assert error(name, x, quantize(name, x)) <= 1.02 * theirs
