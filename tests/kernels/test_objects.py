"""What every kernel's object may hold, on every tier, whether or not this CPU runs it: symbols, frames, flags, and the tier's own instruction."""

from __future__ import annotations

import ctypes
import functools
import multiprocessing
import os
import platform
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.gguf_build import tiny_llama
from tests.jit.avx512_in_software import TARGETS, Target
from tests.jit.native import RUNNABLE, Elf, compiled, largest_frame

import tokenloom
from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, Tier, cpus
from tokenloom.jit.ir import Builder, f32, i64, ptr
from tokenloom.jit.runner import KERNEL_PARAMS, runner_ir
from tokenloom.jit.team import team
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.catalog import kernels
from tokenloom.kernels.matmul import matmul

ALLOWED = {"memcpy", "memset"}
FRAME = 4096
FAST = re.compile(r"\b(fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)\b")
NAMES = list(TIERS)
# Other architectures' tiers are compiled and executed in an emulator: `dev.py test --arm64`
OURS = [name for name in NAMES if TIERS[name].arch == platform.machine()]
PRODUCT, MANY_ROWS = matmul("Q8_0", many=False), matmul("Q4_1", many=True)
BY_ROWS = {
    "i8mm",
    "amx",
}  # tiers whose instruction multiplies several rows of activations, so that a single row does without it


def every_kernel(tier: str) -> Iterator[tuple[str, str]]:
    """(name, IR) of all that the token path may run."""
    for name, kernel in kernels(TIERS[tier]).items():
        yield name, kernel.ir(TIERS[tier])
    yield "runner", runner_ir(TIERS[tier])


def foreign_symbols(ir: str, tier: str) -> set[str]:
    return compiled(ir, tier).undefined() - ALLOWED


def fast_lines(ir: str) -> list[str]:
    return [line for line in ir.splitlines() if FAST.search(line.partition("@")[0])]


@pytest.fixture(scope="module", params=NAMES)
def printed(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """A tier and the text of its every kernel, printed once for all tests here."""
    return request.param, dict(every_kernel(request.param))


on_our_tiers = pytest.mark.parametrize("printed", OURS, indirect=True)


def build(tier: str, name: str) -> None:
    compiler.object_code(kernels(TIERS[tier])[name].ir(TIERS[tier]), TIERS[tier])


@pytest.fixture(scope="module")
def built() -> None:
    """All objects of our tiers in the cache, compiled on all CPUs: here that takes longest, and LLVM uses one CPU per process.

    Left to the tests themselves where another process compiles for this one (tests/arm64/remote.py).
    """
    if compiler.object_code.__module__ != compiler.__name__:
        return
    work = [(tier, name) for tier in OURS for name in kernels(TIERS[tier])]
    with ProcessPoolExecutor(cpus(), multiprocessing.get_context("spawn")) as pool:
        list(pool.map(build, *zip(*work, strict=True), chunksize=4))


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("built")
@on_our_tiers
def test_objects_need_nothing_but_memcpy_and_memset(printed: tuple[str, dict[str, str]]) -> None:
    tier, texts = printed
    found = {name: foreign for name, ir in texts.items() if (foreign := foreign_symbols(ir, tier))}
    assert not found


@pytest.mark.timeout(900)
@pytest.mark.usefixtures("built")
@on_our_tiers
def test_frames_stay_under_a_page(printed: tuple[str, dict[str, str]]) -> None:
    """Frames as LLVM lays them out; helpers are functions of their own and counted apart."""
    tier, texts = printed
    found = {name: size for name, ir in texts.items() if (size := largest_frame(ir, tier)) > FRAME}
    assert not found


def test_no_operation_may_be_reordered_or_fused_by_llvm(printed: tuple[str, dict[str, str]]) -> None:
    found = {name: lines for name, ir in printed[1].items() if (lines := fast_lines(ir))}
    assert not found


def test_printing_is_deterministic(printed: tuple[str, dict[str, str]]) -> None:
    """The cache's key is the text: it must not depend on what was printed before, so here each comes after others than it did."""
    tier, before = printed
    for name, kernel in reversed(kernels(TIERS[tier]).items()):
        assert kernel.ir(TIERS[tier]) == before[name]


def test_kernels_have_one_signature(printed: tuple[str, dict[str, str]]) -> None:
    assert [kind for _, kind in KERNEL_PARAMS][-1] == i64
    for name, ir in printed[1].items():
        if name != "runner":
            heads = [line for line in ir.splitlines() if line.startswith("define") and "internal" not in line]
            assert heads == [f"define  void @{name}(ptr %bases, ptr %args, ptr %step, i64 %thread, i64 %threads) nounwind {{"]  # fmt: skip


# ---- the guards, each against what it forbids ------------------------------------------------------------------------------


def planted(emit: Callable[[Args], None]) -> Kernel:
    return Kernel("planted", ("*x", "n"), emit)


def with_libm(a: Args) -> None:
    a.b.store(a.b.unary("sin", a.b.load(f32, a["x"])), a["x"])


def with_a_big_frame(a: Args) -> None:
    b: Builder = a.b
    scratch = b.scratch(8192)
    b.store(b.const(f32, 1.0), scratch + (a["n"] & 1023) * 4)
    b.store(b.load(f32, scratch + (a["n"] >> 3 & 1023) * 4), a["x"])


def with_a_frame_of_any_size(a: Args) -> None:
    b: Builder = a.b
    room = b.emit(ptr, f"alloca i8, {a['n']!r}")
    b.store(b.const(f32, 1.0), room + (a["n"] & 1020))
    b.store(b.load(f32, room + (a["n"] >> 3 & 1020)), a["x"])


def with_a_fast_sum(a: Args) -> None:
    b: Builder = a.b
    x = b.load(f32, a["x"])
    b.store(b.emit(f32, f"fadd reassoc float {x.text}, {x.text}"), a["x"])


@pytest.mark.parametrize("tier", NAMES)
def test_guard_of_symbols_fails_when_a_library_is_called(tier: str) -> None:
    assert foreign_symbols(planted(with_libm).ir(TIERS[tier]), tier) == {"sinf"}


def test_guard_of_symbols_fails_when_fma_is_left_to_llvm() -> None:
    """What the generic tier would do without its own fma."""
    careless = replace(TIERS["generic"], fma=True)
    assert foreign_symbols(PRODUCT.ir(careless), "generic") == {"fmaf"}


def test_guard_of_symbols_fails_when_halves_are_left_to_llvm() -> None:
    careless = replace(TIERS["generic"], f16c=True)
    assert foreign_symbols(PRODUCT.ir(careless), "generic")


@pytest.mark.parametrize("tier", NAMES)
@pytest.mark.parametrize("emit", [with_a_big_frame, with_a_frame_of_any_size])
def test_guard_of_frames_fails_when_one_is_large(tier: str, emit: Callable[[Args], None]) -> None:
    assert largest_frame(planted(emit).ir(TIERS[tier]), tier) > FRAME


def test_guard_of_flags_fails_when_a_sum_may_be_reordered() -> None:
    assert len(fast_lines(planted(with_a_fast_sum).ir(TIERS["avx2"]))) == 1


# ---- the tier asked for is the one that ran --------------------------------------------------------------------------------

# the proof instruction as bytes: (VEX or EVEX prefix with its vector length, opcode)
X86_ENCODED = {
    "generic": rb"\x66[\x40-\x4f]?\x0f\xd5",  # pmullw xmm
    "avx2": rb"\xc4[\x02\x22\x42\x62\x82\xa2\xc2\xe2][\x05\x0d\x15\x1d\x25\x2d\x35\x3d\x45\x4d\x55\x5d\x65\x6d\x75\x7d]\x04",  # vpmaddubsw ymm
    "avxvnni": rb"\xc4[\x02\x22\x42\x62\x82\xa2\xc2\xe2][\x05\x0d\x15\x1d\x25\x2d\x35\x3d\x45\x4d\x55\x5d\x65\x6d\x75\x7d]\x50",  # vpdpbusd ymm
    "avx512": rb"\x62.[\x05\x0d\x15\x1d\x25\x2d\x35\x3d\x45\x4d\x55\x5d\x65\x6d\x75\x7d][\x40\x48\x50\x58]\x04",  # vpmaddubsw zmm
    "avx512vnni": rb"\x62.[\x05\x0d\x15\x1d\x25\x2d\x35\x3d\x45\x4d\x55\x5d\x65\x6d\x75\x7d][\x40\x48\x50\x58]\x50",  # vpdpbusd zmm
    "amx": rb"\xc4[\xc2\xe2][\x43\x4b\x53\x5b\x63\x6b\x73\x7b]\x5e",  # tdpbssd
}
# and as (mask, value) of instruction words (Arm ARM C7.2)
ARM_ENCODED = {
    "neon": [(0xBFE0FC00, 0x0E20C000), (0xBFE0FC00, 0x0E208000)],  # smull, smlal .8h
    "dotprod": [(0xBFC0F400, 0x0F80E000), (0xBFE0FC00, 0x0E809400)],  # sdot by element, by vector
    "i8mm": [(0xFFE0FC00, 0x4E80A400)],  # smmla
}


def proofs_in(code: bytes, arch: str) -> set[str]:
    """The tiers of an architecture whose instruction occurs in machine code."""
    if arch == "x86_64":
        return {name for name, pattern in X86_ENCODED.items() if re.search(pattern, code, re.DOTALL)}
    words = [word for (word,) in struct.iter_unpack("<I", code)]
    return {
        name
        for name, forms in ARM_ENCODED.items()
        if any(word & mask == value for word in words for mask, value in forms)
    }


def below(tier: str) -> list[str]:
    """The lower tiers of the same architecture."""
    return [name for name in NAMES[: NAMES.index(tier)] if TIERS[name].arch == TIERS[tier].arch]


def proving(tier: str) -> Kernel:
    """The product of Q8_0 that must hold the tier's instruction."""
    return matmul("Q8_0", many=tier in BY_ROWS)


def code_of(kernel: Kernel, tier: Tier) -> tuple[bytes, list[int]]:
    return Elf(compiler.object_code(kernel.ir(tier), tier)).code(kernel.name)


@functools.cache
def assembly(kernel: Kernel, tier: str) -> str:
    return compiler.assembly(kernel.ir(TIERS[tier]), TIERS[tier])


@pytest.mark.parametrize("tier", NAMES)
def test_a_tier_shows_in_the_disassembly_of_its_matmul(tier: str) -> None:
    for kernel in (proving(tier), MANY_ROWS):
        assert re.search(TIERS[tier].proof, assembly(kernel, tier)), f"{kernel.name} does not use the tier"
        for lower in below(tier):
            assert not re.search(TIERS[tier].proof, assembly(kernel, lower)), f"{kernel.name} for {lower} shows {tier}"


@pytest.mark.parametrize("tier", NAMES)
def test_a_tier_shows_in_the_bytes_of_its_object(tier: str) -> None:
    kernel, arch = proving(tier), TIERS[tier].arch
    assert tier in proofs_in(code_of(kernel, TIERS[tier])[0], arch)
    for lower in below(tier):
        assert tier not in proofs_in(code_of(kernel, TIERS[lower])[0], arch)


def loaded_bytes(address: int, kernel: Kernel, tier: Tier) -> bytes:
    """The kernel as it stands in executable memory, which must be the tier's object but for what the linker wrote."""
    code, relocated = code_of(kernel, tier)
    memory = bytearray(ctypes.string_at(address, len(code)))
    expected = bytearray(code)
    for at in relocated:
        memory[at : at + 4] = expected[at : at + 4] = b"\0\0\0\0"
    assert memory == expected
    return bytes(memory)


@pytest.mark.parametrize("tier", RUNNABLE)
@pytest.mark.parametrize("by", ["argument", "environment"])
def test_the_tier_asked_for_is_the_one_a_model_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tier: str, by: str
) -> None:
    """The bytes in memory that a loaded model's tapes jump to."""
    path, kernel = tiny_llama(tmp_path / "tiny.gguf"), proving(tier)
    jumped_to: list[int] = []
    real = team().run

    def watched(tape: int, entries: int, *rest: int) -> int:
        words = (ctypes.c_int64 * (4 * entries)).from_address(tape)
        jumped_to.extend(words[0::4])
        return real(tape, entries, *rest)

    monkeypatch.setattr(team(), "run", watched)
    if by == "environment":
        monkeypatch.setenv("TOKENLOOM_TIER", tier)
    with tokenloom.load(path, threads=1, ctx=64, tier=tier if by == "argument" else None) as model:
        assert model.tier == tier
        assert list(model.generate_tokens(range(1, 20), max_tokens=2, ignore_eos=True))
        address = model._engine._library.address[kernel.name]
        assert address in jumped_to
        shown = proofs_in(loaded_bytes(address, kernel, TIERS[tier]), TIERS[tier].arch)
    assert tier in shown
    assert shown <= {tier, *below(tier)}


def test_guard_of_the_tier_that_ran_fails_when_another_did() -> None:
    lower, higher = TIERS[RUNNABLE[0]], TIERS[RUNNABLE[-1]]
    if lower is higher:
        pytest.skip("hardware: only the lowest tier runs here, so no other tier's code can be mistaken for it")
    library = compiler.Library([(compiler.object_code(PRODUCT.ir(lower), lower), [PRODUCT.name])], lower)
    with pytest.raises(AssertionError):
        loaded_bytes(library.address[PRODUCT.name], PRODUCT, higher)


@pytest.mark.parametrize("tier", [n for n in NAMES if n not in RUNNABLE])
def test_a_tier_this_cpu_lacks_is_refused(tier: str) -> None:
    code = f"import tokenloom; tokenloom.load('nothing.gguf', tier={tier!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert f"tier not available: {tier!r}" in done.stderr


@pytest.mark.parametrize("tier", OURS)
def test_bits_of_this_tier_were_executed_here(tier: str) -> None:
    if tier not in RUNNABLE:
        pytest.skip(
            f"hardware: no {tier} here; unproved: '{tier}: executed bits equal' (its IR runs in software, its code is read)"
        )
    native = [t for t in TARGETS if t.written_for.name == tier and not t.software]
    assert native == [Target(tier, TIERS[tier], TIERS[tier])], (
        "the kernels' tests compare bits on every target, but not on this tier"
    )
