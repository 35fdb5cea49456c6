"""Random weight rows in GGUF's own bytes, extremes among them. Knows block layouts; knows nothing of packing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# f16 fields, code bytes; MXFP4's one field is a byte
BLOCKS = {
    "Q8_0": (1, 32),
    "Q4_0": (1, 16),
    "Q4_1": (2, 16),
    "Q5_0": (1, 20),
    "Q5_1": (2, 20),
    "IQ4_NL": (1, 16),
    "MXFP4": (0.5, 16),
}
SUPERS = {
    "Q4_K": (144, 0, 2),
    "Q5_K": (176, 0, 2),
    "Q6_K": (210, 208, 1),
    "Q2_K": (84, 80, 2),
    "Q3_K": (110, 108, 1),
    "IQ4_XS": (136, 0, 1),
    "IQ2_XXS": (66, 0, 1),
    "IQ2_XS": (74, 0, 1),
    "IQ2_S": (82, 0, 1),
    "IQ3_XXS": (98, 0, 1),
    "IQ3_S": (110, 0, 1),
    "IQ1_S": (50, 0, 1),
    "IQ1_M": (56, 0, 0),
    "TQ1_0": (54, 52, 1),
    "TQ2_0": (66, 64, 1),
}  # bytes, where the f16 fields are, how many
FLOATS = ("F32", "F16", "BF16")
QTYPES = (*BLOCKS, *SUPERS, *FLOATS)


def block_of(qtype: str) -> int:
    """What k is a multiple of."""
    return 1 if qtype in FLOATS else 256 if qtype in SUPERS else 32


def halves(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """Scales as f16 bytes: ordinary ones, and here and there zero, negative, subnormal or large."""
    values = (rng.standard_normal(shape) * 0.05).astype(np.float16)
    odd = rng.random(shape) < 0.1
    special = rng.choice(np.array([0.0, -0.0, 6e-8, -6e-8, 6e-5, 300.0, -1.0], np.float16), shape)
    return np.where(odd, special, values).astype(np.float16)[..., None].view(np.uint8)


def random_rows(qtype: str, rows: int, k: int, seed: int = 0) -> NDArray[np.uint8]:
    """[rows, row_bytes]"""
    rng = np.random.default_rng((seed, rows, k))
    if qtype in FLOATS:
        scale = 10.0 ** rng.integers(-3, 2, (rows, k))
        values = (rng.standard_normal((rows, k)) * scale).astype(np.float32)
        values[rng.random((rows, k)) < 0.02] = 0.0
        values[rng.random((rows, k)) < 0.02] *= np.float32(1e-8)  # subnormal halves
        if qtype == "F16":
            return values.astype(np.float16).view(np.uint8).reshape(rows, -1)
        if qtype == "BF16":
            return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8).reshape(rows, -1)
        return values.view(np.uint8).reshape(rows, -1)
    if qtype in SUPERS:
        return super_rows(qtype, rows, k, rng)
    fields, code_bytes = BLOCKS[qtype]
    codes = rng.integers(0, 256, (rows, k // 32, code_bytes), dtype=np.uint8)
    extreme = rng.random((rows, k // 32)) < 0.2
    codes[extreme] = rng.choice(np.array([0x80, 0x7F, 0x00, 0xFF], np.uint8), (int(extreme.sum()), code_bytes))
    if qtype == "MXFP4":
        heads = rng.choice(np.arange(100, 140, dtype=np.uint8), (rows, k // 32, 1))
        heads[rng.random((rows, k // 32, 1)) < 0.05] = rng.choice(np.array([0, 1, 2, 90], np.uint8))
    else:
        heads = halves(rng, (rows, k // 32, int(fields))).reshape(rows, k // 32, int(2 * fields))
    return np.ascontiguousarray(np.concatenate([heads, codes], axis=-1)).reshape(rows, -1)


def super_rows(qtype: str, rows: int, k: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Codes and sub-scales of any bits, some blocks with a single byte throughout."""
    nbytes, at, fields = SUPERS[qtype]
    raw = rng.integers(0, 256, (rows, k // 256, nbytes), dtype=np.uint8)
    extreme = rng.random((rows, k // 256)) < 0.2
    raw[extreme] = rng.choice(np.array([0x80, 0x7F, 0x00, 0xFF], np.uint8), (int(extreme.sum()), 1))
    if qtype == "IQ1_M":  # the f16's nibbles, lowest first, above four groups of sub-scales
        d = halves(rng, (rows, k // 256, 1))[..., 0, :]
        nibbles = np.stack([d & 15, d >> 4], axis=-1).reshape(rows, k // 256, 4)
        raw[..., 49::2] = raw[..., 49::2] & 15 | nibbles << 4
        return raw.reshape(rows, -1)
    raw[..., at : at + 2 * fields] = halves(rng, (rows, k // 256, fields)).reshape(rows, k // 256, 2 * fields)
    return raw.reshape(rows, -1)


def activations(rows: int, k: int, seed: int = 0) -> NDArray[np.float32]:
    """Rows of different sizes, some windows zero, tiny or lopsided."""
    rng = np.random.default_rng((seed, rows, k, 1))
    x = rng.standard_normal((rows, k)) * 10.0 ** rng.integers(-2, 2, (rows, 1))
    for start in range(0, k, 32):
        window = slice(start, start + 32)
        kind = rng.integers(0, 8, rows)
        x[kind == 0, window] = 0.0
        x[kind == 1, window] *= 1e-32
        x[kind == 2, start] *= 1000.0
    return x.astype(np.float32)
