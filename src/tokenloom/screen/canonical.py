"""Canonical copies of a text: what a reader, or a model, would take it to say.

Knows Unicode: invisible characters, compatibility forms, marks, confusables. Does not know what is being looked for.
The original is never changed: a text that is admitted is admitted as it was given.
"""

from __future__ import annotations

import re
import unicodedata

from tokenloom.screen.confusables import CONFUSABLE

# blanks that show nothing, beside category Cf
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SPACES = {"\u2800": " ", "\u2028": "\n", "\u2029": "\n", "\u0085": "\n"}


class _Visible(dict[int, str | None]):
    """For `str.translate`: None for what is invisible, looked up once per character that occurs."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        hidden = char in _BLANKS or is_variation(code) or unicodedata.category(char) in ("Cf", "Co", "Cs")
        self[code] = value = None if hidden else _SPACES.get(char, char)
        return value


class _Unmarked(dict[int, str | None]):
    """None for combining marks; of a confusable, the Latin letter it looks like."""

    def __missing__(self, code: int) -> str | None:
        marks = unicodedata.category(chr(code)) in ("Mn", "Me")
        self[code] = value = None if marks else CONFUSABLE.get(code, chr(code))
        return value


_VISIBLE, _UNMARKED = _Visible(), _Unmarked()


def is_variation(code: int) -> bool:
    """Whether a code point is a variation selector, of which there are 256: one for every byte."""
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


_CONTROLS: dict[int, None] = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), None)
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[A-Za-z]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_])")


def plain(text: str) -> str:
    """Without invisible and control characters, in compatibility form (NFKC); case, lines and scripts are kept."""
    if not text.isprintable():
        text = _ANSI.sub("", text).translate(_CONTROLS)
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_VISIBLE))


def skeleton(text: str) -> str:
    """Lower case, no marks, confusables as the Latin letter they look like, one space for any white space.

    Patterns are folded by the same function, so a language that loses something by it still meets its own patterns.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFD", plain(text)).translate(_UNMARKED)
        text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.lower().split())


_SYMBOL_I = re.compile(r"!(?=[a-z0-9])|\|")
_ONE_STROKE = str.maketrans("l", "i", "".join(chr(c) for c in range(128) if not "a" <= chr(c) <= "z"))
_LEET = str.maketrans("0134578926@$€£", "oieastbgzbasee")


def letters(folded: str) -> str:
    """Of a skeleton, the Latin letters alone, l written as i: what is left of `i-g n.o.r.e`."""
    return folded.encode("ascii", "ignore").decode().translate(_ONE_STROKE)


def leet_letters(folded: str) -> str:
    """The same with digits and symbols read as the letters they stand for: `1gn0r3 @ll`."""
    return letters(_SYMBOL_I.sub("i", folded).translate(_LEET))
