"""GGUF rows to the packed row tiles that kernels read.

Knows how rows are gathered into tiles and that `layout` says where planes lie; what a plane holds is each format's own
(`blocks/`). Knows nothing of models. Pure data movement: no value changes.
"""

from __future__ import annotations

import numpy as np

from tokenloom.errors import UnsupportedError
from tokenloom.quant.block import Bytes, Planes
from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.layout import ROWS, layout, plane_bytes
from tokenloom.quant.table import BY_NAME

_PIECE = 1 << 20
"""Bytes of file packed at once: with what they become, they stay in the second-level cache."""


def pack(qtype: str, raw: Bytes, out: Bytes) -> None:
    """Write `raw` [rows, row_bytes] of type `qtype` into `out` [tiles, layout(qtype, k).stride], zeroed uint8."""
    form, kind = FORMATS.get(qtype), BY_NAME[qtype]
    if form is None:
        raise UnsupportedError(f"tensor type {qtype} cannot be packed; those that can: {', '.join(FORMATS)}")
    rows, width = raw.shape
    blocks, rest = divmod(width, kind.nbytes)
    tiles = -(-rows // ROWS)
    stride = layout(qtype, blocks * kind.block).stride
    if rest or out.shape != (tiles, stride):
        raise ValueError(f"{qtype} rows {list(raw.shape)} fill tiles {[tiles, stride]}, not {list(out.shape)}")
    whole = rows // ROWS
    step = max(1, _PIECE // (ROWS * width)) if width else 1
    for first in range(0, whole, step):
        last = min(first + step, whole)
        part = raw[first * ROWS : last * ROWS].reshape(last - first, ROWS, blocks, kind.nbytes)
        form.pack(part, _planes(qtype, out[first:last], blocks))
    if whole < tiles:
        padded = np.zeros((ROWS, width), np.uint8)
        padded[: rows - whole * ROWS] = raw[whole * ROWS :]
        form.pack(padded.reshape(1, ROWS, blocks, kind.nbytes), _planes(qtype, out[whole:], blocks))


def _planes(qtype: str, tiles: Bytes, blocks: int) -> Planes:
    offsets = layout(qtype, blocks * BY_NAME[qtype].block).planes
    return {
        name: tiles[:, offsets[name] : offsets[name] + nbytes * blocks].reshape(len(tiles), blocks, nbytes)
        for name, nbytes in plane_bytes(qtype)
    }
