"""What this machine is and which tiers it can run.

Knows CPU features (through LLVM; on arm64 through the kernel), affinity, physical cores, the cgroup quota, and the table of tiers. Knows no kernels.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tokenloom.errors import RequestError, TierError


@dataclass(frozen=True)
class Tier:
    """An instruction-set level. LLVM gets `cpu` and `features` as they stand here, never the host's own name."""

    name: str
    arch: str  # x86_64 or aarch64: a row of jit.arch.ARCHES
    cpu: str
    features: str
    requires: frozenset[str]  # LLVM feature names the host must have
    lanes: int  # float32 lanes of one register
    tokens: int  # activation rows the matmul micro-kernel holds in registers
    fma: bool
    f16c: bool  # half-precision conversion in hardware
    dot: str  # the row of jit.dot.DOTS that multiplies int8
    tiles: bool  # int8 matrix tiles: kernels.amx
    proof: str  # a regular expression found in this tier's matmul assembly (for many rows) and in no lower tier's
    bf16: bool = False  # products of float weights may use bfloat16: not the same bits, see `fast`


_X86_64_V3 = frozenset({"avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe"})
_VNNI = "-prefer-256-bit,+avx512vnni"
_AMX = ",+amx-tile,+amx-int8"
_X86_64_V4 = _X86_64_V3 | {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"}
_AMX_INT8 = _X86_64_V4 | {"avx512vnni", "amx-tile", "amx-int8"}
_I8MM = frozenset({"neon", "dotprod", "i8mm"})

TIERS: Mapping[str, Tier] = {
    t.name: t
    for t in (
        Tier("generic", "x86_64", "x86-64", "+ssse3,+sse4.1", frozenset({"sse4.1"}), 4, 2, False, False, "portable", False, r"\bpmullw\b"),
        Tier("avx2", "x86_64", "x86-64-v3", "", _X86_64_V3, 8, 4, True, True, "avx2", False, r"vpmaddubsw.*%ymm"),
        Tier("avxvnni", "x86_64", "x86-64-v3", "+avxvnni", _X86_64_V3 | {"avxvnni"}, 8, 4, True, True, "vnni", False, r"\{vex\}\s+vpdpbusd.*%ymm"),
        Tier("avx512", "x86_64", "x86-64-v4", "-prefer-256-bit", _X86_64_V4, 16, 12, True, True, "avx512", False, r"vpmaddubsw.*%zmm"),
        Tier("avx512vnni", "x86_64", "x86-64-v4", _VNNI, _X86_64_V4 | {"avx512vnni"}, 16, 12, True, True, "vnni", False, r"vpdpbusd.*%zmm"),
        Tier("amx", "x86_64", "x86-64-v4", _VNNI + _AMX, _AMX_INT8, 16, 12, True, True, "vnni", True, r"\btdpbssd\b"),
        Tier("neon", "aarch64", "generic", "+neon", frozenset({"neon"}), 4, 8, True, True, "neon", False, r"\bsm(ul|la)l2?\b"),
        Tier("dotprod", "aarch64", "generic", "+neon,+dotprod", frozenset({"neon", "dotprod"}), 4, 8, True, True, "sdot", False, r"\bsdot\b"),
        Tier("i8mm", "aarch64", "generic", "+neon,+dotprod,+i8mm", _I8MM, 4, 8, True, True, "smmla", False, r"\bsmmla\b"),
    )
}  # fmt: skip


@dataclass(frozen=True)
class CpuInfo:
    """`name` is LLVM's name of the host, `quota` the cgroup's CPU limit in cores (None: unlimited), `refused` what the kernel does not permit."""

    arch: str
    name: str
    features: frozenset[str]
    physical_cores: int
    affinity: tuple[int, ...]
    quota: float | None
    refused: str = ""


def _physical_cores(cpus: tuple[int, ...]) -> int:
    """Distinct cores behind the given logical CPUs; each counts for itself where the kernel does not say."""
    seen = set()
    for cpu in cpus:
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            seen.add(path.read_text().strip())
        except OSError:
            seen.add(f"cpu{cpu}")
    return len(seen)


def _quota() -> float | None:
    """The tightest CPU limit of this process's cgroups, in cores (cgroup v2, then v1)."""
    limits: list[float] = []
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, group = (line + "::").split(":")[:3]
        if controllers == "":
            limits += _limits("/sys/fs/cgroup", group, "cpu.max")
        elif "cpu" in controllers.split(","):
            limits += _limits("/sys/fs/cgroup/cpu", group, "cpu.cfs_quota_us", "cpu.cfs_period_us")
    return min(limits, default=None)


def _limits(mount: str, group: str, *files: str) -> list[float]:
    """The limits of a group and those above it. Inside a container the group's own path may not be mounted; the mount then is its limit."""
    here, found = Path(mount) / group.lstrip("/"), list[float]()
    for level in (here, *here.parents):
        try:
            words = " ".join((level / file).read_text() for file in files).split()
            if int(words[0]) > 0:
                found.append(int(words[0]) / int(words[1]))
        except (OSError, ValueError, IndexError, ZeroDivisionError):  # no such controller here, or "max"
            found.append(float("inf"))
        if level == Path(mount):
            break
    return [limit for limit in found if limit < float("inf")]


# LLVM's names by (entry of the auxiliary vector, bit): AT_HWCAP and AT_HWCAP2 of <asm/hwcap.h>
_HWCAPS = {"neon": (16, 1), "fullfp16": (16, 10), "dotprod": (16, 20), "i8mm": (26, 13), "bf16": (26, 14)}


def _features() -> frozenset[str]:
    """LLVM reads /proc/cpuinfo on arm64, which an emulator does not fake; what the kernel hands every process is there under both."""
    if platform.machine() == "aarch64" and sys.platform == "linux":
        ask = ctypes.CDLL(None).getauxval
        ask.restype, ask.argtypes = ctypes.c_ulong, [ctypes.c_ulong]
        return frozenset(name for name, (entry, bit) in _HWCAPS.items() if ask(entry) >> bit & 1)
    import llvmlite.binding as llvm

    return frozenset(name for name, on in llvm.get_host_cpu_features().items() if on)


_ARCH_PRCTL, _REQ_XCOMP_PERM, _TILE_DATA = 158, 0x1023, 18  # Linux, Documentation/arch/x86/xstate.rst


def _refused(features: frozenset[str]) -> str:
    """Asks the kernel for the state of AMX tiles, where the CPU has them; why it says no, or "". The permission is the whole process's."""
    if "amx-tile" not in features or sys.platform != "linux":
        return ""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(_ARCH_PRCTL), ctypes.c_long(_REQ_XCOMP_PERM), ctypes.c_long(_TILE_DATA)) == 0:
        return ""
    return f"AMX tiles: {os.strerror(ctypes.get_errno())}"


@functools.cache
def detect() -> CpuInfo:
    """Reads the machine once per process."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    affinity = (
        tuple(sorted(os.sched_getaffinity(0)))
        if hasattr(os, "sched_getaffinity")
        else tuple(range(os.cpu_count() or 1))
    )
    features = _features()
    refused = _refused(features)
    if refused:
        features = frozenset(name for name in features if not name.startswith("amx"))
    return CpuInfo(
        platform.machine(), llvm.get_host_cpu_name(), features, _physical_cores(affinity), affinity, _quota(), refused
    )


def missing(tier: Tier, info: CpuInfo | None = None) -> list[str]:
    """What keeps this machine from running `tier`: feature names, or the architecture; empty when it runs."""
    info = info or detect()
    if tier.arch != info.arch:
        return [f"an {tier.arch} CPU"]
    return sorted(tier.requires - info.features)


def choose(name: str | None = None) -> Tier:
    """The tier asked for (argument, then TOKENLOOM_TIER), else the highest this CPU runs. Raises TierError."""
    name = name or os.environ.get("TOKENLOOM_TIER") or None
    available = [t for t in TIERS.values() if not missing(t)]
    if name is None:
        if not available:
            raise TierError(
                f"no tier runs on this CPU ({detect().arch} {detect().name}); the lowest need SSE4.1 on x86-64 and nothing more on arm64"
            )
        return available[-1]
    tier = TIERS.get(name) if isinstance(name, str) else None
    if tier is None:
        raise TierError(f"unknown tier {name!r}; tiers are {', '.join(TIERS)}")
    if lacking := missing(tier):
        runs = ", ".join(t.name for t in available)
        raise TierError(
            f"tier not available: {name!r} needs {', '.join(lacking)}, which this CPU lacks; it runs {runs}"
        )
    return tier


def fast(tier: Tier) -> Tier:
    """The tier with bfloat16 products added. Raises TierError where it, or this CPU, has none that are faster than exact ones."""
    if not tier.tiles or not {"amx-bf16", "avx512bf16"} <= detect().features:
        raise TierError(
            f"arithmetic 'fast' needs bfloat16 products of matrix tiles (AMX-BF16), which tier {tier.name!r} on this CPU lacks"
            " (those of AVX-512-BF16 were slower than exact ones); leave it 'exact'"
        )
    return with_bfloat16(tier)


def with_bfloat16(tier: Tier) -> Tier:
    """A tier of 16 lanes with bfloat16 products, whatever this CPU has."""
    added = "+avx512bf16,+amx-bf16" if tier.tiles else "+avx512bf16"
    return replace(tier, features=f"{tier.features},{added}", bf16=True)


def cpus() -> int:
    """How many threads can run at once: min(affinity, floor of the cgroup quota), at least 1."""
    info = detect()
    return max(1, min(len(info.affinity), int(info.quota) if info.quota else len(info.affinity)))


def default_threads() -> int:
    """min(affinity, physical cores, floor of the cgroup quota), at least 1; TOKENLOOM_THREADS overrides. Raises RequestError."""
    asked = os.environ.get("TOKENLOOM_THREADS")
    if asked:
        if not (asked.isascii() and asked.isdigit()) or not 1 <= int(asked) <= MAX_THREADS:
            raise RequestError(
                f"TOKENLOOM_THREADS={asked!r} is not a thread count; give a number from 1 to {MAX_THREADS}"
            )
        return int(asked)
    return max(1, min(cpus(), detect().physical_cores, MAX_THREADS))


MAX_THREADS = 256
