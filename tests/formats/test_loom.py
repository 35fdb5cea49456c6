"""Packed containers: what is written is what docs/container.md says, and nothing damaged gets by."""

from __future__ import annotations

import hashlib
import random
import struct
import time
import tracemalloc
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest

from tests.formats.gguf_build import tiny_llama
from tokenloom.errors import FormatError, RequestError, UnsupportedError
from tokenloom.formats import loom
from tokenloom.formats.gguf import open_gguf
from tokenloom.formats.loom import LoomFile, open_loom
from tokenloom.weights.convert import convert

SLACK = 192 << 10
"""What an open takes besides the file: tables of names, an exception and its traceback."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("loom")
    source = tiny_llama(
        folder / "m.gguf", qtype="Q8_0", layers=2, tied=False, qtypes={"attn_q": "F16", "ffn_up": "Q4_1"}
    )
    convert(str(source), str(folder / "m.loom"))
    return source, folder / "m.loom"


# ---- the page ------------------------------------------------------------------------------------------------------------


class Page:
    """A reader written from docs/container.md alone; it shares nothing with the package."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 96
        assert data[:8] == bytes.fromhex("894C4F4F4D0D0A1A")
        version, layout, size, metadata, tables, slabs, tensors, alignment = struct.unpack_from("<IIQQQIII", data, 8)
        assert (version, layout, size) == (2, 1, len(data))
        assert alignment in (4096, 2 << 20)
        assert data[52:64] == bytes(12)
        start = -(-(96 + metadata + tables) // alignment) * alignment
        assert data[64:96] == hashlib.sha256(data[:64] + data[96:start]).digest()
        self.metadata = self.data[96 : 96 + metadata]
        self.at = 96 + metadata
        self.slabs = [self.slab() for _ in range(slabs)]
        self.tensors = [self.tensor() for _ in range(tensors)]
        assert self.at == 96 + metadata + tables
        assert not data[self.at : start].strip(b"\0")
        assert self.slabs[0][1] == start
        assert sum(n for _, _, n in self.slabs) == len(data) - start

    def number(self, code: str) -> int:
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return int(value)

    def name(self) -> str:
        length = self.number("H")
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def slab(self) -> tuple[str, int, int]:
        name, offset, nbytes = self.name(), self.number("Q"), self.number("Q")
        for piece in range(offset, offset + nbytes, 32 << 20):
            assert self.number("I") == zlib.crc32(self.data[piece : min(piece + (32 << 20), offset + nbytes)])
        return name, offset, nbytes

    def tensor(self) -> tuple[str, int, tuple[int, ...], bytes, int, dict[str, tuple[int, int]]]:
        name, kind = self.name(), self.number("I")
        shape = tuple(self.number("Q") for _ in range(self.number("B")))
        _, base, _ = self.slabs[self.number("I")]
        offset, nbytes, tile = base + self.number("Q"), self.number("Q"), self.number("Q")
        planes = {self.name(): (self.number("Q"), self.number("Q")) for _ in range(self.number("B"))}
        return name, kind, shape, self.data[offset : offset + nbytes], tile, planes


def q8_0(shape: tuple[int, ...], data: bytes, tile: int, planes: dict[str, tuple[int, int]]) -> np.ndarray:
    """Values of a Q8_0 matrix by the page's example."""
    rows, k = shape
    out = np.empty((rows, k), np.float32)
    for row in range(rows):
        at, r = row // 16 * tile, row % 16
        for block in range(k // 32):
            (scale,) = struct.unpack_from("<e", data, at + planes["scales"][0] + 32 * block + 2 * r)
            for j in range(8):
                codes = struct.unpack_from("<4b", data, at + planes["codes"][0] + 512 * block + 64 * j + 4 * r)
                out[row, 32 * block + 4 * j : 32 * block + 4 * j + 4] = np.float32(scale) * np.array(codes, np.float32)
    return out


def test_the_page_is_enough_to_read_a_file(files: tuple[Path, Path]) -> None:
    source, packed = files
    page = Page(packed.read_bytes())
    truth = {t.name: t for t in gguf.GGUFReader(source).tensors}
    assert {name for name, *_ in page.tensors} == set(truth)
    assert [name for name, *_ in page.slabs] == ["token_embd", "layer 0", "layer 1", "output_norm", "output"]
    compared = Counter[str]()
    for name, kind, shape, data, tile, planes in page.tensors:
        want = gguf.quants.dequantize(truth[name].data, truth[name].tensor_type).reshape(shape)
        assert kind == truth[name].tensor_type
        if len(shape) == 1:
            assert np.frombuffer(data, np.float32)[: shape[0]].tobytes() == want.astype(np.float32).tobytes()
            compared["vector"] += 1
        elif kind == gguf.GGMLQuantizationType.Q8_0:
            assert (q8_0(shape, data, tile, planes) == want).all()
            compared["Q8_0"] += 1
    assert compared["vector"] == 5
    assert compared["Q8_0"] > 8
    (count,) = struct.unpack_from("<Q", page.metadata)
    with open_gguf(source) as file:
        assert count == len(file.metadata)


def test_metadata_and_tensors_are_carried_over(files: tuple[Path, Path]) -> None:
    source, packed = files
    with open_gguf(source) as a, open_loom(packed) as b:
        assert list(a.metadata) == list(b.metadata)
        for key, value in a.metadata.items():
            assert np.array_equal(value, b.metadata[key]) if isinstance(value, np.ndarray) else value == b.metadata[key]
        assert {n: (t.shape, t.qtype) for n, t in a.tensors.items()} == {
            n: (t.shape, t.qtype) for n, t in b.tensors.items()
        }
        assert b.format == "loom v2, tiles v1"


# ---- damage --------------------------------------------------------------------------------------------------------------


def read_all(file: LoomFile) -> None:
    for piece in file.pieces():
        file.read_pieces([piece], np.empty(piece.nbytes, np.uint8))


def attempt(path: Path, data: bytes) -> str:
    """Open and read everything, within the bounds. Tracemalloc must be running."""
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.process_time()
    try:
        with open_loom(path) as file:
            read_all(file)
        outcome, message = "opened", str(path)
    except (FormatError, UnsupportedError) as error:
        outcome, message = type(error).__name__, str(error)
    assert message.startswith(str(path))
    peak = tracemalloc.get_traced_memory()[1] - before
    assert peak <= 2 * len(data) + SLACK, f"{peak} bytes allocated for a file of {len(data)}"
    assert time.process_time() - start < 5
    return outcome


def sealed(data: bytearray) -> bytes:
    """With the digest that the page asks for, as a careful attacker would write it."""
    metadata, tables = struct.unpack_from("<QQ", data, 24)
    start = -(-(96 + metadata + tables) // 4096) * 4096
    if 96 <= start <= len(data):
        data[64:96] = hashlib.sha256(data[:64] + data[96:start]).digest()
    return bytes(data)


def test_every_flipped_byte_and_every_cut_is_noticed(files: tuple[Path, Path], tmp_path: Path) -> None:
    whole = files[1].read_bytes()
    start = int(Page(whole).slabs[0][1])
    rng = random.Random(1)
    tracemalloc.start()
    try:
        assert attempt(tmp_path / "m.loom", whole) == "opened"
        places = [
            *range(96),
            *(rng.randrange(96, start) for _ in range(60)),
            *(rng.randrange(start, len(whole)) for _ in range(60)),
        ]
        for at in places:
            data = bytearray(whole)
            data[at] ^= 1 << rng.randrange(8)
            assert attempt(tmp_path / "m.loom", bytes(data)) in ("FormatError", "UnsupportedError"), at
        for end in [*range(0, 100, 7), *(rng.randrange(len(whole)) for _ in range(40)), len(whole) - 1]:
            assert attempt(tmp_path / "m.loom", whole[:end]) == "FormatError", end
        assert attempt(tmp_path / "m.loom", whole + bytes(4096)) == "FormatError"
    finally:
        tracemalloc.stop()


NUMBERS = (
    0,
    1,
    15,
    16,
    17,
    63,
    64,
    4095,
    4096,
    2**16,
    2**31,
    2**32 - 1,
    2**32,
    2**40,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 8,
    2**64 - 1,
)


def mutate(whole: bytes, rng: random.Random) -> bytes:
    """Damage that the digest does not betray: in the header's counts, the metadata, the tables."""
    data = bytearray(whole)
    metadata, tables = struct.unpack_from("<QQ", data, 24)
    low, high = rng.choice(
        ((8, 64), (96, 96 + metadata), (96 + metadata, 96 + metadata + tables), (96 + metadata, 96 + metadata + tables))
    )
    kind = rng.randrange(4)
    if kind == 0:
        for _ in range(rng.choice((1, 1, 2, 8))):
            data[rng.randrange(low, high)] ^= 1 << rng.randrange(8)
    elif kind == 1:
        struct.pack_into("<Q", data, rng.randrange(low, high - 8), rng.choice((*NUMBERS, len(data), len(data) // 2)))
    elif kind == 2:
        struct.pack_into(
            "<I", data, rng.randrange(low, high - 4), rng.choice((0, 1, 2, 3, 8, 14, 255, 2**16, 2**31, 2**32 - 1))
        )
    else:
        at, size = rng.randrange(low, high), rng.randrange(1, 40)
        data[at : at + size] = rng.randbytes(size)
    return sealed(data)


def test_hundreds_of_sealed_lies(files: tuple[Path, Path], tmp_path: Path) -> None:
    """The digest is right, the contents are not: each is refused by field or is another sound file."""
    whole, rng = files[1].read_bytes(), random.Random(2026)
    outcomes = Counter[str]()
    tracemalloc.start()
    try:
        deadline = time.process_time() + 20
        while outcomes.total() < 500 and time.process_time() < deadline:
            outcomes[attempt(tmp_path / "m.loom", mutate(whole, rng))] += 1
    finally:
        tracemalloc.stop()
    assert outcomes.total() > 300, outcomes
    assert outcomes["FormatError"] > outcomes.total() // 3
    assert outcomes["opened"] > 10
    assert set(outcomes) <= {"FormatError", "UnsupportedError", "opened"}


def test_guard_on_memory_fails_when_the_reader_trusts_a_count(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = loom._read_header

    def trusting(shard: object) -> object:
        bytearray(1 << 26)
        return honest(shard)  # type: ignore[arg-type]

    monkeypatch.setattr(loom, "_read_header", trusting)
    tracemalloc.start()
    try:
        with pytest.raises(AssertionError, match="bytes allocated for a file of"):
            attempt(tmp_path / "m.loom", files[1].read_bytes())
    finally:
        tracemalloc.stop()


def patched(offset: int, code: str, value: int) -> Callable[[bytearray], None]:
    return lambda data: struct.pack_into("<" + code, data, offset, value)


FIELDS: dict[str, tuple[Callable[[bytearray], None], type[Exception], str]] = {
    "container version": (patched(8, "I", 1), UnsupportedError, "container version 1"),
    "layout version": (patched(12, "I", 9), UnsupportedError, "layout version 9"),
    "file bytes": (patched(16, "Q", 1), FormatError, "file bytes"),
    "metadata bytes": (patched(24, "Q", 2**63), FormatError, "metadata bytes"),
    "table bytes": (patched(32, "Q", 2**64 - 1), FormatError, "table bytes"),
    "slab count": (patched(40, "I", 2**32 - 1), FormatError, "slab count"),
    "tensor count": (patched(44, "I", 60000), FormatError, "tensor count"),
    "data alignment": (patched(48, "I", 65536), FormatError, "data alignment"),
    "reserved": (patched(54, "B", 1), FormatError, "reserved"),
    "digest": (patched(70, "B", 1), FormatError, "sha256"),
}


@pytest.mark.parametrize("what", FIELDS)
def test_a_damaged_field_is_named(what: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    damage, kind, named = FIELDS[what]
    data = bytearray(files[1].read_bytes())
    damage(data)
    path = tmp_path / "m.loom"
    path.write_bytes(bytes(data))
    with pytest.raises(kind, match=named):
        open_loom(path)


def test_a_damaged_slab_is_named(files: tuple[Path, Path], tmp_path: Path) -> None:
    data = bytearray(files[1].read_bytes())
    offset = next(at for name, at, _ in Page(bytes(data)).slabs if name == "layer 1")
    data[offset + 100] ^= 1
    (path := tmp_path / "m.loom").write_bytes(bytes(data))
    with open_loom(path) as file, pytest.raises(FormatError, match=r"slab 'layer 1': bytes .* checksum"):
        read_all(file)


def test_what_cannot_be_converted_is_refused_by_name(files: tuple[Path, Path], tmp_path: Path) -> None:
    source, packed = files
    with pytest.raises(RequestError, match="packed container already"):
        convert(str(packed), str(tmp_path / "n.loom"))
    with pytest.raises(RequestError, match=r"end the name in \.loom"):
        convert(str(source), str(tmp_path / "n.gguf"))
    with pytest.raises(RequestError, match="exists already"):
        convert(str(source), str(packed))
    with pytest.raises(FormatError, match=r"packed tokenloom container \(\.loom\)"):
        open_gguf(packed)
    (text := tmp_path / "t.loom").write_text("no model")
    with pytest.raises(FormatError, match="a text file"):
        open_loom(text)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.loom"]
