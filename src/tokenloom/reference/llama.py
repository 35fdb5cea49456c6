"""The llama forward pass (Touvron et al. 2023) in the reference arithmetic, one fresh sequence at a time; qwen2 (Yang et
al. 2024) is llama with biases on q, k and v and the neox pairing of rotary dimensions.

Knows: the order of a block's operations and the tensor names of GGUF files of both. Does not know: chunks, batches or
caches that outlive a call (results must not depend on them). `config_from_metadata` reads GGUF keys on its own, so that
it can contradict the production reader.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.reference.attention import attention
from tokenloom.reference.blocks import plain
from tokenloom.reference.floats import F32, rms_norm, silu
from tokenloom.reference.matmul import embed, matmul
from tokenloom.reference.rope import RopeScaling, RopeTable, rope, rope_table

ROPE_STYLES = {"llama": "normal", "qwen2": "neox"}  # by architecture


@dataclass(frozen=True)
class RawTensor:
    """A tensor as the file holds it: raw uint8 [rows, row_bytes]; vectors are one row."""

    qtype_name: str
    shape: tuple[int, ...]
    raw: NDArray[np.uint8]


@dataclass(frozen=True)
class Config:
    """The numbers a forward pass needs, named as in Hugging Face's LlamaConfig."""

    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    rms_norm_eps: float
    rope_theta: float
    rope_dim: int
    rope_scaling: RopeScaling = field(default_factory=RopeScaling)
    rope_style: str = "normal"
    windows: tuple[int, ...] = ()  # of each layer: the positions it sees, 0 for all; () for all in all


def config_from_metadata(metadata: Mapping[str, Any], layers: int | None = None) -> Config:
    """GGUF metadata of architecture `llama` or `qwen2` -> Config, optionally cut to the first `layers` layers."""
    architecture = str(metadata.get("general.architecture"))
    if architecture not in ROPE_STYLES:
        raise UnsupportedError(f"general.architecture {architecture!r}: the reference knows {', '.join(ROPE_STYLES)}")

    def get(key: str, default: Any = None) -> Any:
        value = metadata.get(f"{architecture}.{key}", default)
        if value is None:
            raise FormatError(f"{architecture}.{key} is missing")
        return value

    heads, hidden = int(get("attention.head_count")), int(get("embedding_length"))
    head_dim = int(get("attention.key_length", hidden // heads))
    factor = float(get("rope.scaling.factor", get("rope.scale_linear", 0.0))) or 1.0  # the old key; 0 means none
    kind = str(get("rope.scaling.type", "linear"))  # as llama.cpp reads a factor without a type
    scaling = RopeScaling(
        kind=kind,
        factor=factor,
        original_context_length=int(get("rope.scaling.original_context_length", get("context_length", 0))),
        ext_factor=float(get("rope.scaling.yarn_ext_factor", 1.0)),
        attn_factor=float(get("rope.scaling.attn_factor", 1.0)),
        beta_fast=float(get("rope.scaling.yarn_beta_fast", 32.0)),
        beta_slow=float(get("rope.scaling.yarn_beta_slow", 1.0)),
    )
    window, blocks = int(get("attention.sliding_window", 0)), int(get("block_count"))
    slides = list(metadata.get(f"{architecture}.attention.sliding_window_pattern", [True] * blocks))
    return Config(
        hidden_size=hidden,
        num_hidden_layers=blocks if layers is None else layers,
        num_attention_heads=heads,
        num_key_value_heads=int(get("attention.head_count_kv", heads)),
        head_dim=head_dim,
        rms_norm_eps=float(get("attention.layer_norm_rms_epsilon")),
        rope_theta=float(get("rope.freq_base", 10000.0)),
        rope_dim=int(get("rope.dimension_count", head_dim)),
        rope_scaling=scaling,
        rope_style=ROPE_STYLES[architecture],
        windows=tuple(window * bool(slide) for slide in slides),
    )


class _Forward:
    """The tensors of one model and the parts of a block over them."""

    def __init__(self, config: Config, tensors: Mapping[str, RawTensor], kv_dtype: str) -> None:
        self.config, self.tensors, self.kv_dtype = config, tensors, kv_dtype
        divisors = self.vector("rope_freqs.weight").tolist() if "rope_freqs.weight" in tensors else None
        self.table: RopeTable = rope_table(config.rope_theta, config.rope_dim, config.rope_scaling, divisors)
        self.scale = np.float32(1 / math.sqrt(config.head_dim))

    def vector(self, name: str) -> F32:
        tensor = self.tensors[name]
        return plain(tensor.qtype_name, tensor.raw).reshape(-1)

    def linear(self, name: str, x: F32) -> F32:
        tensor, bias = self.tensors[f"{name}.weight"], f"{name}.bias"
        return matmul(tensor.qtype_name, tensor.raw, x, self.vector(bias) if bias in self.tensors else None)

    def norm(self, name: str, x: F32) -> F32:
        return rms_norm(x, self.vector(f"{name}.weight"), self.config.rms_norm_eps)

    def attend(self, layer: int, x: F32) -> F32:
        n, cfg, prefix = x.shape[0], self.config, f"blk.{layer}"
        positions = np.arange(n)
        q = self.linear(f"{prefix}.attn_q", x).reshape(n, cfg.num_attention_heads, cfg.head_dim)
        k = self.linear(f"{prefix}.attn_k", x).reshape(n, cfg.num_key_value_heads, cfg.head_dim)
        v = self.linear(f"{prefix}.attn_v", x).reshape(n, cfg.num_key_value_heads, cfg.head_dim)
        q = rope(q, positions, self.table.freq, self.table.attn_factor, cfg.rope_style) * self.scale
        k = rope(k, positions, self.table.freq, self.table.attn_factor, cfg.rope_style)
        window = (cfg.windows[layer] if cfg.windows else 0) or n
        mixed = attention(q, k, v, np.maximum(0, positions + 1 - window), positions + 1, self.kv_dtype)
        return self.linear(f"{prefix}.attn_output", mixed.reshape(n, -1))

    def feed_forward(self, prefix: str, x: F32) -> F32:
        """SwiGLU (Shazeer 2020, "GLU Variants Improve Transformer")."""
        gate, up = self.linear(f"{prefix}.ffn_gate", x), self.linear(f"{prefix}.ffn_up", x)
        return self.linear(f"{prefix}.ffn_down", silu(gate) * up)

    def logits(self, ids: Sequence[int]) -> F32:
        table = self.tensors["token_embd.weight"]
        h = embed(table.qtype_name, table.raw, ids)
        for layer in range(self.config.num_hidden_layers):
            prefix = f"blk.{layer}"
            h = h + self.attend(layer, self.norm(f"{prefix}.attn_norm", h))
            h = h + self.feed_forward(prefix, self.norm(f"{prefix}.ffn_norm", h))
        head = "output" if "output.weight" in self.tensors else "token_embd"
        return self.linear(head, self.norm("output_norm", h))


def forward(config: Config, tensors: Mapping[str, RawTensor], ids: Sequence[int], kv_dtype: str = "f16") -> F32:
    """Logits float32 [len(ids), vocab] of one fresh sequence."""
    return _Forward(config, tensors, kv_dtype).logits(ids)
