"""Activation quantization: one float32 scale and 32 or 256 int8 per window, as many as the weights' blocks hold.

Knows: docs/arithmetic.md "Activation quantization". Does not know: weights. The scheme is the symmetric, per-block one
of llama.cpp's Q8_0/Q8_1 activations (amax / 127), with the scale kept in float32, and used for super-blocks as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.errors import NonFiniteLogitsError, RequestError
from tokenloom.reference.floats import F32

WINDOW = 32
_TINY = np.float32(2.0**-100)


def quantize(x: Any, window: int = WINDOW) -> tuple[NDArray[np.int8], F32, NDArray[np.int32]]:
    """x [..., k] -> (q int8 [..., k], d float32 [..., k/window], sum int32 [..., k/window])."""
    x = np.ascontiguousarray(x, np.float32)
    if x.shape[-1] % window:
        raise RequestError(f"k = {x.shape[-1]} is not a multiple of the activation window, {window}")
    if not np.isfinite(x).all():
        raise NonFiniteLogitsError("an activation is NaN or infinite; its quantized form is not defined", 0)
    windows = x.reshape(*x.shape[:-1], -1, window)
    amax = (windows.view(np.int32) & np.int32(0x7FFFFFFF)).max(-1).view(np.float32)
    tiny = amax < _TINY
    safe = np.where(tiny, np.float32(1), amax)
    d = np.where(tiny, np.float32(0), safe / np.float32(127))
    inverse = np.where(tiny, np.float32(0), np.float32(127) / safe)
    q = np.rint(windows * inverse[..., None]).astype(np.int8)
    return q.reshape(x.shape), d, q.sum(-1, dtype=np.int32)
