"""Dot products on arm64: smull and smlal in the baseline, sdot, smmla. Lanes are the four of one register.

Knows those instructions and how LLVM names them (IntrinsicsAArch64.td). Knows nothing of quant formats.
"""

from __future__ import annotations

from collections.abc import Sequence

from tokenloom.jit.dot_form import INT16_MAX, INT32_MAX, Dot, Quads, as_it_is, keep, times
from tokenloom.jit.ir import Builder, Type, Value, i8, i16, i32, i64


def _quad_of(b: Builder, x: Value, j: int) -> Value:
    """Four activations in all lanes. Sixteen are loaded at once, so that an instruction can take its four from a register by number."""
    return b.bitcast(b.splat(b.extract(b.load(i32.x(4), x + 16 * (j // 4)), j % 4), 4), i8.x(16))


def _wide_product(b: Builder, weights: Value, x: Value) -> Value:
    wide = i16.x(weights.type.lanes)
    return b.sext(weights, wide) * b.sext(x, wide)


def _add_neighbours(b: Builder, words: Value) -> Value:
    """int16 lanes to half as many int32."""
    low, high = b.halves(words)
    each = [b.call("llvm.aarch64.neon.saddlp.v4i32.v8i16", i32.x(4), half) for half in (low, high)]
    return b.shuffle(each[0], each[1], range(8))


def _neighbours(b: Builder, sums: Value) -> Value:
    """The sums of neighbouring int32 lanes."""
    return b.call("llvm.aarch64.neon.addp.v4i32", i32.x(4), *b.halves(sums))


def _neon_total(b: Builder, quads: Quads, xs: Sequence[Value], lanes: int, signed: bool) -> list[Value]:
    """Unsigned codes: int16 per product, up to `Dot.quads` of them. Signed ones: two products (at most 2·16256), then int32 per pair."""
    parts = [b.zeros(i32.x(2 * lanes) if signed else i16.x(4 * lanes)) for _ in xs]
    waiting: list[Value] = []
    for number, (j, codes) in enumerate(quads):
        products = [_wide_product(b, codes, _quad_of(b, x, j)) for x in xs]
        if not signed:
            parts = [part + product for part, product in zip(parts, products, strict=True)]
        elif number % 2 == 0:
            waiting = products
        else:
            both = [one + other for one, other in zip(waiting, products, strict=True)]
            parts = [part + _add_neighbours(b, words) for part, words in zip(parts, both, strict=True)]
    return parts


def _neon_finish(b: Builder, parts: list[Value], signed: bool) -> list[Value]:
    return [_neighbours(b, part if signed else _add_neighbours(b, part)) for part in parts]


def _neon_finish_scaled(b: Builder, parts: list[Value], scale: Value) -> list[Value]:
    return times(b, _neon_finish(b, parts, False), scale)


def _neon_pair(b: Builder, pairs: Value, x: Value) -> Value:
    words = i16.x(2 * pairs.type.lanes)
    wide = i32.x(words.lanes)
    both = b.bitcast(b.splat(x, pairs.type.lanes), words)
    return _neighbours(b, b.sext(b.bitcast(pairs, words), wide) * b.sext(both, wide))


def _sdot(b: Builder, acc: Value, codes: Value, x: Value, j: int) -> Value:
    return b.call("llvm.aarch64.neon.sdot.v4i32.v16i8", acc.type, acc, codes, _quad_of(b, x, j))


def _sdot_total(b: Builder, quads: Quads, xs: Sequence[Value], lanes: int, signed: bool) -> list[Value]:
    parts = [b.zeros(i32.x(lanes)) for _ in xs]
    for j, codes in quads:
        parts = [_sdot(b, part, codes, x, j) for part, x in zip(parts, xs, strict=True)]
    return parts


def _zip(b: Builder, first: Value, second: Value, kind: Type, lanes: Sequence[int]) -> Value:
    """Lanes of two vectors of bytes seen as larger integers."""
    return b.bitcast(b.shuffle(b.bitcast(first, kind), b.bitcast(second, kind), lanes), first.type)


def _smmla_total(b: Builder, quads: Quads, xs: Sequence[Value], lanes: int, signed: bool) -> list[Value]:
    """Rows by twos: the first's accumulator holds weight rows 0 and 1, the second's 2 and 3, each times both; a last single row takes sdot."""
    parts = [b.zeros(i32.x(lanes)) for _ in xs]
    seen: dict[int, Value] = {}
    for j, codes in quads:
        seen[j] = codes
        if j ^ 1 not in seen:
            continue
        first, second = seen.pop(j & ~1), seen.pop(j | 1)
        weights = [_zip(b, first, second, i32.x(4), lanes) for lanes in ((0, 4, 1, 5), (2, 6, 3, 7))]
        for t in range(0, len(xs) - 1, 2):
            one, other = (b.load(i8.x(16), x + 16 * (j // 4)) for x in xs[t : t + 2])
            x = _zip(b, one, other, i64.x(2), (j // 2 % 2, 2 + j // 2 % 2))
            for half in range(2):
                parts[t + half] = b.call(
                    "llvm.aarch64.neon.smmla.v4i32.v16i8", i32.x(4), parts[t + half], weights[half], x
                )
        if len(xs) % 2:
            for each, line in ((j & ~1, first), (j | 1, second)):
                parts[-1] = _sdot(b, parts[-1], line, xs[-1], each)
    assert not seen, "smmla takes eight k: quads come in pairs (2i, 2i + 1)"
    return parts


def _smmla_finish(b: Builder, parts: list[Value], signed: bool) -> list[Value]:
    done = list(parts)
    for t in range(0, len(parts) - 1, 2):
        done[t], done[t + 1] = (b.shuffle(parts[t], parts[t + 1], lanes) for lanes in ((0, 2, 4, 6), (1, 3, 5, 7)))
    return done


def _smmla_finish_scaled(b: Builder, parts: list[Value], scale: Value) -> list[Value]:
    return times(b, _smmla_finish(b, parts, False), scale)


ARM_DOTS = {
    # an int16 lane holds one product of a quad here, where vpmaddubsw's holds two
    "neon": Dot(_neon_total, _neon_finish, as_it_is, _neon_finish_scaled, _neon_pair, 2 * INT16_MAX, 0),
    "sdot": Dot(_sdot_total, keep, as_it_is, times, _neon_pair, INT32_MAX, 0),
    "smmla": Dot(_smmla_total, _smmla_finish, as_it_is, _smmla_finish_scaled, _neon_pair, INT32_MAX, 0),
}
