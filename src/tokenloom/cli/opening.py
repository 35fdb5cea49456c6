"""Opening a model from the command line: a bar while it takes long (a first start compiles), nothing on quick ones.

Knows `tokenloom.load` and the terminal. Knows nothing of what opening does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any

from tokenloom.errors import OutOfBudgetError, RequestError

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tokenloom.runtime.model import Model


class OpeningBar:
    """A progress callback `(stage, fraction)` for a terminal; shows nothing until called, and leaves nothing behind."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, fraction: float) -> None:
        if self._progress is None:
            self._progress = self._bar()
            self._progress.start()
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(stage, total=1.0)
        self._progress.update(self._tasks[stage], completed=fraction)

    @staticmethod
    def _bar() -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
        return Progress(*columns, console=Console(stderr=True), transient=True)

    def __enter__(self) -> OpeningBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()


def open_model(path: str | None, **settings: Any) -> Model:
    import tokenloom
    from tokenloom.jit.cache import cache_root, private_directory

    if private_directory(cache_root()) is None:
        sys.stderr.write(
            f"tokenloom: {cache_root()} cannot keep anything, so every start compiles and packs anew; `tokenloom doctor` says why\n"
        )
    with OpeningBar() as bar:
        try:
            return tokenloom.load(path, progress=bar if sys.stderr.isatty() else None, **settings)
        except (RequestError, OutOfBudgetError) as problem:
            raise type(problem)(_in_flags(str(problem))) from problem


@contextmanager
def drafting(speculate: str | None, **settings: Any) -> Iterator[str | Model | None]:
    """What `generate(speculate=)` takes for the flag: nothing, the word, or the model that it names, open meanwhile."""
    if speculate is None or speculate == "ngram":
        yield speculate
    else:
        with open_model(speculate, **settings) as model:
            yield model


def _in_flags(text: str) -> str:
    """A message that begins with an argument of `load`, said with the flag that gave it."""
    for name, flag in (
        ("ctx=", "-c/--ctx "),
        ("threads=", "-t/--threads "),
        ("kv_dtype=", "--kv-dtype "),
        ("kv_budget=", "--kv-budget "),
        ("arithmetic ", "--arithmetic "),
    ):
        if text.startswith(name):
            return flag + text.removeprefix(name)
    return text
