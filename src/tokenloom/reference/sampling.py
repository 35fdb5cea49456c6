"""The sampler as docs/sampling.md defines it: log, Philox, and one token from one row of logits.

Knows: every step and rounding of the chain; candidates are put in order by sorting all of them. Does not know: how the
kernel avoids that, records, batches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.errors import NonFiniteLogitsError, RequestError
from tokenloom.reference.floats import F32, exp32, fma

_LARGEST = np.finfo(np.float32).max
_ATANH = tuple(
    np.float32(float.fromhex(c)) for c in ("0x1.c71c72p-3", "0x1.24924ap-2", "0x1.99999ap-2", "0x1.555556p-1")
)
_LN2_HIGH, _LN2_LOW = (np.float32(float.fromhex(c)) for c in ("0x1.62e400p-1", "0x1.7f7d1cp-20"))
_SQRT_HALF = np.int32(0x3F3504F3)


def log32(x: Any) -> F32:
    """ln x for normal x > 0: x = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt 2), and the series of atanh (f / (2 + f))."""
    bits = np.asarray(x, np.float32).view(np.int32) + (np.int32(0x3F800000) - _SQRT_HALF)
    k = ((bits >> 23) - np.int32(127)).astype(np.float32)
    f = ((bits & np.int32(0x7FFFFF)) + _SQRT_HALF).view(np.float32) - np.float32(1)
    s = f / (np.float32(2) + f)
    z = s * s
    p = np.full(f.shape, _ATANH[0], np.float32)
    for coefficient in _ATANH[1:]:
        p = fma(p, z, coefficient)
    half = (np.float32(0.5) * f) * f
    inner = fma(k, _LN2_LOW, s * (half + p * z))
    return fma(k, _LN2_HIGH, f - (half - inner))


def philox4x32(key: Sequence[int], counter: Sequence[int]) -> tuple[int, int, int, int]:
    """Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, "Parallel Random Numbers: As Easy as 1, 2, 3")."""
    (k0, k1), (c0, c1, c2, c3) = key, counter
    for _ in range(10):
        a, b = c0 * 0xD2511F53, c2 * 0xCD9E8D57
        c0, c1, c2, c3 = (b >> 32) ^ c1 ^ k0, b & 0xFFFFFFFF, (a >> 32) ^ c3 ^ k1, a & 0xFFFFFFFF
        k0, k1 = (k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c0, c1, c2, c3


def uniform(seed: int, index: int) -> float:
    """The draw of generated token `index`, in [0, 1), a multiple of 2^-24."""
    return float(philox4x32((seed & 0xFFFFFFFF, seed >> 32), (index, 0, 0, 0))[0] >> 8) * 2.0**-24


@dataclass(frozen=True)
class Request:
    """One generation's settings at one token. `history` is the sequence so far, `mask` True where an id is allowed."""

    temp: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repeat_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repeat_last_n: int = 64
    seed: int = 0
    index: int = 0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    history: Sequence[int] = ()
    mask: NDArray[np.bool_] | None = None


def adjusted(logits: F32, ask: Request) -> F32:
    """Bias, then mask, then penalties: repetition as in CTRL (Keskar et al. 2019), presence and frequency as OpenAI."""
    z = np.array(logits, np.float32)
    for token, bias in ask.logit_bias.items():
        z[token] = z[token] + np.float32(bias)
    if ask.mask is not None:
        z = np.where(ask.mask, z, np.float32(-np.inf)).astype(np.float32)
    repeat, presence, frequency = (
        np.float32(v) for v in (ask.repeat_penalty, ask.presence_penalty, ask.frequency_penalty)
    )
    if (ask.repeat_penalty, ask.presence_penalty, ask.frequency_penalty) == (1.0, 0.0, 0.0):
        return z
    window = list(ask.history) if ask.repeat_last_n < 0 else list(ask.history)[-ask.repeat_last_n :]
    for token, count in Counter(window if ask.repeat_last_n else []).items():
        scaled = z[token] / repeat if z[token] > 0 else z[token] * repeat
        z[token] = np.minimum(scaled, _LARGEST) - (np.float32(count) * frequency + presence)
    return z


def sum16_f64(x: F32) -> float:
    """Sum in float64: 16 partials, element i into partial i mod 16, then the tree 8, 4, 2, 1."""
    padded = np.zeros(-(-x.size // 16) * 16, np.float64)
    padded[: x.size] = x
    p = np.cumsum(padded.reshape(-1, 16), axis=0)[-1]  # a running sum adds in order
    for half in (8, 4, 2, 1):
        p = p[:half] + p[half : 2 * half]
    return float(p[0])


def _weights(z: F32, ask: Request) -> F32:
    inverse = np.float32(1) / np.float32(ask.temp)
    return exp32((z - z.max()) * inverse)


def _draw(z: F32, ask: Request) -> int:
    vocab, u = z.size, uniform(ask.seed, ask.index)
    weights = _weights(z, ask)
    top_p, min_p = np.float32(ask.top_p), np.float32(ask.min_p)
    limited = 0 < ask.top_k < vocab
    total = sum16_f64(weights)
    if not limited and top_p >= 1 and min_p <= 0:
        passed = np.nonzero(np.cumsum(weights, dtype=np.float64) > u * total)[0]
        return int(passed[0]) if passed.size else int(np.nonzero(weights)[0][-1])
    order = np.lexsort((np.arange(vocab), -z))
    order = order[z[order] > -np.inf]
    if limited:
        order = order[: ask.top_k]
        total = float(np.cumsum(weights[order], dtype=np.float64)[-1])
    if top_p < 1:
        reached = np.nonzero(np.cumsum(weights[order], dtype=np.float64) >= np.float64(top_p) * total)[0]
        order = order[: reached[0] + 1] if reached.size else order
    kept = np.where(weights[order] >= min_p, weights[order], np.float32(0))
    running = np.cumsum(kept, dtype=np.float64)
    return int(order[np.nonzero(running > u * running[-1])[0][0]])


def sample(logits: Any, ask: Request) -> int:
    """The token. Raises NonFiniteLogitsError, and RequestError where every token is forbidden."""
    logits = np.asarray(logits, np.float32)
    if not np.isfinite(logits).all():
        raise NonFiniteLogitsError("a logit is not finite", 0)
    with np.errstate(over="ignore"):
        z = adjusted(logits, ask)
        if z.max() == -np.inf:
            raise RequestError("every token is forbidden")
        return int(z.argmax()) if ask.temp == 0 else _draw(z, ask)


def logprobs(logits: Any) -> F32:
    """Of every id, under the model's own distribution."""
    logits = np.asarray(logits, np.float32)
    with np.errstate(over="ignore"):
        shifted = logits - logits.max()
        return np.asarray(shifted - log32(np.float32(sum16_f64(exp32(shifted)))), np.float32)
