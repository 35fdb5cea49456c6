"""The llama family's config and tensor map: what it reads, what it ignores by name, and everything it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from tokenloom.errors import FormatError, TokenloomError, UnsupportedError
from tokenloom.models.family import Metadata, Tensors
from tokenloom.models.llama import LlamaConfig, LlamaWeights
from tokenloom.models.registry import family_of
from tokenloom.models.rope import RopeScaling
from tokenloom.trace.graph import Trace, WeightRef

MINIMAL: dict[str, Any] = {
    "general.architecture": "llama",
    "llama.embedding_length": 64,
    "llama.attention.head_count": 4,
    "llama.block_count": 2,
    "llama.context_length": 512,
    "llama.feed_forward_length": 128,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.vocab_size": 300,
}
DROP = object()


def metadata(**changes: Any) -> dict[str, Any]:
    """`changes` use __ for a dot: attention__head_count=8; DROP removes the key."""
    values = MINIMAL | {f"llama.{key.replace('__', '.')}": value for key, value in changes.items()}
    return {key: value for key, value in values.items() if value is not DROP}


def read(values: Mapping[str, Any]) -> LlamaConfig:
    meta = Metadata("m.gguf", "llama", values)
    found: LlamaConfig = family_of("llama").config(meta)
    meta.close()
    return found


def test_defaults() -> None:
    cfg = read(MINIMAL)
    assert (cfg.hidden_size, cfg.intermediate_size, cfg.num_hidden_layers, cfg.vocab_size) == (64, 128, 2, 300)
    assert (cfg.num_attention_heads, cfg.num_key_value_heads, cfg.head_dim, cfg.rope_dim) == (4, 4, 16, 16)
    assert (cfg.max_position_embeddings, cfg.rms_norm_eps, cfg.rope_theta) == (512, 1e-5, 10000.0)
    assert cfg.rope_scaling.factor == 1.0


def test_every_key_is_read() -> None:
    cfg = read(
        metadata(
            embedding_length=96,
            attention__head_count=6,
            attention__head_count_kv=2,
            block_count=3,
            feed_forward_length=200,
            context_length=4096,
            attention__key_length=32,
            attention__value_length=32,
            rope__dimension_count=16,
            rope__freq_base=500000.0,
            attention__layer_norm_rms_epsilon=1e-6,
            rope__scaling__type="yarn",
            rope__scaling__factor=4.0,
            rope__scaling__original_context_length=1024,
            rope__scaling__attn_factor=1.5,
            rope__scaling__yarn_ext_factor=0.5,
            rope__scaling__yarn_beta_fast=16.0,
            rope__scaling__yarn_beta_slow=2.0,
        )
    )
    assert (cfg.hidden_size, cfg.num_attention_heads, cfg.num_key_value_heads, cfg.head_dim) == (96, 6, 2, 32)
    assert (cfg.num_hidden_layers, cfg.intermediate_size, cfg.rope_dim, cfg.rope_theta) == (3, 200, 16, 500000.0)
    assert cfg.rope_scaling == RopeScaling(
        "yarn", 4.0, 1024, attn_factor=1.5, ext_factor=0.5, beta_fast=16.0, beta_slow=2.0
    )


def test_the_vocabulary_may_be_counted_from_the_tokens() -> None:
    values = metadata(vocab_size=DROP) | {"tokenizer.ggml.tokens": ["a"] * 77}
    assert read(values).vocab_size == 77


@pytest.mark.parametrize(
    "extra",
    [
        {"rope__scaling__finetuned": True}, {"tensor_data_layout": "Meta AI original pth"}, {"attention__causal": True},
        {"expert_count": 0}, {"expert_used_count": 0},
    ],
    ids=lambda e: next(iter(e)),
)  # fmt: skip
def test_keys_that_change_nothing_are_ignored(extra: dict[str, Any]) -> None:
    assert read(metadata(**extra)).hidden_size == 64


REFUSALS: list[tuple[dict[str, Any], type[TokenloomError], str]] = [
    ({"expert_count": 8}, UnsupportedError, "mixture of experts (llama.expert_count = 8)"),
    ({"attention__causal": False}, UnsupportedError, "attention that is not causal"),
    ({"rope__scaling__type": "longrope"}, UnsupportedError, "rope scaling 'longrope'"),
    ({"rope__scaling__type": "yarn", "rope__scaling__factor": -1.0}, FormatError, "rope.scaling.factor is -1.0"),
    ({"rope__scaling__type": "yarn", "rope__scaling__factor": float("nan")}, FormatError, "rope.scaling.factor is nan"),
    ({"rope__scaling__type": "linear", "rope__scaling__factor": float("inf")}, FormatError, "rope.scaling.factor is inf"),
    ({"rope__scaling__factor": 2.0, "rope__scaling__original_context_length": 0}, FormatError, "original_context_length is 0"),
    ({"rope__scaling__type": "yarn", "rope__scaling__factor": 2.0, "rope__scaling__yarn_beta_fast": 0.0}, FormatError, "yarn_beta_fast is 0.0"),
    ({"rope__scaling__yarn_beta_slow": -1.0}, FormatError, "yarn_beta_slow is -1.0"),
    ({"rope__scaling__attn_factor": float("nan")}, FormatError, "attn_factor is nan"),
    ({"rope__scaling__yarn_ext_factor": float("inf")}, FormatError, "yarn_ext_factor is inf"),
    ({"rope__freq_base": 0.0}, FormatError, "rope.freq_base is 0.0"),
    ({"rope__freq_base": float("inf")}, FormatError, "rope.freq_base is inf"),
    ({"rope__freq_base": 1.0}, FormatError, "rope.freq_base is 1.0"),
    ({"embedding_length": 48}, UnsupportedError, "head_dim 12"),
    ({"attention__key_length": 24, "attention__value_length": 24}, UnsupportedError, "head_dim 24"),
    ({"attention__key_length": 2048, "attention__value_length": 2048}, UnsupportedError, "head_dim 2048"),
    ({"attention__key_length": 32, "attention__value_length": 16}, UnsupportedError, "keys and values of different width"),
    ({"rope__dimension_count": 8}, UnsupportedError, "8 rotary dims"),
    ({"rope__dimension_count": 32}, UnsupportedError, "32 rotary dims"),
    ({"rope__dimension_count": 0}, UnsupportedError, "0 rotary dims"),
    ({"attention__head_count": 3}, FormatError, "do not divide"),
    ({"attention__head_count_kv": 3}, FormatError, "do not divide"),
    ({"attention__head_count": 0}, FormatError, "llama.attention.head_count is 0"),
    ({"attention__head_count_kv": 0}, FormatError, "llama.attention.head_count_kv is 0"),
    ({"block_count": 0}, FormatError, "llama.block_count is 0"),
    ({"block_count": 1 << 31}, FormatError, f"llama.block_count is {1 << 31}"),
    ({"embedding_length": 1 << 40}, FormatError, f"llama.embedding_length is {1 << 40}"),
    ({"feed_forward_length": 0}, FormatError, "llama.feed_forward_length is 0"),
    ({"feed_forward_length": 1 << 40}, FormatError, "llama.feed_forward_length"),
    ({"context_length": 0}, FormatError, "llama.context_length is 0"),
    ({"context_length": 1 << 40}, FormatError, "llama.context_length"),
    ({"vocab_size": DROP}, FormatError, "vocab"),
    ({"attention__layer_norm_rms_epsilon": 0.0}, FormatError, "layer_norm_rms_epsilon is 0.0"),
    ({"attention__layer_norm_rms_epsilon": float("nan")}, FormatError, "layer_norm_rms_epsilon is nan"),
    ({"embedding_length": "64"}, FormatError, "'llama.embedding_length' should be int, found str"),
    ({"embedding_length": 64.0}, FormatError, "'llama.embedding_length' should be int, found float"),
    ({"block_count": True}, FormatError, "'llama.block_count' should be int, found bool"),
    ({"rope__scaling__type": 3}, FormatError, "'llama.rope.scaling.type' should be str, found int"),
    ({"attention__head_count_kv": [2, 2]}, FormatError, "'llama.attention.head_count_kv' should be int, found list"),
    ({"logit_scale": 0.5}, UnsupportedError, "metadata keys llama.logit_scale are not understood"),
    ({"attention__sinks": 128, "zebra": 1}, UnsupportedError, "llama.attention.sinks, llama.zebra are not understood"),
    ({"attention__sliding_window": -1}, FormatError, "llama.attention.sliding_window is -1"),
    ({"attention__sliding_window": 8, "attention__sliding_window_pattern": [True]}, FormatError, "has 1 entries for"),
    ({"attention__sliding_window": 8, "attention__sliding_window_pattern": [1, 0]}, FormatError, "array of bools"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "kind", "message"), REFUSALS, ids=[f"{n}-{next(iter(c))}" for n, (c, _, _) in enumerate(REFUSALS)]
)
def test_refused_metadata(changes: dict[str, Any], kind: type[TokenloomError], message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)) as caught:
        read(metadata(**changes))
    assert str(caught.value).startswith("m.gguf: "), "the message names the file"


REQUIRED = "embedding_length attention.head_count block_count context_length feed_forward_length attention.layer_norm_rms_epsilon"


@pytest.mark.parametrize("key", REQUIRED.split())
def test_a_missing_key_is_named(key: str) -> None:
    values = {k: v for k, v in MINIMAL.items() if k != f"llama.{key}"}
    with pytest.raises(FormatError, match=re.escape(f"m.gguf: metadata key 'llama.{key}' is missing")):
        read(values)


def test_guard_of_metadata_fails_when_nothing_is_wrong() -> None:
    """The table's base is a good config: each refusal is about its own change."""
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        test_refused_metadata({}, TokenloomError, "anything")


@pytest.mark.parametrize("name", ["gpt2", "Llama", "", "qwen3", "llama4"])
def test_an_unknown_architecture_is_named(name: str) -> None:
    with pytest.raises(
        UnsupportedError, match=re.escape(f"architecture {name!r} is not supported; tokenloom runs llama")
    ):
        family_of(name)


# ---- tensors ---------------------------------------------------------------------------------------------------------------


def shapes(cfg: LlamaConfig, *, output: bool = False, bias: bool = False) -> dict[str, tuple[int, ...]]:
    h, q, kv, ff = (
        cfg.hidden_size,
        cfg.num_attention_heads * cfg.head_dim,
        cfg.num_key_value_heads * cfg.head_dim,
        cfg.intermediate_size,
    )
    found: dict[str, tuple[int, ...]] = {"token_embd.weight": (cfg.vocab_size, h), "output_norm.weight": (h,)}
    if output:
        found["output.weight"] = (cfg.vocab_size, h)
    for i in range(cfg.num_hidden_layers):
        p = f"blk.{i}."
        found |= {
            p + "attn_norm.weight": (h,), p + "ffn_norm.weight": (h,), p + "attn_q.weight": (q, h), p + "attn_k.weight": (kv, h),
            p + "attn_v.weight": (kv, h), p + "attn_output.weight": (h, q), p + "ffn_gate.weight": (ff, h), p + "ffn_up.weight": (ff, h),
            p + "ffn_down.weight": (h, ff),
        }  # fmt: skip
        if bias:
            found |= {f"{p}attn_{x}.bias": (n,) for x, n in (("q", q), ("k", kv), ("v", kv))}
    return found


CFG = read(metadata(attention__head_count_kv=2))


def take(found: Mapping[str, tuple[int, ...]]) -> LlamaWeights:
    refs = {name: WeightRef(name, "F32", shape) for name, shape in found.items()}
    tensors, family = Tensors("m.gguf", refs), family_of("llama")
    weights: LlamaWeights = family.tensors(CFG, tensors)
    tensors.close(family.ignored_tensors)
    return weights


def test_tied_and_separate_heads() -> None:
    assert take(shapes(CFG)).output.name == "token_embd.weight"
    assert take(shapes(CFG, output=True)).output.name == "output.weight"


def test_biases_and_factors_are_taken_where_they_are() -> None:
    assert take(shapes(CFG)).layers[0].bias == (None, None, None)
    assert [b and b.name for b in take(shapes(CFG, bias=True)).layers[1].bias] == [
        f"blk.1.attn_{x}.bias" for x in "qkv"
    ]
    assert take(shapes(CFG)).rope_factors is None
    assert take(shapes(CFG) | {"rope_freqs.weight": (8,)}).rope_factors


def test_tensors_that_change_nothing_are_ignored() -> None:
    assert take(shapes(CFG) | {"blk.1.attn_rot_embd.weight": (8,)})


@pytest.mark.parametrize("name", sorted(shapes(CFG)))
def test_a_missing_tensor_is_named(name: str) -> None:
    found = {n: s for n, s in shapes(CFG).items() if n != name}
    with pytest.raises(FormatError, match=re.escape(f"m.gguf: tensor {name!r} is missing")):
        take(found)


@pytest.mark.parametrize("name", [*sorted(shapes(CFG, output=True, bias=True)), "rope_freqs.weight"])
@pytest.mark.parametrize("wrong", ["longer", "another rank", "transposed"])
def test_a_wrong_shape_is_named(name: str, wrong: str) -> None:
    right = (shapes(CFG, output=True, bias=True) | {"rope_freqs.weight": (8,)})[name]
    shape = {"longer": (*right[:-1], right[-1] + 16), "another rank": (*right, 1), "transposed": right[::-1]}[wrong]
    if shape == right:
        assert wrong == "transposed"
        return
    with pytest.raises(
        FormatError, match=re.escape(f"tensor {name!r} has shape {list(shape)}, the config says {list(right)}")
    ):
        take(shapes(CFG, output=True, bias=True) | {name: shape})


@pytest.mark.parametrize(
    "name",
    [
        "blk.0.attn_q_norm.weight", "blk.0.ffn_gate_exps.weight", "blk.2.attn_norm.weight", "token_types.weight",
        "blk.0.attn_output.bias", "rope_factors_long.weight", "output_norm.bias",
    ],
)  # fmt: skip
def test_an_unknown_tensor_is_refused(name: str) -> None:
    """A norm, an expert, a layer too many, a bias: left out, each would change the answer without a word."""
    with pytest.raises(UnsupportedError, match=re.escape(f"m.gguf: tensors {name} are not understood")):
        take(shapes(CFG) | {name: (64,)})


def test_many_unknown_tensors_are_summed_up() -> None:
    with pytest.raises(UnsupportedError, match=r"x\.0, x\.1, x\.2, x\.3, x\.4 and 4 more"):
        take(shapes(CFG) | {f"x.{i}": (1,) for i in range(9)})


# ---- forward ---------------------------------------------------------------------------------------------------------------


def test_the_graph_of_a_layer() -> None:
    graph = Trace()
    family_of("llama").forward(graph, CFG, take(shapes(CFG)))
    layer = [op.kind for op in graph.ops if op.segment == "layer 1"]
    assert layer == [
        "rms_norm",
        "linear",
        "rope",
        "rope",
        "attention",
        "linear",
        "add",
        "rms_norm",
        "linear",
        "gated_silu",
        "linear",
        "add",
    ]
    assert [op.segment for op in graph.ops if op.kind in ("embed", "logits")] == ["embed", "head"]
    assert {ref.name for op in graph.ops for ref in op.weights} == set(shapes(CFG))
    attention = next(op for op in graph.ops if op.kind == "attention")
    assert attention.attrs["scale"] == 16**-0.5
