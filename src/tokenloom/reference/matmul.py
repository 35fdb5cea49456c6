"""Matrix products and table look-ups over a GGUF file's own bytes, one accumulation chain per output element.

Knows: the byte layout of the six formats (the GGUF specification's block structures) and docs/arithmetic.md "Matrix
products" and "Embedding". Does not know: packed tiles, or which tensor it holds. The integer dot of one block goes
through a float32 matrix product, which is exact in any order: |dot| <= 32 * 127 * 128 < 2^24.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.reference.floats import F32, fma, round_sum, widen_bf16, widen_f16
from tokenloom.reference.quantize import WINDOW, quantize

RawBytes = NDArray[np.uint8]
_ROWS_AT_ONCE = 64
_ELEMENTS_AT_ONCE = 1 << 13  # temporaries stay in cache, and OpenBLAS's threads, which only cost here, stay asleep


@dataclass(frozen=True)
class Blocks:
    """Rows of one block format, taken apart: integer codes [rows, k], scales [rows, k/32] and, for Q4_1, minima."""

    codes: NDArray[np.int8]
    scale: F32
    minimum: F32 | None


def _half(block: RawBytes, at: int) -> F32:
    return widen_f16(np.ascontiguousarray(block[..., at : at + 2]).view(np.uint16)[..., 0])


def _nibbles(block: RawBytes, at: int) -> NDArray[np.int8]:
    """16 bytes -> 32 codes: low nibbles are elements 0..15, high nibbles 16..31."""
    packed = block[..., at : at + 16]
    return np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.int8)


_BLOCK_BYTES = {"Q8_0": 34, "Q4_0": 18, "Q4_1": 20}
_PLAIN_BYTES = {"F32": 4, "F16": 2, "BF16": 2}


def blocks(qtype: str, raw: RawBytes) -> Blocks:
    """raw [rows, row_bytes] of a block format -> its codes and scales."""
    block = raw.reshape(raw.shape[0], -1, _BLOCK_BYTES[qtype])
    flat = (raw.shape[0], block.shape[1] * WINDOW)
    if qtype == "Q8_0":
        return Blocks(block[..., 2:].view(np.int8).reshape(flat), _half(block, 0), None)
    if qtype == "Q4_0":
        return Blocks((_nibbles(block, 2) - np.int8(8)).reshape(flat), _half(block, 0), None)
    return Blocks(_nibbles(block, 4).reshape(flat), _half(block, 0), _half(block, 2))


def plain(qtype: str, raw: RawBytes) -> F32:
    """raw [rows, row_bytes] of F32, F16 or BF16 -> float32 [rows, k], exactly."""
    raw = np.ascontiguousarray(raw)
    if qtype == "F32":
        return raw.view(np.float32)
    return widen_f16(raw.view(np.uint16)) if qtype == "F16" else widen_bf16(raw.view(np.uint16))


def _check(qtype: str, raw: RawBytes, k: int | None) -> None:
    if qtype in _BLOCK_BYTES:
        elements = raw.shape[-1] // _BLOCK_BYTES[qtype] * WINDOW
    elif qtype in _PLAIN_BYTES:
        elements = raw.shape[-1] // _PLAIN_BYTES[qtype]
    else:
        known = ", ".join([*_BLOCK_BYTES, *_PLAIN_BYTES])
        raise UnsupportedError(f"tensor type {qtype}: the reference defines {known}")
    if k is not None and elements != k:
        raise RequestError(f"a {qtype} row of {raw.shape[-1]} bytes holds {elements} elements, the activation has {k}")


def embed(qtype: str, raw: RawBytes, ids: Any) -> F32:
    """Rows `ids` of the table raw [vocab, row_bytes] -> float32 [n, k]."""
    rows = raw[np.asarray(ids, np.int64)]
    _check(qtype, rows, None)
    if qtype in _PLAIN_BYTES:
        return plain(qtype, rows).copy()
    b = blocks(qtype, rows)
    codes = b.codes.astype(np.float32).reshape(*b.scale.shape, WINDOW)
    scale = b.scale[..., None]
    values = codes * scale if b.minimum is None else fma(codes, scale, b.minimum[..., None])
    return np.asarray(values, np.float32).reshape(b.codes.shape)


def _plain_product(w: F32, x: F32) -> F32:
    """acc = fma(w, x, acc) for k in increasing order."""
    w64, x64 = np.ascontiguousarray(w.T, np.float64), np.ascontiguousarray(x.T, np.float64)
    acc = np.zeros((x.shape[0], w.shape[0]), np.float32)
    for wk, xk in zip(w64, x64, strict=True):
        acc = round_sum(xk[:, None] * wk[None, :], acc.astype(np.float64))
    return acc


def _block_product(w: Blocks, q: F32, d: F32, sums: F32) -> F32:
    """Per block in order: Q4_1's minimum first, then acc = fma(f32(dot), f32(dw)*d, acc). q [blocks, n, 32], d and sums
    [blocks, n].
    """
    rows = w.codes.shape[0]
    codes = np.ascontiguousarray(w.codes.astype(np.float32).reshape(rows, -1, WINDOW).transpose(1, 2, 0))
    acc = np.zeros((q.shape[1], rows), np.float32)
    for b in range(q.shape[0]):
        if w.minimum is not None:
            acc = fma(w.minimum[None, :, b], (d[b] * sums[b])[:, None], acc)
        dot = q[b] @ codes[b]
        acc = fma(dot, d[b][:, None] * w.scale[None, :, b], acc)
    return acc


def matmul(qtype: str, raw: RawBytes, x: Any, bias: Any = None) -> F32:
    """x [n, k] times the weight rows raw [rows, row_bytes], transposed -> [n, rows]; then + bias, when there is one."""
    x = np.asarray(x, np.float32)
    _check(qtype, raw, x.shape[1])
    parts = [_few_rows(qtype, raw, x[i : i + _ROWS_AT_ONCE]) for i in range(0, x.shape[0], _ROWS_AT_ONCE)]
    out = np.concatenate(parts)
    return out if bias is None else out + np.asarray(bias, np.float32)


def _few_rows(qtype: str, raw: RawBytes, x: F32) -> F32:
    n, step = x.shape[0], _ELEMENTS_AT_ONCE // x.shape[0]
    tiles = [raw[r : r + step] for r in range(0, raw.shape[0], step)]
    if qtype in _PLAIN_BYTES:
        return np.concatenate([_plain_product(plain(qtype, tile), x) for tile in tiles], axis=1)
    codes, d, sums = quantize(x)
    q = np.ascontiguousarray(codes.astype(np.float32).reshape(n, -1, WINDOW).transpose(1, 0, 2))
    d, sums32 = np.ascontiguousarray(d.T), np.ascontiguousarray(sums.T.astype(np.float32))
    return np.concatenate([_block_product(blocks(qtype, tile), q, d, sums32) for tile in tiles], axis=1)
