"""The scheduler: many generations advance together, one step at a time.

Knows admission, prompt chunks beside decodes, guesses as rows more, preemption and cancellation. Knows nothing of text or of how a step is computed.
A batch never changes an answer, so every choice here is about time and memory alone.
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
from tokenloom.runtime.generation import Request, Sampled, TokenLogprob, logprob_of
from tokenloom.runtime.pace import Costs
from tokenloom.runtime.prefix import PrefixTree, common_prefix
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.speculation import Guesses, look_ahead, right_ones

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
    guesses: Guesses | None = field(default=None, repr=False)  # None: its tokens come one by one

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


@dataclass
class _Part:
    """One job's rows of a step. `records`: one for each output, of which there are none before the end of a prompt."""

    job: Job
    rows: Rows
    records: list[int]
    prefilled: int  # rows of the prompt, or of a text that is computed again
    draft: list[int] = field(default_factory=list)


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
        guessing = True
        while self.running:
            plan: list[_Part] = []
            try:
                self._plan(plan, guessing)
                begun = time.perf_counter()
                with self._engine.lock:
                    self._engine.step(
                        [part.rows for part in plan], [record for part in plan for record in part.records]
                    )
                    sampled = self._sampled(plan)
                self._computed(plan, sampled, time.perf_counter() - begun)
            except (OutOfBudgetError, RunError) as problem:
                if any(part.draft for part in plan):
                    guessing = False  # a wrong guess may fail, or need a page, where the texts themselves do not
                elif isinstance(problem, RunError):
                    self._end(plan[problem.run].job, problem)
                else:
                    self._make_room(problem)
            else:
                for part, found in zip(plan, sampled, strict=True):
                    self._take_all(part.job, found)
                return
            finally:
                for part in plan:
                    for record in part.records[1:]:
                        self._engine.give_record(record)

    def _plan(self, plan: list[_Part], guessing: bool) -> None:
        """Rows of every decoding job and of its guesses, then prompt chunks in order of arrival while there is room."""
        decoding = [job for job in self.running if job.missing == 1]
        room = self._engine.beside_rows if decoding else self._engine.chunk_rows
        drafts = self._drafts(decoding) if guessing else {}
        room = min(room, MAX_ROWS - len(decoding) - sum(map(len, drafts.values())))
        for job in self.running:
            missing, sequence = job.missing, _sequence(job)
            if missing == 1:
                part = _Part(job, Rows(sequence, (job.tokens or job.prompt)[-1:]), [job.record], int(not job.tokens))
                plan.append(part)
                if job in drafts:
                    self._add(part, drafts[job])
            elif room:
                chunk = job.wanted[sequence.length : sequence.length + room]
                room -= len(chunk)
                last = len(chunk) == missing
                records, prefilled = [job.record] if last else [], len(chunk) - (last and bool(job.tokens))
                plan.append(_Part(job, Rows(sequence, chunk, "last" if last else "none"), records, prefilled))

    def _drafts(self, decoding: list[Job]) -> dict[Job, list[int]]:
        """What jobs guess, in equal shares of the outputs that no running job needs; none before it is known what such a step takes without."""
        drafts: dict[Job, list[int]] = {}
        if len(decoding) == len(self.running) and not self._costs.known(len(decoding)):
            return drafts
        room = MAX_OUTS - len(self.running)
        for left, job in zip(range(len(decoding), 0, -1), decoding, strict=True):
            length, limit = len(job.prompt) + len(job.tokens), job.request.max_tokens
            most = min(room // left, self._engine.ctx - length)
            if limit is not None:
                most = min(most, limit - len(job.tokens) - 1)
            if job.guesses is not None and most > 0:
                most = min(most, job.guesses.pace.next())
                if draft := job.guesses.propose(job.wanted, most) if most else []:
                    drafts[job] = draft
                    room -= len(draft)
        return drafts

    def _add(self, part: _Part, draft: list[int]) -> None:
        """As much of a draft as there are records for."""
        job = part.job
        while len(part.records) <= len(draft):
            try:
                part.records.append(self._engine.take_record())
            except RequestError:  # generations elsewhere have them
                break
        part.draft = draft[: len(part.records) - 1]
        part.rows = Rows(part.rows.sequence, [*part.rows.tokens, *part.draft], "all")
        look_ahead(self._engine, part.records[1:], job.request.settings, job.wanted, len(job.tokens), part.draft)

    def _sampled(self, plan: list[_Part]) -> list[list[Sampled]]:
        """What the step just run gave each part."""
        engine, out, found = self._engine, 0, []
        for part in plan:
            logprobs = part.job.request.settings.logprobs is not None
            tokens = [engine.sampled(out + n) for n in range(len(part.records))]
            out += len(tokens)
            found.append(
                [(t, logprob_of(engine, r, t) if logprobs else None) for t, r in zip(tokens, part.records, strict=True)]
            )
        return found

    def _computed(self, plan: list[_Part], sampled: list[list[Sampled]], seconds: float) -> None:
        """Keeps what is right of every draft. What is computed of a prompt can be found by others at once."""
        drafted = sum(len(part.draft) for part in plan)
        count = sum(len(part.rows.tokens) for part in plan) - drafted
        if count > 2 * len(plan):  # mostly prompts
            self._engine.learn_speed(count, seconds)
        elif count == len(plan):  # without its guesses a row for each
            self._costs.saw(count + drafted, seconds)
        given = sum(bool(part.records) for part in plan)
        # beside prompts a step takes about as long as it has rows, and there might never be one without them to compare with
        cost = self._costs.of(given, drafted) if count == len(plan) else given * drafted / count
        for part, found in zip(plan, sampled, strict=True):
            job, sequence = part.job, _sequence(part.job)
            if part.draft and job.guesses is not None:
                right = right_ones(part.draft, found)
                del found[right + 1 :]
                sequence.truncate(sequence.length - (len(part.draft) - right))
                job.guesses.judged(len(part.draft), right, cost * len(part.draft) / drafted)
            job.prefilled_tokens += part.prefilled
            if part.prefilled and job.reuse:
                self._tree.remember(sequence)

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
        length = len(job.prompt) + len(job.tokens)
        full = len(job.tokens) == request.max_tokens or length > self._engine.ctx  # the last token needs no slot
        if full and not job.finish_reason:
            job.finish_reason = "length"
        if job.finish_reason:
            _sequence(job).truncate(length)  # of a right draft's end, which is no longer the text's
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
        full = (
            min(held, len(wanted) - 1) // PAGE_SLOTS
        )  # the page behind them is written to, in a copy where it is found
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
            self._tree.remember(_sequence(job))
        self._stop(job)
        if job.guesses is not None:
            job.guesses.drafter.close()
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
