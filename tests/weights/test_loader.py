"""Loading weights: every value arrives, in slabs, in pieces of bounded size, whatever the piece."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.formats.gguf_build import tiny_llama, tiny_llama_builder
from tests.runtime.tiny import values
from tokenloom.errors import FormatError, TokenloomError, UnsupportedError
from tokenloom.formats.gguf import open_gguf
from tokenloom.jit.memory import HUGE
from tokenloom.weights import loader
from tokenloom.weights.loader import LoadedWeights, load_weights, refs_of, slab_of
from tokenloom.weights.memory import free_memory

FORMATS = ("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1")


def load(path: Path, progress: Callable[[str, float], None] | None = None) -> LoadedWeights:
    with open_gguf(path) as file:
        return load_weights(file, list(refs_of(file).values()), progress)


def raw(weights: LoadedWeights, name: str) -> np.ndarray:
    tensor = weights.tensors[name]
    return weights.region.bytes(weights.slabs[tensor.slab].offset + tensor.offset, tensor.nbytes)


@pytest.mark.parametrize("qtype", FORMATS)
def test_the_size_of_a_piece_changes_nothing(qtype: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_llama(tmp_path / "m.gguf", qtype=qtype, vocab=300)
    whole = load(path)
    for piece in (1, 5000, 20_000):
        monkeypatch.setattr(loader, "_PIECE", piece)
        pieces = load(path)
        for name in whole.tensors:
            assert raw(pieces, name).tobytes() == raw(whole, name).tobytes(), (name, piece)


def test_slabs_hold_their_tensors_and_nothing_overlaps(tmp_path: Path) -> None:
    weights = load(tiny_llama(tmp_path / "m.gguf", layers=3, tied=False))
    assert list(weights.slabs) == ["token_embd", "layer 0", "layer 1", "layer 2", "output_norm", "output"]
    assert weights.region.address % HUGE == 0
    spans = []
    for tensor in weights.tensors.values():
        slab = weights.slabs[tensor.slab]
        assert tensor.slab == slab_of(tensor.name)
        assert slab.offset % 4096 == 0
        assert tensor.offset % 64 == 0
        assert tensor.offset + tensor.nbytes <= slab.nbytes
        spans.append((slab.offset + tensor.offset, slab.offset + tensor.offset + tensor.nbytes))
    spans.sort()
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    assert spans[-1][1] <= weights.region.nbytes


def test_vectors_are_widened_and_padded_with_zeros(tmp_path: Path) -> None:
    b = tiny_llama_builder(hidden=80, heads=5, kv_heads=1, qtype="F32")
    want = values(b, "blk.1.attn_norm.weight")
    weights = load(b.write(tmp_path / "m.gguf"))
    got = raw(weights, "blk.1.attn_norm.weight").view(np.float32)
    assert (got[:80] == want).all()
    assert not got[80:].any()


def test_memory_is_the_packed_size_and_one_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy reports to tracemalloc; the region itself is a mapping of its own."""
    monkeypatch.setattr(loader, "_PIECE", 100_000)
    path = tiny_llama(tmp_path / "m.gguf", qtype="Q8_0", vocab=40_000)
    with open_gguf(path) as file:
        refs = list(refs_of(file).values())
        tracemalloc.start()
        load_weights(file, refs)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 6 * 100_000 < path.stat().st_size


def test_progress_grows_to_one(tmp_path: Path) -> None:
    seen: list[float] = []
    load(tiny_llama(tmp_path / "m.gguf"), lambda stage, fraction: seen.append(fraction))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.parametrize("type_id", [24, 26, 27, 28])
def test_integer_tensors_are_no_weights(type_id: int, tmp_path: Path) -> None:
    """I8, I32, I64, F64 in a norm's place: refused by name."""
    b = tiny_llama_builder(layers=1)
    norm = next(t for t in b.tensors if t.name == "blk.0.attn_norm.weight")
    norm.type_id, norm.data = type_id, bytes(8 * 64)
    with pytest.raises(TokenloomError) as found:
        load(b.write(tmp_path / "m.gguf"))
    assert isinstance(found.value, UnsupportedError)
    assert any(name in str(found.value) for name in ("I8", "I32", "I64", "F64"))
    assert "m.gguf: tensor 'blk.0.attn_norm.weight': " in str(found.value)


def test_a_block_that_cannot_be_packed_is_refused_with_its_tensor(tmp_path: Path) -> None:
    """MXFP4's scale byte of 255 is a NaN."""
    b = tiny_llama_builder(layers=1, qtypes={"ffn_up": "MXFP4"})
    up = next(t for t in b.tensors if t.name == "blk.0.ffn_up.weight")
    up.data = b"\xff" + up.data[1:]
    with pytest.raises(FormatError, match=r"m\.gguf: tensor 'blk\.0\.ffn_up\.weight': an MXFP4 block"):
        load(b.write(tmp_path / "m.gguf"))


def test_free_memory_is_a_number_of_bytes() -> None:
    assert 1 << 20 < free_memory() < 1 << 50
