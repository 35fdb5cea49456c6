"""Buffers in one arena: none overlaps another that is alive with it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloom.trace.buffers import LINE, Buffer, plan, row_stride


def alive_together(x: Buffer, y: Buffer) -> bool:
    return x.pinned or y.pinned or (x.first <= y.last and y.first <= x.last)


def overlaps(buffers: list[Buffer], size: int) -> list[str]:
    """What is wrong with a plan."""
    wrong = [f"{b.name} lies outside" for b in buffers if b.offset < 0 or b.offset + b.nbytes > size]
    wrong += [f"{b.name} is not on a line" for b in buffers if b.offset % LINE]
    for i, x in enumerate(buffers):
        for y in buffers[:i]:
            apart = x.offset + x.nbytes <= y.offset or y.offset + y.nbytes <= x.offset
            if not apart and x.nbytes and y.nbytes and alive_together(x, y):
                wrong.append(f"{x.name} and {y.name} share bytes")
    return wrong


def buffer(number: int, nbytes: int, first: int, length: int, pinned: bool) -> Buffer:
    made = Buffer(f"b{number}", nbytes, pinned=pinned)
    made.used(first)
    made.used(first + length)
    return made


one = st.tuples(st.integers(0, 5000), st.integers(0, 12), st.integers(0, 6), st.sampled_from([False] * 7 + [True]))


@settings(max_examples=400, deadline=None)
@given(st.lists(one, max_size=25))
def test_no_two_alive_together_overlap(parts: list[tuple[int, int, int, bool]]) -> None:
    buffers = [buffer(n, *part) for n, part in enumerate(parts)]
    size = plan(buffers)
    assert overlaps(buffers, size) == []
    assert size <= sum(-(-b.nbytes // LINE) * LINE for b in buffers)


def test_places_are_used_again() -> None:
    buffers = [buffer(n, 1000, 2 * n, 1, False) for n in range(10)]
    assert plan(buffers) == 1024
    assert {b.offset for b in buffers} == {0}


def test_a_pinned_buffer_shares_with_nobody() -> None:
    buffers = [buffer(0, 64, 0, 0, True), buffer(1, 64, 5, 0, False), buffer(2, 64, 9, 0, False)]
    assert plan(buffers) == 128
    assert buffers[1].offset == buffers[2].offset != buffers[0].offset


def test_an_empty_plan() -> None:
    assert plan([]) == 0


def test_guard_of_overlaps_fails_when_two_overlap() -> None:
    buffers = [buffer(0, 128, 0, 2, False), buffer(1, 128, 1, 2, False), buffer(2, 64, 8, 1, False)]
    size = plan(buffers)
    assert not overlaps(buffers, size)
    buffers[1].offset = buffers[0].offset + 64
    assert overlaps(buffers, size + 64) == ["b1 and b0 share bytes"]
    buffers[1].offset = size
    assert overlaps(buffers, size) == ["b1 lies outside"]


@pytest.mark.parametrize(("nbytes", "stride"), [(1, 64), (64, 64), (65, 128), (4095, 4160), (4096, 4160), (8192, 8256), (2304, 2304)])  # fmt: skip
def test_rows_keep_off_multiples_of_a_page(nbytes: int, stride: int) -> None:
    assert row_stride(nbytes) == stride
