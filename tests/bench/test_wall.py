"""The loops that measure the machine do the work they are credited with: by their results, and by their instructions."""

from __future__ import annotations

import re
import struct

import numpy as np
import pytest
from tests.jit.native import RUNNABLE

from tokenloom.bench import wall
from tokenloom.errors import OutOfBudgetError
from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, missing

MIB = 1 << 20
FASTEST_HZ, PER_CYCLE = 7e9, 4  # no CPU core does more 512-bit operations than that
DOT_INSTRUCTION = {
    "generic": r"\bpmullw\b",
    "avx2": r"\bvpmaddubsw\b",
    "avx512": r"\bvpmaddubsw\b",
    "avx512vnni": r"\bvpdpbusd\b",
    "neon": r"\bsm(?:ul|la)l2?\b",
    "dotprod": r"\bsdot\b",
    "i8mm": r"\bsmmla\b",
}


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("loop", wall.READ_LOOPS, ids=str)
def test_every_byte_is_read(loop, threads):
    bench = wall.ReadBench(threads, 24 * MIB)
    try:
        speed, total = bench.measure(loop, rounds=1)
        words = bench.part(loop) * loop.streams * threads // 8
        assert words * 8 > 0.99 * bench.nbytes
        assert total == words * (words - 1) // 2 % 2**64
        assert 0.01 < speed < 5000
        bench._region.bytes(words * 4, 1)[0] ^= 4  # a word in the middle changes by 4
        assert abs(bench.measure(loop, rounds=1)[1] - total) in (4, 2**64 - 4)
    finally:
        bench.close()


def test_the_read_wall_is_plausible():
    assert 0.5 < wall.read_wall(1) < 500  # GB/s; no core reads more from memory
    assert wall._working_set() >= 4 * wall.l3_bytes()


def test_a_machine_without_memory_for_it_is_told(monkeypatch):
    monkeypatch.setattr(wall, "free_memory", lambda: 100 * MIB)
    with pytest.raises(OutOfBudgetError, match="far beyond L3"):
        wall.read_wall(1)


@pytest.mark.parametrize("tier", RUNNABLE)
def test_dot_products_are_computed(tier):
    """Against Python's integers, for every thread, chain and lane."""
    found, turns = TIERS[tier], 501
    bench = wall.PeakBench(wall.DOT_LOOP, found, 2, wall.DOT_OPERANDS)
    bench.loop.run(turns=turns)
    chains, lanes = wall.chains_of(found), found.lanes
    codes, quads = wall.DOT_OPERANDS[:64], wall.DOT_OPERANDS[64:]
    want = [
        turns * wall.dot_steps(found) * sum(codes[4 * r + i] * quads[8 * c + i] for i in range(4))
        for c in range(chains)
        for r in range(lanes)
    ]
    assert max(want) < 2**31
    for thread in range(2):
        assert bench.loop.results(thread, "i", chains * lanes) == want
    bench.close()


@pytest.mark.parametrize("tier", RUNNABLE)
def test_fmas_are_computed(tier):
    """1 minus itself, an even number of times: the start; and one result depends on every step."""
    found, chains = TIERS[tier], wall.fma_chains(TIERS[tier])
    bench = wall.PeakBench(wall.FMA_LOOP, found, 1, wall.fma_operands(found))
    bench.loop.run(turns=3)
    assert bench.loop.results(0, "f", chains * found.lanes)[:: found.lanes] == list(range(2, 2 + chains))
    bench.close()
    halving = wall.PeakBench(wall.FMA_LOOP, found, 1, struct.pack(f"<{2 + chains}f", 0.5, 0.0, *[2.0**40] * chains))
    halving.loop.run(turns=3)
    assert set(halving.loop.results(0, "f", chains * found.lanes)) == {2.0 ** (40 - 3 * wall.STEPS)}
    halving.close()


def dot_instructions(tier: str) -> int:
    assembly = compiler.assembly(wall.DOT_LOOP.ir(TIERS[tier]), TIERS[tier])
    return len(re.findall(DOT_INSTRUCTION[tier], assembly))


@pytest.mark.parametrize("tier", DOT_INSTRUCTION)
def test_the_loop_holds_all_its_instructions(tier):
    each = 2 if tier == "i8mm" else 1  # products of a quad that an instruction does
    assert each * dot_instructions(tier) >= wall.dot_steps(TIERS[tier]) * wall.chains_of(TIERS[tier])
    if TIERS[tier].fma:
        assembly = compiler.assembly(wall.FMA_LOOP.ir(TIERS[tier]), TIERS[tier])
        assert len(re.findall(r"\b(?:vfn?m(?:add|sub)\d+ps|fml[as])\b", assembly)) >= wall.STEPS * wall.fma_chains(
            TIERS[tier]
        )


def test_guard_of_the_loop_fails_when_llvm_may_hoist(monkeypatch):
    monkeypatch.setattr(wall, "_opaque", lambda b, value: value)
    assert dot_instructions("avx2") < wall.dot_steps(TIERS["avx2"]) * wall.chains_of(TIERS["avx2"])


@pytest.mark.parametrize("tier", RUNNABLE)
def test_peaks_are_plausible(tier):
    found = TIERS[tier]
    most = found.lanes * 2 * PER_CYCLE * FASTEST_HZ / 1e9
    assert 0.1 < wall.fma_peak(found, 1) < most
    assert 1 < wall.dot_peak(found, 1) < (64 if found.tiles else 4) * most


@pytest.mark.skipif(
    bool(missing(TIERS["amx"])), reason="hardware: no AMX here; unproved: the peak of matrix tiles is computed"
)
def test_tile_products_are_computed():
    bench = wall.PeakBench(wall.TILE_LOOP, TIERS["amx"], 1, wall.TILE_OPERANDS)
    bench.loop.run(turns=5)
    operands = np.frombuffer(wall.TILE_OPERANDS, np.int8).reshape(4, 16, 64).astype(np.int32)
    weights = operands[2].reshape(16, 16, 4).swapaxes(1, 2).reshape(64, 16)  # [k][output]
    want = 5 * (wall.STEPS // 4) * (operands[0] @ weights)
    assert bench.loop.results(0, "i", 256) == want.ravel().tolist()
    bench.close()


def test_twice_the_work_takes_longer():
    found = TIERS[RUNNABLE[-1]]
    bench = wall.PeakBench(wall.DOT_LOOP, found, 1, wall.DOT_OPERANDS)
    once, thrice = (min(bench.loop.run(turns=n) for _ in range(5)) for n in (100_000, 300_000))
    assert thrice > 2 * once
    bench.close()
