"""The table of tiers, how one is chosen, and what a machine says of itself."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.jit.native import RUNNABLE

from tokenloom.errors import RequestError, TierError
from tokenloom.jit import compiler, cpu
from tokenloom.jit.arch import ARCHES
from tokenloom.jit.cpu import TIERS, CpuInfo, Tier
from tokenloom.kernels.matmul import matmul

NAMES = {
    "x86_64": ["generic", "avx2", "avxvnni", "avx512", "avx512vnni", "amx"],
    "aarch64": ["neon", "dotprod", "i8mm"],
}  # each from low to high


def info(
    *features: str, arch: str = "x86_64", cores: int = 4, affinity: int = 4, quota: float | None = None
) -> CpuInfo:
    return CpuInfo(arch, "made up", frozenset(features), cores, tuple(range(affinity)), quota)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    """Puts a made-up CPU in the real one's place."""
    monkeypatch.delenv("TOKENLOOM_TIER", raising=False)
    monkeypatch.delenv("TOKENLOOM_THREADS", raising=False)

    def put(found: CpuInfo) -> None:
        monkeypatch.setattr(cpu, "detect", lambda: found)

    return put


V3 = ("sse4.1", "ssse3", "avx2", "fma", "f16c", "bmi", "bmi2", "lzcnt", "movbe")
V4 = (*V3, "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd")


ARM = ("neon", "dotprod", "i8mm")


def test_the_table() -> None:
    assert list(TIERS) == [name for names in NAMES.values() for name in names]
    for arch, names in NAMES.items():
        assert {TIERS[name].arch for name in names} == {arch}
        assert arch in ARCHES
        chain = [n for n in names if n not in ("generic", "avxvnni")]  # AVX-VNNI is no part of AVX-512
        for lower, higher in itertools.pairwise(chain):
            assert TIERS[lower].requires < TIERS[higher].requires
    for tier in TIERS.values():
        assert tier.cpu.startswith("x86-64") or tier.cpu == "generic", "a level's name, never the host's"


HIGHEST = [
    ("x86_64", ("sse4.1",), "generic"), ("x86_64", V3, "avx2"), ("x86_64", V4, "avx512"), ("x86_64", (*V4, "avx512vnni"), "avx512vnni"),
    ("x86_64", (*V3, "avxvnni"), "avxvnni"), ("x86_64", (*V4, "avx512vnni", "amx-tile", "amx-int8"), "amx"),
    ("aarch64", ARM[:1], "neon"), ("aarch64", ARM[:2], "dotprod"), ("aarch64", (*ARM, "fullfp16"), "i8mm"), ("aarch64", ("neon", "i8mm"), "neon"),
]  # fmt: skip


@pytest.mark.parametrize(("arch", "features", "highest"), HIGHEST)
def test_the_highest_that_runs_is_chosen(machine, arch: str, features: tuple[str, ...], highest: str) -> None:
    machine(info(*features, arch=arch))
    assert cpu.choose().name == highest
    for name in NAMES[arch][: NAMES[arch].index(highest) + 1]:
        if TIERS[name].requires <= set(features):
            assert cpu.choose(name).name == name


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_an_unknown_tier_is_named(machine, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    machine(info(*V3))
    if by == "environment":
        monkeypatch.setenv("TOKENLOOM_TIER", "avx3")
    with pytest.raises(
        TierError,
        match=r"unknown tier 'avx3'; tiers are generic, avx2, avxvnni, avx512, avx512vnni, amx, neon, dotprod, i8mm",
    ):
        cpu.choose("avx3" if by == "argument" else None)


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_a_tier_this_cpu_lacks_says_what_is_missing(machine, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    machine(info(*V4))
    if by == "environment":
        monkeypatch.setenv("TOKENLOOM_TIER", "avx512vnni")
    expected = r"tier not available: 'avx512vnni' needs avx512vnni, which this CPU lacks; it runs generic, avx2, avx512"
    with pytest.raises(TierError, match=expected):
        cpu.choose("avx512vnni" if by == "argument" else None)


def test_the_argument_wins_over_the_environment(machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(info(*V3))
    monkeypatch.setenv("TOKENLOOM_TIER", "generic")
    assert cpu.choose().name == "generic"
    assert cpu.choose("avx2").name == "avx2"
    monkeypatch.setenv("TOKENLOOM_TIER", "")
    assert cpu.choose().name == "avx2"


def test_another_architecture_runs_no_tier(machine) -> None:
    machine(info(arch="riscv64"))
    with pytest.raises(TierError, match="no tier runs on this CPU"):
        cpu.choose()
    with pytest.raises(TierError, match="tier not available: 'generic' needs an x86_64 CPU"):
        cpu.choose("generic")
    with pytest.raises(TierError, match="tier not available: 'neon' needs an aarch64 CPU"):
        cpu.choose("neon")


def test_the_environment_reaches_a_fresh_process() -> None:
    code = "from tokenloom.jit.cpu import choose; print(choose().name)"

    def run(**env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env})

    assert run(TOKENLOOM_TIER=RUNNABLE[0]).stdout.strip() == RUNNABLE[0]
    assert "unknown tier 'fast'" in run(TOKENLOOM_TIER="fast").stderr
    lacking = next(n for n in TIERS if n not in RUNNABLE)  # there is always another architecture
    assert f"tier not available: '{lacking}'" in run(TOKENLOOM_TIER=lacking).stderr


# ---- threads ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cores", "affinity", "quota", "threads"),
    [
        (8, 8, None, 8), (4, 8, None, 4), (8, 2, None, 2), (8, 8, 2.0, 2), (8, 8, 2.9, 2), (8, 8, 0.5, 1), (8, 8, 64.0, 8),
        (1, 1, None, 1), (400, 400, None, 256),
    ],
)  # fmt: skip
def test_default_threads(machine, cores: int, affinity: int, quota: float | None, threads: int) -> None:
    machine(info(*V3, cores=cores, affinity=affinity, quota=quota))
    assert cpu.default_threads() == threads


def test_threads_from_the_environment(machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(info(*V3, cores=8, affinity=8))
    monkeypatch.setenv("TOKENLOOM_THREADS", "3")
    assert cpu.default_threads() == 3
    for wrong in ("0", "-1", "many", "1.5", "257", "99999999999"):
        monkeypatch.setenv("TOKENLOOM_THREADS", wrong)
        with pytest.raises(RequestError, match=f"TOKENLOOM_THREADS='{wrong}' is not a thread count"):
            cpu.default_threads()


# ---- reading the machine ---------------------------------------------------------------------------------------------------


def test_this_machine() -> None:
    found = cpu.detect()
    assert found.affinity
    assert 1 <= found.physical_cores <= len(found.affinity)
    assert found.quota is None or found.quota > 0
    assert TIERS[RUNNABLE[0]].requires <= found.features
    assert cpu.detect() is found


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up /proc and /sys."""
    monkeypatch.setattr(cpu, "Path", lambda p: tmp_path / str(p).lstrip("/"))
    return tmp_path


def write(root: Path, path: str, text: str) -> None:
    target = root / path.lstrip("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


@pytest.mark.parametrize(
    ("cgroup", "files", "quota"),
    [
        ("0::/\n", {}, None),
        ("0::/\n", {"cpu.max": "max 100000"}, None),
        ("0::/\n", {"cpu.max": "250000 100000"}, 2.5),
        ("0::/a/b\n", {"a/b/cpu.max": "max 100000", "a/cpu.max": "150000 100000", "cpu.max": "800000 100000"}, 1.5),
        ("0::/a/b\n", {"a/b/cpu.max": "50000 100000"}, 0.5),
        ("0::/a\n", {"a/cpu.max": "garbage"}, None),
        ("0::/a\n", {"a/cpu.max": "100000 0"}, None),
        ("0::/a\n", {"a/cpu.max": ""}, None),
        ("4:cpu,cpuacct:/x\n", {"cpu/x/cpu.cfs_quota_us": "300000", "cpu/x/cpu.cfs_period_us": "100000"}, 3.0),
        ("4:cpu,cpuacct:/x\n", {"cpu/x/cpu.cfs_quota_us": "-1", "cpu/x/cpu.cfs_period_us": "100000"}, None),
        ("4:cpu:/docker/1\n", {"cpu/cpu.cfs_quota_us": "200000", "cpu/cpu.cfs_period_us": "100000"}, 2.0),
        ("3:memory:/x\n1:name=systemd:/\n0::/\n", {"cpu.max": "100000 100000"}, 1.0),
        ("nonsense\n", {}, None),
    ],
    ids=range(13),
)  # fmt: skip
def test_cgroup_quota(root: Path, cgroup: str, files: dict[str, str], quota: float | None) -> None:
    write(root, "/proc/self/cgroup", cgroup)
    for path, text in files.items():
        write(root, f"/sys/fs/cgroup/{path}", text)
    assert cpu._quota() == quota


def test_no_cgroup_at_all(root: Path) -> None:
    assert cpu._quota() is None


def test_hyperthreads_share_a_core(root: Path) -> None:
    for number, siblings in enumerate(("0,2", "1,3", "0,2", "1,3")):
        write(root, f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list", siblings + "\n")
    assert cpu._physical_cores((0, 1, 2, 3)) == 2
    assert cpu._physical_cores((0, 2)) == 1
    assert cpu._physical_cores((0, 7, 8)) == 3  # a CPU without topology counts for itself


# ---- the compiled code follows the table -----------------------------------------------------------------------------------


def test_llvm_gets_the_tier_and_not_the_host() -> None:
    """AVX-512 code comes out for an AVX-512 tier on any machine, and none for a lower tier on any machine."""
    ir = matmul("Q8_0", many=False)
    assert "%zmm" in compiler.assembly(ir.ir(TIERS["avx512"]), TIERS["avx512"])
    assert "%zmm" not in compiler.assembly(ir.ir(TIERS["avx2"]), TIERS["avx2"])
    generic = compiler.assembly(ir.ir(TIERS["generic"]), TIERS["generic"])
    assert "%ymm" not in generic
    assert "\tv" not in generic.replace("\tverr", "")  # no VEX-coded instruction


def test_arm_tiers_hold_no_instruction_of_a_higher_one() -> None:
    """Though LLVM may choose any instruction that the features it was given allow."""
    higher = {"neon": r"\b([su]dot|[su]mmla|usmmla)\b", "dotprod": r"\b([su]mmla|usmmla|usdot|sudot)\b"}
    for name in higher:
        for kernel in (matmul("Q8_0", many=False), matmul("Q4_K", many=True)):
            assert not re.search(higher[name], compiler.assembly(kernel.ir(TIERS[name]), TIERS[name]))


def test_guard_of_tiers_fails_when_a_tier_is_given_more(machine) -> None:
    leaky: Tier = replace(TIERS["generic"], features=TIERS["generic"].features + ",+avx2")
    text = compiler.assembly(matmul("Q8_0", many=False).ir(leaky), leaky)
    assert "\tv" in text
