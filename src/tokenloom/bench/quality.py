"""How well a model predicts a text, and how far two ways of computing it agree.

Knows token ids, windows, logits, and what is made of them. Knows nothing of engines, files or how logits are computed.

Perplexity here is that of llama.cpp's `llama-perplexity` at its defaults. The text is tokenized once, with the model's own rule for a beginning
token, and cut into windows of `ctx` tokens that do not overlap; what is left over is dropped. If the rule adds a beginning token, it replaces the
first token of every window. Every window is computed alone, from an empty cache. The logits at places ctx/2 to ctx−2 score the tokens at ctx/2+1 to
ctx−1: ctx − ctx/2 − 1 of them, each with at least ctx/2 tokens before it. Perplexity is exp of the mean negative log likelihood (NLL, in nats) over
all scored tokens.

Its standard error takes tokens as independent, as llama.cpp's does: PPL · sd(NLL) / sqrt(n − 1). Two engines score the same tokens, so their
comparison is paired: ln(PPL/PPL') is the mean of NLL − NLL', and its error is that of the windows' means, as tokens of one window are not
independent: sd / sqrt(windows). Intervals of 95 % are Student's t.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tokenloom.errors import RequestError

Logits = npt.NDArray[np.float32]  # [places, vocab]
LEAST_CTX = 8
LEAST_WINDOWS = 6  # of a verdict


def t95(freedom: int) -> float:
    """The 97.5 % quantile of Student's t, by the Cornish-Fisher expansion (Abramowitz & Stegun 26.7.5): within 0.2 % from 5 degrees of freedom on."""
    z, v = 1.959963985, float(freedom)
    terms = (
        (z**3 + z) / 4 / v,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96 / v**2,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384 / v**3,
    )
    return z + sum(terms)


@dataclass(frozen=True)
class Windows:
    """Windows of `ctx` ids each. `first` is the first place whose logits are scored."""

    ids: list[list[int]]
    ctx: int

    @property
    def first(self) -> int:
        return self.ctx // 2

    @property
    def scored(self) -> int:
        """Tokens that each window scores."""
        return self.ctx - self.first - 1


def windows_of(ids: Sequence[int], ctx: int, *, bos: int | None, most: int | None = None) -> Windows:
    """Cuts a text's ids into windows; `bos` is the beginning token that the model's rule adds, or None. Raises RequestError for too short a text."""
    if ctx < LEAST_CTX:
        raise RequestError(f"ctx={ctx} is too short a window; give at least {LEAST_CTX} tokens")
    count = len(ids) // ctx
    if count == 0:
        raise RequestError(
            f"the text has {len(ids)} tokens and a window {ctx}; give a longer text or a shorter window (-c)"
        )
    cut = [list(ids[i * ctx : (i + 1) * ctx]) for i in range(count if most is None else min(most, count))]
    if bos is not None:
        for window in cut:
            window[0] = bos
    return Windows(cut, ctx)


def log_sum_exp(logits: Logits) -> npt.NDArray[np.float64]:
    """ln Σ exp of each row, the sum in float64."""
    top = logits.max(-1, keepdims=True)
    total = np.exp(logits - top).sum(-1, dtype=np.float64)
    result: npt.NDArray[np.float64] = np.log(total) + top[:, 0]
    return result


def nll(logits: Logits, targets: Sequence[int]) -> npt.NDArray[np.float64]:
    """−ln p(target) of each row, in nats."""
    chosen = logits[np.arange(len(targets)), list(targets)]
    result: npt.NDArray[np.float64] = log_sum_exp(logits) - chosen
    return result


def kl(reference: Logits, other: Logits) -> npt.NDArray[np.float64]:
    """KL(reference ‖ other) of each row, in nats. Exactly 0 for rows that are equal."""
    lines = log_sum_exp(reference)
    p = np.exp(reference - lines[:, None].astype(np.float32))
    part = (p * (reference - other)).sum(-1, dtype=np.float64)
    mass = p.sum(-1, dtype=np.float64)  # 1 but for float32's rounding, which the other term must share
    result: npt.NDArray[np.float64] = part + mass * (log_sum_exp(other) - lines)
    return np.maximum(result, 0.0)


@dataclass
class Score:
    """One engine's NLL of every scored token, window by window, in nats."""

    name: str
    windows: list[npt.NDArray[np.float64]] = field(default_factory=list)

    @property
    def tokens(self) -> int:
        return sum(map(len, self.windows))

    @property
    def mean_nll(self) -> float:
        return float(np.concatenate(self.windows).mean())

    @property
    def perplexity(self) -> float:
        return math.exp(self.mean_nll)

    @property
    def error(self) -> float:
        """Standard error of the perplexity, tokens taken as independent."""
        every = np.concatenate(self.windows)
        return self.perplexity * float(every.std()) / math.sqrt(len(every) - 1)


@dataclass
class Agreement:
    """Two engines on the same tokens: KL(reference ‖ model) and whether both like the same token best, at every scored place."""

    kl: list[npt.NDArray[np.float64]] = field(default_factory=list)
    same: list[npt.NDArray[np.bool_]] = field(default_factory=list)

    def add(self, model: Logits, reference: Logits) -> None:
        apart, same = kl(reference, model), model.argmax(-1) == reference.argmax(-1)
        self.kl.append(apart)
        self.same.append(same)


@dataclass(frozen=True)
class Spread:
    """A mean over all scored tokens and its standard error, from the windows' means; the error is NaN for a single window."""

    mean: float
    error: float
    windows: int

    @classmethod
    def of(cls, windows: Sequence[npt.NDArray[np.generic]]) -> Spread:
        means = np.array([w.astype(np.float64).mean() for w in windows])  # windows hold equally many tokens
        error = float(means.std(ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else math.nan
        return cls(float(means.mean()), error, len(means))

    @property
    def low(self) -> float:
        return self.mean - t95(max(1, self.windows - 1)) * self.error

    @property
    def high(self) -> float:
        return self.mean + t95(max(1, self.windows - 1)) * self.error


def difference(model: Score, reference: Score) -> Spread:
    """ln(PPL of model / PPL of reference), paired by token."""
    pairs = zip(model.windows, reference.windows, strict=True)
    return Spread.of([a - b for a, b in pairs])


KEPT, MISSED, REJECTED = "kept", "missed", "REJECTED"


def verdict(apart: Spread, within: float) -> tuple[str, str]:
    """Whether two perplexities differ by at most the fraction `within`, and why so. REJECTED: the text is too short to tell."""
    if apart.windows < LEAST_WINDOWS:
        return REJECTED, f"{apart.windows} windows; {LEAST_WINDOWS} are needed"
    low, high = math.expm1(apart.low), math.expm1(apart.high)
    said = f"the 95 % interval of the difference is {low:+.3%} to {high:+.3%}"
    if -within <= low and high <= within:
        return KEPT, said
    if low > within or high < -within:
        return MISSED, said
    return REJECTED, f"{said}, which includes both sides of {within:.3%}; score more windows"
