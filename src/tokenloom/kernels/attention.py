"""Attention over paged keys and values: which rows, heads and spans of slots each thread takes, and how they come together.

Knows the step's runs, a row's visible slots and a layer's window of them. Knows nothing of a span's arithmetic (`span`), and of layers otherwise.

Two ways to cut the work, one arithmetic: `attention_split` gives every (row, heads, span) to whoever is free and `attention_merge` folds the spans
in order (few rows, long contexts); `attention_run` keeps a block of queries and walks the spans itself (prompt chunks).
"""

from __future__ import annotations

import functools

from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Value, Var, f32, i64
from tokenloom.jit.primitives import fma, larger, smaller
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.kv_page import KVShape
from tokenloom.kernels.span import NEVER, SPAN, Part, Query, attend, fold, merge_scales

NO_WINDOW = 1 << 31  # more slots than there are


def together(tier: Tier, group: int) -> int:
    """How many query heads of a KV head one register block takes: the largest divisor of the group that fits the tier."""
    return max(n for n in range(1, max(tier.tokens, 4) + 1) if group % n == 0)


def partial_floats(head_dim: int) -> int:
    """Of one (row, head, span): o[head_dim], m, l, padded to a line."""
    return head_dim + 16


def _row_bounds(a: Args, row: Value) -> tuple[Value, Value]:
    """The row's visible slots, of which this layer sees the last `window`."""
    b = a.b
    low, high = (a.entry(name, row) for name in ("att_lo", "att_hi"))
    return larger(b, low, high - a["window"]), high


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


def split_scratch_floats(shape: KVShape, heads: int, tier: Tier) -> int:
    """Of one thread: scores of the heads that it takes at once."""
    return together(tier, heads // shape.kv_heads) * SPAN


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
                queries = [Query(q + i * 4 * shape.head_dim, low, high) for i in range(width)]
                outs = [_partial(a, row, first + i, span, shape) for i in range(width)]

                def keep(n: int, dim: Value, o: Value, outs: list[Value] = outs) -> None:
                    b.store(o, outs[n] + dim * 4)

                parts = attend(a, run, first // group, span, queries, shape, scratch, keep)
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
                m.value, keep, take = merge_scales(b, m.value, b.load(f32, part + 4 * dims))
                total.value = fma(b, total.value, keep, b.load(f32, part + 4 * dims + 4) * take)
                for d in b.range(0, dims, 16):
                    fold(b, out + d * 4, keep, take, b.load(f32.x(16), part + d * 4))
            for d in b.range(0, dims, 16):
                b.store(b.load(f32.x(16), out + d * 4) / b.splat(total.value, 16) + 0.0, out + d * 4)

    return Kernel(
        f"attention_merge_{_suffix(shape, heads)}",
        ("*partials", "*y", "heads", "max_spans", "y_stride", "window", "count"),
        emit,
    )


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
            Query(a["q"] + row * a["q_stride"] + (first + i) * (4 * dims), low, high)
            for row, (low, high) in zip(rows, bounds, strict=True) for i in range(width)
        ]  # fmt: skip
        scratch = a["scratch"] + a.thread * a["scratch_stride"]
        fresh = scratch + 4 * SPAN * len(queries)
        running = fresh + 4 * dims * len(queries)
        ms = [b.var(b.const(f32, NEVER)) for _ in queries]
        ls = [b.var(b.zeros(f32)) for _ in queries]
        low, high = b.var(bounds[0][0]), b.var(bounds[0][1])
        for other_low, other_high in bounds[1:]:
            low.value, high.value = smaller(b, low.value, other_low), larger(b, high.value, other_high)
        for n in range(len(queries)):
            for d in b.range(0, dims, 16):
                b.store(b.zeros(f32.x(16)), running + n * 4 * dims + d * 4)
        for span in b.range(low.value // SPAN, (high.value + (SPAN - 1)) // SPAN):
            parts = attend(
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


def _merge_running(b: Builder, m: Var, total: Var, part: Part, running: Value, fresh: Value, dims: int) -> None:
    """The first visible span is taken as it is; later ones are folded in."""
    empty = m.value.eq(NEVER)

    def take_first() -> None:
        m.value, total.value = part.m, part.l
        for d in b.range(0, dims, 16):
            b.store(b.load(f32.x(16), fresh + d * 4), running + d * 4)

    def fold_in() -> None:
        m.value, keep, take = merge_scales(b, m.value, part.m)
        total.value = fma(b, total.value, keep, part.l * take)
        for d in b.range(0, dims, 16):
            fold(b, running + d * 4, keep, take, b.load(f32.x(16), fresh + d * 4))

    b.either(empty, take_first, fold_in)
