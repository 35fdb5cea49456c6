"""Many prompts at once: jobs on the model's scheduler, results in order.

Knows how prompts and settings become jobs and jobs become results. Knows nothing of steps or pages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from tokenloom.errors import TokenloomError
from tokenloom.runtime.engine import MAX_OUTS
from tokenloom.runtime.generation import Drafts, Request, TokenLogprob
from tokenloom.runtime.interrupt import BetweenSteps
from tokenloom.runtime.job import Job
from tokenloom.runtime.scheduler import Scheduler
from tokenloom.runtime.speculation import BeginDrafting
from tokenloom.text.stream import StopMatcher, TextStream
from tokenloom.text.tokenizer import Tokenizer

_AHEAD = 4 * MAX_OUTS  # jobs of one caller that are submitted at once: enough for a full step, whichever end first


@dataclass(frozen=True)
class Result:
    """One prompt's outcome. `error` is set instead of a finish reason when this sequence failed; the others are not touched.

    `cached_tokens` of the prompt were found computed, `prefilled_tokens` were computed for it. `drafts`: how guessing ahead went, if asked for.
    """

    text: str
    tokens: list[int]
    finish_reason: str | None
    cached_tokens: int
    prefilled_tokens: int
    logprobs: list[TokenLogprob] | None = None
    error: TokenloomError | None = None
    drafts: Drafts | None = None


class TextJob:
    """A job whose tokens are read as text while they come, so that a stop string ends it."""

    def __init__(
        self,
        prompt: list[int],
        request: Request,
        tokenizer: Tokenizer,
        *,
        reuse: bool,
        drafting: BeginDrafting | None = None,
    ) -> None:
        self._stream, self._matcher, self._tokenizer = TextStream(), StopMatcher(request.stop), tokenizer
        self._pieces: list[str] = []
        begun = drafting() if drafting is not None else None
        self.job = Job(prompt, request, reuse, on_token=self._read, drafting=begun)

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
        drafts = job.drafting.drafts if job.drafting is not None else None
        return Result(
            "".join(self._pieces), job.tokens, reason, cached, job.prefilled_tokens, logprobs, job.error, drafts
        )


def samples_of(request: Request, n: int) -> list[Request]:
    """n requests that differ in their seed alone: sample i is what seed + i gives."""
    settings = request.settings
    return [replace(request, settings=replace(settings, seed=(settings.seed + i) % 2**64)) for i in range(n)]


def run_all(scheduler: Scheduler, jobs: Iterable[Job], on_end: Callable[[Job], None] = lambda job: None) -> None:
    """Drives jobs to their ends, telling `on_end` of each when it comes; on any exception (Ctrl-C too) none stays behind.

    Jobs are taken as they are needed, so there may be more than memory holds at once.
    """
    coming, under_way = iter(jobs), set[Job]()
    ended: deque[Job] = deque()
    with BetweenSteps() as interrupts:
        try:
            while True:
                for job in islice(coming, _AHEAD - len(under_way)):
                    job.on_end = partial(ended.append, job)
                    under_way.add(job)
                    scheduler.submit([job])
                if not under_way:
                    return
                scheduler.advance()
                while ended:
                    job = ended.popleft()
                    under_way.remove(job)
                    on_end(job)
                interrupts.check()
        finally:
            scheduler.cancel(under_way)


def generate_many(
    scheduler: Scheduler,
    tokenizer: Tokenizer,
    prompts: Items[list[int]],
    request: Request,
    *,
    n: int,
    reuse: bool,
    drafting: BeginDrafting | None = None,
) -> list[Result]:
    """Results in the prompts' order, n for each."""
    jobs = [
        TextJob(prompt, each, tokenizer, reuse=reuse, drafting=drafting)
        for prompt in prompts
        for each in samples_of(request, n)
    ]
    run_all(scheduler, [text_job.job for text_job in jobs])
    return [text_job.result() for text_job in jobs]


@dataclass(frozen=True)
class Ask:
    """One of many requests that differ."""

    prompt: list[int]
    request: Request
    reuse: bool = True
    drafting: BeginDrafting | None = None


def generate_each(
    scheduler: Scheduler, tokenizer: Tokenizer, asks: Iterable[Callable[[], Ask]], on_end: Callable[[int, Result], None]
) -> None:
    """Tells `on_end` the number and the result of each ask when it ends; one that raises when it is called has that error for a result."""
    started: dict[Job, tuple[int, TextJob]] = {}

    def jobs() -> Iterator[Job]:
        for number, make in enumerate(asks):
            try:
                ask = make()
            except TokenloomError as problem:
                on_end(number, Result("", [], None, 0, 0, None, problem))
            else:
                text_job = TextJob(ask.prompt, ask.request, tokenizer, reuse=ask.reuse, drafting=ask.drafting)
                started[text_job.job] = number, text_job
                yield text_job.job

    def ended(job: Job) -> None:
        number, text_job = started.pop(job)
        on_end(number, text_job.result())

    run_all(scheduler, jobs(), ended)
