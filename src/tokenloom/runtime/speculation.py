"""Speculation: drafted tokens are computed as rows of one step and kept as far as the model says the same.

Knows checking, and when guessing pays. Knows nothing of where guesses come from.

A token is sampled by its seed and its index alone, so each row of a step is sampled as it would be alone, and what is kept is the text that one row
at a time gives, greedy or not.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from tokenloom.errors import OutOfBudgetError, RequestError, RunError, TokenloomError
from tokenloom.runtime.drafts import Drafter, drafter_of
from tokenloom.runtime.engine import FEW_ROWS, Engine, Rows
from tokenloom.runtime.generation import Drafts, Guess, Lease, Request, Sampled, logprob_of

if TYPE_CHECKING:
    from tokenloom.runtime.model import Model

MOST_DRAFTED = FEW_ROWS - 1  # tokens a step: with the certain one they are the rows of the class for few
_FIRST, _LONGEST_PAUSE = 3, 64
_LEAST_COST = 0.05  # of a row more, in steps: a slow step that the others happened to be measured against does not make wrong guesses free
_MEMORY, _GAIN_MEMORY = 0.25, 0.1  # weight of the latest measurement


class Pace:
    """How many tokens to draft: more while all are right, fewer after a wrong one, and none for a while, ever longer, where it does not pay."""

    def __init__(self) -> None:
        self._length, self._pause, self._wait = _FIRST, 0, 0
        self._seconds: dict[int, float] = {}  # of a step, by how many tokens were drafted for it
        self._gain = 0.0  # of a step with a draft, in steps without: tokens that came of it, less what it took

    def next(self) -> int:
        """How many tokens to draft for this step; none for the first, which is what the others are measured against."""
        if not self._seconds:
            return 0
        if self._wait:
            self._wait -= 1
            return 0
        return self._length

    def learn(self, drafted: int, accepted: int, seconds: float) -> None:
        before = self._seconds.get(drafted, seconds)
        self._seconds[drafted] = before + _MEMORY * (seconds - before)
        if not drafted:
            return
        cost = max(self._seconds[drafted] / self._seconds[0], 1 + _LEAST_COST * drafted)
        gained = accepted + 1 - cost
        self._gain += _GAIN_MEMORY * (gained - self._gain)
        if self._gain > 0:
            self._pause = 0
            self._length = min(MOST_DRAFTED, 2 * drafted + 1) if accepted == drafted else accepted + 1
        else:
            self._length = 1
            self._pause = self._wait = min(_LONGEST_PAUSE, max(1, 2 * self._pause))


class Speculation:
    """Steps of one generation. `close` it."""

    def __init__(
        self, engine: Engine, drafter: Drafter, lease: Lease, request: Request, record: int, drafts: Drafts
    ) -> None:
        self._engine, self._drafter, self._lease, self._request = engine, drafter, lease, request
        self._records = [record]
        self._pace, self._drafts = Pace(), drafts
        self._text = [*lease.prompt]

    def step(self, most: int) -> list[Sampled]:
        """The next tokens, one or more, at most `most`. The record stands at the first of them."""
        begun = time.perf_counter()
        self._text += self._lease.generated[len(self._text) - len(self._lease.prompt) :]
        sequence = self._lease.sequence
        draft = self._draft(min(self._pace.next(), most - 1, sequence.limit - sequence.length - 1))
        try:
            sampled = self._check(draft)
        except (RunError, OutOfBudgetError):
            if not draft:
                raise
            draft = []  # a wrong guess may fail, or need a page, where the text itself does not
            sampled = self._check(draft)
        right = next((i for i, token in enumerate(draft) if token != sampled[i][0]), len(draft))
        sequence.truncate(sequence.length - (len(draft) - right))
        self._drafts.drafted += len(draft)
        self._drafts.accepted += right
        self._pace.learn(len(draft), right, time.perf_counter() - begun)
        return sampled[: right + 1]

    def _draft(self, most: int) -> list[int]:
        """Guesses, as many as there are records for; an error in making them ends guessing, not the text."""
        if most <= 0 or self._drafts.stopped is not None:
            return []
        try:
            while len(self._records) <= most:
                self._records.append(self._engine.take_record())
        except RequestError:
            most = len(self._records) - 1  # other generations have them
            if not most:
                return []
        try:
            return self._drafter.propose(self._text, most)
        except TokenloomError as problem:
            self._drafts.stopped = problem
            return []

    def _check(self, draft: list[int]) -> list[Sampled]:
        """Computes the last token and the draft, and samples after each."""
        engine, settings = self._engine, self._request.settings
        sampling, index = engine.sampling, len(self._text) - len(self._lease.prompt)
        last = settings.repeat_last_n
        seen = self._text if last < 0 else self._text[max(0, len(self._text) - last) :]
        records = self._records[: len(draft) + 1]
        for ahead, record in enumerate(records[1:], 1):
            sampling.configure(record, settings, engine.vocab_size, index=index + ahead)
            sampling.begin_history(record, seen + draft[:ahead])
        with engine.lock:
            engine.step([Rows(self._lease.sequence, [self._text[-1], *draft], "all")], records)
            tokens = [engine.sampled(out) for out in range(len(records))]
            return [
                (token, logprob_of(engine, record, token) if settings.logprobs is not None else None)
                for token, record in zip(tokens, records, strict=True)
            ]

    def close(self) -> None:
        """Gives back what the drafts needed; what was computed past the text goes."""
        self._drafter.close()
        while len(self._records) > 1:
            self._engine.give_record(self._records.pop())
        self._lease.sequence.truncate(len(self._lease.prompt) + len(self._lease.generated))


def guessing(speculate: Any, model: Model) -> Guess | None:
    """How a generation guesses ahead, as `speculate=` asks for. Raises RequestError, ClosedError."""
    if speculate is None:
        return None
    drafter, engine = drafter_of(speculate, model), model._engine

    def begin(lease: Lease, request: Request, record: int, drafts: Drafts) -> Speculation:
        return Speculation(engine, drafter(lease, request), lease, request, record, drafts)

    return begin
