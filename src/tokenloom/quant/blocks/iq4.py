"""IQ4_NL and IQ4_XS: codes of four bits that index a table of 16 signed bytes; value = d · table[code], for IQ4_XS with
256 codes in 8 sub-blocks of 32, d · (sc − 32) · table[code], sc of six bits.

Knows the table, the blocks (IQ4_NL as Q4_0; IQ4_XS: d, 2 bytes of upper bit pairs and 4 bytes of lower nibbles of sc,
then 16 bytes of nibbles for each sub-block as in Q4_0) and the tiles. IQ4_NL is packed as Q4_0. IQ4_XS, per block:
codes: 4 groups of 64 k, 8 lines each; line j holds quad j of the group low and quad j+8 high, as in Q4_K.
sub: [4][16 rows] bytes; byte g: (sc(2g) & 15) | (sc(2g+1) & 15) << 4.
sub_top: [2][16 rows] bytes; bits 2i, 2i+1 of byte g: sc(4g+i) >> 4. scales: [16 rows] halves d.
Does not know how a kernel looks codes up.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.q3_k import pack_six_bits
from tokenloom.quant.blocks.q4 import nibbles
from tokenloom.quant.layout import IQ4_VALUES
from tokenloom.quant.lines import exchange, store_halves, store_lines, store_words, words

_TABLE = np.array(IQ4_VALUES, np.float32)
_D, _TOP, _LOW, _CODES = slice(0, 2), slice(2, 4), slice(4, 8), slice(8, 136)


def _iq4_nl(blocks: Bytes) -> Floats:
    return _TABLE[nibbles(blocks[..., 2:])] * halves(blocks[..., :2])


def _pack_iq4_nl(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 2:], planes["codes"])
    store_halves(blocks[..., :2], planes["scales"])


def _sub_scales(blocks: Bytes) -> Bytes:
    """[..., 136] bytes -> [..., 8] sc of six bits, all in order of the sub-blocks."""
    lead = blocks.shape[:-1]
    low = (blocks[..., _LOW, None] >> np.array([0, 4], np.uint8)).reshape(*lead, 8)
    top = (blocks[..., _TOP, None] >> np.array([0, 2, 4, 6], np.uint8)).reshape(*lead, 8)
    sc: Bytes = low & np.uint8(15) | (top & np.uint8(3)) << np.uint8(4)
    return sc


def _iq4_xs(blocks: Bytes) -> Floats:
    lead = blocks.shape[:-1]
    scale = halves(blocks[..., _D]) * (_sub_scales(blocks).astype(np.float32) - np.float32(32))
    codes = nibbles(blocks[..., _CODES].reshape(*lead, 8, 16))
    return (scale[..., None] * _TABLE[codes]).reshape(*lead, 256)


def _pack_iq4_xs(blocks: Bytes, planes: Planes) -> None:
    lines = words(blocks[..., _CODES])
    tiles, count, _, rows = lines.shape
    runs = lines.reshape(tiles, count, 4, 2, 4, rows)  # group, sub-block, word
    exchange(runs[:, :, :, 0], runs[:, :, :, 1], 4)
    store_lines(lines, planes["codes"])
    pack_six_bits(_sub_scales(blocks), planes["sub"], planes["sub_top"])
    store_halves(blocks[..., _D], planes["scales"])


FORMATS = (BlockFormat("IQ4_NL", _iq4_nl, _pack_iq4_nl), BlockFormat("IQ4_XS", _iq4_xs, _pack_iq4_xs))
