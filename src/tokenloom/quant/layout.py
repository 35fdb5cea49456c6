"""Where the planes of a packed row tile lie: one table row for each format, and the offsets that follow from it.

Knows sizes and two tables of code values, so that kernels can use it: no arrays, no bits. What the bytes of a plane mean is written beside the
packing of each format (`blocks/`), in the words of `lines`.

A row tile is 16 rows over the whole of k. Its planes follow each other in the order of the table, each from a multiple
of 64 bytes on; a plane holds the same number of bytes for every block of every 16 rows, blocks in order of k.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tokenloom.quant.table import BY_NAME

ROWS = 16
"""Rows of a tile: the lanes of its vectors."""
LINE = 64
"""Bytes of a line: 16 rows of 4 bytes, and what planes are aligned to."""

LAYOUT_VERSION = 1
"""Of the bytes of all tiles. Whoever changes a byte that `pack` gives for a type counts this up, so that packed files of before are not read as
if they were of now; a type that is new changes nothing for the others."""

# fmt: off
_PLANES: dict[str, tuple[tuple[str, int], ...]] = {
    #         (plane, bytes of 16 rows × one block)
    "F32":    (("codes", 64),),
    "F16":    (("codes", 32),),
    "BF16":   (("codes", 32),),
    "Q8_0":   (("codes", 512), ("scales", 32)),
    "Q4_0":   (("codes", 256), ("scales", 32)),
    "Q4_1":   (("codes", 256), ("scales", 32), ("mins", 32)),
    "Q5_0":   (("codes", 256), ("high", 64), ("scales", 32)),
    "Q5_1":   (("codes", 256), ("high", 64), ("scales", 32), ("mins", 32)),
    "IQ4_NL": (("codes", 256), ("scales", 32)),
    "MXFP4":  (("codes", 256), ("scales", 16)),
    "Q2_K":   (("codes", 1024), ("sub", 256), ("scales", 32), ("mins", 32)),
    "Q3_K":   (("codes", 1024), ("high", 512), ("sub", 128), ("sub_top", 64), ("scales", 32)),
    "Q4_K":   (("codes", 2048), ("sub", 128), ("sub_top", 64), ("scales", 32), ("mins", 32)),
    "Q5_K":   (("codes", 2048), ("high", 512), ("sub", 128), ("sub_top", 64), ("scales", 32), ("mins", 32)),
    "Q6_K":   (("codes", 2048), ("high", 1024), ("sub", 256), ("scales", 32)),
    "IQ4_XS": (("codes", 2048), ("sub", 64), ("sub_top", 32), ("scales", 32)),
    "IQ2_XXS": (("codes", 512), ("signs", 512), ("scales", 32)),
    "IQ2_XS": (("codes", 1024), ("sub", 128), ("scales", 32)),
    "IQ2_S":  (("codes", 512), ("signs", 512), ("high", 128), ("sub", 128), ("scales", 32)),
    "IQ3_XXS": (("codes", 1024), ("signs", 512), ("scales", 32)),
    "IQ3_S":  (("codes", 1024), ("high", 128), ("signs", 512), ("sub", 64), ("scales", 32)),
    "IQ1_S":  (("codes", 512), ("high", 256), ("scales", 32)),
    "IQ1_M":  (("codes", 512), ("high", 256), ("sub", 64), ("sub_top", 32), ("scales", 32)),
    "TQ1_0":  (("codes", 832), ("scales", 32)),
    "TQ2_0":  (("codes", 1024), ("scales", 32)),
}
# fmt: on

IQ4_VALUES = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
"""What the codes of IQ4_NL and IQ4_XS stand for, times their scale."""
MXFP4_VALUES = (0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
"""What the codes of MXFP4 stand for, times 2^(e - 128) for the scale byte e: twice the E2M1 values."""

PACKED = tuple(_PLANES)
"""Names of the types that have a packed tile."""


@dataclass(frozen=True, slots=True)
class TileLayout:
    """Byte offsets of a tile's planes from its start; `stride` is from one tile to the next."""

    planes: Mapping[str, int]
    stride: int


def plane_bytes(name: str) -> tuple[tuple[str, int], ...]:
    """(plane, bytes of 16 rows × one block) of type `name`, in the order in which the planes lie."""
    return _PLANES[name]


def layout(name: str, k: int) -> TileLayout:
    """The tile of 16 rows × k of type `name`; k is a whole number of its blocks."""
    blocks, rest = divmod(k, BY_NAME[name].block)
    if k < 0 or rest:
        raise ValueError(f"a tile of {k} columns is not a whole number of {name} blocks of {BY_NAME[name].block}")
    offsets: dict[str, int] = {}
    end = 0
    for plane, nbytes in _PLANES[name]:
        offsets[plane] = end
        end += -(-nbytes * blocks // LINE) * LINE
    return TileLayout(MappingProxyType(offsets), end)
