"""Drafts: guesses at the next tokens, from the text itself or from a smaller model.

Knows how guesses are made. Knows nothing of how they are checked; a wrong one costs time and never changes a text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tokenloom.errors import ClosedError, RequestError
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.generation import Lease, Request

if TYPE_CHECKING:
    from tokenloom.runtime.model import Model

_LENGTHS = (4, 3, 2)  # tokens that must be equal for what followed them to be proposed, the longest match first


class Drafter(Protocol):
    """Proposes at most `most` tokens to follow `text`, which only grows from call to call."""

    def propose(self, text: list[int], most: int) -> list[int]: ...
    def close(self) -> None: ...


class NgramDrafter:
    """What followed the latest earlier place where the text's last few tokens stand ("prompt lookup")."""

    def __init__(self) -> None:
        self._after: dict[int, dict[tuple[int, ...], int]] = {length: {} for length in _LENGTHS}
        self._known = 0  # tokens of the text that are in it

    def propose(self, text: list[int], most: int) -> list[int]:
        end = len(text)
        for length, after in self._after.items():
            for at in range(max(length, self._known), end):
                after[tuple(text[at - length : at])] = at
        self._known = end
        for length, after in self._after.items():
            found = after.get(tuple(text[-length:]))
            if found is not None:
                draft = text[found : found + most]
                while len(draft) < most:  # the place is so near that the text runs into itself: it goes on in circles
                    draft.append(draft[len(draft) - (end - found)])
                return draft
        return []

    def close(self) -> None:
        """Forgets the text, which takes much more memory here than it does itself."""
        self._known = 0
        for after in self._after.values():
            after.clear()


class ModelDrafter:
    """What another model of the same vocabulary says, sampled with the same settings, seed and index, so that likely choices coincide."""

    def __init__(self, model: Model, drafted_for: Engine, prompt: list[int], request: Request) -> None:
        self._model, self._engine, self._drafted_for, self._prompt = model, model._engine, drafted_for, prompt
        self._settings = replace(request.settings, logprobs=None)
        self._ends = frozenset() if request.ignore_eos else model.tokenizer.eog_ids
        self._fed: list[int] = []  # what the sequence holds, and how much of it is text for certain
        self._sure = 0
        self._lease: Lease | None = None
        self._record = -1

    def propose(self, text: list[int], most: int) -> list[int]:
        most = min(most, self._engine.ctx - len(text) + 1)
        if most <= 0:
            return []
        sequence = self._begin().sequence
        same = self._sure
        while same < min(len(self._fed), len(text) - 1) and text[same] == self._fed[same]:
            same += 1
        sequence.truncate(same)
        sampling, last = self._engine.sampling, self._settings.repeat_last_n
        sampling.configure(self._record, self._settings, self._engine.vocab_size, index=len(text) - len(self._prompt))
        sampling.begin_history(self._record, text if last < 0 else text[max(0, len(text) - last) :])
        rows = self._engine.beside_rows if self._drafted_for.joint else self._engine.prompt_rows
        for at in range(same, len(text) - 1, rows):
            chunk = text[at : min(at + rows, len(text) - 1)]
            self._engine.step_locked([Rows(sequence, chunk, "none")])
        draft = [text[-1]]
        while len(draft) <= most:
            draft.append(self._engine.step_and_sample([Rows(sequence, draft[-1:])], (self._record,)))
            sampling.advance(self._record, draft[-1])
            if draft[-1] in self._ends:
                break
        self._fed, self._sure = [*text, *draft[1:-1]], len(text)
        return draft[1:]

    def _begin(self) -> Lease:
        if self._lease is None:
            self._record = self._engine.take_record()
            self._lease = self._model._lease(self._prompt, reuse=True)
            self._fed = self._lease.sequence.tokens
        return self._lease

    def close(self) -> None:
        """Gives the draft model's pages back, for the next prompt to find."""
        if self._record >= 0:
            self._engine.give_record(self._record)
            self._record = -1
        if self._lease is not None:
            self._lease.release()


def drafter_of(speculate: Any, model: Model) -> Callable[[Lease, Request], Drafter]:
    """What `speculate=` asks for, to be begun with a generation's lease. Raises RequestError, ClosedError."""
    from tokenloom.runtime.model import Model

    if isinstance(speculate, str) and speculate == "ngram":
        return lambda lease, request: NgramDrafter()
    if not isinstance(speculate, Model):
        raise RequestError(f"speculate={speculate!r} is not valid; give 'ngram', an open model, or None")
    if speculate._closed:
        raise ClosedError(f"speculate={speculate!r} is closed; load it again")
    if speculate.tokenizer.fingerprint != model.tokenizer.fingerprint:
        raise RequestError(
            f"{speculate.path.name} has another vocabulary than {model.path.name}; draft with a model of the same tokenizer"
        )
    return lambda lease, request: ModelDrafter(speculate, model._engine, lease.prompt, request)
