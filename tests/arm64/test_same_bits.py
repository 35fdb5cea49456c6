"""Whole models of every format on each arm64 tier, executed in the emulator: the same logits and ids as on this machine, bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.arm64.answers import answers
from tests.arm64.root import folder, program
from tests.formats.gguf_build import tiny_llama
from tests.kernels.test_whole_models import MIXES

from tokenloom.jit.cpu import TIERS

pytestmark = pytest.mark.arm64
CHECKOUT = Path(__file__).resolve().parents[2]
THREADS = {"neon": 1, "dotprod": 2, "i8mm": 2}
CPUS = {"neon": "cortex-a72", "dotprod": "cortex-a76", "i8mm": "max"}  # each the emulator's oldest that has the tier


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    made = tmp_path_factory.mktemp("models")
    size = {"layers": 2, "heads": 4, "kv_heads": 2}
    return [tiny_llama(made / f"{n}.gguf", **{**size, **mix}) for n, mix in enumerate(MIXES.values())]


@pytest.fixture(scope="module")
def here(files: list[Path]) -> list[dict[str, Any]]:
    return [answers(path, None, 1) for path in files]


def start(tier: str, *command: str) -> subprocess.Popen[str]:
    env = {**os.environ, "TOKENLOOM_ARM64_CPU": CPUS[tier]}
    pipe = subprocess.PIPE
    return subprocess.Popen([program(folder()), *command], stdout=pipe, stderr=pipe, text=True, env=env, cwd=CHECKOUT)


def output(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    return out


@pytest.fixture(scope="module")
def there(files: list[Path]) -> Iterator[dict[str, subprocess.Popen[str]]]:
    """All tiers' processes side by side: an emulated one starts slowly."""
    command = ("-m", "tests.arm64.answers")
    processes = {tier: start(tier, *command, tier, str(n), *map(str, files)) for tier, n in THREADS.items()}
    yield processes
    for process in processes.values():
        process.kill()
        process.communicate()


def test_every_arm_tier_is_here() -> None:
    assert list(THREADS) == list(CPUS) == [t.name for t in TIERS.values() if t.arch == "aarch64"]


@pytest.mark.parametrize("tier", THREADS)
def test_an_emulated_cpu_chooses_its_highest_tier(tier: str) -> None:
    """Found out through the kernel's auxiliary vector, as on a real one."""
    assert output(start(tier, "-c", "from tokenloom.jit.cpu import choose; print(choose().name)")).strip() == tier


@pytest.mark.parametrize("tier", THREADS)
def test_models_answer_with_the_same_bits(
    tier: str, here: list[dict[str, Any]], there: dict[str, subprocess.Popen[str]]
) -> None:
    text = output(there[tier])
    found = [json.loads(line) for line in text.splitlines()]
    assert len(found) == len(MIXES), text
    for mix, one, other in zip(MIXES, here, found, strict=True):
        assert one == other, f"{mix} on {tier}"


def test_guard_of_the_same_bits_fails_when_a_model_differs(files: list[Path], here: list[dict[str, Any]]) -> None:
    """One bit of one weight; digests that no longer depended on the weights would not notice."""
    raw = bytearray(files[0].read_bytes())
    raw[-1000] ^= 1
    changed = files[0].with_name("changed.gguf")
    changed.write_bytes(raw)
    assert answers(changed, None, 1)["logits"] != here[0]["logits"]
