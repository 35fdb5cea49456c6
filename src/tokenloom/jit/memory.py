"""Memory that generated code may use, and where it lies.

Knows mmap's default trap, huge pages, and how a file's pages become memory. Knows nothing of what is stored.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HUGE = 2 << 20
MOSTLY = 0.9
"""Least part of a mapped file that must lie in huge pages: small ones cost decoding a tenth on one machine, on others up to a half."""
_POPULATE_READ = 22  # MADV_POPULATE_READ of Linux 5.14, which Python does not name


def private_memory(nbytes: int) -> mmap.mmap:
    """Zeroed pages that a forked child gets a copy of. Python's default is MAP_SHARED: parent and child would write one Step, a child's
    job would wake the parent's workers, and huge pages would need the system's shmem setting."""
    return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def address_of(memory: mmap.mmap) -> int:
    """Where a mapping lies. It must stay referenced for as long as generated code may use the address."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


class Region:
    """`nbytes` of zeroed memory starting on a 2 MiB boundary, in huge pages when asked for. It lives as long as this object."""

    def __init__(self, nbytes: int, *, huge: bool) -> None:
        self._memory = private_memory(nbytes + HUGE)
        if huge and hasattr(mmap, "MADV_HUGEPAGE"):
            self._memory.madvise(mmap.MADV_HUGEPAGE)
        start = address_of(self._memory)
        self._skip = -start % HUGE
        self.address = start + self._skip
        self.nbytes = nbytes
        self._mapped = False

    def map_file(self, fd: int, offset: int) -> bool:
        """Whether the file's bytes from `offset` on are the region now, read-only, without a copy and in huge pages; else it is as it was, or zeroed.

        The system's cache holds large files in huge pages on some kernels and file systems (Linux 6.16 with ext4, say). Whoever shortens the file
        meanwhile kills the process, so it must be nobody else's.
        """
        if sys.platform != "linux" or offset % HUGE:
            return False
        self._mapped = True
        if self._place(mmap.PROT_READ, mmap.MAP_PRIVATE, fd, offset) and self._populate() and self._in_huge_pages():
            return True
        self.discard()
        return False

    def discard(self) -> None:
        """Gives the memory back to the system; the addresses stay valid and read as zeros, whoever still holds one."""
        if not self._mapped:
            self._memory.madvise(mmap.MADV_DONTNEED)
        elif self._place(mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0):
            self._mapped = False
            _libc().madvise(self.address, self.nbytes, mmap.MADV_HUGEPAGE)
        else:
            raise MemoryError(f"{self.nbytes} bytes cannot be mapped anew")

    def bytes(self, offset: int, nbytes: int) -> npt.NDArray[np.uint8]:
        """A view of part of it."""
        import numpy as np

        return np.frombuffer(self._memory, np.uint8, nbytes, self._skip + offset)

    def _place(self, access: int, flags: int, fd: int, offset: int) -> bool:
        """Something else in place of what lies at the region's addresses; the `mmap` object still frees them in the end."""
        fixed = 0x10  # MAP_FIXED, which Python does not name
        return bool(_libc().mmap(self.address, self.nbytes, access, flags | fixed, fd, offset) == self.address)

    def _populate(self) -> bool:
        _libc().madvise(self.address, self.nbytes, mmap.MADV_HUGEPAGE)
        return bool(_libc().madvise(self.address, self.nbytes, _POPULATE_READ) == 0)

    def _in_huge_pages(self) -> bool:
        lines = iter(Path("/proc/self/smaps").read_text().splitlines())
        next((line for line in lines if line.startswith(f"{self.address:x}-")), None)
        huge = next((int(line.split()[1]) << 10 for line in lines if line.startswith("FilePmdMapped:")), 0)
        return huge >= MOSTLY * self.nbytes


@functools.cache
def _libc() -> Any:
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return libc
