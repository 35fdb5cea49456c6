"""An independent llama in float64, written from the papers: the reference and the kernels are held against it.

Knows: Touvron et al. 2023 (LLaMA), Su et al. 2021 (RoPE), Zhang & Sennrich 2019 (RMSNorm), Shazeer 2020 (SwiGLU),
Ainslie et al. 2023 (GQA), Chen et al. 2023 (position interpolation), Peng et al. 2023 and its released code (YaRN), and
Meta's Llama-3.1 scaling. Does not know: tokenloom, in any part: no quantized activations, no spans, no cache, no
float32. Tolerances belong to its users.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Yarn:
    factor: float
    original_context: int
    beta_fast: float = 32.0
    beta_slow: float = 1.0


@dataclass(frozen=True)
class Llama3:
    factor: float
    original_context: int
    low_freq_factor: float = 1.0
    high_freq_factor: float = 4.0


@dataclass(frozen=True)
class Linear:
    factor: float


@dataclass(frozen=True)
class OracleConfig:
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    eps: float
    theta: float
    rope_dim: int
    scaling: Yarn | Llama3 | Linear | None = None


def inverse_frequencies(cfg: OracleConfig) -> tuple[np.ndarray, float]:
    """theta_i of RoPE after scaling, and what YaRN multiplies sine and cosine by."""
    i = np.arange(0, cfg.rope_dim, 2, dtype=np.float64)
    freq = cfg.theta ** (-i / cfg.rope_dim)
    match cfg.scaling:
        case None:
            return freq, 1.0
        case Linear(factor):
            return freq / factor, 1.0
        case Yarn():
            return _yarn(freq, cfg, cfg.scaling)
        case Llama3():
            return _llama3(freq, cfg.scaling), 1.0


def _yarn(freq: np.ndarray, cfg: OracleConfig, yarn: Yarn) -> tuple[np.ndarray, float]:
    """`find_correction_range` and `linear_ramp_mask` of the authors' LlamaYaRNScaledRotaryEmbedding."""

    def correction_dim(rotations: float) -> float:
        context = yarn.original_context / (rotations * 2 * math.pi)
        return cfg.rope_dim * math.log(context) / (2 * math.log(cfg.theta))

    low = max(math.floor(correction_dim(yarn.beta_fast)), 0)
    high = min(math.ceil(correction_dim(yarn.beta_slow)), cfg.rope_dim - 1)
    if low == high:
        high += 0.001
    ramp = np.clip((np.arange(freq.size) - low) / (high - low), 0, 1)
    extrapolate = 1 - ramp
    return freq / yarn.factor * (1 - extrapolate) + freq * extrapolate, 0.1 * math.log(yarn.factor) + 1.0


def _llama3(freq: np.ndarray, scaling: Llama3) -> np.ndarray:
    """`apply_scaling` of Meta's llama-models: by wavelength, with a smooth middle."""
    out = []
    for f in freq:
        wavelength = 2 * math.pi / f
        if wavelength < scaling.original_context / scaling.high_freq_factor:
            out.append(f)
        elif wavelength > scaling.original_context / scaling.low_freq_factor:
            out.append(f / scaling.factor)
        else:
            smooth = scaling.original_context / wavelength - scaling.low_freq_factor
            smooth /= scaling.high_freq_factor - scaling.low_freq_factor
            out.append((1 - smooth) * f / scaling.factor + smooth * f)
    return np.array(out)


def _rotate(x: np.ndarray, freq: np.ndarray, magnitude: float) -> np.ndarray:
    """x [n, heads, head_dim]: pairs of neighbours as complex numbers, turned by position * theta_i."""
    rot = 2 * freq.size
    turn = magnitude * np.exp(1j * np.arange(x.shape[0])[:, None, None] * freq)
    z = (x[..., 0:rot:2] + 1j * x[..., 1:rot:2]) * turn
    out = x.copy()
    out[..., 0:rot:2], out[..., 1:rot:2] = z.real, z.imag
    return out


def _norm(x: np.ndarray, weight: np.ndarray, eps: float) -> np.ndarray:
    return x / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps) * weight


def _attend(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Causal softmax(q k^T / sqrt(d)) v; each key/value head serves a group of query heads."""
    n, heads, dim = q.shape
    k, v = (np.repeat(t, heads // t.shape[1], axis=1) for t in (k, v))
    scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(dim)
    scores = np.where(np.tril(np.ones((n, n), bool)), scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    return np.einsum("hqk,khd->qhd", p / p.sum(-1, keepdims=True), v).reshape(n, heads * dim)


def forward(cfg: OracleConfig, weights: Mapping[str, np.ndarray], ids: Sequence[int]) -> np.ndarray:
    """Logits float64 [len(ids), vocab]; `weights` by GGUF name, [out, in], already de-quantized."""
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    freq, magnitude = inverse_frequencies(cfg)

    def linear(name: str, x: np.ndarray) -> np.ndarray:
        return x @ w[f"{name}.weight"].T + w.get(f"{name}.bias", 0.0)

    h = w["token_embd.weight"][np.asarray(ids)]
    n = len(ids)
    for layer in range(cfg.layers):
        blk = f"blk.{layer}"
        x = _norm(h, w[f"{blk}.attn_norm.weight"], cfg.eps)
        q, k, v = (
            linear(f"{blk}.attn_{t}", x).reshape(n, count, cfg.head_dim)
            for t, count in (("q", cfg.heads), ("k", cfg.kv_heads), ("v", cfg.kv_heads))
        )
        h = h + linear(f"{blk}.attn_output", _attend(_rotate(q, freq, magnitude), _rotate(k, freq, magnitude), v))
        x = _norm(h, w[f"{blk}.ffn_norm.weight"], cfg.eps)
        gate = linear(f"{blk}.ffn_gate", x)
        h = h + linear(f"{blk}.ffn_down", gate / (1 + np.exp(-gate)) * linear(f"{blk}.ffn_up", x))
    h = _norm(h, w["output_norm.weight"], cfg.eps)
    return h @ w["output.weight" if "output.weight" in w else "token_embd.weight"].T
