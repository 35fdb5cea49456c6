"""RoPE frequencies for every scaling kind GGUF names for llama files: none, linear, YaRN, and Llama-3's per-pair factors.

Knows the formulas (docs/arithmetic.md). Knows nothing of files or kernels. Computed once per model in 50-digit decimals, so that every machine
has the same table whatever its libm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext

from tokenloom.errors import FormatError

_FASTEST = 16  # radians per position: far above any model's, and at 2^23 positions still where sincos64 reduces exactly
_PI = Decimal("3.14159265358979323846264338327950288419716939937511")


@dataclass(frozen=True)
class RopeScaling:
    """`kind` is none, linear or yarn; the fields carry GGUF's names."""

    kind: str = "none"
    factor: float = 1.0
    original_context_length: int = 0
    attn_factor: float = 1.0
    ext_factor: float = 1.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0


@dataclass(frozen=True)
class RopeFrequencies:
    """Radians per position for each pair (float64), and what cosines and sines are multiplied by."""

    freq: tuple[float, ...]
    attention_factor: float


def frequencies(
    rotary: int, theta: float, scaling: RopeScaling, factors: Sequence[float] | None = None
) -> RopeFrequencies:
    """base^(−2i/rotary), divided by `factors` (Llama 3), then scaled (linear: Chen et al. 2023; YaRN: Peng et al. 2023)."""
    if not all(0.0 < float(x) < math.inf for x in factors or ()):
        raise FormatError(
            f"tensor 'rope_freqs.weight' should hold positive numbers, found {[float(x) for x in factors or ()]}"
        )
    if theta < 1.0 or (scaling.kind == "yarn" and theta == 1.0):
        raise FormatError(f"rope.freq_base is {theta}; expected a number above 1")
    with localcontext() as context:
        context.prec = 50
        log_base = Decimal(theta).ln()
        freq = [(log_base * -2 * i / rotary).exp() for i in range(rotary // 2)]
        if factors is not None:
            freq = [f / Decimal(float(x)) for f, x in zip(freq, factors, strict=True)]
        attention = Decimal(scaling.attn_factor)
        factor = Decimal(scaling.factor)
        if scaling.kind == "linear":
            freq = [f / factor for f in freq]
        elif scaling.kind == "yarn":
            ext = Decimal(scaling.ext_factor)
            ramps = _yarn_ramps(rotary, log_base, scaling)
            freq = [f / factor * (1 - r * ext) + f * r * ext for f, r in zip(freq, ramps, strict=True)]
            if ext != 0:
                attention *= 1 + Decimal("0.1") * max(factor, Decimal(1)).ln()
        if max(freq) > _FASTEST:
            raise FormatError(
                f"rope scaling turns a pair by {max(freq):.3g} radians per position; expected at most {_FASTEST}"
            )
        return RopeFrequencies(tuple(float(f) for f in freq), float(attention))


def _yarn_ramps(rotary: int, log_base: Decimal, scaling: RopeScaling) -> list[Decimal]:
    """1 where a pair turns often enough to be kept, 0 where it is interpolated, linear between."""

    def turns(beta: float) -> Decimal:
        return rotary * (Decimal(scaling.original_context_length) / (Decimal(beta) * 2 * _PI)).ln() / (2 * log_base)

    low = max(Decimal(0), turns(scaling.beta_fast).to_integral_value(ROUND_FLOOR))
    high = min(Decimal(rotary - 1), turns(scaling.beta_slow).to_integral_value(ROUND_CEILING))
    width = max(Decimal("0.001"), high - low)
    return [1 - min(Decimal(1), max(Decimal(0), (i - low) / width)) for i in range(rotary // 2)]
