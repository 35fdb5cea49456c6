"""Lowering: what a llama becomes, where threads meet, and what is refused by name."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Callable

import pytest
from tests.trace.test_buffers import overlaps
from tests.trace.tiny import CLASSES, FEW, MANY, ONE, llama, lowered

from tokenloom.errors import UnsupportedError
from tokenloom.jit.runner import BARRIER, SEGMENT
from tokenloom.trace.buffers import Buffer
from tokenloom.trace.graph import AttentionState, Tensor, Trace, WeightRef
from tokenloom.trace.lower import RowClass
from tokenloom.trace.tape import Tape

_OTHERS = {"attn_v": "Q4_1", "ffn_down": "Q4_0", "ffn_up": "F16", "token_embd": "BF16"}
MOST_KERNELS = 80


def mixed(name: str) -> str:
    return _OTHERS.get(name, "Q8_0")


def listing(graph: Trace, rows: RowClass) -> str:
    entries = lowered(graph, rows).entries
    return str(Tape(entries, defaultdict(int)))


def golden(text: str) -> str:
    return "\n".join(line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines())


def plain(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def test_tape_of_one_row() -> None:
    assert plain(listing(llama(), ONE)) == golden("""\
        0 rope_table embed
        1 embed_q8_0 embed ‖
        2 rms_norm layer 0 |
        3 matmul_q8_0_one layer 0
        4 matmul_q8_0_one layer 0
        5 matmul_q8_0_one layer 0 |
        6 rope_kv_h4_kv2_d16_r16_f16 layer 0 |
        7 attention_split_h4_kv2_d16_f16 layer 0 |
        8 attention_merge_h4_kv2_d16_f16 layer 0 |
        9 quantize layer 0 |
        10 matmul_q8_0_one layer 0 |
        11 rms_norm layer 0 |
        12 matmul_q8_0_one layer 0
        13 matmul_q8_0_one layer 0 |
        14 quantize layer 0 |
        15 matmul_q8_0_one layer 0 ‖
        16 rms_norm head |
        17 matmul_q8_0_one head |
        18 finite head ‖
        19 sample sampling ‖""")


def test_tape_of_many_rows_in_mixed_formats() -> None:
    """Float products read the norm's float32 rows; attention walks whole runs."""
    assert plain(listing(llama(kind=mixed), MANY)) == golden("""\
        0 rope_table embed
        1 embed_bf16 embed ‖
        2 rms_norm layer 0 |
        3 matmul_q8_0_many layer 0
        4 matmul_q8_0_many layer 0
        5 matmul_q4_1_many layer 0 |
        6 rope_kv_h4_kv2_d16_r16_f16 layer 0 |
        7 attention_run_h4_kv2_d16_f16 layer 0 |
        8 quantize layer 0 |
        9 matmul_q8_0_many layer 0 |
        10 rms_norm layer 0 |
        11 matmul_q8_0_many layer 0 |
        12 matmul_f16_many layer 0 |
        13 quantize layer 0 |
        14 matmul_q4_0_many layer 0 ‖
        15 rms_norm head |
        16 matmul_bf16_many head |
        17 finite head ‖
        18 sample sampling ‖""")


@pytest.mark.parametrize("rows", CLASSES, ids=lambda r: r.name)
def test_segments_end_where_control_may_return(rows: RowClass) -> None:
    entries = lowered(llama(3), rows).entries
    segments = [entry.label for entry in entries if entry.flags & SEGMENT]
    assert segments == ["embed", "layer 0", "layer 1", "layer 2", "head", "sampling"]
    for entry, following in zip(entries, [*entries[1:], None], strict=True):
        assert bool(entry.flags & SEGMENT) == (following is None or following.label != entry.label)
    assert entries[-1].flags & SEGMENT
    assert len([e for e in entries if e.label == "sampling"]) == 1, "a step without sampling stops one entry earlier"


def test_meetings_per_layer_are_few() -> None:
    """What a decoding step pays for: barriers in one layer."""
    meetings = [e for e in lowered(llama(), ONE).entries if e.label == "layer 0" and e.flags & (BARRIER | SEGMENT)]
    assert len(meetings) <= 11


@pytest.mark.parametrize("layers", [1, 40])
def test_a_model_needs_few_kernels(layers: int) -> None:
    """llvmlite compiles one at a time: the number must not grow with the model."""
    names = {e.kernel.name for rows in CLASSES for e in lowered(llama(layers, mixed), rows).entries}
    assert len(names) <= MOST_KERNELS
    assert len(names) == len({e.kernel.name for rows in CLASSES for e in lowered(llama(1, mixed), rows).entries})


@pytest.mark.parametrize("rows", CLASSES, ids=lambda r: r.name)
@pytest.mark.parametrize("bias", [False, True])
def test_buffers_read_and_written_at_the_same_time_lie_apart(rows: RowClass, bias: bool) -> None:
    """Entries between two meetings run at the same time, so all their buffers must be apart."""
    low = lowered(llama(2, mixed, bias=bias), rows)
    groups: list[list[Buffer]] = [[]]
    for entry in low.entries:
        groups[-1] += [v for v in entry.values.values() if isinstance(v, Buffer)]
        if entry.flags:
            groups.append([])
    for group in groups:
        for x in {id(b): b for b in group}.values():
            for y in {id(b): b for b in group}.values():
                if x is not y and x.nbytes and y.nbytes:
                    assert x.offset + x.nbytes <= y.offset or y.offset + y.nbytes <= x.offset, f"{x.name}, {y.name}"
    every = {id(v): v for e in low.entries for v in e.values.values() if isinstance(v, Buffer)}
    assert overlaps(list(every.values()), low.arena_bytes) == []
    assert low.logits.pinned


@pytest.mark.parametrize("rows", CLASSES, ids=lambda r: r.name)
@pytest.mark.parametrize("kind", [lambda name: "Q8_0", mixed], ids=["one format", "mixed"])
def test_rows_that_another_kernel_wrote_are_read_after_a_meeting(rows: RowClass, kind: Callable[[str], str]) -> None:
    """Kernels share tiles out to threads each in its own way: between two meetings only one of them may touch a buffer's rows."""
    writers: dict[int, str] = {}
    for entry in lowered(llama(2, kind), rows).entries:
        y = entry.values.get("y")
        if isinstance(y, Buffer):
            assert writers.setdefault(id(y), entry.kernel.name) == entry.kernel.name
        if entry.flags:
            writers.clear()


def test_biases_go_to_the_products() -> None:
    with_bias = [e for e in lowered(llama(bias=True), FEW).entries if e.values.get("bias", (0, 0)) != (0, 0)]
    assert [e.kernel.name for e in with_bias] == ["matmul_q8_0_many"] * 3


def test_the_head_sees_outputs_only() -> None:
    entries = {e.label: [] for e in lowered(llama(), MANY).entries}
    for e in lowered(llama(), MANY).entries:
        entries[e.label].append(e)
    norm, product = entries["head"][0], entries["head"][1]
    assert norm.values["gather"] == 1
    assert norm.values["count"] == product.values["count"] != entries["layer 0"][0].values["count"]


# ---- what has no kernel is refused by name ---------------------------------------------------------------------------------

TABLE = WeightRef("table", "Q8_0", (96, 64))
SQUARE = WeightRef("square", "Q8_0", (64, 64))
FLOAT = WeightRef("float", "F32", (64, 64))
NORM = WeightRef("norm", "F32", (64,))
STATE = AttentionState(0, 2, 16)


def head(x: Trace, h: Tensor) -> None:
    x.logits(x.linear(x.rms_norm(x.outputs(h), NORM, 1e-5), TABLE)[0])


def read_after_the_sum(x: Trace) -> None:
    h = x.embed(TABLE)
    total = h + x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0]
    head(x, total + x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0])


def read_between_product_and_sum(x: Trace) -> None:
    """The product has written over the stream by the time the second norm reads it."""
    h = x.embed(TABLE)
    product = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0]
    late = x.rms_norm(h, NORM, 1e-5)
    head(x, (h + product) + x.linear(late, SQUARE)[0])


def read_by_the_product_itself(x: Trace) -> None:
    h = x.embed(TABLE)
    head(x, h + x.linear(h, FLOAT)[0])


def gathered_before_the_sum(x: Trace) -> None:
    h = x.embed(TABLE)
    early = x.outputs(h)
    _ = h + x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0]
    x.logits(x.linear(x.rms_norm(early, NORM, 1e-5), TABLE)[0])


def gate_used_again(x: Trace) -> None:
    h = x.embed(TABLE)
    gate, up = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE, SQUARE)
    h = h + x.linear(x.gated_silu(gate, up), SQUARE)[0]
    head(x, h + x.linear(gate, SQUARE)[0])


def gate_after_up(x: Trace) -> None:
    h = x.embed(TABLE)
    up, gate = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE, SQUARE)
    head(x, h + x.linear(x.gated_silu(gate, up), SQUARE)[0])


def free_sum(x: Trace) -> None:
    h = x.embed(TABLE)
    head(x, h + x.rms_norm(h, NORM, 1e-5))


def sum_the_wrong_way_round(x: Trace) -> None:
    h = x.embed(TABLE)
    head(x, x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0] + h)


def free_gate(x: Trace) -> None:
    h = x.embed(TABLE)
    head(x, h + x.linear(x.gated_silu(h, x.rms_norm(h, NORM, 1e-5)), SQUARE)[0])


def attention_without_rope(x: Trace) -> None:
    h = x.embed(TABLE)
    q, k, v = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE, SQUARE, SQUARE)
    head(x, h + x.linear(x.attention(q, k, v, state=STATE, heads=4, scale=0.25), SQUARE)[0])


def other_rotary_dims(x: Trace) -> None:
    h = x.embed(TABLE)
    q, k, v = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE, SQUARE, SQUARE)
    o = x.attention(x.rope(q, 32, "normal"), x.rope(k, 32, "normal"), v, state=STATE, heads=4, scale=0.25)
    head(x, h + x.linear(o, SQUARE)[0])


def product_of_rotated(x: Trace) -> None:
    h = x.embed(TABLE)
    q = x.linear(x.rms_norm(h, NORM, 1e-5), SQUARE)[0]
    head(x, h + x.linear(x.rope(q, 16, "normal"), FLOAT)[0])


def product_of_outputs(x: Trace) -> None:
    x.logits(x.linear(x.outputs(x.embed(TABLE)), TABLE)[0])


def logits_of_all_rows(x: Trace) -> None:
    x.logits(x.linear(x.rms_norm(x.embed(TABLE), NORM, 1e-5), TABLE)[0])


def no_logits(x: Trace) -> None:
    x.rms_norm(x.embed(TABLE), NORM, 1e-5)


def unknown(x: Trace) -> None:
    head(x, x.op("convolve", (x.embed(TABLE),), (64,))[0])


REFUSALS: list[tuple[Callable[[Trace], None], str]] = [
    (read_after_the_sum, "rms_norm reads rows that add has replaced"),
    (read_between_product_and_sum, "rms_norm reads rows that add has replaced"),
    (read_by_the_product_itself, "linear reads rows that add has replaced"),
    (gathered_before_the_sum, "rms_norm reads rows that add has replaced"),
    (gate_used_again, "linear reads rows that gated_silu has replaced"),
    (gate_after_up, "gated_silu of what linear gives has no kernel"),
    (free_sum, "a free-standing add has no kernel"),
    (sum_the_wrong_way_round, "a free-standing add has no kernel"),
    (free_gate, "a free-standing gated_silu has no kernel"),
    (attention_without_rope, "attention without RoPE"),
    (other_rotary_dims, "32 rotary dims do not fit the model's 8 rope frequencies"),
    (product_of_rotated, "linear of what rope gives has no kernel"),
    (product_of_outputs, "linear of what outputs gives has no kernel"),
    (logits_of_all_rows, "logits of every row have no kernel"),
    (no_logits, "a graph without logits"),
    (unknown, "'convolve' has no kernel"),
]


@pytest.mark.parametrize(("forward", "message"), REFUSALS, ids=[f.__name__ for f, _ in REFUSALS])
@pytest.mark.parametrize("rows", [ONE, MANY], ids=lambda r: r.name)
def test_what_cannot_be_fused_is_refused(forward: Callable[[Trace], None], message: str, rows: RowClass) -> None:
    graph = Trace()
    with graph.segment("all"):
        forward(graph)
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        lowered(graph, rows)


def test_guard_of_refusals_fails_when_a_graph_can_be_lowered() -> None:
    """The smallest graph of the same parts goes through, so the refusals are not about these."""
    graph = Trace()
    h = graph.embed(TABLE)
    head(graph, h + graph.linear(graph.rms_norm(h, NORM, 1e-5), FLOAT)[0])
    assert lowered(graph).entries
