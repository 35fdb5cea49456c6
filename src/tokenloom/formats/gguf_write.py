"""Writing a GGUF file of version 3: it appears under its name whole, or not at all.

Knows the layout of a header, and that tensors are written one after another as their bytes are made. Does not know
what the keys mean or how a tensor's bytes come about.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tokenloom.formats.draft import drafted
from tokenloom.quant.table import QuantType

ALIGNMENT = 32
"""What readers assume of a file without `general.alignment`."""


@dataclass(frozen=True, slots=True)
class NewTensor:
    """A tensor to be written. `shape` is in NumPy's order, rows first."""

    name: str
    shape: tuple[int, ...]
    qtype: QuantType

    @property
    def nbytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) // self.qtype.block * self.qtype.nbytes


Contents = Callable[[NewTensor], Iterable[npt.NDArray[np.uint8]]]
"""The bytes of a tensor, in pieces."""


def u32(value: int) -> bytes:
    """A metadata value: its type and the number."""
    return struct.pack("<II", 4, value)


def text(value: str) -> bytes:
    """A metadata value: its type and the string."""
    return struct.pack("<I", 8) + _string(value)


def write_gguf(
    path: Path,
    metadata: Mapping[str, bytes],
    tensors: Sequence[NewTensor],
    contents: Contents,
    *,
    overwrite: bool = False,
) -> int:
    """Write a model to `path` and return its size; metadata values are a type id and a value as a GGUF file has them.

    Raises RequestError where `path` is a file already, and `overwrite` is not set; see `drafted`.
    """
    with drafted(path, overwrite=overwrite) as file:
        _write(file, metadata, tensors, contents)
        return file.tell()


def _string(text: str) -> bytes:
    encoded = text.encode("utf-8", "surrogateescape")
    return struct.pack("<Q", len(encoded)) + encoded


def _write(file: BinaryIO, metadata: Mapping[str, bytes], tensors: Sequence[NewTensor], contents: Contents) -> None:
    file.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
    for key, value in metadata.items():
        file.write(_string(key) + value)
    offset = 0
    for tensor in tensors:
        dims = struct.pack(f"<I{len(tensor.shape)}Q", len(tensor.shape), *reversed(tensor.shape))
        file.write(_string(tensor.name) + dims + struct.pack("<IQ", tensor.qtype.ggml_id, offset))
        offset += -(-tensor.nbytes // ALIGNMENT) * ALIGNMENT
    for tensor in tensors:
        _pad(file)
        start = file.tell()
        for piece in contents(tensor):
            file.write(piece.data)
        if file.tell() - start != tensor.nbytes:
            raise ValueError(f"tensor {tensor.name!r} got {file.tell() - start} bytes, not {tensor.nbytes}")
    _pad(file)


def _pad(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % ALIGNMENT))
