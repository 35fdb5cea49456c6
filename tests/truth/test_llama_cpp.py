"""As quantized in the file, against llama.cpp: the same greedy token, but for its own near-ties.

Bar: 20 texts x 64 positions, teacher-forced; the argmax differs only where llama.cpp's two likeliest tokens are within
0.3 logit of each other, and at no more than 3 % of the positions. (Differences of log probabilities are differences of
logits.)
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.truth.llama_cpp import Top, teacher_forced

NEAR_TIE = 0.3
EXCEPTIONS = 0.03


def disagreements(ours: np.ndarray, theirs: list[Top]) -> list[float]:
    """llama.cpp's margin between its two likeliest ids wherever our argmax is another one."""
    return [top[0][1] - top[1][1] for row, top in zip(ours, theirs, strict=True) if int(row.argmax()) != top[0][0]]


def shared_delta(ours: np.ndarray, theirs: list[Top]) -> float:
    """Root mean square difference of log probabilities over llama.cpp's likeliest ids."""
    squares = []
    for row, top in zip(ours.astype(np.float64), theirs, strict=True):
        log_sum = np.log(np.exp(row - row.max()).sum()) + row.max()
        squares += [(row[i] - log_sum - logprob) ** 2 for i, logprob in top]
    return float(np.sqrt(np.mean(squares)))


@pytest.mark.slow
@pytest.mark.parametrize("qtype", ["Q4_1", "Q8_0"])
def test_greedy_ids_agree(
    qtype: str, real_file_as: Callable[[str], Path], real_prompts: list[list[int]], record_property: Callable[..., None]
) -> None:
    path = real_file_as(qtype)
    theirs = teacher_forced(path, real_prompts)
    with tokenloom.load(path, ctx=128) as model:
        ours = [model.logits(ids) for ids in real_prompts]
    margins = [m for a, b in zip(ours, theirs, strict=True) for m in disagreements(a, b)]
    positions = sum(len(ids) for ids in real_prompts)
    report = (
        f"{qtype}: {len(margins)} of {positions} positions differ, at margins {sorted(round(m, 3) for m in margins)}"
    )
    rms = float(np.mean([shared_delta(a, b) for a, b in zip(ours, theirs, strict=True)]))
    print(f"{report}; rms difference of log probabilities {rms:.4f}")
    record_property("agreement", report)
    assert positions >= 20 * 64
    assert max(margins, default=0.0) <= NEAR_TIE, report
    assert len(margins) <= EXCEPTIONS * positions, report


def test_a_shifted_position_would_be_seen() -> None:
    """The planted violation: logits one position late disagree at once, and at wide margins."""
    rows = np.eye(4, dtype=np.float32) * 5
    theirs: list[Top] = [[(i, -0.1), ((i + 1) % 4, -3.0)] for i in range(4)]
    assert disagreements(rows, theirs) == []
    assert min(disagreements(np.roll(rows, 1, axis=0), theirs)) > NEAR_TIE
