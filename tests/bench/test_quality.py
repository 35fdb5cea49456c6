"""Perplexity and agreement against a float64 computation by hand, engines against each other, and verdicts that can say no."""

from __future__ import annotations

import math
import os
import shlex
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from tests.formats.gguf_build import tiny_llama

import tokenloom
from tokenloom.bench import quality as q
from tokenloom.bench.quality_engines import Here, LlamaCpp, Quality, check_same_vocabulary, measure
from tokenloom.errors import RequestError, RunError

RNG = np.random.default_rng(5)
LOGITS = (4 * RNG.standard_normal((40, 500))).astype(np.float32)
OTHER = (LOGITS + 0.3 * RNG.standard_normal(LOGITS.shape)).astype(np.float32)


def probabilities(logits: np.ndarray) -> np.ndarray:
    """By the definition, in float64."""
    e = np.exp(logits.astype(np.float64))
    return e / e.sum(-1, keepdims=True)


# ---- windows ----------------------------------------------------------------------------------------------------------


def test_windows_do_not_overlap_and_drop_the_rest():
    cut = q.windows_of(range(35), 10, bos=None)
    assert cut.ids == [list(range(10)), list(range(10, 20)), list(range(20, 30))]
    assert (cut.first, cut.scored) == (5, 4)
    assert q.windows_of(range(35), 10, bos=None, most=1).ids == [list(range(10))]


def test_a_beginning_token_replaces_every_windows_first():
    assert q.windows_of(range(20), 10, bos=77).ids == [[77, *range(1, 10)], [77, *range(11, 20)]]


@pytest.mark.parametrize(("count", "ctx", "named"), [(9, 10, "9 tokens and a window 10"), (99, 7, "ctx=7")])
def test_texts_and_windows_that_are_too_short(count, ctx, named):
    with pytest.raises(RequestError, match=named):
        q.windows_of(range(count), ctx, bos=None)


# ---- figures ----------------------------------------------------------------------------------------------------------


def test_nll_is_minus_the_log_of_the_probability():
    targets = RNG.integers(0, 500, 40).tolist()
    want = -np.log(probabilities(LOGITS)[np.arange(40), targets])
    assert np.allclose(q.nll(LOGITS, targets), want, rtol=1e-5, atol=1e-6)


def test_kl_is_that_of_the_definition():
    p, r = probabilities(LOGITS), probabilities(OTHER)
    assert np.allclose(q.kl(LOGITS, OTHER), (p * np.log(p / r)).sum(-1), rtol=1e-4, atol=1e-6)
    assert np.allclose(q.kl(OTHER, LOGITS), (r * np.log(r / p)).sum(-1), rtol=1e-4, atol=1e-6)


def test_equal_logits_have_a_kl_of_exactly_zero():
    assert (q.kl(LOGITS, LOGITS.copy()) == 0).all()


def test_large_logits_do_not_overflow():
    assert np.allclose(q.nll(LOGITS + np.float32(1e4), [0] * 40), q.nll(LOGITS, [0] * 40), atol=2e-2)


def test_a_model_that_knows_nothing_has_the_vocabulary_as_its_perplexity():
    score = q.Score("flat", [q.nll(np.zeros((9, 500), np.float32), range(9))] * 3)
    assert score.perplexity == pytest.approx(500, rel=1e-6)
    assert score.error == pytest.approx(0, abs=1e-6)
    assert score.tokens == 27


def test_the_standard_error_is_llama_cpps():
    every = np.array([1.0, 2.0, 4.0, 5.0])
    score = q.Score("x", [every[:2], every[2:]])
    variance = (every**2).mean() - every.mean() ** 2  # perplexity.cpp: nll2 - nll², over count - 1
    assert score.error == pytest.approx(math.exp(3.0) * math.sqrt(variance / 3))


def test_agreement_counts_equal_choices():
    agreement = q.Agreement()
    agreement.add(LOGITS, OTHER)
    assert agreement.same[0].mean() == np.mean(LOGITS.argmax(-1) == OTHER.argmax(-1))
    assert np.array_equal(agreement.kl[0], q.kl(OTHER, LOGITS))


@pytest.mark.parametrize(("freedom", "want"), [(5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)])
def test_students_quantiles(freedom, want):
    assert q.t95(freedom) == pytest.approx(want, rel=2e-3)


def made(apart: float, noise: float, windows: int = 40) -> q.Spread:
    """Two scores whose mean NLL differ by about `apart`."""
    rng = np.random.default_rng(1)
    a = q.Score("a", [rng.exponential(3, 50) for _ in range(windows)])
    b = q.Score("b", [w - apart - noise * rng.standard_normal(len(w)) for w in a.windows])
    return q.difference(a, b)


def test_a_planted_difference_is_inside_the_interval():
    """0.4 % apart, which the texts' own spread (a perplexity error of 2 %) would hide were the scores not paired."""
    apart = made(math.log(1.004), 0.02)
    assert apart.low < math.log(1.004) < apart.high
    assert apart.high - apart.low < 0.004


@pytest.mark.parametrize(
    ("spread", "want", "named"),
    [
        (made(0.001, 0.02), q.KEPT, "interval"),
        (made(-0.02, 0.02), q.MISSED, "interval"),
        (made(0.02, 0.02), q.MISSED, "interval"),
        (made(0.005, 0.02), q.REJECTED, "both sides"),
        (made(0.0, 2.0), q.REJECTED, "more windows"),
        (made(0.0, 0.0, windows=5), q.REJECTED, "6 are needed"),
    ],
)
def test_verdicts(spread, want, named):
    kind, why = q.verdict(spread, 0.005)
    assert kind == want
    assert named in why


# ---- engines ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    path = tiny_llama(tmp_path_factory.mktemp("tiny") / "tiny.gguf", ctx=512)
    with tokenloom.load(path, threads=1, ctx=512) as model:
        yield Here(model, "tiny")


@pytest.mark.parametrize("size", [9, 150, 512])
def test_logits_are_the_models_own_at_the_scored_places(here, size):
    window = RNG.integers(3, 200, size).tolist()
    got = here.logits(window, size // 2)
    want = here.model.logits(window)[size // 2 : -1]
    assert np.array_equal(got.view(np.uint32), want.view(np.uint32))


def test_a_model_agrees_with_itself_bit_for_bit(here):
    windows = q.windows_of(RNG.integers(3, 200, 200).tolist(), 32, bos=None)
    quality, told = Quality(q.Score("a"), q.Score("b"), q.Agreement()), []
    measure(quality, here, here, windows, told.append)
    assert told == [1, 2, 3, 4, 5, 6]
    assert max(k.max() for k in quality.agreement.kl) == 0
    assert all(s.all() for s in quality.agreement.same)
    assert q.difference(quality.model, quality.reference) == q.Spread(0.0, 0.0, 6)
    assert q.verdict(q.difference(quality.model, quality.reference), 0.005)[0] == q.KEPT
    assert quality.model.tokens == 6 * 15


def test_ctrl_c_keeps_whole_windows(here):
    windows = q.windows_of(RNG.integers(3, 200, 400).tolist(), 16, bos=None)
    quality = Quality(q.Score("a"), q.Score("b"), q.Agreement())
    stop = threading.Event()

    def at(number: int) -> None:
        if number == 3:
            os.kill(os.getpid(), signal.SIGINT)
            stop.set()

    with pytest.raises(KeyboardInterrupt):
        measure(quality, here, here, windows, at)
    assert stop.is_set()
    lists = (quality.model.windows, quality.reference.windows, quality.agreement.kl, quality.agreement.same)
    assert {len(kept) for kept in lists} == {3}


def test_other_vocabularies_are_refused(here, tmp_path):
    other = tiny_llama(tmp_path / "other.gguf", vocab=400)
    with tokenloom.load(other, threads=1, ctx=64) as model, pytest.raises(RequestError, match="different tokenizers"):
        check_same_vocabulary(here, Here(model, "other"))


# ---- the process around llama.cpp -----------------------------------------------------------------------------------------


@pytest.fixture
def python(tmp_path) -> Path:
    """A Python in which `llama_cpp` is the stand-in."""
    script = tmp_path / "python"
    fake = Path(__file__).with_name("fake_llama_cpp")
    script.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(fake))} exec {shlex.quote(sys.executable)} "$@"\n')
    script.chmod(0o755)
    return script


def test_llama_cpps_process_gives_the_scored_places_from_a_clean_cache(python):
    with LlamaCpp(python, Path("some.gguf"), threads=2, ctx=16) as peer:
        assert peer.vocab_size == 300
        assert peer.about["version"] == "0.0 (fake)"
        assert peer.tokenize("AB", add_bos=True) == [1, 65, 66]
        for window in ([5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6]):
            got = peer.logits(window, 3)
            assert got.shape == (2, 300)
            assert got[:, 0].tolist() == window[3:5]
            assert got[:, 1].tolist() == [sum(window[:4]), sum(window[:5])]


def test_llama_cpps_process_says_why_it_ended(python):
    with pytest.raises(RunError, match=r"cannot load missing\.gguf"):
        LlamaCpp(python, Path("missing.gguf"), threads=1, ctx=16)
    with (
        LlamaCpp(python, Path("some.gguf"), threads=1, ctx=16) as peer,
        pytest.raises(RunError, match="llama_decode gave 7"),
    ):
        peer.logits([299, 1, 2, 3], 2)
    with pytest.raises(RequestError, match=r"no llama\.cpp at"):
        LlamaCpp(Path("/no/such/python"), Path("some.gguf"), threads=1, ctx=16)


def test_a_llama_cpp_with_another_vocabulary_is_refused(here, python):
    with LlamaCpp(python, Path("some.gguf"), threads=1, ctx=16) as peer, pytest.raises(RequestError, match="300"):
        check_same_vocabulary(here, peer)
