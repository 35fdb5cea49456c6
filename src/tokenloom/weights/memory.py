"""How much memory there is to give. Knows the system's and the cgroups' figures. Knows nothing of what is stored."""

from __future__ import annotations

from pathlib import Path

_UNKNOWN = 4 << 30
# limit, use, and the reclaimable part of the use (files read long ago) as cgroup v2 and v1 name them
_V2 = ("memory.max", "memory.current", "inactive_file")
_V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")


def free_memory() -> int:
    """Bytes the system says are available, less what this process's cgroups forbid; 4 GiB where nothing says."""
    free = _UNKNOWN
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
        groups = [(line + "::").split(":")[1:3] for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except (OSError, StopIteration):
        return free
    for controllers, group in groups:
        if controllers == "":
            free = min(free, _left(Path("/sys/fs/cgroup"), group, *_V2))
        elif "memory" in controllers.split(","):
            free = min(free, _left(Path("/sys/fs/cgroup/memory"), group, *_V1))
    return free


def _left(mount: Path, group: str, limit: str, used: str, reclaimable: str) -> int:
    """The least that a group and those above it have left. Inside a container the mount itself may be the group."""
    here, least = mount / group.lstrip("/"), 1 << 62
    for level in (here, *here.parents):
        try:
            most, now = int((level / limit).read_text()), int((level / used).read_text())
            stat = dict(line.split() for line in (level / "memory.stat").read_text().splitlines())
            least = min(least, max(0, most - now + int(stat.get(reclaimable, 0))))
        except (OSError, ValueError):  # no such controller at this level, or "max"
            least = min(least, 1 << 62)
        if level == mount:
            break
    return least
