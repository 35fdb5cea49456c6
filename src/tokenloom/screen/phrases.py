"""A small language for phrases, compiled to patterns whose time is linear in the text.

    "{VERB} ~3 {PRIOR} ~2 {ORDERS}"     words in order; ~3: up to three others between, within a sentence
    "new system? prompt|instructions"   alternatives, and a word that may be missing; pay_attention: two words

Knows how words are parted in a skeleton. Knows no phrase. Nothing repeats without a bound, and no two neighbours of a pattern can
match the same character, so that each place of a text is given up after a bounded number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tokenloom.screen.canonical import letters, skeleton

GAP = r"[\W_]{1,6}"


def _filler(words: str) -> str:
    return r"(?:[^\W_]{1,24}[^\w.!?]{1,4}){0," + words + "}?"


def _alternatives(token: str, classes: Mapping[str, Sequence[str]]) -> list[str]:
    parts = [classes[part[1:-1]] if part.startswith("{") else [part] for part in token.split("|")]
    return [word for part in parts for word in part]


def _spaced_word(word: str) -> str:
    return GAP.join(re.escape(skeleton(part)) for part in word.split("_"))


def spaced(template: str, classes: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """A pattern over skeletons."""
    tokens, parts = template.split(), [r"(?<![^\W_])"]
    for place, token in enumerate(tokens):
        if token.startswith("~"):
            parts.append(_filler(token[1:]))
            continue
        optional = token.endswith("?")
        words = "|".join(_spaced_word(w) for w in _alternatives(token.removesuffix("?"), classes))
        gap = GAP if place + 1 < len(tokens) else r"(?![^\W_])"
        parts.append(f"(?:(?:{words}){gap})?" if optional else f"(?:{words}){gap}")
    return re.compile("".join(parts))


def anchors(template: str, classes: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Of one required place of the template, what each of its alternatives must contain: the place whose words are longest."""
    required = [t for t in template.split() if not t.startswith("~") and not t.endswith("?")]
    places = [{max(map(skeleton, w.split("_")), key=len) for w in _alternatives(t, classes)} for t in required]
    chosen = max(places, key=lambda words: (min(4, min(map(len, words))), -len(words)))
    return tuple(sorted(word for word in chosen if not any(other in word and other != word for other in chosen)))


def unspaced(words: str, classes: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """A pattern over a skeleton of a script that puts no spaces between words: `~5` is up to five characters."""
    parts = []
    for token in words.split():
        if token.startswith("~"):
            parts.append(f"[^。.!?]{{0,{token[1:]}}}?")
        else:
            parts.append("(?:" + "|".join(re.escape(skeleton(w)) for w in _alternatives(token, classes)) + ")")
    return re.compile("".join(parts))


def run_together(template: str, classes: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    """A pattern over letters alone; every word is spelt out, `{NAME}*` is up to four of a class."""
    parts = []
    for token in template.split():
        words = "|".join(letters(skeleton(w)) for w in _alternatives(token.removesuffix("*"), classes))
        parts.append(f"(?:{words})" + ("{0,4}" if token.endswith("*") else ""))
    return re.compile("".join(parts))
