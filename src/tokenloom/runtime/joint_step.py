"""A joint step: rows of several jobs, computed and sampled together.

Knows prompt chunks beside decodes, guesses as rows more, and what a step gave each job. Knows nothing of who is admitted, ended or preempted.
A batch never changes an answer, so how many rows a job gets is about time alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tokenloom.errors import RequestError
from tokenloom.runtime.engine import MAX_OUTS, MAX_ROWS, Engine, Rows
from tokenloom.runtime.generation import Sampled, logprob_of
from tokenloom.runtime.job import Job
from tokenloom.runtime.pace import Costs
from tokenloom.runtime.prefix import PrefixTree
from tokenloom.runtime.speculation import count_accepted, look_ahead


@dataclass
class _Part:
    """One job's rows of a step. `records`: one for each output, of which there are none before the end of a prompt."""

    job: Job
    rows: Rows
    records: list[int]
    prefilled: int  # rows of the prompt, or of a text that is computed again
    draft: list[int] = field(default_factory=list)


class JointStep:
    """`plan` one and `run` it; leaving its block gives back the records that guesses needed."""

    def __init__(self, engine: Engine, tree: PrefixTree, costs: Costs) -> None:
        self._engine, self._tree, self._costs = engine, tree, costs
        self._parts: list[_Part] = []

    def __enter__(self) -> JointStep:
        return self

    def __exit__(self, *exc: object) -> None:
        for part in self._parts:
            for record in part.records[1:]:
                self._engine.give_record(record)

    @property
    def drafted(self) -> int:
        """How many of its rows are guesses."""
        return sum(len(part.draft) for part in self._parts)

    def job(self, run: int) -> Job:
        """Whose rows are the step's run of this number."""
        return self._parts[run].job

    # ---- which rows ------------------------------------------------------------------------------------------------------

    def plan(self, running: list[Job], speculate: bool) -> None:
        """Rows of every decoding job and of its guesses, then prompt chunks in order of arrival while there is room."""
        decoding = [job for job in running if job.missing == 1]
        room = self._engine.beside_rows if decoding else self._engine.chunk_rows
        drafts = self._drafts(decoding, len(running)) if speculate else {}
        room = min(room, MAX_ROWS - len(decoding) - sum(map(len, drafts.values())))
        for job in running:
            missing, sequence = job.missing, job.computed
            if missing == 1:
                part = _Part(job, Rows(sequence, (job.tokens or job.prompt)[-1:]), [job.record], int(not job.tokens))
                self._parts.append(part)
                if job in drafts:
                    self._add(part, drafts[job])
            elif room:
                chunk = job.wanted[sequence.length : sequence.length + room]
                room -= len(chunk)
                last = len(chunk) == missing
                records, prefilled = [job.record] if last else [], len(chunk) - (last and bool(job.tokens))
                self._parts.append(_Part(job, Rows(sequence, chunk, "last" if last else "none"), records, prefilled))

    def _drafts(self, decoding: list[Job], running: int) -> dict[Job, list[int]]:
        """What jobs guess, in equal shares of the outputs that no running job needs; none before it is known what such a step takes without."""
        drafts: dict[Job, list[int]] = {}
        if len(decoding) == running and not self._costs.known(running):
            return drafts
        room = MAX_OUTS - running
        for left, job in zip(range(len(decoding), 0, -1), decoding, strict=True):
            limit = job.request.max_tokens
            most = min(room // left, self._engine.ctx - job.length)
            if limit is not None:
                most = min(most, limit - len(job.tokens) - 1)
            if job.drafting is not None and most > 0:
                most = min(most, job.drafting.pace.next())
                if draft := job.drafting.propose(job.wanted, most) if most else []:
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

    # ---- what came of them -----------------------------------------------------------------------------------------------

    def run(self) -> list[tuple[Job, list[Sampled]]]:
        """Computes it, and keeps what is right of every draft: each job's next tokens, none before the end of a prompt. Raises OutOfBudgetError,
        RunError."""
        begun = time.perf_counter()
        with self._engine.lock:
            self._engine.step(
                [part.rows for part in self._parts], [record for part in self._parts for record in part.records]
            )
            sampled = self._sampled()
        drafted = self.drafted
        cost = self._cost(drafted, time.perf_counter() - begun)
        for part, found in zip(self._parts, sampled, strict=True):
            job, sequence = part.job, part.job.computed
            if part.draft and job.drafting is not None:
                right = count_accepted(part.draft, found)
                del found[right + 1 :]
                sequence.truncate(sequence.length - (len(part.draft) - right))
                job.drafting.judged(len(part.draft), right, cost * len(part.draft) / drafted)
            job.prefilled_tokens += part.prefilled
            if part.prefilled and job.reuse:
                self._tree.remember(sequence)  # others can find it at once
        return [(part.job, found) for part, found in zip(self._parts, sampled, strict=True)]

    def _sampled(self) -> list[list[Sampled]]:
        """What the step just run gave each part."""
        engine, out, found = self._engine, 0, []
        for part in self._parts:
            logprobs = part.job.request.settings.logprobs is not None
            tokens = [engine.sampled(out + n) for n in range(len(part.records))]
            out += len(tokens)
            found.append(
                [(t, logprob_of(engine, r, t) if logprobs else None) for t, r in zip(tokens, part.records, strict=True)]
            )
        return found

    def _cost(self, drafted: int, seconds: float) -> float:
        """Learns from what the step took; what its `drafted` rows cost, in tokens."""
        count = sum(len(part.rows.tokens) for part in self._parts) - drafted
        if count > 2 * len(self._parts):  # mostly prompts
            self._engine.learn_speed(count, seconds)
        elif count == len(self._parts):  # without its guesses a row for each
            self._costs.saw(count + drafted, seconds)
        given = sum(bool(part.records) for part in self._parts)
        # beside prompts a step takes about as long as it has rows, and there might never be one without them to compare with
        return self._costs.of(given, drafted) if count == len(self._parts) else given * drafted / count
