"""IQ2, IQ3 and IQ1 as kernels see them: codes by their number in a book, signs or a shift, odd sub-scales. One row and one short function each.

Knows how a word of a book is fetched for every lane, and how the planes of these formats are read (`quant.blocks` describes them). Knows nothing of
sums: to `superblock` these are signed codes of rule K whose stored scale is multiplied by a power of two.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from tokenloom.jit.ir import Builder, Type, Value, i8, i16, i32, ptr
from tokenloom.kernels.codes import Planes, row_bytes
from tokenloom.kernels.superblock import GROUPS, Place, SuperTile
from tokenloom.quant.grids import GRIDS, entries
from tokenloom.quant.layout import ROWS


def _field(b: Builder, plane: Value, per_group: int, at: int, place: Place, kind: Type) -> Value:
    """Field number `at` of a group's `per_group`, [field][16 rows], as int32 lanes."""
    index = (place.block * GROUPS + place.group) * per_group + at
    raw = b.load(kind.x(place.lanes), plane + (index * ROWS + place.row) * kind.nbytes)
    return b.zext(raw, i32.x(place.lanes))


@functools.cache
def _bytes_of(book: str) -> str:
    """The codes of a book in order, as a constant of LLVM's."""
    data = bytes(code & 0xFF for entry in entries(book) for code in entry)
    return f'[{len(data)} x i8] c"' + "".join(f"\\{byte:02X}" for byte in data) + '"'


def _four_codes(b: Builder, book: str, number: Value, quad: int) -> Value:
    """The codes of one quad: a word of the book for each lane. Books of eight codes have two words an entry.

    Lane by lane: what a gather instruction does, at the price of one on most CPUs, and there is one way for all of them.
    """
    name = f"@book_{book.lower()}"
    b.declare(f"{name} = internal constant {_bytes_of(book)}, align 64", name)
    table = Value(b, ptr, name)
    offsets = number * GRIDS[book].width + (4 * (quad % 2) if GRIDS[book].width == 8 else 0)
    words = b.zeros(offsets.type)
    for lane in range(offsets.type.lanes):
        words = b.insert(words, b.load(i32, table + b.extract(offsets, lane)), lane)
    return b.bitcast(words, i8.x(4 * offsets.type.lanes))


def _signed(b: Builder, codes: Value, masks: Value, quad: int) -> Value:
    """Codes negated where the lane's eight bits of signs say so; the odd quad has the upper four."""
    lanes = codes.type.lanes
    spread = b.shuffle(b.bitcast(masks, codes.type), None, [lane // 4 * 4 for lane in range(lanes)])
    bits = ", ".join(f"i8 {(1 << (4 * (quad % 2) + i) ^ 0x80) - 0x80}" for _ in range(lanes // 4) for i in range(4))
    return b.select((spread & Value(b, codes.type, f"<{bits}>")).ne(0), -codes, codes)


def _eighth_sign(seven: Value) -> Value:
    """Signs of seven bits, with the one that makes their number even."""
    odd = seven ^ (seven >> 4)
    odd = odd ^ (odd >> 2)
    odd = odd ^ (odd >> 1)
    return seven | ((odd & 1) << 7)


def _odd(nibble: Value) -> Value:
    return (nibble << 1) | 1


def _signs_in_word(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    """Seven bits for eight k, in the word of 32 k that has s above them."""
    word = _field(b, planes["signs"], 2, quad // 8, place, i32)
    return _eighth_sign((word >> (7 * (quad // 2 % 4))) & 127)


def _scales_in_word(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return [_odd(_field(b, planes["signs"], 2, i, place, i32) >> 28) for i in range(2)]


def _sixteenths(b: Builder, planes: Planes, place: Place) -> list[Value]:
    """A nibble for 16 k."""
    return [_odd((_field(b, planes["sub"], 2, i // 2, place, i8) >> (4 * (i % 2))) & 15) for i in range(4)]


def _eighths(b: Builder, planes: Planes, place: Place) -> list[Value]:
    """A nibble for 32 k."""
    return [_odd((_field(b, planes["sub"], 1, 0, place, i8) >> (4 * i)) & 15) for i in range(2)]


def _quad_iq2_xxs(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    number = _field(b, planes["codes"], 8, quad // 2, place, i8)
    return _signed(b, _four_codes(b, "IQ2_XXS", number, quad), _signs_in_word(b, planes, place, quad), quad)


def _quad_iq2_xs(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    field = _field(b, planes["codes"], 8, quad // 2, place, i16)
    return _signed(b, _four_codes(b, "IQ2_XS", field & 511, quad), _eighth_sign(field >> 9), quad)


def _quad_iq2_s(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    high = _field(b, planes["high"], 2, quad // 8, place, i8) >> (2 * (quad // 2 % 4))
    number = _field(b, planes["codes"], 8, quad // 2, place, i8) | ((high & 3) << 8)
    masks = _field(b, planes["signs"], 8, quad // 2, place, i8)
    return _signed(b, _four_codes(b, "IQ2_S", number, quad), masks, quad)


def _quad_iq3_xxs(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    number = _field(b, planes["codes"], 16, quad, place, i8)
    return _signed(b, _four_codes(b, "IQ3_XXS", number, quad), _signs_in_word(b, planes, place, quad), quad)


def _quad_iq3_s(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    high = _field(b, planes["high"], 2, quad // 8, place, i8) >> (quad % 8)
    number = _field(b, planes["codes"], 16, quad, place, i8) | ((high & 1) << 8)
    masks = _field(b, planes["signs"], 8, quad // 2, place, i8)
    return _signed(b, _four_codes(b, "IQ3_S", number, quad), masks, quad)


def _shifted(b: Builder, codes: Value, minus: Value) -> Value:
    """Trits times eight, one added to all four of a lane, or taken away where `minus` is 1."""
    return codes + b.bitcast(
        b.select(minus.eq(0), b.const(minus.type, 0x01010101), b.const(minus.type, -1)), codes.type
    )


def _quad_iq1_s(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    field = _field(b, planes["high"], 2, quad // 8, place, i16)
    upper = (field >> (3 * (quad // 2 % 4))) & 7
    number = _field(b, planes["codes"], 8, quad // 2, place, i8) | (upper << 8)
    return _shifted(b, _four_codes(b, "IQ1", number, quad), field >> 15)


def _scales_iq1_s(b: Builder, planes: Planes, place: Place) -> list[Value]:
    return [_odd((_field(b, planes["high"], 2, i, place, i16) >> 12) & 7) for i in range(2)]


def _quad_iq1_m(b: Builder, planes: Planes, place: Place, quad: int) -> Value:
    nibble = _field(b, planes["high"], 4, quad // 4, place, i8) >> (4 * (quad // 2 % 2))
    number = _field(b, planes["codes"], 8, quad // 2, place, i8) | ((nibble & 7) << 8)
    return _shifted(b, _four_codes(b, "IQ1", number, quad), (nibble >> 3) & 1)


def _scales_iq1_m(b: Builder, planes: Planes, place: Place) -> list[Value]:
    """Two low bits of four s a byte; a byte of top bits serves two groups."""
    low = _field(b, planes["sub"], 1, 0, place, i8)
    tops = row_bytes(b, planes["sub_top"], place.block * 2 + (place.group >> 1), place.row, place.lanes)
    tops = tops >> b.splat(b.trunc((place.group & 1) * 4, i32), place.lanes)
    return [_odd(((low >> (2 * i)) & 3) | (((tops >> i) & 1) << 2)) for i in range(4)]


CODEBOOK_TILES: Mapping[str, SuperTile] = {
    t.name: t
    for t in (
        SuperTile("IQ2_XXS", 8, True, 32, 0, _quad_iq2_xxs, _scales_in_word, None, ("codes", "signs", "scales"), 2**-3),
        SuperTile("IQ2_XS", 8, True, 16, 0, _quad_iq2_xs, _sixteenths, None, ("codes", "sub", "scales"), 2**-3),
        SuperTile("IQ2_S", 8, True, 16, 0, _quad_iq2_s, _sixteenths, None, ("codes", "signs", "high", "sub", "scales"), 2**-3),
        SuperTile("IQ3_XXS", 8, True, 32, 0, _quad_iq3_xxs, _scales_in_word, None, ("codes", "signs", "scales"), 2**-2),
        SuperTile("IQ3_S", 8, True, 32, 0, _quad_iq3_s, _eighths, None, ("codes", "high", "signs", "sub", "scales")),
        SuperTile("IQ1_S", 8, True, 32, 0, _quad_iq1_s, _scales_iq1_s, None, ("codes", "high", "scales"), 2**-3),
        SuperTile("IQ1_M", 8, True, 16, 0, _quad_iq1_m, _scales_iq1_m, None, ("codes", "high", "sub", "sub_top", "scales"), 2**-3),
    )
}  # fmt: skip
