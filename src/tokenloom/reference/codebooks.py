"""IQ2, IQ3 and IQ1 blocks as numbers: the codes behind their book numbers and signs, and the odd sub-scales.

Knows the block structures as the GGUF specification has them (ggml-common.h), element by element. The books are `quant.grids`' lists, the one thing
shared with production: they follow from nothing, and are held against the `gguf` package's. Does not know what is computed from the numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.quant.grids import entries
from tokenloom.reference.floats import F32, widen_f16
from tokenloom.reference.parts import Blocks, Format, Ints, RawBytes

_K = np.arange(256)
_EIGHT, _FOUR = _K // 8, _K // 4


def _numbers(block: RawBytes, first: int, last: int, kind: str) -> NDArray[np.int64]:
    return np.ascontiguousarray(block[..., first:last]).view(kind).astype(np.int64)


def _scale(bits: Ints, power: int) -> F32:
    """A half widened, times 2^power: exact."""
    return np.asarray(np.ldexp(widen_f16(bits.astype(np.uint16)), power), np.float32)


def _of_book(name: str, number: Ints) -> Ints:
    """The code of every k, from the number [..., 256] of the vector it is in."""
    book = np.array(entries(name), np.int16)
    return np.asarray(book[number, _K % book.shape[1]])


def _signed(codes: Ints, masks: Ints) -> Ints:
    """masks [..., 32], eight bits each."""
    return np.where(masks[..., _EIGHT] >> (_K % 8) & 1, -codes, codes)


def _with_even_parity(seven: Ints) -> Ints:
    """The eighth sign makes the number of negative ones even."""
    count = sum((seven >> i) & 1 for i in range(7))
    return np.asarray(seven | (count % 2) << 7)


def _nibbles(packed: Ints) -> Ints:
    """[..., n] -> [..., 2n], the low one first."""
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1)


def _word_signs(words: Ints) -> Ints:
    """[..., 8] -> [..., 32] masks: four times seven bits a word."""
    eight = np.arange(32)
    return _with_even_parity(words[..., eight // 4] >> (7 * (eight % 4)) & 127)


def _result(codes: Ints, scale: F32, s: Ints) -> Blocks:
    return Blocks(codes.astype(np.int16), scale[..., 0], None, (2 * s + 1).astype(np.int16))


def _iq2_xxs(block: RawBytes) -> Blocks:
    low = _numbers(block, 2, 66, "u1").reshape(*block.shape[:-1], 8, 8)[..., :4].reshape(*block.shape[:-1], 32)
    words = _numbers(block, 2, 66, "<u4")[..., 1::2]
    codes = _signed(_of_book("IQ2_XXS", low[..., _EIGHT]), _word_signs(words))
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), -3), words >> 28)


def _iq2_xs(block: RawBytes) -> Blocks:
    fields = _numbers(block, 2, 66, "<u2")
    codes = _signed(_of_book("IQ2_XS", fields[..., _EIGHT] & 511), _with_even_parity(fields >> 9))
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), -3), _nibbles(_numbers(block, 66, 74, "u1")))


def _iq2_s(block: RawBytes) -> Blocks:
    low, high = _numbers(block, 2, 34, "u1"), _numbers(block, 66, 74, "u1")
    number = low[..., _EIGHT] | (high[..., _K // 32] >> (2 * (_EIGHT % 4)) & 3) << 8
    codes = _signed(_of_book("IQ2_S", number), _numbers(block, 34, 66, "u1"))
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), -3), _nibbles(_numbers(block, 74, 82, "u1")))


def _iq3_xxs(block: RawBytes) -> Blocks:
    words = _numbers(block, 66, 98, "<u4")
    codes = _signed(_of_book("IQ3_XXS", _numbers(block, 2, 66, "u1")[..., _FOUR]), _word_signs(words))
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), -2), words >> 28)


def _iq3_s(block: RawBytes) -> Blocks:
    low, high = _numbers(block, 2, 66, "u1"), _numbers(block, 66, 74, "u1")
    number = low[..., _FOUR] | (high[..., _K // 32] >> (_FOUR % 8) & 1) << 8
    codes = _signed(_of_book("IQ3_S", number), _numbers(block, 74, 106, "u1"))
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), 0), _nibbles(_numbers(block, 106, 110, "u1")))


def _shifted_trits(low: Ints, upper: Ints, minus: Ints) -> Ints:
    """Eight times a trit, plus or minus one; all [..., 32]."""
    return _of_book("IQ1", (low | upper << 8)[..., _EIGHT]) + np.where(minus, -1, 1)[..., _EIGHT]


def _iq1_s(block: RawBytes) -> Blocks:
    high, eight = _numbers(block, 34, 50, "<u2"), np.arange(32)
    upper, minus = high[..., eight // 4] >> (3 * (eight % 4)) & 7, high[..., eight // 4] >> 15
    codes = _shifted_trits(_numbers(block, 2, 34, "u1"), upper, minus)
    return _result(codes, _scale(_numbers(block, 0, 2, "<u2"), -3), high >> 12 & 7)


def _iq1_m(block: RawBytes) -> Blocks:
    """The half is in four pieces, above the sub-scales."""
    nibbles, scales, sub = _nibbles(_numbers(block, 32, 48, "u1")), _numbers(block, 48, 56, "<u2"), np.arange(16)
    codes = _shifted_trits(_numbers(block, 0, 32, "u1"), nibbles & 7, nibbles >> 3)
    pieces: Any = sum((scales[..., i : i + 1] >> 12) << (4 * i) for i in range(4))
    return _result(codes, _scale(pieces, -3), scales[..., sub // 4] >> (3 * (sub % 4)) & 7)


CODEBOOK_FORMATS = {
    "IQ2_XXS": Format(256, 66, _iq2_xxs),
    "IQ2_XS": Format(256, 74, _iq2_xs),
    "IQ2_S": Format(256, 82, _iq2_s),
    "IQ3_XXS": Format(256, 98, _iq3_xxs),
    "IQ3_S": Format(256, 110, _iq3_s),
    "IQ1_S": Format(256, 50, _iq1_s),
    "IQ1_M": Format(256, 56, _iq1_m),
}
