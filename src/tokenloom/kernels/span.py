"""Attention to one span of 64 slots, and how spans are folded: scores, the softmax's numerators, values (docs/arithmetic.md).

Knows pages, masks by visible slots and the online softmax (Milakov & Gimelshein 2018). Knows nothing of which thread takes which span, or of where
what spans gave lies between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value, Var, f32, i32
from tokenloom.jit.primitives import fma, larger, smaller, tier_of, tree, tree_max
from tokenloom.kernels.args import Args
from tokenloom.kernels.functions import exp32
from tokenloom.kernels.kv_page import PAGE_SLOTS, KVShape, load_values, page_address, scales_of

SPAN = 64
SPAN_PAGES = SPAN // PAGE_SLOTS
NEVER = float("-inf")  # the score of an invisible slot


@dataclass(frozen=True)
class Query:
    """One query row: the address of its head_dim floats and its visible slots [low, high)."""

    q: Value
    low: Value
    high: Value


@dataclass(frozen=True)
class Part:
    """What one span gave a query: m and l; o was handed out chunk by chunk."""

    seen: Value
    m: Value
    l: Value  # noqa: E741 (the papers' name)


def attend(
    a: Args,
    run: Value,
    head: Value,
    span: Value,
    queries: Sequence[Query],
    shape: KVShape,
    scratch: Value,
    deliver: Callable[[int, Value, Value], None],
) -> list[Part]:
    """One span for several queries of one KV head; `deliver(query, dim, o)` places each 16 dims of its outputs.

    `scratch` holds [queries][64] floats: scores, then probabilities.
    """
    b = a.b
    first_page = b.var(queries[0].low)
    last_slot = b.var(queries[0].high)
    for query in queries[1:]:
        first_page.value = smaller(b, first_page.value, query.low)
        last_slot.value = larger(b, last_slot.value, query.high)
    begin = larger(b, span * SPAN_PAGES, first_page.value >> 4)
    end = smaller(b, (span + 1) * SPAN_PAGES, (last_slot.value + (PAGE_SLOTS - 1)) >> 4)
    tops = [b.var(b.const(f32.x(PAGE_SLOTS), NEVER)) for _ in queries]

    def row(number: int, page: Value) -> Value:
        return scratch + (page & (SPAN_PAGES - 1)) * (4 * PAGE_SLOTS) + number * (4 * SPAN)

    abreast = _abreast(b, len(queries), SPAN_PAGES)
    for first in b.range(begin, end, abreast):
        pages = [smaller(b, first + i, end - 1) for i in range(abreast)]  # the last one again has the same scores again
        heads = [page_address(a, a["kv"], run, page, shape) + head * shape.head_bytes for page in pages]
        for page, scores in zip(pages, _scores(a, heads, queries, pages, shape), strict=True):
            for number, score in enumerate(scores):
                b.store(score, row(number, page))
                tops[number].value = b.select(score > tops[number].value, score, tops[number].value)
    results = []
    sums = [b.var(b.zeros(f32.x(PAGE_SLOTS))) for _ in queries]
    for number, query in enumerate(queries):
        m = tree_max(b, tops[number].value)
        for page in b.range(begin, end):
            p = exp32(b, b.load(f32.x(PAGE_SLOTS), row(number, page)) - b.splat(m, PAGE_SLOTS))
            b.store(p, row(number, page))
            sums[number].value = sums[number].value + p
        seen = (query.low < (span + 1) * SPAN) & (query.high > span * SPAN) & (query.high > query.low)
        results.append(Part(seen, m, tree(b, sums[number].value)))
    _values(a, run, head, (begin, end), queries, shape, row, deliver)
    return results


def _abreast(b: Builder, others: int, most: int) -> int:
    """How many of a kind to take at once, 1, 2 or 4, so that enough chains are in flight beside `others` of another and registers suffice."""
    return max(n for n in (1, 2, 4) if n == 1 or (n * others <= max(4, tier_of(b).tokens) and most % n == 0))


# ---- scores: keys against queries --------------------------------------------------------------------------------------------


def _lines(b: Builder, heads: Sequence[Value], shape: KVShape, line: int) -> Iterator[tuple[Value, list[Value | None]]]:
    """Every `line`-th dim of a head, in a loop of the generated code, with the scales of the 16 keys there, of each page's."""
    if not shape.scaled:
        for first in b.range(0, shape.head_dim, line):
            yield first, [None] * len(heads)
        return
    for begin in b.range(0, shape.head_dim, 16):  # half a window, since the last window may be one
        scales: list[Value | None] = [scales_of(b, keys, begin >> 5, shape) for keys in heads]
        for first in b.range(begin, begin + 16, line):
            yield first, scales


def _scores(
    a: Args, heads: Sequence[Value], queries: Sequence[Query], pages: Sequence[Value], shape: KVShape
) -> list[list[Value]]:
    """Masked scores [page][query] of some pages' 16 keys each, whose first bytes are `heads`."""
    b, size = a.b, shape.size
    accs = [[b.var(b.zeros(f32.x(PAGE_SLOTS))) for _ in queries] for _ in pages]
    line = 64 // (PAGE_SLOTS * size)  # dims whose keys fill a cache line
    for first, scales in _lines(b, heads, shape, line):
        for keys in heads:
            # these values and the next pages' keys (pages mostly follow one another) come from memory while these are computed
            b.prefetch(keys + first * (PAGE_SLOTS * size) + shape.kv_heads * shape.head_bytes)
            b.prefetch(keys + first * (PAGE_SLOTS * size) + shape.page_bytes * len(pages))
        for i in range(line):
            at = (first + i) * (PAGE_SLOTS * size)
            ks = [load_values(b, keys + at, shape, scale) for keys, scale in zip(heads, scales, strict=True)]
            for number, query in enumerate(queries):
                q = b.splat(b.load(f32, query.q + (first + i) * 4), PAGE_SLOTS)
                for k, page_accs in zip(ks, accs, strict=True):
                    page_accs[number].value = fma(b, k, q, page_accs[number].value)
    return [
        [_masked(b, acc.value, page, query) for acc, query in zip(page_accs, queries, strict=True)]
        for page, page_accs in zip(pages, accs, strict=True)
    ]


def _masked(b: Builder, score: Value, page: Value, query: Query) -> Value:
    slots = b.splat(b.trunc(page * PAGE_SLOTS, i32), PAGE_SLOTS) + b.lane_numbers(i32.x(PAGE_SLOTS))
    low, high = (b.splat(b.trunc(bound, i32), PAGE_SLOTS) for bound in (query.low, query.high))
    return b.select((slots >= low) & (slots < high), score, NEVER)


# ---- values: weighted by the numerators --------------------------------------------------------------------------------------


def _values(
    a: Args, run: Value, head: Value, pages: tuple[Value, Value], queries: Sequence[Query], shape: KVShape,
    row: Callable[[int, Value], Value], deliver: Callable[[int, Value, Value], None],
) -> None:  # fmt: skip
    """o[d] = Σ_slot V[slot][d] · p[slot], a chain per dim, `wide` dims at a time so that enough chains are in flight."""
    b = a.b
    wide = _abreast(b, len(queries), shape.head_dim // 16)
    windows = -(-wide // 2) if shape.scaled else 0  # of 32 dims; `dim` is where one begins, or the middle of one
    scales = [b.scratch(4 * PAGE_SLOTS) for _ in range(windows)]
    for dim in b.range(0, shape.head_dim, 16 * wide):
        accs: list[list[Var]] = [[b.var(b.zeros(f32.x(16))) for _ in range(wide)] for _ in queries]
        for page in b.range(*pages):
            values = page_address(a, a["kv"], run, page, shape) + (head + shape.kv_heads) * shape.head_bytes
            for window, kept in enumerate(scales):
                b.store(scales_of(b, values, (dim >> 5) + window, shape), kept)
            for slot in b.range(0, PAGE_SLOTS):
                at = values + (slot * shape.head_dim + dim) * shape.size
                by = [b.splat(b.load(f32, kept + slot * 4), 16) for kept in scales]
                vs = [load_values(b, at + 16 * shape.size * i, shape, by[i // 2] if by else None) for i in range(wide)]
                for number, row_accs in enumerate(accs):
                    p = b.splat(b.load(f32, row(number, page) + slot * 4), 16)
                    for acc, v in zip(row_accs, vs, strict=True):
                        acc.value = fma(b, v, p, acc.value)
        for number, row_accs in enumerate(accs):
            for i, acc in enumerate(row_accs):
                deliver(number, dim + 16 * i, acc.value)


# ---- from span to span -------------------------------------------------------------------------------------------------------


def merge_scales(b: Builder, m: Value, m_span: Value) -> tuple[Value, Value, Value]:
    """(m', e^(m − m'), e^(m_s − m'))."""
    top = b.select(m > m_span, m, m_span)
    return top, exp32(b, m - top), exp32(b, m_span - top)


def fold(b: Builder, out: Value, keep: Value, take: Value, o: Value) -> None:
    """Sixteen dims at `out` become out · keep + o · take."""
    b.store(fma(b, b.load(f32.x(16), out), b.splat(keep, 16), o * b.splat(take, 16)), out)
