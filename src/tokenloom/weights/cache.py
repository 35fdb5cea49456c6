"""The packed forms of files opened before: one container each in the user's cache directory, bounded, safe under
processes that start and die at will.

Knows names, locks, sizes and who has to go. Knows nothing of weights or of what a name stands for.

An entry appears by rename, whole. Until then it is a hidden draft whose writer holds a lock on it; a killed writer's lock is gone, so whoever comes
next may remove the draft. Nothing is flushed to the disk on purpose: an entry that a power cut left half-written fails its checksums and is dropped.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.formats.draft import lock_draft
from tokenloom.formats.loom import LoomFile, open_loom
from tokenloom.jit.cache import Entry, cache_root, entries, evict, mark_used, private_directory
from tokenloom.sizes import in_bytes

MOST = 20_000_000_000
SHARE = 10
"""The bound unless told otherwise: MOST bytes, or one SHAREth of what the disk would have free without the cache, if that is less."""
_SUFFIX, _DRAFT, _LOCK = ".loom", ".part", ".lock"
_LOCK_PATIENCE = 2.0


def packed_directory() -> Path:
    return cache_root() / "packed"


def asked_bound() -> int | None:
    """TOKENLOOM_CACHE_SIZE in bytes: a size, or 0 or `off`; None where it says nothing."""
    text = os.environ.get("TOKENLOOM_CACHE_SIZE")
    if not text:
        return None
    return 0 if text.strip().lower() in ("off", "0") else in_bytes("TOKENLOOM_CACHE_SIZE", text)


def bound_of(directory: Path) -> int:
    """Most bytes that the packed cache may take there."""
    asked = asked_bound()
    if asked is not None:
        return asked
    disk = os.statvfs(next(p for p in (directory, *directory.absolute().parents) if p.exists()))
    held = sum(entry.nbytes for entry in entries(directory))
    return min(MOST, (disk.f_bavail * disk.f_frsize + held) // SHARE)


@dataclass
class Draft:
    """An entry being written through `fd`, by us alone. Leaving the block removes what was not committed."""

    fd: int
    path: Path
    target: Path
    committed: bool = False

    def __enter__(self) -> Draft:
        return self

    def __exit__(self, *exc: object) -> None:
        if not self.committed:
            self.path.unlink(missing_ok=True)
        os.close(self.fd)


class PackedCache:
    """The entries in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def find(self, name: str) -> LoomFile | None:
        """The container of that name, open. One that is not whole is dropped."""
        path = self.directory / (name + _SUFFIX)
        try:
            if not path.exists():
                return None
            found = open_loom(path)
        except (FormatError, UnsupportedError, OSError):
            self.drop(name)
            return None
        mark_used(path, found.shards[0].mtime_ns / 1e9)
        return found

    def drop(self, name: str) -> None:
        """Removes an entry. What cannot be removed stays: the model opens without it."""
        with suppress(OSError):
            (self.directory / (name + _SUFFIX)).unlink()

    def claim(self, name: str, nbytes: int) -> Draft | None:
        """A draft for an entry of `nbytes`, with room made for it; None where another process writes it already.

        Raises OSError where it cannot be written.
        """
        with self._locked():
            self._sweep()
            path = self.directory / f".{name}{_DRAFT}"
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            if not lock_draft(fd, path):
                os.close(fd)
                return None
            os.ftruncate(fd, 0)
            evict(self.directory, bound_of(self.directory) - nbytes)
            return Draft(fd, path, self.directory / (name + _SUFFIX))

    def commit(self, draft: Draft) -> None:
        """The draft becomes an entry."""
        with self._locked():
            evict(self.directory, bound_of(self.directory) - os.fstat(draft.fd).st_size)
            os.rename(draft.path, draft.target)
            draft.committed = True

    def entries(self) -> list[Entry]:
        return [e for e in entries(self.directory) if e.path.suffix == _SUFFIX]

    def clear(self) -> list[Entry]:
        """Removes all entries and what killed writers left; what is being written stays and may become an entry."""
        with self._locked():
            gone = self.entries()
            for entry in gone:
                entry.path.unlink(missing_ok=True)
            self._sweep()
        return gone

    def _sweep(self) -> None:
        """Removes the drafts that nobody is writing."""
        for path in self.directory.glob(f".*{_DRAFT}"):
            with suppress(FileNotFoundError):
                fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
                try:
                    if lock_draft(fd, path):
                        path.unlink()
                finally:
                    os.close(fd)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time counts and removes entries. A lock that its holder keeps too long is an OSError."""
        fd = os.open(self.directory / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            deadline = time.monotonic() + _LOCK_PATIENCE
            while True:
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.01)
            yield
        finally:
            os.close(fd)


def open_cache() -> PackedCache | None:
    """The user's packed cache; None where it is switched off, or its directory cannot be ours alone."""
    if asked_bound() == 0:
        return None
    directory = private_directory(packed_directory())
    return PackedCache(directory) if directory else None
