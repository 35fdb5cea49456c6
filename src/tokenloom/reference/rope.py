"""Rotary position embedding (Su et al. 2021, "RoFormer"): the frequency table of a model and the rotation.

Knows: docs/arithmetic.md "RoPE"; the table is computed with the decimal module in 50 digits and rounded to float64
once. Does not know: heads, caches, layers. Scalings: position interpolation (Chen et al. 2023), YaRN (Peng et al. 2023,
as llama.cpp's rope_yarn does it), and the `rope_freqs` divisors in which a GGUF file carries Llama-3's scaling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, localcontext
from typing import Any

import numpy as np

from tokenloom.errors import UnsupportedError
from tokenloom.reference.floats import F32, F64, fma, sincos64

_PI = Decimal("3.14159265358979323846264338327950288419716939937511")


@dataclass(frozen=True)
class RopeScaling:
    """kind: "none", "linear" or "yarn"; the other fields as GGUF's `rope.scaling.*` keys name them."""

    kind: str = "none"
    factor: float = 1.0
    original_context_length: int = 0
    ext_factor: float = 1.0
    attn_factor: float = 1.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0


@dataclass(frozen=True)
class RopeTable:
    """One frequency per pair, and the factor both sine and cosine are multiplied by."""

    freq: F64
    attn_factor: float


def _yarn_bound(beta: float, rot: int, base: Decimal, context: int, rounding: str) -> Decimal:
    """The pair at which `beta` full turns fit into the original context (YaRN, eq. 17 and section 3.2)."""
    turns = (Decimal(context) / (Decimal(beta) * 2 * _PI)).ln()
    return (Decimal(rot) * turns / (2 * base.ln())).to_integral_value(rounding=rounding)


def _yarn_mix(scaling: RopeScaling, rot: int, base: Decimal) -> list[Decimal]:
    """Per pair, how much of the unscaled frequency is kept: 1 for the fast pairs, 0 for the slow ones."""
    context = scaling.original_context_length
    low = max(Decimal(0), _yarn_bound(scaling.beta_fast, rot, base, context, ROUND_FLOOR))
    high = min(Decimal(rot - 1), _yarn_bound(scaling.beta_slow, rot, base, context, ROUND_CEILING))
    width = max(Decimal("0.001"), high - low)
    ramps = [1 - min(Decimal(1), max(Decimal(0), (i - low) / width)) for i in range(rot // 2)]
    return [ramp * Decimal(scaling.ext_factor) for ramp in ramps]


def rope_table(
    base: float, rot: int, scaling: RopeScaling | None = None, divisors: Sequence[float] | None = None
) -> RopeTable:
    """The table for `rot` rotated dimensions; `divisors` are the elements of a `rope_freqs` tensor."""
    scaling = scaling or RopeScaling()
    if scaling.kind not in ("none", "linear", "yarn"):
        raise UnsupportedError(f"rope scaling {scaling.kind!r}: the reference defines none, linear and yarn")
    with localcontext(Context(prec=50)):
        log_base = Decimal(base).ln()
        freqs = [(Decimal(-2 * i) / Decimal(rot) * log_base).exp() for i in range(rot // 2)]
        if divisors is not None:
            freqs = [f / Decimal(float(divisor)) for f, divisor in zip(freqs, divisors, strict=True)]
        attention = Decimal(scaling.attn_factor)
        if scaling.kind != "none":
            factor = Decimal(scaling.factor)
            mixes = [Decimal(0)] * len(freqs)
            if scaling.kind == "yarn" and scaling.ext_factor != 0:
                mixes = _yarn_mix(scaling, rot, Decimal(base))
                attention *= 1 + Decimal("0.1") * max(factor, Decimal(1)).ln()
            freqs = [f / factor * (1 - mix) + f * mix for f, mix in zip(freqs, mixes, strict=True)]
        return RopeTable(np.array([float(f) for f in freqs], np.float64), float(attention))


def cos_sin(positions: Any, table: RopeTable) -> tuple[F32, F32]:
    """positions int [n] -> cos, sin float32 [n, rot/2], times the attention factor, rounded last."""
    t = np.asarray(positions, np.int32).astype(np.float64)[:, None] * table.freq[None, :]
    sine, cosine = sincos64(t)
    return (cosine * table.attn_factor).astype(np.float32), (sine * table.attn_factor).astype(np.float32)


def _pairs(style: str, rot: int) -> tuple[slice, slice]:
    """The first and the second dimensions of all pairs: (2i, 2i + 1), or (i, i + rot/2) as in GPT-NeoX."""
    if style == "neox":
        return slice(0, rot // 2), slice(rot // 2, rot)
    if style == "normal":
        return slice(0, rot, 2), slice(1, rot, 2)
    raise UnsupportedError(f"rope style {style!r}: normal and neox are defined")


def rope(x: Any, positions: Any, freq: Any, attn_factor: float = 1.0, style: str = "normal") -> F32:
    """Rotates the pairs of x [n, heads, head_dim]; dimensions beyond 2*len(freq) pass through."""
    out = np.array(x, np.float32)
    c, s = cos_sin(positions, RopeTable(np.asarray(freq, np.float64), float(attn_factor)))
    c, s = c[:, None, :], s[:, None, :]
    first, second = _pairs(style, 2 * c.shape[-1])
    x0, x1 = out[..., first].copy(), out[..., second].copy()
    out[..., first] = fma(x0, c, -(x1 * s))
    out[..., second] = fma(x0, s, x1 * c)
    return out
