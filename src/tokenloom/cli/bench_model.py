"""`tokenloom bench model`. Knows arguments and output; knows nothing of measuring."""

from __future__ import annotations

from tokenloom.errors import UnsupportedError


def command() -> int:
    """(Being built.)"""
    raise UnsupportedError("tokenloom bench model is not there yet")
