"""No text makes a screen slow: twice the text takes about twice the time, for texts made to keep each kind of pattern trying."""

from __future__ import annotations

import random
import time

import pytest

from tokenloom.screen import Screen
from tokenloom.screen.phrasebook import WORDS, rows

WORDS_OF_RULES = [word.replace("_", " ") for _, words in rows(WORDS) for word in words.split()]
RNG = random.Random(11)
SEEDS = {
    "one letter": "a",
    "one word": "ignore ",
    "beginnings of an order": "ignore all the of your my ",
    "run-together links": "ignoreallanyoftheyourmythese",
    "words of the rules": " ".join(RNG.choice(WORDS_OF_RULES) for _ in range(400)) + " ",
    "words of the rules, run together": "".join(RNG.choice(WORDS_OF_RULES) for _ in range(400)),
    "Spanish beginnings": "ignora todas ",
    "Chinese beginnings": "忽略之前",
    "Russian": "игнорируй забудь все ",
    "spaces": " ",
    "lines": "\n",
    "punctuation": "-._,;:!? ",
    "PEM heads": "-----BEGIN RSA PRIVATE KEY-----\nA: b\n",
    "web token heads": "eyJaaaaaaaaaaaaaaaaaa.",
    "assignments": "password=token:",
    "addresses": "http://a:b",
    "image heads": "![a](https://b",
    "tags": "<a ",
    "role headings": "# system",
    "percent signs": "%4",
    "backslashes": "\\u00",
    "entities": "&#6",
    "hexadecimal": "0x4",
    "hexadecimal, whole": "6a",
    "binary": "0110",
    "dots and dashes": ".- ",
    "numbers": "73 ",
    "places": "7-",
    "base64": "SWdub3Jl",
    "base85": "aB1!",
    "combining marks": "a\u0301\u0301\u0301",
    "zero-width": "a\u200b",
    "tag characters": "\U000e0041",
    "escape sequences": "\x1b[0",
    "dotted names": "a.b@c/",
    "quotes": '" + "',
}
SMALL = 10_000


def seconds(screen: Screen, text: str) -> float:
    start = time.process_time()
    screen.check(text, source="tool:hostile")
    return time.process_time() - start


@pytest.mark.parametrize("seed", list(SEEDS.values()), ids=list(SEEDS))
def test_time_is_linear(seed):
    screen = Screen({"page_above_chars": 10_000_000, "max_chars": 10_000_000})
    text = seed * (4 * SMALL // len(seed) + 1)
    small = min(seconds(screen, text[:SMALL]) for _ in range(2))
    large = seconds(screen, text[: 4 * SMALL])
    assert large < 8 * small + 0.05, f"{SMALL} characters took {small:.3f} s, four times as many {large:.3f} s"
    assert large < 2.5
