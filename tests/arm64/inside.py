"""What is said of the emulated machine itself. Run in the emulator by `python -m tests.arm64`; not collected elsewhere.

Knows how kernels reach the emulator (remote.py).
"""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest
from tests.arm64 import remote

from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, choose, detect
from tokenloom.kernels.matmul import matmul
from tokenloom.kernels.quantization import QUANTIZE_K


def test_this_is_an_emulated_arm64() -> None:
    assert platform.machine() == detect().arch == "aarch64"
    assert {"neon", "dotprod", "i8mm"} <= detect().features
    assert choose().name == "i8mm"
    assert compiler.object_code is remote.object_code


@pytest.mark.parametrize("kernel", [matmul("Q4_0", many=True), QUANTIZE_K], ids=lambda kernel: kernel.name)
def test_llvm_makes_the_same_object_on_either_side(kernel) -> None:
    """Kernels are compiled outside; a machine of this kind compiles them itself."""
    tier = TIERS["i8mm"]
    ir = kernel.ir(tier)
    outside = compiler.object_code(ir, tier)
    machine = compiler._machine(tier)
    inside = bytes(machine.emit_object(compiler._optimized(ir, tier, machine)))
    assert inside == outside


def test_guard_of_the_same_object_fails_when_a_tier_is_another() -> None:
    kernel = matmul("Q4_0", many=True)
    first, second = (compiler.object_code(kernel.ir(TIERS[name]), TIERS[name]) for name in ("neon", "dotprod"))
    assert first != second


def test_started_programs_are_emulated_too() -> None:
    code = "import platform; print(platform.machine())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "aarch64"
