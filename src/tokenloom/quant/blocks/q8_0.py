"""Q8_0: 32 signed bytes and a half d; value = d · code.

Knows the block (d, codes) and the tile: 8 lines a block, line j = quad j; scales [block][16] halves.
Does not know how activations are quantized.
"""

from __future__ import annotations

import numpy as np

from tokenloom.quant.block import BlockFormat, Bytes, Floats, Planes, halves
from tokenloom.quant.lines import store_halves, store_words


def _decode(blocks: Bytes) -> Floats:
    codes = np.ascontiguousarray(blocks[..., 2:]).view(np.int8).astype(np.float32)
    return codes * halves(blocks[..., :2])


def _pack(blocks: Bytes, planes: Planes) -> None:
    store_words(blocks[..., 2:], planes["codes"])
    store_halves(blocks[..., :2], planes["scales"])


FORMATS = (BlockFormat("Q8_0", _decode, _pack),)
