"""Float rows to the bytes of quant blocks, for the types that models are written in.

Knows which types there are and what values they refuse. How the scales of a block are chosen is in `scale_search`: as ggml chooses them when it is
given no importance matrix, so that files made here and there are worth the same. Does not know files or tiles, and never runs on the token path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.quant import encoders_blocks, encoders_k
from tokenloom.quant.block import Array, Bytes, Floats
from tokenloom.quant.encoding import TOO_LARGE
from tokenloom.quant.table import BY_NAME, row_bytes

_PIECE = 1 << 16
"""Elements encoded at once: the search's arrays of them stay in the second-level cache."""
_HUGE = np.float32(2.0**28)
"""No block of any type reaches so far with scales in half precision, and no sum of the search overflows up to here."""

ENCODERS: Mapping[str, Callable[[Array], Bytes]] = {**encoders_blocks.ENCODERS, **encoders_k.ENCODERS}
"""Blocks, float32 [n, elements], to their bytes [n, bytes]."""


def quantize(name: str, values: Floats) -> Bytes:
    """`values`, float32 [rows, k], as type `name`: uint8 [rows, row_bytes]."""
    encode = ENCODERS.get(name)
    if encode is None:
        raise UnsupportedError(f"tensors cannot be written as {name}; types that can be: {', '.join(ENCODERS)}")
    kind = BY_NAME[name]
    out = np.empty((len(values), row_bytes(kind, values.shape[1])), np.uint8)
    blocks, target = values.reshape(-1, kind.block), out.reshape(-1, kind.nbytes)
    step = max(1, _PIECE // kind.block)
    for first in range(0, len(blocks), step):
        part = blocks[first : first + step]
        if not np.isfinite(part).all():
            raise FormatError("it holds a NaN or an infinity; convert the model again")
        if kind.block > 1 and np.abs(part).max() > _HUGE:
            raise FormatError(TOO_LARGE)
        with np.errstate(over="ignore"):  # looked for just below
            target[first : first + step] = encode(part)
    return out
