"""`tokenloom info`: what a model file holds. Knows layout on a terminal; the facts come from formats.describe."""

from __future__ import annotations


def command() -> int:
    """Describe a model file."""
    return 0
