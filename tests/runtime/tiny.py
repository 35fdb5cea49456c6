"""Tiny models that do what a test wants: random ones, ones that recite, and damaged ones.

Knows the synthetic files of tests/formats. Knows nothing of the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.formats.gguf_build import SPECIALS, Builder, tiny_llama_builder

EOS = 2


def byte_id(byte: int | str) -> int:
    """The token of one byte in a synthetic vocabulary."""
    return len(SPECIALS) + (ord(byte) if isinstance(byte, str) else byte)


def ids_of(data: bytes) -> list[int]:
    return [byte_id(b) for b in data]


def values(b: Builder, name: str) -> np.ndarray:
    """A writable copy of an F32 tensor of a builder."""
    tensor = next(t for t in b.tensors if t.name == name)
    return np.frombuffer(tensor.data, np.float32).reshape(tensor.shape).copy()


def put(b: Builder, name: str, array: np.ndarray) -> None:
    next(t for t in b.tensors if t.name == name).data = array.astype(np.float32).tobytes()


def reciter(path: Path, follows: Mapping[int, int], **options: Any) -> Path:
    """A model that says `follows[t]` after token t: its layers add nothing, and its head looks for the last token's embedding."""
    b = tiny_llama_builder(**{"qtype": "F32", "tied": False, "ctx": 128, **options})
    for t in b.tensors:
        if str(t.name).endswith(("attn_output.weight", "ffn_down.weight")):
            t.data = bytes(len(t.data))
    put(b, "output_norm.weight", np.ones_like(values(b, "output_norm.weight")))
    table = values(b, "token_embd.weight")
    head = np.zeros_like(table)
    for token, successor in follows.items():
        head[successor] += table[token] / np.linalg.norm(table[token])
    put(b, "output.weight", head)
    return b.write(path)


def in_a_circle(data: bytes) -> dict[int, int]:
    """Bytes, each once, that follow one another for ever."""
    assert len(set(data)) == len(data)
    return {byte_id(a): byte_id(b) for a, b in zip(data, data[1:] + data[:1], strict=True)}


def poisoned(path: Path, token: int, value: float, *, qtype: str = "F32", **options: Any) -> Path:
    """A random model that is sound but for one token, whose embedding holds `value`."""
    options = {"tied": False, "qtype": qtype, "qtypes": {"token_embd": "F32"}, **options}
    b = tiny_llama_builder(**options)
    table = values(b, "token_embd.weight")
    table[token, 5] = value
    put(b, "token_embd.weight", table)
    return b.write(path)
