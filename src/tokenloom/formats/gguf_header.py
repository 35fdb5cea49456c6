"""The header of one GGUF file: metadata and the table of tensors, read as if its author wished us harm.

Knows the layout of versions 2 and 3, and checks every length, count, type, dimension and offset against the bytes the
file has before it allocates for it. Does not know splits (`gguf`), what a key means, or how to compute with a tensor.
"""

from __future__ import annotations

import os
import struct
from array import array
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.formats.sniff import identify
from tokenloom.formats.strings import StringArray
from tokenloom.quant.table import QTYPES, REMOVED, QuantType

DAMAGED = "the file is damaged or was cut short; download it again"

CHUNK = 1 << 20
MAX_HEADER = 1 << 28
"""Most bytes of metadata and tensor table (the largest vocabularies take 30 MiB): bounds time as well as memory."""
MAX_OBJECTS = 1 << 16
"""Most keys + tensors + arrays within arrays: each costs far more memory than its few bytes in the file."""
MAX_TEXT = 1 << 24
"""What strings outside arrays may take once decoded, beyond the file's size: wide ones take four times their bytes."""
MAX_DEPTH = 4
MAX_DIMS = 4
MAX_ALIGNMENT = 1 << 20
DEFAULT_ALIGNMENT = 32

_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
_BOOL, _STRING, _ARRAY = 7, 8, 9
_TYPE_NAMES = ("u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64")
_LETTERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 10: "Q", 11: "q", 12: "d"}
_SCALARS = {type_id: struct.Struct("<" + letter) for type_id, letter in _LETTERS.items()}
_DTYPES: dict[int, np.dtype[Any]] = {type_id: np.dtype("<" + letter) for type_id, letter in _LETTERS.items()}
_DTYPES[_BOOL] = np.dtype(np.uint8)
_SMALLEST = {**{type_id: dtype.itemsize for type_id, dtype in _DTYPES.items()}, _STRING: 8, _ARRAY: 12}
"""Fewest bytes a value of each type can take: what a count is checked against."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """Where a tensor lies. `shape` is in NumPy's order, rows first; `offset` counts from the start of its shard."""

    name: str
    shape: tuple[int, ...]
    qtype: QuantType
    shard: int
    offset: int
    nbytes: int

    @property
    def elements(self) -> int:
        count = 1
        for dim in self.shape:
            count *= dim
        return count

    @property
    def row_nbytes(self) -> int:
        """Bytes of one row, a row being the last axis."""
        return self.shape[-1] // self.qtype.block * self.qtype.nbytes


@dataclass(frozen=True, slots=True)
class Header:
    version: int
    alignment: int
    metadata: dict[str, Any]
    tensors: dict[str, TensorInfo]
    data_start: int

    def as_shard(self, number: int) -> Header:
        return replace(self, tensors={name: replace(info, shard=number) for name, info in self.tensors.items()})


class _Cursor:
    """The header's bytes, read ahead in chunks; `need` is the one gate through which every byte passes."""

    def __init__(self, fd: int, path: str, size: int) -> None:
        self.fd, self.path, self.size = fd, path, size
        self.data = bytearray()
        self.pos = 0
        self.objects = 0
        self.decoded = 0

    def fail(self, field: str, found: str, remedy: str = DAMAGED) -> NoReturn:
        raise FormatError(f"{self.path}: {field}: {found}; {remedy}")

    @property
    def remaining(self) -> int:
        return self.size - self.pos

    def need(self, n: int, field: str) -> None:
        """Have `n` bytes from `pos` on in `data`, or say that the file does not hold them."""
        end = self.pos + n
        if end <= len(self.data):
            return
        if end > self.size:
            self.fail(field, f"needs {n} bytes at offset {self.pos}, and the file ends after {self.remaining}")
        if end > MAX_HEADER:
            self.fail(field, f"reaches offset {end}, beyond the {MAX_HEADER} bytes a header may take")
        while len(self.data) < end:
            chunk = os.pread(self.fd, min(CHUNK, self.size - len(self.data)), len(self.data))
            if not chunk:
                self.fail(field, f"the file shrank to {len(self.data)} bytes while it was read")
            self.data += chunk

    def take(self, n: int, field: str) -> int:
        """Step over `n` bytes that are there; where they begin."""
        self.need(n, field)
        start = self.pos
        self.pos = start + n
        return start

    def u32(self, field: str) -> int:
        start = self.take(4, field)
        value: int = _U32.unpack_from(self.data, start)[0]
        return value

    def u64(self, field: str) -> int:
        start = self.take(8, field)
        value: int = _U64.unpack_from(self.data, start)[0]
        return value

    def count(self, field: str, smallest: int) -> int:
        """A count of things of at least `smallest` bytes each, which therefore must fit in what is left of the file."""
        count = self.u64(field)
        if count * smallest > self.remaining:
            self.fail(
                field, f"says {count}, at least {count * smallest} bytes, and {self.remaining} remain in the file"
            )
        return count

    def text(self, field: str) -> bytearray:
        """The bytes of a string that is going to be decoded, charged for what it can take then."""
        length = self.u64(f"{field}: length")
        start = self.take(length, field)
        encoded = self.data[start : start + length]
        self.decoded += length if encoded.isascii() else 4 * length
        if self.decoded > self.size + MAX_TEXT:
            self.fail(field, f"brings the text outside arrays to {self.decoded} bytes once decoded, more than is sane")
        return encoded

    def string(self, field: str) -> str:
        return self.text(field).decode("utf-8", "surrogateescape")

    def name(self, field: str) -> str:
        """A string that other things are looked up by: valid UTF-8, not empty."""
        encoded = self.text(field)
        try:
            name = encoded.decode("utf-8")
        except UnicodeDecodeError:
            self.fail(field, f"{bytes(encoded[:40])!r} is not UTF-8")
        if not name:
            self.fail(field, "is empty")
        return name

    def objects_made(self, n: int, field: str) -> None:
        self.objects += n
        if self.objects > MAX_OBJECTS:
            self.fail(
                field, f"brings the keys, tensors and nested arrays to {self.objects}; at most {MAX_OBJECTS} may be"
            )

    def strings(self, count: int, field: str) -> StringArray:
        """Walk `count` strings. The loop is written out: vocabularies have 150,000, and a call for each takes 0.1 s."""
        starts = array("I")
        append, length_at = starts.append, _U64.unpack_from
        data, pos, end = self.data, self.pos, len(self.data)
        for index in range(count):
            if pos + 8 > end:
                self.pos = pos
                self.need(8, f"{field}[{index}]: length")
                end = len(data)
            after = pos + 8 + length_at(data, pos)[0]
            if after > end:
                self.pos = pos + 8
                self.need(after - self.pos, f"{field}[{index}]")
                end = len(data)
            append(pos)
            pos = after
        self.pos = pos
        return StringArray(data, starts)


def read_header(fd: int, path: str, size: int) -> Header:
    cursor = _Cursor(fd, path, size)
    version = _read_version(cursor)
    n_tensors = cursor.count("tensor count", 32)
    n_keys = cursor.count("metadata count", 14)
    cursor.objects_made(n_tensors, "tensor count")
    cursor.objects_made(n_keys, "metadata count")
    metadata = _read_metadata(cursor, n_keys)
    alignment = _alignment(cursor, metadata)
    rows = [_read_tensor(cursor, index, alignment) for index in range(n_tensors)]
    data_start = -(-cursor.pos // alignment) * alignment
    tensors = _place(cursor, rows, data_start)
    del cursor.data[cursor.pos :]  # the string arrays keep these bytes; what was read ahead is let go
    return Header(version, alignment, metadata, tensors, data_start)


def raw_metadata(fd: int, path: str, size: int) -> dict[str, bytes]:
    """Every key's type and value as the file has them, for writing them again."""
    cursor = _Cursor(fd, path, size)
    _read_version(cursor)
    cursor.count("tensor count", 32)
    raw: dict[str, bytes] = {}
    for index in range(cursor.count("metadata count", 14)):
        key = cursor.name(f"metadata key {index}")
        start = cursor.pos
        _read_value(cursor, cursor.u32(f"metadata {key!r}: type"), f"metadata {key!r}")
        raw[key] = bytes(memoryview(cursor.data)[start : cursor.pos])
    return raw


def metadata_section(data: bytearray, path: str) -> dict[str, Any]:
    """The metadata of a file that keeps them by themselves: a 64-bit count, then keys and values as in a GGUF header. Takes `data` over."""
    cursor = _Cursor(-1, path, len(data))
    cursor.data = data
    n_keys = cursor.count("metadata count", 14)
    cursor.objects_made(n_keys, "metadata count")
    metadata = _read_metadata(cursor, n_keys)
    if cursor.remaining:
        cursor.fail("metadata", f"{cursor.remaining} bytes are left over after {n_keys} keys")
    return metadata


def _read_version(cursor: _Cursor) -> int:
    if cursor.size == 0:
        cursor.fail("size", "the file is empty", "download it again")
    head = os.pread(cursor.fd, 512, 0)
    if not head.startswith(b"GGUF"):
        if b"GGUF".startswith(head):
            cursor.fail("magic", f"the file ends after {len(head)} bytes")
        what, remedy = identify(head)
        cursor.fail("magic", f"this is {what}, not a GGUF file", remedy)
    cursor.take(4, "magic")
    version = cursor.u32("version")
    if version in (2, 3):
        return version
    if version == 0:
        cursor.fail("version", "found 0")
    if version == 1:
        raise UnsupportedError(f"{cursor.path}: GGUF version 1 is not read; convert the model to version 3 again")
    if version & 0xFFFF == 0:
        raise UnsupportedError(
            f"{cursor.path}: byte-swapped (big-endian) GGUF is not read; convert the model for little-endian machines"
        )
    raise UnsupportedError(f"{cursor.path}: GGUF version {version} is not read; versions 2 and 3 are")


def _read_metadata(cursor: _Cursor, n_keys: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for index in range(n_keys):
        key = cursor.name(f"metadata key {index} of {n_keys}")
        if key in metadata:
            cursor.fail(f"metadata key {index} of {n_keys}", f"{key!r} appears twice")
        field = f"metadata {key!r}"
        metadata[key] = _read_value(cursor, cursor.u32(f"{field}: type"), field)
    return metadata


def _read_value(cursor: _Cursor, type_id: int, field: str) -> Any:
    if scalar := _SCALARS.get(type_id):
        start = cursor.take(scalar.size, field)
        return scalar.unpack_from(cursor.data, start)[0]
    if type_id == _BOOL:
        start = cursor.take(1, field)
        byte = cursor.data[start]
        if byte > 1:
            cursor.fail(field, f"a bool is 0 or 1, found {byte}")
        return byte == 1
    if type_id == _STRING:
        return cursor.string(field)
    if type_id == _ARRAY:
        return _read_array(cursor, field, depth=1)
    return cursor.fail(f"{field}: type", f"found type {type_id}; the types are 0 (u8) to {len(_TYPE_NAMES) - 1} (f64)")


def _read_array(cursor: _Cursor, field: str, depth: int) -> Any:
    type_id = cursor.u32(f"{field}: element type")
    if type_id not in _SMALLEST:
        last = len(_TYPE_NAMES) - 1
        cursor.fail(f"{field}: element type", f"found type {type_id}; the types are 0 (u8) to {last} (f64)")
    count = cursor.count(f"{field}: {_TYPE_NAMES[type_id]} count", _SMALLEST[type_id])
    if type_id == _STRING:
        return cursor.strings(count, field)
    if type_id == _ARRAY:
        if depth == MAX_DEPTH:
            cursor.fail(field, f"arrays nested more than {MAX_DEPTH} deep")
        cursor.objects_made(count, field)
        return [_read_array(cursor, f"{field}[{index}]", depth + 1) for index in range(count)]
    dtype = _DTYPES[type_id]
    start = cursor.take(count * dtype.itemsize, field)
    values = np.frombuffer(bytes(memoryview(cursor.data)[start : cursor.pos]), dtype)
    if type_id != _BOOL:
        return values
    if count and values.max() > 1:
        cursor.fail(field, f"a bool is 0 or 1, found {values.max()}")
    return values.view(np.bool_)


def _alignment(cursor: _Cursor, metadata: dict[str, Any]) -> int:
    value = metadata.get("general.alignment", DEFAULT_ALIGNMENT)
    if type(value) is not int or value < 8 or value > MAX_ALIGNMENT or value & (value - 1):
        cursor.fail("general.alignment", f"found {value!r}; it must be a power of two from 8 to {MAX_ALIGNMENT}")
    return value


def _read_tensor(cursor: _Cursor, index: int, alignment: int) -> tuple[str, tuple[int, ...], QuantType, int, int]:
    """One row of the table: name, shape, type, offset within the data, bytes."""
    name = cursor.name(f"name of tensor {index}")
    field = f"tensor {name!r}"
    n_dims = cursor.u32(f"{field}: number of dimensions")
    if not 1 <= n_dims <= MAX_DIMS:
        cursor.fail(f"{field}: number of dimensions", f"found {n_dims}; 1 to {MAX_DIMS} are possible")
    dims = [cursor.u64(f"{field}: dimension {i}") for i in range(n_dims)]
    type_id = cursor.u32(f"{field}: type")
    offset = cursor.u64(f"{field}: offset")
    qtype = QTYPES.get(type_id)
    if qtype is None:
        known = f" ({REMOVED[type_id]}, which ggml has removed)" if type_id in REMOVED else ""
        raise UnsupportedError(
            f"{cursor.path}: {field} has type {type_id}{known}, which tokenloom does not know; "
            f"use a file quantized to {', '.join(t.name for t in QTYPES.values() if t.supported)}"
        )
    elements = 1
    for i, dim in enumerate(dims):
        if dim == 0:
            cursor.fail(f"{field}: dimension {i}", "found 0")
        elements *= dim
    if dims[0] % qtype.block:
        cursor.fail(
            f"{field}: dimension 0", f"{dims[0]} is not a multiple of the {qtype.block} of a {qtype.name} block"
        )
    nbytes = elements // qtype.block * qtype.nbytes
    if nbytes > cursor.size:
        cursor.fail(f"{field}: dimensions", f"{dims} of {qtype.name} take {nbytes} bytes; the file has {cursor.size}")
    if offset % alignment:
        cursor.fail(f"{field}: offset", f"{offset} is not a multiple of the alignment {alignment}")
    return name, tuple(reversed(dims)), qtype, offset, nbytes


def _place(
    cursor: _Cursor, rows: list[tuple[str, tuple[int, ...], QuantType, int, int]], data_start: int
) -> dict[str, TensorInfo]:
    """The tensors by name, each within the file and none on another's bytes."""
    tensors: dict[str, TensorInfo] = {}
    for name, shape, qtype, offset, nbytes in rows:
        if name in tensors:
            cursor.fail(f"tensor {name!r}", "appears twice")
        start = data_start + offset
        if start + nbytes > cursor.size:
            cursor.fail(f"tensor {name!r}", f"its data end at byte {start + nbytes}; the file has {cursor.size}")
        tensors[name] = TensorInfo(name, shape, qtype, 0, start, nbytes)
    in_order = sorted(tensors.values(), key=lambda t: t.offset)
    for before, after in pairwise(in_order):
        if before.offset + before.nbytes > after.offset:
            cursor.fail(f"tensor {after.name!r}: offset", f"its data overlap those of {before.name!r}")
    return tensors
