"""`python -m tests.arm64`: the arm64 tiers executed on a machine that is none, as `dev.py test --arm64` runs it.

Knows what runs in the emulator, and what compiles for it outside. Any test that fails, and anything that is missing, makes it fail.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.arm64 import root

CHECKOUT = Path(__file__).resolve().parents[2]
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations=8")
INSIDE = (*PYTEST, "-p", "tests.arm64.remote")
# Tests of what is the same on every machine (how IR is printed, what is done with a cache) need no emulator, and whole models come last, from here.
# Nor is the time an interpreter takes to exit held against an emulator.
OBJECTS, SAMPLING, TEAM = "tests/kernels/test_objects.py", "tests/kernels/test_sampling.py", "tests/jit/test_team.py"
PARTS = (
    ("tests/kernels/test_matmul.py", OBJECTS, f"--deselect={OBJECTS}::test_no_operation_may_be_reordered_or_fused_by_llvm",
     f"--deselect={OBJECTS}::test_kernels_have_one_signature", f"--deselect={OBJECTS}::test_printing_is_deterministic"),
    ("tests/arm64/inside.py", TEAM, f"--deselect={TEAM}::test_the_interpreter_exits_quickly_with_parked_workers",
     "tests/jit/test_dot.py", "tests/jit/test_primitives.py", "tests/kernels/test_rows.py", "tests/kernels/test_rope.py",
     "tests/kernels/test_attention.py", SAMPLING, f"--deselect={SAMPLING}::test_compiles_for_every_tier"),
)  # fmt: skip


def run(commands: list[list[str]], say: Callable[[str], None]) -> list[int]:
    """Runs commands side by side while this process compiles for them; their exit codes."""
    from tests.arm64 import remote  # which takes the cache from the environment

    processes = [subprocess.Popen(command, cwd=CHECKOUT) for command in commands]
    try:
        count = remote.serve(2, lambda: all(p.poll() is not None for p in processes))
    finally:
        for process in processes:
            process.kill()
            process.wait()
    codes = [p.returncode for p in processes]
    say(f"{count} kernels compiled; exit codes {codes}")
    return codes


def main() -> int:
    begun = time.monotonic()

    def say(text: str) -> None:
        print(f"arm64: {text} ({time.monotonic() - begun:.0f} s)", file=sys.stderr, flush=True)

    if platform.machine() == "aarch64":
        say("this machine is one: `python3 dev.py test` says all there is to say")
        return 2
    try:
        python = root.python()
    except root.RootError as problem:
        say(str(problem))
        return 1
    say(f"{python} is there")
    os.environ.update(TOKENLOOM_CACHE=str(root.folder() / "cache"), PYTHONDONTWRITEBYTECODE="1")
    os.environ.pop("TOKENLOOM_TIER", None)
    commands = [[python, *INSIDE, *part] for part in PARTS]
    commands.append([sys.executable, *PYTEST, "-m", "arm64", "tests/arm64/test_same_bits.py"])
    codes: list[int] = []
    for batch in (commands[:2], commands[2:]):
        found = run(batch, say)
        if again := [command for command, code in zip(batch, found, strict=True) if code == 1]:
            say("running once more what failed")
            repeated = run(again, say)
            if not any(repeated):
                say("FLAKY: tests above failed once and passed when repeated; please report them")
            found = [code for code in found if code != 1] + repeated
        codes += found
    return max(map(abs, codes))


if __name__ == "__main__":
    sys.exit(main())
