"""Where qwen2's config differs from llama's. Knows the keys; what both share is test_llama's."""

from __future__ import annotations

from typing import Any

import pytest
from tests.models.test_llama import MINIMAL

from tokenloom.errors import UnsupportedError
from tokenloom.models.family import Metadata
from tokenloom.models.llama import LlamaConfig
from tokenloom.models.registry import family_of


def read(**changes: Any) -> LlamaConfig:
    values = {key.replace("llama.", "qwen2."): value for key, value in MINIMAL.items()} | {
        "general.architecture": "qwen2",
        "qwen2.embedding_length": 128,
        **{f"qwen2.{key.replace('__', '.')}": value for key, value in changes.items()},
    }
    meta = Metadata("m.gguf", "qwen2", values)
    found: LlamaConfig = family_of("qwen2").config(meta)
    meta.close()
    return found


def test_pairs_are_half_the_rotary_dims_apart() -> None:
    cfg = read(rope__freq_base=1e6)
    assert cfg.rope_style == "neox"
    assert (cfg.head_dim, cfg.rope_dim, cfg.rope_theta) == (32, 32, 1e6)


def test_rotary_dims_of_no_multiple_of_32_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"m\.gguf: 16 rotary dims; supported for qwen2 are multiples of 32"):
        read(rope__dimension_count=16)
