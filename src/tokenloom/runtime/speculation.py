"""Speculation: drafted tokens are computed as rows of one step and kept as far as the model says the same.

Knows checking. Knows nothing of where guesses come from, or of when guessing pays.

A token is sampled by its seed and its index alone, so each row of a step is sampled as it would be alone, and what is kept is the text that one row
at a time gives, greedy or not.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenloom.errors import OutOfBudgetError, RequestError, RunError, TokenloomError
from tokenloom.runtime.drafts import Drafter, NgramDrafter, drafter_of
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.generation import BeginSpeculation, Drafts, Lease, Request, Sampled, logprob_of
from tokenloom.runtime.pace import Costs, Pace
from tokenloom.runtime.sampler import SamplingSettings

if TYPE_CHECKING:
    from tokenloom.runtime.model import Model


@dataclass
class Drafting:
    """Of one text: who drafts, how many tokens at a time, and how that went."""

    drafter: Drafter
    drafts: Drafts = field(default_factory=Drafts)
    pace: Pace = field(default_factory=Pace)

    def propose(self, text: list[int], most: int) -> list[int]:
        """At most `most` tokens to follow `text`; an error in drafting them ends that, not the text."""
        if most <= 0 or self.drafts.stopped is not None:
            return []
        try:
            return self.drafter.propose(text, most)
        except TokenloomError as problem:
            self.drafts.stopped = problem
            return []

    def judged(self, drafted: int, accepted: int, cost: float) -> None:
        """A draft was checked; `cost` of its rows in tokens."""
        self.drafts.drafted += drafted
        self.drafts.accepted += accepted
        self.pace.learn(drafted, accepted, cost)


BeginDrafting = Callable[[], Drafting]  # of one text


def count_accepted(draft: list[int], sampled: list[Sampled]) -> int:
    """How many first tokens of a draft are what was sampled."""
    return next((i for i, token in enumerate(draft) if token != sampled[i][0]), len(draft))


def look_ahead(
    engine: Engine, records: list[int], settings: SamplingSettings, text: list[int], index: int, draft: list[int]
) -> None:
    """Makes one record for each drafted token sample what follows it. `index` of the token that the first of them stands for."""
    last = settings.repeat_last_n
    seen = text if last < 0 else text[max(0, len(text) - last) :]
    for ahead, record in enumerate(records, 1):
        engine.sampling.configure(record, settings, engine.vocab_size, index=index + ahead)
        engine.sampling.begin_history(record, seen + draft[:ahead])


class Speculation:
    """Steps of one generation. `close` it."""

    def __init__(
        self, engine: Engine, drafter: Drafter, lease: Lease, request: Request, record: int, drafts: Drafts
    ) -> None:
        self._engine, self._lease, self._request = engine, lease, request
        self._records = [record]
        self._drafting, self._costs = Drafting(drafter, drafts), Costs()
        self._text = [*lease.prompt]

    def step(self, most: int) -> list[Sampled]:
        """The next tokens, one or more, at most `most`. The record stands at the first of them."""
        begun = time.perf_counter()
        self._text += self._lease.generated[len(self._text) - len(self._lease.prompt) :]
        sequence = self._lease.sequence
        wanted = self._drafting.pace.next() if self._costs.known(1) else 0
        draft = self._draft(min(wanted, most - 1, sequence.limit - sequence.length - 1))
        try:
            sampled = self._check(draft)
        except (RunError, OutOfBudgetError):
            if not draft:
                raise
            draft = []  # a wrong guess may fail, or need a page, where the text itself does not
            begun = time.perf_counter()  # what a row alone costs is the price of guesses to come
            sampled = self._check(draft)
        right = count_accepted(draft, sampled)
        sequence.truncate(sequence.length - (len(draft) - right))
        self._costs.saw(1 + len(draft), time.perf_counter() - begun)
        self._drafting.judged(len(draft), right, self._costs.of(1, len(draft)))
        return sampled[: right + 1]

    def _draft(self, most: int) -> list[int]:
        """Guesses, as many as there are records for."""
        try:
            while len(self._records) <= most:
                self._records.append(self._engine.take_record())
        except RequestError:
            most = len(self._records) - 1  # other generations have them
        return self._drafting.propose(self._text, most)

    def _check(self, draft: list[int]) -> list[Sampled]:
        """Computes the last token and the draft, and samples after each."""
        engine, settings = self._engine, self._request.settings
        records = self._records[: len(draft) + 1]
        look_ahead(engine, records[1:], settings, self._text, len(self._text) - len(self._lease.prompt), draft)
        with engine.lock:
            engine.step([Rows(self._lease.sequence, [self._text[-1], *draft], "all")], records)
            tokens = [engine.sampled(out) for out in range(len(records))]
            return [
                (token, logprob_of(engine, record, token) if settings.logprobs is not None else None)
                for token, record in zip(tokens, records, strict=True)
            ]

    def close(self) -> None:
        """Gives back what the drafts needed; what was computed past the text goes."""
        self._drafting.drafter.close()
        while len(self._records) > 1:
            self._engine.give_record(self._records.pop())
        self._lease.sequence.truncate(len(self._lease.prompt) + len(self._lease.generated))


def speculation_of(speculate: Any, model: Model) -> BeginSpeculation | None:
    """How a generation speculates, as `speculate=` asks for. Raises RequestError, ClosedError."""
    if speculate is None:
        return None
    drafter, engine = drafter_of(speculate, model), model._engine

    def begin(lease: Lease, request: Request, record: int, drafts: Drafts) -> Speculation:
        return Speculation(engine, drafter(lease, request), lease, request, record, drafts)

    return begin


def drafting_of(speculate: Any, model: Model) -> BeginDrafting | None:
    """How each of many texts drafts for joint steps, as `speculate=` asks for. Raises RequestError, ClosedError."""
    if speculate is None:
        return None
    drafter_of(speculate, model)
    if speculate != "ngram":
        raise RequestError(f"speculate={speculate!r} drafts for one text at a time; for many together give 'ngram'")
    return lambda: Drafting(NgramDrafter())
