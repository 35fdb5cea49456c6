"""Instructions of AMX tiles (Intel SDM 1, chapter 18; SDM 2, TDPBSSD, TDPBF16PS).

Knows tile numbers and shapes. Knows nothing of weights.

A tile product here is C[row, output] += Σ_k A[row, k] · B[k, output]: C [16][16] of 4 bytes, A the rows' codes as they lie, B [k/4][16][4] bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from tokenloom.jit.ir import Builder, Operand, Value, i8, i64
from tokenloom.quant.layout import LINE

TILE_ROWS = 16  # rows of activations in a tile
TILE = TILE_ROWS * LINE  # bytes of a tile of sums
C, A, B = (0, 1, 2, 3), (4, 5), (6, 7)  # tile numbers: sums, activations, weights


def _do(b: Builder, name: str, *arguments: Value) -> None:
    b.declare(f"declare void @llvm.x86.{name}({', '.join(str(a.type) for a in arguments)})", f"llvm.x86.{name}")
    b.do(f"call void @llvm.x86.{name}({', '.join(map(repr, arguments))})")


@contextmanager
def unit(b: Builder, depth: int) -> Iterator[None]:
    """Tiles shaped for products over `depth` bytes of k (at most 64). They are the thread's own, and given back behind the body."""
    shapes = (
        dict.fromkeys(C, (TILE_ROWS, LINE))
        | dict.fromkeys(A, (TILE_ROWS, depth))
        | dict.fromkeys(B, (depth // 4, LINE))
    )
    columns, rows = ([shapes[n][i] for n in range(8)] for i in (1, 0))
    config = b.scratch(64)
    for number, word in enumerate(struct.unpack("<8q", struct.pack("<BB14x8H16x8B8x", 1, 0, *columns, *rows))):
        b.store(b.const(i64, word), config + 8 * number)
    _do(b, "ldtilecfg", config)
    yield
    _do(b, "tilerelease")


def zero(b: Builder, tile: int) -> None:
    _do(b, "tilezero", b.const(i8, tile))


def load(b: Builder, tile: int, address: Value, stride: Operand = LINE) -> None:
    _do(b, "tileloadd64", b.const(i8, tile), address, b.const(i64, stride))


def store(b: Builder, tile: int, address: Value, stride: Operand = LINE) -> None:
    _do(b, "tilestored64", b.const(i8, tile), address, b.const(i64, stride))


def dot(b: Builder, c: int, a: int, w: int, *, signed: bool = True) -> None:
    """Signed activations · signed (or unsigned) weights, bytes, to int32."""
    _do(b, "tdpbssd" if signed else "tdpbsud", *(b.const(i8, n) for n in (c, a, w)))


def dot_bf16(b: Builder, c: int, a: int, w: int) -> None:
    """bfloat16 pairs to float32; subnormals are zeros."""
    _do(b, "tdpbf16ps", *(b.const(i8, n) for n in (c, a, w)))
