"""Writing a packed container, piece by piece in the order of its slabs. Until the last step the file has no header and is nothing.

Knows the layout that docs/container.md defines. Does not know where the file will lie, under which name it appears, or how tiles come about.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tokenloom.formats.loom import HEADER, HUGE_PAGE, PAGE, PIECE, SEALED, VERSION
from tokenloom.formats.sniff import LOOM_MAGIC
from tokenloom.quant.layout import LAYOUT_VERSION, TileLayout, plane_bytes
from tokenloom.quant.table import BY_NAME


@dataclass(frozen=True, slots=True)
class NewSlab:
    """`nbytes` is a multiple of PAGE; what tensors leave of it is zeros."""

    name: str
    nbytes: int


@dataclass(frozen=True, slots=True)
class NewTensor:
    """`offset` counts from the slab's start. `layout` is None for a vector, whose bytes are float32 and whose type is F32."""

    name: str
    qtype: str
    shape: tuple[int, ...]
    slab: str
    offset: int
    nbytes: int
    layout: TileLayout | None


LARGE = 32 << 20
"""Bytes of data from which on they begin on a huge page: less is read as quickly, and the gap before them would be felt."""


def padded(nbytes: int) -> int:
    """Bytes that a slab of `nbytes` takes in a file."""
    return -(-nbytes // PAGE) * PAGE


class LoomWriter:
    """Takes the pieces of all slabs in order and then writes the header; metadata values are a type id and a value as a GGUF file has them."""

    def __init__(
        self, fd: int, metadata: Mapping[str, bytes], slabs: Sequence[NewSlab], tensors: Sequence[NewTensor]
    ) -> None:
        self._fd, self._slabs = fd, slabs
        self._metadata = struct.pack("<Q", len(metadata)) + b"".join(
            struct.pack("<Q", len(key.encode())) + key.encode() + value for key, value in metadata.items()
        )
        numbers = {slab.name: number for number, slab in enumerate(slabs)}
        self._tensors = [_tensor_row(tensor, numbers[tensor.slab]) for tensor in tensors]
        self._checksums: list[list[int]] = [[0] * -(-slab.nbytes // PIECE) for slab in slabs]
        before, data = HEADER.size + len(self._metadata) + len(self._tables(0)), sum(slab.nbytes for slab in slabs)
        self._alignment = HUGE_PAGE if data >= LARGE else PAGE
        self.data_start = -(-before // self._alignment) * self._alignment
        self.nbytes = self.data_start + data
        self._due = list(self._pieces())
        self._at = self.data_start

    def _pieces(self) -> Iterator[tuple[int, int, int, int]]:
        for number, slab in enumerate(self._slabs):
            for piece, start in enumerate(range(0, slab.nbytes, PIECE)):
                yield number, piece, start, min(PIECE, slab.nbytes - start)

    def pieces(self) -> Iterator[tuple[str, int, int]]:
        """(slab, first byte within it, bytes) of every piece that is still due, in order."""
        for number, _, start, nbytes in self._due:
            yield self._slabs[number].name, start, nbytes

    def write(self, data: npt.NDArray[np.uint8]) -> None:
        """The next piece."""
        number, piece, _, nbytes = self._due[0]
        if data.nbytes != nbytes:
            raise ValueError(f"slab {self._slabs[number].name!r}: piece {piece} is {nbytes} bytes, not {data.nbytes}")
        self._checksums[number][piece] = zlib.crc32(data.data)
        _write_at(self._fd, data.data, self._at)
        self._at += nbytes
        del self._due[0]

    def finish(self) -> None:
        """Metadata, tables and, last of all, the header: now it is a container."""
        if self._due:
            raise ValueError(f"{len(self._due)} pieces were never written")
        tables = self._tables(self.data_start)
        rest = (self._metadata + tables).ljust(self.data_start - HEADER.size, b"\0")
        head = HEADER.pack(
            LOOM_MAGIC, VERSION, LAYOUT_VERSION, self.nbytes, len(self._metadata), len(tables), len(self._slabs), len(self._tensors),
            self._alignment, bytes(32),
        )[:SEALED]  # fmt: skip
        seal = hashlib.sha256(head)
        seal.update(rest)
        _write_at(self._fd, memoryview(rest), HEADER.size)
        _write_at(self._fd, memoryview(head + seal.digest()), 0)

    def _tables(self, offset: int) -> bytes:
        rows = []
        for slab, checksums in zip(self._slabs, self._checksums, strict=True):
            rows.append(_name(slab.name) + struct.pack(f"<QQ{len(checksums)}I", offset, slab.nbytes, *checksums))
            offset += slab.nbytes
        return b"".join(rows + self._tensors)


def _write_at(fd: int, view: memoryview, offset: int) -> None:
    done = 0
    while done < len(view):
        done += os.pwrite(fd, view[done : done + (1 << 30)], offset + done)


def _name(text: str) -> bytes:
    encoded = text.encode("utf-8")
    return struct.pack("<H", len(encoded)) + encoded


def _tensor_row(tensor: NewTensor, slab: int) -> bytes:
    planes: list[tuple[str, int, int]] = []
    if tensor.layout is not None:
        blocks = tensor.shape[-1] // BY_NAME[tensor.qtype].block
        planes = [(name, tensor.layout.planes[name], nbytes * blocks) for name, nbytes in plane_bytes(tensor.qtype)]
    shape = struct.pack(f"<IB{len(tensor.shape)}Q", BY_NAME[tensor.qtype].ggml_id, len(tensor.shape), *tensor.shape)
    place = struct.pack("<IQQ", slab, tensor.offset, tensor.nbytes)
    tile = struct.pack("<QB", tensor.layout.stride if tensor.layout else 0, len(planes))
    rows = b"".join(_name(name) + struct.pack("<QQ", offset, nbytes) for name, offset, nbytes in planes)
    return _name(tensor.name) + shape + place + tile + rows
