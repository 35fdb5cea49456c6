"""A session: text or a conversation whose cache the caller owns.

Knows one sequence and the messages that led to it. Knows nothing of other sessions.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from collections.abc import Sequence as Items
from typing import TYPE_CHECKING, Any

from tokenloom.errors import ClosedError, RequestError, SessionBusyError
from tokenloom.runtime import saved
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.generation import Generation, Lease, TokenGeneration, check_fits, make_request
from tokenloom.runtime.held import Held
from tokenloom.runtime.prefix import PrefixTree, common_prefix
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.speculation import speculation_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tokenloom.runtime.model import Model


class Session:
    """Get one from `Model.session()`. One use at a time: a second one, while a generation runs, raises SessionBusyError."""

    def __init__(self, model: Model, engine: Engine, tree: PrefixTree | None) -> None:
        self._model, self._engine, self._tree = model, engine, tree
        self._sequence = engine.new_sequence()
        self._tokens: list[int] = []  # the sequence holds a prefix of these, or, after an interrupt, more
        self._guard = threading.Lock()
        self._last_use: Callable[[], _Use | None] = lambda: None

    @property
    def tokens(self) -> list[int]:
        """All tokens of the session, generated ones included."""
        return [*self._tokens]

    def append(self, text: str | Items[int]) -> int:
        """Adds text (or ids) and computes it, all of it or, when that fails, nothing; returns how many tokens it was."""
        with self._use():
            ids = self._ids(text)
            tokens = self._tokens + ids
            check_fits(len(tokens), self._model.ctx)
            self._sequence.truncate(len(self._tokens))
            self._compute(tokens)
            self._tokens = tokens
            return len(ids)

    def _compute(self, tokens: list[int]) -> None:
        if self._tree is not None:
            self._tree.extend(self._sequence, tokens)
        while (at := self._sequence.length) < len(tokens):
            self._engine.step_locked([Rows(self._sequence, tokens[at : at + self._engine.prompt_rows], "none")])
        self._remember()

    def _remember(self) -> None:
        if self._tree is not None:
            self._tree.remember(self._sequence)

    def generate(
        self, text: str | Items[int] = "", *, reuse: bool = True, speculate: str | Model | None = None, **settings: Any
    ) -> Generation:
        """Adds `text` and generates what follows, without a template. Settings as in `Model.generate`.

        Without `reuse` nothing is taken from other sequences' pages and nothing left for them; the session's own are used in any case.
        """
        use = self._claim()
        try:
            return self._generation(self.tokens + self._ids(text), use, reuse, speculate, settings)
        except BaseException:
            use.end()
            raise

    def chat(
        self, messages: Items[dict[str, Any]], *, system: str | None = None, reuse: bool = True, speculate: str | Model | None = None, **settings: Any
    ) -> Generation:  # fmt: skip
        """Answers a conversation; what it shares with the session's tokens so far is not computed again."""
        use = self._claim()
        try:
            ids = self._model._messages_ids(self._model._system_first(messages, system))
            return self._generation(ids, use, reuse, speculate, settings)
        except BaseException:
            use.end()
            raise

    def truncate(self, length: int) -> None:
        """Keeps the first `length` tokens; later results are those of a session that never saw the rest."""
        with self._use():
            if not 0 <= length <= len(self._tokens):
                raise RequestError(f"length={length} is not within 0 to {len(self._tokens)}, the session's tokens")
            self._tokens = self._tokens[:length]
            self._sequence.truncate(length)

    # ---- branches ------------------------------------------------------------------------------------------------------

    def fork(self) -> Session:
        """A session that goes on from here on its own; what both have in common is stored once."""
        with self._use():
            other = Session(self._model, self._engine, self._tree)
            other._sequence, other._tokens = self._sequence.fork(), [*self._tokens]
            return other

    def hold(self, text: str | Items[int]) -> Held:
        """Computes text on a branch of its own: inspect it, then `admit` or `reject` it."""
        with self._use():
            ids = self._ids(text) if text else []
            if not ids:
                raise RequestError("nothing to hold; give at least one token")
            before = [*self._tokens]
            check_fits(len(before) + len(ids), self._model.ctx)
            branch = self._sequence.fork()
            branch.truncate(len(before))
            if self._tree is not None:  # taken from, never added to before it is admitted
                self._tree.extend(branch, before + ids)
            branch.truncate(len(before) + len(ids) - 1)
            logits = self._last_logits(branch, before + ids)
            return Held(self, before, branch, ids, logits)

    def _last_logits(self, sequence: Sequence, tokens: list[int]) -> npt.NDArray[np.float32]:
        """Computes what is missing; the logits after the last token."""
        while True:
            chunk = tokens[sequence.length : sequence.length + self._engine.prompt_rows]
            last = sequence.length + len(chunk) == len(tokens)
            with self._engine.lock:
                outs = self._engine.step([Rows(sequence, chunk, "last" if last else "none")])
                if last:
                    row: npt.NDArray[np.float32] = self._engine.logits(outs)[0]
                    return row

    def _adopt(self, before: list[int], sequence: Sequence, tokens: list[int]) -> None:
        with self._use():
            if self._tokens != before:
                raise RequestError(
                    "the session has changed since this branch was held; reject it and hold the text again"
                )
            old, self._sequence, self._tokens = self._sequence, sequence, tokens
            old.close()
            self._remember()

    def evict(self, start: int, stop: int, *, approximate: bool = False) -> None:
        """Removes tokens [start, stop) exactly: what followed them is computed again, as if they had never been there.

        When that fails, the tokens are removed all the same and the rest is computed by the next use.

        With `approximate` nothing is computed again but the first layer's keys and values: those of the other layers move to their new positions and
        still know what they saw of the tokens that are gone. The session says so (`approximate`), and no other one gets these pages.
        """
        with self._use():
            if not 0 <= start <= stop <= len(self._tokens):
                raise RequestError(
                    f"start={start}, stop={stop} is not a span of the session's {len(self._tokens)} tokens"
                )
            if start < stop and approximate:
                self._compute(self._tokens)
                old, self._sequence = self._sequence, self._model._shift.closed(self._sequence, start, stop)
                self._tokens = self._tokens[:start] + self._tokens[stop:]
                old.close()
            elif start < stop:
                self._tokens = self._tokens[:start] + self._tokens[stop:]
                self._sequence.truncate(start)
                self._compute(self._tokens)

    @property
    def approximate(self) -> bool:
        """Whether results may differ from those of the tokens computed anew: after `evict(approximate=True)`, until a cut before what it moved."""
        return self._sequence.approximate_from < self._sequence.length

    # ---- keeping -------------------------------------------------------------------------------------------------------

    @property
    def nbytes(self) -> int:
        """Bytes of the pages this session holds, shared ones included."""
        return self._sequence.held * self._engine.pool.page_nbytes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the session to a file that `Model.restore` reads, in this process or another."""
        with self._use():
            self._sequence.truncate(len(self._tokens))
            saved.save(path, self._sequence, self._tokens, self._fingerprint())

    def _restore(self, path: str | os.PathLike[str]) -> None:
        self._tokens = saved.restore(path, self._sequence, self._fingerprint(), self._engine.vocab_size)

    def _fingerprint(self) -> saved.Fingerprint:
        engine = self._engine
        return saved.Fingerprint(
            engine.fingerprint,
            self._model.tokenizer.fingerprint,
            engine.arithmetic,
            engine.kv_dtype,
            engine.pool.page_nbytes,
        )

    def close(self) -> None:
        """Gives the pages back."""
        with self._claim():
            self._sequence.close()
            self._tokens = []

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ids(self, text: str | Items[int]) -> list[int]:
        if isinstance(text, str):
            first = not self.tokens
            return self._model.tokenizer.encode(text, add_bos=None if first else False) if text or first else []
        return self._model._checked(text)

    def _generation(
        self, ids: list[int], use: _Use, reuse: bool, speculate: str | Model | None, settings: dict[str, Any]
    ) -> Generation:
        from tokenloom.runtime.model import begin

        request = make_request(self._engine.vocab_size, **settings)
        speculation = speculation_of(speculate, self._model)
        check_fits(len(ids), self._model.ctx)
        sequence = self._sequence
        tree = self._tree if reuse else None
        cached = begin(sequence, ids, tree)
        before = self._tokens = ids[: common_prefix(self._tokens, ids)]

        def give_back(generated: list[int]) -> None:
            # a token that was sampled but not fed, or is not computed yet, belongs to the session all the same
            try:
                computed = ids + generated if sequence.length >= len(ids) else sequence.tokens
                self._tokens = max(before, computed, key=len)
                if tree is not None:
                    tree.remember(sequence)
            finally:
                use.end()

        lease = Lease(sequence, ids, cached, give_back, tree)
        source = TokenGeneration(self._engine, self._model.tokenizer, lease, request, self._model.load_s, speculation)
        return Generation(source, self._model.tokenizer, request.stop)

    def _claim(self) -> _Use:
        use = _Use()
        with self._guard:
            last = self._last_use()
            if last is not None and not last.over:
                raise SessionBusyError(
                    "this session is in use; finish or close its generation first, or fork the work into another session"
                )
            self._last_use = weakref.ref(use)
        return use

    def _use(self) -> _Use:
        use = self._claim()
        if self._sequence.closed:
            use.end()
            raise ClosedError("this session is closed; open a new one")
        return use


class _Use:
    """One use of a session. It is over when it is ended, and when nobody holds it: an interrupt between any two lines leaves no session in use."""

    def __init__(self) -> None:
        self.over = False

    def end(self) -> None:
        self.over = True

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        self.end()
