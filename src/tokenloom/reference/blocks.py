"""The bytes of a GGUF file's tensor rows as numbers: integer codes, the scales inside a block, and its half floats.

Knows the block structures as the GGUF specification has them (ggml-common.h): which bits of which byte belong to which
element. Does not know the formats of code books (`codebooks`) nor what is computed from the numbers, and shares nothing with `quant`, which
production unpacks with.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tokenloom.reference.codebooks import CODEBOOK_FORMATS
from tokenloom.reference.floats import F32, widen_bf16, widen_f16
from tokenloom.reference.parts import Blocks, Format, Ints, RawBytes


def _half(block: RawBytes, at: int) -> F32:
    return widen_f16(np.ascontiguousarray(block[..., at : at + 2]).view(np.uint16)[..., 0])


def _nibbles(packed: RawBytes) -> Ints:
    """n bytes -> 2n codes: all the low nibbles, then all the high ones."""
    return np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.int16)


def _q8_0(block: RawBytes) -> Blocks:
    return Blocks(block[..., 2:34].view(np.int8), _half(block, 0))


def _q4_0(block: RawBytes) -> Blocks:
    return Blocks(_nibbles(block[..., 2:18]) - 8, _half(block, 0))


def _q4_1(block: RawBytes) -> Blocks:
    return Blocks(_nibbles(block[..., 4:20]), _half(block, 0), _half(block, 2))


def _with_fifth_bits(block: RawBytes, at: int) -> Ints:
    """A little-endian word whose bit j is bit 4 of code j, then the nibbles."""
    word = np.ascontiguousarray(block[..., at : at + 4]).view("<u4")
    fifth = (word >> np.arange(32, dtype=np.uint32)) & 1
    return _nibbles(block[..., at + 4 : at + 20]) + (16 * fifth).astype(np.int16)


def _q5_0(block: RawBytes) -> Blocks:
    return Blocks(_with_fifth_bits(block, 2) - 16, _half(block, 0))


def _q5_1(block: RawBytes) -> Blocks:
    return Blocks(_with_fifth_bits(block, 4), _half(block, 0), _half(block, 2))


def _scale_and_minimum(q: RawBytes, j: int) -> tuple[Ints, Ints]:
    """get_scale_min_k4 of ggml: the six-bit scale and minimum of sub-block j from the 12 bytes q."""
    if j < 4:
        return q[..., j] & 63, q[..., j + 4] & 63
    return (q[..., j + 4] & 15) | ((q[..., j - 4] >> 6) << 4), (q[..., j + 4] >> 4) | ((q[..., j] >> 6) << 4)


def _k_blocks(block: RawBytes, codes: Ints) -> Blocks:
    pairs = [_scale_and_minimum(block[..., 4:16], j) for j in range(8)]
    scales, minima = (np.stack(parts, axis=-1).astype(np.int16) for parts in zip(*pairs, strict=True))
    return Blocks(codes, _half(block, 0), _half(block, 2), scales, minima)


def _q4_k(block: RawBytes) -> Blocks:
    """Of every 64 codes, 32 bytes."""
    return _k_blocks(block, np.concatenate([_nibbles(block[..., a : a + 32]) for a in range(16, 144, 32)], axis=-1))


def _q5_k(block: RawBytes) -> Blocks:
    """As Q4_K; bit s of byte l of 32 is bit 4 of code 32·s + l."""
    low = np.concatenate([_nibbles(block[..., a : a + 32]) for a in range(48, 176, 32)], axis=-1)
    high = np.concatenate([(block[..., 16:48] >> s) & 1 for s in range(8)], axis=-1)
    return _k_blocks(block, low + 16 * high.astype(np.int16))


def _q6_k(block: RawBytes) -> Blocks:
    """Of every 128 codes, 64 bytes of low nibbles and 32 of upper pairs; pair s of byte l is that of code 32·s + l."""
    codes = []
    for half in (0, 1):
        low = _nibbles(block[..., 64 * half : 64 * half + 64])
        pairs = block[..., 128 + 32 * half : 160 + 32 * half]
        high = np.concatenate([(pairs >> s) & 3 for s in (0, 2, 4, 6)], axis=-1)
        codes.append(low + 16 * high.astype(np.int16) - 32)
    scales = np.ascontiguousarray(block[..., 192:208]).view(np.int8).astype(np.int16)
    return Blocks(np.concatenate(codes, axis=-1), _half(block, 208), None, scales)


_IQ4 = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.int16)
_E2M1_TWICE = np.array([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12], np.int16)


def _iq4_nl(block: RawBytes) -> Blocks:
    return Blocks(_IQ4[_nibbles(block[..., 2:18])], _half(block, 0))


def _mxfp4(block: RawBytes) -> Blocks:
    """Codes are twice the E2M1 values, so the scale is 2^(e − 127) halved."""
    return Blocks(
        _E2M1_TWICE[_nibbles(block[..., 1:17])], np.ldexp(np.float32(1), block[..., 0].astype(np.int32) - 128)
    )


def _iq4_xs(block: RawBytes) -> Blocks:
    """d; scales_h, two bits a sub-block; scales_l, four bits; then 16 bytes of nibbles a sub-block."""
    high = np.ascontiguousarray(block[..., 2:4]).view("<u2")
    scales = [
        ((block[..., 4 + s // 2] >> (4 * (s % 2))) & 15) | (((high[..., 0] >> (2 * s)) & 3) << 4) for s in range(8)
    ]
    codes = np.concatenate([_IQ4[_nibbles(block[..., a : a + 16])] for a in range(8, 136, 16)], axis=-1)
    return Blocks(codes, _half(block, 0), None, np.stack(scales, axis=-1).astype(np.int16) - 32)


def _pairs(packed: RawBytes) -> Ints:
    """64 bytes: of every 128 codes 32 bytes, pair s of byte l being code 32·s + l."""
    halves = [(packed[..., 32 * h : 32 * h + 32] >> s) & 3 for h in (0, 1) for s in (0, 2, 4, 6)]
    return np.concatenate(halves, axis=-1).astype(np.int16)


def _q2_k(block: RawBytes) -> Blocks:
    sub = block[..., :16].astype(np.int16)
    return Blocks(_pairs(block[..., 16:80]), _half(block, 80), _half(block, 82), sub & 15, sub >> 4)


def _q3_k(block: RawBytes) -> Blocks:
    """hmask: bit s of byte l is bit 2 of code 32·s + l. Sixteen six-bit scales in 12 bytes: low nibbles in the first 8, upper pairs in the last 4."""
    high = np.concatenate([(block[..., :32] >> s) & 1 for s in range(8)], axis=-1)
    packed = block[..., 96:108]
    low = [(packed[..., j % 8] >> (4 * (j // 8))) & 15 for j in range(16)]
    scales = [low[j] | (((packed[..., 8 + j % 4] >> (2 * (j // 4))) & 3) << 4) for j in range(16)]
    codes = _pairs(block[..., 32:96]) + 4 * high.astype(np.int16) - 4
    return Blocks(codes, _half(block, 108), None, np.stack(scales, axis=-1).astype(np.int16) - 32)


def _trits(packed: RawBytes, count: int) -> Ints:
    """Trit t of byte b is ((b · 3^t mod 256) · 3) >> 8, whatever byte it is; trit t of all bytes before t + 1."""
    return np.concatenate([(packed.astype(np.int32) * 3**t % 256 * 3) >> 8 for t in range(count)], axis=-1)


def _tq1_0(block: RawBytes) -> Blocks:
    """Five digits in each of 32 and then of 16 bytes, four in each of the last 4."""
    runs = [_trits(block[..., :32], 5), _trits(block[..., 32:48], 5), _trits(block[..., 48:52], 4)]
    codes = np.concatenate(runs, axis=-1).astype(np.int16) - 1
    return Blocks(codes, _half(block, 52), None, np.ones((*block.shape[:-1], 8), np.int16))


def _tq2_0(block: RawBytes) -> Blocks:
    codes = _pairs(block[..., :64]) - 1
    return Blocks(codes, _half(block, 64), None, np.ones((*block.shape[:-1], 8), np.int16))


FORMATS: Mapping[str, Format] = {
    "Q8_0": Format(32, 34, _q8_0),
    "Q4_0": Format(32, 18, _q4_0),
    "Q4_1": Format(32, 20, _q4_1),
    "Q5_0": Format(32, 22, _q5_0),
    "Q5_1": Format(32, 24, _q5_1),
    "Q4_K": Format(256, 144, _q4_k),
    "Q5_K": Format(256, 176, _q5_k),
    "Q6_K": Format(256, 210, _q6_k),
    "IQ4_NL": Format(32, 18, _iq4_nl),
    "MXFP4": Format(32, 17, _mxfp4),
    "IQ4_XS": Format(256, 136, _iq4_xs),
    "Q2_K": Format(256, 84, _q2_k),
    "Q3_K": Format(256, 110, _q3_k),
    "TQ1_0": Format(256, 54, _tq1_0),
    "TQ2_0": Format(256, 66, _tq2_0),
    **CODEBOOK_FORMATS,
}
PLAIN: Mapping[str, int] = {"F32": 4, "F16": 2, "BF16": 2}
"""Bytes of an element."""


def blocks(qtype: str, raw: RawBytes) -> Blocks:
    """raw [rows, row_bytes] of a block format -> its blocks [rows, block]."""
    form = FORMATS[qtype]
    return form.take_apart(raw.reshape(raw.shape[0], -1, form.nbytes))


def plain(qtype: str, raw: RawBytes) -> F32:
    """raw [rows, row_bytes] of F32, F16 or BF16 -> float32 [rows, k], exactly."""
    raw = np.ascontiguousarray(raw)
    if qtype == "F32":
        return raw.view(np.float32)
    return widen_f16(raw.view(np.uint16)) if qtype == "F16" else widen_bf16(raw.view(np.uint16))
