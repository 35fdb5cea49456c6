"""Anonymous memory for control blocks, tapes and steps.

Knows mmap's default trap. Knows nothing of what is stored.
"""

from __future__ import annotations

import mmap


def private_memory(nbytes: int) -> mmap.mmap:
    """Zeroed pages that a forked child gets a copy of. Python's default is MAP_SHARED: parent and child would write one Step, and a child's job
    would wake the parent's workers."""
    return mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
