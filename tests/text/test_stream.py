"""Incremental UTF-8 and stop strings: whatever the cuts, the same text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenloom.errors import RequestError
from tokenloom.text.stream import StopMatcher, TextStream


def cut(data: bytes, at: list[int]) -> list[bytes]:
    places = sorted({min(i, len(data)) for i in at})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True)]


@settings(max_examples=500, deadline=None)
@given(
    data=st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode)),
    at=st.lists(st.integers(0, 40), max_size=12),
)
def test_streamed_text_equals_the_whole(data: bytes, at: list[int]) -> None:
    stream = TextStream()
    pieces = [stream.feed(part) for part in cut(data, at)]
    assert "".join(pieces) + stream.flush() == data.decode("utf-8", "replace")


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=20))
def test_a_character_is_never_broken(text: str) -> None:
    stream = TextStream()
    for character in text:
        *head, last = [stream.feed(bytes([byte])) for byte in character.encode()]
        assert head == [""] * len(head)
        assert last == character


def test_dangling_bytes_become_one_replacement_and_the_stream_starts_anew() -> None:
    stream = TextStream()
    assert stream.feed("é🦙".encode()[:4]) == "é"
    assert stream.flush() == "\ufffd"
    assert stream.feed(b"ok") + stream.flush() == "ok"


def run(stops: list[str], pieces: list[str]) -> tuple[str, StopMatcher]:
    matcher = StopMatcher(stops)
    shown = ""
    for piece in pieces:
        out, stopped = matcher.feed(piece)
        shown += out
        if stopped:
            break
    return shown + matcher.flush(), matcher


def by_definition(stops: list[str], text: str) -> str:
    return text[: min((i for i in (text.find(stop) for stop in stops) if i >= 0), default=len(text))]


letters = st.text("ab\n", max_size=14)


@settings(max_examples=800, deadline=None)
@given(
    stops=st.lists(st.text("ab\n", min_size=1, max_size=4), max_size=4),
    text=letters,
    at=st.lists(st.integers(0, 14), max_size=8),
)
def test_stops_whatever_the_cuts(stops: list[str], text: str, at: list[int]) -> None:
    pieces = [part.decode() for part in cut(text.encode(), at)]
    shown, matcher = run(stops, pieces)
    assert shown == by_definition(stops, text)
    assert matcher.stopped == any(stop in text for stop in stops)
    assert matcher.matched is None or matcher.matched in stops


@settings(max_examples=400, deadline=None)
@given(stops=st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=3), text=st.text("abc", max_size=14))
def test_only_what_may_begin_a_stop_is_held_back(stops: list[str], text: str) -> None:
    matcher = StopMatcher(stops)
    fed = shown = ""
    for character in text:
        out, stopped = matcher.feed(character)
        fed, shown = fed + character, shown + out
        if stopped:
            return
        held = fed[len(shown) :]
        assert held == "" or any(stop.startswith(held[: len(stop)]) for stop in stops)


def test_a_stop_over_several_pieces_and_text_after_it() -> None:
    matcher = StopMatcher(["</end>"])
    assert matcher.feed("Hello <") == ("Hello ", False)
    assert matcher.feed("/e") == ("", False)
    assert matcher.feed("nd>more") == ("", True)
    assert matcher.matched == "</end>"
    assert matcher.feed("after") == ("", True)
    assert matcher.flush() == ""


def test_a_false_beginning_is_shown_as_soon_as_it_is_none() -> None:
    matcher = StopMatcher("\n\n")
    assert matcher.feed("a\n") == ("a", False)
    assert matcher.feed("b") == ("\nb", False)
    assert matcher.feed("\n") == ("", False)
    assert matcher.flush() == "\n"
    assert not matcher.stopped


def test_the_stop_that_begins_first_wins() -> None:
    assert run(["b", "abc"], ["ab", "c"])[0] == ""
    assert run(["b", "abc"], ["ab", "d"])[0] == "a"
    assert run(["b", "abc"], ["ab"])[0] == "a"


def test_no_stops_hold_nothing() -> None:
    assert StopMatcher().feed("text") == ("text", False)


@pytest.mark.parametrize("stops", [[""], ["a", ""], [3]])
def test_bad_stops(stops: list[str]) -> None:
    with pytest.raises(RequestError, match="stop strings"):
        StopMatcher(stops)


def test_guard_the_definition_fails_for_a_matcher_that_shows_at_once() -> None:
    """The violation planted: nothing held back. The property above must see it."""

    class Eager(StopMatcher):
        def _first_beginning(self, before: int) -> int:
            return before

    matcher = Eager(["ab"])
    shown = matcher.feed("a")[0] + matcher.feed("b")[0] + matcher.flush()
    assert shown != by_definition(["ab"], "ab")
