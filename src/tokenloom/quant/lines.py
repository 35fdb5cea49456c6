"""Moving the bits of blocks into lines: the few motions that packing every format is made of.

Knows quads and lines. Does not know which format does what with them (`blocks/`).

A quad is four consecutive k of one row; quad q of a block is its k = 4q .. 4q+3. A line is 64 bytes, one quad of each
of the 16 rows of a tile: byte 4r+i belongs to row r and to k = 4q+i. A line can hold several quads, each as a field of
its bytes: two quads in nibbles, four in bit pairs, eight in bits. Here lines are arrays of 32-bit words
[tile, block, line, row], and a word is one row's quad or quads.

Files store blocks by bytes that each hold one element of several runs of k; taken as words, those are quads too. So
packing is one transposition of words (`words`) and, where the file pairs other quads than the tile does, exchanges of
fields between whole lines (`exchange`), at the size of the file: nothing is widened.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tokenloom.quant.block import Array, Bytes

Lines = npt.NDArray[np.uint32]

_MASKS = {1: 0x55555555, 2: 0x33333333, 4: 0x0F0F0F0F}


def words(fields: Bytes) -> Lines:
    """Bytes [tile, row, block, 4n] as n lines of each block."""
    source = np.ascontiguousarray(fields).view(np.uint32)
    return np.ascontiguousarray(source.transpose(0, 2, 3, 1))


def store(values: Array, plane: Bytes) -> None:
    """[tile, row, block, n] of any type into a plane [tile, block, bytes] as [block][n][16 rows]."""
    tiles, rows, blocks, n = values.shape
    target = plane.view(values.dtype).reshape(tiles, blocks, n, rows)
    np.copyto(target, values.transpose(0, 2, 3, 1))


def store_words(fields: Bytes, plane: Bytes) -> None:
    """`words` straight into a plane, for formats that pair quads as the tile does.

    The fields are first copied together, so that the transposition moves aligned words wherever a block begins.
    """
    store(np.ascontiguousarray(fields).view(np.uint32), plane)


def store_lines(lines: Lines, plane: Bytes) -> None:
    np.copyto(plane.view(np.uint32).reshape(lines.shape), lines)


def store_halves(raw: Bytes, plane: Bytes) -> None:
    """Halves [tile, row, block, 2] as [block][16 rows]."""
    store(raw.view(np.uint16), plane)


def exchange(a: Lines, b: Lines, bits: int) -> None:
    """In every byte, swap a's upper fields with b's lower ones, fields of `bits` bits taken in pairs; in place.

    With fields named from the low end: (a0 a1 a2 a3), (b0 b1 b2 b3) become (a0 b0 a2 b2), (a1 b1 a3 b3).
    """
    moved = ((a >> np.uint32(bits)) ^ b) & np.uint32(_MASKS[bits])
    b ^= moved
    a ^= moved << np.uint32(bits)


def transpose_fields(lines: Lines, bits: int) -> None:
    """Along the line axis: with n = 8 / bits lines, field f of line l becomes field l of line f; in place."""
    n = lines.shape[2]
    span = 1
    while span < n:
        pairs = lines.reshape(lines.shape[0], lines.shape[1], n // (2 * span), 2, span, lines.shape[3])
        exchange(pairs[:, :, :, 0], pairs[:, :, :, 1], bits * span)
        span *= 2


def gather_bits(bits: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Words whose bit 4j+i belongs to k = 4j+i, as words whose byte i has it as bit j: eight quads in bits."""
    out = np.zeros_like(bits)
    for i in range(4):
        x = (bits >> _u32(i)) & _u32(0x11111111)
        x = (x | x >> _u32(3)) & _u32(0x03030303)
        x = (x | x >> _u32(6)) & _u32(0x000F000F)
        x = (x | x >> _u32(12)) & _u32(0x000000FF)
        out |= x << _u32(8 * i)
    return out


def _u32(value: int) -> Any:
    return np.uint32(value)
