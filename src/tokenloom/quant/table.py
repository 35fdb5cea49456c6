"""The table of ggml tensor types: one row each, with the elements and the bytes of a block.

Knows every type id that ggml has ever written to a file, by name. Does not know how the bytes of a block are laid out
(`blocks/`), how they are packed for a kernel (`packing`), or which files hold them (`formats`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuantType:
    """One ggml tensor type: `block` consecutive elements of a row are stored in `nbytes` bytes."""

    name: str
    ggml_id: int
    block: int
    nbytes: int
    supported: bool = False
    """Whether tokenloom can compute with it; every other type can be named, listed and read as bytes."""

    @property
    def bits_per_weight(self) -> float:
        return 8 * self.nbytes / self.block


# fmt: off
_ROWS = (
    #          name       id  block bytes supported
    QuantType("F32",       0,   1,    4, True),
    QuantType("F16",       1,   1,    2, True),
    QuantType("Q4_0",      2,  32,   18, True),
    QuantType("Q4_1",      3,  32,   20, True),
    QuantType("Q5_0",      6,  32,   22, True),
    QuantType("Q5_1",      7,  32,   24, True),
    QuantType("Q8_0",      8,  32,   34, True),
    QuantType("Q8_1",      9,  32,   36),
    QuantType("Q2_K",     10, 256,   84, True),
    QuantType("Q3_K",     11, 256,  110, True),
    QuantType("Q4_K",     12, 256,  144, True),
    QuantType("Q5_K",     13, 256,  176, True),
    QuantType("Q6_K",     14, 256,  210, True),
    QuantType("Q8_K",     15, 256,  292),
    QuantType("IQ2_XXS",  16, 256,   66, True),
    QuantType("IQ2_XS",   17, 256,   74, True),
    QuantType("IQ3_XXS",  18, 256,   98, True),
    QuantType("IQ1_S",    19, 256,   50, True),
    QuantType("IQ4_NL",   20,  32,   18, True),
    QuantType("IQ3_S",    21, 256,  110, True),
    QuantType("IQ2_S",    22, 256,   82, True),
    QuantType("IQ4_XS",   23, 256,  136, True),
    QuantType("I8",       24,   1,    1),
    QuantType("I16",      25,   1,    2),
    QuantType("I32",      26,   1,    4),
    QuantType("I64",      27,   1,    8),
    QuantType("F64",      28,   1,    8),
    QuantType("IQ1_M",    29, 256,   56, True),
    QuantType("BF16",     30,   1,    2, True),
    QuantType("TQ1_0",    34, 256,   54, True),
    QuantType("TQ2_0",    35, 256,   66, True),
    QuantType("MXFP4",    39,  32,   17, True),
    QuantType("NVFP4",    40,  64,   36),
    QuantType("Q1_0",     41, 128,   18),
    QuantType("Q2_0",     42,  64,   18),
)
# fmt: on

QTYPES: dict[int, QuantType] = {row.ggml_id: row for row in _ROWS}
BY_NAME: dict[str, QuantType] = {row.name: row for row in _ROWS}

REMOVED: dict[int, str] = {
    4: "Q4_2",
    5: "Q4_3",
    31: "Q4_0_4_4",
    32: "Q4_0_4_8",
    33: "Q4_0_8_8",
    36: "IQ4_NL_4_4",
    37: "IQ4_NL_4_8",
    38: "IQ4_NL_8_8",
}
"""Ids of types that ggml once wrote and later removed: they have a name for an error message, and no layout."""


def row_bytes(qtype: QuantType, k: int) -> int:
    """Bytes of one row of `k` elements; `k` must be a whole number of blocks."""
    blocks, rest = divmod(k, qtype.block)
    if k < 0 or rest:
        raise ValueError(f"a row of {k} elements is not a whole number of {qtype.name} blocks of {qtype.block}")
    return blocks * qtype.nbytes
