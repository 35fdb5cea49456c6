"""`python -m tests.arm64`: the arm64 tiers compiled and executed on a machine that is none, as `dev.py test --arm64` runs it.

Knows what is run in the emulator and in which order. Kernels are compiled here, where LLVM is fast, into the object cache that the emulated
process finds them in: the key holds all that shapes an object, and one test in there compiles a kernel itself and compares.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.arm64 import root

CHECKOUT = Path(__file__).resolve().parents[2]
OBJECTS = root.folder() / "objects"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=5")
# in the emulator, side by side
HALVES = (
    ("tests/kernels/test_matmul.py", "tests/kernels/test_rows.py"),
    ("tests/jit", "tests/kernels", "--ignore=tests/kernels/test_matmul.py", "--ignore=tests/kernels/test_rows.py",
     "--ignore=tests/kernels/test_whole_models.py"),
)  # fmt: skip


def say(text: str) -> None:
    print(f"arm64: {text}", file=sys.stderr, flush=True)


def compile_tier(tier: str) -> int:
    """All of the catalog's kernels for one tier, into OBJECTS."""
    from tokenloom.jit import compiler
    from tokenloom.jit.cpu import TIERS
    from tokenloom.kernels.catalog import kernels

    os.environ["TOKENLOOM_CACHE"] = str(OBJECTS)
    found = kernels(TIERS[tier]).values()
    for kernel in found:
        compiler.object_code(kernel.ir(TIERS[tier]), TIERS[tier])
    return len(found)


def main() -> int:
    from tokenloom.jit.cpu import TIERS

    begun = time.monotonic()
    try:
        python = root.python()
    except root.RootError as problem:
        say(str(problem))
        return 1
    say(f"{python} is there ({time.monotonic() - begun:.0f} s)")
    with ProcessPoolExecutor(2) as pool:
        count = sum(pool.map(compile_tier, [t.name for t in TIERS.values() if t.arch == "aarch64"]))
    say(f"{count} kernels compiled ({time.monotonic() - begun:.0f} s)")
    env = {**os.environ, "TOKENLOOM_CACHE": str(OBJECTS), "PYTHONDONTWRITEBYTECODE": "1"}
    halves = [subprocess.Popen([python, *PYTEST, *half], cwd=CHECKOUT, env=env) for half in HALVES]
    codes = [half.wait() for half in halves]
    say(f"kernels and team ran in the emulator ({time.monotonic() - begun:.0f} s)")
    codes.append(subprocess.call([sys.executable, *PYTEST, "-m", "arm64", "tests/arm64"], cwd=CHECKOUT))
    say(f"whole models compared ({time.monotonic() - begun:.0f} s); exit codes {codes}")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
