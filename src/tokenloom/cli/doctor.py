"""`tokenloom doctor`: what this machine offers, what tokenloom makes of it, and what would be slow and why.

Knows where to look. Changes nothing: no cache is made, no model opened.
"""

from __future__ import annotations

import json
import os
import platform
import re
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli.info import size
from tokenloom.errors import TokenloomError

if TYPE_CHECKING:
    from tokenloom.jit.cpu import CpuInfo

THP = Path("/sys/kernel/mm/transparent_hugepage/enabled")
PACKAGES = ("tokenloom", "llvmlite", "numpy", "tokenizers", "jinja2")
SHOWN_FEATURES = (
    "sse4.1",
    "avx",
    "avx2",
    "fma",
    "f16c",
    "avx512f",
    "avx512bw",
    "avx512vnni",
    "avx512bf16",
    "avxvnni",
    "amx-int8",
    "amx-bf16",
    "neon",
    "dotprod",
    "i8mm",
)
LITTLE_MEMORY = 1 << 30


def _field(path: Path, name: str) -> str | None:
    """The value of `name : value` in a file of such lines; None where file or field are missing."""
    try:
        found = re.search(rf"^{re.escape(name)}\s*:\s*(.+)$", path.read_text(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def _huge_pages() -> str:
    try:
        found = re.search(r"\[(\w+)\]", THP.read_text())
    except OSError:
        return "unknown"
    return found.group(1) if found else "unknown"


def _contents(path: Path) -> tuple[int, int]:
    """Files and bytes below a directory, but for hidden ones (locks and drafts); a file that vanishes meanwhile counts as gone."""
    count = total = 0
    for folder, _, names in os.walk(path):
        for name in (n for n in names if not n.startswith(".")):
            try:
                total += os.stat(os.path.join(folder, name)).st_size
                count += 1
            except FileNotFoundError:
                continue
    return count, total


def _versions() -> dict[str, str]:
    from importlib import metadata  # here, since it takes longer to import than the rest of the command line together

    return {"python": platform.python_version(), **{name: metadata.version(name) for name in PACKAGES}}


def _tiers() -> list[dict[str, Any]]:
    from tokenloom.jit import cpu

    return [{"name": t.name, "missing": cpu.missing(t)} for t in cpu.TIERS.values()]


def _chosen_tier() -> dict[str, Any]:
    from tokenloom.jit import cpu

    asked = os.environ.get("TOKENLOOM_TIER")
    try:
        return {
            "name": cpu.choose().name,
            "because": f"TOKENLOOM_TIER={asked}" if asked else "the highest this CPU runs",
        }
    except TokenloomError as problem:
        return {"name": None, "because": str(problem)}


def _threads(info: CpuInfo) -> dict[str, Any]:
    from tokenloom.jit import cpu

    asked = os.environ.get("TOKENLOOM_THREADS")
    quota = "no CPU quota" if info.quota is None else f"CPU quota {info.quota:g}"
    because = (
        f"TOKENLOOM_THREADS={asked}"
        if asked
        else f"{len(info.affinity)} CPUs allowed, {info.physical_cores} physical cores, {quota}"
    )
    try:
        return {"count": cpu.default_threads(), "because": because}
    except TokenloomError as problem:
        return {"count": None, "because": str(problem)}


def _cache_problem(objects: Path) -> str | None:
    """Why nothing could be kept in this directory; None where it can, by the rule of `jit.cache.private_directory`."""
    above = next(p for p in (objects, *objects.absolute().parents) if os.path.exists(p))
    found = above.stat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{above} is not a directory"
    if above == objects and found.st_uid != os.getuid():
        return f"{objects} belongs to another user (uid {found.st_uid})"
    if above == objects and stat.S_IMODE(found.st_mode) & 0o022:
        return f"{objects} can be written by other users"
    return None if os.access(above, os.W_OK | os.X_OK) else f"{above} cannot be written"


def _caches() -> dict[str, Any]:
    from tokenloom.jit.cache import cache_root

    root = cache_root()
    readable = root.is_dir() and os.access(root, os.R_OK | os.X_OK)
    rooms = sorted(p for p in root.iterdir() if p.is_dir()) if readable else []
    problem = _cache_problem(root / "objects")
    return {
        "root": str(root),
        "writable": problem is None,
        "problem": problem,
        "parts": {p.name: dict(zip(("files", "bytes"), _contents(p), strict=True)) for p in rooms},
    }


def _default_model() -> dict[str, Any]:
    from tokenloom.runtime.default_model import INSTALL, PACKAGE, default_model_path

    path = default_model_path()
    there = {"path": str(path), "bytes": path.stat().st_size} if path else {"path": None, "bytes": None}
    return {"package": PACKAGE, "install": INSTALL, **there}


def examine() -> dict[str, Any]:
    """Everything the report shows, as plain data."""
    from tokenloom.jit import cpu
    from tokenloom.weights.memory import free_memory

    info = cpu.detect()
    return {
        "versions": _versions(),
        "cpu": {
            "arch": info.arch,
            "model": _field(Path("/proc/cpuinfo"), "model name") or info.name,
            "llvm_name": info.name,
            "physical_cores": info.physical_cores,
            "allowed_cpus": len(info.affinity),
            "quota": info.quota,
            "refused": info.refused,
            "features": sorted(info.features),
        },
        "tiers": _tiers(),
        "tier": _chosen_tier(),
        "threads": _threads(info),
        "memory": {"available": free_memory(), "huge_pages": _huge_pages()},
        "caches": _caches(),
        "default_model": _default_model(),
    }


def slow_because(found: dict[str, Any]) -> Iterable[str]:
    """What costs speed here, each with its reason and, where there is one, its remedy."""
    runs = [t["name"] for t in found["tiers"] if not t["missing"]]
    tier, threads, cpu = found["tier"]["name"], found["threads"]["count"], found["cpu"]
    if tier is None:
        yield f"nothing runs: {found['tier']['because']}"
    elif tier != runs[-1]:
        yield f"tier {tier} is chosen by TOKENLOOM_TIER although this CPU runs {runs[-1]}; unset it"
    elif tier == "generic":
        yield "this CPU lacks AVX2 or FMA: fused multiply-adds are emulated exactly, many times slower"
    if threads is None:
        yield f"no thread count: {found['threads']['because']}"
    elif threads > cpu["physical_cores"]:
        yield f"{threads} threads on {cpu['physical_cores']} cores wait for each other; lower TOKENLOOM_THREADS"
    if cpu["quota"] is not None and cpu["quota"] < 1:
        yield f"the CPU quota is {cpu['quota']:g} of one core: the process is stopped for a part of every period"
    if cpu["refused"]:
        yield f"the kernel refuses what this CPU has ({cpu['refused']}): prompts run on the next tier below"
    if found["memory"]["huge_pages"] == "never":
        yield f"transparent huge pages are off: reading weights costs more; set {THP} to madvise"
    if found["memory"]["available"] < LITTLE_MEMORY:
        yield f"only {size(found['memory']['available'])} of memory is available: weights may be swapped out"
    if found["caches"]["problem"]:
        yield f"{found['caches']['problem']}: nothing is cached and every start compiles anew; set TOKENLOOM_CACHE"


def _lines(found: dict[str, Any]) -> Iterable[str]:
    cpu, memory, caches, model = found["cpu"], found["memory"], found["caches"], found["default_model"]
    yield "versions   " + ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    yield f"cpu        {cpu['model']} ({cpu['arch']}, {cpu['llvm_name']}), {cpu['physical_cores']} physical cores"
    yield "features   " + " ".join(f for f in SHOWN_FEATURES if f in cpu["features"])
    yield f"tier       {found['tier']['name'] or 'none'}: {found['tier']['because']}"
    for tier in found["tiers"]:
        verdict = "lacks " + ", ".join(tier["missing"]) if tier["missing"] else "available"
        yield f"             {tier['name']:<11} {verdict}"
    yield f"threads    {found['threads']['count'] or 'none'}: {found['threads']['because']}"
    yield f"memory     {size(memory['available'])} available, transparent huge pages: {memory['huge_pages']}"
    state = " (not used)" if caches["problem"] else "" if caches["parts"] else " (empty)"
    yield f"caches     {caches['root']}{state}"
    for name, part in caches["parts"].items():
        yield f"             {name:<11} {part['files']} files, {size(part['bytes'])}"
    there = (
        f"{model['path']} ({size(model['bytes'])})"
        if model["path"]
        else f"not installed; get it with `{model['install']}`"
    )
    yield f"default    {there}"
    reasons = list(slow_because(found))
    yield "slow       " + (reasons[0] if reasons else "nothing found that would be")
    for reason in reasons[1:]:
        yield f"           {reason}"


def command(as_json: Annotated[bool, typer.Option("--json", help="The same as one JSON object.")] = False) -> int:
    """Show the CPU, the tier, the threads, the caches, and what would be slow and why."""
    found = examine()
    text = (
        json.dumps({**found, "slow_because": list(slow_because(found))}, indent=2)
        if as_json
        else "\n".join(_lines(found))
    )
    sys.stdout.write(text + "\n")
    return 0 if found["tier"]["name"] and found["threads"]["count"] else 1
