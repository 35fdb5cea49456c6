"""A file that appears under its name whole, or not at all.

Knows names and renaming, and which files may not be replaced. Knows nothing of what is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from tokenloom.errors import RequestError


@contextmanager
def drafted(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A hidden file beside `path`, open for writing, which takes its name once every byte is on the disk. Whatever goes wrong before that,
    `path` is as it was. Raises RequestError where there is a file already, and `overwrite` is not set.
    """
    if not path.parent.is_dir():
        raise RequestError(f"{path}: there is no directory {str(path.parent)!r}; make it first")
    _refuse_existing(path, overwrite)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _refuse_existing(path, overwrite)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def refuse_own_source(path: Path, sources: Iterable[Path]) -> None:
    """Whatever may be overwritten, the files that are read may not: what is lost on the way could not be had again. Raises RequestError."""
    if path.exists() and any(path.samefile(source) for source in sources):
        raise RequestError(f"{path}: is the file that is read; give another path to write to")


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if path.is_dir():
        raise RequestError(f"{path}: is a directory; give the path of the file to write")
    if path.exists() and not overwrite:
        raise RequestError(f"{path}: exists already; give another path, or --force to overwrite it")
