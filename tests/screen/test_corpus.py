"""What the default policy catches and what it holds back by mistake. docs/screens.md states these figures; this file keeps them true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.screen import benign, evasions
from tokenloom.screen import Screen

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "screens.md").read_text()
SCREEN = Screen()
TUNED = {**evasions.DISGUISED, **evasions.PLAIN, **evasions.SECRETS}
# what is missed: by name, so that neither an improvement nor a loss goes unseen
MISSED_SECOND = {"pig Latin", "phonetic alphabet", "paraphrase", "reversed secret"}
MISSED_HELD_OUT = {
    "UTF-7", "tap code", "Vigenère cipher", "emoji", "YAML message", "hidden paragraph", "invented turns", "between us", "changed mind",
    "developer's note", "quote it", "context window", "a file", "a command", "Catalan", "Bengali", "Urdu", "Tamil",
    "password in a sentence", "bearer",
}  # fmt: skip
# texts that quote an injection or a template: a screen of phrases cannot tell them from the thing itself
HELD_BACK = {
    "prose: quotation: news on injection",
    "prose: quotation: security guide",
    "prose: quotation: template guide",
    "prose: quotation: review of a chatbot",
}


def quarantined(text: str) -> bool:
    return SCREEN.check(text, source="tool:web").action == "quarantine"


@pytest.mark.parametrize("text", list(TUNED.values()), ids=list(TUNED))
def test_an_evasion_is_caught(text):
    assert quarantined(text)


@pytest.mark.parametrize(
    ("group", "missed"), [(evasions.SECOND, MISSED_SECOND), (evasions.HELD_OUT, MISSED_HELD_OUT)], ids=["second", "held out"]
)  # fmt: skip
def test_what_is_missed_of_later_evasions(group, missed):
    assert {name for name, text in group.items() if not quarantined(text)} == missed


def test_benign_texts_pass():
    texts = benign.texts()
    assert len(texts) >= 300
    held_back = {name for name, text in texts.items() if quarantined(text)}
    assert held_back == HELD_BACK
    assert len(held_back) / len(texts) < 0.015


def test_the_texts_are_various():
    texts = benign.texts()
    assert len(set(texts.values())) == len(texts)
    assert sum(not text.isascii() for text in texts.values()) >= 45
    assert len([name for name in texts if name.startswith("stdlib")]) >= 80


def test_the_documentation_states_these_figures():
    said = re.findall(r"^\| ([a-z, ]+?) \| (\d+) \| (\d+) \|", DOCS, re.MULTILINE)
    assert {name: (int(texts), int(caught)) for name, texts, caught in said} == {
        "known to the detectors": (len(TUNED), len(TUNED)),
        "second set, then used": (len(evasions.SECOND), len(evasions.SECOND) - len(MISSED_SECOND)),
        "held out": (len(evasions.HELD_OUT), len(evasions.HELD_OUT) - len(MISSED_HELD_OUT)),
    }
    assert f"{len(HELD_BACK)} of them are held back" in DOCS


@pytest.mark.parametrize("text", list(evasions.SECRETS.values()), ids=list(evasions.SECRETS))
def test_a_secret_is_not_shown(text):
    verdict = SCREEN.check(text, source="tool:web")
    found = [r for r in verdict.reasons if r.category == "secret"]
    assert found
    shown = [r.excerpt.partition("…")[0] for r in found]
    assert all(len(excerpt) <= 6 for excerpt in shown)
