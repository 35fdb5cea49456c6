"""A held branch: text that is computed on a fork, looked at, and then admitted into its session or rejected without a trace.

Knows a fork and the session it came from. Knows nothing of why one would reject.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenloom.errors import ClosedError
from tokenloom.runtime.sequence import Sequence

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tokenloom.runtime.session import Session


class Held:
    """Get one from `Session.hold`. The session itself has not seen the text, and never will have if it is rejected."""

    def __init__(
        self, session: Session, before: list[int], sequence: Sequence, ids: list[int], logits: npt.NDArray[np.float32]
    ) -> None:
        self._session, self._before, self._ids, self._sequence = session, before, ids, sequence
        self._open = True
        self.logits = logits  # float32 [vocab], of the token that would follow

    @property
    def ids(self) -> list[int]:
        """What is held."""
        return [*self._ids]

    @property
    def tokens(self) -> list[int]:
        """What the session's tokens would be."""
        return self._before + self._ids

    def admit(self) -> None:
        """The session goes on from here. Raises RequestError when the session has changed since; the branch stays open then."""
        self._check()
        self._session._adopt(self._before, self._sequence, self.tokens)
        self._open = False

    def reject(self) -> None:
        """Drops the branch."""
        self._check()
        self._open = False
        self._sequence.close()

    def _check(self) -> None:
        if not self._open:
            raise ClosedError("this held branch was already admitted or rejected")

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *_: object) -> None:
        """Rejected, unless it was admitted."""
        if self._open:
            self.reject()
