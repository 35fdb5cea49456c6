"""Q4_0 and Q4_1: 32 codes of four bits; value = d · (code − 8), or d · code + m.

Knows the block (d, m if there is one, 16 bytes whose low nibbles are k 0..15 and whose high ones k 16..31) and the
tile: 4 lines a block, line j holds quad j in its low nibbles and quad j+4 in its high ones, as the file pairs them;
scales and mins [block][16] halves. Does not know the formats with more bits.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import store_halves, store_words


def nibbles(packed: Bytes) -> Bytes:
    """[..., 16] bytes -> [..., 32] codes: the low nibbles are the first half of the block."""
    return np.concatenate([packed & 15, packed >> 4], axis=-1)


def _q4_0(blocks: Bytes) -> Floats:
    return (nibbles(blocks[..., 2:]).astype(np.float32) - np.float32(8)) * halves(blocks[..., :2])


def _q4_1(blocks: Bytes) -> Floats:
    return nibbles(blocks[..., 4:]).astype(np.float32) * halves(blocks[..., :2]) + halves(blocks[..., 2:4])


def _pack_q4_0(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 2:], planes["codes"])
    store_halves(blocks[..., :2], planes["scales"])


def _pack_q4_1(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 4:], planes["codes"])
    store_halves(blocks[..., :2], planes["scales"])
    store_halves(blocks[..., 2:4], planes["mins"])


FORMATS = (BlockFormat("Q4_0", _q4_0, _pack_q4_0), BlockFormat("Q4_1", _q4_1, _pack_q4_1))
