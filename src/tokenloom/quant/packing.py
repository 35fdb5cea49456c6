"""GGUF rows to the packed row tiles that kernels read.

Knows both layouts for every supported format. Knows nothing of models. Pure data movement: no value changes.

Layout of 16 rows × k (kernels/tiles.py): codes, then scales, then mins, each plane padded to 64 bytes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
ROWS, BLOCK = 16, 32


def _tiles(raw: Bytes) -> Bytes:
    """[rows, row_bytes] as [tiles, 16, row_bytes], missing rows zero."""
    rows, width = raw.shape
    tiles = -(-rows // ROWS)
    if rows % ROWS == 0:
        return raw.reshape(tiles, ROWS, width)
    full = np.zeros((tiles * ROWS, width), np.uint8)
    full[:rows] = raw
    return full.reshape(tiles, ROWS, width)


def _block_format(raw: Bytes, out: Bytes, block_bytes: int, fields: int, code_bytes: int) -> None:
    """A file block is `fields` f16 (d, m) followed by its codes; quads of code bytes go across the 16 rows.

    The codes are first copied together, so that the transposition can move 4-byte words wherever a block begins.
    """
    tiles = np.ascontiguousarray(_tiles(raw))
    count, _, width = tiles.shape
    blocks, quads = width // block_bytes, code_bytes // ROWS // 4
    source = tiles.reshape(count, ROWS, blocks, block_bytes)
    words = np.ascontiguousarray(source[..., 2 * fields :]).view(np.uint32)  # [tile, row, block, quad]
    codes = out[:, : blocks * code_bytes].view(np.uint32).reshape(count, blocks, quads, ROWS)
    np.copyto(codes, words.transpose(0, 2, 3, 1))
    halves = tiles.view(np.uint16).reshape(count, ROWS, blocks, block_bytes // 2)
    plane = -(-2 * ROWS * blocks // 64) * 64
    for field in range(fields):
        at = blocks * code_bytes + field * plane
        target = out[:, at : at + 2 * ROWS * blocks].view(np.uint16).reshape(count, blocks, ROWS)
        np.copyto(target, halves[..., field].transpose(0, 2, 1))


def _float_format(raw: Bytes, out: Bytes, size: int) -> None:
    tiles = _tiles(raw)
    count, _, width = tiles.shape
    k = width // size
    dtype = {2: np.uint16, 4: np.uint32}[size]
    target = out[:, : k * ROWS * size].view(dtype).reshape(count, k, ROWS)
    np.copyto(target, np.ascontiguousarray(tiles).view(dtype).reshape(count, ROWS, k).transpose(0, 2, 1))


def pack(qtype: str, raw: Bytes, out: Bytes) -> None:
    """Writes raw [rows, row_bytes] of format `qtype` into out [tiles, stride] (zeroed; uint8). The stride comes from kernels.tiles.tile_layout."""
    match qtype:
        case "Q8_0":
            _block_format(raw, out, 34, 1, 512)
        case "Q4_0":
            _block_format(raw, out, 18, 1, 256)
        case "Q4_1":
            _block_format(raw, out, 20, 2, 256)
        case "F32":
            _float_format(raw, out, 4)
        case "F16" | "BF16":
            _float_format(raw, out, 2)
        case _:
            raise KeyError(qtype)
