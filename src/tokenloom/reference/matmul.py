"""Matrix products and table look-ups over a GGUF file's own bytes, one accumulation chain per output element.

Knows: docs/arithmetic.md "Matrix products" and "Embedding". Does not know: how blocks lie in bytes (`blocks`), packed
tiles, or which tensor it holds. Integer sums go through matrix products of floats wide enough to be exact in any order:
of one block in float32, |dot| <= 32 * 127 * 128 < 2^24; of a super-block in float64, |isum| <= 256 * 127 * 128 * 63.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.reference.blocks import FORMATS, PLAIN, blocks, plain
from tokenloom.reference.floats import F32, F64, fma, round_sum
from tokenloom.reference.parts import Blocks, Ints, RawBytes
from tokenloom.reference.quantize import quantize

_ROWS_AT_ONCE = 64
_ELEMENTS_AT_ONCE = 1 << 13  # temporaries stay in cache, and OpenBLAS's threads, which only cost here, stay asleep


def _check(qtype: str, raw: RawBytes, k: int | None) -> None:
    if qtype in FORMATS:
        elements = raw.shape[-1] // FORMATS[qtype].nbytes * FORMATS[qtype].elements
    elif qtype in PLAIN:
        elements = raw.shape[-1] // PLAIN[qtype]
    else:
        known = ", ".join([*FORMATS, *PLAIN])
        raise UnsupportedError(f"tensor type {qtype}: the reference defines {known}")
    if k is not None and elements != k:
        raise RequestError(f"a {qtype} row of {raw.shape[-1]} bytes holds {elements} elements, the activation has {k}")


def _per_code(per_block: F32, factors: Ints, elements: int) -> F32:
    """d·sc of every code; `factors` are those of the sub-blocks."""
    products = per_block[..., None] * factors.astype(np.float32)
    return np.repeat(products, elements // factors.shape[-1], axis=-1)


def embed(qtype: str, raw: RawBytes, ids: Any) -> F32:
    """Rows `ids` of the table raw [vocab, row_bytes] -> float32 [n, k]."""
    rows = raw[np.asarray(ids, np.int64)]
    _check(qtype, rows, None)
    if qtype in PLAIN:
        return plain(qtype, rows).copy()
    b = blocks(qtype, rows)
    codes, elements = b.codes.astype(np.float32), b.codes.shape[-1]
    if b.sub_scale is not None:
        values = _per_code(b.scale, b.sub_scale, elements) * codes
        if b.minimum is not None and b.sub_minimum is not None:
            values = values - _per_code(b.minimum, b.sub_minimum, elements)
    elif b.minimum is not None:
        values = fma(codes, b.scale[..., None], b.minimum[..., None])
    else:
        values = codes * b.scale[..., None]
    return np.asarray(values, np.float32).reshape(rows.shape[0], -1)


def _plain_product(w: F32, x: F32) -> F32:
    """acc = fma(w, x, acc) for k in increasing order."""
    w64, x64 = np.ascontiguousarray(w.T, np.float64), np.ascontiguousarray(x.T, np.float64)
    acc = np.zeros((x.shape[0], w.shape[0]), np.float32)
    for wk, xk in zip(w64, x64, strict=True):
        acc = round_sum(xk[:, None] * wk[None, :], acc.astype(np.float64))
    return acc


def _block_product(w: Blocks, q: F32, d: F32, sums: F32) -> F32:
    """Rule A, per block in order: the minimum first, when there is one, then acc = fma(f32(dot), f32(dw)*d, acc).
    q [blocks, n, 32], d and sums [blocks, n].
    """
    codes = np.ascontiguousarray(w.codes.astype(np.float32).transpose(1, 2, 0))
    acc = np.zeros((q.shape[1], w.codes.shape[0]), np.float32)
    for b in range(q.shape[0]):
        if w.minimum is not None:
            acc = fma(w.minimum[None, :, b], (d[b] * sums[b])[:, None], acc)
        dot = q[b] @ codes[b]
        acc = fma(dot, d[b][:, None] * w.scale[None, :, b], acc)
    return acc


def _super_product(w: Blocks, q: F64, d: F32) -> F32:
    """Rule K, per super-block in order: acc = fma(f32(isum), d*xd, acc), then acc = fma(f32(msum), -(dmin*xd), acc).
    q [blocks, n, 256], d [blocks, n].
    """
    assert w.sub_scale is not None
    rows, count, elements = w.codes.shape
    subs = w.sub_scale.shape[-1]
    scaled = w.codes.reshape(rows, count, subs, -1) * w.sub_scale.astype(np.float64)[..., None]
    scaled = np.ascontiguousarray(scaled.reshape(rows, count, elements).transpose(1, 2, 0))
    acc = np.zeros((q.shape[1], rows), np.float32)
    for b in range(count):
        isum = (q[b] @ scaled[b]).astype(np.float32)
        acc = fma(isum, w.scale[None, :, b] * d[b][:, None], acc)
        if w.minimum is not None and w.sub_minimum is not None:
            sums = q[b].reshape(q.shape[1], subs, -1).sum(-1)
            msum = (sums @ w.sub_minimum[:, b].astype(np.float64).T).astype(np.float32)
            acc = fma(msum, -(w.minimum[None, :, b] * d[b][:, None]), acc)
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
    if qtype in PLAIN:
        return np.concatenate([_plain_product(plain(qtype, tile), x) for tile in tiles], axis=1)
    window = FORMATS[qtype].elements  # 32 by rule A, 256 by rule K
    codes, d, sums = quantize(x, window)
    q = codes.reshape(n, -1, window).transpose(1, 0, 2)
    d = np.ascontiguousarray(d.T)
    if window == 32:
        q32, sums32 = np.ascontiguousarray(q, np.float32), np.ascontiguousarray(sums.T.astype(np.float32))
        return np.concatenate([_block_product(blocks(qtype, tile), q32, d, sums32) for tile in tiles], axis=1)
    q64 = np.ascontiguousarray(q, np.float64)
    return np.concatenate([_super_product(blocks(qtype, tile), q64, d) for tile in tiles], axis=1)
