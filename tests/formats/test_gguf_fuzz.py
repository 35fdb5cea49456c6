"""Thousands of damaged files under a time box: each opens or is refused with a typed error, in bounded memory and time.

The bound on memory is measured, per file, by tracemalloc (which NumPy reports to). Violations are planted to see the
harness catch them.
"""

from __future__ import annotations

import os
import random
import struct
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.formats.gguf_build import Builder, Tensor, tiny_llama_builder
from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.formats import gguf_header
from tokenloom.formats.gguf import open_gguf

FILES = 2400
TIME_BOX_S = 40.0
"""Of this process's CPU time: a busy machine does not close the box."""
SLACK = 192 << 10
"""What an open takes besides the file: dictionaries, tensor rows, an exception and its traceback."""
LENGTHS = (0, 1, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 8, 2**64 - 1)


def kitchen_sink() -> bytes:
    b = Builder().add("general.architecture", "str", "llama").add("words", ["str"], ["a", "", "ccc", "d" * 30])
    for kind, value in [("u8", 1), ("i16", -2), ("u32", 3), ("f32", 0.5), ("bool", True), ("u64", 4), ("f64", 0.25)]:
        b.add(kind, kind, value).add(f"{kind}s", [kind], [value] * 5)
    b.add("nested", [["u16"]], [[1, 2], [], [3]]).add("deep", [[["str"]]], [[["x"], []], []])
    for i, qtype in enumerate(("F32", "F16", "Q8_0", "Q4_0", "Q4_1")):
        b.add_tensor(f"t{i}", np.ones((3, 32), np.float32), qtype)
    return b.build()


def bases() -> list[tuple[bytes, int]]:
    """Small valid files, each with the length of its header."""
    llama = tiny_llama_builder(layers=1, hidden=32, heads=2, kv_heads=1, ff=32)
    sink = kitchen_sink()
    vocab = Builder(2).add("tokenizer.ggml.tokens", ["str"], [f"token {i}" for i in range(200)])
    return [(sink, sink.rindex(b"t4") + 40), (llama.build(), len(llama.header())), (vocab.build(), len(vocab.header()))]


def flip(data: bytearray, header: int, rng: random.Random) -> None:
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        data[rng.randrange(header if rng.random() < 0.9 else len(data))] ^= 1 << rng.randrange(8)


def long_length(data: bytearray, header: int, rng: random.Random) -> None:
    at = rng.randrange(4, header - 8)
    value = rng.choice((*LENGTHS, len(data), len(data) - at, len(data) // 2))
    struct.pack_into("<Q", data, at, value)


def long_true_length(data: bytearray, header: int, rng: random.Random) -> None:
    """A value that small and followed by that many bytes is likely to be a length or a count."""
    likely = [at for at in range(8, header - 8) if 0 < struct.unpack_from("<Q", data, at)[0] < 256]
    struct.pack_into("<Q", data, rng.choice(likely), rng.choice(LENGTHS))


def small_ids(data: bytearray, header: int, rng: random.Random) -> None:
    struct.pack_into("<I", data, rng.randrange(4, header - 4), rng.choice((0, 1, 7, 8, 9, 10, 13, 30, 31, 255)))


def truncate(data: bytearray, header: int, rng: random.Random) -> None:
    del data[rng.randrange(header if rng.random() < 0.8 else len(data)) :]


def splice(data: bytearray, header: int, rng: random.Random) -> None:
    start, length = rng.randrange(header), rng.randrange(1, 64)
    if rng.random() < 0.5:
        del data[start : start + length]
    else:
        data[start:start] = data[start : start + length] or b"\0"


MUTATIONS = (flip, flip, long_length, long_true_length, small_ids, truncate, splice)


def mutants(seed: int, kinds: tuple[Callable[..., None], ...] = MUTATIONS) -> Iterator[bytes]:
    rng = random.Random(seed)
    originals = bases()
    while True:
        base, header = rng.choice(originals)
        data = bytearray(base)
        rng.choice(kinds)(data, header, rng)
        yield bytes(data)


def attempt(path: Path, data: bytes) -> str:
    """Open and read everything, within the bounds. Tracemalloc must be running."""
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    start = time.process_time()
    try:
        with open_gguf(path) as model:
            for name in model.tensors:
                model.read(name)
        outcome, message = "opened", str(path)
    except (FormatError, UnsupportedError) as error:
        outcome, message = type(error).__name__, str(error)
    assert message.startswith(str(path))
    peak = tracemalloc.get_traced_memory()[1] - before
    assert peak <= 2 * len(data) + SLACK, f"{peak} bytes allocated for a file of {len(data)}"
    assert time.process_time() - start < 5, "took too long"
    return outcome


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_thousands_of_damaged_files(tmp_path: Path, traced: None) -> None:
    for base, _ in bases():
        assert attempt(tmp_path / "fine.gguf", base) == "opened"
    outcomes: dict[str, int] = {}
    deadline = time.process_time() + TIME_BOX_S
    for data, _ in zip(mutants(seed=2026), range(FILES), strict=False):
        outcome = attempt(tmp_path / "mutant.gguf", data)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        if time.process_time() > deadline:
            break
    assert sum(outcomes.values()) >= 2000, f"the time box closed after {outcomes}"
    assert outcomes["FormatError"] > 800
    assert outcomes["opened"] > 200
    assert outcomes["UnsupportedError"] > 5


def attempt_some(path: Path, mutation: Callable[..., None]) -> None:
    for data, _ in zip(mutants(7, (mutation,)), range(200), strict=False):
        attempt(path, data)


def test_guard_on_memory_fails_when_the_reader_allocates_before_it_checks(
    tmp_path: Path, traced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = gguf_header._Cursor.need

    def trusting(self: Any, n: int, field: str) -> None:
        bytearray(min(n, 1 << 28))
        honest(self, n, field)

    monkeypatch.setattr(gguf_header._Cursor, "need", trusting)
    with pytest.raises(AssertionError, match="bytes allocated for a file of"):
        attempt_some(tmp_path / "mutant.gguf", long_true_length)


def test_guard_on_errors_fails_when_the_bounds_gate_stands_open(
    tmp_path: Path, traced: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unchecked(self: Any, n: int, field: str) -> None:
        self.data += os.pread(self.fd, 1 << 20, len(self.data))

    monkeypatch.setattr(gguf_header._Cursor, "need", unchecked)
    with pytest.raises(struct.error, match="requires a buffer"):
        attempt_some(tmp_path / "mutant.gguf", truncate)


def dense(kind: str) -> bytes:
    """A few megabytes made of what costs Python most for each byte of a file."""
    if kind == "keys":
        return b"GGUF" + struct.pack("<IQQ", 3, 0, 60_000) + b"".join(
            struct.pack("<Q4sIB", 4, b"%04x" % i, 0, 7) for i in range(60_000)
        )  # fmt: skip
    b = Builder()
    if kind == "short strings":
        b.add("k", ["str"], [f"{i % 90 + 10}" for i in range(150_000)])
    elif kind == "empty strings":
        b.add_raw("k", 9, struct.pack("<IQ", 8, 250_000) + bytes(8 * 250_000))
    elif kind == "wide text":
        b.add("k", "str", "a" * 4_000_000 + "😀")
    elif kind == "numbers":
        b.add("k", ["u8"], bytes(4_000_000))
    elif kind == "nested":
        b.add_raw("k", 9, struct.pack("<IQ", 9, 60_000) + struct.pack("<IQ", 0, 0) * 60_000)
    elif kind == "tensors":
        b.tensors = [Tensor(f"{i:x}", (8,), 0, bytes(32)) for i in range(20_000)]
    return b.build()


FIXED = 24 << 20
"""What 65,536 keys, tensors or arrays, or 16 MiB of text, may take beside the file; it does not grow with the file."""


@pytest.mark.parametrize(
    "kind", ["keys", "short strings", "empty strings", "wide text", "numbers", "nested", "tensors"]
)
def test_dense_files_stay_within_twice_their_size(tmp_path: Path, traced: None, kind: str) -> None:
    path = tmp_path / "dense.gguf"
    data = dense(kind)
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with open_gguf(path):
        peak = tracemalloc.get_traced_memory()[1] - before
    assert peak <= 2 * len(data) + FIXED
