"""A job: one generation among many, from what is asked to what came of it.

Knows its own tokens, and how many of them are computed. Knows nothing of steps, or of the jobs beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tokenloom.errors import TokenloomError
from tokenloom.runtime.generation import Request, TokenLogprob
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.speculation import Drafting


@dataclass(eq=False)
class Job:
    """One generation. `tokens` are the generated ids; `error` ends it instead of a finish reason."""

    prompt: list[int]
    request: Request
    reuse: bool = True
    on_token: Callable[[int], None] = field(default=lambda token: None, repr=False)  # may set a finish reason
    on_end: Callable[[], None] = field(default=lambda: None, repr=False)
    tokens: list[int] = field(default_factory=list)
    logprobs: list[TokenLogprob] = field(default_factory=list)
    finish_reason: str | None = None
    error: TokenloomError | None = None
    cached_tokens: int | None = None  # None: never started
    prefilled_tokens: int = 0  # computed of the prompt, and after a preemption of all there was
    preemptions: int = 0
    sequence: Sequence | None = field(default=None, repr=False)  # while it runs
    record: int = -1
    drafting: Drafting | None = field(default=None, repr=False)  # None: its tokens come one by one

    @property
    def done(self) -> bool:
        return self.finish_reason is not None or self.error is not None

    @property
    def wanted(self) -> list[int]:
        """All tokens whose slots the next output needs."""
        return self.prompt + self.tokens

    @property
    def length(self) -> int:
        """How many those are."""
        return len(self.prompt) + len(self.tokens)

    @property
    def computed(self) -> Sequence:
        """The sequence of a job that runs."""
        assert self.sequence is not None
        return self.sequence

    @property
    def missing(self) -> int:
        """How many tokens are not computed yet; 1 while it decodes."""
        return self.length - self.computed.length
