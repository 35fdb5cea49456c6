"""Who holds which page, counted, and what a job alone would say.

Knows the scheduler's, the sessions' and the tree's insides. Knows no tolerance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from tokenloom.runtime.drafts import Drafter
from tokenloom.runtime.engine import RECORDS
from tokenloom.runtime.generation import make_request
from tokenloom.runtime.held import Held
from tokenloom.runtime.job import Job
from tokenloom.runtime.model import Model
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.session import Session
from tokenloom.runtime.speculation import Drafting


def assert_balanced(model: Model, owners: Iterable[Session | Held | Sequence] = ()) -> None:
    """Every page is held by exactly those who are known, and every sampling record is free or a running job's."""
    scheduler, pool = model._scheduler, model._engine.pool
    sequences = [o if isinstance(o, Sequence) else o._sequence for o in owners]
    sequences += [job.sequence for job in scheduler.running if job.sequence]
    holders = Counter(s.table[i] for s in sequences for i in range(s.held))
    holders.update(model._tree._used.keys())
    assert {page: n for page, n in enumerate(pool._counts) if n} == dict(holders)
    assert pool.used == len(holders)
    assert len(pool._free) == len(set(pool._free))
    free = sorted(model._engine._records)
    assert sorted([*free, *(job.record for job in scheduler.running)]) == list(range(RECORDS))


def assert_empty(model: Model) -> None:
    """Nothing runs, and the tree gives back all there is."""
    assert not model._scheduler.running
    assert not model._scheduler.waiting
    assert_balanced(model)
    model._tree.clear()
    assert model._engine.pool.used == 0


def job(model: Model, prompt: list[int], reuse: bool = True, drafter: Drafter | None = None, **settings: Any) -> Job:
    settings = {"ignore_eos": True, "logprobs": 3, **settings}
    drafting = Drafting(drafter) if drafter is not None else None
    return Job(prompt, make_request(model._engine.vocab_size, **settings), reuse, drafting=drafting)


def outcome(job: Job) -> tuple[Any, ...]:
    return job.tokens, job.finish_reason, job.logprobs


class Oracle:
    """Guesses from a text that is known already, right where `right` says so of a position."""

    def __init__(self, right: Callable[[int], bool], text: list[int]) -> None:
        self.right, self.text = right, text

    def propose(self, text: list[int], most: int) -> list[int]:
        draft = self.text[len(text) : len(text) + most]
        return [t if self.right(len(text) + n) else (t + 1) % 280 for n, t in enumerate(draft)]

    def close(self) -> None:
        """Nothing is held."""


class Solo:
    """What each job gives alone, on a model of its own without reuse; each is computed once."""

    def __init__(self, model: Model) -> None:
        self._model, self._known = model, {}  # type: ignore[var-annotated]

    def __call__(self, job: Job) -> tuple[Any, ...]:
        settings = job.request.settings
        key = (*job.prompt, None, repr(replace(job.request)))
        if key not in self._known:
            generation = self._model.generate_tokens(
                job.prompt, reuse=False, max_tokens=job.request.max_tokens, ignore_eos=job.request.ignore_eos,
                **{name: getattr(settings, name) for name in settings.__dataclass_fields__},
            )  # fmt: skip
            tokens = list(generation)
            assert tokens == generation.tokens or generation.finish_reason == "stop"
            self._known[key] = (generation.tokens, generation.finish_reason, generation.logprobs)
        return self._known[key]  # type: ignore[no-any-return]

    def drafter(self, job: Job, right: Callable[[int], bool]) -> Oracle:
        """Guesses for a job from what it will say."""
        return Oracle(right, [*job.prompt, *self(job)[0]])

    def check(self, job: Job) -> None:
        assert job.error is None
        assert outcome(job) == self(job)


def limit_pages(model: Model, pages: int) -> None:
    """An empty pool becomes one of so many pages."""
    assert_empty(model)
    pool = model._engine.pool
    assert pages <= len(pool._counts), "the slabs are no larger"
    pool.pages, pool._free, pool._fresh = pages, [], 0
