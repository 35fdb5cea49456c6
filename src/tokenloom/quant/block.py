"""What a block format is to the rest of the package: how its blocks become numbers, and planes.

Knows the shapes that decoders and packers agree on. Does not know any format (`blocks/`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Array = npt.NDArray[Any]

Planes = Mapping[str, Bytes]
"""The planes of some tiles, each a view [tile, block, bytes] into them."""


@dataclass(frozen=True, slots=True)
class BlockFormat:
    """One type: `decode` takes blocks [..., bytes] to values [..., elements]; `pack` writes the blocks of tiles,
    [tile, 16 rows, block, bytes], into their planes."""

    name: str
    decode: Callable[[Bytes], Floats]
    pack: Callable[[Bytes, Planes], None]


def halves(raw: Bytes) -> Floats:
    """[..., 2n] bytes -> [..., n] values of little-endian halves, widened exactly."""
    return np.ascontiguousarray(raw).view("<f2").astype(np.float32)
