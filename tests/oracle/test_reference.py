"""The reference against the float64 oracle on tiny random models, with the tolerance each source of rounding earns.

Errors are rms, in units of the logits' standard deviation: float32 chains 4e-6 (seen 1.6e-6), K and V in f16 3e-3 (seen
1.1e-3), K and V in 8 bits 4 % (seen 2.0 %), activations in 8 bits 8 % (seen 5.0 %; matrices of 64 columns at a gain of
1.5 are harder on rounding than real ones).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.oracle import llama64
from tests.oracle.tiny import TinyModel, TinySpec, build
from tokenloom.reference.llama import RawTensor, config_from_metadata, forward

N = 150  # three key spans
FLOAT32 = 4e-6


def reference(model: TinyModel, ids: list[int], kv_dtype: str) -> np.ndarray:
    tensors = {name: RawTensor(*parts) for name, parts in model.raw.items()}
    return forward(config_from_metadata(model.metadata), tensors, ids, kv_dtype)


def oracle(model: TinyModel, ids: list[int], scaling: Any = None) -> np.ndarray:
    s = model.spec
    cfg = llama64.OracleConfig(s.layers, s.heads, s.kv_heads, s.head_dim, s.eps, s.theta, s.rope_dim, scaling)
    weights = {name: value for name, value in model.weights.items() if name != "rope_freqs.weight"}
    return llama64.forward(cfg, weights, ids)


def error(spec: TinySpec, kv_dtype: str, scaling: Any = None) -> float:
    """Root mean square of the difference over the logits' standard deviation."""
    model = build(spec)
    ids = np.random.default_rng(99).integers(0, spec.vocab, N).tolist()
    got, want = reference(model, ids, kv_dtype), oracle(model, ids, scaling)
    assert got.dtype == np.float32
    assert got.shape == want.shape
    return float(np.sqrt(((got - want) ** 2).mean()) / want.std())


@pytest.mark.parametrize("qtype", ["F32", "F16", "BF16"])
@pytest.mark.parametrize("shape", ["tied", "untied, biases, wide heads, partial rotation"])
def test_float_weights_and_f32_cache(qtype: str, shape: str) -> None:
    spec = TinySpec(linear=qtype, table=qtype)
    if shape != "tied":
        spec = TinySpec(
            linear=qtype, table=qtype, tied=False, biases=True, head_dim=24, rope_dim=12, kv_heads=1, seed=1
        )
    assert error(spec, "f32") < FLOAT32


def test_f16_cache() -> None:
    assert error(TinySpec(), "f16") < 3e-3


def test_8_bit_cache() -> None:
    assert 1e-3 < error(TinySpec(), "q8") < 0.04


@pytest.mark.parametrize("qtype", ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"])
def test_block_formats(qtype: str) -> None:
    assert error(TinySpec(linear=qtype, table="Q8_0", tied=False), "f16") < 0.08


@pytest.mark.parametrize("qtype", ["Q4_K", "Q5_K", "Q6_K"])
def test_super_block_formats(qtype: str) -> None:
    spec = TinySpec(linear=qtype, table=qtype, hidden=256, heads=8, head_dim=32, rope_dim=32, ffn=256, layers=2)
    assert error(spec, "f16") < 0.08


@pytest.mark.parametrize("kind", ["linear", "yarn", "llama3"])
def test_rope_scalings(kind: str) -> None:
    """Reference from GGUF keys or the rope_freqs tensor, oracle from the papers' parameters; and scaling matters."""
    plain = TinySpec(seed=2, rope_dim=16)
    if kind == "linear":
        spec, scaling = TinySpec(seed=2, rope_scaling={"type": "linear", "factor": 4.0}), llama64.Linear(4.0)
    elif kind == "yarn":
        keys = {"type": "yarn", "factor": 8.0, "original_context_length": 64}
        spec, scaling = TinySpec(seed=2, rope_scaling=keys), llama64.Yarn(8.0, 64)
    else:
        scaling = llama64.Llama3(8.0, 64)
        spec = TinySpec(seed=2, rope_divisors=llama3_divisors(plain, scaling))
    assert error(spec, "f32", scaling) < FLOAT32
    assert error(spec, "f32", None) > 1e-2


def llama3_divisors(spec: TinySpec, scaling: llama64.Llama3) -> tuple[float, ...]:
    """What llama.cpp's converter writes into rope_freqs.weight (LlamaModel.generate_extra_tensors)."""
    out = []
    for i in range(0, spec.rope_dim, 2):
        wavelength = 2 * math.pi * spec.theta ** (i / spec.rope_dim)
        low = scaling.original_context / scaling.low_freq_factor
        high = scaling.original_context / scaling.high_freq_factor
        if wavelength < high:
            out.append(1.0)
        elif wavelength > low:
            out.append(scaling.factor)
        else:
            smooth = (scaling.original_context / wavelength - scaling.low_freq_factor) / (
                scaling.high_freq_factor - scaling.low_freq_factor
            )
            out.append(1 / ((1 - smooth) / scaling.factor + smooth))
    return tuple(out)


def test_a_wrong_rotation_would_be_seen() -> None:
    """The planted violation: the other rope order (pairs across two halves) is far outside the tolerance."""
    model = build(TinySpec())
    ids = np.random.default_rng(99).integers(0, model.spec.vocab, N).tolist()
    order = np.concatenate([np.arange(0, 16, 2), np.arange(1, 16, 2)])
    for layer in range(model.spec.layers):
        name = f"blk.{layer}.attn_k.weight"
        qtype, shape, raw = model.raw[name]
        model.raw[name] = (qtype, shape, raw.reshape(model.spec.kv_heads, 16, -1)[:, order].reshape(raw.shape))
    delta = reference(model, ids, "f32") - oracle(model, ids)
    assert np.sqrt((delta**2).mean()) > 1e-2
