"""The default model's logits, bit for bit, whatever the tier, the threads, the chunks, the company in a step, and what the cache held before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.exact.bits import (
    ALL_TIERS,
    Logits,
    assert_same_bits,
    fed,
    in_chunks,
    last_in_chunks,
    needs_tier,
    next_alone,
)
from tests.exact.conftest import Opener
from tokenloom.runtime.engine import Rows

POSITIONS = 64
WAYS = [
    pytest.param(
        tier, threads, marks=[pytest.mark.slow] if tier == "generic" and threads != 2 else [], id=f"{tier}-{threads}"
    )
    for tier in ALL_TIERS
    for threads in (1, 2, 3, 5)
]


@pytest.fixture(scope="module")
def want(real: Opener, ids: list[int]) -> Logits:
    """The best tier on two threads, the prompt as a whole."""
    logits = in_chunks(real()._engine, ids[:POSITIONS], POSITIONS)
    assert np.isfinite(logits).all()
    assert len({row.tobytes() for row in logits}) == POSITIONS
    return logits


@pytest.mark.parametrize(("tier", "threads"), WAYS)
def test_tiers_and_threads(tier: str, threads: int, real: Opener, ids: list[int], want: Logits) -> None:
    needs_tier(tier)
    model = real(tier, threads)
    assert (model.tier, model.threads) == (tier, threads)
    assert_same_bits(in_chunks(model._engine, ids[:POSITIONS], POSITIONS), want)
    assert_same_bits(in_chunks(model._engine, ids[:20], 7), want[:20])
    assert_same_bits(in_chunks(model._engine, ids[:8], 1), want[:8])


@pytest.mark.parametrize("size", [1, 7, 16, 33])
def test_chunks(size: int, real: Opener, ids: list[int], want: Logits) -> None:
    assert_same_bits(in_chunks(real()._engine, ids[:POSITIONS], size), want)


@pytest.mark.parametrize("kv_dtype", ["f16", "q8", pytest.param("f32", marks=pytest.mark.slow)])
def test_chunks_of_a_longer_prompt(kv_dtype: str, real: Opener, ids: list[int]) -> None:
    """128 rows in one step, as many as it takes."""
    engine = real(kv_dtype=kv_dtype)._engine
    whole = last_in_chunks(engine, ids[:128], 128)
    for size in (1, 7, 64):
        assert_same_bits(last_in_chunks(engine, ids[:128], size), whole)


def test_the_cache_type_matters(real: Opener, ids: list[int], want: Logits) -> None:
    """And every chunking agrees with a float32 cache as well."""
    exact = in_chunks(real(kv_dtype="f32")._engine, ids[:POSITIONS], POSITIONS)
    assert (exact != want).mean() > 0.9
    for size in (1, 7):
        assert_same_bits(in_chunks(real(kv_dtype="f32")._engine, ids[:POSITIONS], size), exact)


def test_model_logits_are_the_steps(real: Opener, ids: list[int], want: Logits) -> None:
    assert_same_bits(real().logits(ids[:POSITIONS]), want)
    assert_same_bits(real().logits(ids[:128])[:POSITIONS], want)


@pytest.mark.parametrize("count", [2, 8, 9, 33])
def test_a_row_among_others(count: int, real: Opener, ids: list[int]) -> None:
    """Sequences at different positions, one row each: 2 and 8 are the class of few rows, 9 and 33 that of many."""
    engine = real()._engine
    long = fed(engine, ids[:128])
    held = []
    for number in range(count):
        fork = long.fork()
        fork.truncate(1 + (number * 37) % 127)
        held.append(fork)
    assert len({s.length for s in held}) == count
    tokens = [ids[(7 * n) % len(ids)] for n in range(count)]
    alone = np.stack([next_alone(engine, s, t) for s, t in zip(held, tokens, strict=True)])
    outs = engine.step([Rows(s, [t]) for s, t in zip(held, tokens, strict=True)])
    assert outs == count
    assert_same_bits(engine.logits(outs), alone)
    for s in (long, *held):
        s.close()


def test_a_chunk_beside_decoding_rows(real: Opener, ids: list[int], want: Logits) -> None:
    """A prompt chunk between single rows of other sequences, some of them with logits and some without."""
    engine = real()._engine
    before, after, fresh = fed(engine, ids[:40]), fed(engine, ids[:63]), engine.new_sequence()
    other = fed(engine, ids[5:30])
    outs = engine.step(
        [Rows(before, [ids[40]]), Rows(other, ids[30:34], "none"), Rows(fresh, ids[:50], "all"), Rows(after, [ids[63]])]
    )
    assert outs == 52
    assert_same_bits(engine.logits(outs), np.concatenate([want[40:41], want[:50], want[63:64]]))
    for s in (before, after, fresh, other):
        s.close()


@pytest.mark.parametrize("kept", [1, 16, 37, 48])
def test_a_reused_prefix(kept: int, real: Opener, ids: list[int], want: Logits) -> None:
    """What a cut sequence, a fork, and a used and freed page leave behind changes nothing."""
    engine = real()._engine
    sequence = fed(engine, ids[:kept] + ids[100:128])
    sequence.truncate(kept)
    fork = sequence.fork()
    assert_same_bits(in_chunks(engine, ids[kept:POSITIONS], 7, sequence), want[kept:])
    assert_same_bits(in_chunks(engine, ids[kept:POSITIONS], 64, fork), want[kept:])
    sequence.close()
    fork.close()
    assert_same_bits(in_chunks(engine, ids[:POSITIONS], POSITIONS), want)


def test_greedy_text_follows_the_logits(real: Opener, ids: list[int]) -> None:
    """The decode loop, its reuse of the cache, and the sampler agree with a teacher-forced pass."""
    model = real()
    for reuse in (False, True, True):
        tokens = list(model.generate_tokens(ids[:40], max_tokens=24, ignore_eos=True, reuse=reuse))
        forced = model.logits(ids[:40] + tokens)
        assert tokens == forced[39:-1].argmax(axis=1).tolist()
