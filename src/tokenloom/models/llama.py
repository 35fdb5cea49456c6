"""The Llama family (Touvron et al. 2023; Grattafiori et al. 2024): pre-norm decoder, GQA, RoPE, SwiGLU.

Knows its config, its tensors' names and its forward pass. Knows nothing of files, kernels or threads.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.models.family import Family, Metadata, Tensors
from tokenloom.models.rope import RopeScaling
from tokenloom.trace.graph import AttentionState, Trace, WeightRef

_MAX_DIM = 1 << 20  # of any width: far above any model, far below an overflow


@dataclass(frozen=True)
class LlamaConfig:
    """Named as in a Hugging Face config.json."""

    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    vocab_size: int
    max_position_embeddings: int
    rms_norm_eps: float
    rope_theta: float
    rope_dim: int
    rope_scaling: RopeScaling
    rope_style: str = "normal"  # which dims pair: neighbours, or (neox) those half a head apart
    windows: tuple[int | None, ...] = ()  # of each layer: how many positions it sees (None: all); () for none anywhere


@dataclass(frozen=True)
class Layer:
    attn_norm: WeightRef
    q: WeightRef
    k: WeightRef
    v: WeightRef
    o: WeightRef
    ffn_norm: WeightRef
    gate: WeightRef
    up: WeightRef
    down: WeightRef
    bias: tuple[WeightRef | None, ...]  # of q, k, v


@dataclass(frozen=True)
class LlamaWeights:
    token_embd: WeightRef
    layers: tuple[Layer, ...]
    output_norm: WeightRef
    output: WeightRef
    rope_factors: WeightRef | None


def config(meta: Metadata) -> LlamaConfig:
    """Reads `<arch>.*`. Raises FormatError for impossible sizes, UnsupportedError for what this family does not do."""
    if meta.get("expert_count", int, 0) > 0:
        raise UnsupportedError(
            f"{meta.path}: a mixture of experts ({meta.architecture}.expert_count = {meta.get('expert_count', int)}) is not supported yet"
        )
    if not meta.get("attention.causal", bool, True):
        raise UnsupportedError(
            f"{meta.path}: attention that is not causal ({meta.architecture}.attention.causal = false) is not supported"
        )
    hidden = meta.get("embedding_length", int, required=True)
    heads = meta.get("attention.head_count", int, required=True)
    kv_heads = meta.get("attention.head_count_kv", int, heads)
    layers = meta.get("block_count", int, required=True)
    inner = meta.get("feed_forward_length", int, required=True)
    vocab = meta.get("vocab_size", int, 0) or len(meta.values.get("tokenizer.ggml.tokens", ()))
    for key, value in (
        ("embedding_length", hidden),
        ("attention.head_count", heads),
        ("attention.head_count_kv", kv_heads),
        ("block_count", layers),
        ("feed_forward_length", inner),
        ("vocab_size", vocab),
    ):
        if not 1 <= value <= _MAX_DIM:
            raise FormatError(f"{meta.path}: {meta.architecture}.{key} is {value}; expected 1 to {_MAX_DIM}")
    if heads % kv_heads or hidden % heads:
        raise FormatError(
            f"{meta.path}: {heads} heads, {kv_heads} KV heads and width {hidden} do not divide one another"
        )
    head_dim = meta.get("attention.key_length", int, hidden // heads)
    if meta.get("attention.value_length", int, head_dim) != head_dim:
        raise UnsupportedError(
            f"{meta.path}: keys and values of different width are not supported for {meta.architecture}"
        )
    rope_dim = meta.get("rope.dimension_count", int, head_dim)
    if head_dim % 16 or rope_dim % 16 or not 0 < rope_dim <= head_dim <= 1024:
        raise UnsupportedError(
            f"{meta.path}: head_dim {head_dim} with {rope_dim} rotary dims; supported are multiples of 16 up to 1024"
        )
    context = meta.get("context_length", int, required=True)
    if not 1 <= context <= 1 << 26:
        raise FormatError(f"{meta.path}: {meta.architecture}.context_length is {context}")
    meta.ignore("expert_used_count", "rope.scaling.finetuned", "tensor_data_layout")
    return LlamaConfig(
        hidden_size=hidden,
        intermediate_size=inner,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=head_dim,
        vocab_size=vocab,
        max_position_embeddings=context,
        rms_norm_eps=_positive(
            meta, "attention.layer_norm_rms_epsilon", meta.get("attention.layer_norm_rms_epsilon", float, required=True)
        ),
        rope_theta=_base(meta),
        rope_dim=rope_dim,
        rope_scaling=_scaling(meta, context),
        windows=_windows(meta, layers, context),
    )


def _windows(meta: Metadata, layers: int, context: int) -> tuple[int | None, ...]:
    """Sliding windows (Beltagy et al. 2020; Jiang et al. 2023): of all layers, or of those that a pattern names."""
    window = meta.get("attention.sliding_window", int, 0)  # 0 means none
    pattern = meta.flags("attention.sliding_window_pattern")
    if window < 0:
        raise FormatError(f"{meta.path}: {meta.architecture}.attention.sliding_window is {window}; expected 0 or more")
    if pattern is not None and len(pattern) != layers:
        raise FormatError(
            f"{meta.path}: {meta.architecture}.attention.sliding_window_pattern has {len(pattern)} entries for {layers} layers"
        )
    if not 0 < window < context:
        return ()
    return tuple(window if slides else None for slides in pattern or [True] * layers)


def _positive(meta: Metadata, key: str, value: float) -> float:
    if not 0.0 < value < 1e30:
        raise FormatError(f"{meta.path}: {meta.architecture}.{key} is {value}; expected a positive number")
    return value


def _base(meta: Metadata) -> float:
    """More than 1: its logarithm is divided by."""
    value: float = meta.get("rope.freq_base", float, 10000.0)
    if not 1.0 < value < 1e30:
        raise FormatError(f"{meta.path}: {meta.architecture}.rope.freq_base is {value}; expected a number above 1")
    return value


def _fraction(meta: Metadata, key: str, value: float) -> float:
    if not 0.0 <= value <= 1.0:
        raise FormatError(f"{meta.path}: {meta.architecture}.{key} is {value}; expected a number from 0 to 1")
    return value


def _scaling(meta: Metadata, context: int) -> RopeScaling:
    kind = meta.get("rope.scaling.type", str, "linear")  # as llama.cpp reads a factor without a type
    legacy = meta.get("rope.scale_linear", float, 0.0)
    factor = meta.get("rope.scaling.factor", float, legacy) or 1.0  # 0 means none
    if kind not in ("none", "linear", "yarn"):
        raise UnsupportedError(
            f"{meta.path}: rope scaling {kind!r} is not supported for {meta.architecture}; known are none, linear, yarn"
        )
    original = meta.get("rope.scaling.original_context_length", int, context)
    if kind != "none":
        _positive(meta, "rope.scaling.factor", factor)
        _positive(meta, "rope.scaling.original_context_length", float(original))
    return RopeScaling(
        kind, factor if kind != "none" else 1.0, original,
        _positive(meta, "rope.scaling.attn_factor", meta.get("rope.scaling.attn_factor", float, 1.0)),
        _fraction(meta, "rope.scaling.yarn_ext_factor", meta.get("rope.scaling.yarn_ext_factor", float, 1.0)),
        _positive(meta, "rope.scaling.yarn_beta_fast", meta.get("rope.scaling.yarn_beta_fast", float, 32.0)),
        _positive(meta, "rope.scaling.yarn_beta_slow", meta.get("rope.scaling.yarn_beta_slow", float, 1.0)),
    )  # fmt: skip


def tensors(cfg: LlamaConfig, t: Tensors) -> LlamaWeights:
    """Takes every tensor of the family by name and shape."""
    hidden, kv, q = cfg.hidden_size, cfg.num_key_value_heads * cfg.head_dim, cfg.num_attention_heads * cfg.head_dim
    embedding = t.take("token_embd.weight", cfg.vocab_size, hidden)

    def layer(i: int) -> Layer:
        p = f"blk.{i}."
        return Layer(
            attn_norm=t.take(p + "attn_norm.weight", hidden),
            q=t.take(p + "attn_q.weight", q, hidden),
            k=t.take(p + "attn_k.weight", kv, hidden),
            v=t.take(p + "attn_v.weight", kv, hidden),
            o=t.take(p + "attn_output.weight", hidden, q),
            ffn_norm=t.take(p + "ffn_norm.weight", hidden),
            gate=t.take(p + "ffn_gate.weight", cfg.intermediate_size, hidden),
            up=t.take(p + "ffn_up.weight", cfg.intermediate_size, hidden),
            down=t.take(p + "ffn_down.weight", hidden, cfg.intermediate_size),
            bias=tuple(t.maybe(f"{p}attn_{x}.bias", n) for x, n in (("q", q), ("k", kv), ("v", kv))),
        )

    return LlamaWeights(
        token_embd=embedding,
        layers=tuple(layer(i) for i in range(cfg.num_hidden_layers)),
        output_norm=t.take("output_norm.weight", hidden),
        output=t.maybe("output.weight", cfg.vocab_size, hidden) or embedding,
        rope_factors=t.maybe("rope_freqs.weight", cfg.rope_dim // 2),
    )


def forward(x: Trace, cfg: LlamaConfig, w: LlamaWeights) -> None:
    """tokens → logits."""
    with x.segment("embed"):
        h = x.embed(w.token_embd)
    for i, layer in enumerate(w.layers):
        state = AttentionState(i, cfg.num_key_value_heads, cfg.head_dim, cfg.windows[i] if cfg.windows else None)
        with x.segment(f"layer {i}"):
            a = x.rms_norm(h, layer.attn_norm, cfg.rms_norm_eps)
            q, k, v = x.linear(a, layer.q, layer.k, layer.v, bias=layer.bias)
            o = x.attention(
                x.rope(q, cfg.rope_dim, cfg.rope_style), x.rope(k, cfg.rope_dim, cfg.rope_style), v,
                state=state, heads=cfg.num_attention_heads, scale=1 / math.sqrt(cfg.head_dim),
            )  # fmt: skip
            h = h + x.linear(o, layer.o)[0]
            m = x.rms_norm(h, layer.ffn_norm, cfg.rms_norm_eps)
            gate, up = x.linear(m, layer.gate, layer.up)
            h = h + x.linear(x.gated_silu(gate, up), layer.down)[0]
    with x.segment("head"):
        x.logits(x.linear(x.rms_norm(x.outputs(h), w.output_norm, cfg.rms_norm_eps), w.output)[0])


FAMILY = Family("llama", config, tensors, forward, ignored_tensors=(r"blk\.\d+\.attn_rot_embd\.weight",))
