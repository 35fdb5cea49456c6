"""The scheduler: many generations advance together, one step at a time.

Knows admission, prompt chunks beside decodes, preemption and cancellation. Knows nothing of text or of how a step is computed. A batch never
changes an answer, so every choice here is about time and memory alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tokenloom.errors import OutOfBudgetError, RunError, TokenloomError
from tokenloom.kernels.rope import PAGE_SLOTS
from tokenloom.runtime.engine import MAX_OUTS, MAX_ROWS, Engine, Rows
from tokenloom.runtime.generation import Request
from tokenloom.runtime.prefix import PrefixTree
from tokenloom.runtime.sequence import Sequence

_BESIDE = 4  # while others decode, a prompt chunk is a quarter of the usual one, so that it delays their tokens little


@dataclass(eq=False)
class Job:
    """One generation. `tokens` are the generated ids; `error` ends it instead of a finish reason."""

    prompt: list[int]
    request: Request
    reuse: bool = True
    tokens: list[int] = field(default_factory=list)
    finish_reason: str | None = None
    error: TokenloomError | None = None
    cached_tokens: int = 0
    prefilled_tokens: int = 0
    preemptions: int = 0
    on_token: Callable[[int], None] | None = None
    sequence: Sequence | None = field(default=None, repr=False)
    record: int = -1
    started: bool = False

    @property
    def done(self) -> bool:
        return self.finish_reason is not None or self.error is not None

    @property
    def wanted(self) -> list[int]:
        """All tokens whose slots the next output needs."""
        return self.prompt + self.tokens


class Scheduler:
    """`submit` jobs, then `step` until `idle`. Not thread-safe: one owner drives it."""

    def __init__(self, engine: Engine, ends: frozenset[int], tree: PrefixTree) -> None:
        self._engine, self._ends, self._tree = engine, ends, tree
        self.waiting: deque[Job] = deque()
        self.running: list[Job] = []  # oldest first
        self._planned: list[Job] = []  # of the step under way, by run

    @property
    def idle(self) -> bool:
        return not self.waiting and not self.running

    def submit(self, job: Job) -> None:
        if job.request.max_tokens == 0:
            job.finish_reason = "length"
        else:
            self.waiting.append(job)

    def cancel(self, job: Job) -> None:
        """Removes exactly this job, wherever it is; its pages go back."""
        if job in self.running:
            self._leave(job)
        elif job in self.waiting:
            self.waiting.remove(job)

    def close(self) -> None:
        """Cancels everything."""
        self.waiting.clear()
        for job in [*self.running]:
            self._leave(job)

    # ---- one step --------------------------------------------------------------------------------------------------------

    def step(self) -> None:
        """Admits what fits, runs one step, and ends the jobs that are finished. Errors end the job they belong to, alone."""
        self._admit()
        while self.running:
            batch, outs = self._plan()
            try:
                with self._engine.lock:
                    self._engine.step(batch, [job.record for job in outs])
                    sampled = [self._engine.sampled(i) for i in range(len(outs))]
            except OutOfBudgetError as problem:
                self._make_room(problem)
            except RunError as problem:
                self._end(self._planned[problem.run], problem)
            else:
                self._computed(batch)
                for job, token in zip(outs, sampled, strict=True):
                    self._take(job, token)
                return

    def _plan(self) -> tuple[list[Rows], list[Job]]:
        """Rows of every decoding job, then prompt chunks in order of arrival while there is room."""
        decoding = [job for job in self.running if self._missing(job) == 1]
        room = MAX_ROWS - len(decoding)
        budget = self._engine.chunk_rows if not decoding else max(PAGE_SLOTS, self._engine.chunk_rows // _BESIDE)
        self._planned = []
        batch: list[Rows] = []
        outs: list[Job] = []
        for job in self.running:
            missing = self._missing(job)
            count = 1 if missing == 1 else min(missing, room, budget)
            if count == 0:
                continue
            if missing > 1:
                room, budget = room - count, budget - count
            sequence = _sequence(job)
            wanted = job.wanted
            chunk = wanted[sequence.length : sequence.length + count]
            last = sequence.length + count == len(wanted)
            batch.append(Rows(sequence, chunk, "last" if last else "none"))
            self._planned.append(job)
            if last:
                outs.append(job)
        return batch, outs

    def _computed(self, batch: list[Rows]) -> None:
        """Prompts' full pages can be found by others at once."""
        for job, rows in zip(self._planned, batch, strict=True):
            sequence = _sequence(job)
            if sequence.length <= len(job.prompt) or len(rows.tokens) > 1:
                job.prefilled_tokens += len(rows.tokens)
                if job.reuse:
                    self._tree.insert(sequence.tokens, sequence.table[: sequence.held])

    def _missing(self, job: Job) -> int:
        return len(job.prompt) + len(job.tokens) - _sequence(job).length

    def _take(self, job: Job, token: int) -> None:
        """A job's next token, and whether it was the last."""
        sequence, request = _sequence(job), job.request
        job.tokens.append(token)
        self._engine.sampling.advance(job.record, token)
        if job.on_token:
            job.on_token(token)
        if job.finish_reason:
            pass  # a stop string ended it
        elif token in self._ends and not request.ignore_eos:
            job.finish_reason = "stop"
        elif len(job.tokens) == request.max_tokens or sequence.length >= sequence.limit:
            job.finish_reason = "length"
        if job.finish_reason:
            self._leave(job)

    # ---- coming and going ------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        """In order of arrival. One that could share pages another is about to compute waits for them; so does one without room."""
        while self.waiting and len(self.running) < MAX_OUTS:
            job = self.waiting[0]
            wanted = job.wanted
            held = self._tree.longest(wanted[:-1]) if job.reuse else 0
            if job.reuse and self._coming(wanted[:-1]) > held:
                return
            needed = -(-(len(wanted) + 1 - held) // PAGE_SLOTS)
            pool = self._engine.pool
            if self.running and needed > pool.pages - pool.used + len(self._tree):
                return
            self.waiting.popleft()
            self._start(job)

    def _coming(self, tokens: list[int]) -> int:
        """The most leading tokens, in full pages, that a running prompt shares and has not finished computing."""
        best = 0
        for job in self.running:
            if job.reuse and self._missing(job) > 1:
                shared = next((i for i, (a, b) in enumerate(zip(job.prompt, tokens, strict=False)) if a != b), None)
                shared = min(len(job.prompt), len(tokens)) if shared is None else shared
                best = max(best, shared // PAGE_SLOTS * PAGE_SLOTS)
        return best

    def _start(self, job: Job) -> None:
        wanted = job.wanted
        job.sequence = self._engine.new_sequence()
        if job.reuse:
            pages = self._tree.match(wanted[:-1])
            job.sequence.adopt(pages, wanted[: len(pages) * PAGE_SLOTS])
        if not job.started:
            job.cached_tokens = job.sequence.length
        job.started = True
        job.record = self._engine.take_record()
        sampling = self._engine.sampling
        sampling.configure(job.record, job.request.settings, self._engine.vocab_size, index=len(job.tokens))
        sampling.begin_history(job.record, wanted)
        self.running.append(job)

    def _leave(self, job: Job) -> None:
        """Out of the running; what its pages hold stays findable."""
        self.running.remove(job)
        sequence = _sequence(job)
        if job.reuse and job.error is None:
            self._tree.insert(sequence.tokens, sequence.table[: sequence.held])
        sequence.close()
        job.sequence = None
        self._engine.give_record(job.record)

    def _end(self, job: Job, problem: TokenloomError) -> None:
        job.error = problem
        self._leave(job)

    def _make_room(self, problem: OutOfBudgetError) -> None:
        """The youngest job gives its pages up and will be computed again; a job that is alone cannot be helped."""
        job = self.running[-1]
        if len(self.running) == 1:
            self._end(job, problem)
            return
        self.running.remove(job)
        _sequence(job).close()
        job.sequence = None
        self._engine.give_record(job.record)
        job.preemptions += 1
        self.waiting.appendleft(job)


def _sequence(job: Job) -> Sequence:
    assert job.sequence is not None
    return job.sequence


def run_all(scheduler: Scheduler, jobs: Iterable[Job]) -> None:
    """Drives jobs to their ends; on any exception (Ctrl-C too) nothing stays behind."""
    for job in jobs:
        scheduler.submit(job)
    try:
        while not scheduler.idle:
            scheduler.step()
    except BaseException:
        scheduler.close()
        raise
