"""Characters that make a text other than it looks: invisible ones inside words, text in tags, overridden direction, mixed scripts.

Knows what honest texts use such characters for (emoji, right-to-left text, Indic and Persian joining, soft hyphens, technical terms with
Greek letters) and counts only the rest. Knows nothing of what the text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokenloom.screen.confusables import IMITATORS
from tokenloom.screen.verdict import Finding

_FLAG = re.compile("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{1,8}\U000e007f")  # Scotland, say
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_RUN = re.compile("[\u200b-\u200f\u2060-\u2064\u180e\ufeff\u061c\u3164\u115f\u1160]{6,}")
_IN_WORD = re.compile("[a-zA-Z][\u200b-\u200d\u2060-\u2064\u180e\ufeff\u3164\u115f\u1160\u034f]{1,5}(?=[a-zA-Z])")
_OVERRIDE = re.compile("[\u202d\u202e]")
_MIXED = re.compile(f"[a-zA-Z][{IMITATORS}]|[{IMITATORS}][a-zA-Z]")
_MARKS = re.compile("[\u0300-\u036f\u0489]{3,}")
_CONCEAL = re.compile(r"\x1b\[(?:[0-9;]{0,20};)?8m")

RULE_NAMES = frozenset(
    "hidden." + name
    for name in (
        "tag-characters",
        "variation-selectors",
        "invisible-run",
        "invisible-in-word",
        "direction-override",
        "mixed-script",
        "stacked-marks",
        "concealed-output",
    )
)


def find_hidden(original: str) -> Iterator[Finding]:
    """Looks at the original: a canonical copy has lost what is counted here."""

    def seen(name: str, weight: int, count: int, what: str) -> Finding:
        return Finding(f"hidden.{name}", weight, "text", f"{count} {what}")

    if _CONCEAL.search(original):
        yield seen("concealed-output", 2, len(_CONCEAL.findall(original)), "escapes that conceal what follows")
    if original.isascii():
        return
    if count := sum(map(len, _TAGS.findall(_FLAG.sub("", original)))):
        yield seen("tag-characters", 3, count, "tag characters")
    if runs := _SELECTORS.findall(original):
        yield seen("variation-selectors", 3, sum(map(len, runs)), "variation selectors in a row")
    if runs := _RUN.findall(original):
        yield seen("invisible-run", 2, sum(map(len, runs)), "invisible characters in a row")
    if (count := len(_IN_WORD.findall(original))) > 2:
        yield seen("invisible-in-word", 2, count, "invisible characters within words")
    if count := len(_OVERRIDE.findall(original)):
        yield seen("direction-override", 2, count, "overrides of the writing direction")
    if count := len(_MIXED.findall(original)):
        yield seen(
            "mixed-script", 2 if count > 3 else 1, count, "places where a word goes on in letters that imitate Latin"
        )
    if (count := len(_MARKS.findall(original))) > 4:
        yield seen("stacked-marks", 1, count, "stacks of three or more marks")
