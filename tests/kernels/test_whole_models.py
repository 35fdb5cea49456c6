"""A whole tiny model on every tier's tapes: the same logits and the same text, the AVX-512 tiers' IR included.

Where this CPU lacks AVX-512, those tiers' kernels run in software (tests/jit/avx512_in_software.py says what that proves).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.formats.gguf_build import tiny_llama
from tests.jit.avx512_in_software import TARGETS, Target, in_software

import tokenloom
from tokenloom.jit import compiler, cpu
from tokenloom.jit.cpu import Tier

IDS = [1, *range(3, 90), 5, 7]
MIXES: dict[str, dict[str, Any]] = {
    "blocks": {"qtype": "Q8_0", "qtypes": {"attn_v": "Q4_1", "ffn_down": "Q4_0", "ffn_gate": "Q4_1"}},
    "floats": {"qtype": "F16", "qtypes": {"attn_v": "BF16", "ffn_up": "F32", "token_embd": "BF16"}},
    "super-blocks": {
        "hidden": 256, "ff": 512, "qtype": "Q4_K", "tied": False,
        "qtypes": {"token_embd": "Q5_K", "output": "Q6_K", "attn_v": "Q6_K", "ffn_down": "Q5_K", "attn_k": "Q5_0", "ffn_up": "Q5_1"},
    },
    "code books": {
        "hidden": 256, "ff": 256, "qtype": "IQ3_S", "tied": False,
        "qtypes": {"token_embd": "IQ3_XXS", "attn_v": "TQ1_0", "ffn_down": "IQ2_XXS", "attn_k": "IQ4_XS", "ffn_up": "Q3_K"},
    },
    "qwen2": {"arch": "qwen2", "hidden": 256, "ff": 256, "qtype": "Q5_0", "qtypes": {"token_embd": "Q8_0", "ffn_down": "Q6_K", "attn_v": "Q8_0"}},
}  # fmt: skip


def pretend(monkeypatch: pytest.MonkeyPatch, target: Target) -> None:
    """This CPU has the tier, and what is compiled for it is compiled in software instead."""
    real_code, real_library, real_missing = compiler.object_code, compiler.Library, cpu.missing

    def library(objects: Sequence[Any], tier: Tier) -> compiler.Library:
        return real_library(objects, target.compiled_for)

    monkeypatch.setattr(
        cpu, "missing", lambda tier, info=None: [] if tier == target.written_for else real_missing(tier)
    )
    monkeypatch.setattr(compiler, "object_code", lambda ir, tier: real_code(in_software(ir), target.compiled_for))
    monkeypatch.setattr(compiler, "Library", library)


def answers(path: Path, target: Target, threads: int, kv_dtype: str) -> tuple[NDArray[np.uint32], list[int]]:
    with tokenloom.load(path, tier=target.written_for.name, threads=threads, ctx=128, kv_dtype=kv_dtype) as model:
        assert model.tier == target.written_for.name
        tokens = list(model.generate_tokens(IDS[:5], max_tokens=20, ignore_eos=True, temp=0.8, seed=3))
        return model.logits(IDS).view(np.uint32), tokens


@pytest.mark.parametrize("mix", MIXES)
def test_all_tiers_agree_on_a_model(tmp_path: Path, mix: str) -> None:
    path = tiny_llama(tmp_path / "tiny.gguf", **{"layers": 2, "heads": 4, "kv_heads": 2, **MIXES[mix]})
    want: tuple[NDArray[np.uint32], list[int]] | None = None
    for number, target in enumerate(TARGETS):
        with pytest.MonkeyPatch.context() as monkeypatch:
            if target.software:
                pretend(monkeypatch, target)
            one = target.software and target.written_for.tiles  # tiles in software are one module's globals
            got = answers(path, target, 1 if one else 1 + number % 3, "q8" if mix == "qwen2" else "f16")
        want = want or got
        assert (got[0] == want[0]).all(), f"{target}: logits"
        assert got[1] == want[1], f"{target}: sampled ids"
    assert want
    assert len(set(want[1])) > 3
