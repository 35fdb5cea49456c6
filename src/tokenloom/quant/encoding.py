"""What every encoder needs: scales as halves, their inverses, codes as nibbles.

Knows numbers. Does not know formats (`encoders_blocks`, `encoders_k`) or how a scale is found (`scale_search`).
"""

from __future__ import annotations

import numpy as np

from tokenloom.errors import FormatError
from tokenloom.quant.block import Bytes, Floats

TINY = np.float32(2.0**-100)
"""Scales below this are zero: their halves are, and their inverses would overflow."""
TOO_LARGE = "its values are too large for scales in half precision; use BF16 or F32"


def inverse_of(d: Floats) -> Floats:
    """1 / d, and 0 where d is as good as 0."""
    return np.divide(1, d, out=np.zeros_like(d), where=np.abs(d) > TINY, dtype=np.float32)


def half_of(d: Floats) -> Bytes:
    """[..., n] values rounded to halves, as [..., 2n] bytes."""
    rounded = np.ascontiguousarray(d, np.float32).astype("<f2")
    if not np.isfinite(rounded).all():
        raise FormatError(TOO_LARGE)
    return rounded.view(np.uint8)


def nibbles(codes: Bytes) -> Bytes:
    """[..., 2n] codes -> [..., n] bytes, the first half in the low nibbles."""
    low, high = np.split(codes, 2, axis=-1)
    return low & np.uint8(15) | high << np.uint8(4)
