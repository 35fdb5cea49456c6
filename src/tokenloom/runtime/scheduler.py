"""The scheduler: many generations advance together, one step at a time.

Knows admission, prompt chunks beside decodes, preemption and cancellation. Knows nothing of text or of how a step is computed. A batch never
changes an answer, so every choice here is about time and memory alone.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tokenloom.errors import OutOfBudgetError, RequestError, RunError, TokenloomError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.engine import MAX_OUTS, MAX_ROWS, Engine, Rows
from tokenloom.runtime.generation import Request, TokenLogprob
from tokenloom.runtime.prefix import PrefixTree
from tokenloom.runtime.sequence import Sequence

_PATIENCE = 0.02  # seconds a thread waits for its turn before it looks whether another's step ended its jobs


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
    sequence: Sequence | None = field(default=None, repr=False)
    record: int = -1

    @property
    def done(self) -> bool:
        return self.finish_reason is not None or self.error is not None

    @property
    def wanted(self) -> list[int]:
        """All tokens whose slots the next output needs."""
        return self.prompt + self.tokens

    @property
    def missing(self) -> int:
        """How many of them are not computed yet; 1 while it decodes."""
        return len(self.prompt) + len(self.tokens) - _sequence(self).length


class Scheduler:
    """`submit` jobs, then `advance` until they are done. Threads may share it: whoever advances advances everyone's jobs, in turns."""

    def __init__(self, engine: Engine, ends: frozenset[int], tree: PrefixTree) -> None:
        self._engine, self._ends, self._tree = engine, ends, tree
        self._turn = threading.RLock()
        self.waiting: deque[Job] = deque()
        self.running: list[Job] = []  # in order of admission
        self._planned: list[Job] = []  # of the step under way, by run

    def submit(self, jobs: Iterable[Job]) -> None:
        """Does not wait for a turn, which a thread that makes one short step after the other hardly ever lets go: an append is atomic."""
        for job in jobs:
            if job.request.max_tokens == 0:
                job.finish_reason = "length"
                job.on_end()
            else:
                self.waiting.append(job)

    def cancel(self, jobs: Iterable[Job]) -> None:
        """Removes exactly these jobs, wherever they are; their pages go back."""
        gone = set(jobs)
        if not gone:  # nothing to wait for a turn for
            return
        with self._turn:
            for job in gone.intersection([*self.waiting]):
                self.waiting.remove(job)  # in place, since another thread may be appending
            for job in [job for job in self.running if job in gone]:
                self._leave(job)

    def advance(self) -> None:
        """One step, unless another thread is at it for long; then look whether it ended your jobs, and come again."""
        if self._turn.acquire(timeout=_PATIENCE):
            try:
                self._admit()
                self._step()
            except BaseException:  # in the middle of a step: what is not done begins again
                for job in [*reversed(self.running)]:
                    (self._leave if job.done else self._preempt)(job)
                raise
            finally:
                self._turn.release()

    # ---- one step --------------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        """Runs one step, and ends the jobs that are finished. Errors end the job they belong to, alone."""
        while self.running:
            batch, outs = self._plan()
            begun = time.perf_counter()
            try:
                with self._engine.lock:
                    self._engine.step(batch, [job.record for job in outs])
                    sampled = [self._engine.sampled(i) for i in range(len(outs))]
            except OutOfBudgetError as problem:
                self._make_room(problem)
            except RunError as problem:
                self._end(self._planned[problem.run], problem)
            else:
                self._computed(batch, time.perf_counter() - begun)
                for job, token in zip(outs, sampled, strict=True):
                    self._take(job, token)
                return

    def _plan(self) -> tuple[list[Rows], list[Job]]:
        """Rows of every decoding job, then prompt chunks in order of arrival while there is room."""
        decoding = sum(job.missing == 1 for job in self.running)
        room = self._engine.beside_rows if decoding else self._engine.chunk_rows
        room = min(room, MAX_ROWS - decoding)
        self._planned = []
        batch: list[Rows] = []
        outs: list[Job] = []
        for job in self.running:
            missing, sequence = job.missing, _sequence(job)
            if missing == 1:
                chunk = (job.tokens or job.prompt)[-1:]
            elif room:
                chunk = job.wanted[sequence.length : sequence.length + room]
                room -= len(chunk)
            else:
                continue
            last = len(chunk) == missing
            batch.append(Rows(sequence, chunk, "last" if last else "none"))
            self._planned.append(job)
            if last:
                outs.append(job)
        return batch, outs

    def _computed(self, batch: list[Rows], seconds: float) -> None:
        """Prompts' full pages can be found by others at once."""
        count = sum(len(rows.tokens) for rows in batch)
        if count > 2 * len(batch):  # mostly prompts
            self._engine.learn_speed(count, seconds)
        for job, rows in zip(self._planned, batch, strict=True):
            decoded = 1 if job.tokens and rows.outs == "last" else 0
            prefilled = len(rows.tokens) - decoded
            job.prefilled_tokens += prefilled
            if prefilled and job.reuse:
                self._tree.remember(_sequence(job))

    def _take(self, job: Job, token: int) -> None:
        """A job's next token, and whether it was the last."""
        request, sampling = job.request, self._engine.sampling
        job.tokens.append(token)
        if request.settings.logprobs is not None:
            job.logprobs.append(TokenLogprob(token, sampling.logprob(job.record), sampling.top_logprobs(job.record)))
        if token in self._ends and not request.ignore_eos:
            job.finish_reason = "stop"
        else:
            job.on_token(token)
        full = len(job.tokens) == request.max_tokens or _sequence(job).length >= self._engine.ctx
        if full and not job.finish_reason:
            job.finish_reason = "length"
        if job.finish_reason:
            self._leave(job)
        else:
            sampling.advance(job.record, token)

    # ---- coming and going ------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        """In order of arrival. One that could share pages another is about to compute waits for them; so does one without room."""
        while self.waiting and len(self.running) < MAX_OUTS and not self._must_wait(self.waiting[0]):
            job = self.waiting.popleft()
            try:
                self._start(job)
            except RequestError as problem:  # generations elsewhere have all sampling records
                if self.running:
                    self.waiting.appendleft(job)
                    return
                job.error = problem
                job.on_end()

    def _must_wait(self, job: Job) -> bool:
        if not self.running:
            return False  # whether it fits will be seen
        wanted, pool = job.wanted, self._engine.pool
        held = self._tree.longest(wanted) if job.reuse else 0
        if job.reuse and self._coming(wanted) > held:
            return True
        needed = _pages(len(wanted) + 1 - held) + (held == len(wanted))  # the last token is computed in a copy
        promised = sum(_lacks(j) for j in self.running)
        room = pool.pages - pool.used - promised
        return room < needed and room + self._tree.spare(wanted[:held]) < needed

    def _coming(self, tokens: list[int]) -> int:
        """The most leading tokens, in full pages, that a running prompt shares and has not finished computing."""
        best = 0
        for job in self.running:
            if job.reuse and job.missing > 1:
                shared = next((i for i, (a, b) in enumerate(zip(job.prompt, tokens, strict=False)) if a != b), None)
                shared = min(len(job.prompt), len(tokens)) if shared is None else shared
                best = max(best, shared // PAGE_SLOTS * PAGE_SLOTS)
        return best

    def _start(self, job: Job) -> None:
        """A sequence and a sampling record of its own. Raises RequestError when there is no record."""
        job.record = self._engine.take_record()
        wanted = job.wanted
        job.sequence = self._engine.new_sequence()
        self.running.append(job)
        if job.reuse:
            self._tree.extend(job.sequence, wanted)
            job.sequence.truncate(len(wanted) - 1)  # the last token is computed in any case, for its output
        if job.cached_tokens is None:
            job.cached_tokens = job.sequence.length
        sampling = self._engine.sampling
        sampling.configure(job.record, job.request.settings, self._engine.vocab_size, index=len(job.tokens))
        sampling.begin_history(job.record, wanted)

    def _leave(self, job: Job) -> None:
        """Out of the running; what its pages hold stays findable."""
        if job.reuse and job.error is None:
            self._tree.remember(_sequence(job))
        self._stop(job)
        if job.done:
            job.on_end()

    def _stop(self, job: Job) -> None:
        self.running.remove(job)
        _sequence(job).close()
        job.sequence = None
        self._engine.give_record(job.record)

    def _end(self, job: Job, problem: TokenloomError) -> None:
        job.error = problem
        self._leave(job)

    def _make_room(self, problem: OutOfBudgetError) -> None:
        """The job admitted last gives its pages up and will be computed again; a job that is alone cannot be helped."""
        job = self.running[-1]
        if len(self.running) == 1:
            self._end(job, problem)
        else:
            self._preempt(job)

    def _preempt(self, job: Job) -> None:
        self._stop(job)
        job.preemptions += 1
        self.waiting.appendleft(job)


def _pages(tokens: int) -> int:
    return -(-tokens // PAGE_SLOTS)


def _lacks(job: Job) -> int:
    """Pages that a running job has yet to take for what it has and one token more."""
    sequence = _sequence(job)
    return _pages(len(job.prompt) + len(job.tokens) + 1) - sequence.held + sequence.shares_last


def _sequence(job: Job) -> Sequence:
    assert job.sequence is not None
    return job.sequence
