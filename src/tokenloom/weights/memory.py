"""Anonymous memory for weights and caches, in huge pages where the system gives them.

Knows mmap and madvise. Knows nothing of what is stored.
"""

from __future__ import annotations

import ctypes
import mmap
from typing import cast

import numpy as np
import numpy.typing as npt

HUGE = 2 << 20


class Region:
    """`nbytes` of zeroed memory starting on a 2 MiB boundary; pages appear when touched. It lives as long as this object."""

    def __init__(self, nbytes: int, *, huge: bool) -> None:
        self._memory = mmap.mmap(-1, nbytes + HUGE)
        if huge and hasattr(mmap, "MADV_HUGEPAGE"):
            self._memory.madvise(mmap.MADV_HUGEPAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._skip = -start % HUGE
        self.address = start + self._skip
        self.nbytes = nbytes

    def bytes(self, offset: int, nbytes: int) -> npt.NDArray[np.uint8]:
        """A view of part of it."""
        return cast("npt.NDArray[np.uint8]", np.frombuffer(self._memory, np.uint8, nbytes, self._skip + offset))


def free_memory() -> int:
    """Bytes the system says are available, less what the cgroup forbids; 4 GiB where it does not say."""
    free = 4 << 30
    try:
        with open("/proc/meminfo") as file:
            free = next(int(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return free
    try:
        with open("/sys/fs/cgroup/memory.max") as limit, open("/sys/fs/cgroup/memory.current") as current:
            word = limit.read().strip()
            if word != "max":
                free = min(free, max(0, int(word) - int(current.read())))
    except OSError:
        return free
    return free
