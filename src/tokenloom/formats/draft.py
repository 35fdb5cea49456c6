"""A file that appears under its name whole, or not at all.

Knows names, locks and renaming, and which files may not be replaced. Knows nothing of what is written.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from tokenloom.errors import RequestError


@contextmanager
def drafted(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A hidden file beside `path`, open for writing, which takes its name once every byte is on the disk. Whatever goes wrong before that,
    `path` is as it was. Raises RequestError where there is a file already, and `overwrite` is not set, where another process writes it,
    and where it cannot be written.

    The draft of a process that was killed is nobody's: whoever writes `path` next writes over it.
    """
    if not path.parent.is_dir():
        raise RequestError(f"{path}: there is no directory {str(path.parent)!r}; make it first")
    _refuse_existing(path, overwrite)
    draft = path.with_name(f".{path.name}.part")
    try:
        fd = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        with open(fd, "wb") as file:
            if not lock_draft(fd, draft):
                raise RequestError(f"{path}: another process is writing it; wait for that, or give another path")
            try:
                os.ftruncate(fd, 0)
                yield file
                file.flush()
                os.fsync(fd)
                _refuse_existing(path, overwrite)
                os.replace(draft, path)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
    except OSError as problem:
        raise RequestError(
            f"{path}: cannot be written: {problem.strerror}; give a path that you may write to, on a disk with room for it"
        ) from problem


def lock_draft(fd: int, path: Path) -> bool:
    """Whether the draft is ours now: nobody else writes it, and it is still what lies under its name (its writer may have renamed it meanwhile)."""
    with suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(fd), os.lstat(path))
    return False


def refuse_own_source(path: Path, sources: Iterable[Path]) -> None:
    """Whatever may be overwritten, the files that are read may not: what is lost on the way could not be had again. Raises RequestError."""
    if path.exists() and any(path.samefile(source) for source in sources):
        raise RequestError(f"{path}: is the file that is read; give another path to write to")


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if path.is_dir():
        raise RequestError(f"{path}: is a directory; give the path of the file to write")
    if path.exists() and not path.is_file():
        raise RequestError(f"{path}: is no regular file, and would be replaced; give the path of the file to write")
    if path.exists() and not overwrite:
        raise RequestError(f"{path}: exists already; give another path, or --force to overwrite it")
