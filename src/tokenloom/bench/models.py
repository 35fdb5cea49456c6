"""The model files that are measured: a file as it is, the same in another type, or a well-known shape with random weights.

Knows shapes and how a file of random weights is made quickly. Knows nothing of speed.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.formats.gguf import open_gguf
from tokenloom.formats.gguf_header import raw_metadata
from tokenloom.formats.gguf_write import NewTensor, text, u32, write_gguf
from tokenloom.jit.cache import cache_root
from tokenloom.quant.encoders import ENCODERS, quantize
from tokenloom.quant.table import BY_NAME, QuantType
from tokenloom.runtime.default_model import model_path
from tokenloom.weights.requantize import requantize


@dataclass(frozen=True)
class Shape:
    """A llama architecture with tied embeddings; every width is a multiple of 256, so every type fits."""

    hidden: int
    feed_forward: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int | None  # None: as many as the default model's tokenizer has
    context: int = 8192
    rope_base: float = 500000.0


SHAPES = {
    "tiny": Shape(256, 512, 2, 4, 2, 64, None),
    "1b": Shape(2048, 8192, 16, 32, 8, 64, 128256),  # Llama-3.2-1B
    "3b": Shape(3072, 8192, 28, 24, 8, 128, 128256),  # Llama-3.2-3B
}
MIXTURES = {"Q4_K_M": "Q4_K", "Q5_K_M": "Q5_K"}
_SIGMA = 0.02  # of the weights: activations keep about their size from layer to layer
_SUPER = 256
# super-blocks that are encoded; tensors are random draws of them, as encoding a billion weights takes minutes
_POOL = 1 << 12
_PIECE = 1 << 16


def bench_model(path: str | None, shape: str | None, qtype: str | None) -> Path:
    """The file to measure; one that has to be made is kept in tokenloom's cache directory.

    Raises RequestError for an unknown shape or type, UnsupportedError where it cannot be made.
    """
    if shape is not None:
        if path is not None:
            raise RequestError(f"--shape makes a model of its own; leave out {path!r} or --shape")
        return _kept(f"{shape}.{qtype or 'Q4_K'}", lambda target: _write_random(target, _shape(shape), qtype or "Q4_K"))
    source = model_path(path)
    if qtype is None or _is_already(source, qtype):
        return source
    if qtype not in ENCODERS:
        raise UnsupportedError(f"--type {qtype}: there is no encoder for it; types are {', '.join(ENCODERS)}")
    about = source.stat()
    identity = hashlib.sha256(f"{source.resolve()} {about.st_size} {about.st_mtime_ns}".encode()).hexdigest()[:8]
    stem = source.name.removesuffix(".gguf")
    return _kept(f"{stem}-{identity}.{qtype}", lambda target: requantize(str(source), str(target), qtype))


def _kept(name: str, make: Callable[[Path], object]) -> Path:
    target = cache_root() / "bench" / f"{name}.gguf"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f"{os.getpid()}.{target.name}")
        try:
            make(draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    return target


def _is_already(source: Path, qtype: str) -> bool:
    """Whether the layers' matrices are of that type as they are."""
    with open_gguf(source) as file:
        kinds = {t.qtype.name for t in file.tensors.values() if t.name.startswith("blk.") and len(t.shape) > 1}
    return kinds == {qtype}


def _shape(name: str) -> Shape:
    if name not in SHAPES:
        raise RequestError(f"--shape {name} is not known; shapes are {', '.join(SHAPES)}")
    return SHAPES[name]


def tensor_types(shape: Shape, wanted: str) -> list[NewTensor]:
    """The tensors of a model of that shape. A mixture follows llama.cpp's rule (`llama_tensor_get_type`): Q6_K for the tied output, and for half of
    the layers' attn_v and ffn_down."""  # fmt: skip
    pure = MIXTURES.get(wanted, wanted)
    if pure not in BY_NAME or not BY_NAME[pure].supported:
        known = [name for name, kind in BY_NAME.items() if kind.supported]
        raise RequestError(f"--type {wanted} is not known; types are {', '.join([*known, *MIXTURES])}")
    base, better, f32 = BY_NAME[pure], BY_NAME["Q6_K" if wanted in MIXTURES else pure], BY_NAME["F32"]
    s, n = shape, shape.layers
    q, kv = s.heads * s.head_dim, s.kv_heads * s.head_dim
    assert s.vocab is not None
    tensors = [
        NewTensor("token_embd.weight", (s.vocab, s.hidden), better),
        NewTensor("output_norm.weight", (s.hidden,), f32),
    ]
    for i in range(n):
        more = better if i < n // 8 or i >= 7 * n // 8 or (i - n // 8) % 3 == 2 else base
        matrices: tuple[tuple[str, int, int, QuantType], ...] = (
            ("attn_q", q, s.hidden, base),
            ("attn_k", kv, s.hidden, base),
            ("attn_v", kv, s.hidden, more),
            ("attn_output", s.hidden, q, base),
            ("ffn_gate", s.feed_forward, s.hidden, base),
            ("ffn_up", s.feed_forward, s.hidden, base),
            ("ffn_down", s.hidden, s.feed_forward, more),
        )
        tensors += [NewTensor(f"blk.{i}.{name}.weight", (rows, k), kind) for name, rows, k, kind in matrices]
        tensors += [NewTensor(f"blk.{i}.{name}.weight", (s.hidden,), f32) for name in ("attn_norm", "ffn_norm")]
    return tensors


def _write_random(target: Path, shape: Shape, wanted: str) -> None:
    """Weights are draws of N(0, 0.02²), always the same; the tokenizer is the default model's, filled up to the shape's vocabulary."""
    with open_gguf(model_path(None)) as file:
        first = file.shards[0]
        base = raw_metadata(first.fd, str(first.path), first.size)
        tokens = len(file.metadata["tokenizer.ggml.tokens"])
    vocab = shape.vocab or tokens
    shape = replace(shape, vocab=vocab)
    rng = np.random.default_rng(0)
    values = rng.normal(0, _SIGMA, (_POOL, _SUPER)).astype(np.float32)
    pools: dict[str, npt.NDArray[np.uint8]] = {}

    def contents(tensor: NewTensor) -> Iterator[npt.NDArray[np.uint8]]:
        if len(tensor.shape) == 1:
            yield np.ones(tensor.shape, np.float32).view(np.uint8)
            return
        kind = tensor.qtype
        if kind.name not in pools:
            pools[kind.name] = encoded(kind, values)
        left = int(np.prod(tensor.shape, dtype=np.int64)) // _SUPER
        while left:
            count = min(left, _PIECE)
            left -= count
            yield pools[kind.name][rng.integers(0, _POOL, count)]

    write_gguf(target, _metadata(base, shape, tokens), tensor_types(shape, wanted), contents)


def encoded(kind: QuantType, values: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """float32 [n, 256] in that type, uint8 [n, bytes]: by our encoder, or by ggml's (the libgguf package) where we have none."""
    if kind.name in ENCODERS:
        return quantize(kind.name, values)
    try:
        import libgguf
    except ImportError:
        raise UnsupportedError(
            f"tokenloom has no encoder of {kind.name}; `pip install libgguf` gives one for measuring"
        ) from None
    raw: npt.NDArray[np.uint8] = libgguf.quantize_rows(values, kind.ggml_id)
    return raw.view(np.uint8).reshape(len(values), -1)


def _f32(value: float) -> bytes:
    return struct.pack("<If", 6, value)


def _longer(array: bytes, more: list[bytes]) -> bytes:
    """A metadata array (type 9, the items' type, the count, the items) with more items at its end."""
    kind, inner, count = struct.unpack_from("<IIQ", array)
    return struct.pack("<IIQ", kind, inner, count + len(more)) + array[16:] + b"".join(more)


def _metadata(base: dict[str, bytes], shape: Shape, tokens: int) -> dict[str, bytes]:
    """The shape's keys beside the default model's tokenizer, which gets unused tokens up to the vocabulary's size."""
    assert shape.vocab is not None
    keep = {key: value for key, value in base.items() if key.startswith("tokenizer.ggml.")}
    names = [f"<unused_{i}>".encode() for i in range(shape.vocab - tokens)]
    keep["tokenizer.ggml.tokens"] = _longer(
        base["tokenizer.ggml.tokens"], [struct.pack("<Q", len(n)) + n for n in names]
    )
    keep["tokenizer.ggml.token_type"] = _longer(base["tokenizer.ggml.token_type"], [struct.pack("<i", 5)] * len(names))
    return {
        "general.architecture": text("llama"),
        "general.name": text("random weights"),
        "general.quantization_version": u32(2),
        "llama.block_count": u32(shape.layers),
        "llama.context_length": u32(shape.context),
        "llama.embedding_length": u32(shape.hidden),
        "llama.feed_forward_length": u32(shape.feed_forward),
        "llama.attention.head_count": u32(shape.heads),
        "llama.attention.head_count_kv": u32(shape.kv_heads),
        "llama.attention.key_length": u32(shape.head_dim),
        "llama.attention.value_length": u32(shape.head_dim),
        "llama.attention.layer_norm_rms_epsilon": _f32(1e-5),
        "llama.rope.freq_base": _f32(shape.rope_base),
        "llama.rope.dimension_count": u32(shape.head_dim),
        "llama.vocab_size": u32(shape.vocab),
        **keep,
    }
