"""How much memory there is to give. Knows the system's and the cgroup's figures. Knows nothing of what is stored."""

from __future__ import annotations


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
