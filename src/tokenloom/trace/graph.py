"""The device-neutral graph that a model's forward pass leaves behind when it runs once.

Knows operations, tensors by number, and segments. Knows nothing of kernels, buffers or which architecture is being traced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class WeightRef:
    """A weight by its name in the file; `shape` is (rows, k) for matrices, (n,) for vectors."""

    name: str
    qtype: str
    shape: tuple[int, ...]

    @property
    def rows(self) -> int:
        return self.shape[0]

    @property
    def k(self) -> int:
        return self.shape[-1]


@dataclass(frozen=True)
class AttentionState:
    """A layer's KV cache as the model declares it: standard attention with `kv_heads` × `head_dim` for both K and V.

    A row sees the last `window` of its visible slots, its own among them (None: all).
    """

    layer: int
    kv_heads: int
    head_dim: int
    window: int | None = None


@dataclass(frozen=True)
class Op:
    """One operation: kind, tensor numbers in and out, weights, attributes, and the segment it belongs to."""

    kind: str
    ins: tuple[int, ...]
    outs: tuple[int, ...]
    weights: tuple[WeightRef, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=dict)
    segment: str = ""


@dataclass(frozen=True)
class Tensor:
    """A traced value: [rows of the step, cols] float32."""

    trace: Trace
    number: int
    cols: int

    def __add__(self, other: Tensor) -> Tensor:
        """The residual sum; the left operand is the stream."""
        return self.trace.op("add", (self, other), (self.cols,))[0]


class Trace:
    """What a forward function is given: every method records one operation and returns its tensors."""

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.cols: list[int] = []
        self._segment = ""

    @contextmanager
    def segment(self, name: str) -> Iterator[None]:
        """Operations recorded inside belong to segment `name`, a point where control may return between steps."""
        self._segment = name
        yield
        self._segment = ""

    def op(
        self,
        kind: str,
        ins: tuple[Tensor, ...],
        cols: tuple[int, ...],
        weights: tuple[WeightRef, ...] = (),
        **attrs: Any,
    ) -> list[Tensor]:
        outs = []
        for width in cols:
            outs.append(Tensor(self, len(self.cols), width))
            self.cols.append(width)
        self.ops.append(
            Op(kind, tuple(t.number for t in ins), tuple(t.number for t in outs), weights, attrs, self._segment)
        )
        return outs

    def embed(self, table: WeightRef) -> Tensor:
        """The rows' tokens looked up in `table` [vocab, hidden]."""
        return self.op("embed", (), (table.k,), (table,))[0]

    def rms_norm(self, x: Tensor, weight: WeightRef, eps: float) -> Tensor:
        return self.op("rms_norm", (x,), (x.cols,), (weight,), eps=eps)[0]

    def linear(self, x: Tensor, *weights: WeightRef, bias: tuple[WeightRef | None, ...] = ()) -> list[Tensor]:
        """x times each weight [rows, k]; products of one call share the work and one meeting of the threads."""
        return self.op("linear", (x,), tuple(w.rows for w in weights), weights, bias=bias or (None,) * len(weights))

    def rope(self, x: Tensor, rotary: int, style: str) -> Tensor:
        """The first `rotary` dims of every head rotated by the row's position; `style` "normal" or "neox" says which dims pair."""
        return self.op("rope", (x,), (x.cols,), rotary=rotary, style=style)[0]

    def attention(self, q: Tensor, k: Tensor, v: Tensor, *, state: AttentionState, heads: int, scale: float) -> Tensor:
        """k and v enter the cache; every row attends to its visible slots."""
        return self.op("attention", (q, k, v), (q.cols,), state=state, heads=heads, scale=scale)[0]

    def gated_silu(self, gate: Tensor, up: Tensor) -> Tensor:
        """silu(gate) · up (Shazeer 2020)."""
        return self.op("gated_silu", (gate, up), (up.cols,))[0]

    def outputs(self, x: Tensor) -> Tensor:
        """Only the rows whose logits are wanted, in output order."""
        return self.op("outputs", (x,), (x.cols,))[0]

    def logits(self, x: Tensor) -> None:
        """Marks the result of the graph."""
        self.op("logits", (x,), ())
