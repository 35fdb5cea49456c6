"""The sampler: from one row of logits to one token id, and its logprobs.

Knows docs/sampling.md, which this follows step by step. Knows nothing of requests or text. A work unit is one output of the step; what it is
asked for stands in its record of the SamplingBuffer.
"""

from __future__ import annotations

import math

from tokenloom.jit.ir import Builder, Value, f32, f64, i1, i16, i32, i64, ptr
from tokenloom.jit.primitives import smaller
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.functions import exp32
from tokenloom.kernels.functions_log import log32, philox
from tokenloom.kernels.sampling_buffer import RecordView, record_number
from tokenloom.kernels.sampling_select import (
    LANES,
    LARGEST,
    NOT_FINITE,
    blocks,
    collect,
    largest,
    record_id,
    record_values,
    scan,
    sort,
    weigh,
    weight_from,
)  # fmt: skip
from tokenloom.kernels.step import STATUS_NON_FINITE, column, fail

STATUS_ALL_FORBIDDEN = 2  # of the Step's status word: biases, mask and penalties left no token
_UNIT = 32  # ids; scratch regions hold a whole number of them, so threads' scratch lies 128 bytes apart
_NONE = -1  # the sampled id of an output without one
_SLACK = 1 - 2.0**-10  # more than exp32 can err, so a floor on weights never cuts off an id that min-p keeps


def scratch_bytes(vocab: int) -> int:
    """Scratch that each thread needs (`scratch_stride`); its contents need no preparation."""
    return (-(-vocab // _UNIT) * _UNIT) * (3 * 4 + 2 * 8) + 2 * 8 * _UNIT


class _Scratch:
    """The regions of a thread's scratch."""

    def __init__(self, b: Builder, base: Value, vocab: Value) -> None:
        whole = (vocab + (_UNIT - 1)) & -_UNIT
        self.logits = base
        self.weights = base + whole * 4
        self.counts = base + whole * 8
        self.records = base + whole * 12
        self.spare = self.records + (whole + _UNIT) * 8


def _float(b: Builder, bits: Value) -> Value:
    return b.bitcast(b.trunc(bits, i32), f32)


# ---- bias, mask, penalties --------------------------------------------------------------------------------------------------


def _adjust(b: Builder, buffer: Value, number: Value, row: Value, vocab: Value, scratch: Value) -> Value:
    """The row with bias, mask and penalties applied, as a copy in the scratch."""
    record, room = RecordView(b, buffer, number), _Scratch(b, scratch, vocab)
    blocks(b, row, vocab, b.const(f32, -math.inf), lambda i, v: b.store(v, room.logits + i * 4))
    _add_biases(b, record, room.logits, vocab)
    with b.when(record.word("mask") >= 0):
        _forbid(b, record.region("mask"), room.logits, vocab)
    _penalise(b, record, room, vocab)
    return b.const(i64, 0)


def _add_biases(b: Builder, record: RecordView, logits: Value, vocab: Value) -> None:
    pairs = record.region("bias")
    for i in b.range(0, record.word("bias_count")):
        token = b.load_index(pairs + i * 8)
        with b.when(token.ult(vocab)):
            at = logits + token * 4
            b.store(b.load(f32, at) + b.load(f32, pairs + i * 8 + 4), at)


def _forbid(b: Builder, mask: Value, logits: Value, vocab: Value) -> None:
    def step(i: Value, v: Value) -> None:
        allowed = b.bitcast(b.load(i16, mask + (i >> 3)), i1.x(LANES))
        b.store(b.select(allowed, v, b.const(v.type, -math.inf)), logits + i * 4)

    blocks(b, logits, vocab, b.const(f32, -math.inf), step)


def _penalise(b: Builder, record: RecordView, room: _Scratch, vocab: Value) -> None:
    """Counts each id of the window, then treats each once: its count is cleared when it has been."""
    held = record.word("history_count")
    seen = smaller(b, held, record.word("window"))
    ids = record.region("history") + (held - seen) * 4

    def clear(token: Value, count: Value) -> None:
        b.store(b.const(i32, 0), count)

    def count_one(token: Value, count: Value) -> None:
        b.store(b.load(i32, count) + 1, count)

    def apply(token: Value, count: Value) -> None:
        with b.when(b.load(i32, count) > 0):
            at = room.logits + token * 4
            b.store(_penalised(b, record, b.load(f32, at), b.load(i32, count)), at)
            b.store(b.const(i32, 0), count)

    for treat in (clear, count_one, apply):
        for i in b.range(0, seen):
            token = b.load_index(ids + i * 4)
            with b.when(token.ult(vocab)):
                treat(token, room.counts + token * 4)


def _penalised(b: Builder, record: RecordView, z: Value, count: Value) -> Value:
    repeat = record.float("repeat_penalty")
    z = b.select(z > 0.0, z / repeat, z * repeat)
    z = b.select(z > LARGEST, b.const(f32, LARGEST), z)
    return z - (b.to_float(count) * record.float("frequency_penalty") + record.float("presence_penalty"))


# ---- the draw ---------------------------------------------------------------------------------------------------------------


def _uniform(b: Builder, record: RecordView) -> Value:
    """The generation's random number for this token in [0, 1), as float64."""
    zero = b.const(i32, 0)
    random = philox(b, (record.raw("seed_low"), record.raw("seed_high")), (record.raw("index"), zero, zero, zero))
    return b.to_float(b.zext(random[0] >> 8, i64), f64) * 2.0**-24


def _draw(b: Builder, buffer: Value, number: Value, row: Value, vocab: Value, scratch: Value, top: Value) -> Value:
    """Temperature, top-k, top-p, min-p and the draw over the row `row`, whose largest value is `top`; the id."""
    record = RecordView(b, buffer, number)
    weights = _Scratch(b, scratch, vocab).weights
    inverse = 1.0 / record.float("temperature")
    k = record.word("top_k")
    k = b.select(k < vocab, k, b.const(i64, 0))
    top_p, min_p = record.float("top_p"), record.float("min_p")
    chosen = b.var(b.const(i64, 0))
    total = b.var(b.const(f64, 0.0))
    with b.when(k.eq(0)):
        total.value = weigh(b, row, vocab, weights, top, inverse)
    filtered = k.ne(0) | (top_p < 1.0) | (min_p > 0.0)

    def among_survivors() -> None:
        chosen.value = _draw_filtered(b, record, row, vocab, scratch, top, inverse, k, total.value)

    def among_all() -> None:
        chosen.value = _draw_from_all(b, weights, vocab, _uniform(b, record) * total.value)

    b.either(filtered, among_survivors, among_all)
    return chosen.value


def _draw_from_all(b: Builder, weights: Value, vocab: Value, target: Value) -> Value:
    """The first id, in ascending order, at which the running sum passes the target; should rounding keep it below, the last with a weight."""
    running, at = b.var(b.const(f64, 0.0)), b.var(b.const(i64, 0))
    last = b.var(b.const(i64, 0))
    with b.loop() as leave_if:
        i = at.value
        leave_if(i >= vocab)
        weight = b.load(f32, weights + i * 4)
        running.value = running.value + b.cast("fpext", weight, f64)
        last.value = b.select(weight > 0.0, i, last.value)
        leave_if(running.value > target)
        at.value = i + 1
    return last.value


def _draw_filtered(
    b: Builder,
    record: RecordView,
    row: Value,
    vocab: Value,
    scratch: Value,
    top: Value,
    inverse: Value,
    k: Value,
    total: Value,
) -> Value:
    room = _Scratch(b, scratch, vocab)
    top_p, min_p = record.float("top_p"), record.float("min_p")
    found, mass = b.var(b.const(i64, 0)), b.var(total)

    def by_rank() -> None:
        found.value = largest(b, row, vocab, k, room.records, room.spare)
        _weigh_records(b, room, found.value, top, inverse)
        mass.value = _sum(b, room.weights, found.value)

    def by_weight() -> None:
        found.value = collect(
            b, room.weights, row, vocab, _weight_floor(b, room.weights, vocab, top_p, min_p, total), room.records
        )
        sort(b, room.records, room.spare, found.value)
        _weigh_records(b, room, found.value, top, inverse)

    b.either(k.ne(0), by_rank, by_weight)
    limit = b.select(top_p < 1.0, b.cast("fpext", top_p, f64) * mass.value, b.const(f64, math.inf))
    kept = _top_p(b, room.weights, found.value, limit)
    return _draw_from(b, room, kept, min_p, _uniform(b, record))


def _weight_floor(b: Builder, weights: Value, vocab: Value, top_p: Value, min_p: Value, total: Value) -> Value:
    """A weight that every survivor of top-p and min-p reaches, so that few others are sorted: the first of 1/8, 1/64, … such that the ids
    from there on weigh what top-p keeps; at last one so low that all ids under it together weigh at most half of what top-p leaves out."""
    wide = b.cast("fpext", top_p, f64)
    lowest = b.cast("fptrunc", (1.0 - wide) * total / (b.to_float(vocab, f64) * 2.0), f32)
    enough = wide * total + total * 2.0**-30
    floor = b.var(b.const(f32, 0.125))
    with b.when(top_p < 1.0), b.loop() as leave_if:
        leave_if(floor.value <= lowest)
        leave_if(weight_from(b, weights, vocab, floor.value) >= enough)
        floor.value = floor.value * 0.125
    found = b.select(top_p < 1.0, floor.value * _SLACK, b.const(f32, 0.0))
    found = b.select(found > lowest, found, lowest)
    least = min_p * _SLACK
    return b.select(found > least, found, least)


def _weigh_records(b: Builder, room: _Scratch, count: Value, top: Value, inverse: Value) -> None:
    for i in b.range(0, count, LANES):
        values = record_values(b, room.records + i * 8)
        b.store(exp32(b, (values - b.splat(top, LANES)) * b.splat(inverse, LANES)), room.weights + i * 4)


def _sum(b: Builder, weights: Value, count: Value) -> Value:
    running = b.var(b.const(f64, 0.0))
    for i in b.range(0, count):
        running.value = running.value + b.cast("fpext", b.load(f32, weights + i * 4), f64)
    return running.value


def _top_p(b: Builder, weights: Value, count: Value, limit: Value) -> Value:
    """How many of the sorted records it takes for the running sum to reach the limit; all, when it never does."""
    running, at = b.var(b.const(f64, 0.0)), b.var(b.const(i64, 0))
    with b.loop() as leave_if:
        leave_if(at.value >= count)
        running.value = running.value + b.cast("fpext", b.load(f32, weights + at.value * 4), f64)
        at.value = at.value + 1
        leave_if(running.value >= limit)
    return at.value


def _draw_from(b: Builder, room: _Scratch, count: Value, min_p: Value, uniform: Value) -> Value:
    """Draws among the first `count` records, without those whose weight is below min-p."""

    def weight(i: Value) -> Value:
        w = b.load(f32, room.weights + i * 4)
        return b.cast("fpext", b.select(w >= min_p, w, b.const(f32, 0.0)), f64)

    total = b.var(b.const(f64, 0.0))
    for i in b.range(0, count):
        total.value = total.value + weight(i)
    target = uniform * total.value
    running, at = b.var(b.const(f64, 0.0)), b.var(b.const(i64, 0))
    with b.loop() as leave_if:
        running.value = running.value + weight(at.value)
        leave_if(running.value > target)
        leave_if(at.value + 1 >= count)
        at.value = at.value + 1
    return b.zext(record_id(b, room.records + at.value * 8), i64)


# ---- logprobs ---------------------------------------------------------------------------------------------------------------


def _logprobs(
    b: Builder, buffer: Value, number: Value, row: Value, vocab: Value, scratch: Value, top: Value, chosen: Value
) -> Value:
    """log p of the chosen id and of the k likeliest under the model's own distribution: no bias, mask, penalty or temperature."""
    record, room = RecordView(b, buffer, number), _Scratch(b, scratch, vocab)
    total = weigh(b, row, vocab, room.weights, top, b.const(f32, 1.0))
    log_total = log32(b, b.cast("fptrunc", total, f32))
    out = record.region("logprobs_out")
    b.store((b.load(f32, row + chosen * 4) - top) - log_total, out)
    wanted = record.word("logprobs")
    with b.when(wanted > 0):
        found = largest(b, row, vocab, wanted, room.records, room.spare)
        for i in b.range(0, found):
            token = record_id(b, room.records + i * 8)
            b.store(token, out + i * 8 + 4)
            value = b.load(f32, row + b.zext(token, i64) * 4)
            b.store((value - top) - log_total, out + i * 8 + 8)
    return b.const(i64, 0)


# ---- one output -------------------------------------------------------------------------------------------------------------


def _sample_row(b: Builder, buffer: Value, number: Value, row: Value, vocab: Value, scratch: Value) -> Value:
    """The sampled id, or −1 − status."""
    record = RecordView(b, buffer, number)
    chosen = b.var(b.const(i64, _NONE - STATUS_NON_FINITE))
    raw = scan(b, row, vocab, strict=True)
    with b.when(raw.ne(NOT_FINITE)):
        best, logits = b.var(raw), b.var(row)
        adjusted = (record.word("bias_count") | record.word("window")).ne(0) | (record.word("mask") >= 0)
        with b.when(adjusted):
            b.helper(
                "adjust", [ptr, i64, ptr, i64, ptr], i64, _adjust, buffer, number, row, vocab, scratch, inline=False
            )
            logits.value = _Scratch(b, scratch, vocab).logits
            best.value = scan(b, logits.value, vocab, strict=False)
        top = _float(b, best.value >> 32)
        chosen.value = b.const(i64, _NONE - STATUS_ALL_FORBIDDEN)
        with b.when(top > -math.inf):
            chosen.value = best.value & 0xFFFFFFFF
            with b.when(record.float("temperature") > 0.0):
                params = [ptr, i64, ptr, i64, ptr, f32]
                chosen.value = b.helper(
                    "draw", params, i64, _draw, buffer, number, logits.value, vocab, scratch, top, inline=False
                )
            with b.when(record.word("logprobs") >= 0):
                params = [ptr, i64, ptr, i64, ptr, f32, i64]
                raw_top = _float(b, raw >> 32)
                b.helper(
                    "logprobs",
                    params,
                    i64,
                    _logprobs,
                    buffer,
                    number,
                    row,
                    vocab,
                    scratch,
                    raw_top,
                    chosen.value,
                    inline=False,
                )
    return chosen.value


def _sample(a: Args) -> None:
    b = a.b
    first, last = a.share(a.count())
    scratch = a["scratch"] + a.thread * a["scratch_stride"]
    for out in b.range(first, last):
        number = record_number(b, a["settings"], out)
        target = column(b, a.step, "sampled") + out * 4
        b.store(b.const(i32, _NONE), target)
        with b.when(number >= 0):
            params = [ptr, i64, ptr, i64, ptr]
            row = a["logits"] + out * a["stride"]
            chosen = b.helper(
                "sample_row", params, i64, _sample_row, a["settings"], number, row, a["vocab"], scratch, inline=False
            )

            def report(chosen: Value = chosen, out: Value = out) -> None:
                source = a.entry("out_row", out)
                for status in (STATUS_NON_FINITE, STATUS_ALL_FORBIDDEN):
                    with b.when(chosen.eq(_NONE - status)):
                        fail(b, a.step, status, source)

            def keep(chosen: Value = chosen, target: Value = target) -> None:
                b.store(b.trunc(chosen, i32), target)

            b.either(chosen < 0, report, keep)


# Output i of the step: its logits lie `stride` bytes after those of output i − 1. `count` as in kernels.rows; `settings` is a SamplingBuffer.
SAMPLE = Kernel("sample", ("*logits", "*settings", "*scratch", "vocab", "stride", "scratch_stride", "count"), _sample)

__all__ = ["SAMPLE", "STATUS_ALL_FORBIDDEN", "scratch_bytes"]
