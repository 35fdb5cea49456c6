"""The copies of a text that are searched: its canonical form, what is encoded or hidden in it, and each of these undisguised.

Knows how deep and in which order copies are made of copies. Knows no encoding and no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tokenloom.screen.canonical import leet_letters, letters, plain, skeleton
from tokenloom.screen.decoders import DECODERS, INVISIBLE
from tokenloom.screen.disguises import DISGUISES


@dataclass(frozen=True)
class View:
    """One copy. `text` is canonical (`plain`) and keeps case and lines; `covert`: nobody would read this by accident."""

    name: str
    text: str
    covert: bool = False
    disguised: bool = False  # most of it is nonsense, so only unmistakable rules are tried

    @cached_property
    def skeleton(self) -> str:
        return skeleton(self.text)

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The Latin letters alone, read plainly and read as leet."""
        plainly, leet = letters(self.skeleton), leet_letters(self.skeleton)
        return (plainly,) if plainly == leet else (plainly, leet)


def views(original: str, depth: int) -> Iterator[View]:
    """All copies, each once. Encodings are undone `depth` deep; a decoder gives one copy of a text, so that their number is bounded."""
    root = View("text", plain(original))
    layer = [root]
    for name, decode in INVISIBLE.items():
        hidden = decode(original) if not original.isascii() else ""
        if len(hidden) >= 4:
            layer.append(View(name, hidden, covert=True))
    seen = {view.text for view in layer}
    for level in range(depth + 1):
        deeper: list[View] = []
        for view in layer:
            yield view
            yield from _undisguised(view, seen)
            if level < depth:
                deeper += _decoded(view, seen)
        layer = deeper


def _decoded(view: View, seen: set[str]) -> Iterator[View]:
    for name, decode in DECODERS.items():
        text = plain(decode(view.text))
        if len(text) >= 6 and text not in seen:
            seen.add(text)
            # escapes are how ordinary text is written in JSON, HTML and addresses; the other encodings hide it from a reader
            yield View(f"{name} in {view.name}", text, covert=view.covert or name != "escapes")


def _undisguised(view: View, seen: set[str]) -> Iterator[View]:
    for name, take_off in DISGUISES.items():
        text = take_off(view.text)
        if text and text not in seen:
            seen.add(text)
            yield View(f"{view.name}, {name}", text, covert=True, disguised=True)
