"""The engine against `reference/`, which defines the bits: a cut of the real model, and tiny models of every format and shape."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import ALL_TIERS, Logits, assert_same_bits, fed, in_chunks, needs_tier, reference_logits
from tests.exact.conftest import CTX, Opener
from tests.exact.cut import cut_layers
from tests.formats.gguf_build import tiny_llama
from tokenloom.runtime.engine import Rows
from tokenloom.runtime.model import Model

POSITIONS = 72
SMALL = ("F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1")
SUPER = ("Q4_K", "Q5_K", "Q6_K")  # every width is a multiple of 256
WIDE = {"hidden": 256, "ff": 512}


@pytest.fixture(scope="module")
def four_layers(real_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = cut_layers(real_file, 4, tmp_path_factory.mktemp("cut") / "four.gguf")
    yield path
    path.unlink()


@pytest.mark.parametrize("kv_dtype", ["f16", *(pytest.param(kv, marks=pytest.mark.slow) for kv in ("f32", "q8"))])
def test_four_layers_of_the_real_model(kv_dtype: str, four_layers: Path, ids: list[int]) -> None:
    """Every tier this machine runs, all 49152 logits of 72 positions."""
    want = reference_logits(four_layers, ids[:POSITIONS], kv_dtype)
    for tier in runnable():
        with tokenloom.load(four_layers, tier=tier, threads=2, kv_dtype=kv_dtype, ctx=CTX) as model:
            assert model.config.num_hidden_layers == 4
            assert_same_bits(model.logits(ids[:POSITIONS]), want)


@pytest.mark.slow
@pytest.mark.parametrize("kv_dtype", ["f16", "f32", "q8"])
def test_the_whole_real_model(kv_dtype: str, real_file: Path, real: Opener, ids: list[int]) -> None:
    assert_same_bits(
        real(kv_dtype=kv_dtype).logits(ids[:POSITIONS]), reference_logits(real_file, ids[:POSITIONS], kv_dtype)
    )


def runnable() -> list[str]:
    from tokenloom.jit.cpu import TIERS, missing

    return [name for name, tier in TIERS.items() if not missing(tier)]


SHAPES: dict[str, dict[str, Any]] = {
    "tied": {},
    "untied": {"tied": False},
    "one head to a cache head": {"heads": 4, "kv_heads": 4},
    "four heads to a cache head": {"heads": 4, "kv_heads": 1, "qtype": "Q4_1"},
    "three heads to a cache head": {"hidden": 96, "heads": 6, "kv_heads": 2, "qtype": "Q4_0"},
    "seven heads to a cache head": {"hidden": 224, "heads": 7, "kv_heads": 1, "layers": 1, "qtype": "Q8_0"},
    "heads wider than the stream": {"hidden": 64, "heads": 4, "kv_heads": 2, "head_dim": 32},
    "wide heads": {"hidden": 128, "heads": 1, "kv_heads": 1, "qtype": "BF16"},
    "odd sizes": {"hidden": 80, "heads": 5, "kv_heads": 1, "ff": 120, "vocab": 333, "qtype": "F32"},
    "a vocabulary of no whole tile": {"vocab": 301, "tied": False, "qtype": "Q8_0"},
    "mixed formats": {"qtype": "Q4_1", "qtypes": {"token_embd": "Q8_0", "ffn_down": "F16", "attn_v": "Q8_0", "attn_k": "BF16"}},
    "a mix of rules": {
        **WIDE, "qtype": "Q4_K",
        "qtypes": {"token_embd": "Q6_K", "ffn_down": "Q6_K", "attn_v": "Q8_0", "attn_k": "Q5_0", "attn_output": "F16", "ffn_up": "Q5_1"},
    },
    "three super-blocks": {"hidden": 768, "heads": 6, "kv_heads": 3, "ff": 1280, "layers": 1, "qtype": "Q5_K", "qtypes": {"token_embd": "Q5_0"}},
    "biases in llama": {"biases": True},
    "linear": {"rope_scaling": {"type": "linear", "factor": 4.0}},
    "linear without a type": {"rope_scaling": {"factor": 4.0}},
    "yarn": {"rope_scaling": {"type": "yarn", "factor": 4.0, "original_context_length": 32}},
    "yarn without extrapolation": {
        "rope_scaling": {"type": "yarn", "factor": 8.0, "original_context_length": 16, "yarn_ext_factor": 0.0, "attn_factor": 0.75}
    },
    "yarn with other betas": {
        "rope_scaling": {"type": "yarn", "factor": 2.5, "original_context_length": 64, "yarn_beta_fast": 16.0, "yarn_beta_slow": 2.0}
    },
    "llama 3": {"rope_freqs": [1.0, 1.0, 1.25, 2.0, 3.5, 5.0, 8.0, 8.0]},
    "a large base": {"rope_theta": 1e6},
    "a sliding window": {"window": 20, "layers": 3},
    "a sliding window in some layers": {"window": 7, "slides": [True, False, True], "layers": 3},
}  # fmt: skip
QWEN2: dict[str, dict[str, Any]] = {
    "as it is": {"heads": 2, "kv_heads": 1, "qtype": "F32"},
    "seven heads to a cache head": {"hidden": 224, "heads": 7, "kv_heads": 1, "layers": 1, "qtype": "Q8_0", "rope_theta": 1e6},
    "five bits": {"hidden": 128, "heads": 2, "kv_heads": 2, "qtype": "Q5_1", "qtypes": {"attn_q": "Q5_0"}, "tied": False},
    "super-blocks": {**WIDE, "qtype": "Q4_K", "qtypes": {"token_embd": "Q8_0", "ffn_down": "Q6_K", "attn_v": "Q5_K"}},
    "yarn": {"heads": 2, "kv_heads": 1, "qtype": "F16", "rope_scaling": {"type": "yarn", "factor": 4.0, "original_context_length": 32}},
    "without biases": {"heads": 2, "kv_heads": 1, "qtype": "BF16", "biases": False},
    "a sliding window in the last layer": {"heads": 2, "kv_heads": 1, "qtype": "F16", "window": 16, "slides": [False, True]},
}  # fmt: skip


@pytest.fixture(scope="module")
def tiny_ids() -> list[int]:
    return np.random.default_rng(5).integers(3, 280, POSITIONS).tolist()


def check(
    path: Path, ids: list[int], kv_dtype: str, tiers: list[str], threads: int, want: Logits | None = None
) -> None:
    """`want`: the reference's logits, where they are known already."""
    want = reference_logits(path, ids, kv_dtype) if want is None else want
    assert np.isfinite(want).all()
    for tier in tiers:
        with tokenloom.load(path, tier=tier, threads=threads, kv_dtype=kv_dtype) as model:
            check_every_class(model, ids, want)


def check_every_class(model: Model, ids: list[int], want: np.ndarray) -> None:
    """Rows alone, few and many."""
    assert_same_bits(model.logits(ids), want)
    assert_same_bits(in_chunks(model._engine, ids, 7), want)
    assert_same_bits(in_chunks(model._engine, ids, 1), want)


@pytest.fixture(scope="module")
def small(
    tmp_path_factory: pytest.TempPathFactory, tiny_ids: list[int]
) -> Callable[[str, bool, str], tuple[Path, Logits]]:
    """small(qtype, tied, kv_dtype): a tiny model and what the reference makes of it, once for all tiers."""

    @functools.cache
    def made(qtype: str, tied: bool, kv_dtype: str) -> tuple[Path, Logits]:
        path = tiny_llama(tmp_path_factory.mktemp("small") / "tiny.gguf", qtype=qtype, tied=tied)
        return path, reference_logits(path, tiny_ids, kv_dtype)

    return made


@pytest.mark.parametrize("tier", ALL_TIERS)
@pytest.mark.parametrize("qtype", SMALL)
def test_formats(qtype: str, tier: str, small: Callable[..., tuple[Path, Logits]], tiny_ids: list[int]) -> None:
    needs_tier(tier)
    for tied, kv_dtype in ((True, "f16"), (False, "f32")):
        path, want = small(qtype, tied, kv_dtype)
        check(path, tiny_ids, kv_dtype, [tier], 2, want)


@pytest.mark.parametrize("qtype", SUPER)
def test_formats_of_super_blocks(qtype: str, tmp_path: Path, tiny_ids: list[int]) -> None:
    """On every tier this machine runs."""
    path = tiny_llama(tmp_path / "tiny.gguf", qtype=qtype, layers=1, **WIDE)
    check(path, tiny_ids, "f16", runnable(), 2)
    one_way = tiny_llama(tmp_path / "untied.gguf", qtype=qtype, layers=1, tied=False, seed=1, **WIDE)
    check(one_way, tiny_ids[:40], "f32", runnable()[-1:], 3)


@pytest.mark.parametrize("shape", QWEN2)
def test_qwen2(shape: str, tmp_path: Path, tiny_ids: list[int]) -> None:
    """On every tier this machine runs; each tier meets one, two and three threads in one shape or another."""
    path = tiny_llama(tmp_path / "tiny.gguf", arch="qwen2", seed=4, **QWEN2[shape])
    ids = tiny_ids[:40]
    want = reference_logits(path, ids, "f16")
    assert np.isfinite(want).all()
    for number, tier in enumerate(runnable(), list(QWEN2).index(shape)):
        with tokenloom.load(path, tier=tier, threads=1 + number % 3, kv_dtype="f16") as model:
            assert_same_bits(model.logits(ids), want)
            assert_same_bits(in_chunks(model._engine, ids, 7), want)
            assert_same_bits(in_chunks(model._engine, ids[:5], 1), want[:5])


def test_what_makes_qwen2_matters(tmp_path: Path, tiny_ids: list[int]) -> None:
    """The same weights read as llama, and those without their biases, give other logits."""
    last = []
    for options in ({"arch": "qwen2"}, {"arch": "llama", "biases": True}, {"arch": "qwen2", "biases": False}):
        path = tiny_llama(tmp_path / "tiny.gguf", heads=2, kv_heads=1, qtype="F32", seed=4, **options)
        with tokenloom.load(path, threads=1) as model:
            last.append(model.logits(tiny_ids)[-1].tobytes())
    assert len(set(last)) == 3


@pytest.mark.parametrize("model_of", ["Q4_K", "Q5_K", "Q6_K", "Q5_0", "Q5_1", "qwen2"])
def test_a_row_among_others(model_of: str, tmp_path: Path, tiny_ids: list[int]) -> None:
    """Rows of sequences of different lengths in one step, few and many, and a chunk beside them."""
    options = {"arch": "qwen2", "qtype": "Q4_K"} if model_of == "qwen2" else {"qtype": model_of}
    path = tiny_llama(tmp_path / "tiny.gguf", layers=1, **WIDE, **options)
    with tokenloom.load(path, threads=2) as model:
        engine = model._engine
        want = in_chunks(engine, tiny_ids[:48], 48)
        for count in (2, 9):
            held = [fed(engine, tiny_ids[: 3 + 5 * n]) for n in range(count)]
            fresh = engine.new_sequence()
            rows = [Rows(s, [tiny_ids[s.length]]) for s in held]
            outs = engine.step([*rows[:1], Rows(fresh, tiny_ids[:20], "all"), *rows[1:]])
            expected = np.concatenate([want[3:4], want[:20], *[want[3 + 5 * n : 4 + 5 * n] for n in range(1, count)]])
            assert_same_bits(engine.logits(outs), expected)
            for s in (*held, fresh):
                s.close()


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, tmp_path: Path, tiny_ids: list[int]) -> None:
    """On every tier this machine runs."""
    path = tiny_llama(tmp_path / "tiny.gguf", **{"qtype": "F32", "seed": 3, **SHAPES[shape]})
    check(path, tiny_ids, "f16", runnable(), 3)


@pytest.mark.parametrize("head_dim", [16, 32, 48])
def test_an_eight_bit_cache(head_dim: int, tmp_path: Path, tiny_ids: list[int]) -> None:
    """Scales for 16, 32, and 32 and 16 dims; on every tier this machine runs, with one to three threads."""
    arch = "qwen2" if head_dim == 32 else "llama"
    path = tiny_llama(
        tmp_path / "tiny.gguf", arch=arch, hidden=96, heads=6, kv_heads=2, head_dim=head_dim, qtype="F32", seed=6
    )
    want = reference_logits(path, tiny_ids, "q8")
    assert (want != reference_logits(path, tiny_ids, "f16")).mean() > 0.9
    for number, tier in enumerate(runnable()):
        with tokenloom.load(path, tier=tier, threads=1 + number % 3, kv_dtype="q8") as model:
            check_every_class(model, tiny_ids, want)


def test_scalings_of_positions_matter(tmp_path: Path, tiny_ids: list[int]) -> None:
    """Each kind of scaling above gives other logits than none, so that agreeing on it says something."""
    kinds = ["tied", "linear", "yarn", "yarn without extrapolation", "yarn with other betas", "llama 3", "a large base"]
    last = []
    for kind in kinds:
        path = tiny_llama(tmp_path / "tiny.gguf", **{"qtype": "F32", "seed": 3, **SHAPES[kind]})
        with tokenloom.load(path, threads=1) as model:
            last.append(model.logits(tiny_ids)[-1].tobytes())
    assert len(set(last)) == len(kinds)


def test_windows_matter(tmp_path: Path, tiny_ids: list[int]) -> None:
    """Another window, or in another layer, gives other logits from the first position on that it cuts; one as long as the context is none."""
    kinds: list[dict[str, Any]] = [
        {}, {"window": 20}, {"window": 21}, {"window": 20, "slides": [True, False]}, {"window": 20, "slides": [False, True]},
    ]  # fmt: skip
    found = []
    for kind in (*kinds, {"window": 0}, {"window": 512}, {"window": 20, "slides": [False, False]}):
        with tokenloom.load(tiny_llama(tmp_path / "tiny.gguf", qtype="F32", **kind), threads=1) as model:
            found.append(model.logits(tiny_ids))
    for same in found[len(kinds) :]:
        assert_same_bits(same, found[0])
    assert len({logits[-1].tobytes() for logits in found}) == len(kinds)
    for logits, whole in zip(found[1 : len(kinds)], (20, 21, 20, 20), strict=True):
        assert_same_bits(logits[:whole], found[0][:whole])
        assert (logits[whole] != found[0][whole]).any()


def test_guard_on_bits_fails_when_one_bit_differs() -> None:
    want = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    got = want.copy()
    got.view(np.uint32)[1, 2] ^= 1
    with pytest.raises(pytest.fail.Exception, match=r"1 of 12 values differ.*rows \[1\]"):
        assert_same_bits(got, want)
    zero = np.zeros((1, 1), np.float32)
    with pytest.raises(pytest.fail.Exception):
        assert_same_bits(zero, -zero)
