"""The table of refusals: each bad file, the field its error must name, and that nothing is left open."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.formats.gguf_build import Builder, tiny_llama_builder
from tokenloom.errors import FormatError, TokenloomError, UnsupportedError
from tokenloom.formats import gguf_header
from tokenloom.formats.gguf import open_gguf


def u64(n: int) -> bytes:
    return struct.pack("<Q", n)


def floats(*names: str) -> Builder:
    b = Builder()
    for name in names:
        b.add_tensor(name, np.ones((2, 8), np.float32))
    return b


def tensor(**changes: object) -> bytes:
    """One F32 tensor "t" of 2 × 8, with something about it changed."""
    b = floats("t")
    for key, value in changes.items():
        setattr(b.tensors[0], key, value)
    return b.build()


def raw(type_id: int, payload: bytes) -> bytes:
    return Builder().add_raw("k", type_id, payload).build()


def nested(depth: int) -> bytes:
    return raw(9, struct.pack("<IQ", 9, 1) * (depth - 1) + struct.pack("<IQ", 0, 0))


def aligned(kind: str, value: object) -> bytes:
    return Builder().add("general.alignment", kind, value).build()


def overlapping() -> bytes:
    b = floats("a", "b")
    b.tensors[1].offset = 32
    return b.build()


HUGE = 2**64 - 1
REFUSALS: list[tuple[str, bytes, type[TokenloomError], str]] = [
    # what the file is
    ("empty", b"", FormatError, "size: the file is empty; download it again"),
    ("text", b"hello world\n", FormatError, "magic: this is a text file, not a GGUF file; give the path"),
    ("text cut in a character", ("é" * 300).encode()[:511], FormatError, "this is a text file"),
    ("html", b"<!DOCTYPE html><html>", FormatError, "this is an HTML page"),
    ("lfs", b"version https://git-lfs.github.com/spec/v1\n", FormatError, "Git LFS pointer.*git lfs pull"),
    ("safetensors", u64(60) + json.dumps({"a": {}}).encode(), FormatError, "this is a safetensors file.*convert"),
    ("zip", b"PK\x03\x04" + bytes(99), FormatError, r"a zip archive \(a PyTorch checkpoint"),
    ("ggjt", b"tjgg\x03\0\0\0", FormatError, "GGJT file, the format before GGUF"),
    ("zeros", bytes(5000), FormatError, "nothing but zero bytes"),
    ("noise", b"\x9e\x01\xff\x80" * 9, FormatError, "unknown kind .its first bytes are 9e 01 ff 80"),
    ("two letters", b"GG", FormatError, "magic: the file ends after 2 bytes"),
    ("FUGG", b"FUGG\0\0\0\3", FormatError, "byte-swapped"),
    # version
    ("no version", b"GGUF\3", FormatError, "version: needs 4 bytes at offset 4, and the file ends after 1"),
    ("version 0", Builder(0).build(), FormatError, "version: found 0"),
    ("version 1", Builder(1).build(), UnsupportedError, "GGUF version 1 is not read; convert"),
    ("version 4", Builder(4).build(), UnsupportedError, "GGUF version 4 is not read; versions 2 and 3 are"),
    ("swapped", b"GGUF" + struct.pack(">IQQ", 3, 0, 0), UnsupportedError, r"byte-swapped \(big-endian\)"),
    # counts
    ("tensor count", Builder(n_tensors=HUGE).build(), FormatError, "tensor count: says 18446744073709551615"),
    ("metadata count", Builder(n_keys=2**40).build(), FormatError, "metadata count: says 1099511627776, at least"),
    ("one key too many", Builder(n_keys=1).build(), FormatError, "metadata count: says 1, at least 14 bytes"),
    # metadata
    ("key length", Builder(n_keys=1).build() + u64(HUGE) + bytes(9), FormatError, "key 0 of 1: needs 184467.* bytes"),
    ("key is empty", Builder().add("", "u32", 1).build(), FormatError, "metadata key 0 of 1: is empty"),
    ("key is not UTF-8", Builder().add(b"k\xff", "u32", 1).build(), FormatError, r"key 0 of 1: b'k\\xff' is not UTF-8"),
    ("key twice", Builder().add("k", "u32", 1).add("k", "u8", 1).build(), FormatError, "key 1 of 2: 'k' appears twice"),
    ("value type", raw(13, bytes(8)), FormatError, "metadata 'k': type: found type 13"),
    ("scalar cut", raw(10, bytes(7)), FormatError, "'k': needs 8 bytes at offset .*, and the file ends after 7"),
    ("bool 2", raw(7, b"\2"), FormatError, "metadata 'k': a bool is 0 or 1, found 2"),
    ("string length", raw(8, u64(2**62) + b"abc"), FormatError, "metadata 'k': needs 4611686018427387904 bytes"),
    ("array of what", raw(9, struct.pack("<IQ", 99, 1)), FormatError, "metadata 'k': element type: found type 99"),
    ("array count", raw(9, struct.pack("<IQ", 0, HUGE)), FormatError, "metadata 'k': u8 count: says 1844674407370955"),
    ("array product", raw(9, struct.pack("<IQ", 10, 2**61)), FormatError, "'k': u64 count: says 2305843009213693952"),
    ("string count", raw(9, struct.pack("<IQ", 8, 2) + bytes(8)), FormatError, "'k': string count: says 2, at lea"),
    ("string in array", raw(9, struct.pack("<IQ", 8, 1) + u64(9)), FormatError, r"metadata 'k'\[0\]: needs 9 bytes"),
    ("cut string array", raw(9, struct.pack("<IQ", 8, 2) + u64(8) + bytes(8)), FormatError, r"'k'\[1\]: length"),
    ("bool array", raw(9, struct.pack("<IQ", 7, 2) + b"\1\3"), FormatError, "'k': a bool is 0 or 1, found 3"),
    ("nested", nested(5), FormatError, r"metadata 'k'\[0\]\[0\]\[0\]: arrays nested more than 4 deep"),
    ("nested 9999", nested(9999), FormatError, "arrays nested more than 4 deep"),
    ("nested count", raw(9, struct.pack("<IQ", 9, 3) + bytes(24)), FormatError, "'k': array count: says 3, at lea"),
    # alignment
    *[
        (f"alignment {value!r}", aligned(kind, value), FormatError, "general.alignment: found")
        for kind, value in [("u32", 0), ("u32", 4), ("u32", 33), ("u32", 2**31), ("str", "a"), ("i8", -8), ("bool", 1)]
    ],
    # tensors
    ("name is empty", tensor(name=""), FormatError, "name of tensor 0: is empty"),
    ("name is not UTF-8", tensor(name=b"\xff"), FormatError, "name of tensor 0: .* is not UTF-8"),
    ("name twice", floats("t", "t").build(), FormatError, "tensor 't': appears twice"),
    ("0 dimensions", tensor(shape=()), FormatError, "tensor 't': number of dimensions: found 0; 1 to 4"),
    ("5 dimensions", tensor(shape=(1, 1, 1, 2, 8)), FormatError, "tensor 't': number of dimensions: found 5"),
    ("dimension 0", tensor(shape=(0, 8)), FormatError, "tensor 't': dimension 1: found 0"),
    ("dimensions overflow", tensor(shape=(2**32, 2**32)), FormatError, r"dimensions: \[4294967296, 4294967296\] of"),
    ("dimensions wrap", tensor(shape=(2**63, 2**63, 4, 8)), FormatError, "tensor 't': dimensions: "),
    ("type 4", tensor(type_id=4), UnsupportedError, r"tensor 't' has type 4 \(Q4_2, which ggml has removed\)"),
    ("type 999", tensor(type_id=999), UnsupportedError, "'t' has type 999, which tokenloom does not know; use .*Q8_0"),
    ("half a block", tensor(type_id=8), FormatError, "dimension 0: 8 is not a multiple of the 32 of a Q8_0 block"),
    ("offset", tensor(offset=8), FormatError, "tensor 't': offset: 8 is not a multiple of the alignment 32"),
    ("offset beyond", tensor(offset=2**63), FormatError, "tensor 't': its data end at byte 9223372036854775"),
    ("offset wraps", tensor(offset=2**64 - 32), FormatError, "tensor 't': its data end at byte 18446744073709551"),
    ("data cut", floats("t").build()[:-1], FormatError, r"tensor 't': its data end at byte 160; the file has 159"),
    ("overlap", overlapping(), FormatError, "tensor 'b': offset: its data overlap those of 'a'"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "error", "message"), [r[1:] for r in REFUSALS], ids=[r[0] for r in REFUSALS])
def test_refusal(tmp_path: Path, data: bytes, error: type[TokenloomError], message: str) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(data)
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(error, match=message) as caught:
        open_gguf(path)
    assert type(caught.value) is error
    assert str(caught.value).startswith(f"{path}: ")
    assert "; " in str(caught.value), "every refusal ends in a remedy"
    assert len(os.listdir("/proc/self/fd")) == before


def directory(at: Path) -> Path:
    (at / "b.gguf").touch()
    return at


def fifo(at: Path) -> Path:
    os.mkfifo(at / "fifo")
    return at / "fifo"


def dangling(at: Path) -> Path:
    (at / "link.gguf").symlink_to(at / "gone")
    return at / "link.gguf"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda at: at / "none.gguf", r"none\.gguf: there is no such file; check the path"),
        (dangling, r"link\.gguf: there is no such file"),
        (directory, "is a directory; open one of its files: b.gguf"),
        (lambda at: at.parent / "no such directory" / "x", "there is no such file"),
        (lambda at: directory(at) / "b.gguf" / "c", "cannot be opened: Not a directory; check the path"),
        (fifo, "fifo: not a regular file"),
        (lambda at: Path("/dev/zero"), "/dev/zero: not a regular file"),
        (lambda at: Path("a\0b"), "not a possible path"),
        (lambda at: at / ("x" * 300), "cannot be opened: File name too long"),
    ],
)
def test_paths_that_are_not_files(tmp_path: Path, make: Callable[[Path], Path], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        open_gguf(make(tmp_path))


def test_a_directory_without_models(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"is a directory; it holds no \.gguf file"):
        open_gguf(tmp_path)


def test_every_truncation_of_the_header_is_refused(tmp_path: Path) -> None:
    b = (
        Builder()
        .add("general.architecture", "str", "llama")
        .add("words", ["str"], ["a", "bb"])
        .add("n", [["u16"]], [[1]])
    )
    data = b.add_tensor("t", np.ones(8, np.float32)).build()
    path = tmp_path / "cut.gguf"
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError):
            open_gguf(path)


def test_truncations_of_a_real_file(tmp_path: Path, smollm2: Path) -> None:
    """Cut at places in every part of the header's 1.8 MB, and at the data's last byte; sparse files take no disk."""
    size = smollm2.stat().st_size
    with smollm2.open("rb") as file:
        head = file.read(2_000_000)
    path = tmp_path / "cut.gguf"
    for cut in (1, 4, 8, 23, 24, 100, 1000, 50_000, 1_000_000, 1_048_576, 1_700_000, 1_785_000, 1_785_664, size - 1):
        with path.open("wb") as file:
            file.write(head[:cut])
            file.truncate(cut)
        with pytest.raises(FormatError, match=r"cut\.gguf: "):
            open_gguf(path)


def test_limits_that_bound_time_and_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_llama_builder().write(tmp_path / "m.gguf")
    monkeypatch.setattr(gguf_header, "MAX_OBJECTS", 40)
    with pytest.raises(
        FormatError, match=r"metadata count: brings the keys, tensors and nested arrays to 4.; at most 40"
    ):
        open_gguf(path)
    monkeypatch.undo()
    monkeypatch.setattr(gguf_header, "CHUNK", 512)
    monkeypatch.setattr(gguf_header, "MAX_HEADER", 4000)
    with pytest.raises(FormatError, match=r"reaches offset .*, beyond the 4000 bytes a header may take"):
        open_gguf(path)
    monkeypatch.undo()
    monkeypatch.setattr(gguf_header, "MAX_TEXT", 0)
    wide = Builder().add("k", "str", "é" * 1000).write(tmp_path / "wide.gguf")
    with pytest.raises(FormatError, match="metadata 'k': brings the text outside arrays to 8001 bytes once decoded"):
        open_gguf(wide)


def test_a_tensor_table_row_that_is_right_is_not_refused(tmp_path: Path) -> None:
    """The table above changes one thing at a time, so what it changes must be what is refused."""
    path = tmp_path / "good.gguf"
    path.write_bytes(tensor())
    with open_gguf(path) as model:
        assert model.read("t").view("<f4").tolist() == [1.0] * 16
