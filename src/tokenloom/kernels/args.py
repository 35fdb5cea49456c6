"""What a kernel is given: named words, a (base, offset) pair for each address.

Knows how the host packs a kernel's arguments and how the kernel reads them, and the step beside them. Knows nothing of which kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Module, Value, f32, i32, i64, ptr
from tokenloom.jit.runner import KERNEL_PARAMS
from tokenloom.kernels.step import column


@dataclass(frozen=True)
class Kernel:
    """A kernel's name, its argument words in order (`*name`: an address, two words) and the function that emits it."""

    name: str
    params: tuple[str, ...]
    emit: Callable[[Args], None]

    def pack(self, **values: int | tuple[int, int]) -> list[int]:
        """The words of one call. Addresses are (base number, byte offset)."""
        words: list[int] = []
        for param in self.params:
            value = values.pop(param.lstrip("*"))
            if isinstance(value, tuple) != param.startswith("*"):
                raise TypeError(f"{self.name}: {param} got {value!r}")
            words += value if isinstance(value, tuple) else (value,)
        if values:
            raise TypeError(f"{self.name} takes no {', '.join(values)}")
        return words

    def ir(self, tier: Tier) -> str:
        """The module with this one kernel for `tier`."""
        module = Module()
        builder = Builder(module, tier)
        with builder.function(self.name, KERNEL_PARAMS) as (bases, words, step, thread, threads):
            self.emit(Args(builder, self.params, bases, words, step, thread, threads))
        return str(module)


class Args:
    """The kernel's side: `args["x"]` is the word or the address."""

    def __init__(
        self, b: Builder, params: Sequence[str], bases: Value, words: Value, step: Value, thread: Value, threads: Value
    ) -> None:
        self.b, self.step, self.thread, self.threads = b, step, thread, threads
        self._values: dict[str, Value] = {}
        at = 0
        for param in params:
            if param.startswith("*"):
                base = b.load(ptr, bases + b.load(i64, words + 8 * at) * 8)
                self._values[param[1:]] = base + b.load(i64, words + 8 * (at + 1))
                at += 2
            else:
                self._values[param] = b.load(i64, words + 8 * at)
                at += 1

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def float32(self, name: str) -> Value:
        """A word whose lower half is the bits of a float32."""
        return self.b.bitcast(self.b.trunc(self[name], i32), f32)

    def present(self, name: str) -> Value:
        """Whether an optional address was given (i1)."""
        return self.b.cast("ptrtoint", self[name], i64).ne(0)

    def count(self) -> Value:
        """How many rows, outputs or runs there are (i64): the step's header word whose byte offset the argument `count` is."""
        return self.b.load_index(self.step + self["count"])

    def entry(self, name: str, index: Value) -> Value:
        """What the step's column `name` says of a row, an output or a run (i64)."""
        return self.b.load_index(column(self.b, self.step, name) + index * 4)

    def share(self, units: Value) -> tuple[Value, Value]:
        """This thread's contiguous part [begin, end) of `units` work units."""
        return (units * self.thread) // self.threads, (units * (self.thread + 1)) // self.threads
