"""What a well-formed file gives back: every value type, both versions, any alignment, any tensor type, any slab."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.gguf_build import LETTERS, Builder, Tensor, tiny_llama
from tokenloom.errors import ClosedError, FormatError
from tokenloom.formats.gguf import GGUFFile, open_gguf
from tokenloom.formats.strings import StringArray
from tokenloom.quant.table import QTYPES

EXTREMES: dict[str, list[Any]] = {
    "u8": [0, 255], "i8": [-128, 127], "u16": [0, 65535], "i16": [-32768, 32767], "u32": [0, 2**32 - 1],
    "i32": [-(2**31), 2**31 - 1], "u64": [0, 2**64 - 1], "i64": [-(2**63), 2**63 - 1], "f32": [-0.0, 1.5, math.inf],
    "f64": [0.1, -math.inf], "bool": [False, True], "str": ["", "hé\0llo 😀"],
}  # fmt: skip


def opened(tmp_path: Path, builder: Builder) -> GGUFFile:
    return open_gguf(builder.write(tmp_path / "m.gguf"))


@pytest.mark.parametrize("version", [2, 3])
def test_every_scalar_type_at_its_extremes(tmp_path: Path, version: int) -> None:
    b = Builder(version)
    for kind, values in EXTREMES.items():
        for i, value in enumerate(values):
            b.add(f"{kind}.{i}", kind, value)
    with opened(tmp_path, b) as model:
        assert model.version == version
        for kind, values in EXTREMES.items():
            for i, value in enumerate(values):
                assert (type(model.metadata[f"{kind}.{i}"]), model.metadata[f"{kind}.{i}"]) == (type(value), value)


def test_every_array_type(tmp_path: Path) -> None:
    b = Builder()
    for kind, values in EXTREMES.items():
        b.add(kind, [kind], values).add(f"{kind}.empty", [kind], [])
    with opened(tmp_path, b) as model:
        for kind, values in EXTREMES.items():
            mine = model.metadata[kind]
            assert list(mine) == values
            assert len(model.metadata[f"{kind}.empty"]) == 0
            if kind in LETTERS:
                assert mine.dtype == np.dtype("?" if kind == "bool" else "<" + LETTERS[kind])
                assert not mine.flags.writeable
            else:
                assert isinstance(mine, StringArray)


def test_nested_arrays(tmp_path: Path) -> None:
    b = Builder().add("a", [["u8"]], [[1, 2], [], [3]]).add("b", [[["str"]]], [[["x"], []], []]).add("c", [["u8"]], [])
    with opened(tmp_path, b) as model:
        assert [list(row) for row in model.metadata["a"]] == [[1, 2], [], [3]]
        assert model.metadata["b"] == [[["x"], []], []]
        assert model.metadata["c"] == []


def test_strings_that_are_not_utf8_keep_their_bytes(tmp_path: Path) -> None:
    b = Builder().add("value", "str", b"a\xff").add("array", ["str"], [b"\xc3\x28", b"fine", b"\xed\xa0\x80"])
    with opened(tmp_path, b) as model:
        assert model.metadata["value"].encode("utf-8", "surrogateescape") == b"a\xff"
        array = model.metadata["array"]
        assert [s.encode("utf-8", "surrogateescape") for s in array] == [b"\xc3\x28", b"fine", b"\xed\xa0\x80"]
        assert array.raw(0) == b"\xc3\x28"


def test_a_string_array_behaves_as_a_sequence(tmp_path: Path) -> None:
    words = ["a", "", "ccc", "dä", "e"]
    with opened(tmp_path, Builder().add("words", ["str"], words).add("other", ["str"], words[1:])) as model:
        array = model.metadata["words"]
    assert (list(array), len(array), array[-1], array[1:4], array[::-1]) == (words, 5, "e", words[1:4], words[::-1])
    assert array == words
    assert array == tuple(words)
    assert array != words[:4]
    assert array != model.metadata["other"]
    assert array != 3
    assert array.index("ccc") == 2
    assert "dä" in array
    assert repr(array) == "<StringArray of 5: 'a', '', 'ccc', 'dä', ...>"
    with pytest.raises(IndexError):
        array[5]
    with pytest.raises(TypeError):
        hash(array)


@pytest.mark.parametrize("alignment", [8, 32, 64, 4096])
def test_alignment(tmp_path: Path, alignment: int) -> None:
    b = Builder(alignment=alignment)
    values = [np.arange(n, dtype=np.float32) for n in (3, 1, 40)]
    for i, v in enumerate(values):
        b.add_tensor(f"t{i}", v)
    with opened(tmp_path, b) as model:
        for i, v in enumerate(values):
            assert model.tensors[f"t{i}"].offset % alignment == 0
            assert model.read(f"t{i}").tobytes() == v.tobytes()


@pytest.mark.parametrize("qtype", QTYPES.values(), ids=lambda q: q.name)
def test_every_tensor_type_is_named_and_read(tmp_path: Path, qtype: Any) -> None:
    data = bytes(range(256)) * (6 * qtype.nbytes // 256 + 1)
    b = Builder()
    b.tensors.append(Tensor("t", (3, 2 * qtype.block), qtype.ggml_id, data[: 6 * qtype.nbytes]))
    with opened(tmp_path, b) as model:
        info = model.tensors["t"]
        assert (info.qtype, info.shape, info.nbytes) == (qtype, (3, 2 * qtype.block), 6 * qtype.nbytes)
        assert info.nbytes == 3 * info.row_nbytes
        assert model.read("t").tobytes() == data[: 6 * qtype.nbytes]


def test_four_dimensions_and_a_gap_between_tensors(tmp_path: Path) -> None:
    b = Builder().add_tensor("a", np.ones((2, 3, 4, 5), np.float32)).add_tensor("b", np.ones(1, np.float32))
    b.tensors[1].offset = 480 + 64
    path = tmp_path / "m.gguf"
    path.write_bytes(b.build() + b"\0" * 96)
    with open_gguf(path) as model:
        assert model.tensors["a"].shape == (2, 3, 4, 5)
        assert model.tensors["b"].offset == model.tensors["a"].offset + 544


def test_reading_slabs(tmp_path: Path) -> None:
    with open_gguf(tiny_llama(tmp_path / "m.gguf")) as model:
        name = "blk.0.ffn_up.weight"
        info, whole = model.tensors[name], model.read(name)
        slab = np.empty((16, info.row_nbytes), np.uint8)
        model.read_into(name, slab, start=32 * info.row_nbytes)
        assert np.array_equal(slab.reshape(-1), whole[32 * info.row_nbytes : 48 * info.row_nbytes])
        model.read_into(name, slab[:0], start=info.nbytes)
        with pytest.raises(ValueError, match="which has"):
            model.read_into(name, slab, start=info.nbytes - 1)
        with pytest.raises(ValueError, match="which has"):
            model.read_into(name, slab, start=-1)
        with pytest.raises(ValueError, match="contiguous uint8"):
            model.read_into(name, slab[:, ::2])
        with pytest.raises(KeyError):
            model.read("no such tensor")


def test_use_after_close_and_a_file_that_shrinks(tmp_path: Path) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    model = open_gguf(path)
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 64)
    with pytest.raises(FormatError, match=r"m\.gguf: tensor 'output_norm.weight': the file has shrunk"):
        model.read("output_norm.weight")
    model.close()
    model.close()
    with pytest.raises(ClosedError, match="after close"):
        model.read("output_norm.weight")


def test_a_header_longer_than_one_read(tmp_path: Path) -> None:
    """Strings, a number array and a text each lie across the 1 MiB boundaries the header is read in."""
    words = [f"word {i} " * (i % 7) for i in range(60_000)]
    text = "x" * 1_500_000
    b = Builder().add("words", ["str"], words).add("text", "str", text).add("n", ["u16"], [7] * 700_000)
    b.add_tensor("t", np.arange(5, dtype=np.float32))
    assert len(b.header()) > 4 << 20
    with opened(tmp_path, b) as model:
        assert list(model.metadata["words"]) == words
        assert model.metadata["text"] == text
        assert model.metadata["n"].sum() == 7 * 700_000
        assert model.read("t").view("<f4").tolist() == [0, 1, 2, 3, 4]


KINDS = {
    "u8": st.integers(0, 255), "i16": st.integers(-32768, 32767), "u64": st.integers(0, 2**64 - 1),
    "f64": st.floats(allow_nan=False), "bool": st.booleans(), "str": st.text(max_size=20),
}  # fmt: skip
SCALARS = st.sampled_from(sorted(KINDS)).flatmap(lambda k: KINDS[k].map(lambda v: (k, v)))
ARRAYS = st.sampled_from(sorted(KINDS)).flatmap(lambda k: st.lists(KINDS[k], max_size=6).map(lambda v: ([k], v)))
RESERVED = ("general.alignment", "split.no", "split.count", "split.tensors.count")
"""Keys the reader itself acts on: any value of any type will not do for them."""
KEYS = st.text(min_size=1, max_size=12).filter(lambda key: key not in RESERVED)
ENTRIES = st.dictionaries(KEYS, SCALARS | ARRAYS, max_size=8)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=ENTRIES)
def test_what_is_written_is_read(tmp_path: Path, entries: dict[str, tuple[Any, Any]]) -> None:
    b = Builder()
    for key, (kind, value) in entries.items():
        b.add(key, kind, value)
    with opened(tmp_path, b) as model:
        assert list(model.metadata) == list(entries)
        for key, (kind, value) in entries.items():
            mine = model.metadata[key]
            assert (list(mine) if isinstance(kind, list) else mine) == value
            if kind == "f64":
                assert struct.pack("<d", mine) == struct.pack("<d", value)
