"""What a model file holds, as plain values that print and serialise.

Knows the keys every architecture shares. Does not know which architectures can be run, and writes nothing anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tokenloom.formats.model_file import ModelFile
from tokenloom.formats.strings import StringArray

_SHAPE_KEYS = {
    "context_length": "context_length",
    "hidden_size": "embedding_length",
    "layers": "block_count",
    "heads": "attention.head_count",
    "kv_heads": "attention.head_count_kv",
    "feed_forward": "feed_forward_length",
    "experts": "expert_count",
    "experts_used": "expert_used_count",
}


def describe(model: ModelFile, *, tensors: bool = False) -> dict[str, Any]:
    """Everything `tokenloom info` shows; with `tensors`, the list of them too. All values survive `json.dumps`.

    A number a file does not state, or states as something else, is None; a per-layer one is a list.
    """
    meta = model.metadata
    architecture = _text(meta, "general.architecture")
    info: dict[str, Any] = {
        "path": str(model.path),
        "format": model.format,
        "file_bytes": model.nbytes,
        "shards": len(model.shards),
        "architecture": architecture,
        "name": _text(meta, "general.name"),
        "license": _text(meta, "general.license"),
        "parameters": sum(t.elements for t in model.tensors.values()),
        "tensor_count": len(model.tensors),
        "tensor_bytes": sum(t.nbytes for t in model.tensors.values()),
        "quant": quant_mix(model),
        **{ours: _number(meta, f"{architecture}.{theirs}") for ours, theirs in _SHAPE_KEYS.items()},
        "rope": _section(meta, f"{architecture}.rope."),
        "tokenizer": _tokenizer(meta),
        "chat_template": isinstance(meta.get("tokenizer.chat_template"), str),
    }
    if tensors:
        info["tensors"] = [
            {"name": t.name, "shape": list(t.shape), "type": t.qtype.name, "bytes": t.nbytes, "shard": t.shard}
            for t in model.tensors.values()
        ]
    return info


def quant_mix(model: ModelFile) -> dict[str, dict[str, Any]]:
    """Per tensor type: its tensors, parameters and bytes, and whether tokenloom computes with it. Most bytes first."""
    mix: dict[str, dict[str, Any]] = {}
    for tensor in model.tensors.values():
        row = mix.setdefault(
            tensor.qtype.name, {"tensors": 0, "parameters": 0, "bytes": 0, "supported": tensor.qtype.supported}
        )
        row["tensors"] += 1
        row["parameters"] += tensor.elements
        row["bytes"] += tensor.nbytes
    return dict(sorted(mix.items(), key=lambda item: (-item[1]["bytes"], item[0])))


def _tokenizer(meta: Mapping[str, Any]) -> dict[str, Any]:
    tokens = meta.get("tokenizer.ggml.tokens")
    ids = ("bos", "eos", "eot", "eom", "unknown", "padding")
    return {
        "model": _text(meta, "tokenizer.ggml.model"),
        "pre": _text(meta, "tokenizer.ggml.pre"),
        "vocab_size": len(tokens) if isinstance(tokens, StringArray) else None,
        **{f"{name}_id": _number(meta, f"tokenizer.ggml.{name}_token_id") for name in ids},
    }


def _text(meta: Mapping[str, Any], key: str) -> str | None:
    value = meta.get(key)
    return value if isinstance(value, str) else None


def _number(meta: Mapping[str, Any], key: str) -> int | float | list[int] | None:
    value = meta.get(key)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and len(value) <= 4096:
        numbers: list[int] = value.tolist()
        return numbers
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value


def _section(meta: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The scalars under a prefix, as they stand; what JSON cannot hold, as text."""
    return {
        key.removeprefix(prefix): value if isinstance(value, str) or math.isfinite(value) else str(value)
        for key, value in meta.items()
        if key.startswith(prefix) and isinstance(value, (int, float, str))
    }
