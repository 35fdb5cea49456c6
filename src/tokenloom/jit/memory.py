"""Anonymous memory that generated code may use, and where it lies.

Knows mmap's default trap and huge pages. Knows nothing of what is stored.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HUGE = 2 << 20


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

    def discard(self) -> None:
        """Gives the memory back to the system; the addresses stay valid and read as zeros, whoever still holds one."""
        self._memory.madvise(mmap.MADV_DONTNEED)

    def bytes(self, offset: int, nbytes: int) -> npt.NDArray[np.uint8]:
        """A view of part of it."""
        import numpy as np

        return np.frombuffer(self._memory, np.uint8, nbytes, self._skip + offset)
