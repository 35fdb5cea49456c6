"""Runs single kernels by themselves: arrays in, one foreign call through the team, arrays out. Knows argument packing; knows no model.

Every output array gets a fence of a known pattern behind it, checked after each run.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.jit.avx512_in_software import TARGETS, Target

from tokenloom.jit import compiler
from tokenloom.jit.runner import BARRIER, ENTRY_WORDS
from tokenloom.jit.team import team
from tokenloom.kernels.args import Kernel
from tokenloom.kernels.step import POS_AXES, H, Step, StepShape
from tokenloom.quant.layout import ROWS, TileLayout, layout
from tokenloom.quant.packing import pack

Array = NDArray[Any]
F32 = NDArray[np.float32]
THREADS = (1, 2, 3, 5)
FENCE = 0xA5
on_every_target = pytest.mark.parametrize("target", TARGETS, ids=str)
# what no block product touches is the same IR in all tiers of a width, so once in software is enough
on_distinct_targets = pytest.mark.parametrize("target", [t for t in TARGETS if not t.products_only], ids=str)


def same_bits(got: Array, want: Array) -> bool:
    return got.shape == want.shape and got.dtype == want.dtype and got.tobytes() == want.tobytes()


def assert_bits(got: Array, want: Array, what: str = "") -> None:
    if not same_bits(got, want):
        assert got.shape == want.shape
        assert got.dtype == want.dtype
        wrong = np.argwhere(got.view(np.uint32) != want.view(np.uint32))
        at = tuple(int(i) for i in wrong[0])
        raise AssertionError(
            f"{what}: {len(wrong)} of {want.size} differ; first at {at}: {got[at]!r} instead of {want[at]!r}"
        )


class Memory:
    """Bytes on a 64-byte boundary with a fence behind them."""

    def __init__(self, nbytes: int) -> None:
        self._raw = np.full(nbytes + 64 + 256, FENCE, np.uint8)
        start = -self._raw.ctypes.data % 64
        self.bytes = self._raw[start : start + nbytes]
        self._fence = self._raw[start + nbytes :]
        self.address = self.bytes.ctypes.data

    def check(self) -> None:
        assert (self._fence == FENCE).all(), "a kernel wrote behind the end of a buffer"


class Matrix:
    """Float32 rows whose stride is larger than they are wide, so that a kernel that confuses the two is caught."""

    def __init__(self, rows: int, cols: int, values: Any = None, pad: int = 16) -> None:
        self.stride = 4 * (cols + pad)
        self.memory = Memory(rows * self.stride)
        self.whole = self.memory.bytes.view(np.float32).reshape(rows, cols + pad)
        self.whole[:] = np.nan  # a value that must not be read, or left where one should have been written
        self.values: F32 = self.whole[:, :cols]
        if values is not None:
            self.values[:] = values

    @property
    def address(self) -> int:
        return self.memory.address

    def check(self) -> None:
        self.memory.check()
        assert np.isnan(self.whole[:, self.values.shape[1] :]).all(), "a kernel wrote between two rows"


class Weights:
    """Rows of a GGUF format packed as kernels read them."""

    def __init__(self, qtype: str, raw: NDArray[np.uint8], k: int) -> None:
        self.qtype, self.k, self.rows = qtype, k, raw.shape[0]
        self.layout: TileLayout = layout(qtype, k)
        self.tiles = -(-self.rows // ROWS)
        self.memory = Memory(self.tiles * self.layout.stride)
        self.memory.bytes[:] = 0
        pack(qtype, raw, self.memory.bytes.reshape(self.tiles, self.layout.stride))

    @property
    def address(self) -> int:
        return self.memory.address

    def check(self) -> None:
        self.memory.check()


@functools.cache
def library(target: Target, kernels: tuple[Kernel, ...]) -> compiler.Library:
    return target.load({k.name: k.ir(target.written_for) for k in kernels})


class Rows:
    """A Step with rows in it: columns by name, `page_tables` for the runs."""

    def __init__(self, rows: int, runs: int = 1, outs: int = 0, pages: int = 16) -> None:
        self.step = Step(StepShape(max(rows, 1), max(runs, 1), max(outs, 1), pages))
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.step.memory))
        self.set_header(rows=rows, runs=runs, outs=outs)

    def set_header(self, **values: int) -> None:
        for name, value in values.items():
            self.step.words[H[name]] = value

    def column(self, name: str, values: Iterable[int], every: int = 1) -> None:
        at = self.step.offset[name]
        for i, value in enumerate(values):
            self.step.words[at + i * every] = int(value)

    def positions(self, values: Iterable[int]) -> None:
        self.column("pos", values, POS_AXES)

    @property
    def status(self) -> tuple[int, int]:
        return self.step.header("status"), self.step.header("status_row")


class Rig:
    """`run(kernel, threads, step, **arguments)`: arguments are numbers, None (an absent buffer), or anything with an address."""

    def __init__(self, target: Target, *kernels: Kernel) -> None:
        self.target, self.library = target, library(target, kernels)

    def run(self, kernel: Kernel, threads: int = 1, step: Rows | None = None, **arguments: Any) -> None:
        step = step or Rows(1)
        bases = [0]
        values: dict[str, int | tuple[int, int]] = {}
        for param in kernel.params:
            given = arguments.pop(param.lstrip("*"))
            if not param.startswith("*"):
                values[param] = int(given)
            elif given is None:
                values[param[1:]] = (0, 0)
            else:
                shift = 64 * len(bases)  # a base is not the address itself: kernels must add the offset
                values[param[1:]] = (len(bases), shift)
                bases.append(given.address - shift)
        assert not arguments, f"{kernel.name} takes no {', '.join(arguments)}"
        words, table = np.array(kernel.pack(**values), np.int64), np.array(bases, np.int64)
        entry = np.array([[self.library.address[kernel.name], words.ctypes.data, BARRIER, 0]], np.int64)
        abort = np.zeros(1, np.int32)
        assert entry.shape[1] == ENTRY_WORDS
        done = team().run(entry.ctypes.data, 1, table.ctypes.data, step.address, abort.ctypes.data, threads)
        assert done == 1


COUNT = {name: 4 * H[name] for name in ("rows", "runs", "outs")}
Make = Callable[[], Matrix]
