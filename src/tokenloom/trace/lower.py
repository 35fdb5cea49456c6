"""Lowering: a graph becomes the entries of a tape for one row class.

Knows which kernels an operation becomes, what is fused, and where threads must meet. Knows nothing of architectures or instruction sets.

Fused: quantization into the norm before it; residual sums and gated activations into the product before them; RoPE and the cache write into
attention. A graph that asks for anything else is refused by name.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from tokenloom.errors import UnsupportedError
from tokenloom.jit.cpu import Tier
from tokenloom.jit.runner import BARRIER, SEGMENT
from tokenloom.kernels import attention as att
from tokenloom.kernels.amx import TILE_ROWS
from tokenloom.kernels.args import Kernel
from tokenloom.kernels.embedding import embed
from tokenloom.kernels.fast import DEPTH, NARROW
from tokenloom.kernels.kv_page import KVShape
from tokenloom.kernels.matmul import ADD, GATE, STORE, activation_form, matmul, product_scratch
from tokenloom.kernels.products import MAX_PLANES, SCALE_BYTES
from tokenloom.kernels.quantization import QUANTIZE, QUANTIZE_K
from tokenloom.kernels.rope import ROPE_TABLE, rope_kv
from tokenloom.kernels.rows import FINITE, RMS_NORM
from tokenloom.kernels.sampling import SAMPLE, scratch_bytes
from tokenloom.kernels.step import H
from tokenloom.kernels.superblock import SUPER, WINDOW_BYTES
from tokenloom.kernels.tiled import padded
from tokenloom.kernels.tiles import BLOCK, ROWS
from tokenloom.quant.layout import TileLayout
from tokenloom.trace.buffers import Buffer, plan, row_stride
from tokenloom.trace.graph import Op, Trace, WeightRef
from tokenloom.trace.tape import NULL, SAMPLING, Entry

Address = tuple[int, int]


@dataclass(frozen=True)
class RowClass:
    """How many rows (and outputs) a tape is made for. `split` cuts attention by spans over the team."""

    name: str
    rows: int
    outs: int
    split: bool


@dataclass(frozen=True)
class Placed:
    """A weight in memory: its base and offset, and the layout of its row tiles (matrices)."""

    address: Address
    layout: TileLayout | None = None


@dataclass(frozen=True)
class Cache:
    """A layer's KV slab: its base number and geometry."""

    base: int
    shape: KVShape


@dataclass(frozen=True)
class RopeTable:
    """Frequencies (float64, padded to a multiple of 4) in memory, their number, and the attention factor."""

    freq: Address
    pairs: int
    factor: float


@dataclass(frozen=True)
class Machine:
    """All that lowering needs to know besides the graph."""

    weights: Mapping[str, Placed]
    caches: Mapping[int, Cache]
    rope: RopeTable
    tier: Tier
    threads: int
    max_spans: int


@dataclass(frozen=True)
class Lowered:
    """The entries, the arena they need, and where the logits come out."""

    entries: list[Entry]
    arena_bytes: int
    logits: Buffer


_ROWS_COUNT, _OUTS_COUNT, _RUNS_COUNT = (4 * H[n] for n in ("rows", "outs", "runs"))


# activation form -> the kernel that makes it, values in a window, bytes of a window's record
_WINDOWS = {"a32": (QUANTIZE, BLOCK, SCALE_BYTES), "k256": (QUANTIZE_K, SUPER, WINDOW_BYTES)}


def plane_words(layout: TileLayout) -> dict[str, int]:
    """The plane offsets as the kernels' argument words, unused ones 0."""
    offsets = [*layout.planes.values(), *[0] * MAX_PLANES]
    return {f"plane{i}": offsets[i] for i in range(1, MAX_PLANES)}


def float_bits(value: float) -> int:
    return int(struct.unpack("<i", struct.pack("<f", value))[0])


def double_bits(value: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


class _Lowering:
    def __init__(self, graph: Trace, machine: Machine, rows: RowClass) -> None:
        self.graph, self.machine, self.rows = graph, machine, rows
        self.entries: list[Entry] = []
        # of the threads so far: entries between two meetings run at the same time, so lifetimes count these
        self.meetings = 0
        self.buffers: list[Buffer] = []
        self.values: dict[int, Buffer] = {}  # tensor -> its float32 rows
        # tensor and form -> int8 codes and their scales, or bfloat16 values
        self.windows: dict[tuple[int, str], tuple[Buffer, Buffer | None]] = {}
        self.gathered: set[int] = set()  # tensors that are the step's outputs, not yet gathered
        self.by_outputs: set[int] = set()  # tensors with one row per output
        self.consumers: dict[int, list[Op]] = defaultdict(list)
        self.producer: dict[int, Op] = {}
        for op in graph.ops:
            for tensor in op.ins:
                self.consumers[tensor].append(op)
            for tensor in op.outs:
                self.producer[tensor] = op
        self.order = {id(op): number for number, op in enumerate(graph.ops)}
        self.logits: Buffer | None = None
        self.table = self.buffer("rope table", rows.rows * machine.rope.pairs * 8)

    # ---- small parts ---------------------------------------------------------------------------------------------------

    def buffer(self, name: str, nbytes: int, stride: int = 0) -> Buffer:
        self.buffers.append(Buffer(name, nbytes, stride))
        return self.buffers[-1]

    def matrix(self, name: str, row_bytes: int, rows: int) -> Buffer:
        stride = row_stride(row_bytes)
        return self.buffer(name, stride * rows, stride)

    def capacity(self, tensor: int) -> int:
        return self.rows.outs if tensor in self.by_outputs else self.rows.rows

    def count(self, tensor: int) -> int:
        return _OUTS_COUNT if tensor in self.by_outputs else _ROWS_COUNT

    def emit(self, kernel: Kernel, op: Op, flags: int = BARRIER, **values: int | Address | Buffer) -> None:
        for value in values.values():
            if isinstance(value, Buffer):
                value.used(self.meetings)
        self.entries.append(Entry(kernel, values, flags, op.segment))
        self.meetings += flags != 0

    def meet(self) -> None:
        """The threads meet after the last entry too."""
        if not self.entries[-1].flags:
            self.entries[-1] = replace(self.entries[-1], flags=BARRIER)
            self.meetings += 1

    def value(self, tensor: int, op: Op) -> Buffer:
        """A tensor's rows where a kernel left them. What was fused away has none; outputs have theirs once the norm has gathered them."""
        if tensor not in self.values or (tensor in self.gathered and op.kind != "rms_norm"):
            maker = self.producer.get(tensor)
            raise UnsupportedError(f"{op.kind} of what {maker.kind if maker else 'nothing'} gives has no kernel")
        return self.values[tensor]

    def replaced(self, old: int, op: Op, product: Op) -> Buffer:
        """The rows of `old`, over which `product` writes what `op` makes of them: from there on nobody else may read them."""
        buffer = self.value(old, op)
        users = [user for t in (old, *self.gathered) if self.values.get(t) is buffer for user in self.consumers[t]]
        if late := [user.kind for user in users if user is not op and self.order[id(user)] >= self.order[id(product)]]:
            raise UnsupportedError(f"{late[0]} reads rows that {op.kind} has replaced by then: no kernel for that")
        return buffer

    def only_consumer(self, tensor: int, kind: str) -> Op | None:
        users = self.consumers[tensor]
        return users[0] if len(users) == 1 and users[0].kind == kind else None

    # ---- operations ----------------------------------------------------------------------------------------------------

    def embed(self, op: Op) -> None:
        rope, weight = self.machine.rope, op.weights[0]
        self.emit(
            ROPE_TABLE,
            op,
            0,
            freq=rope.freq,
            table=self.table,
            pairs=rope.pairs,
            factor=double_bits(rope.factor),
            count=_ROWS_COUNT,
        )
        place = self.machine.weights[weight.name]
        assert place.layout is not None
        out = self.values[op.outs[0]] = self.matrix("hidden", 4 * weight.k, self.rows.rows)
        self.emit(
            embed(weight.qtype), op, w=place.address, y=out, inputs=(NULL, 0), k=weight.k, tile_stride=place.layout.stride,
            y_stride=out.stride, count=_ROWS_COUNT, **plane_words(place.layout),
        )  # fmt: skip

    def rms_norm(self, op: Op) -> None:
        source, out, weight = op.ins[0], op.outs[0], op.weights[0]
        gather = source in self.gathered
        if gather:
            self.by_outputs.add(out)
        x, k = self.value(source, op), weight.k
        y = self.values[out] = self.matrix("normed", 4 * k, self.capacity(out))
        forms = {activation_form(w.qtype) for user in self.consumers[out] for w in user.weights}
        q, s = self.new_windows(out, k, "a32") if "a32" in forms else (None, None)
        self.emit(
            RMS_NORM, op, x=x, w=self.machine.weights[weight.name].address, y=y, q=q or (NULL, 0), s=s or (NULL, 0), k=k,
            eps=float_bits(op.attrs["eps"]), x_stride=x.stride, y_stride=y.stride, q_stride=q.stride if q else 0,
            s_stride=s.stride if s else 0, gather=int(gather), count=self.count(out),
        )  # fmt: skip

    def new_windows(self, tensor: int, k: int, form: str) -> tuple[Buffer, Buffer]:
        rows = padded(self.capacity(tensor))
        size, record = _WINDOWS[form][1:]
        pair = (
            self.buffer("codes", rows * k, rows * size),
            self.buffer("scales", rows * k // size * record, rows * record),
        )
        self.windows[tensor, form] = pair
        return pair

    def quantized(self, tensor: int, op: Op, k: int, form: str) -> None:
        if (tensor, form) in self.windows:
            return
        x = self.value(tensor, op)
        if form == "b16":
            rows = padded(self.capacity(tensor))
            narrow = self.buffer("bfloats", rows * k * 2, rows * 2 * DEPTH)
            self.windows[tensor, form] = narrow, None
            self.emit(
                NARROW, op, x=x, q=narrow, k=k, x_stride=x.stride, q_stride=narrow.stride, count=self.count(tensor)
            )
            return
        q, s = self.new_windows(tensor, k, form)
        self.emit(
            _WINDOWS[form][0], op, x=x, q=q, s=s, k=k, x_stride=x.stride, q_stride=q.stride, s_stride=s.stride, count=self.count(tensor),
        )  # fmt: skip

    def form(self, weight: WeightRef, source: int) -> str:
        """How a product reads its activations: `activation_form`, or "b16" where the fast mode has a product of its own."""
        form = activation_form(weight.qtype)
        fast = self.machine.tier.bf16 and self.capacity(source) >= TILE_ROWS and weight.k % DEPTH == 0
        return "b16" if form == "f32" and fast else form

    def linear(self, op: Op) -> None:
        source = op.ins[0]
        for form in sorted({self.form(w, source) for w in op.weights} - {"f32"}):
            self.quantized(source, op, op.weights[0].k, form)
        stride = row_stride(product_scratch(self.capacity(source), self.machine.tier))
        # a thread's own, so the op's products share it
        scratch = self.buffer("sums", stride * self.machine.threads, stride)
        for number, (weight, out, bias) in enumerate(zip(op.weights, op.outs, op.attrs["bias"], strict=True)):
            if source in self.by_outputs:
                self.by_outputs.add(out)
            target, mode = self.target(op, out, weight)
            if mode == GATE and any(other.qtype != weight.qtype for other in op.weights[:number]):
                self.meet()  # each kernel shares its tiles out in its own way, and the gate's are read here
            last = number == len(op.weights) - 1
            self.product(op, source, weight, bias, target, mode, scratch, BARRIER if last else 0)

    def target(self, op: Op, out: int, weight: WeightRef) -> tuple[Buffer, int]:
        """Where a product goes and how: into the residual stream, over the gate, or a buffer of its own."""
        for kind, mode in (("add", ADD), ("gated_silu", GATE)):
            if (user := self.only_consumer(out, kind)) and user.ins[1] == out:
                target = self.values[user.outs[0]] = self.replaced(user.ins[0], user, op)
                return target, mode
        width = -(-weight.rows // ROWS) * ROWS
        target = self.values[out] = self.matrix("product", 4 * width, self.capacity(out))
        return target, STORE

    def product(
        self, op: Op, source: int, weight: WeightRef, bias: WeightRef | None, y: Buffer, mode: int, scratch: Buffer, flags: int
    ) -> None:  # fmt: skip
        place = self.machine.weights[weight.name]
        assert place.layout is not None
        form = self.form(weight, source)
        x, xs = (self.value(source, op), None) if form == "f32" else self.windows[source, form]
        many = self.capacity(source) > 1
        self.emit(
            matmul(weight.qtype, many=many, fast=form == "b16"), op, flags, x=x, xs=xs or (NULL, 0), w=place.address, y=y,
            bias=self.machine.weights[bias.name].address if bias else (NULL, 0), k=weight.k, tiles=-(-weight.rows // ROWS),
            tile_stride=place.layout.stride, x_stride=x.stride, xs_stride=xs.stride if xs else 0, y_stride=y.stride,
            scratch=scratch, scratch_stride=scratch.stride, count=self.count(source), mode=mode, **plane_words(place.layout),
        )  # fmt: skip

    def attention(self, op: Op) -> None:
        (q_op, k_op), v = (self.producer[t] for t in op.ins[:2]), self.value(op.ins[2], op)
        if q_op.kind != "rope" or k_op.kind != "rope" or q_op.attrs != k_op.attrs:
            raise UnsupportedError("attention without RoPE on both queries and keys has no kernel")
        if q_op.attrs["rotary"] != 2 * self.machine.rope.pairs:
            raise UnsupportedError(
                f"{q_op.attrs['rotary']} rotary dims do not fit the model's {self.machine.rope.pairs} rope frequencies"
            )
        q, k = self.value(q_op.ins[0], q_op), self.value(k_op.ins[0], k_op)
        state, heads = op.attrs["state"], op.attrs["heads"]
        cache = self.machine.caches[state.layer]
        kv = (cache.base, 0)
        self.emit(
            rope_kv(cache.shape, heads, q_op.attrs["rotary"], q_op.attrs["style"]), op, q=q, k=k, v=v, kv=kv, table=self.table,
            scale=float_bits(op.attrs["scale"]), q_stride=q.stride, kv_stride=k.stride, count=_ROWS_COUNT,
        )  # fmt: skip
        y = self.values[op.outs[0]] = self.matrix("attended", 4 * heads * state.head_dim, self.rows.rows)
        attend = self.attend_split if self.rows.split else self.attend_run
        attend(op, cache.shape, heads, q, y, kv, state.window or att.NO_WINDOW)

    def attend_split(self, op: Op, shape: KVShape, heads: int, q: Buffer, y: Buffer, kv: Address, window: int) -> None:
        tier, spans = self.machine.tier, self.machine.max_spans
        partials = self.buffer("partials", self.rows.rows * heads * spans * att.partial_floats(shape.head_dim) * 4)
        stride = row_stride(att.split_scratch_floats(shape, heads, tier) * 4)
        scratch = self.buffer("scores", stride * self.machine.threads, stride)
        self.emit(
            att.attention_split(shape, heads, tier), op, q=q, kv=kv, partials=partials, scratch=scratch, scratch_stride=stride,
            heads=heads, max_spans=spans, q_stride=q.stride, window=window, count=_ROWS_COUNT,
        )  # fmt: skip
        self.emit(
            att.attention_merge(shape, heads),
            op,
            partials=partials,
            y=y,
            heads=heads,
            max_spans=spans,
            y_stride=y.stride,
            window=window,
            count=_ROWS_COUNT,
        )

    def attend_run(self, op: Op, shape: KVShape, heads: int, q: Buffer, y: Buffer, kv: Address, window: int) -> None:
        tier = self.machine.tier
        stride = row_stride(att.run_scratch_floats(shape, heads, tier) * 4)
        scratch = self.buffer("scores", stride * self.machine.threads, stride)
        self.emit(
            att.attention_run(shape, heads, tier), op, q=q, kv=kv, y=y, scratch=scratch, scratch_stride=stride,
            q_stride=q.stride, y_stride=y.stride, window=window, count=_RUNS_COUNT,
        )  # fmt: skip

    def outputs(self, op: Op) -> None:
        self.gathered.add(op.outs[0])
        self.values[op.outs[0]] = self.value(op.ins[0], op)

    def fused(self, op: Op) -> None:
        """RoPE, sums and gates are part of a neighbour; the neighbour must have taken them."""
        if op.kind != "rope" and op.outs[0] not in self.values:
            raise UnsupportedError(
                f"a free-standing {op.kind} has no kernel: it must follow a linear product that only it uses"
            )

    def finish(self, op: Op) -> None:
        """The finite check ends the head; sampling is a last segment of one entry, so that a step without it just stops earlier."""
        vocab = self.graph.cols[op.ins[0]]
        self.logits = self.value(op.ins[0], op)
        if op.ins[0] not in self.by_outputs:
            raise UnsupportedError("logits of every row have no kernel: take `outputs` first")
        self.logits.pinned = True
        self.emit(FINITE, op, x=self.logits, k=vocab, x_stride=self.logits.stride, count=_OUTS_COUNT)
        stride = row_stride(scratch_bytes(vocab))
        scratch = self.buffer("sampling", stride * self.machine.threads, stride)
        self.emit(
            SAMPLE, replace(op, segment="sampling"), logits=self.logits, settings=(SAMPLING, 0), scratch=scratch, vocab=vocab,
            stride=self.logits.stride, scratch_stride=stride, count=_OUTS_COUNT,
        )  # fmt: skip


def lower(graph: Trace, machine: Machine, rows: RowClass) -> Lowered:
    """The tape entries of `graph` for one row class. Raises UnsupportedError for what has no kernel."""
    work = _Lowering(graph, machine, rows)
    handlers = {
        "embed": work.embed, "rms_norm": work.rms_norm, "linear": work.linear, "attention": work.attention, "outputs": work.outputs,
        "rope": work.fused, "add": work.fused, "gated_silu": work.fused, "logits": work.finish,
    }  # fmt: skip
    for op in graph.ops:
        if op.kind not in handlers:
            raise UnsupportedError(
                f"the operation {op.kind!r} has no kernel; those that have one: {', '.join(handlers)}"
            )
        handlers[op.kind](op)
    for number, entry in enumerate(work.entries):
        following = work.entries[number + 1].label if number + 1 < len(work.entries) else None
        if entry.label != following:
            work.entries[number] = replace(entry, flags=entry.flags | SEGMENT)
    if work.logits is None:
        raise UnsupportedError("a graph without logits cannot be lowered")
    return Lowered(work.entries, plan(work.buffers), work.logits)
