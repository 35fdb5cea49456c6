"""The frequency table against reference/'s own, bit for bit, and against mpmath."""

from __future__ import annotations

import decimal
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloom.models.rope import RopeScaling, frequencies
from tokenloom.reference.rope import RopeScaling as ReferenceScaling
from tokenloom.reference.rope import rope_table

LLAMA3 = [1.0] * 20 + [1.5, 2.25, 3.9, 5.5, 7.1, 8.0] + [8.0] * 6  # as a rope_freqs tensor has them
CASES: list[tuple[str, int, float, dict[str, Any], list[float] | None]] = [
    ("none", 64, 100000.0, {}, None),
    ("none, odd base", 128, 1234567.0, {}, None),
    ("linear", 64, 10000.0, {"kind": "linear", "factor": 4.0}, None),
    ("linear by a fraction", 96, 10000.0, {"kind": "linear", "factor": 2.5}, None),
    ("yarn", 128, 10000.0, {"kind": "yarn", "factor": 16.0, "original_context_length": 4096}, None),
    ("yarn shrinking", 64, 10000.0, {"kind": "yarn", "factor": 0.5, "original_context_length": 4096}, None),
    ("yarn of other betas", 64, 1e6, {"kind": "yarn", "factor": 4.0, "original_context_length": 32768, "beta_fast": 64.0, "beta_slow": 0.5}, None),
    ("yarn, no ramp", 64, 1e4, {"kind": "yarn", "factor": 4.0, "original_context_length": 2048, "ext_factor": 0.0, "attn_factor": 1.25}, None),
    ("yarn, half a ramp", 64, 1e4, {"kind": "yarn", "factor": 4.0, "original_context_length": 2048, "ext_factor": 0.5, "attn_factor": 0.7}, None),
    ("yarn, tiny context", 16, 1e4, {"kind": "yarn", "factor": 4.0, "original_context_length": 8}, None),
    ("llama 3", 64, 500000.0, {}, LLAMA3),
    ("llama 3 and linear", 64, 500000.0, {"kind": "linear", "factor": 2.0}, LLAMA3),
    ("llama 3 and yarn", 64, 500000.0, {"kind": "yarn", "factor": 2.0, "original_context_length": 8192}, LLAMA3),
]  # fmt: skip


def f32(x: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", x))[0])


def check(rotary: int, base: float, scaling: dict[str, Any], factors: list[float] | None) -> None:
    got = frequencies(rotary, base, RopeScaling(**scaling), factors)
    want = rope_table(base, rotary, ReferenceScaling(**scaling), factors)
    assert [x.hex() for x in got.freq] == [float(x).hex() for x in want.freq]
    assert got.attention_factor.hex() == want.attn_factor.hex()


@pytest.mark.parametrize(("rotary", "base", "scaling", "factors"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_equals_the_reference(rotary: int, base: float, scaling: dict[str, Any], factors: list[float] | None) -> None:
    check(rotary, base, scaling, factors)
    check(rotary, f32(base * 1.1), {k: f32(v) if isinstance(v, float) else v for k, v in scaling.items()}, factors)


@settings(max_examples=60, deadline=None)
@given(
    rotary=st.integers(1, 12).map(lambda n: 16 * n),
    base=st.floats(2.0, 1e9, width=32),
    kind=st.sampled_from(["none", "linear", "yarn"]),
    factor=st.floats(0.125, 64.0, width=32),
    context=st.integers(1, 1 << 20),
    ext=st.floats(0.0, 1.0, width=32),
)
def test_equals_the_reference_anywhere(rotary: int, base: float, kind: str, factor: float, context: int, ext: float) -> None:  # fmt: skip
    scaling = (
        {"kind": kind, "factor": factor, "original_context_length": context, "ext_factor": ext}
        if kind != "none"
        else {}
    )
    check(rotary, base, scaling, None)


def test_correctly_rounded() -> None:
    mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed: the frequencies' rounding stays unproved")
    with mpmath.workprec(200):
        want = [float(mpmath.power(500000, mpmath.mpf(-2 * i) / 128)) for i in range(64)]
    assert list(frequencies(128, 500000.0, RopeScaling()).freq) == want


def test_the_caller_s_decimal_context_changes_nothing() -> None:
    """Precision and rounding are global in Python's decimal; a program may have set its own."""
    scaling = RopeScaling("yarn", 4.0, 2048)
    want = frequencies(64, 10000.0, scaling)
    with decimal.localcontext() as context:
        context.prec, context.rounding = 5, decimal.ROUND_UP
        assert frequencies(64, 10000.0, scaling) == want


def test_factors_must_fit() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        frequencies(64, 10000.0, RopeScaling(), [1.0] * 31)
