"""LlamaForCausalLM, MistralForCausalLM and Qwen2ForCausalLM of `transformers`, in float32 on the CPU, from GGUF
metadata and weights.

Knows: the config fields and tensor names of Hugging Face's llama, mistral (llama with a sliding window) and qwen2, and
that llama's GGUF files hold q and k permuted for interleaved rotation. Does not know: tokenloom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: agreement with transformers is unproved")
transformers = pytest.importorskip(
    "transformers", reason="transformers is not installed: agreement with it is unproved"
)

NAMES = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
}
TOP = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}


def halves_from_pairs(w: np.ndarray, heads: int) -> np.ndarray:
    """Undoes the converter's permutation: rows (2i, 2i+1) of a head become rows (i, i + d/2)."""
    return w.reshape(heads, -1, 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def state_dict(
    weights: Mapping[str, np.ndarray], heads: int, kv_heads: int, *, interleaved: bool = True
) -> dict[str, Any]:
    out = {}
    for name, value in weights.items():
        if name in TOP:
            out[TOP[name]] = value
        elif name.startswith("blk."):
            _, layer, part, end = name.split(".")
            if interleaved and part in ("attn_q", "attn_k"):
                value = halves_from_pairs(value, heads if part == "attn_q" else kv_heads)
            out[f"model.layers.{layer}.{NAMES[part]}.{end}"] = value
    out.setdefault("lm_head.weight", weights["token_embd.weight"])
    return {name: torch.from_numpy(np.ascontiguousarray(value)) for name, value in out.items()}


def model(metadata: Mapping[str, Any], weights: Mapping[str, np.ndarray], rope: Mapping[str, Any] | None = None) -> Any:
    """`rope` are Hugging Face's rope_parameters beyond rope_theta (rope_type, factor, ...)."""
    architecture = metadata["general.architecture"]

    def get(key: str) -> Any:
        return metadata[f"{architecture}.{key}"]

    heads, kv_heads = get("attention.head_count"), get("attention.head_count_kv")
    llama = architecture == "llama"
    window = metadata.get(f"{architecture}.attention.sliding_window")
    of_its_own: dict[str, Any]
    if llama and window:
        kind, of_its_own = transformers.MistralForCausalLM, {"sliding_window": window}
    elif llama:
        kind, of_its_own = transformers.LlamaForCausalLM, {"attention_bias": False}
    elif window:
        slides = get("attention.sliding_window_pattern")
        layers = ["sliding_attention" if slide else "full_attention" for slide in slides]
        of_its_own = {
            "use_sliding_window": True,
            "sliding_window": window,
            "max_window_layers": 0,
            "layer_types": layers,
        }
        kind = transformers.Qwen2ForCausalLM
    else:
        kind, of_its_own = transformers.Qwen2ForCausalLM, {"use_sliding_window": False}
    config = kind.config_class(
        vocab_size=weights["token_embd.weight"].shape[0],
        hidden_size=get("embedding_length"),
        intermediate_size=get("feed_forward_length"),
        num_hidden_layers=get("block_count"),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        head_dim=metadata.get(f"{architecture}.attention.key_length", get("embedding_length") // heads),
        max_position_embeddings=get("context_length"),
        rms_norm_eps=get("attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": get("rope.freq_base"), **(rope or {})},
        tie_word_embeddings="output.weight" not in weights,
        attn_implementation="eager",
        dtype=torch.float32,
        **of_its_own,
    )
    with torch.device("meta"):
        net = kind(config)
    net.to_empty(device="cpu")
    net.model.rotary_emb = type(net.model.rotary_emb)(config)  # its tables are buffers, not weights
    missing, unexpected = net.load_state_dict(state_dict(weights, heads, kv_heads, interleaved=llama), strict=False)
    assert not unexpected, unexpected
    assert all("inv_freq" in name for name in missing), missing
    return net.eval()


def logits(net: Any, ids: Sequence[int]) -> np.ndarray:
    """float32 [len(ids), vocab]"""
    with torch.inference_mode():
        return net(torch.tensor([list(ids)]), use_cache=False).logits[0].float().numpy()
