"""The frequency table against mpmath and closed forms; the rotation against complex multiplication."""

from __future__ import annotations

import numpy as np
import pytest

from tokenloom.errors import UnsupportedError
from tokenloom.reference.rope import RopeScaling, cos_sin, rope, rope_table

mpmath = pytest.importorskip("mpmath", reason="mpmath is not installed: the rope tables stay unproved")


@pytest.mark.parametrize(("base", "rot"), [(10000.0, 128), (100000.0, 64), (500000.0, 128), (8000000.0, 80)])
def test_frequencies_are_correctly_rounded(base: float, rot: int) -> None:
    with mpmath.workprec(200):
        want = [float(mpmath.power(base, mpmath.mpf(-2 * i) / rot)) for i in range(rot // 2)]
    table = rope_table(base, rot)
    assert table.freq.tolist() == want
    assert table.attn_factor == 1


def test_linear_scaling_and_divisors() -> None:
    plain = rope_table(10000.0, 16).freq
    assert np.array_equal(rope_table(10000.0, 16, RopeScaling("linear", 4.0)).freq, plain / 4)
    divisors = [1, 1, 2, 4, 8, 8, 8, 8]
    assert np.array_equal(rope_table(10000.0, 16, None, divisors).freq, plain / divisors)


def test_yarn_keeps_fast_pairs_and_stretches_slow_ones() -> None:
    scaling = RopeScaling("yarn", 4.0, 4096)
    plain, table = rope_table(10000.0, 128).freq, rope_table(10000.0, 128, scaling)
    ratio = table.freq / plain
    assert ratio[0] == 1
    assert ratio[-1] == 0.25
    assert (np.diff(ratio) <= 0).all()
    assert table.attn_factor == pytest.approx(1 + 0.1 * np.log(4), abs=1e-15)
    turns = 4096 * plain / (2 * np.pi)
    assert (ratio[turns > 32 * 1.16] == 1).all()
    assert (ratio[turns < 1 / 1.16] == 0.25).all()
    off = rope_table(10000.0, 128, RopeScaling("yarn", 4.0, 4096, ext_factor=0.0))
    assert np.array_equal(off.freq, plain / 4)
    assert off.attn_factor == 1
    assert rope_table(10000.0, 128, RopeScaling("yarn", 0.5, 4096)).attn_factor == 1
    assert (
        rope_table(10000.0, 128, RopeScaling("yarn", 4.0, 4096, attn_factor=2.0)).attn_factor == 2 * table.attn_factor
    )


def test_an_unknown_scaling_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="longrope"):
        rope_table(10000.0, 64, RopeScaling("longrope"))


def test_rotation_is_complex_multiplication() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6, 3, 20)).astype(np.float32)
    positions = np.array([0, 1, 7, 500, 131071, 2**21])
    table = rope_table(10000.0, 16)
    got = rope(x, positions, table.freq, 1.5)
    z = x[..., 0:16:2].astype(np.complex128) + 1j * x[..., 1:16:2]
    turned = z * 1.5 * np.exp(1j * positions[:, None] * table.freq)[:, None, :]
    assert np.abs(got[..., 0:16:2] - turned.real).max() < 1e-6
    assert np.abs(got[..., 1:16:2] - turned.imag).max() < 1e-6
    assert np.array_equal(got[..., 16:], x[..., 16:])
    assert np.array_equal(rope(x, positions, table.freq)[0], x[0])


def test_neox_is_normal_with_the_dimensions_in_another_order() -> None:
    x = np.random.default_rng(1).standard_normal((4, 2, 20)).astype(np.float32)
    positions, freq = np.array([0, 3, 77, 4000]), rope_table(10000.0, 16).freq
    order = np.concatenate([np.arange(16).reshape(2, 8).T.reshape(-1), np.arange(16, 20)])  # 0 8 1 9 ...
    got = rope(x, positions, freq, style="neox")
    assert np.array_equal(got[..., order], rope(x[..., order], positions, freq))
    assert not np.array_equal(got, rope(x, positions, freq))
    with pytest.raises(UnsupportedError, match="spiral"):
        rope(x, positions, freq, style="spiral")


def test_cos_and_sin_are_within_one_float32_ulp_at_long_positions() -> None:
    table = rope_table(500000.0, 128)
    positions = np.array([1, 8191, 131071])
    c, s = cos_sin(positions, table)
    with mpmath.workprec(120):
        for (i, j), got in np.ndenumerate(c):
            angle = mpmath.mpf(float(np.float64(positions[i]) * table.freq[j]))
            assert abs(float(got) - mpmath.cos(angle)) <= 2.0**-24
            assert abs(float(s[i, j]) - mpmath.sin(angle)) <= 2.0**-24
