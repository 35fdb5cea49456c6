"""A string array of a GGUF file, kept as the file's bytes and decoded one string at a time.

Knows that each string is a little-endian 64-bit length followed by that many bytes. Does not know what they mean.

A list of 150,000 short `str` takes five times the bytes it was read from; a hostile file could ask for seven. This
takes four bytes a string beside the bytes themselves, and a vocabulary nobody asks for costs no decoding.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence
from typing import overload

_U64 = struct.Struct("<Q")


class StringArray(Sequence[str]):
    """An immutable sequence of `str`; it equals a list or tuple of the same strings. `list(a)` decodes all of them.

    Bytes that are not UTF-8 become surrogate escapes, so `s.encode("utf-8", "surrogateescape")` gives the file's bytes
    back; `raw(i)` gives them without the detour.
    """

    __slots__ = ("_data", "_starts")

    def __init__(self, data: bytes | bytearray, starts: array[int]) -> None:
        """`starts[i]` is where in `data` the length of string i stands; the caller has checked that it is all there."""
        self._data = data
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

    def raw(self, index: int) -> bytes:
        start = self._starts[index]
        return bytes(self._data[start + 8 : start + 8 + _U64.unpack_from(self._data, start)[0]])

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return list(StringArray(self._data, self._starts[index]))
        return self.raw(index).decode("utf-8", "surrogateescape")

    def __iter__(self) -> Iterator[str]:
        data, length_at = self._data, _U64.unpack_from
        for start in self._starts:
            yield data[start + 8 : start + 8 + length_at(data, start)[0]].decode("utf-8", "surrogateescape")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (StringArray, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # it equals lists, which have none

    def __repr__(self) -> str:
        shown = ", ".join(repr(s if len(s) <= 40 else s[:37] + "...") for s in self[:4])
        return f"<StringArray of {len(self)}: {shown}{', ...' if len(self) > 4 else ''}>"
