"""Many prompts at once: jobs on a scheduler of one's own, results in order.

Knows how prompts and settings become jobs and jobs become results. Knows nothing of steps or pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, replace

from tokenloom.errors import TokenloomError
from tokenloom.runtime.engine import Engine
from tokenloom.runtime.generation import Request
from tokenloom.runtime.prefix import PrefixTree
from tokenloom.runtime.scheduler import Job, Scheduler
from tokenloom.text.stream import StopMatcher, TextStream
from tokenloom.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Result:
    """One prompt's outcome. `error` is set instead of a finish reason when this sequence failed; the others are not touched."""

    text: str
    tokens: list[int]
    finish_reason: str | None
    cached_tokens: int
    prefilled_tokens: int
    error: TokenloomError | None = None


class TextJob:
    """A job whose tokens are read as text while they come, so that a stop string ends it."""

    def __init__(self, prompt: list[int], request: Request, tokenizer: Tokenizer, *, reuse: bool) -> None:
        self._stream, self._matcher, self._tokenizer = TextStream(), StopMatcher(request.stop), tokenizer
        self._pieces: list[str] = []
        self.job = Job(prompt, request, reuse=reuse, on_token=self._read)

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
        reason = "stop" if matcher.stopped else job.finish_reason
        return Result("".join(self._pieces), job.tokens, reason, job.cached_tokens, job.prefilled_tokens, job.error)


def samples_of(request: Request, n: int) -> list[Request]:
    """n requests that differ in their seed alone: sample i is what seed + i gives."""
    settings = request.settings
    return [replace(request, settings=replace(settings, seed=(settings.seed + i) % 2**64)) for i in range(n)]


def generate_many(
    engine: Engine, tokenizer: Tokenizer, tree: PrefixTree, prompts: Items[list[int]], request: Request, *, n: int, reuse: bool,
    on_result: Callable[[int, Result], None] | None = None,
) -> list[Result]:  # fmt: skip
    """Results in the prompts' order, n for each. On an exception nothing stays behind."""
    jobs = [TextJob(prompt, each, tokenizer, reuse=reuse) for prompt in prompts for each in samples_of(request, n)]
    scheduler = Scheduler(engine, tokenizer.eog_ids, tree)
    results: dict[int, Result] = {}
    try:
        for text_job in jobs:
            scheduler.submit(text_job.job)
        while len(results) < len(jobs):
            if not scheduler.idle:
                scheduler.step()
            for number in _newly_done(jobs, results):
                results[number] = jobs[number].result()
                if on_result:
                    on_result(number, results[number])
    finally:
        scheduler.close()
    return [results[i] for i in range(len(jobs))]


def _newly_done(jobs: Items[TextJob], results: dict[int, Result]) -> Iterator[int]:
    return (i for i, text_job in enumerate(jobs) if text_job.job.done and i not in results)
