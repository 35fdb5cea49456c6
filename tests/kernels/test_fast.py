"""The named fast mode: bfloat16 products of float weights. No bits are promised, so the tolerance here is bfloat16's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.formats.gguf_build import tiny_llama
from tests.jit.avx512_in_software import Target
from tests.kernels.rig import COUNT, Matrix, Memory, Rig, Rows, Weights
from tests.kernels.weights_for_tests import FLOATS

import tokenloom
from tokenloom.errors import RequestError, TierError
from tokenloom.jit import cpu
from tokenloom.jit.cpu import TIERS, detect, missing
from tokenloom.kernels.fast import DEPTH, LINE, NARROW
from tokenloom.kernels.matmul import STORE, matmul, product_scratch
from tokenloom.kernels.tiled import padded
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.table import BY_NAME
from tokenloom.trace.lower import plane_words

NATIVE = [
    n
    for n, feature in (("avx512", "avx512bf16"), ("amx", "amx-bf16"))
    if not missing(TIERS[n]) and feature in detect().features
]


def targets() -> list[Target]:
    """On the CPU where it has bfloat16 products, and every tier's walk in software."""
    found = [Target(f"{n} fast", tier, tier) for n in NATIVE for tier in [cpu.with_bfloat16(TIERS[n])]]
    if not missing(TIERS["avx2"]):
        run = replace(TIERS["avx2"], name="in software")
        found += [Target(f"{n} fast in software", replace(TIERS[n], bf16=True), run, True) for n in ("avx512", "amx")]
    return found


@pytest.mark.parametrize("qtype", FLOATS)
@pytest.mark.parametrize("target", targets(), ids=str)
def test_products_are_as_near_as_bfloat16_allows(target: Target, qtype: str) -> None:
    rows, k = 37, 32 * 11  # more blocks than are unpacked at once
    rng = np.random.default_rng(0)
    values = rng.standard_normal((rows, k)).astype(np.float32)
    kinds = {"F32": values, "F16": values.astype(np.float16), "BF16": (values.view(np.uint32) >> 16).astype(np.uint16)}
    raw = kinds[qtype].view(np.uint8).reshape(rows, -1)
    weights, kernel = Weights(qtype, raw, k), matmul(qtype, many=True, fast=True)
    for count in (1, 16, 21):
        x = Matrix(count, k, rng.standard_normal((count, k)))
        narrow, y, step = Memory(k // DEPTH * padded(count) * LINE), Matrix(count, 16 * weights.tiles), Rows(count)
        stride = product_scratch(count, target.written_for) + 64
        scratch = Memory(stride)
        y.values[:] = 0
        rig = Rig(target, NARROW, kernel)
        rig.run(
            NARROW, 1, step, x=x, q=narrow, k=k, x_stride=x.stride, q_stride=padded(count) * LINE, count=COUNT["rows"]
        )
        rig.run(
            kernel, 1, step, x=narrow, xs=None, x_stride=padded(count) * LINE, xs_stride=0, w=weights, y=y, bias=None, k=k, tiles=weights.tiles,
            tile_stride=weights.layout.stride, y_stride=y.stride, scratch=scratch, scratch_stride=stride,
            count=COUNT["rows"], mode=STORE, **plane_words(weights.layout),
        )  # fmt: skip
        w = dequantize(BY_NAME[qtype], raw).astype(np.float64)
        exact, most = x.values.astype(np.float64) @ w.T, np.abs(x.values).astype(np.float64) @ np.abs(w).T
        error = np.abs(y.values[:, :rows] - exact)
        assert (error <= 2.0**-7 * most).all()
        assert error.max() > 0, "not one product was rounded: this was no bfloat16"


@pytest.mark.skipif(
    "amx" not in NATIVE, reason="hardware: no AMX-BF16 here; unproved: arithmetic 'fast' of whole models"
)
def test_fast_is_for_prompts_and_says_so(tmp_path) -> None:
    path = tiny_llama(tmp_path / "f16.gguf", qtype="F16", ctx=128)
    ids = list(range(5, 60))
    with tokenloom.load(path, threads=2) as exact, tokenloom.load(path, threads=2, arithmetic="fast") as fast:
        assert (exact.info()["arithmetic"], fast.info()["arithmetic"]) == ("exact", "fast")
        one, other = exact.logits(ids), fast.logits(ids)
        assert not np.array_equal(one, other)
        assert np.abs(one - other).max() < 0.05 * np.abs(one).max()
        assert np.array_equal(exact.logits(ids[:1]), fast.logits(ids[:1])), "a single row is computed exactly"
        session = exact.session()
        session.append(ids)
        session.save(tmp_path / "saved")
        with pytest.raises(RequestError, match="arithmetic"):
            fast.restore(tmp_path / "saved")


def test_what_cannot_be_fast_is_refused(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_llama(tmp_path / "f16.gguf", qtype="F16", ctx=128)
    with pytest.raises(RequestError, match="arithmetic='quick' is not valid; give 'exact' or 'fast'"):
        tokenloom.load(path, arithmetic="quick")
    lowest = next(t for t in TIERS.values() if not missing(t))
    with pytest.raises(TierError, match="needs bfloat16 products of matrix tiles"):
        tokenloom.load(path, arithmetic="fast", tier=lowest.name)
