"""From a text to the reasons against it: all copies, all detectors, and the policy's thresholds.

Knows how findings add up. Knows nothing of sessions, and keeps nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokenloom.screen.canonical import letters, skeleton
from tokenloom.screen.control import find_control
from tokenloom.screen.credentials import find_secrets
from tokenloom.screen.hidden import find_hidden
from tokenloom.screen.injection import find_injections
from tokenloom.screen.policy import Policy
from tokenloom.screen.verdict import Action, Finding, Provenance, Reason, excerpt_of, strictest
from tokenloom.screen.views import View, views

SURE = 3
UNREADABLE = ("size.too-long-to-screen", "text.not-unicode")


@dataclass(frozen=True)
class Denied:
    """A phrase of the policy, folded once."""

    phrase: str
    folded: str
    run: str  # its letters, or "" where they are too few to mean anything run together

    @classmethod
    def of(cls, phrase: str) -> Denied:
        folded = skeleton(phrase)
        run = letters(folded)
        return cls(phrase, folded, run if len(run) >= 8 else "")

    def find(self, view: View) -> Iterator[Finding]:
        if (not view.disguised and self.folded in view.skeleton) or (
            self.run and any(self.run in r for r in view.letters)
        ):
            yield Finding("injection.denied-phrase", SURE, view.name, excerpt_of(self.phrase, 0, len(self.phrase)))


def findings(text: str, policy: Policy, denied: tuple[Denied, ...]) -> list[Finding]:
    """Of each rule the heaviest finding, in the order in which they were seen."""
    best: dict[str, Finding] = {}
    found = [*find_hidden(text)]
    for view in views(text, policy.decode_depth):
        found += (*find_injections(view), *find_control(view), *find_secrets(view))
        for phrase in denied:
            found += phrase.find(view)
    for finding in found:
        if finding.rule not in policy.rules_off and finding.weight > getattr(best.get(finding.rule), "weight", 0):
            best[finding.rule] = finding
    return [*best.values()]


def _unreadable(text: str, policy: Policy) -> Finding | None:
    """Why a text cannot be judged at all."""
    if len(text) > policy.max_chars:
        what = f"{len(text)} characters, and the policy's max_chars is {policy.max_chars}"
        return Finding(UNREADABLE[0], SURE, "text", what)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return Finding(UNREADABLE[1], SURE, "text", f"a lone surrogate at character {error.start}")
    return None


def judge(text: str, provenance: Provenance, policy: Policy, denied: tuple[Denied, ...]) -> tuple[Reason, ...]:
    """The reasons, the strictest and heaviest first."""
    if unreadable := _unreadable(text, policy):
        return (_reason(unreadable, Action.QUARANTINE),)
    seen = findings(text, policy, denied)
    reasons = []
    for finding in seen:
        threshold = policy.thresholds[provenance][finding.category]
        together = sum(other.weight for other in seen if other.category == finding.category)
        enough = threshold is not None and together >= threshold
        reasons.append(_reason(finding, Action.QUARANTINE if enough else Action.ADMIT))
    if len(text) > policy.page_above_chars:
        size = f"{len(text)} characters, and the policy's page_above_chars is {policy.page_above_chars}"
        reasons.append(_reason(Finding("size.oversize", SURE, "text", size), Action.PAGE))
    return ordered(reasons)


def ordered(reasons: list[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=lambda r: (r.action != strictest(x.action for x in reasons), -r.weight)))


def _reason(finding: Finding, action: Action) -> Reason:
    return Reason(finding.rule, finding.weight, finding.view, finding.excerpt, action)
