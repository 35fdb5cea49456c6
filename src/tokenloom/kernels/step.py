"""The Step: what one pass over some rows needs to know, in one int32 buffer of offsets and columns.

Knows the layout, as NumPy-free words for the host and as IR accessors for kernels. Knows nothing of sequences or scheduling.

A *row* is one token of one sequence at one position; a *run* is the contiguous rows of one sequence. There are no pointers in it, so it can be
copied to a device, dumped and replayed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value, i32
from tokenloom.jit.memory import private_memory

ROW_COLUMNS = ("token", "run", "slot", "pos", "att_lo", "att_hi", "adapter", "out")  # adapter: none yet
OUT_COLUMNS = ("out_row", "sampled")  # by output number: its row, and the id that sampling chose
# run_pages: where its table begins in `pages`; run_state: none yet
RUN_COLUMNS = ("run_start", "run_rows", "run_pages", "run_state")
HEADER = (
    "rows", "runs", "outs", "status", "status_row", "abort",
    *ROW_COLUMNS, *OUT_COLUMNS, *RUN_COLUMNS, "pages",  # the word offset of each column
)  # fmt: skip
HEADER_WORDS = 32
POS_AXES = 3  # `pos` holds P values a row, for multi-axis RoPE

STATUS_OK, STATUS_NON_FINITE = 0, 1


@dataclass(frozen=True)
class StepShape:
    """Capacities: rows, runs (sequences), outputs (rows with logits) and page-table entries over all runs."""

    rows: int
    runs: int
    outs: int
    pages: int


class Step:
    """The host's view: `words[offset[column] + i]`. The memory is zero pages until it is used."""

    def __init__(self, shape: StepShape) -> None:
        self.shape = shape
        sizes = {c: shape.rows * (POS_AXES if c == "pos" else 1) for c in ROW_COLUMNS}
        sizes |= (
            dict.fromkeys(OUT_COLUMNS, shape.outs) | dict.fromkeys(RUN_COLUMNS, shape.runs) | {"pages": shape.pages}
        )
        self.offset: dict[str, int] = {}
        at = HEADER_WORDS
        for column, size in sizes.items():
            self.offset[column] = at
            at += -(-size // 16) * 16
        self.memory = private_memory(at * 4)
        self.words = memoryview(self.memory).cast("i")
        for column, where in self.offset.items():
            self.words[HEADER.index(column)] = where

    def header(self, name: str) -> int:
        return self.words[HEADER.index(name)]


H = {name: number for number, name in enumerate(HEADER)}


def column(b: Builder, step: Value, name: str) -> Value:
    """The address of a column."""
    return step + b.load_index(step + 4 * H[name]) * 4


def fail(b: Builder, step: Value, status: int, row: Value) -> None:
    """Marks the step as failed at `row`, unless it has failed already: what comes later may be a consequence."""
    with b.when(b.load(i32, step + 4 * H["status"]).eq(STATUS_OK)):
        b.store(b.trunc(row, i32), step + 4 * H["status_row"])
        b.store(b.const(i32, status), step + 4 * H["status"])
