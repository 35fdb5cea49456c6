"""Integer sums that products of one row and of many share: the dots of a block, and the scaled dots of a group of 64 k.

Knows docs/arithmetic.md's rules A and K up to where they leave the integers. Knows nothing of where rows or weights lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tokenloom.jit.dot import dot_of
from tokenloom.jit.ir import Builder, Value, i32
from tokenloom.kernels.codes import Planes
from tokenloom.kernels.superblock import SUMS16, SUMS32, Place, SuperTile
from tokenloom.kernels.tiles import BlockTile


def offset_of(b: Builder, tile: BlockTile | SuperTile) -> int:
    """What a sum of dots is too large by, times Σq: the format's offset, and the shift by which the tier makes signed codes unsigned."""
    return tile.offset + (dot_of(b).signed_offset if tile.signed else 0)


def block_dots(
    b: Builder, tile: BlockTile, quads: Iterable[tuple[int, Value]], xs: Sequence[Value], lanes: int
) -> list[Value]:
    """Σ code·q of one block of 32 for each row of activations (addresses `xs`), as int32 lanes, the offset still in."""
    dot = dot_of(b)
    size = 8 if tile.signed else min(8, dot.quads(tile.bits))
    quads, totals = list(quads), list[Value]()
    for first in range(0, len(quads), size):
        part = dot.finish(b, dot.total(b, quads[first : first + size], xs, lanes, tile.signed), tile.signed)
        totals = [total + more for total, more in zip(totals, part, strict=True)] if totals else part
    return totals


def group_sums(
    b: Builder, tile: SuperTile, code: Callable[[int], Value], scales: Sequence[Value], xs: Sequence[Value], lanes: int
) -> list[Value]:
    """Σ scale·Σ code·q of a group for each row of activations, the offset still in; `code` gives the vector of a quad."""
    dot = dot_of(b)
    quads = tile.sub // 4
    size = quads if tile.signed else min(dot.quads(tile.bits), quads)
    totals: list[Value] = []
    for sub, scale in enumerate(scales):
        factor = scale if tile.signed else dot.scale(b, scale)
        for first in range(sub * quads, (sub + 1) * quads, size):
            last = min(first + size, (sub + 1) * quads)
            part = dot.total(b, ((q, code(q)) for q in range(first, last)), xs, lanes, tile.signed)
            if tile.signed:
                part = [exact * factor for exact in dot.finish(b, part, True)]
            else:
                part = dot.finish_scaled(b, part, factor)
            totals = [total + more for total, more in zip(totals, part, strict=True)] if totals else part
    return totals


def has_lows(b: Builder, tile: SuperTile) -> bool:
    """Whether sums of the activations are needed: for minima, or for an offset."""
    return tile.mins is not None or offset_of(b, tile) != 0


def low_pairs(b: Builder, tile: SuperTile, planes: Planes, place: Place, scales: Sequence[Value]) -> list[Value]:
    """A group's minima (or scales, which an offset is multiplied by), two neighbours' int16 in each int32 lane."""
    weights = tile.mins(b, planes, place) if tile.mins else scales
    return [(weights[i] & 0xFFFF) | (weights[i + 1] << 16) for i in range(0, len(weights), 2)]


def low_sum(b: Builder, tile: SuperTile, pairs: Sequence[Value], window: Value, group: Value) -> Value:
    """Σ weight·Σq over a group, for one row's window record."""
    start, size = (SUMS32, 4) if tile.sub == 32 else (SUMS16, 8)
    terms = [
        dot_of(b).pair(b, pair, b.load(i32, window + (start + 4 * i) + group * size)) for i, pair in enumerate(pairs)
    ]
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
