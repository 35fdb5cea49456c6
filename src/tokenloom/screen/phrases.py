"""A small language for phrases, compiled to patterns whose time is linear in the text.

    "{VERB} ~3 {PRIOR} ~2 {ORDERS}"     words in order; ~3: up to three others between, within a sentence
    "new system? prompt|instructions"   alternatives, and a word that may be missing; pay_attention: two words

Knows how words are parted in a skeleton. Knows no phrase. Nothing repeats without a bound, and no two neighbours of a pattern can
match the same character, so that each place of a text is given up after a bounded number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokenloom.screen.canonical import letters, skeleton

GAP = r"[\W_]{1,6}"


def _filler(words: str) -> str:
    return r"(?:[^\W_]{1,24}[^\w.!?]{1,4}){0," + words + "}?"


def _alternatives(token: str, classes: Mapping[str, Sequence[str]]) -> list[str]:
    parts = [classes[part[1:-1]] if part.startswith("{") else [part] for part in token.split("|")]
    return [word for part in parts for word in part]


def _spaced_word(word: str) -> str:
    return GAP.join(re.escape(skeleton(part)) for part in word.split("_"))


@dataclass(frozen=True)
class Phrase:
    """A compiled phrase. One of `anchors` is in every text that matches; to look for them first is quick."""

    pattern: re.Pattern[str]
    anchors: tuple[str, ...]

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if any(anchor in text for anchor in self.anchors) else None


def _anchors(places: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The place that is rarest in texts, judging by the length of its shortest word; words that contain another add nothing."""
    rarest = max(places, key=lambda words: (min(4, min(map(len, words))), -len(words)))
    chosen = set(rarest)
    return tuple(sorted(word for word in chosen if not any(other in word and other != word for other in chosen)))


def _longest_part(word: str) -> str:
    return max([skeleton(part) for part in word.split("_")], key=len)


def spaced(template: str, classes: Mapping[str, Sequence[str]]) -> Phrase:
    """Over skeletons."""
    tokens, parts, required = template.split(), [r"(?<![^\W_])"], []
    for place, token in enumerate(tokens):
        if token.startswith("~"):
            parts.append(_filler(token[1:]))
            continue
        optional = token.endswith("?")
        words = _alternatives(token.removesuffix("?"), classes)
        either = "|".join(map(_spaced_word, words))
        gap = GAP if place + 1 < len(tokens) else r"(?![^\W_])"
        parts.append(f"(?:(?:{either}){gap})?" if optional else f"(?:{either}){gap}")
        if not optional:
            required.append([*map(_longest_part, words)])
    return Phrase(re.compile("".join(parts)), _anchors(required))


def unspaced(template: str, classes: Mapping[str, Sequence[str]]) -> Phrase:
    """Over a skeleton of a script that puts no spaces between words: `~5` is up to five characters."""
    parts, required = [], []
    for token in template.split():
        if token.startswith("~"):
            parts.append(f"[^。.!?]{{0,{token[1:]}}}?")
        else:
            words = [*map(skeleton, _alternatives(token, classes))]
            parts.append("(?:" + "|".join(map(re.escape, words)) + ")")
            required.append(words)
    return Phrase(re.compile("".join(parts)), _anchors(required))


def run_together(template: str, classes: Mapping[str, Sequence[str]]) -> Phrase:
    """Over letters alone; every word is spelt out, `{NAME}*` is up to four of a class."""
    parts, required = [], []
    for token in template.split():
        words = [letters(skeleton(word)) for word in _alternatives(token.removesuffix("*"), classes)]
        parts.append("(?:" + "|".join(words) + ")" + ("{0,4}" if token.endswith("*") else ""))
        if not token.endswith("*"):
            required.append(words)
    return Phrase(re.compile("".join(parts)), _anchors(required))
