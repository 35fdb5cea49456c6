"""What a strategy of integer dot products consists of. Knows shapes; knows no instruction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value

INT16_MAX, INT32_MAX = 2**15 - 1, 2**31 - 1  # of a `word`

Quads = Iterable[tuple[int, Value]]  # (j, the codes of k = 4j..4j+3); read once, as they are needed
# (builder, quads, where each row's codes lie, lanes, signed) -> a sum per row
Total = Callable[[Builder, Quads, Sequence[Value], int, bool], list[Value]]


@dataclass(frozen=True)
class Dot:
    """One instruction set's way: `total` sums some quads (at most 8) for every row of activations, `finish` makes int32 lanes of that."""

    total: Total
    finish: Callable[[Builder, list[Value], bool], list[Value]]
    scale: Callable[[Builder, Value], Value]  # int32 lanes (fitting int16) in the form `finish_scaled` multiplies by
    # `finish` of unsigned codes, times a scale per lane
    finish_scaled: Callable[[Builder, list[Value], Value], list[Value]]
    pair: Callable[[Builder, Value, Value], Value]  # int16 pairs per lane · an int16 pair of activations, to int32
    word: int  # the largest |sum| an unsigned accumulator holds in its narrowest lane
    signed_offset: int  # what `signed` weights are shifted by internally; the caller corrects by −offset·Σx

    def quads(self, bits: int) -> int:
        """How many quads of unsigned codes of `bits` bits may be summed before `finish_scaled`."""
        return self.word // (2 * ((1 << bits) - 1) * 127)


def keep(b: Builder, parts: list[Value], signed: bool) -> list[Value]:
    return parts


def as_it_is(b: Builder, scale: Value) -> Value:
    return scale


def times(b: Builder, parts: list[Value], scale: Value) -> list[Value]:
    return [part * scale for part in parts]
