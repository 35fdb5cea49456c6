"""Moving cached keys and values to other positions: keys are turned again by the difference, values are copied.

Knows the KV page and the step's table of rotations. Knows nothing of why positions change. What comes out is approximate twice over: a turned key is
rounded once more, and both were computed from a text that looked different then.
"""

from __future__ import annotations

from tokenloom.jit.ir import Value, f32, i16, i32, i64
from tokenloom.jit.primitives import narrow_f16, widen_f16
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.rope import PAGE_SLOTS, KVShape, head_pieces, page_address
from tokenloom.kernels.step import column

_LANES = 16


def shift_kv(shape: KVShape, rotary: int, style: str = "normal") -> Kernel:
    """Row i's slot of run 0 takes what run 1 holds in slot `att_lo` of the row, its key turned by the row's entry of the table.

    A table of the positions' (negative) difference, with the factor 1, turns keys to where they go. The runs' pages must not overlap.
    """
    dims, size, heads = shape.head_dim, shape.stored.bits // 8, shape.kv_heads
    stored = i16 if size == 2 else f32

    def place(a: Args, run: int, row: Value, name: str) -> tuple[Value, Value]:
        """The page that holds a row's slot, and the slot's number in it."""
        b = a.b
        slot = b.sext(b.load(i32, column(b, a.step, name) + row * 4), i64)
        return page_address(a, a["kv"], b.const(i64, run), slot >> 4, shape), slot & (PAGE_SLOTS - 1)

    def emit(a: Args) -> None:
        b = a.b
        key = b.scratch(4 * dims)
        rows = b.sext(b.load(i32, a.step + a["count"]), i64)
        first, last = a.share(rows * heads)
        for unit in b.range(first, last):
            row, head = unit // heads, unit % heads
            (old, from_slot), (new, to_slot) = place(a, 1, row, "att_lo"), place(a, 0, row, "slot")
            source = old + head * shape.head_bytes + from_slot * size
            target = new + head * shape.head_bytes + to_slot * size
            for dim in b.range(0, dims):
                value = b.load(stored, source + dim * (PAGE_SLOTS * size))
                b.store(widen_f16(b, value) if size == 2 else value, key + dim * 4)

            def keep(dim: Value, turned: Value, target: Value = target) -> None:
                narrow = narrow_f16(b, turned) if size == 2 else turned
                for lane in range(_LANES):
                    b.store(b.extract(narrow, lane), target + (dim + lane) * (PAGE_SLOTS * size))

            head_pieces(a, key, row, dims, rotary, style, keep)
            values = old + (head + heads) * shape.head_bytes + from_slot * (dims * size)
            copies = new + (head + heads) * shape.head_bytes + to_slot * (dims * size)
            for dim in b.range(0, dims, _LANES):
                b.store(b.load(stored.x(_LANES), values + dim * size), copies + dim * size)

    kind = "" if style == "normal" else f"_{style}"
    name = f"shift_kv{kind}_kv{heads}_d{dims}_r{rotary}_{'f16' if size == 2 else 'f32'}"
    return Kernel(name, ("*kv", "*table", "count"), emit)
