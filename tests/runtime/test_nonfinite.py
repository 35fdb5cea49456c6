"""A NaN or an infinity: an error that says where, nothing kept of it, and a sequence that goes on as if it had never been."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.exact.bits import assert_same_bits
from tests.formats.gguf_build import tiny_llama_builder
from tests.runtime.tiny import poisoned, put, values
from tokenloom.errors import NonFiniteLogitsError
from tokenloom.runtime.engine import Rows
from tokenloom.runtime.model import Model

BAD = 200
GOOD = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
Opener = Callable[..., Model]
CASES = [("F32", math.nan), ("F32", math.inf), ("F16", -math.inf), ("Q8_0", math.nan), ("Q4_1", 1e38)]


@pytest.mark.parametrize("kv_dtype", ["f16", "f32", "q8"])
@pytest.mark.parametrize(("qtype", "value"), CASES)
def test_it_is_named_and_nothing_stays(qtype: str, value: float, kv_dtype: str, tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", BAD, value, qtype=qtype), kv_dtype=kv_dtype)
    engine = model._engine
    want = model.logits([*GOOD, 20, 21])
    assert np.isfinite(want).all()
    sequence = engine.new_sequence()
    engine.step([Rows(sequence, GOOD, "none")])
    for batch in ([BAD], [20, 21, BAD], [20, BAD, 21, 22], [*range(30, 45), BAD]):
        for outs in ("last", "all", "none"):
            with pytest.raises(NonFiniteLogitsError, match=r"step \d+ .*position \d+ .*10 tokens") as found:
                engine.step([Rows(sequence, batch, outs)])
            # rows after the bad one see it too; any of them may be named
            named = re.search(r"position (\d+)", str(found.value))
            assert named
            assert len(GOOD) + batch.index(BAD) <= int(named[1]) < len(GOOD) + len(batch)
            assert sequence.tokens == GOOD
    engine.step([Rows(sequence, [20, 21], "all")])
    assert_same_bits(engine.logits(2), want[-2:])
    sequence.close()
    assert engine.pool.used == 0


def test_others_in_the_same_step_are_not_harmed(tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", BAD, math.nan))
    engine = model._engine
    want = model.logits(GOOD)
    one, two = engine.new_sequence(), engine.new_sequence()
    engine.step([Rows(one, GOOD[:5], "none"), Rows(two, GOOD[:7], "none")])
    with pytest.raises(NonFiniteLogitsError):
        engine.step([Rows(one, GOOD[5:]), Rows(two, [BAD])])
    assert (one.tokens, two.tokens) == (GOOD[:5], GOOD[:7])
    outs = engine.step([Rows(two, GOOD[7:], "all"), Rows(one, GOOD[5:], "all")])
    assert_same_bits(engine.logits(outs), np.concatenate([want[7:], want[5:]]))


def test_a_generation_fails_and_the_next_one_does_not_notice(tmp_path: Path, opened: Opener) -> None:
    model = opened(poisoned(tmp_path / "bad.gguf", BAD, math.nan, ctx=256))
    fine = [*GOOD, *range(20, 60)]
    want = list(model.generate_tokens(fine, max_tokens=8, ignore_eos=True, reuse=False))
    for _ in range(2):
        # in the last chunk of the prompt, and in one before it
        for bad in ([*fine, BAD], [*GOOD, BAD, *range(70, 210)]):
            with pytest.raises(NonFiniteLogitsError, match="position"):
                list(model.generate_tokens(bad, max_tokens=8, ignore_eos=True))
            assert list(model.generate_tokens(fine, max_tokens=8, ignore_eos=True)) == want
    session = model.session()
    session.append(GOOD)
    with pytest.raises(NonFiniteLogitsError):
        session.append([*range(20, 180), BAD])
    assert session.tokens == GOOD
    with pytest.raises(NonFiniteLogitsError):
        list(session.generate([20, BAD]))
    session.truncate(len(GOOD))
    assert session.generate(fine[len(GOOD) :], max_tokens=8, ignore_eos=True).close() is None
    got = list(model.generate_tokens(fine, max_tokens=8, ignore_eos=True))
    assert got == want


@pytest.mark.parametrize(("what", "factor", "kv_dtype"), [("v", 1e6, "f16"), ("v", 1e8, "q8"), ("k", 1e8, "q8")])
def test_a_value_too_large_for_the_cache_is_an_error_there_only(
    what: str, factor: float, kv_dtype: str, tmp_path: Path, opened: Opener
) -> None:
    """Values beyond float16's range are infinities in an f16 cache, 127 times as large ones in a q8 cache, and numbers like others in an f32 one."""
    b = tiny_llama_builder(qtype="F32", layers=1)
    put(b, f"blk.0.attn_{what}.weight", values(b, f"blk.0.attn_{what}.weight") * factor)
    path = b.write(tmp_path / "large.gguf")
    with pytest.raises(NonFiniteLogitsError, match="position 0"):
        opened(path, kv_dtype=kv_dtype).logits([7])
    assert np.isfinite(opened(path, kv_dtype="f32").logits(GOOD)).all()


def test_a_bad_norm_fails_every_step(tmp_path: Path, opened: Opener) -> None:
    b = tiny_llama_builder(qtype="F32", layers=1)
    norm = values(b, "output_norm.weight")
    norm[3] = math.nan
    put(b, "output_norm.weight", norm)
    model = opened(b.write(tmp_path / "nan.gguf"))
    for ids in ([7], GOOD[:3], GOOD):
        with pytest.raises(NonFiniteLogitsError):
            model.logits(ids)
        with pytest.raises(NonFiniteLogitsError):
            list(model.generate_tokens(ids, max_tokens=2))
    assert model._engine.pool.used <= 1
