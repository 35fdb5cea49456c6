"""A real model file, held against the `gguf` package's reader, and the time it takes to open."""

from __future__ import annotations

import time
from pathlib import Path

import gguf
import numpy as np
import pytest

from tests.formats.gguf_build import tiny_llama
from tokenloom.formats.gguf import open_gguf
from tokenloom.formats.strings import StringArray


def assert_same_as_the_package(path: Path) -> None:
    theirs = gguf.GGUFReader(path)
    with open_gguf(path) as ours:
        expected = {name: f.contents() for name, f in theirs.fields.items() if not name.startswith("GGUF.")}
        assert list(ours.metadata) == list(expected)
        for key, value in expected.items():
            mine = ours.metadata[key]
            if isinstance(mine, StringArray | np.ndarray):
                assert list(mine) == value, key
            else:
                assert (type(mine), mine) == (type(value), value), key
        assert list(ours.tensors) == [t.name for t in theirs.tensors]
        for t in theirs.tensors:
            info = ours.tensors[t.name]
            assert info.shape == tuple(int(d) for d in reversed(t.shape))
            assert (info.qtype.name, info.offset, info.nbytes) == (t.tensor_type.name, t.data_offset, t.n_bytes)
            assert info.elements == t.n_elements
            assert np.array_equal(ours.read(t.name), np.asarray(t.data).reshape(-1).view(np.uint8)), t.name


def test_smollm2_is_what_the_gguf_package_reads(smollm2: Path) -> None:
    assert_same_as_the_package(smollm2)


@pytest.mark.parametrize("qtype", ["F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1"])
def test_tiny_llama_is_what_the_gguf_package_reads(tmp_path: Path, qtype: str) -> None:
    assert_same_as_the_package(tiny_llama(tmp_path / "tiny.gguf", qtype=qtype, tied=False))


def test_opening_smollm2_is_fast(smollm2: Path) -> None:
    """0.02 s on the machine this was written on; 98,000 strings. The bound leaves room for a slow and busy one."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        open_gguf(smollm2).close()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.15
