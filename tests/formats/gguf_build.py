"""Writing GGUF files for tests: any metadata, any tensors, splits, and whole tiny llama models.

Knows how to be wrong on purpose (raw ids, offsets and counts can be given). Does not share a line with the reader.
Quantizing is the `gguf` package's, and for the types of 256 ggml's own C code's (`libgguf`).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gguf
import numpy as np

TYPE_IDS = {
    "u8": 0, "i8": 1, "u16": 2, "i16": 3, "u32": 4, "i32": 5, "f32": 6,
    "bool": 7, "str": 8, "arr": 9, "u64": 10, "i64": 11, "f64": 12,
}  # fmt: skip
LETTERS = {
    "u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f",
    "bool": "B", "u64": "Q", "i64": "q", "f64": "d",
}  # fmt: skip

CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def pack_string(text: str | bytes) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def pack_value(kind: str | list[Any], value: Any) -> bytes:
    """`kind` is a name in TYPE_IDS, or a list of one kind for an array: ["u32"], [["str"]]."""
    if isinstance(kind, list):
        (inner,) = kind
        inner_id = TYPE_IDS["arr" if isinstance(inner, list) else inner]
        head = struct.pack("<IQ", inner_id, len(value))
        if isinstance(inner, str) and inner != "str":
            return head + struct.pack(f"<{len(value)}{LETTERS[inner]}", *value)
        return head + b"".join(pack_value(inner, v) for v in value)
    if kind == "str":
        return pack_string(value)
    return struct.pack("<" + LETTERS[kind], value)


@dataclass
class Tensor:
    name: str | bytes
    shape: tuple[int, ...]
    """NumPy's order."""
    type_id: int
    data: bytes
    offset: int | None = None
    """None: where it falls."""


@dataclass
class Builder:
    version: int = 3
    alignment: int = 32
    metadata: list[tuple[str | bytes, int, bytes]] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    n_tensors: int | None = None
    n_keys: int | None = None

    def add(self, key: str | bytes, kind: str | list[Any], value: Any) -> Builder:
        return self.add_raw(key, TYPE_IDS["arr" if isinstance(kind, list) else kind], pack_value(kind, value))

    def add_raw(self, key: str | bytes, type_id: int, payload: bytes) -> Builder:
        self.metadata.append((key, type_id, payload))
        return self

    def add_tensor(self, name: str, values: np.ndarray, qtype: str = "F32") -> Builder:
        """`values` in float32, quantized."""
        kind, values = gguf.GGMLQuantizationType[qtype], np.ascontiguousarray(values, np.float32)
        if qtype.endswith("_K") or qtype.startswith("IQ"):
            import libgguf

            equal = np.ones(values.shape[-1], np.float32) if libgguf.quantize_requires_imatrix(int(kind)) else None
            data = libgguf.quantize_rows(values, int(kind), equal).tobytes()
        else:
            data = gguf.quants.quantize(values, kind).tobytes()
        self.tensors.append(Tensor(name, tuple(values.shape), int(kind), data))
        return self

    def header(self) -> bytes:
        keys = self.metadata
        if self.alignment != 32 and not any(key == "general.alignment" for key, _, _ in keys):
            keys = [*keys, ("general.alignment", TYPE_IDS["u32"], struct.pack("<I", self.alignment))]
        n_tensors = len(self.tensors) if self.n_tensors is None else self.n_tensors
        n_keys = len(keys) if self.n_keys is None else self.n_keys
        out = [b"GGUF", struct.pack("<IQQ", self.version, n_tensors, n_keys)]
        out += [pack_string(key) + struct.pack("<I", type_id) + payload for key, type_id, payload in keys]
        offset = 0
        for t in self.tensors:
            dims = struct.pack(f"<I{len(t.shape)}Q", len(t.shape), *reversed(t.shape))
            at = offset if t.offset is None else t.offset
            out.append(pack_string(t.name) + dims + struct.pack("<IQ", t.type_id, at))
            offset += self._padded(len(t.data))
        return b"".join(out)

    def build(self) -> bytes:
        header = self.header()
        if not self.tensors:
            return header
        body = b"".join(t.data.ljust(self._padded(len(t.data)), b"\0") for t in self.tensors)
        return header.ljust(self._padded(len(header)), b"\0") + body

    def write(self, path: Path) -> Path:
        path.write_bytes(self.build())
        return path

    def write_split(self, directory: Path, stem: str, count: int) -> list[Path]:
        """The same model in `count` shards as llama.cpp's gguf-split writes them: all metadata in the first."""
        paths = []
        for no in range(count):
            lo, hi = (len(self.tensors) * i // count for i in (no, no + 1))
            shard = Builder(self.version, self.alignment, list(self.metadata) if no == 0 else [], self.tensors[lo:hi])
            shard.add("split.no", "u16", no).add("split.count", "u16", count)
            shard.add("split.tensors.count", "i32", len(self.tensors))
            paths.append(shard.write(directory / f"{stem}-{no + 1:05}-of-{count:05}.gguf"))
        return paths

    def _padded(self, n: int) -> int:
        return -(-n // self.alignment) * self.alignment


def byte_characters() -> list[str]:
    """GPT-2's printable stand-in for each of the 256 bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    stand_in = {byte: chr(byte) for byte in plain}
    others = [byte for byte in range(256) if byte not in stand_in]
    stand_in |= {byte: chr(256 + i) for i, byte in enumerate(others)}
    return [stand_in[byte] for byte in range(256)]


SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = (
    "Ġ t", "Ġ a", "h e", "i n", "r e", "o n", "Ġt he", "e r", "Ġ s", "a t", "Ġ w", "Ġ o", "e n", "Ġ c", "i s", "o r",
    "a n", "e s", "Ġ b", "e d", "Ġ f", "in g", "o u", "Ġ p", "Ġo f", "a l", "Ġ m", "Ġa n", "Ġan d", "Ġ in", "l l", "o w",
)  # fmt: skip


def add_tokenizer(b: Builder, *, vocab: int | None = None, pre: str = "smollm", template: str | None = None) -> int:
    """A byte-level BPE: three specials, 256 bytes, 32 merges, then unused tokens up to `vocab`. Returns its size."""
    tokens = [*SPECIALS, *byte_characters(), *(merge.replace(" ", "") for merge in MERGES)]
    kinds = [3] * len(SPECIALS) + [1] * (len(tokens) - len(SPECIALS))
    size = vocab or len(tokens)
    if size < len(tokens):
        raise ValueError(f"a vocabulary of {size} cannot hold the {len(tokens)} tokens there are")
    tokens += [f"<unused{i}>" for i in range(size - len(tokens))]
    kinds += [5] * (size - len(kinds))
    b.add("tokenizer.ggml.model", "str", "gpt2").add("tokenizer.ggml.pre", "str", pre)
    b.add("tokenizer.ggml.tokens", ["str"], tokens).add("tokenizer.ggml.token_type", ["i32"], kinds)
    b.add("tokenizer.ggml.merges", ["str"], MERGES)
    b.add("tokenizer.ggml.bos_token_id", "u32", 1).add("tokenizer.ggml.eos_token_id", "u32", 2)
    b.add("tokenizer.ggml.unknown_token_id", "u32", 0).add("tokenizer.ggml.padding_token_id", "u32", 2)
    b.add("tokenizer.ggml.add_bos_token", "bool", False).add("tokenizer.ggml.add_space_prefix", "bool", False)
    if template is not None:
        b.add("tokenizer.chat_template", "str", template)
    return size


def tiny_llama_builder(
    *,
    qtype: str = "Q8_0",
    layers: int = 2,
    hidden: int = 64,
    heads: int = 4,
    kv_heads: int = 2,
    head_dim: int | None = None,
    ff: int = 128,
    vocab: int | None = None,
    ctx: int = 512,
    seed: int = 0,
    tied: bool = True,
    rope_theta: float = 10000.0,
    rope_scaling: Mapping[str, Any] | None = None,
    rope_freqs: Sequence[float] | None = None,
    norm_eps: float = 1e-5,
    template: str | None = None,
    pre: str = "smollm",
    arch: str = "llama",
    qtypes: Mapping[str, str] | None = None,
    biases: bool | None = None,
    window: int | None = None,
    slides: Sequence[bool] | None = None,
) -> Builder:
    """A complete random model of llama's shape, not yet written.

    `rope_scaling` holds GGUF's own keys under `llama.rope.scaling.` ({"type": "linear", "factor": 4.0}, {"type":
    "yarn", "factor": 4.0, "original_context_length": 128}); `rope_freqs` becomes Llama-3's `rope_freqs.weight` tensor.
    `biases` are those of q, k and v (None: as `arch` has them). `window` is `attention.sliding_window`, `slides` the layers that have it (None: all).
    `qtypes` overrides a tensor's type by its whole name or by the last part before ".weight" ("token_embd", "ffn_up").
    """
    rng = np.random.default_rng(seed)
    b = Builder()
    head_dim = head_dim or hidden // heads
    b.add("general.architecture", "str", arch).add("general.name", "str", f"tiny random {arch}")
    b.add(f"{arch}.block_count", "u32", layers).add(f"{arch}.context_length", "u32", ctx)
    b.add(f"{arch}.embedding_length", "u32", hidden).add(f"{arch}.feed_forward_length", "u32", ff)
    b.add(f"{arch}.attention.head_count", "u32", heads).add(f"{arch}.attention.head_count_kv", "u32", kv_heads)
    b.add(f"{arch}.attention.layer_norm_rms_epsilon", "f32", norm_eps)
    b.add(f"{arch}.rope.freq_base", "f32", rope_theta).add(f"{arch}.rope.dimension_count", "u32", head_dim)
    if head_dim != hidden // heads:
        b.add(f"{arch}.attention.key_length", "u32", head_dim).add(f"{arch}.attention.value_length", "u32", head_dim)
    if window is not None:
        b.add(f"{arch}.attention.sliding_window", "u32", window)
    if slides is not None:
        b.add(f"{arch}.attention.sliding_window_pattern", ["bool"], list(slides))
    for key, value in (rope_scaling or {}).items():
        kind = "str" if isinstance(value, str) else "u32" if isinstance(value, int) else "f32"
        b.add(f"{arch}.rope.scaling.{key}", kind, value)
    size = add_tokenizer(b, vocab=vocab, pre=pre, template=template)
    b.add(f"{arch}.vocab_size", "u32", size)

    def matrix(name: str, rows: int, cols: int) -> None:
        overrides = qtypes or {}
        kind = overrides.get(name, overrides.get(name.removesuffix(".weight").rpartition(".")[2], qtype))
        b.add_tensor(name, rng.standard_normal((rows, cols), np.float32) * np.float32(cols**-0.5), kind)

    def norm(name: str) -> None:
        b.add_tensor(name, 1 + np.float32(0.1) * rng.standard_normal(hidden, np.float32))

    def bias(name: str, rows: int) -> None:
        if biases or (biases is None and arch == "qwen2"):
            b.add_tensor(name, np.float32(0.3) * rng.standard_normal(rows, np.float32))

    matrix("token_embd.weight", size, hidden)
    if rope_freqs is not None:
        b.add_tensor("rope_freqs.weight", np.asarray(rope_freqs, np.float32))
    for i in range(layers):
        norm(f"blk.{i}.attn_norm.weight")
        matrix(f"blk.{i}.attn_q.weight", heads * head_dim, hidden)
        bias(f"blk.{i}.attn_q.bias", heads * head_dim)
        matrix(f"blk.{i}.attn_k.weight", kv_heads * head_dim, hidden)
        bias(f"blk.{i}.attn_k.bias", kv_heads * head_dim)
        matrix(f"blk.{i}.attn_v.weight", kv_heads * head_dim, hidden)
        bias(f"blk.{i}.attn_v.bias", kv_heads * head_dim)
        matrix(f"blk.{i}.attn_output.weight", hidden, heads * head_dim)
        norm(f"blk.{i}.ffn_norm.weight")
        matrix(f"blk.{i}.ffn_gate.weight", ff, hidden)
        matrix(f"blk.{i}.ffn_up.weight", ff, hidden)
        matrix(f"blk.{i}.ffn_down.weight", hidden, ff)
    norm("output_norm.weight")
    if not tied:
        matrix("output.weight", size, hidden)
    return b


def tiny_llama(path: Path, **options: Any) -> Path:
    """Write `tiny_llama_builder(**options)` to `path`."""
    return tiny_llama_builder(**options).write(Path(path))
