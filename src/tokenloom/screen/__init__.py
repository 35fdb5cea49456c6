"""Screens for agent contexts: results of tools are admitted, quarantined or paged before they enter a session's cache.

    screen = tokenloom.screen.Screen("policy.json")
    verdict = screen.check(text, source="tool:web")
    offer = screen.offer(session, text, source="tool:web")

See docs/screens.md. This room knows verdicts on text; it does not know the engine.
"""

from __future__ import annotations

from tokenloom.screen.policy import Policy
from tokenloom.screen.screen import Offer, Screen
from tokenloom.screen.shelf import Pointer
from tokenloom.screen.verdict import Action, Provenance, Reason, Verdict

__all__ = ["Action", "Offer", "Pointer", "Policy", "Provenance", "Reason", "Screen", "Verdict"]
