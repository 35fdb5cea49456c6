"""The 256-value formats of rule K, as kernels see them: integer scales inside the block multiply integers, one float multiplication per block.

Knows how codes, high bits and packed scales of 16 rows are unpacked in registers, and the order of the sums. Knows nothing of threads or files.
`quant.layout` says where each plane lies.

    acc = fma(f32(Σ_sub scale·Σ_k code·q), d·xd, acc);   with minima: acc = fma(f32(Σ_sub min·Σ_k q), −(dmin·xd), acc)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tokenloom.jit.ir import Builder, Value, i16, i32, i64
from tokenloom.jit.primitives import lookup16
from tokenloom.kernels.codes import Planes, byte_shift, quad_line, row_bytes
from tokenloom.quant.layout import IQ4_VALUES, ROWS

SUPER = 256
GROUP = 64  # k whose codes share lines: low nibbles the first half, high nibbles the second
GROUPS = SUPER // GROUP
GROUP_QUADS = GROUP // 4
# one activation window of 256: f32 d, then Σq of each 32 (8 int16 from byte 16) and of each 16 (16 int16 from byte 32)
WINDOW_BYTES, SUMS32, SUMS16 = 64, 16, 32


@dataclass(frozen=True)
class Place:
    """Which lanes: super-block and group numbers, and the lanes' first row (all i64)."""

    block: Value
    group: Value
    row: Value
    lanes: int


@dataclass(frozen=True)
class SuperTile:
    """A rule-K format. `quad` is the vector of codes of one quad of a group, `scales` the group's sub-block scales as int32 lanes."""

    name: str
    bits: int
    signed: bool  # codes are signed bytes from a table, not unsigned ones of `bits` bits
    sub: int  # k of a sub-block
    offset: int  # subtracted from every code
    quad: Callable[[Builder, Planes, Place, int], Value]
    scales: Callable[[Builder, Planes, Place], Sequence[Value]]
    mins: Callable[[Builder, Planes, Place], Sequence[Value]] | None
    planes: tuple[str, ...]
    factor: float = 1.0  # a power of two that the stored scale is multiplied by
    small: bool = False  # whether (code − offset) · scale always fits a signed byte


def _nibble(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    half, line = divmod(quad, GROUP_QUADS // 2)
    address = planes["codes"] + (place.block * GROUPS + place.group) * (GROUP * ROWS // 2) + line * 64
    return byte_shift(b, quad_line(b, address, place.row, place.lanes), 4 * half) & 15


def _quad_q5(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    line = (place.block * GROUPS + place.group) * 2 + quad // 8
    high = quad_line(b, planes["high"] + line * 64, place.row, place.lanes)
    return _nibble(b, planes, place, quad) | (byte_shift(b, high, quad % 8 - 4) & 16)


def _quad_q6(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    line = (place.block * GROUPS + place.group) * 4 + quad // 4
    high = quad_line(b, planes["high"] + line * 64, place.row, place.lanes)
    return _nibble(b, planes, place, quad) | (byte_shift(b, high, 2 * (quad % 4) - 4) & 48)


def _six_bits(b: Builder, planes: Planes, place: Place, low_shift: int, top_shift: int) -> list[Value]:
    """Scales (or minima) of a group's two sub-blocks: four low bits of one plane, two top bits of another."""
    group = place.block * GROUPS + place.group
    tops = row_bytes(b, planes["sub_top"], group, place.row, place.lanes)
    values = []
    for i in range(2):
        low = row_bytes(b, planes["sub"], group * 2 + i, place.row, place.lanes)
        values.append(((low >> low_shift) & 15) | (((tops >> (top_shift + 4 * i)) & 3) << 4))
    return values


def _scales_k4(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return _six_bits(b, planes, place, 0, 0)


def _mins_k4(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return _six_bits(b, planes, place, 4, 2)


def _scales_q6(b: Builder, planes: Planes, place: Place) -> list[Value]:
    first = (place.block * GROUPS + place.group) * 4
    return [row_bytes(b, planes["sub"], first + i, place.row, place.lanes, signed=True) for i in range(4)]


def _pair_of_bits(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    high, line = divmod(quad, 4)
    address = planes["codes"] + (place.block * GROUPS + place.group) * 256 + line * 64
    return byte_shift(b, quad_line(b, address, place.row, place.lanes), 2 * high) & 3


def _quad_q3(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    line = (place.block * GROUPS + place.group) * 2 + quad // 8
    high = quad_line(b, planes["high"] + line * 64, place.row, place.lanes)
    return _pair_of_bits(b, planes, place, quad) | (byte_shift(b, high, quad % 8 - 2) & 4)


def _quad_iq4(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    return lookup16(b, IQ4_VALUES, _nibble(b, planes, place, quad))


def _sixteenths(b: Builder, planes: Planes, place: Place, shift: int) -> list[Value]:
    """A nibble of each of the group's four bytes of `sub`."""
    first = (place.block * GROUPS + place.group) * 4
    return [(row_bytes(b, planes["sub"], first + i, place.row, place.lanes) >> shift) & 15 for i in range(4)]


def _scales_q2(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return _sixteenths(b, planes, place, 0)


def _mins_q2(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return _sixteenths(b, planes, place, 4)


def _scales_q3(b: Builder, planes: Planes, place: Place) -> list[Value]:
    """Two low nibbles a byte, four pairs of top bits a byte."""
    group = place.block * GROUPS + place.group
    tops = row_bytes(b, planes["sub_top"], group, place.row, place.lanes)
    lows = [row_bytes(b, planes["sub"], group * 2 + i, place.row, place.lanes) for i in range(2)]
    return [(((lows[i // 2] >> (4 * (i % 2))) & 15) | (((tops >> (2 * i)) & 3) << 4)) - 32 for i in range(4)]


def _scales_iq4(b: Builder, planes: Planes, place: Place) -> list[Value]:
    """As Q3_K's, two a group: a byte of top bits serves two groups."""
    low = row_bytes(b, planes["sub"], place.block * GROUPS + place.group, place.row, place.lanes)
    tops = row_bytes(b, planes["sub_top"], place.block * 2 + (place.group >> 1), place.row, place.lanes)
    tops = tops >> b.splat(b.trunc((place.group & 1) * 4, i32), place.lanes)
    return [(((low >> (4 * i)) & 15) | (((tops >> (2 * i)) & 3) << 4)) - 32 for i in range(2)]


# (line, 3^trit) of every quad of the four groups: TQ1_0's runs of five trits a byte end in the middle of a group
_TRITS = [
    (q % 8, 3 ** (q // 8)) if q < 40 else (8 + q % 4, 3 ** (q // 4 - 10)) if q < 60 else (12, 3 ** (q - 60)) for q in range(64)
]  # fmt: skip


def _quad_tq1(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    """Trit t of a byte is (byte · 3^t mod 256) · 3 >> 8, done on the even and the odd bytes of 16-bit words."""
    ours = [_TRITS[group * GROUP_QUADS + quad] for group in range(GROUPS)]
    line, power = (_by_group(b, place, column) for column in zip(*ours, strict=True))
    raw = quad_line(b, planes["codes"] + (place.block * 13 + line) * 64, place.row, place.lanes)
    words = b.bitcast(raw, i16.x(2 * place.lanes))
    factor = b.splat(b.trunc(power, i16), 2 * place.lanes)
    even = ((words * factor & 0xFF) * 3) >> 8
    odd = (((words >> 8) * factor & 0xFF) * 3) & 0x300
    return b.bitcast(even | odd, raw.type)


def _by_group(b: Builder, place: Place, values: Sequence[int]) -> Value:
    """One of four bytes, by the number of the group."""
    packed = sum(value << (8 * group) for group, value in enumerate(values))
    return (b.const(i64, packed) >> (place.group * 8)) & 0xFF


def _scales_none(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return [b.const(i32.x(place.lanes), 1)] * 2


_WITH_MINS = ("sub", "sub_top", "scales", "mins")
INTEGER_TILES: Mapping[str, SuperTile] = {
    t.name: t
    for t in (
        SuperTile("Q4_K", 4, False, 32, 0, _nibble, _scales_k4, _mins_k4, ("codes", *_WITH_MINS)),
        SuperTile("Q5_K", 5, False, 32, 0, _quad_q5, _scales_k4, _mins_k4, ("codes", "high", *_WITH_MINS)),
        SuperTile("Q6_K", 6, False, 16, 32, _quad_q6, _scales_q6, None, ("codes", "high", "sub", "scales")),
        SuperTile(
            "Q2_K", 2, False, 16, 0, _pair_of_bits, _scales_q2, _mins_q2, ("codes", "sub", "scales", "mins"), small=True
        ),
        SuperTile("Q3_K", 3, False, 16, 4, _quad_q3, _scales_q3, None, ("codes", "high", "sub", "sub_top", "scales")),
        SuperTile("IQ4_XS", 8, True, 32, 0, _quad_iq4, _scales_iq4, None, ("codes", "sub", "sub_top", "scales")),
        SuperTile("TQ1_0", 2, False, 32, 1, _quad_tq1, _scales_none, None, ("codes", "scales"), small=True),
        SuperTile("TQ2_0", 2, False, 32, 1, _pair_of_bits, _scales_none, None, ("codes", "scales"), small=True),
    )
}
