"""The one exception tree.

Knows how a failure is named. Knows nothing about what failed: every room raises these, none defines its own.
"""

from __future__ import annotations


class TokenloomError(Exception):
    """Base of every error tokenloom raises on purpose; its text names the thing and the remedy."""


class FormatError(TokenloomError):
    """A file is damaged, truncated or not what it claims to be; the text names the file and the field."""


class UnsupportedError(TokenloomError):
    """A well-formed input asks for something tokenloom does not do; the text names it."""


class RequestError(TokenloomError, ValueError):
    """A caller's argument cannot be honoured; the text names the argument, the value and what would work."""


class TierError(RequestError):
    """An unknown tier, or one this CPU lacks."""


class ContextOverflowError(RequestError):
    """A prompt does not fit the context; the text gives both numbers."""


class OutOfBudgetError(TokenloomError):
    """A memory, time or size budget is exhausted."""


class TemplateError(TokenloomError):
    """A chat template is broken, unsafe, or exceeded its budget."""


class RunError(TokenloomError):
    """One sequence of a step failed; `run` is its number in the batch. Nothing of the step was committed."""

    def __init__(self, text: str, run: int) -> None:
        super().__init__(text)
        self.run = run


class NothingAllowedError(RunError, RequestError):
    """Every token is forbidden by a bias or a mask."""


class NonFiniteLogitsError(RunError):
    """The forward pass produced a NaN or an infinity; the text names the step and the position."""


class SessionBusyError(TokenloomError):
    """One session was used from two places at once."""


class ClosedError(TokenloomError):
    """A model or session was used after close()."""
