"""Moving cached keys and values to other positions: keys are turned again by the difference, values are copied.

Knows the KV page and the step's table of rotations. Knows nothing of why positions change. What comes out is approximate twice over: a turned key is
rounded once more, and both were computed from a text that looked different then.
"""

from __future__ import annotations

from tokenloom.jit.ir import Value, i64
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.kv_page import (
    PAGE_SLOTS,
    KVShape,
    copy_value,
    load_key,
    page_address,
    quantize_key,
    store_key,
)
from tokenloom.kernels.rope import head_pieces


def shift_kv(shape: KVShape, rotary: int, style: str = "normal") -> Kernel:
    """Row i's slot of run 0 takes what run 1 holds in slot `att_lo` of the row, its key turned by the row's entry of the table.

    A table of the positions' (negative) difference, with the factor 1, turns keys to where they go. The runs' pages must not overlap.
    """
    dims, heads = shape.head_dim, shape.kv_heads

    def place(a: Args, run: int, row: Value, name: str) -> tuple[Value, Value]:
        """The page that holds a row's slot, and the slot's number in it."""
        b = a.b
        slot = a.entry(name, row)
        return page_address(a, a["kv"], b.const(i64, run), slot >> 4, shape), slot & (PAGE_SLOTS - 1)

    def emit(a: Args) -> None:
        b = a.b
        key = b.scratch(4 * dims)
        rows = a.count()
        first, last = a.share(rows * heads)
        for unit in b.range(first, last):
            row, head = unit // heads, unit % heads
            (old, from_slot), (new, to_slot) = place(a, 1, row, "att_lo"), place(a, 0, row, "slot")
            source, target = old + head * shape.head_bytes, new + head * shape.head_bytes
            load_key(b, source, from_slot, shape, key)
            if shape.scaled:
                head_pieces(a, key, row, dims, rotary, style, lambda dim, turned: b.store(turned, key + dim * 4))
                quantize_key(a, key, row, target, to_slot, shape)
            else:

                def keep(dim: Value, turned: Value, target: Value = target, to_slot: Value = to_slot) -> None:
                    store_key(b, turned, target, to_slot, dim, shape)

                head_pieces(a, key, row, dims, rotary, style, keep)
            values = heads * shape.head_bytes
            copy_value(b, source + values, from_slot, target + values, to_slot, shape)

    kind = "" if style == "normal" else f"_{style}"
    name = f"shift_kv{kind}_kv{heads}_d{dims}_r{rotary}_{shape.name}"
    return Kernel(name, ("*kv", "*table", "count"), emit)
