"""Turns × agents: what is computed is what is stated, arms agree, and what would flatter or mislead is refused."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from tests.formats.gguf_build import tiny_llama

import tokenloom
from tokenloom.bench import sessions_run as run
from tokenloom.bench.machine import Conditions
from tokenloom.bench.sessions import OWN, PEER, REPREFILL, SHARED, Cell, check, grid, least, pages, prefilled
from tokenloom.bench.sessions_arms import HERE, Own, Peer, Shared, Turn
from tokenloom.errors import OutOfBudgetError, RequestError

ISSUE = Cell(1024, 10, 8, 32, 64)
CELLS = [
    Cell(64, 4, 3, 5, 8),
    Cell(70, 3, 2, 16, 16),  # the prefix ends within a page
    Cell(7, 3, 4, 1, 1),  # less than a page, the least of everything
    Cell(0, 3, 2, 3, 20),
    Cell(48, 1, 5, 20, 33),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tiny_llama(tmp_path_factory.mktemp("sessions") / "tiny.gguf", ctx=512)


@pytest.fixture(scope="module")
def model(path):
    with tokenloom.load(path, threads=1, ctx=256) as opened:
        yield opened


@pytest.fixture
def fresh(path):
    """A model whose pages hold nothing yet."""
    with tokenloom.load(path, threads=1, ctx=256) as opened:
        yield opened


# ---- counts -----------------------------------------------------------------------------------------------------------


def test_the_issues_cell_by_hand():
    """Turn t has 1024 + 64t + 32(t−1) tokens; the one before left 1023 + 96(t−1) of them: all but the one that it sampled last."""
    assert sum(prefilled(ISSUE, REPREFILL)) == 8 * sum(1024 + 64 * t + 32 * (t - 1) for t in range(1, 11)) == 121600
    assert prefilled(ISSUE, OWN) == [8 * 1088, *[8 * 65] * 9]
    assert prefilled(ISSUE, SHARED) == [1024 + 8 * 64, *[8 * 65] * 9]
    assert prefilled(ISSUE, PEER) == prefilled(ISSUE, OWN)
    assert sum(prefilled(ISSUE, SHARED)) == least(ISSUE) == 1024 + 8 * 64 + 9 * 8 * 65
    assert ISSUE.ctx == 1024 + 10 * 96


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.title)
@pytest.mark.parametrize("arm", list(HERE))
def test_what_is_computed_is_what_is_stated(model, cell, arm):
    """Turn by turn, on texts that no other test's pages can serve."""
    texts = 1000 * CELLS.index(cell) + 100 * list(HERE).index(arm)
    track = run.Track(arm, HERE[arm](model, cell), [[] for _ in range(cell.agents)], texts)
    for turn in range(1, cell.turns + 1):
        track.take(cell, turn, model.tokenizer.vocab_size)
    track.arm.close()
    assert track.prefilled == prefilled(cell, arm)
    assert {len(text) for text in track.texts} == {cell.ctx}


@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: cell.title)
def test_no_arm_computes_less_than_the_least(cell):
    for arm in (REPREFILL, OWN, SHARED):
        assert sum(prefilled(cell, arm)) >= least(cell)


def test_the_grid_is_every_combination():
    cells = grid([1, 2], [3], [4, 5], [6], [7])
    assert cells == [Cell(1, 3, 4, 6, 7), Cell(1, 3, 5, 6, 7), Cell(2, 3, 4, 6, 7), Cell(2, 3, 5, 6, 7)]


def test_agents_differ_from_the_first_new_token_on():
    texts = [ISSUE.fresh(1, agent, 49152) for agent in range(8)]
    assert len({tuple(text[:1024]) for text in texts}) == 1
    assert len({text[1024] for text in texts}) == 8
    again = [ISSUE.fresh(1, agent, 49152, text=1)[0] for agent in range(8)]
    assert set(again).isdisjoint({texts[0][0]})
    with pytest.raises(RequestError, match="agents"):
        check(replace(ISSUE, agents=300), 200)
    with pytest.raises(RequestError, match="from 1"):
        check(replace(ISSUE, decode=0), 49152)


def test_too_small_a_cache_is_refused_before_anything_is_measured(path):
    cell = Cell(64, 2, 8, 8, 8)
    assert pages(cell, [OWN]) == 8 * 7
    with (
        tokenloom.load(path, threads=1, ctx=128, kv_budget=20 * 16 * 512) as small,
        pytest.raises(OutOfBudgetError, match="--kv-budget"),
    ):
        run.measure(small, cell, [OWN, SHARED], flash=False, say=lambda text: None, into=[])


# ---- a whole cell -------------------------------------------------------------------------------------------------------


def test_a_cell_of_all_arms_here(fresh):
    cell, into = Cell(40, 3, 3, 6, 10), []
    run.measure(fresh, cell, [REPREFILL, OWN, SHARED], flash=False, say=lambda text: None, into=into)
    (found,) = into
    assert [track.name for track in found.tracks] == [REPREFILL, OWN, SHARED, run.CONTROL]
    assert [found.fault(track) for track in found.tracks] == [None] * 4
    assert found.track(REPREFILL).texts == found.track(OWN).texts == found.track(SHARED).texts
    rows = found.rows()
    assert [row["prefilled"] for row in rows] == [row["stated"] for row in rows]
    assert all(row["agent_turns_per_s"] > 0 for row in rows)


def test_llama_cpps_server_computes_what_its_slots_lack(path):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: llama.cpp's server as a peer is unproved")
    cell = Cell(40, 2, 2, 5, 9)
    peer = Peer(path, cell, threads=1, flash=False)
    try:
        track = run.Track(PEER, peer, [[], []])
        for turn in (1, 2):
            track.take(cell, turn, 291)
        assert track.prefilled == prefilled(cell, PEER)
        assert {len(text) for text in track.texts} == {cell.ctx}
        assert "xllamacpp" in peer.server.about["version"]
    finally:
        peer.close()
    assert peer.server._process.returncode is not None


def test_a_server_that_does_not_start_says_why(tmp_path):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: llama.cpp's server as a peer is unproved")
    (tmp_path / "no.gguf").write_bytes(b"GGUF")
    with pytest.raises(tokenloom.TokenloomError, match="did not start"):
        Peer(tmp_path / "no.gguf", CELLS[0], threads=1, flash=False)


# ---- what is refused ------------------------------------------------------------------------------------------------------

QUIET, LOUD = Conditions(0.0, 0.0, 0.0, None), Conditions(0.9, 0.0, 0.0, None)
LONG = Cell(16, 9, 2, 2, 3)


def made(times: dict[str, float], **more: object) -> run.Measured:
    """A cell as it would have been measured, each arm taking so many seconds a turn."""
    tracks = []
    for name, seconds in times.items():
        stated = prefilled(LONG, SHARED if name == run.CONTROL else name)
        texts = [[7] * LONG.ctx for _ in range(LONG.agents)]
        track = run.Track(name, Shared.__new__(Shared), texts)
        track.seconds, track.prefilled, track.conditions = [9.0, *[seconds] * 8], stated, [QUIET] * 9
        tracks.append(track)
    return run.Measured(LONG, tracks, **more)


def verdicts(found: run.Measured) -> dict[str, str | None]:
    return {row["arm"]: row["reason"] for row in found.rows()}


def test_ratios_are_those_of_turns_after_the_first():
    found = made({OWN: 3.0, SHARED: 1.5, PEER: 6.0, run.CONTROL: 1.5})
    assert verdicts(found) == {OWN: None, SHARED: None, PEER: None, run.CONTROL: None}
    rows = {row["arm"]: row for row in found.rows()}
    assert rows[PEER]["ratio"]["median"] == 4
    assert rows[PEER]["ratio"]["n"] == 8
    assert rows[SHARED]["ratio"] is None
    assert rows[PEER]["ratio_of_totals"] == pytest.approx((9 + 8 * 6) / (9 + 8 * 1.5))


def test_other_counts_are_refused():
    found = made({OWN: 3.0, SHARED: 1.5, run.CONTROL: 1.5})
    found.track(OWN).prefilled[4] += 1
    assert "computed 9 prompt tokens in turn 5 instead of 8" in str(verdicts(found)[OWN])
    assert verdicts(found)[SHARED] is None


def test_other_tokens_are_refused():
    found = made({OWN: 3.0, SHARED: 1.5, run.CONTROL: 1.5})
    found.track(OWN).texts[1][20] = 8
    assert verdicts(found)[OWN] == "gave other tokens than the shared arm"


def test_a_peer_with_other_threads_is_refused():
    found = made({SHARED: 1.5, PEER: 6.0, run.CONTROL: 1.5}, peer_threads=(2, 1))
    assert verdicts(found)[PEER] == "unfair: llama.cpp kept 1 threads busy instead of 2"


def test_a_shared_arm_unlike_itself_is_refused():
    found = made({SHARED: 1.5, PEER: 6.0, run.CONTROL: 1.6})
    assert "the same thing against itself" in str(verdicts(found)[PEER])
    assert "the same thing against itself" in str(verdicts(found)[SHARED])


def test_disturbed_turns_do_not_count():
    found = made({SHARED: 1.5, PEER: 6.0, run.CONTROL: 1.5})
    peer = found.track(PEER)
    peer.seconds[3], peer.conditions = 60.0, [QUIET] * 3 + [LOUD] + [QUIET] * 5
    row = next(row for row in found.rows() if row["arm"] == PEER)
    assert (row["ratio"]["n"], row["ratio"]["high"], row["reason"]) == (7, 4.0, None)
    peer.conditions = [LOUD] * 9
    assert verdicts(found)[PEER] == "no undisturbed turn after the first"


def test_ctrl_c_keeps_whole_turns(fresh, monkeypatch):
    turn = Own.turn

    def interrupted(self: Own, texts: list[list[int]]) -> Turn:
        if len(self._sessions[0].tokens) > 60:
            raise KeyboardInterrupt
        return turn(self, texts)

    monkeypatch.setattr(Own, "turn", interrupted)
    into: list[run.Measured] = []
    with pytest.raises(KeyboardInterrupt):
        run.measure(fresh, Cell(33, 5, 2, 4, 10), [OWN, SHARED], flash=False, say=lambda text: None, into=into)
    rows = into[0].rows()
    assert {row["turns_done"] for row in rows} == {2}
    assert [row["prefilled"] for row in rows] == [row["stated"] for row in rows]


def test_busy_threads_are_those_that_work():
    code = (
        "import threading, time\n"
        "def spin():\n"
        "    end = time.time() + 0.6\n"
        "    while time.time() < end: pass\n"
        "threading.Thread(target=time.sleep, args=(2,), daemon=True).start()\n"
        "input(); spin(); print('done', flush=True); input()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
        before = run.thread_seconds(p.pid)
        p.stdin.write("\n")
        p.stdin.flush()
        p.stdout.readline()
        assert run.busy_since(p.pid, before) == 1
        p.stdin.write("\n")
        p.stdin.flush()
        p.wait(10)
    assert run.busy_since(2**22 + 1, {}) == 0
