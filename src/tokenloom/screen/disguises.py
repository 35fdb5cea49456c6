"""Texts that are written the wrong way round, in a simple cipher, or with letters moved: each disguise and how it is taken off.

Knows the words that a disguised instruction would have to contain. Knows nothing of rules.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator

from tokenloom.screen.canonical import skeleton
from tokenloom.screen.confusables import TURNED, TURNED_ONLY

# what is looked for in ciphers and among misspelt words
_KEYWORDS = (
    "ignore disregard forget override bypass previous prior above earlier preceding system instructions instruction "
    "prompts prompt guidelines directives reveal password credentials assistant"
)
KEYWORDS = tuple(_KEYWORDS.split())


def reversed_text(text: str) -> str:
    return text[::-1]


_WORD = re.compile(r"[^\W\d_]+")


def reversed_words(text: str) -> str:
    return _WORD.sub(lambda m: m.group()[::-1], text)


def words_in_reverse(text: str) -> str:
    return " ".join(reversed(text.split()))


def turned(text: str) -> str:
    """Upside down: turned letters, the last one first."""
    return text.translate(TURNED)[::-1] if len(TURNED_ONLY.intersection(text)) > 2 else ""


_TAG = re.compile(r"<[^<>]{0,400}>")


def untagged(text: str) -> str:
    """Without mark-up, which can part a word where a reader sees none."""
    return _TAG.sub("", text) if "<" in text else ""


_LOWER = string.ascii_lowercase


def _shifted(by: int) -> dict[int, int]:
    return str.maketrans(_LOWER, _LOWER[by:] + _LOWER[:by])


_CIPHERS = {f"Caesar cipher, {n}": (_shifted(26 - n), _shifted(n)) for n in range(1, 26)}
_CIPHERS["Atbash cipher"] = (str.maketrans(_LOWER, _LOWER[::-1]),) * 2
_LONG = [word for word in KEYWORDS if len(word) >= 6]
_CIPHERED = {word.translate(there): name for name, (_, there) in _CIPHERS.items() for word in _LONG}
_CIPHER_WORD = re.compile(r"\b(?:" + "|".join(sorted(_CIPHERED)) + r")\b")


def deciphered(text: str) -> str:
    """Under each cipher of which two key words (one, in a short text) occur: the whole text."""
    text = text.lower()
    names = [_CIPHERED[m.group()] for m in _CIPHER_WORD.finditer(text)]
    wanted = sorted({name for name in names if names.count(name) > 1 or len(text) < 2000})
    return "\n".join(text.translate(_CIPHERS[name][0]) for name in wanted)


_ROT47 = {33 + n: 33 + (n + 47) % 94 for n in range(94)}
_ROT47_WORDS = [word.translate(_ROT47) for word in _LONG]


def rot47(text: str) -> str:
    return text.translate(_ROT47) if any(word in text for word in _ROT47_WORDS) else ""


def _without_one(word: str) -> Iterator[str]:
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


def _scramble(word: str) -> tuple[str, str, str]:
    return word[0], word[-1], "".join(sorted(word[1:-1]))


_TARGETS = [word for word in KEYWORDS if len(word) >= 5]
_NEAR = {near: word for word in _TARGETS for near in (*_without_one(word), word)}
_SCRAMBLED = {_scramble(word): word for word in _TARGETS}
_LATIN_WORD = re.compile(r"[a-z]{4,15}")


def _meant(word: str) -> str | None:
    """The key word that a misspelt one stands for: one letter more, less or other, or its inner letters in another order."""
    if word in KEYWORDS:
        return None
    target = _SCRAMBLED.get(_scramble(word)) or _NEAR.get(word)
    if target is None:
        target = next((_NEAR[near] for near in _without_one(word) if near in _NEAR), None)
    return None if target and word.startswith(target) else target  # an inflection is a word of its own


def respelt(text: str) -> str:
    """With misspelt key words set right; "" if there are none."""
    folded = skeleton(text)
    right = {word: meant for word in set(_LATIN_WORD.findall(folded)) if (meant := _meant(word))}
    return _LATIN_WORD.sub(lambda m: right.get(m.group(), m.group()), folded) if right else ""


DISGUISES: dict[str, Callable[[str], str]] = {
    "reversed": reversed_text,
    "reversed words": reversed_words,
    "words in reverse order": words_in_reverse,
    "upside down": turned,
    "mark-up removed": untagged,
    "cipher": deciphered,
    "rot47": rot47,
    "misspelt": respelt,
}
