"""What each entry of a tape is there for, and the least it must read and compute.

Knows the kernels by name and their argument words. Knows nothing of time.

Bytes are those that come from memory (or go there) once: weights and the KV cache. Activations live in the caches and count nothing.
Operations are multiplications and additions, two for each product of a sum.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tokenloom.errors import UnsupportedError
from tokenloom.kernels.kv_page import PAGE_SLOTS, STORED, KVShape
from tokenloom.kernels.step import H
from tokenloom.kernels.tiles import FLOAT_TILES, ROWS
from tokenloom.trace.tape import Entry

_GEOMETRY = re.compile(r"_h(\d+)_kv(\d+)_d(\d+)(?:_\w+)?_(f16|f32|q8)$")  # heads, KV heads, head_dim, cache type


@dataclass(frozen=True)
class StepFacts:
    """A step of one sequence: its rows, how many of them have logits, and the slot of the first."""

    rows: int
    outs: int
    start: int


@dataclass(frozen=True)
class Work:
    """One kernel call: its op class, the same in more detail, bytes, and operations of int8 dot products or of float fmas."""

    op: str
    detail: str
    nbytes: int = 0
    int_ops: int = 0
    float_ops: int = 0


def _rows(entry: Entry, facts: StepFacts) -> int:
    """Rows or outputs, whichever the kernel counts."""
    return facts.outs if entry.values["count"] == 4 * H["outs"] else facts.rows


def _word(entry: Entry, name: str) -> int:
    value = entry.values[name]
    assert isinstance(value, int)
    return value


def _product(entry: Entry, facts: StepFacts) -> Work:
    qtype = entry.kernel.name.split("_", 1)[1].rsplit("_", 1)[0].upper()
    rows, tiles, k = _rows(entry, facts), _word(entry, "tiles"), _word(entry, "k")
    ops = 2 * rows * tiles * ROWS * k
    floats = qtype in FLOAT_TILES
    return Work(
        f"product {qtype}",
        f"product {qtype} {tiles * ROWS}×{k}",
        tiles * _word(entry, "tile_stride") if rows else 0,
        0 if floats else ops,
        ops if floats else 0,
    )


def _embedding(entry: Entry, facts: StepFacts) -> Work:
    return Work("embedding", entry.kernel.name, facts.rows * _word(entry, "tile_stride") // ROWS)


def _attention(entry: Entry, facts: StepFacts) -> Work:
    """Scores and sums over V, in a layer's window. A run reads its slots once for all its rows, single rows read theirs each; whole pages."""
    heads, shape = _geometry(entry)
    window = _word(entry, "window")
    spans = [(max(0, end - window), end) for end in range(facts.start + 1, facts.start + facts.rows + 1)]
    read = [(spans[0][0], spans[-1][1])] if entry.kernel.name.startswith("attention_run") else spans
    pages = sum(-(-end // PAGE_SLOTS) - low // PAGE_SLOTS for low, end in read)
    visible = sum(end - low for low, end in spans)
    return Work("attention", entry.kernel.name, pages * shape.page_bytes, 0, 4 * heads * shape.head_dim * visible)


def _cache_write(entry: Entry, facts: StepFacts) -> Work:
    shape = _geometry(entry)[1]
    return Work("rope", entry.kernel.name, facts.rows * shape.page_bytes // PAGE_SLOTS)


def _geometry(entry: Entry) -> tuple[int, KVShape]:
    found = _GEOMETRY.search(entry.kernel.name)
    assert found, f"{entry.kernel.name} does not say its heads"
    heads, kv_heads, head_dim = map(int, found.groups()[:3])
    return heads, KVShape(kv_heads, head_dim, STORED[found[4]])


def _only(op: str) -> Callable[[Entry, StepFacts], Work]:
    """Work on activations alone."""
    return lambda entry, facts: Work(op, entry.kernel.name)


# the beginning of a kernel's name (the first that fits) -> what it does
_OPS: dict[str, Callable[[Entry, StepFacts], Work]] = {
    "matmul_": _product,
    "embed_": _embedding,
    "attention_merge": _only("attention"),
    "attention_": _attention,
    "rope_kv": _cache_write,
    "rope_table": _only("rope"),
    "shift_kv": _only("rope"),  # of an approximate eviction, never of a step that generates
    "rms_norm": _only("norm"),
    "quantize": _only("quantize"),
    "narrow": _only("quantize"),
    "finite": _only("finite check"),
    "sample": _only("sampling"),
}


def work_of(entry: Entry, facts: StepFacts) -> Work:
    """The work of one entry in one step. Raises UnsupportedError for a kernel that has no row in the table."""
    for beginning, work in _OPS.items():
        if entry.kernel.name.startswith(beginning):
            return work(entry, facts)
    raise UnsupportedError(
        f"the profiler does not know what {entry.kernel.name} reads and computes: bench/profile_work.py"
    )
