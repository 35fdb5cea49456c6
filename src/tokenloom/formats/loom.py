"""Packed containers (`.loom`): weights as kernels read them, with the metadata that makes them a model. Reading, as if the author wished us harm.

Knows the layout that docs/container.md defines, and checks every count, length, offset and product against the bytes that are there before it
allocates for it. Does not know what a key or a tensor is for, or how tiles come about.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from tokenloom.errors import ClosedError, FormatError, UnsupportedError
from tokenloom.formats.gguf_header import MAX_HEADER, MAX_OBJECTS, TensorInfo, metadata_section
from tokenloom.formats.shard import OpenShards, Shard, open_shard
from tokenloom.formats.sniff import LOOM_MAGIC, identify
from tokenloom.quant.layout import LAYOUT_VERSION, LINE, PACKED, ROWS, TileLayout, layout, plane_bytes
from tokenloom.quant.table import BY_NAME, QTYPES

VERSION = 2
"""Of the container. The version of the tiles in it is `quant.layout.LAYOUT_VERSION`."""
PAGE = 4096
"""Slabs begin and end on multiples of this."""
HUGE_PAGE = 2 << 20
"""The data of a large file begin on a multiple of this, so that a mapping of it may use huge pages."""
PIECE = 32 << 20
"""Bytes of a slab that have a checksum of their own; a slab's last piece may be shorter."""
HEADER = struct.Struct("<8s II QQQ III 12x 32s")
"""magic, container version, layout version, file bytes, metadata bytes, table bytes, slabs, tensors, alignment of the data, sha256 of everything
before the data."""
SEALED = HEADER.size - 32
"""Bytes of the header that its sha256 covers."""

DAMAGED = "the file is damaged or was cut short; make it again with `tokenloom convert`"
_AGAIN = "make the file again from its GGUF file with `tokenloom convert`"
_LEAST_SLAB, _LEAST_TENSOR = 22, 48


@dataclass(frozen=True, slots=True)
class LoomSlab:
    """`offset` counts from the start of the file."""

    name: str
    offset: int
    nbytes: int
    checksums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """What one checksum covers: `nbytes` of the file from `offset` on, all of one slab."""

    slab: str
    offset: int
    nbytes: int
    checksum: int


@dataclass(frozen=True, slots=True)
class LoomTensor:
    """Where a tensor lies within its slab. `layout` is None for vectors, which are plain float32."""

    slab: str
    offset: int
    nbytes: int
    layout: TileLayout | None


class LoomFile(OpenShards):
    """An open container. Reading is safe from several threads at once. `metadata` is as in `GGUFFile`."""

    def __init__(
        self, shard: Shard, metadata: dict[str, Any], data_start: int, slabs: dict[str, LoomSlab],
        tensors: dict[str, TensorInfo], placed: dict[str, LoomTensor],
    ) -> None:  # fmt: skip
        self.path = shard.path
        self.metadata, self.data_start = metadata, data_start
        self.slabs, self.tensors, self.placed = slabs, tensors, placed
        super().__init__([shard])

    @property
    def format(self) -> str:
        return f"loom v{VERSION}, tiles v{LAYOUT_VERSION}"

    def pieces(self) -> Iterator[Piece]:
        """All of the data, in order."""
        for slab in self.slabs.values():
            for number, checksum in enumerate(slab.checksums):
                start = number * PIECE
                yield Piece(slab.name, slab.offset + start, min(PIECE, slab.nbytes - start), checksum)

    def read_pieces(self, pieces: Sequence[Piece], out: npt.NDArray[np.uint8]) -> None:
        """Fill `out` with neighbouring pieces and check them. Raises FormatError naming the slab that is damaged."""
        if self._closed:
            raise ClosedError(f"{self.path}: read of slab {pieces[0].slab!r} after close()")
        view, field = out.data, f"slab {pieces[0].slab!r}"
        if sum(piece.nbytes for piece in pieces) != len(view):
            raise ValueError(f"{field}: {len(view)} bytes are not what the pieces take")
        self.shards[0].read_into(view, pieces[0].offset, field, DAMAGED)
        self.check_pieces(pieces, view)

    def check_pieces(self, pieces: Sequence[Piece], view: memoryview) -> None:
        """Raises FormatError where `view` is not what the neighbouring `pieces` were written as, naming the slab."""
        at = 0
        for piece in pieces:
            found = zlib.crc32(view[at : at + piece.nbytes])
            if found != piece.checksum:
                _fail(
                    self.path, f"slab {piece.slab!r}",
                    f"bytes {piece.offset} to {piece.offset + piece.nbytes} have the checksum {found:08x}, not {piece.checksum:08x}",
                )  # fmt: skip
            at += piece.nbytes


def open_loom(path: str | os.PathLike[str]) -> LoomFile:
    """Open a container. Raises FormatError naming a damaged field, UnsupportedError for another version."""
    given = Path(os.fspath(path))
    shard = open_shard(given, ".loom")
    try:
        return _read(shard)
    except BaseException:
        os.close(shard.fd)
        raise


def _fail(path: Path, field: str, found: str, remedy: str = DAMAGED) -> NoReturn:
    raise FormatError(f"{path}: {field}: {found}; {remedy}")


@dataclass(frozen=True, slots=True)
class _Header:
    raw: bytearray
    metadata_bytes: int
    table_bytes: int
    slabs: int
    tensors: int
    alignment: int
    digest: bytes

    @property
    def data_start(self) -> int:
        return -(-(HEADER.size + self.metadata_bytes + self.table_bytes) // self.alignment) * self.alignment


def _read(shard: Shard) -> LoomFile:
    path, header = shard.path, _read_header(shard)
    metadata = bytearray(header.metadata_bytes)
    rest = bytearray(header.data_start - HEADER.size - header.metadata_bytes)
    shard.read_into(memoryview(metadata), HEADER.size, "metadata", DAMAGED)
    shard.read_into(memoryview(rest), HEADER.size + header.metadata_bytes, "tables", DAMAGED)
    seal = hashlib.sha256(memoryview(header.raw)[:SEALED])
    seal.update(metadata)
    seal.update(rest)
    if seal.digest() != header.digest:
        _fail(path, "header sha256", "the header, metadata and tables are not those that were written")
    table = _Table(path, bytes(memoryview(rest)[: header.table_bytes]))
    slabs = _read_slabs(table, header.slabs, header.data_start, shard.size)
    tensors, placed = _read_tensors(table, header.tensors, list(slabs.values()))
    return LoomFile(shard, metadata_section(metadata, str(path)), header.data_start, slabs, tensors, placed)


def _read_header(shard: Shard) -> _Header:
    """The header, whose counts and lengths fit the file."""
    path, size = shard.path, shard.size
    begins = os.pread(shard.fd, 512, 0)
    if not begins:
        _fail(path, "size", "the file is empty")
    if not begins.startswith(LOOM_MAGIC):
        _not_a_container(path, begins)
    if size < HEADER.size:
        _fail(path, "header", f"takes {HEADER.size} bytes, and the file has {size}")
    raw = bytearray(HEADER.size)
    shard.read_into(memoryview(raw), 0, "header", DAMAGED)
    _, version, tiles, file_bytes, metadata_bytes, table_bytes, slabs, tensors, alignment, digest = HEADER.unpack(raw)
    header = _Header(raw, metadata_bytes, table_bytes, slabs, tensors, alignment, digest)
    _check_versions(path, version, tiles)
    if alignment not in (PAGE, HUGE_PAGE):
        _fail(path, "data alignment", f"found {alignment}; {PAGE} and {HUGE_PAGE} are possible")
    if file_bytes != size:
        _fail(path, "file bytes", f"the header says {file_bytes}, and the file has {size}")
    if header.data_start > min(size, MAX_HEADER):
        most = f"{size} of the file" if size < MAX_HEADER else f"{MAX_HEADER} that are read"
        _fail(path, "metadata bytes, table bytes", f"{metadata_bytes} and {table_bytes} are more than the {most}")
    if slabs + tensors > MAX_OBJECTS or slabs * _LEAST_SLAB + tensors * _LEAST_TENSOR > table_bytes:
        _fail(path, "slab count, tensor count", f"{slabs} and {tensors} do not fit the tables' {table_bytes} bytes")
    if raw[SEALED - 12 : SEALED].strip(b"\0"):
        _fail(path, "header: reserved bytes", "are not all 0")
    return header


def _not_a_container(path: Path, head: bytes) -> NoReturn:
    if LOOM_MAGIC.startswith(head):
        _fail(path, "magic", f"the file ends after {len(head)} bytes")
    what, remedy = identify(head)
    _fail(path, "magic", f"this is {what}, not a packed container", remedy)


def _check_versions(path: Path, version: int, tiles: int) -> None:
    if version != VERSION:
        raise UnsupportedError(f"{path}: container version {version} is not read; version {VERSION} is: {_AGAIN}")
    if tiles != LAYOUT_VERSION:
        raise UnsupportedError(
            f"{path}: layout version {tiles} is not read; this tokenloom computes with version {LAYOUT_VERSION}: {_AGAIN}"
        )


class _Table:
    """The bytes of both tables; `take` is the one gate through which every byte passes."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data, self.at = path, data, 0

    def fail(self, field: str, found: str) -> NoReturn:
        _fail(self.path, field, found)

    def take(self, nbytes: int, field: str) -> bytes:
        if nbytes > len(self.data) - self.at:
            self.fail(field, f"needs {nbytes} bytes, and the tables end after {len(self.data) - self.at}")
        self.at += nbytes
        return self.data[self.at - nbytes : self.at]

    def number(self, nbytes: int, field: str) -> int:
        return int.from_bytes(self.take(nbytes, field), "little")

    def name(self, field: str) -> str:
        encoded = self.take(self.number(2, f"{field}: length"), field)
        try:
            name = encoded.decode("utf-8")
        except UnicodeDecodeError:
            self.fail(field, f"{encoded[:40]!r} is not UTF-8")
        if not name:
            self.fail(field, "is empty")
        return name


def _read_slabs(table: _Table, count: int, data_start: int, size: int) -> dict[str, LoomSlab]:
    """The slabs, one after another from the data's start to the file's end."""
    slabs: dict[str, LoomSlab] = {}
    due = data_start
    for index in range(count):
        name = table.name(f"name of slab {index}")
        field = f"slab {name!r}"
        if name in slabs:
            table.fail(field, "appears twice")
        offset, nbytes = table.number(8, f"{field}: offset"), table.number(8, f"{field}: bytes")
        if offset != due:
            table.fail(f"{field}: offset", f"found {offset}; it must be {due}, where the bytes before it end")
        if nbytes == 0 or nbytes % PAGE or nbytes > size - offset:
            table.fail(f"{field}: bytes", f"found {nbytes}; a multiple of {PAGE} up to {size - offset} is possible")
        pieces = -(-nbytes // PIECE)
        checksums = struct.unpack(f"<{pieces}I", table.take(4 * pieces, f"{field}: checksums"))
        slabs[name] = LoomSlab(name, offset, nbytes, checksums)
        due = offset + nbytes
    if due != size:
        table.fail("slabs", f"end at byte {due}; the file has {size}")
    return slabs


def _read_tensors(
    table: _Table, count: int, slabs: list[LoomSlab]
) -> tuple[dict[str, TensorInfo], dict[str, LoomTensor]]:
    """The tensors by name, and where each lies; none on another's bytes."""
    tensors: dict[str, TensorInfo] = {}
    places: dict[str, LoomTensor] = {}
    for index in range(count):
        name = table.name(f"name of tensor {index}")
        field = f"tensor {name!r}"
        if name in tensors:
            table.fail(field, "appears twice")
        tensors[name], places[name] = _read_tensor(table, name, field, slabs)
    if table.at != len(table.data):
        table.fail("tables", f"{len(table.data) - table.at} bytes are left over after {count} tensors")
    in_order = sorted(tensors.values(), key=lambda t: t.offset)
    for before, after in pairwise(in_order):
        if before.offset + before.nbytes > after.offset:
            table.fail(f"tensor {after.name!r}: offset", f"its data overlap those of {before.name!r}")
    return tensors, places


def _read_tensor(table: _Table, name: str, field: str, slabs: list[LoomSlab]) -> tuple[TensorInfo, LoomTensor]:
    qtype = QTYPES.get(table.number(4, f"{field}: type"))
    if qtype is None or qtype.name not in PACKED:
        table.fail(f"{field}: type", f"no type that is packed; those are {', '.join(PACKED)}")
    n_dims = table.number(1, f"{field}: number of dimensions")
    if n_dims not in (1, 2):
        table.fail(f"{field}: number of dimensions", f"found {n_dims}; a vector has 1, a matrix 2")
    shape = tuple(table.number(8, f"{field}: dimension {i}") for i in range(n_dims))
    if not all(shape):
        table.fail(f"{field}: dimensions", f"found {list(shape)}; none may be 0")
    number = table.number(4, f"{field}: slab")
    if number >= len(slabs):
        table.fail(f"{field}: slab", f"found {number}; there are {len(slabs)}")
    slab = slabs[number]
    offset, nbytes = table.number(8, f"{field}: offset"), table.number(8, f"{field}: bytes")
    tiles = _read_planes(table, field, qtype.name, shape)
    if n_dims == 1:
        due = -(-4 * shape[0] // LINE) * LINE
    else:
        assert tiles is not None
        due = tiles.stride * -(-shape[0] // ROWS)
    if nbytes != due:
        table.fail(f"{field}: bytes", f"found {nbytes}; {list(shape)} of {qtype.name} takes {due}")
    if offset % LINE or offset + nbytes > slab.nbytes:
        table.fail(
            f"{field}: offset",
            f"found {offset} for {nbytes} bytes; a multiple of {LINE} within the {slab.nbytes} bytes of slab {slab.name!r} is possible",
        )
    info = TensorInfo(name, shape, qtype, 0, slab.offset + offset, nbytes)
    return info, LoomTensor(slab.name, offset, nbytes, tiles)


def _read_planes(table: _Table, field: str, qtype: str, shape: tuple[int, ...]) -> TileLayout | None:
    """The planes of a tile as the file states them, which must be those that the kernels read."""
    stride, count = table.number(8, f"{field}: tile bytes"), table.number(1, f"{field}: number of planes")
    stated = []
    for index in range(count):
        plane = table.name(f"{field}: name of plane {index}")
        stated.append(
            (plane, table.number(8, f"{field}: plane {plane!r}"), table.number(8, f"{field}: plane {plane!r}"))
        )
    if len(shape) == 1:
        if qtype != "F32" or stride or stated:
            table.fail(f"{field}: planes", "a vector is F32 and has no tiles")
        return None
    block = BY_NAME[qtype].block
    if shape[1] % block:
        table.fail(f"{field}: dimension 1", f"{shape[1]} is not a multiple of the {block} of a {qtype} block")
    tiles = layout(qtype, shape[1])
    due = [(plane, tiles.planes[plane], nbytes * (shape[1] // block)) for plane, nbytes in plane_bytes(qtype)]
    if stride != tiles.stride or stated != due:
        table.fail(
            f"{field}: planes", f"found {stated} in tiles of {stride} bytes; {qtype} has {due} in {tiles.stride}"
        )
    return tiles
