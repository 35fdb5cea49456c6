"""`Screen`: judges texts, and offers them to sessions that never see what is quarantined.

Knows a policy, a shelf and a ledger, and of a session only that it holds a text on a branch. Knows nothing of models.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Protocol, TypeVar

from tokenloom.errors import ContextOverflowError, RequestError
from tokenloom.screen.judge import SURE, UNREADABLE, Denied, judge, ordered
from tokenloom.screen.ledger import Ledger
from tokenloom.screen.policy import Policy
from tokenloom.screen.shelf import Pointer, Shelf
from tokenloom.screen.verdict import Action, Provenance, Reason, Verdict, least_trusted, strictest


class Branch(Protocol):
    """A text that is computed on a branch, to be admitted or rejected; leaving its block rejects it (`tokenloom`'s `Held`)."""

    @property
    def ids(self) -> list[int]: ...

    def admit(self) -> None: ...

    def reject(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


B = TypeVar("B", bound=Branch, covariant=True)
H = TypeVar("H", bound=Branch)


class HoldsText(Protocol[B]):
    """What a screen needs of a session."""

    def hold(self, text: str, /) -> B: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """What became of a text that was offered to a session."""

    verdict: Verdict
    tokens: int  # that entered the session: the text's, the notice's when it was paged, 0 when it was quarantined
    pointer: Pointer | None = None  # to the text, when it was paged


_SOURCE = re.compile(r"[\w.:/@+\-]{1,100}", re.ASCII)


class Screen:
    """Screens texts by a policy: a Policy, a mapping as a policy file holds it, the path of one, or None for the defaults.

    One screen may serve many sessions and threads. What it has decided is in `ledger`.
    """

    def __init__(self, policy: Policy | Mapping[str, Any] | str | os.PathLike[str] | None = None) -> None:
        if policy is None:
            policy = Policy()
        elif isinstance(policy, Mapping):
            policy = Policy.from_mapping(policy)
        elif not isinstance(policy, Policy):
            policy = Policy.from_file(policy)
        self.policy = policy
        self.ledger = Ledger(policy.ledger_entries)
        self._shelf = Shelf(policy.shelf_chars)
        self._denied = tuple(map(Denied.of, policy.deny))

    def check(self, text: str, *, source: str, provenance: Provenance | str | None = None) -> Verdict:
        """The verdict on a text. `source` names where it came from ("tool:web"); of the provenance given here and the one that the
        policy gives the source, the less trusted counts."""
        verdict = self._verdict(text, source, provenance)
        self.ledger.add(verdict)
        return verdict

    def offer(
        self,
        session: HoldsText[H],
        text: str,
        *,
        source: str,
        provenance: Provenance | str | None = None,
        inspect: Callable[[str, H], str | None] | None = None,
    ) -> Offer:
        """Holds the text on a branch of the session, decides, and admits it, rejects it, or pages it.

        A quarantined text leaves no trace: every later logit is that of a session which was never offered it. A paged one is kept
        for `fetch`, and a short notice enters in its place; so is a text that does not fit the context. `inspect(text, held)` may look
        at the branch (at `held.logits`, say) and return a reason for quarantine. What it raises is raised, the branch rejected.
        """
        verdict = self._verdict(text, source, provenance)
        if verdict.action != Action.PAGE:
            try:
                offer = self._held(session, text, verdict, inspect)
            except ContextOverflowError as problem:
                if verdict.action != Action.QUARANTINE:
                    verdict = _stricter(verdict, "size.does-not-fit", Action.PAGE, str(problem))
                offer = Offer(verdict, 0)
        if verdict.action == Action.PAGE:
            offer = self._paged(session, text, verdict)
        self.ledger.add(offer.verdict)
        return offer

    def fetch(self, pointer: Pointer | str, start: int = 0, stop: int | None = None) -> str:
        """Characters [start, stop) of a paged text. Offer them to a session like any other text."""
        return self._shelf.fetch(pointer, start, stop)

    def _verdict(self, text: str, source: str, provenance: Provenance | str | None) -> Verdict:
        if not isinstance(text, str):
            raise RequestError(f"text is {type(text).__name__}; give a str (bytes: decode them first)")
        if not _SOURCE.fullmatch(source):  # it stands in the notice of a paged text, where it must not speak
            raise RequestError(f"source={source!r} is not valid; give 1 to 100 letters, digits and . : / @ + - _")
        level = self.policy.provenance_of(source)
        if provenance is not None:
            if provenance not in list(Provenance):
                raise RequestError(f"provenance={provenance!r} is not valid; give one of {', '.join(Provenance)}")
            named = source in self.policy.sources or level != self.policy.default_provenance
            level = least_trusted([Provenance(provenance), *([level] if named else [])])
        reasons = judge(text, level, self.policy, self._denied)
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return Verdict(strictest(r.action for r in reasons), reasons, source, level, len(text), digest)

    def _held(
        self, session: HoldsText[H], text: str, verdict: Verdict, inspect: Callable[[str, H], str | None] | None
    ) -> Offer:
        if not text or any(r.rule in UNREADABLE for r in verdict.reasons):
            return Offer(verdict, 0)  # nothing to hold, or nothing that has tokens
        held = session.hold(text)
        try:
            if inspect is not None and (objection := inspect(text, held)):
                verdict = _stricter(verdict, "inspect.objection", Action.QUARANTINE, objection)
            if verdict.admitted:
                held.admit()
                return Offer(verdict, len(held.ids))
            held.reject()
            return Offer(verdict, 0)
        except BaseException as problem:
            held.__exit__(type(problem), problem, problem.__traceback__)
            raise

    def _paged(self, session: HoldsText[H], text: str, verdict: Verdict) -> Offer:
        pointer = self._shelf.put(text, verdict.source, verdict.sha256)
        held = session.hold(self._notice(pointer, text, verdict))
        held.admit()
        return Offer(verdict, len(held.ids), pointer)

    def _notice(self, pointer: Pointer, text: str, verdict: Verdict) -> str:
        told = (
            f"[{pointer.source} gave a result of {pointer.chars} characters, kept outside this context as {pointer.id}."
        )
        preview = text[: self.policy.preview_chars]
        # a beginning alone may say what the whole does not
        if preview and all(
            r.action != Action.QUARANTINE for r in judge(preview, verdict.provenance, self.policy, self._denied)
        ):
            told += f" It begins: {preview!r}."
        return f"{told} Fetch characters START to STOP of {pointer.id} to read more.]\n"


def _stricter(verdict: Verdict, rule: str, action: Action, what: str) -> Verdict:
    reason = Reason(rule, SURE, "text", " ".join(what.split())[:200], action)
    reasons = ordered([*verdict.reasons, reason])
    return replace(verdict, action=strictest(r.action for r in reasons), reasons=reasons)
