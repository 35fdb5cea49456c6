"""The tape: a graph lowered to kernels and argument words, in memory that generated code walks.

Knows entries, arguments and the table of bases. Knows nothing of graphs. Arguments hold (base, offset), so moving a layer rewrites one base.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokenloom.jit import runner
from tokenloom.jit.memory import address_of, private_memory
from tokenloom.kernels.args import Kernel
from tokenloom.trace.buffers import Buffer

NULL, ARENA, SAMPLING = range(3)  # the bases every tape has; weights and caches follow


@dataclass(frozen=True)
class Entry:
    """One kernel call; addresses are (base, offset) or a Buffer of the arena."""

    kernel: Kernel
    values: Mapping[str, int | tuple[int, int] | Buffer]
    flags: int
    label: str


class Bases:
    """The table of base addresses, shared by all tapes of a model."""

    def __init__(self, capacity: int) -> None:
        self._memory = private_memory(capacity * 8)
        self._words = memoryview(self._memory).cast("q")
        self.address = address_of(self._memory)
        self._next = SAMPLING + 1

    def new(self) -> int:
        """The number of a base whose address is set later."""
        if self._next >= len(self._words):
            raise IndexError("the table of bases is full")
        self._next += 1
        return self._next - 1

    def __setitem__(self, number: int, address: int) -> None:
        self._words[number] = address

    def __getitem__(self, number: int) -> int:
        return self._words[number]


class Tape:
    """Entries resolved to machine addresses. `address` and `entries` are what the team walks."""

    def __init__(self, entries: list[Entry], kernel_address: Mapping[str, int]) -> None:
        packed = [entry.kernel.pack(**{n: _resolve(v) for n, v in entry.values.items()}) for entry in entries]
        head = len(entries) * runner.ENTRY_WORDS
        self._memory = private_memory(max(1, head + sum(map(len, packed))) * 8)
        words = memoryview(self._memory).cast("q")
        self.address = address_of(self._memory)
        self.entries, self.calls = len(entries), entries
        self.listing = [(e.kernel.name, e.label, e.flags) for e in entries]
        at = head
        for number, (entry, args) in enumerate(zip(entries, packed, strict=True)):
            first = number * runner.ENTRY_WORDS
            words[first], words[first + 1] = kernel_address[entry.kernel.name], self.address + at * 8
            words[first + 2], words[first + 3] = entry.flags, number
            for word in args:
                words[at] = word
                at += 1

    def __str__(self) -> str:
        marks = {0: "", runner.BARRIER: "|", runner.SEGMENT: "‖", runner.BARRIER | runner.SEGMENT: "‖"}
        return "\n".join(
            f"{n:4} {name:40} {label} {marks[flags]}" for n, (name, label, flags) in enumerate(self.listing)
        )


def _resolve(value: int | tuple[int, int] | Buffer) -> int | tuple[int, int]:
    return (ARENA, value.offset) if isinstance(value, Buffer) else value
