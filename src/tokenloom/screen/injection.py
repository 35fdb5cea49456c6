"""Instructions to a model where only data should be: the rules, and how they are matched.

Knows how the phrases of `phrasebook` and `languages` are looked for in a copy of a text. Knows nothing of how the text hid them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tokenloom.screen.languages import OVERRIDES
from tokenloom.screen.phrasebook import RULES as RULE_TABLE
from tokenloom.screen.phrasebook import WORDS, rows
from tokenloom.screen.phrases import Phrase, run_together, spaced
from tokenloom.screen.verdict import Finding, excerpt_of
from tokenloom.screen.views import View

CLASSES = {name: tuple(words.split()) for name, words in rows(WORDS)}


@dataclass(frozen=True)
class Rule:
    name: str
    weight: int
    phrase: Phrase


def _rule(head: str, template: str) -> Rule:
    name, weight = head.split()
    return Rule(f"injection.{name}", int(weight), spaced(template, CLASSES))


RULES = tuple(_rule(head, template) for head, template in rows(RULE_TABLE))
_TIGHT_TABLE = (
    ("override", 3, "{TIGHT} {LINK}* {BEFORE} {LINK}* {WHAT}"),
    ("override", 3, "{TIGHT} all|any|your|the {LINK}* instructions|prompts|guidelines|programming"),
    ("override", 3, "{TIGHT} everything|all above|before|previously"),
    ("reveal-prompt", 2, "reveal|print|repeat|show|leak your|the|me {LINK}* systemprompt|initialprompt|hiddenprompt|hiddeninstructions"),
    ("jailbreak", 2, "youarenow dan|jailbroken|unrestricted|anunrestricted|freefrom"),
    ("new-instructions", 2, "newsystem instructions|prompt follow|is|are|you|ignore"),
    ("conceal", 2, "donot|dont|never|without tell|telling|inform|informing|alert the|your user|users"),
)  # fmt: skip
# over letters alone, so that nothing between them helps; only what no ordinary words run together would say
_TIGHT = tuple(Rule(f"injection.{name}", weight, run_together(table, CLASSES)) for name, weight, table in _TIGHT_TABLE)
# a message that the address of an image or a link's address carries out, to be filled in by the model
_OUTGOING = re.compile(
    r"(?:!\[[^\[\]]{0,120}\]\(|^\[[^\[\]]{1,60}\]: {0,3})https?://[^()\s{}<\[]{1,300}(?:\{|%7b|<|\[)",
    re.IGNORECASE | re.MULTILINE,
)


def find_injections(view: View) -> Iterator[Finding]:
    """Of each rule that matches, its first match. In a covert copy, what would be likely is sure."""
    for rule in _TIGHT:
        for run in view.letters:
            if match := rule.phrase.search(run):
                yield _finding(rule, view, run, match)
    if view.disguised:
        return
    folded = view.skeleton
    for rule in RULES:
        if match := rule.phrase.search(folded):
            yield _finding(rule, view, folded, match)
    for phrase in OVERRIDES:
        if match := phrase.search(folded):
            yield Finding("injection.override", 3, view.name, excerpt_of(folded, *match.span()))
    if match := _OUTGOING.search(view.text):
        yield Finding("injection.outgoing-image", 2, view.name, excerpt_of(view.text, *match.span()))


def _finding(rule: Rule, view: View, text: str, match: re.Match[str]) -> Finding:
    weight = 3 if view.covert and rule.weight > 1 else rule.weight
    return Finding(rule.name, weight, view.name, excerpt_of(text, *match.span()))


RULE_NAMES = frozenset(rule.name for rule in RULES) | {"injection.outgoing-image", "injection.denied-phrase"}
