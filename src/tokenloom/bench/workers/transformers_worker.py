"""Hugging Face transformers as a resident process, in float32 and bfloat16 on the CPU: a GGUF file's weights are decoded when it is opened.

Knows torch and transformers. Knows nothing of tokenloom. The protocol is described in this directory's `__init__.py`.
"""

from __future__ import annotations

import copy
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import gguf
import numpy as np
import torch
import transformers

NAMES = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}  # fmt: skip
TOP = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


def halves_from_pairs(w: Any, heads: int) -> Any:
    """Undoes what llama's GGUF files do to q and k: rows (2i, 2i+1) of a head become rows (i, i + d/2)."""
    return w.reshape(heads, -1, 2, *w.shape[1:]).swapaxes(1, 2).reshape(w.shape)


def open_gguf(path: str) -> Any:
    """The file as a float32 model of transformers. Its own GGUF loader needs a package more, and knows fewer types."""
    reader = gguf.GGUFReader(path)

    def get(key: str, otherwise: Any = None) -> Any:
        name = key if key.startswith("general") else f"{architecture}.{key}"
        return reader.fields[name].contents() if name in reader.fields else otherwise

    architecture = get("general.architecture")
    kinds = {"llama": transformers.LlamaForCausalLM, "qwen2": transformers.Qwen2ForCausalLM}
    if architecture not in kinds:
        raise ValueError(f"this worker knows {', '.join(kinds)}, not {architecture}")
    heads = get("attention.head_count")
    kv_heads = get("attention.head_count_kv", heads)
    weights = {}
    for tensor in reader.tensors:
        stem, end = tensor.name.rsplit(".", 1)
        if stem == "rope_freqs":
            raise ValueError("this worker does not know scaled rotation (rope_freqs)")
        value = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        part = stem.split(".")[-1]
        if architecture == "llama" and part in ("attn_q", "attn_k"):
            value = halves_from_pairs(value, heads if part == "attn_q" else kv_heads)
        name = TOP.get(stem) or f"model.layers.{stem.split('.')[1]}.{NAMES[part]}"
        weights[f"{name}.{end}"] = torch.from_numpy(np.ascontiguousarray(value))
    embedding = weights["model.embed_tokens.weight"]
    tied = "lm_head.weight" not in weights
    if tied:
        weights["lm_head.weight"] = embedding
    config = kinds[architecture].config_class(
        vocab_size=len(embedding), hidden_size=get("embedding_length"), intermediate_size=get("feed_forward_length"),
        num_hidden_layers=get("block_count"), num_attention_heads=heads, num_key_value_heads=kv_heads,
        head_dim=get("attention.key_length", get("embedding_length") // heads), max_position_embeddings=get("context_length"),
        rms_norm_eps=get("attention.layer_norm_rms_epsilon"), tie_word_embeddings=tied,
        rope_parameters={"rope_type": "default", "rope_theta": get("rope.freq_base", 10000.0)},
    )  # fmt: skip
    model = kinds[architecture](config)
    missing, unexpected = model.load_state_dict(weights, strict=False)
    if missing or unexpected:
        raise ValueError(f"weights that do not fit: missing {missing}, unexpected {unexpected}")
    return model.eval()


class Engine:
    """One model in both number types."""

    def __init__(self, model: str, threads: int, ctx: int, batch: int) -> None:
        del ctx, batch  # its caches grow
        begun = time.perf_counter()
        torch.set_num_threads(threads)
        self.models = {"float32": open_gguf(model)}
        self.models["bfloat16"] = copy.deepcopy(self.models["float32"]).to(torch.bfloat16)
        self.load_s = time.perf_counter() - begun

    def about(self) -> dict[str, Any]:
        vocab = self.models["float32"].config.vocab_size
        return {
            "threads": torch.get_num_threads(), "vocab": vocab, "load_s": self.load_s,
            "version": f"transformers {transformers.__version__}",
            "build": f"torch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}", "variants": list(self.models),
        }  # fmt: skip

    def _prefill(self, prompts: list[list[int]], variant: str) -> tuple[Any, Any]:
        """The greedy next tokens [batch, 1] and the cache."""
        out = self.models[variant](input_ids=torch.tensor(prompts), use_cache=True, logits_to_keep=1)
        return out.logits[:, -1].argmax(-1, keepdim=True), out.past_key_values

    def _steps(self, chosen: Any, cache: Any, n: int, variant: str) -> list[list[int]]:
        """The n tokens after `chosen`, for every sequence."""
        taken = []
        for _ in range(n):
            out = self.models[variant](input_ids=chosen, past_key_values=cache, use_cache=True)
            chosen, cache = out.logits[:, -1].argmax(-1, keepdim=True), out.past_key_values
            taken.append(chosen)
        ids: list[list[int]] = torch.cat(taken, dim=1).tolist()
        return ids

    def prompt(self, ids: list[int], variant: str) -> dict[str, Any]:
        begun = time.perf_counter()
        chosen, cache = self._prefill([ids], variant)
        first = int(chosen)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": [first], "fed": len(ids), "computed": cache.get_seq_length()}

    def decode(self, prompt: list[int], n: int, variant: str) -> dict[str, Any]:
        chosen, cache = self._prefill([prompt], variant)
        computed = cache.get_seq_length()
        begun = time.perf_counter()
        rest = self._steps(chosen, cache, n, variant)[0]
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": [int(chosen), *rest], "fed": len(prompt), "computed": computed}

    def batch(self, prompts: list[list[int]], n: int, variant: str) -> dict[str, Any]:
        chosen, cache = self._prefill(prompts, variant)
        computed = cache.get_seq_length() * len(prompts)
        begun = time.perf_counter()
        ids = self._steps(chosen, cache, n, variant)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": ids, "fed": sum(map(len, prompts)), "computed": computed}

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        operations: dict[str, Callable[..., dict[str, Any]]]
        operations = {"prompt": self.prompt, "decode": self.decode, "batch": self.batch}
        with torch.inference_mode():
            return operations[op](**request)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # libraries may print on standard output; the answers have theirs to themselves
    engine: Engine | None = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        if op == "open":
            engine = Engine(**request)
            answer = engine.about()
        elif engine is None:
            raise ValueError("open a model first")
        else:
            answer = engine.answer(op, request)
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
