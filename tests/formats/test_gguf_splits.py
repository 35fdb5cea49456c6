"""Split models: any shard finds the others, and shards that do not belong together are refused."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from tests.formats.gguf_build import Builder, tiny_llama_builder
from tokenloom.errors import FormatError
from tokenloom.formats.gguf import open_gguf


def small() -> Builder:
    b = Builder().add("general.architecture", "str", "llama").add("words", ["str"], ["a", "b"])
    for i in range(5):
        b.add_tensor(f"t{i}", np.full((2, 8), i, np.float32))
    return b


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_any_shard_opens_the_whole_model(tmp_path: Path) -> None:
    whole = open_gguf(tiny_llama_builder().write(tmp_path / "whole.gguf"))
    shards = tiny_llama_builder().write_split(tmp_path, "m", 3)
    before = open_files()
    for shard in shards:
        with open_gguf(shard) as model:
            assert model.path == shard
            assert [s.path for s in model.shards] == shards
            assert model.nbytes == sum(p.stat().st_size for p in shards)
            assert list(model.tensors) == list(whole.tensors)
            assert {t.shard for t in model.tensors.values()} == {0, 1, 2}
            assert [k for k in model.metadata if not k.startswith("split.")] == list(whole.metadata)
            for name in whole.tensors:
                assert np.array_equal(model.read(name), whole.read(name))
    assert open_files() == before
    whole.close()


def test_one_shard_is_a_plain_file_whatever_its_name(tmp_path: Path) -> None:
    (path,) = small().write_split(tmp_path, "m", 1)
    renamed = path.rename(tmp_path / "m-00002-of-00007.gguf")
    with open_gguf(renamed) as model:
        assert len(model.tensors) == 5
        assert {t.shard for t in model.tensors.values()} == {0}


def test_later_shards_may_add_metadata_but_not_change_it(tmp_path: Path) -> None:
    shards = small().write_split(tmp_path, "m", 2)
    later = Builder().add("words", ["str"], ["a", "b"]).add("more", ["u8"], [1]).add("split.no", "u16", 1)
    later.add("split.count", "u16", 2).add("split.tensors.count", "i32", 5)
    later.tensors = small().tensors[2:]
    later.write(shards[1])
    with open_gguf(shards[0]) as model:
        assert model.metadata["more"].tolist() == [1]
        assert model.metadata["split.no"] == 0
    later.metadata = [m for m in later.metadata if m[0] != "words"]
    later.add("words", ["str"], ["a", "c"]).write(shards[1])
    with pytest.raises(FormatError, match=r"00002-of-00002\.gguf: metadata 'words': differs from the first shard's"):
        open_gguf(shards[0])


def small_shard(no: int, count: int, tensors: slice = slice(0, 1), total: int = 5) -> bytes:
    b = Builder().add("split.no", "u16", no).add("split.count", "u16", count).add("split.tensors.count", "i32", total)
    b.tensors = small().tensors[tensors]
    return b.build()


@pytest.mark.parametrize(
    ("index", "data", "message"),
    [
        (0, small_shard(1, 3), r"00001-of-00003\.gguf: split.no: the file says 1 .*its name says 1 of 3"),
        (
            0,
            small_shard(0, 4),
            r"split.count: the model was split in 4, and the name .* does not end in -NNNNN-of-00004",
        ),
        (1, small_shard(2, 3, slice(1, 3)), r"00002-of-00003\.gguf: split.no: found 2, and this must be 1"),
        (1, small_shard(1, 2, slice(1, 3)), r"00002-of-00003\.gguf: split.count: found 2, and this must be 3"),
        (1, small().build(), r"00002-of-00003\.gguf: split.count: found None, and this must be 3"),
        (1, small_shard(1, 3, slice(0, 3)), r"00002-of-00003\.gguf: tensor 't0': is in an earlier shard too"),
        (1, small_shard(1, 3, slice(1, 2)), r"split.tensors.count: says 5, and the shards hold 4 tensors"),
        (1, b"", r"00002-of-00003\.gguf: size: the file is empty"),
    ],
)
def test_shards_that_do_not_fit_are_refused(tmp_path: Path, index: int, data: bytes, message: str) -> None:
    shards = small().write_split(tmp_path, "m", 3)
    shards[index].write_bytes(data)
    before = open_files()
    with pytest.raises(FormatError, match=message):
        open_gguf(shards[0])
    assert open_files() == before


def test_missing_shards_are_named(tmp_path: Path) -> None:
    shards = small().write_split(tmp_path, "m", 5)
    shards[1].unlink()
    with pytest.raises(
        FormatError, match=r"1 of the model's 5 shards are missing beside it: m-00002-of-00005\.gguf; add"
    ):
        open_gguf(shards[0])
    for shard in shards[2:]:
        shard.unlink()
    with pytest.raises(
        FormatError, match=r"4 of the model's 5 shards are missing beside it: m-00002.*m-00004.*, \.\.\.; add"
    ):
        open_gguf(shards[0])


def test_a_renamed_shard_is_refused(tmp_path: Path) -> None:
    shards = small().write_split(tmp_path, "m", 2)
    renamed = shards[0].rename(tmp_path / "model.gguf")
    with pytest.raises(
        FormatError, match=r"split in 2, and the name 'model.gguf' does not end in -NNNNN-of-00002.gguf"
    ):
        open_gguf(renamed)


@pytest.mark.parametrize("value", [("str", "3"), ("i32", -1), ("bool", True), ("u64", 2**40)])
def test_a_split_count_that_is_no_count(tmp_path: Path, value: tuple[str, object]) -> None:
    path = Builder().add("split.count", *value).write(tmp_path / "m.gguf")
    with pytest.raises(FormatError, match=r"split.count: found .*; it must be a whole number"):
        open_gguf(path)
