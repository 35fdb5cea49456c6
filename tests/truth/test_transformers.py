"""float32 weights and a float32 cache, against LlamaForCausalLM of `transformers` in float32.

Bar: the real model de-quantized, 384 positions of six texts: the same argmax at every position, max |difference| <=
1e-3. And the reference on tiny models with each rope scaling, within 1e-4.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.oracle.llama64 import Llama3
from tests.oracle.test_reference import llama3_divisors, reference
from tests.oracle.tiny import TinySpec, build
from tests.truth import files, hugging_face

MAX_DELTA = 1e-3


@pytest.mark.slow
def test_the_real_model_in_float32(
    real_file: Path, real_file_as: Callable[[str], Path], real_prompts: list[list[int]]
) -> None:
    reader = files.gguf.GGUFReader(real_file)
    net = hugging_face.model(files.keys(reader), files.dequantized(reader))
    sequences = [real_prompts[i] + real_prompts[i + 1] for i in (0, 2, 10)]  # prose, code, chat, French, a recipe
    want = [hugging_face.logits(net, ids) for ids in sequences]
    del net
    with tokenloom.load(real_file_as("F32"), kv_dtype="f32", ctx=256) as model:
        got = [model.logits(ids) for ids in sequences]
    assert sum(len(ids) for ids in sequences) >= 200
    delta = max(float(np.abs(a - b).max()) for a, b in zip(got, want, strict=True))
    print(f"max |difference| {delta:.2e}")
    for a, b in zip(got, want, strict=True):
        assert np.array_equal(a.argmax(-1), b.argmax(-1))
    assert delta <= MAX_DELTA


SCALINGS: dict[str, tuple[TinySpec, dict[str, Any]]] = {
    "none": (TinySpec(), {}),
    "untied": (TinySpec(tied=False, head_dim=24, rope_dim=24, kv_heads=1), {}),
    "linear": (TinySpec(rope_scaling={"type": "linear", "factor": 4.0}), {"rope_type": "linear", "factor": 4.0}),
    "yarn": (
        TinySpec(rope_scaling={"type": "yarn", "factor": 8.0, "original_context_length": 64}),
        {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 64},
    ),
    "llama3": (
        TinySpec(rope_divisors=llama3_divisors(TinySpec(), Llama3(8.0, 64))),
        {
            "rope_type": "llama3",
            "factor": 8.0,
            "low_freq_factor": 1.0,
            "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64,
        },
    ),
}


@pytest.mark.parametrize("name", SCALINGS)
def test_tiny_models_with_every_rope_scaling(name: str) -> None:
    spec, rope = SCALINGS[name]
    model = build(spec)
    ids = np.random.default_rng(3).integers(0, spec.vocab, 150).tolist()
    weights = {key: value for key, value in model.weights.items() if key != "rope_freqs.weight"}
    want = hugging_face.logits(hugging_face.model(model.metadata, weights, rope), ids)
    got = reference(model, ids, "f32")
    assert np.abs(got - want).max() <= 1e-4
    assert np.array_equal(got.argmax(-1), want.argmax(-1))
    if rope:
        other = hugging_face.logits(hugging_face.model(model.metadata, weights), ids)
        assert np.abs(got - other).max() > 1e-2
