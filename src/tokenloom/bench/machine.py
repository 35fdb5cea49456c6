"""The machine while something is measured: what it is, its clock, and how much of it others take.

Knows Linux's /proc and /sys. Knows nothing of what is measured.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_TICK = 1 / os.sysconf("SC_CLK_TCK")
_BUSY = 0.3  # of the busiest thread's CPU time: what spins beside it has nearly as much, what sleeps has next to none
_ROUNDING = 3 * _TICK  # what counters of whole ticks may be wrong by together


@dataclass(frozen=True)
class Conditions:
    """Of one sample, by what it was disturbed or not."""

    foreign: float  # CPUs that were busy for others, on average
    # the share of its time in which some task waited for a CPU; None where the kernel has no PSI
    pressure: float | None
    avg10: float | None  # the kernel's own average of that over ten seconds, in percent
    mhz: float | None  # median clock of the CPUs

    def as_dict(self) -> dict[str, Any]:
        return {name: None if value is None else round(value, 3) for name, value in asdict(self).items()}


def busy_seconds() -> float:
    """CPU seconds that all CPUs together were not idle since the start of the machine; what a hypervisor took counts as busy."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    )
    return (user + nice + system + irq + softirq + steal) * _TICK


def process_seconds(pid: int) -> float:
    """CPU seconds of a process, ended threads and waited-for children included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * _TICK


def thread_seconds(pid: int) -> dict[int, float]:
    """CPU seconds of every living thread of a process, to the nanosecond."""
    seconds = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            seconds[int(task)] = int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0]) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
    return seconds


def busy_threads(used: Collection[float]) -> int:
    """How many threads did the work, from the CPU seconds that each used meanwhile."""
    most = max(used, default=0.0)
    return sum(seconds >= _BUSY * most for seconds in used)


def pressure() -> tuple[float, float] | None:
    """PSI of the CPUs, `some`: the average of ten seconds in percent, and the total in seconds."""
    try:
        fields = dict(f.split("=") for f in Path("/proc/pressure/cpu").read_text().splitlines()[0].split()[1:])
    except OSError:
        return None
    return float(fields["avg10"]), int(fields["total"]) / 1e6


def clock_mhz() -> float | None:
    """Median clock now. Virtual machines often state a constant."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    clocks = [float(line.split(":")[1]) for line in lines if line.startswith("cpu MHz")]
    return statistics.median(clocks) if clocks else None


class Watch:
    """Looks at the machine from now until `end`. `own` are processes whose CPU time is not foreign."""

    def __init__(self, own: Iterable[int]) -> None:
        self._own = [*own, os.getpid()]
        self._pressure = pressure()
        self._busy, self._mine = busy_seconds(), self._own_seconds()
        self._begun = time.perf_counter()

    def _own_seconds(self) -> float:
        return sum(process_seconds(pid) for pid in self._own)

    def end(self) -> Conditions:
        wall = time.perf_counter() - self._begun
        foreign = busy_seconds() - self._busy - (self._own_seconds() - self._mine)
        now = pressure()
        share = None if now is None or self._pressure is None else (now[1] - self._pressure[1]) / wall
        return Conditions(max(0.0, foreign - _ROUNDING) / wall, share, None if now is None else now[0], clock_mhz())


def cpu_name() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def describe() -> dict[str, Any]:
    """What an artefact says of the machine."""
    from tokenloom.jit.cpu import TIERS, missing

    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu_name(),
        "cpus": len(os.sched_getaffinity(0)),
        "tiers": [name for name, tier in TIERS.items() if not missing(tier)],
        "memory_bytes": memory,
        "kernel": platform.release(),
        "clock_mhz": clock_mhz(),
        "load_average": [round(x, 2) for x in os.getloadavg()],
    }
