"""Scalar codecs: the bytes of quant blocks to float32, one short function per type.

Knows the layout of a block and that `docs/arithmetic.md` ("Embedding") defines each value. Does not know tiles, tiers
or files; this is for converting and for tests, never the token path.

Why plain float32 does it: a half has an 11-bit significand and a code at most 8 bits, so every product fits float32's
24 bits and is exact (all are multiples of 2^-24, far from subnormal). Q4_1's sum is then the only rounding, which
makes it the fused multiply-add asked for.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tokenloom.errors import UnsupportedError
from tokenloom.quant.table import QuantType

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]


def _half(raw: Bytes) -> Floats:
    """[..., 2n] bytes -> [..., n] values of little-endian halves, widened exactly."""
    return np.ascontiguousarray(raw).view("<f2").astype(np.float32)


def _nibbles(packed: Bytes) -> Floats:
    """[..., 16] bytes -> [..., 32] codes: the low nibbles are the first half of the block."""
    return np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32)


def _f32(blocks: Bytes) -> Floats:
    return np.ascontiguousarray(blocks).view("<f4").astype(np.float32)


def _bf16(blocks: Bytes) -> Floats:
    return (np.ascontiguousarray(blocks).view("<u2").astype(np.uint32) << 16).view(np.float32)


def _q8_0(blocks: Bytes) -> Floats:
    codes = np.ascontiguousarray(blocks[..., 2:]).view(np.int8).astype(np.float32)
    return codes * _half(blocks[..., :2])


def _q4_0(blocks: Bytes) -> Floats:
    return (_nibbles(blocks[..., 2:]) - np.float32(8)) * _half(blocks[..., :2])


def _q4_1(blocks: Bytes) -> Floats:
    return _nibbles(blocks[..., 4:]) * _half(blocks[..., :2]) + _half(blocks[..., 2:4])


_CODECS: dict[str, Callable[[Bytes], Floats]] = {
    "F32": _f32,
    "F16": _half,
    "BF16": _bf16,
    "Q8_0": _q8_0,
    "Q4_0": _q4_0,
    "Q4_1": _q4_1,
}


def dequantize(qtype: QuantType, raw: Bytes) -> Floats:
    """float32 [rows, k] of `raw`, uint8 [rows, row_bytes]."""
    codec = _CODECS.get(qtype.name)
    if codec is None:
        raise UnsupportedError(f"tensor type {qtype.name} cannot be decoded; those that can: {', '.join(_CODECS)}")
    if raw.dtype != np.uint8 or raw.ndim != 2 or raw.shape[1] % qtype.nbytes:
        raise ValueError(f"{qtype.name} wants uint8 [rows, n * {qtype.nbytes}], not {raw.dtype} {list(raw.shape)}")
    rows, row_nbytes = raw.shape
    blocks = raw.reshape(rows, row_nbytes // qtype.nbytes, qtype.nbytes)
    with np.errstate(invalid="ignore"):  # a scale of infinity times a code of zero is NaN here as it is in a kernel
        values = codec(blocks)
    return values.reshape(rows, row_nbytes // qtype.nbytes * qtype.block)
