"""What a screen answers: an action, and the reasons for it.

Knows how actions are ordered and what a reason holds. Knows nothing of how a text is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Action(StrEnum):
    """What happens to a text. In order of strictness; an action equals its name (`verdict.action == "page"`)."""

    ADMIT = "admit"  # it enters the session
    PAGE = "page"  # it is kept outside, and a pointer to it enters instead
    QUARANTINE = "quarantine"  # nothing of it enters


_STRICTNESS = {action: place for place, action in enumerate(Action)}


def strictest(actions: Iterable[Action]) -> Action:
    """The most restrictive of some actions; ADMIT when there are none."""
    return max(actions, key=_STRICTNESS.__getitem__, default=Action.ADMIT)


class Provenance(StrEnum):
    """How far the author of a text is trusted. In order, the least trusted last."""

    TRUSTED = "trusted"  # the operator wrote it, or has looked at it
    INTERNAL = "internal"  # a tool of one's own made it from one's own data
    UNTRUSTED = "untrusted"  # anybody may have written it: web pages, mail, uploads


_DISTANCE = {level: place for place, level in enumerate(Provenance)}


def least_trusted(levels: Iterable[Provenance]) -> Provenance:
    """The least trusted of some levels (at least one)."""
    return max(levels, key=_DISTANCE.__getitem__)


@dataclass(frozen=True, slots=True)
class Finding:
    """What a detector saw: a rule (`category.name`), how telling it is (1 a hint, 2 likely, 3 sure), and where."""

    rule: str
    weight: int
    view: str  # which copy of the text showed it: "text", "base64 in text", ...
    excerpt: str  # of that copy, at most EXCERPT characters; of a secret, its first characters only

    @property
    def category(self) -> str:
        return self.rule.partition(".")[0]


EXCERPT = 80


def excerpt_of(text: str, start: int, stop: int) -> str:
    """text[start:stop], on one line and at most EXCERPT characters."""
    cut = " ".join(text[start : min(stop, start + 2 * EXCERPT)].split())
    return cut if len(cut) <= EXCERPT else cut[: EXCERPT - 1] + "…"


@dataclass(frozen=True, slots=True)
class Reason(Finding):
    """A finding and the action it asks for under the policy; ADMIT: it was seen, and was not enough."""

    action: Action

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("rule", "action", "weight", "view", "excerpt")}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one text. `reasons`: the strictest first; empty when nothing was seen."""

    action: Action
    reasons: tuple[Reason, ...]
    source: str
    provenance: Provenance
    chars: int
    sha256: str  # of the text as given, so that a verdict can be matched to its text without keeping it

    @property
    def admitted(self) -> bool:
        return self.action == Action.ADMIT

    def as_dict(self) -> dict[str, Any]:
        names = ("action", "source", "provenance", "chars", "sha256")
        return {name: getattr(self, name) for name in names} | {"reasons": [r.as_dict() for r in self.reasons]}
