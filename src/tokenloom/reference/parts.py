"""What a block format is to the reference: its size, and the numbers that its blocks are taken apart into.

Knows names and shapes. Does not know any format (`blocks`, `codebooks`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.reference.floats import F32

RawBytes = NDArray[np.uint8]
Ints = NDArray[Any]


@dataclass(frozen=True)
class Blocks:
    """Blocks [..., block] taken apart: codes [..., block, elements] with their offset subtracted, a scale [..., block] and
    perhaps a minimum; in super-blocks, the integers they are multiplied by, [..., block, sub-block].
    """

    codes: Ints
    scale: F32
    minimum: F32 | None = None
    sub_scale: Ints | None = None
    sub_minimum: Ints | None = None


@dataclass(frozen=True)
class Format:
    """Elements and bytes of a block, and how it is taken apart."""

    elements: int
    nbytes: int
    take_apart: Callable[[RawBytes], Blocks]
