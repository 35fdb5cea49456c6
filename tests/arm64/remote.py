"""LLVM's work for an emulated process is done outside it, where it takes a tenth of the time.

Inside, as a pytest plugin (`-p tests.arm64.remote`) or by `install()`: a kernel that is not in the object cache is asked for by a file, and found in
the cache a little later. Outside, `serve()` compiles what is asked for. Both see one cache, whose key holds all that shapes an object; that LLVM
makes the same object on either side is a test (test_inside.py). Knows nothing of kernels.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from tokenloom.jit import compiler
from tokenloom.jit.cache import cache_root
from tokenloom.jit.cpu import TIERS, Tier

LONGEST = 120.0  # seconds for one kernel
POLL = 0.004
WANTED = ".wanted"
compile_here = compiler.object_code
served = cache_root()


def requests() -> Path:
    path = served / "requests"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def object_code(ir: str, tier: Tier) -> bytes:
    """As compiler.object_code. Not asked for: inline assembly (an LLVM reads only its own machine's), made-up tiers, a test's own cache."""
    if "asm sideeffect" in ir or TIERS.get(tier.name) != tier or cache_root() != served:
        return compile_here(ir, tier)
    entry = served / "objects" / compiler.cache_key(ir, tier)
    if not entry.exists():
        ask(entry.name, ir, tier.name)
        deadline = time.monotonic() + LONGEST
        while not entry.exists():
            if time.monotonic() > deadline:
                raise TimeoutError("nobody outside the emulator compiles: is tests.arm64 running?")
            time.sleep(POLL)
    return compile_here(ir, tier)


def ask(key: str, ir: str, tier: str) -> None:
    """By rename: whoever finds the request finds all of it."""
    handle, temporary = tempfile.mkstemp(dir=requests())
    with os.fdopen(handle, "w") as file:
        json.dump({"tier": tier, "ir": ir}, file)
    os.replace(temporary, requests() / f"{key}{WANTED}")


def install() -> None:
    compiler.object_code = object_code


def pytest_configure() -> None:
    install()


def answer(request: Path) -> None:
    """Compiles what a request asks for; a kernel that cannot be compiled is an error out here."""
    wanted = json.loads(request.read_text())
    compile_here(wanted["ir"], TIERS[wanted["tier"]])
    request.unlink()


def serve(workers: int, over: Callable[[], bool]) -> int:
    """Compiles until `over()`; returns how many kernels."""
    for left in requests().iterdir():
        left.unlink()
    running: dict[Path, Future[None]] = {}
    count = 0
    with ProcessPoolExecutor(workers) as pool:
        while not over():
            for request in requests().glob(f"*{WANTED}"):
                if request not in running:
                    running[request] = pool.submit(answer, request)
            for request in [r for r, future in running.items() if future.done()]:
                running.pop(request).result()
                count += 1
            time.sleep(POLL)
    return count
