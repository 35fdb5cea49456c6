"""Directories of cached files: where they are, that they are ours alone, and how they are kept small.

Knows files, their sizes and when they were last used (their modification time, which a use moves forward). Knows nothing of what is in them.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FRESH = 3600.0  # seconds: a file used more recently is not marked again


def cache_root() -> Path:
    """The directory all of tokenloom's caches live in: TOKENLOOM_CACHE, else XDG_CACHE_HOME/tokenloom, else ~/.cache/tokenloom."""
    if asked := os.environ.get("TOKENLOOM_CACHE"):
        return Path(asked)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "tokenloom"


def private_directory(path: Path) -> Path | None:
    """`path`, created with mode 0700; None where it cannot be made or is not ours alone (then nothing is cached)."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.stat()
    except OSError:
        return None
    ours = found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o022
    return path if ours and os.access(path, os.W_OK) else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A cached file. `used` is in seconds since 1970."""

    path: Path
    nbytes: int
    used: float


def entries(directory: Path) -> list[Entry]:
    """The finished files of a cache, the longest unused first; hidden ones are being written."""
    return sorted((e for e in _files(directory) if not e.path.name.startswith(".")), key=lambda e: e.used)


def _files(directory: Path) -> Iterator[Entry]:
    try:
        names = os.listdir(directory)
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        try:
            found = os.lstat(directory / name)
        except FileNotFoundError:  # another process has removed it
            continue
        if stat.S_ISREG(found.st_mode):
            yield Entry(directory / name, found.st_size, found.st_mtime)


def mark_used(path: Path, last: float) -> None:
    """Moves a file that was last used at `last` to the end of the queue. Where that is not allowed it stays where it is."""
    if time.time() - last > _FRESH:
        try:
            os.utime(path)
        except OSError:
            return


def evict(directory: Path, bound: int) -> list[Entry]:
    """Removes the longest unused files until the rest take at most `bound` bytes. A process that has one open keeps it until it closes it."""
    found = entries(directory)
    over = sum(e.nbytes for e in found) - bound
    gone = []
    for entry in found:
        if over <= 0:
            break
        entry.path.unlink(missing_ok=True)
        over -= entry.nbytes
        gone.append(entry)
    return gone


def abandoned(directory: Path, prefix: str, seconds: float) -> list[Entry]:
    """Hidden files that a killed process left: those that nobody has written to for so long."""
    before = time.time() - seconds
    return [e for e in _files(directory) if e.path.name.startswith(prefix) and e.used < before]
