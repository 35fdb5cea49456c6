"""TQ1_0 and TQ2_0: 256 ternary codes; value = d · (code − 1).

Knows the blocks and the tiles. TQ2_0: 64 bytes of bit pairs as in Q2_K, then d; codes: 16 lines of bit pairs as in Q2_K.
TQ1_0: five trits a byte. A byte b is ceil(256 n / 243) for the number n whose base-3 digits, most significant first,
are the trits: trit t is (b · 3^t mod 256) · 3 >> 8. 32 bytes hold k = 32t + i, t < 5; 16 bytes k = 160 + 16t + i, t < 5;
4 bytes k = 240 + 4t + i, t < 4; then d. codes: 13 lines a block, the 13 words of the file in order, so by quads:
lines 0..7: trit t of line l is quad 8t+l; lines 8..11: trit t of line 8+l is quad 40+4t+l; line 12: trit t is quad 60+t.
scales of both: [16 rows] halves d.
Does not know how a kernel sums over a block.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.blocks.q2_k import pack_pairs, pairs
from tokenloom.quant.lines import store_halves, store_words


def _trits(packed: Bytes, count: int) -> Bytes:
    """[..., n] bytes -> [..., count · n] trits, trit t of all bytes before trit t+1."""
    powers = np.array([1, 3, 9, 27, 81], np.uint8)[:count, None]
    shifted = packed[..., None, :] * powers  # modulo 256
    trits = (shifted.astype(np.uint16) * 3 >> 8).astype(np.uint8)
    return trits.reshape(*packed.shape[:-1], count * packed.shape[-1])


def _tq1_0(blocks: Bytes) -> Floats:
    runs = [_trits(blocks[..., :32], 5), _trits(blocks[..., 32:48], 5), _trits(blocks[..., 48:52], 4)]
    return (np.concatenate(runs, axis=-1).astype(np.float32) - np.float32(1)) * halves(blocks[..., 52:])


def _tq2_0(blocks: Bytes) -> Floats:
    return (pairs(blocks[..., :64]).astype(np.float32) - np.float32(1)) * halves(blocks[..., 64:])


def _pack_tq1_0(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., :52], planes["codes"])
    store_halves(blocks[..., 52:], planes["scales"])


def _pack_tq2_0(blocks: Bytes, planes: Planes) -> None:
    pack_pairs(blocks[..., :64], planes["codes"])
    store_halves(blocks[..., 64:], planes["scales"])


FORMATS = (BlockFormat("TQ1_0", _tq1_0, _pack_tq1_0), BlockFormat("TQ2_0", _tq2_0, _pack_tq2_0))
