"""Many prompts at once: jobs on the model's scheduler, results in order.

Knows how prompts and settings become jobs and jobs become results. Knows nothing of steps or pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from collections.abc import Sequence as Items
from dataclasses import dataclass, replace

from tokenloom.errors import TokenloomError
from tokenloom.runtime.generation import Request, TokenLogprob
from tokenloom.runtime.interrupt import BetweenSteps
from tokenloom.runtime.scheduler import Job, Scheduler
from tokenloom.text.stream import StopMatcher, TextStream
from tokenloom.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Result:
    """One prompt's outcome. `error` is set instead of a finish reason when this sequence failed; the others are not touched.

    `cached_tokens` of the prompt were found computed, `prefilled_tokens` were computed for it.
    """

    text: str
    tokens: list[int]
    finish_reason: str | None
    cached_tokens: int
    prefilled_tokens: int
    logprobs: list[TokenLogprob] | None = None
    error: TokenloomError | None = None


class TextJob:
    """A job whose tokens are read as text while they come, so that a stop string ends it."""

    def __init__(self, prompt: list[int], request: Request, tokenizer: Tokenizer, *, reuse: bool) -> None:
        self._stream, self._matcher, self._tokenizer = TextStream(), StopMatcher(request.stop), tokenizer
        self._pieces: list[str] = []
        self.job = Job(prompt, request, reuse, on_token=self._read)

    def _read(self, token: int) -> None:
        if self._tokenizer.is_special(token):
            return
        piece, stopped = self._matcher.feed(self._stream.feed(self._tokenizer.token_bytes(token)))
        self._pieces.append(piece)
        if stopped:
            self.job.finish_reason = "stop"

    def result(self) -> Result:
        job, matcher = self.job, self._matcher
        if not matcher.stopped:
            rest, stopped = matcher.feed(self._stream.flush())
            self._pieces.append(rest if stopped else rest + matcher.flush())
        reason = None if job.error else "stop" if matcher.stopped else job.finish_reason
        logprobs = job.logprobs if job.request.settings.logprobs is not None else None
        cached = job.cached_tokens or 0
        return Result("".join(self._pieces), job.tokens, reason, cached, job.prefilled_tokens, logprobs, job.error)


def samples_of(request: Request, n: int) -> list[Request]:
    """n requests that differ in their seed alone: sample i is what seed + i gives."""
    settings = request.settings
    return [replace(request, settings=replace(settings, seed=(settings.seed + i) % 2**64)) for i in range(n)]


def run_all(scheduler: Scheduler, jobs: Items[Job], on_end: Callable[[int], None] = lambda number: None) -> None:
    """Drives jobs to their ends, telling `on_end` the number of each when it comes; on any exception (Ctrl-C too) none stays behind."""
    ended: deque[int] = deque()
    for number, job in enumerate(jobs):
        job.on_end = lambda number=number: ended.append(number)  # type: ignore[misc]
    left = len(jobs)
    with BetweenSteps() as interrupts:
        try:
            scheduler.submit(jobs)
            while left:
                scheduler.advance()
                while ended:
                    left -= 1
                    on_end(ended.popleft())
                interrupts.check()
        finally:
            scheduler.cancel(jobs)


def generate_many(
    scheduler: Scheduler, tokenizer: Tokenizer, prompts: Items[list[int]], request: Request, *, n: int, reuse: bool
) -> list[Result]:
    """Results in the prompts' order, n for each."""
    jobs = [TextJob(prompt, each, tokenizer, reuse=reuse) for prompt in prompts for each in samples_of(request, n)]
    run_all(scheduler, [text_job.job for text_job in jobs])
    return [text_job.result() for text_job in jobs]
