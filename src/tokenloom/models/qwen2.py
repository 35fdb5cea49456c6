"""The Qwen2 family (Yang et al. 2024): Llama's decoder with biases on q, k and v, and the "neox" pairing of rotary dims.

Knows where it differs from Llama. Knows nothing else.
"""

from __future__ import annotations

from dataclasses import replace

from tokenloom.errors import UnsupportedError
from tokenloom.models import llama
from tokenloom.models.family import Family, Metadata


def config(meta: Metadata) -> llama.LlamaConfig:
    """Reads `qwen2.*`. Raises as llama.config does."""
    cfg = replace(llama.config(meta), rope_style="neox")
    if cfg.rope_dim % 32:
        raise UnsupportedError(
            f"{meta.path}: {cfg.rope_dim} rotary dims; supported for {meta.architecture} are multiples of 32"
        )
    return cfg


FAMILY = Family("qwen2", config, llama.tensors, llama.forward, ignored_tensors=llama.FAMILY.ignored_tensors)
