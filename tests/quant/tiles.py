"""What a packed tile says, read element by element from the description of its planes.

Independent of the packing: for each k it computes where the bits should be and fetches them. One function a format,
bytes of one tile in, float32 [16, k] out.
"""

from __future__ import annotations

from collections.abc import Callable

import gguf
import numpy as np

ROW = np.arange(16)[:, None]


class Tile:
    """A tile of `k` columns; the methods fetch one thing for every row and k as int64 or float32 [16, k]."""

    def __init__(self, data: np.ndarray, k: int, block: int, planes: dict[str, int]) -> None:
        self.data, self.planes, self.block = data, planes, block
        self.k = np.arange(k)[None, :]
        self.at = self.k % block
        self.index = self.k // block

    def byte(self, plane: str, offset: np.ndarray) -> np.ndarray:
        return self.data[self.planes[plane] + offset].astype(np.int64)

    def nibble(self) -> np.ndarray:
        """Groups of 32 k (blocks of 32) or 64 k (blocks of 256): the second half's quads in the high nibbles."""
        group = 32 if self.block == 32 else 64
        quads = group // 4
        quad = self.k % group // 4
        line = self.k // group * (quads // 2) + quad % (quads // 2)
        byte = self.byte("codes", 64 * line + 4 * ROW + self.k % 4)
        return byte >> (4 * (quad // (quads // 2))) & 15

    def pair(self) -> np.ndarray:
        """Groups of 64 k in 4 lines: quad q is pair q // 4 of line q % 4."""
        quad = self.k % 64 // 4
        byte = self.byte("codes", 64 * (self.k // 64 * 4 + quad % 4) + 4 * ROW + self.k % 4)
        return byte >> (2 * (quad // 4)) & 3

    def high(self, bits: int) -> np.ndarray:
        """8 / bits quads a line, in order of k."""
        per_line = 8 // bits
        quad = self.k // 4
        byte = self.byte("high", 64 * (quad // per_line) + 4 * ROW + self.k % 4)
        return byte >> (bits * (quad % per_line)) & ((1 << bits) - 1)

    def half(self, plane: str) -> np.ndarray:
        offset = 32 * self.index + 2 * ROW
        bits = self.byte(plane, offset) | self.byte(plane, offset + 1) << 8
        return bits.astype(np.uint16).view(np.float16).astype(np.float32)

    def sub(self, plane: str, size: int, bits: int) -> np.ndarray:
        """The field of each k's sub-block of `size`, 8 / bits of them in a byte, in order, [byte][16 rows]."""
        number = self.k // size
        per_byte = 8 // bits
        byte = self.byte(plane, number // per_byte * 16 + ROW)
        return byte >> (bits * (number % per_byte)) & ((1 << bits) - 1)


def f32(values: np.ndarray | float) -> np.ndarray:
    return np.asarray(values, np.float32)


def _wide(tile: Tile, dtype: str, size: int) -> np.ndarray:
    offset = (tile.k * 16 + ROW) * size
    return tile.data[offset[..., None] + np.arange(size)].view(dtype)[..., 0]


def _q4_k(t: Tile, code: np.ndarray) -> np.ndarray:
    number = t.k // 32
    low = t.byte("sub", number * 16 + ROW)
    top = t.byte("sub_top", number // 2 * 16 + ROW) >> (4 * (number % 2))
    sc, mn = low & 15 | (top & 3) << 4, low >> 4 | (top >> 2 & 3) << 4
    return t.half("scales") * f32(sc) * f32(code) - t.half("mins") * f32(mn)


def _q6_k(t: Tile) -> np.ndarray:
    code = t.nibble() | t.high(2) << 4
    sc = t.sub("sub", 16, 8).astype(np.int8)
    return t.half("scales") * f32(sc) * f32(code - 32)


def _q3_k(t: Tile) -> np.ndarray:
    code = t.pair() | t.high(1) << 2
    sc = t.sub("sub", 16, 4) | t.sub("sub_top", 16, 2) << 4
    return t.half("scales") * f32(sc - 32) * f32(code - 4)


def _q2_k(t: Tile) -> np.ndarray:
    sub = t.sub("sub", 16, 8)
    return t.half("scales") * f32(sub & 15) * f32(t.pair()) - t.half("mins") * f32(sub >> 4)


IQ4 = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float32)
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6])


def _iq4_xs(t: Tile) -> np.ndarray:
    sc = t.sub("sub", 32, 4) | t.sub("sub_top", 32, 2) << 4
    return t.half("scales") * f32(sc - 32) * IQ4[t.nibble()]


def _mxfp4(t: Tile) -> np.ndarray:
    exponent = t.byte("scales", 16 * t.index + ROW)
    return f32(E2M1[t.nibble()] * 2.0 ** (exponent - 127))


def _tq1_0(t: Tile) -> np.ndarray:
    quad = t.at // 4
    first, second = quad < 40, quad < 60
    line = np.where(first, quad % 8, np.where(second, 8 + quad % 4, 12))
    trit = np.where(first, quad // 8, np.where(second, quad // 4 - 10, quad - 60))
    byte = t.byte("codes", 64 * (13 * t.index + line) + 4 * ROW + t.k % 4)
    return f32(((byte * 3**trit) % 256 * 3 >> 8) - 1) * t.half("scales")


def grid(name: str) -> np.ndarray:
    """A code book as the `gguf` package has it."""
    package = getattr(gguf.quants, name)
    package.init_grid()
    return np.asarray(package.grid).reshape(package.grid_shape)


def _sign(mask: np.ndarray, t: Tile, *, parity: bool) -> np.ndarray:
    """-1 where the mask's bit of k is set; of seven bits, the eighth is the parity of the others."""
    if parity:
        mask = mask & 127 | np.vectorize(lambda m: int(m & 127).bit_count() % 2)(mask) << 7
    return 1 - 2 * (mask >> (t.k % 8) & 1)


def _fields(t: Tile, plane: str, size: int, dtype: str) -> np.ndarray:
    """The field of each k's run of `size`, [field][16 rows]."""
    nbytes = np.dtype(dtype).itemsize
    offset = t.planes[plane] + (t.k // size * 16 + ROW) * nbytes
    return t.data[offset[..., None] + np.arange(nbytes)].view(dtype)[..., 0].astype(np.int64)


def _from_book(t: Tile, name: str, number: np.ndarray, sign: np.ndarray, sub: np.ndarray, eighths: int) -> np.ndarray:
    book = grid(name)
    code = book[number, t.k % book.shape[1]] * sign
    return t.half("scales") * f32(2 * sub + 1) * f32(code) / np.float32(eighths)


def _iq2_xxs(t: Tile) -> np.ndarray:
    word = _fields(t, "signs", 32, "<u4")
    sign = _sign(word >> (7 * (t.k // 8 % 4)), t, parity=True)
    return _from_book(t, "IQ2_XXS", _fields(t, "codes", 8, "u1"), sign, word >> 28, 8)


def _iq2_xs(t: Tile) -> np.ndarray:
    field = _fields(t, "codes", 8, "<u2")
    return _from_book(t, "IQ2_XS", field % 512, _sign(field >> 9, t, parity=True), t.sub("sub", 16, 4), 8)


def _iq2_s(t: Tile) -> np.ndarray:
    number = _fields(t, "codes", 8, "u1") + 256 * (_fields(t, "high", 32, "u1") >> (2 * (t.k // 8 % 4)) & 3)
    sign = _sign(_fields(t, "signs", 8, "u1"), t, parity=False)
    return _from_book(t, "IQ2_S", number, sign, t.sub("sub", 16, 4), 8)


def _iq3_xxs(t: Tile) -> np.ndarray:
    word = _fields(t, "signs", 32, "<u4")
    sign = _sign(word >> (7 * (t.k // 8 % 4)), t, parity=True)
    return _from_book(t, "IQ3_XXS", _fields(t, "codes", 4, "u1"), sign, word >> 28, 4)


def _iq3_s(t: Tile) -> np.ndarray:
    number = _fields(t, "codes", 4, "u1") + 256 * (_fields(t, "high", 32, "u1") >> (t.k // 4 % 8) & 1)
    sign = _sign(_fields(t, "signs", 8, "u1"), t, parity=False)
    return _from_book(t, "IQ3_S", number, sign, t.sub("sub", 32, 4), 1)


def _iq1(t: Tile, upper: np.ndarray, minus: np.ndarray, sub: np.ndarray) -> np.ndarray:
    trit = grid("IQ1_S")[_fields(t, "codes", 8, "u1") + 256 * upper, t.k % 8]
    return t.half("scales") * f32(2 * sub + 1) * (f32(trit) + np.where(minus, f32(-0.125), f32(0.125)))


def _iq1_s(t: Tile) -> np.ndarray:
    field = _fields(t, "high", 32, "<u2")
    return _iq1(t, field >> (3 * (t.k // 8 % 4)) & 7, field >> 15, field >> 12 & 7)


def _iq1_m(t: Tile) -> np.ndarray:
    nibble = _fields(t, "high", 16, "u1") >> (4 * (t.k // 8 % 2))
    return _iq1(t, nibble & 7, nibble >> 3 & 1, t.sub("sub", 16, 2) | t.sub("sub_top", 16, 1) << 2)


DECODERS: dict[str, Callable[[Tile], np.ndarray]] = {
    "F32": lambda t: _wide(t, "<f4", 4),
    "F16": lambda t: f32(_wide(t, "<f2", 2)),
    "BF16": lambda t: (_wide(t, "<u2", 2).astype(np.uint32) << 16).view(np.float32),
    "Q8_0": lambda t: (
        f32(t.byte("codes", 64 * (t.k // 4) + 4 * ROW + t.k % 4).astype(np.int8)) * t.half("scales")
    ),
    "Q4_0": lambda t: f32(t.nibble() - 8) * t.half("scales"),
    "Q4_1": lambda t: f32(t.nibble()) * t.half("scales") + t.half("mins"),
    "Q5_0": lambda t: f32((t.nibble() | t.high(1) << 4) - 16) * t.half("scales"),
    "Q5_1": lambda t: f32(t.nibble() | t.high(1) << 4) * t.half("scales") + t.half("mins"),
    "Q4_K": lambda t: _q4_k(t, t.nibble()),
    "Q5_K": lambda t: _q4_k(t, t.nibble() | t.high(1) << 4),
    "Q6_K": _q6_k,
    "Q3_K": _q3_k,
    "Q2_K": _q2_k,
    "IQ4_NL": lambda t: IQ4[t.nibble()] * t.half("scales"),
    "IQ4_XS": _iq4_xs,
    "MXFP4": _mxfp4,
    "IQ2_XXS": _iq2_xxs,
    "IQ2_XS": _iq2_xs,
    "IQ2_S": _iq2_s,
    "IQ3_XXS": _iq3_xxs,
    "IQ3_S": _iq3_s,
    "IQ1_S": _iq1_s,
    "IQ1_M": _iq1_m,
    "TQ1_0": _tq1_0,
    "TQ2_0": lambda t: f32(t.pair() - 1) * t.half("scales"),
}  # fmt: skip


def decode(name: str, tiles: np.ndarray, k: int, block: int, planes: dict[str, int]) -> np.ndarray:
    """float32 [16 · tiles, k]."""
    with np.errstate(all="ignore"):
        return np.concatenate([DECODERS[name](Tile(tile, k, block, planes)) for tile in tiles])
