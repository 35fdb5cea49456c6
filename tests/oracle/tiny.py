"""Tiny random llama and qwen2 models: GGUF metadata, tensors as raw bytes and de-quantized, and the file itself.

Knows: their GGUF key and tensor names, the pip `gguf` package, which quantizes, de-quantizes and writes, and `libgguf`,
which quantizes to super-blocks. Does not know: what is run on the models. Everything follows from the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gguf = pytest.importorskip("gguf", reason="the gguf package is not installed: nothing can be held against the oracle")
libgguf = pytest.importorskip(
    "libgguf", reason="libgguf is not installed: nothing of super-blocks is held against the oracle"
)

RawBytes = np.ndarray


@dataclass(frozen=True)
class TinySpec:
    """The shape of a model; `linear` and `table` are the tensor types of the projections and of embedding and head."""

    linear: str = "F32"
    table: str = "F32"
    layers: int = 3
    hidden: int = 64
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 16
    ffn: int = 96
    vocab: int = 101
    rope_dim: int = 16
    theta: float = 10000.0
    eps: float = 1e-5
    context: int = 512
    tied: bool = True
    biases: bool = False
    rope_divisors: tuple[float, ...] = ()
    rope_scaling: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    arch: str = "llama"


@dataclass(frozen=True)
class TinyModel:
    """raw: name -> (type name, shape, bytes [rows, row_bytes]); weights: name -> float32 of that shape."""

    spec: TinySpec
    metadata: dict[str, Any]
    raw: dict[str, tuple[str, tuple[int, ...], RawBytes]]
    weights: dict[str, np.ndarray]


def encode(values: np.ndarray, qtype: str) -> RawBytes:
    """float32 [rows, k] -> uint8 [rows, row_bytes] of a GGUF type."""
    if qtype.endswith("_K"):
        return np.asarray(libgguf.quantize_rows(values, int(gguf.GGMLQuantizationType[qtype])), np.uint8)
    encoded = gguf.quants.quantize(np.ascontiguousarray(values, np.float32), gguf.GGMLQuantizationType[qtype])
    return np.ascontiguousarray(encoded).view(np.uint8).reshape(values.shape[0], -1)


def decode(raw: RawBytes, qtype: str, shape: Sequence[int]) -> np.ndarray:
    """The values those bytes stand for, by the gguf package."""
    return gguf.quants.dequantize(raw, gguf.GGMLQuantizationType[qtype]).astype(np.float32).reshape(shape)


def metadata(spec: TinySpec) -> dict[str, Any]:
    keys: dict[str, Any] = {
        "block_count": spec.layers,
        "context_length": spec.context,
        "embedding_length": spec.hidden,
        "feed_forward_length": spec.ffn,
        "attention.head_count": spec.heads,
        "attention.head_count_kv": spec.kv_heads,
        "attention.key_length": spec.head_dim,
        "attention.value_length": spec.head_dim,
        "attention.layer_norm_rms_epsilon": float(np.float32(spec.eps)),
        "rope.freq_base": float(np.float32(spec.theta)),
        "rope.dimension_count": spec.rope_dim,
        "vocab_size": spec.vocab,
        **{f"rope.scaling.{key}": value for key, value in spec.rope_scaling.items()},
    }
    return {"general.architecture": spec.arch, **{f"{spec.arch}.{key}": value for key, value in keys.items()}}


def _values(spec: TinySpec) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(spec.seed)
    q, kv = spec.heads * spec.head_dim, spec.kv_heads * spec.head_dim

    def matrix(rows: int, k: int) -> np.ndarray:
        return (rng.standard_normal((rows, k)) * 1.5 / np.sqrt(k)).astype(np.float32)

    def vector(n: int, mean: float) -> np.ndarray:
        return (mean + 0.2 * rng.standard_normal(n)).astype(np.float32)

    out = {"token_embd": matrix(spec.vocab, spec.hidden), "output_norm": vector(spec.hidden, 1.0)}
    if not spec.tied:
        out["output"] = matrix(spec.vocab, spec.hidden)
    out = {f"{name}.weight": value for name, value in out.items()}
    if spec.rope_divisors:
        out["rope_freqs.weight"] = np.array(spec.rope_divisors, np.float32)
    for layer in range(spec.layers):
        shapes = {
            "attn_q": (q, spec.hidden),
            "attn_k": (kv, spec.hidden),
            "attn_v": (kv, spec.hidden),
            "attn_output": (spec.hidden, q),
            "ffn_gate": (spec.ffn, spec.hidden),
            "ffn_up": (spec.ffn, spec.hidden),
            "ffn_down": (spec.hidden, spec.ffn),
        }
        for name in ("attn_norm", "ffn_norm"):
            out[f"blk.{layer}.{name}.weight"] = vector(spec.hidden, 1.0)
        for name, (rows, k) in shapes.items():
            out[f"blk.{layer}.{name}.weight"] = matrix(rows, k)
            if spec.biases and name in ("attn_q", "attn_k", "attn_v"):
                out[f"blk.{layer}.{name}.bias"] = vector(rows, 0.0)
    return out


def build(spec: TinySpec) -> TinyModel:
    raw: dict[str, tuple[str, tuple[int, ...], RawBytes]] = {}
    weights: dict[str, np.ndarray] = {}
    for name, value in _values(spec).items():
        tables = ("token_embd.weight", "output.weight")
        qtype = "F32" if value.ndim == 1 else spec.table if name in tables else spec.linear
        data = encode(value.reshape(-1, value.shape[-1]), qtype)
        raw[name] = (qtype, value.shape, data)
        weights[name] = decode(data, qtype, value.shape)
    return TinyModel(spec, metadata(spec), raw, weights)


def write(model: TinyModel, path: Path, tokenizer: dict[str, Any]) -> Path:
    """The model as a GGUF v3 file; `tokenizer` holds the `tokenizer.*` keys."""
    writer = gguf.GGUFWriter(path, model.spec.arch)
    for key, value in {**model.metadata, **tokenizer}.items():
        if key != "general.architecture":
            add(writer, key, value)
    for name, (qtype, _, data) in model.raw.items():
        flat = data.reshape(-1) if len(model.raw[name][1]) == 1 else data
        writer.add_tensor(
            name, flat if qtype != "F32" else flat.view(np.float32), raw_dtype=gguf.GGMLQuantizationType[qtype]
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def add(writer: Any, key: str, value: Any) -> None:
    """One metadata value, in the type llama.cpp's converter would give it."""
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, list(value))
