"""Logits of the engine by every way rows can take, logits of the reference, and what "the same" means: the same bits.

Knows the engine's step and the reference. Knows no tolerance.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tokenloom.errors import TierError
from tokenloom.formats.gguf import open_gguf
from tokenloom.jit.cpu import TIERS, choose
from tokenloom.reference.llama import RawTensor, config_from_metadata, forward
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.sequence import Sequence

Logits = np.ndarray


def assert_same_bits(got: Logits, want: Logits) -> None:
    assert got.dtype == want.dtype == np.float32
    assert got.shape == want.shape
    differ = got.view(np.uint32) != want.view(np.uint32)
    if differ.any():
        rows = np.flatnonzero(differ.any(axis=-1)) if got.ndim == 2 else []
        worst = np.abs(got - want).max()
        pytest.fail(
            f"{differ.sum()} of {differ.size} values differ, by up to {worst}; rows {[int(r) for r in rows[:10]]}"
        )


def needs_tier(name: str) -> None:
    """Skips, naming the claim, where this machine cannot run a tier."""
    try:
        choose(name)
    except TierError as problem:
        pytest.skip(f"hardware: exactness of tier {name} is unproved here: {problem}")


ALL_TIERS = tuple(TIERS)


def in_chunks(engine: Engine, ids: Items[int], size: int, sequence: Sequence | None = None) -> Logits:
    """Logits of all positions, `size` rows a step, appended to `sequence` (None: a fresh one, closed afterwards)."""
    own = sequence or engine.new_sequence()
    parts = []
    for at in range(0, len(ids), size):
        outs = engine.step([Rows(own, list(ids[at : at + size]), "all")])
        parts.append(engine.logits(outs))
    if sequence is None:
        own.close()
    return np.concatenate(parts)


def last_in_chunks(engine: Engine, ids: Items[int], size: int) -> Logits:
    """Logits of the last position alone; the steps before have none."""
    own = engine.new_sequence()
    for at in range(0, len(ids), size):
        last = at + size >= len(ids)
        outs = engine.step([Rows(own, list(ids[at : at + size]), "last" if last else "none")])
        assert outs == last
    own.close()
    return engine.logits(1)[0]


def fed(engine: Engine, ids: Items[int], size: int = 64) -> Sequence:
    """A sequence that holds `ids`."""
    sequence = engine.new_sequence()
    for at in range(0, len(ids), size):
        engine.step([Rows(sequence, list(ids[at : at + size]), "none")])
    return sequence


def next_alone(engine: Engine, sequence: Sequence, token: int) -> Logits:
    """Logits after one more token, computed on a fork, alone."""
    fork = sequence.fork()
    engine.step([Rows(fork, [token])])
    fork.close()
    return engine.logits(1)[0]


def reference_logits(path: Path, ids: Items[int], kv_dtype: str, layers: int | None = None) -> Logits:
    with open_gguf(path) as file:
        raw = {name: _raw(file, name) for name in file.tensors}
        return forward(config_from_metadata(file.metadata, layers), raw, list(ids), kv_dtype)


def _raw(file: Any, name: str) -> RawTensor:
    info = file.tensors[name]
    rows = info.shape[0] if len(info.shape) > 1 else 1
    return RawTensor(info.qtype.name, tuple(info.shape), file.read(name).reshape(rows, -1))
