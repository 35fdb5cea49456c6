"""The scheduler: many generations advance together, one step at a time.

Knows admission, preemption, cancellation, and when a job ends. Knows nothing of which rows a step has (`joint_step`), or of text.
A batch never changes an answer, so every choice here is about time and memory alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable

from tokenloom.errors import OutOfBudgetError, RequestError, RunError, TokenloomError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.engine import MAX_OUTS, Engine
from tokenloom.runtime.generation import Sampled, TokenLogprob
from tokenloom.runtime.job import Job
from tokenloom.runtime.joint_step import JointStep
from tokenloom.runtime.pace import Costs
from tokenloom.runtime.prefix import PrefixTree, common_prefix

__all__ = ["Job", "Scheduler"]

_PATIENCE = 0.02  # seconds a thread waits for its turn before it looks whether another's step ended its jobs


class Scheduler:
    """`submit` jobs, then `advance` until they are done. Threads may share it: whoever advances advances everyone's jobs, in turns."""

    def __init__(self, engine: Engine, ends: frozenset[int], tree: PrefixTree) -> None:
        self._engine, self._ends, self._tree = engine, ends, tree
        self._turn = threading.RLock()
        self.waiting: deque[Job] = deque()
        self.running: list[Job] = []  # in order of admission
        engine.joint = self.running
        self._costs = Costs()

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
        speculate = True
        while self.running:
            with JointStep(self._engine, self._tree, self._costs) as step:
                try:
                    step.plan(self.running, speculate)
                    given = step.run()
                except (OutOfBudgetError, RunError) as problem:
                    if step.drafted:
                        speculate = False  # a wrong guess may fail, or need a page, where the texts themselves do not
                    elif isinstance(problem, RunError):
                        self._end(step.job(problem.run), problem)
                    else:
                        self._make_room(problem)
                else:
                    for job, sampled in given:
                        self._take_all(job, sampled)
                    return

    def _take_all(self, job: Job, sampled: list[Sampled]) -> None:
        for token, logprob in sampled:
            self._take(job, token, logprob)
            if job.done:
                return

    def _take(self, job: Job, token: int, logprob: TokenLogprob | None) -> None:
        """A job's next token, and whether it was the last."""
        request = job.request
        job.tokens.append(token)
        if logprob is not None:
            job.logprobs.append(logprob)
        if token in self._ends and not request.ignore_eos:
            job.finish_reason = "stop"
        else:
            job.on_token(token)
        full = len(job.tokens) == request.max_tokens or job.length > self._engine.ctx  # the last token needs no slot
        if full and not job.finish_reason:
            job.finish_reason = "length"
        if job.finish_reason:
            job.computed.truncate(job.length)  # of a right draft's end, which is no longer the text's
            self._leave(job)
        else:
            self._engine.sampling.advance(job.record, token)

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
        # the page behind them is written to, in a copy where it is found
        full = min(held, len(wanted) - 1) // PAGE_SLOTS
        needed = _pages(len(wanted) + 1) - full
        promised = sum(_lacks(j) for j in self.running)
        room = pool.pages - pool.used - promised
        return room < needed and room + self._tree.spare(wanted[:held]) < needed

    def _coming(self, tokens: list[int]) -> int:
        """The most leading tokens that a running prompt shares and has not finished computing, if it computes a page of them or more."""
        best = 0
        for job in self.running:
            if job.reuse and job.missing > 1:
                shared = common_prefix(job.prompt, tokens)
                if shared - (job.cached_tokens or 0) >= PAGE_SLOTS:
                    best = max(best, shared)
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
            self._tree.remember(job.computed)
        self._stop(job)
        if job.drafting is not None:
            job.drafting.drafter.close()
        if job.done:
            job.on_end()

    def _stop(self, job: Job) -> None:
        self.running.remove(job)
        job.computed.close()
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
    return _pages(job.length + 1) - job.computed.held + job.computed.shares_last
