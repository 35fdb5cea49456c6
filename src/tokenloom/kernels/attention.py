"""Attention over paged keys and values, in spans of 64 slots (docs/arithmetic.md).

Knows pages, masks by visible slots and a layer's window of them, and the online softmax (Milakov & Gimelshein 2018) between spans. Knows nothing of
layers otherwise.

Two ways to cut the work, one arithmetic: `attention_split` gives every (row, heads, span) to whoever is free and `attention_merge` folds the spans
in order (few rows, long contexts); `attention_run` keeps a block of queries and walks the spans itself (prompt chunks).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Value, Var, f32, i32, i64
from tokenloom.jit.primitives import fma, larger, smaller, tier_of, tree, tree_max
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import exp32
from tokenloom.kernels.kv_page import PAGE_SLOTS, KVShape, load_values, page_address, scales_of

SPAN = 64
SPAN_PAGES = SPAN // PAGE_SLOTS
_NEVER = float("-inf")
NO_WINDOW = 1 << 31  # more slots than there are


def together(tier: Tier, group: int) -> int:
    """How many query heads of a KV head one register block takes: the largest divisor of the group that fits the tier."""
    return max(n for n in range(1, max(tier.tokens, 4) + 1) if group % n == 0)


def partial_floats(head_dim: int) -> int:
    """Of one (row, head, span): o[head_dim], m, l, padded to a line."""
    return head_dim + 16


@dataclass(frozen=True)
class _Query:
    """One query row: the address of its head_dim floats and its visible slots [low, high)."""

    q: Value
    low: Value
    high: Value


@dataclass(frozen=True)
class _Span:
    """What one span gave a query: m and l; o was handed out chunk by chunk."""

    seen: Value
    m: Value
    l: Value  # noqa: E741 (the papers' name)


def _row_bounds(a: Args, row: Value) -> tuple[Value, Value]:
    """The row's visible slots, of which this layer sees the last `window`."""
    b = a.b
    low, high = (a.entry(name, row) for name in ("att_lo", "att_hi"))
    return larger(b, low, high - a["window"]), high


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
    a: Args, heads: Sequence[Value], queries: Sequence[_Query], pages: Sequence[Value], shape: KVShape
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


def _masked(b: Builder, score: Value, page: Value, query: _Query) -> Value:
    slots = b.splat(b.trunc(page * PAGE_SLOTS, i32), PAGE_SLOTS) + b.lane_numbers(i32.x(PAGE_SLOTS))
    low, high = (b.splat(b.trunc(bound, i32), PAGE_SLOTS) for bound in (query.low, query.high))
    return b.select((slots >= low) & (slots < high), score, _NEVER)


def _abreast(b: Builder, others: int, most: int) -> int:
    """How many of a kind to take at once, 1, 2 or 4, so that enough chains are in flight beside `others` of another and registers suffice."""
    return max(n for n in (1, 2, 4) if n == 1 or (n * others <= max(4, tier_of(b).tokens) and most % n == 0))


def _span(
    a: Args,
    run: Value,
    head: Value,
    span: Value,
    queries: Sequence[_Query],
    shape: KVShape,
    scratch: Value,
    deliver: Callable[[int, Value, Value], None],
) -> list[_Span]:
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
    tops = [b.var(b.const(f32.x(PAGE_SLOTS), _NEVER)) for _ in queries]

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
        results.append(_Span(seen, m, tree(b, sums[number].value)))
    _values(a, run, head, (begin, end), queries, shape, row, deliver)
    return results


def _values(
    a: Args, run: Value, head: Value, pages: tuple[Value, Value], queries: Sequence[_Query], shape: KVShape,
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


# ---- few rows: spans to whoever is free, then merged -------------------------------------------------------------------------


def _spans_of(a: Args, rows: Value) -> Value:
    """The largest number of spans any row looks at (from slot 0)."""
    b = a.b
    most = b.var(b.const(i64, 0))
    for row in b.range(0, rows):
        most.value = larger(b, most.value, (_row_bounds(a, row)[1] + (SPAN - 1)) // SPAN)
    return most.value


def _partial(a: Args, row: Value, head: Value, span: Value, shape: KVShape) -> Value:
    index = (row * a["heads"] + head) * a["max_spans"] + span
    return a["partials"] + index * (4 * partial_floats(shape.head_dim))


def attention_split(shape: KVShape, heads: int, tier: Tier) -> Kernel:
    """partials[row][head][span] = (o, m, l) for every visible span."""
    group = heads // shape.kv_heads
    width = together(tier, group)

    def emit(a: Args) -> None:
        b = a.b
        rows = a.count()
        spans, blocks = _spans_of(a, rows), heads // width
        scratch = a["scratch"] + a.thread * a["scratch_stride"]
        for unit in b.range(a.thread, rows * blocks * spans, a.threads):
            span, block = unit % spans, (unit // spans) % blocks
            row = unit // (spans * blocks)
            low, high = _row_bounds(a, row)
            with b.when((low < (span + 1) * SPAN) & (high > span * SPAN)):
                run = a.entry("run", row)
                first = block * width
                q = a["q"] + row * a["q_stride"] + first * (4 * shape.head_dim)
                queries = [_Query(q + i * 4 * shape.head_dim, low, high) for i in range(width)]
                outs = [_partial(a, row, first + i, span, shape) for i in range(width)]

                def keep(n: int, dim: Value, o: Value, outs: list[Value] = outs) -> None:
                    b.store(o, outs[n] + dim * 4)

                parts = _span(a, run, first // group, span, queries, shape, scratch, keep)
                for out, part in zip(outs, parts, strict=True):
                    b.store(part.m, out + 4 * shape.head_dim)
                    b.store(part.l, out + 4 * shape.head_dim + 4)

    params = (
        "*q",
        "*kv",
        "*partials",
        "*scratch",
        "scratch_stride",
        "heads",
        "max_spans",
        "q_stride",
        "window",
        "count",
    )
    return Kernel(f"attention_split_{_suffix(shape, heads)}", params, emit)


def _merge_scales(b: Builder, m: Value, m_span: Value) -> tuple[Value, Value, Value]:
    """(m', e^(m − m'), e^(m_s − m'))."""
    top = b.select(m > m_span, m, m_span)
    return top, exp32(b, m - top), exp32(b, m_span - top)


def attention_merge(shape: KVShape, heads: int) -> Kernel:
    """y[row][head] = the spans' (o, m, l) folded in order, o / l."""

    def emit(a: Args) -> None:
        b, dims = a.b, shape.head_dim
        rows = a.count()
        first, last = a.share(rows * heads)
        for unit in b.range(first, last):
            row, head = unit // heads, unit % heads
            low, high = _row_bounds(a, row)
            out = a["y"] + row * a["y_stride"] + head * (4 * dims)
            begin = low // SPAN
            start = _partial(a, row, head, begin, shape)
            m, total = b.var(b.load(f32, start + 4 * dims)), b.var(b.load(f32, start + 4 * dims + 4))
            for d in b.range(0, dims, 16):
                b.store(b.load(f32.x(16), start + d * 4), out + d * 4)
            for span in b.range(begin + 1, (high + (SPAN - 1)) // SPAN):
                part = _partial(a, row, head, span, shape)
                m.value, keep, take = _merge_scales(b, m.value, b.load(f32, part + 4 * dims))
                total.value = fma(b, total.value, keep, b.load(f32, part + 4 * dims + 4) * take)
                for d in b.range(0, dims, 16):
                    _fold(b, out + d * 4, keep, take, b.load(f32.x(16), part + d * 4))
            for d in b.range(0, dims, 16):
                b.store(b.load(f32.x(16), out + d * 4) / b.splat(total.value, 16) + 0.0, out + d * 4)

    return Kernel(
        f"attention_merge_{_suffix(shape, heads)}",
        ("*partials", "*y", "heads", "max_spans", "y_stride", "window", "count"),
        emit,
    )


def _fold(b: Builder, out: Value, keep: Value, take: Value, o: Value) -> None:
    b.store(fma(b, b.load(f32.x(16), out), b.splat(keep, 16), o * b.splat(take, 16)), out)


def _suffix(shape: KVShape, heads: int) -> str:
    return f"h{heads}_kv{shape.kv_heads}_d{shape.head_dim}_{shape.name}"


# ---- many rows: a block of queries walks its spans ---------------------------------------------------------------------------


def rows_together(tier: Tier, group: int) -> int:
    """Consecutive rows of a sequence that share a register block."""
    return max(1, max(tier.tokens, 4) // together(tier, group))


def run_scratch_floats(shape: KVShape, heads: int, tier: Tier) -> int:
    """Of one thread: scores, span outputs and running outputs of a block."""
    group = heads // shape.kv_heads
    return together(tier, group) * rows_together(tier, group) * (SPAN + 2 * shape.head_dim)


def attention_run(shape: KVShape, heads: int, tier: Tier) -> Kernel:
    """y[row][head] for whole runs, `rows_together` rows at a time."""
    group = heads // shape.kv_heads
    width, depth = together(tier, group), rows_together(tier, group)

    def emit(a: Args) -> None:
        b = a.b
        runs = a.count()
        blocks = heads // width
        turn = b.var(b.const(i64, 0))
        for run in b.range(0, runs):
            start, length = (a.entry(c, run) for c in ("run_start", "run_rows"))
            units = ((length + (depth - 1)) // depth) * blocks
            # units are dealt in turn, the count going on from run to run, since later rows see more keys
            for unit in b.range((a.thread - turn.value % a.threads + a.threads) % a.threads, units, a.threads):
                where = (a, run, start, length, unit // blocks, unit % blocks)
                b.either(
                    length.eq(1), functools.partial(_run_block, 1, *where), functools.partial(_run_block, depth, *where)
                )
            turn.value = turn.value + units

    def _run_block(depth: int, a: Args, run: Value, start: Value, length: Value, piece: Value, block: Value) -> None:
        b, dims = a.b, shape.head_dim
        rows = [start + smaller(b, piece * depth + i, length - 1) for i in range(depth)]
        first = block * width
        bounds = [_row_bounds(a, row) for row in rows]
        queries = [
            _Query(a["q"] + row * a["q_stride"] + (first + i) * (4 * dims), low, high)
            for row, (low, high) in zip(rows, bounds, strict=True) for i in range(width)
        ]  # fmt: skip
        scratch = a["scratch"] + a.thread * a["scratch_stride"]
        fresh = scratch + 4 * SPAN * len(queries)
        running = fresh + 4 * dims * len(queries)
        ms = [b.var(b.const(f32, _NEVER)) for _ in queries]
        ls = [b.var(b.zeros(f32)) for _ in queries]
        low, high = b.var(bounds[0][0]), b.var(bounds[0][1])
        for other_low, other_high in bounds[1:]:
            low.value, high.value = smaller(b, low.value, other_low), larger(b, high.value, other_high)
        for n in range(len(queries)):
            for d in b.range(0, dims, 16):
                b.store(b.zeros(f32.x(16)), running + n * 4 * dims + d * 4)
        for span in b.range(low.value // SPAN, (high.value + (SPAN - 1)) // SPAN):
            parts = _span(
                a,
                run,
                first // group,
                span,
                queries,
                shape,
                scratch,
                lambda n, d, o: b.store(o, fresh + n * 4 * dims + d * 4),
            )
            for n, part in enumerate(parts):
                with b.when(part.seen):
                    _merge_running(b, ms[n], ls[n], part, running + n * 4 * dims, fresh + n * 4 * dims, dims)
        for n in range(len(queries)):
            out = a["y"] + rows[n // width] * a["y_stride"] + (first + n % width) * (4 * dims)
            for d in b.range(0, dims, 16):
                b.store(b.load(f32.x(16), running + n * 4 * dims + d * 4) / b.splat(ls[n].value, 16) + 0.0, out + d * 4)

    params = ("*q", "*kv", "*y", "*scratch", "scratch_stride", "q_stride", "y_stride", "window", "count")
    return Kernel(f"attention_run_{_suffix(shape, heads)}", params, emit)


def _merge_running(b: Builder, m: Var, total: Var, part: _Span, running: Value, fresh: Value, dims: int) -> None:
    """The first visible span is taken as it is; later ones are folded in."""
    empty = m.value.eq(_NEVER)

    def take_first() -> None:
        m.value, total.value = part.m, part.l
        for d in b.range(0, dims, 16):
            b.store(b.load(f32.x(16), fresh + d * 4), running + d * 4)

    def fold() -> None:
        m.value, keep, take = _merge_scales(b, m.value, part.m)
        total.value = fma(b, total.value, keep, part.l * take)
        for d in b.range(0, dims, 16):
            _fold(b, running + d * 4, keep, take, b.load(f32.x(16), fresh + d * 4))

    b.either(empty, take_first, fold)
