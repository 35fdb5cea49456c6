"""The files of an open model: opened as if they might be anything, read to the last byte asked for, closed together.

Knows what a path may turn out to be, and that a file may shrink while it is open: bytes are read with `pread`, since a mapped file that is cut short
kills the process. Knows nothing of what is in them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Self

from tokenloom.errors import FormatError

_MOST_AT_ONCE = 1 << 30


@dataclass(frozen=True, slots=True)
class Shard:
    """One open file. `size` and `mtime_ns` are as they were when it was opened."""

    path: Path
    fd: int
    size: int
    mtime_ns: int

    def read_into(self, view: memoryview, offset: int, field: str, remedy: str) -> None:
        """Fill `view` with the bytes from `offset` on. Raises FormatError naming `field`, with `remedy` where the file has shrunk."""
        done = 0
        while done < len(view):
            try:
                got = os.preadv(self.fd, [view[done : done + _MOST_AT_ONCE]], offset + done)
            except OSError as error:
                raise FormatError(f"{self.path}: {field}: cannot be read: {error.strerror}") from error
            if got == 0:
                shrunk = f"the file has shrunk since it was opened with {self.size} bytes"
                raise FormatError(f"{self.path}: {field}: {shrunk}; {remedy}")
            done += got


class OpenShards:
    """A model's shards, open until it is closed or nobody has it any more.

    They are its to close from `__init__` on, so a subclass calls that last.
    """

    def __init__(self, shards: Iterable[Shard]) -> None:
        self.shards = tuple(shards)
        self._closed = False

    @property
    def nbytes(self) -> int:
        """Bytes of all shards."""
        return sum(shard.size for shard in self.shards)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            for shard in self.shards:
                os.close(shard.fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):
            self.close()


def open_shard(path: Path, ending: str) -> Shard:
    """Open a regular file, whose descriptor is then the caller's. Raises FormatError; its advice is to give a file that ends in `ending`."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a FIFO must not make us wait for its writer
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such file; check the path") from None
    except ValueError:
        raise FormatError(f"{str(path)!r}: not a possible path; check it") from None
    except OSError as error:
        raise FormatError(f"{path}: cannot be opened: {error.strerror}; check the path and its permissions") from error
    try:
        status = os.fstat(fd)
        if stat.S_ISDIR(status.st_mode):
            _refuse_directory(path, ending)
        if not stat.S_ISREG(status.st_mode):
            raise FormatError(f"{path}: not a regular file; give the path of a {ending} file")
        return Shard(path, fd, status.st_size, status.st_mtime_ns)
    except BaseException:
        os.close(fd)
        raise


def _refuse_directory(path: Path, ending: str) -> NoReturn:
    inside = sorted(p.name for p in path.iterdir() if p.suffix == ending)
    remedy = f"open one of its files: {', '.join(inside[:5])}" if inside else f"it holds no {ending} file"
    raise FormatError(f"{path}: is a directory; {remedy}")
