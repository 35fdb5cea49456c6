"""The pace of guessing: how many tokens to draft for a step, from what steps of each size were measured to cost.

Knows counts and seconds. Knows nothing of where guesses come from or of how they are checked.
"""

from __future__ import annotations

from tokenloom.runtime.engine import FEW_ROWS

MOST_DRAFTED = FEW_ROWS - 1  # tokens a step for one text: with the certain one they are the rows of the class for few
_FIRST, _LONGEST_PAUSE = 3, 64
_LEAST_COST = 0.05  # of a drafted row, in tokens: a slow step that the others happened to be measured against does not make wrong guesses free
_MEMORY, _GAIN_MEMORY = 0.25, 0.1  # weight of the latest measurement


class Costs:
    """Seconds that decoding steps took, by their rows."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}

    def known(self, rows: int) -> bool:
        """Whether a step of so many rows was measured. Without drafts it is what those with drafts are compared with."""
        return rows in self._seconds

    def saw(self, rows: int, seconds: float) -> None:
        before = self._seconds.get(rows, seconds)
        self._seconds[rows] = before + _MEMORY * (seconds - before)

    def of(self, rows: int, drafted: int) -> float:
        """What `drafted` rows beside `rows` certain ones cost: the tokens that as much time gives without them."""
        least = _LEAST_COST * drafted
        if not (self.known(rows) and self.known(rows + drafted)):
            return least
        return max(rows * (self._seconds[rows + drafted] / self._seconds[rows] - 1), least)


class Pace:
    """How many tokens to draft: more while all are right, fewer after a wrong one, and none for a while, ever longer, where it does not pay."""

    def __init__(self) -> None:
        self._length, self._pause, self._wait = _FIRST, 0, 0
        self._gain = 0.0  # of a step with a draft: tokens that came of it, less what it cost

    def next(self) -> int:
        """How many tokens to draft for this step."""
        if self._wait:
            self._wait -= 1
            return 0
        return self._length

    def learn(self, drafted: int, accepted: int, cost: float) -> None:
        """What came of a draft; `cost` in tokens."""
        if not drafted:
            return
        self._gain += _GAIN_MEMORY * (accepted - cost - self._gain)
        if self._gain > 0:
            self._pause = 0
            self._length = min(MOST_DRAFTED, 2 * drafted + 1) if accepted == drafted else accepted + 1
        else:
            self._length = 1
            self._pause = self._wait = min(_LONGEST_PAUSE, max(1, 2 * self._pause))
