"""Comparisons of engines that cheat, of a machine that is disturbed, and of honest ones: what is refused, and by which name."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tokenloom.bench import artefact
from tokenloom.bench.compare import Arm, Comparison, take
from tokenloom.bench.engines import Engine
from tokenloom.bench.machine import Watch, process_seconds
from tokenloom.bench.resident import Resident
from tokenloom.bench.rows import Row
from tokenloom.errors import TokenloomError

FAKE = Path(__file__).with_name("fake_engine.py")
PROMPT, DECODE, BATCH = Row("prompt", 64), Row("decode", 16, 16), Row("batch", 16, 8, 3)


def fake(name: str = "fake", *knobs: str) -> Engine:
    return Engine(name, (sys.executable, str(FAKE), *knobs))


def arm(row: Row, *knobs: str, threads: int = 1, pairs: int = 3) -> Arm:
    """Pairs of an honest engine and one with knobs."""
    result = Arm()
    with Resident(fake("ours"), FAKE, threads, 256) as a, Resident(fake("peer", *knobs), FAKE, threads, 256) as b:
        take(a, b, row, pairs, result, itertools.count())
    return result


@pytest.mark.parametrize("row", [PROMPT, DECODE, BATCH], ids=lambda row: row.kind)
def test_honest_engines_are_found_fair(row):
    found = arm(row, threads=2)
    assert found.fault is None
    assert found.busy == [2, 2]
    assert found.same_ids == {"prompt": 1, "decode": 17, "batch": 16}[row.kind]


@pytest.mark.parametrize(
    ("row", "knobs", "fault"),
    [
        (DECODE, ["threads=1"], "unfair: peer kept 1 threads busy instead of 2"),
        (DECODE, ["threads=4"], "unfair: peer kept 4 threads busy instead of 2"),
        (DECODE, ["said=1"], "unfair: peer runs 1 threads instead of 2"),
        (PROMPT, ["short=1"], "unfair: peer took a prompt of 63 tokens instead of 64"),
        (DECODE, ["short=16"], "unfair: peer took a prompt of 0 tokens instead of 16"),
        (PROMPT, ["cache=said"], "unfair: peer found 64 of 64 prompt tokens in a cache of prefixes"),
        (PROMPT, ["cache=hidden"], "it has a cache of prefixes"),
        (DECODE, ["fewer=2"], "unfair: peer gave 15 tokens instead of 17"),
        (BATCH, ["fewer=1"], "unfair: peer gave 15/15/15 tokens instead of 16 for each of 3"),
    ],
)
def test_guard_of_fairness_names_what_is_planted(row, knobs, fault):
    assert fault in (arm(row, *knobs, threads=2).fault or "found fair")


def test_an_unfair_row_is_rejected_and_the_others_stand_by_themselves(tmp_path):
    comparison = Comparison(fake("ours"), fake("peer", "short=1"), FAKE, pairs=2, control_pairs=2)
    happened: list[str] = []
    comparison.say, comparison.row_done = happened.append, lambda: happened.append("a row is done")
    comparison.run([PROMPT, DECODE], 1)
    ends = ["a row is done", "decode 16 at depth 16, 1 threads: against peer", "a row is done"]
    assert happened[-3:] == ends  # whoever waits for the second row has seen the first
    assert [row["verdict"] for row in comparison.rows] == ["REJECTED", "REJECTED"]
    assert [row["reason"].startswith("unfair: peer took a prompt") for row in comparison.rows] == [True, True]
    record = {**artefact.begin("compare", FAKE), "rows": comparison.rows, "engines": comparison.engines}
    read = artefact.read(artefact.write(record, tmp_path, "a name/with a slash"))
    assert read["engines"]["theirs"] == {"name": "peer", "detail": "", "version": "fake 1", "build": "none"}
    assert len(read["rows"][1]["control_pairs"]) >= 2


def hog(seconds: float) -> list[subprocess.Popen[bytes]]:
    code = f"import time\nend = time.time() + {seconds}\nwhile time.time() < end: pass"
    return [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]


def test_a_hog_in_mid_run_makes_the_row_rejected():
    comparison = Comparison(fake("ours"), fake("peer"), FAKE, pairs=8, control_pairs=6)
    hogs: list[subprocess.Popen[bytes]] = []

    def begin_when_the_second_arm_runs(text: str) -> None:
        if "against peer" in text:
            threading.Timer(0.4, lambda: hogs.extend(hog(20))).start()

    comparison.say = begin_when_the_second_arm_runs
    try:
        comparison.run([Row("decode", 40, 16)], 1)
    finally:
        assert hogs, "the run was over before the hog began"
        for process in hogs:
            process.kill()
            process.wait()
    (row,) = comparison.rows
    assert row["verdict"] == "REJECTED"
    assert any(pair["disturbed"] for pair in row["pairs"])


def test_a_watch_counts_others_and_not_its_own():
    processes = hog(20)
    own = [process.pid for process in processes]
    everyone, others = Watch([]), Watch(own)
    begun, before = time.perf_counter(), sum(map(process_seconds, own))
    time.sleep(1)
    apart = everyone.end().foreign - others.end().foreign
    used = (sum(map(process_seconds, own)) - before) / (time.perf_counter() - begun)
    for process in processes:
        process.kill()
        process.wait()
    assert used > 0.3
    assert apart == pytest.approx(used, abs=0.15)


def test_an_engine_that_dies_says_why():
    dying = Engine("peer", (sys.executable, "-c", "import sys; sys.exit('no such model')"))
    with pytest.raises(TokenloomError, match=r"the peer process ended with code 1: no such model"):
        Resident(dying, FAKE, 1, 64)


def test_an_idle_process_is_stopped():
    with Resident(fake(), FAKE, 1, 64) as resident:
        state = Path(f"/proc/{resident.pid}/stat").read_text().rpartition(")")[2].split()[0]
    assert state == "T"


def test_a_stopped_process_ends_with_its_parent():
    code = f"""
import os, sys
from pathlib import Path
from tokenloom.bench.engines import Engine
from tokenloom.bench.resident import Resident
resident = Resident(Engine("fake", (sys.executable, {str(FAKE)!r})), Path("x"), 1, 64)
print(resident.pid, flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    left = Path(f"/proc/{int(done.stdout)}/stat")
    deadline = time.monotonic() + 5
    while left.exists() and left.read_text().rpartition(")")[2].split()[0] != "Z" and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left.exists() or left.read_text().rpartition(")")[2].split()[0] == "Z"


def test_prompts_never_begin_alike():
    firsts = [Row("prompt", 64).request(49152, number)["ids"] for number in range(300)]
    assert len({tuple(ids[:2]) for ids in firsts}) == 300
    assert all(0 <= token < 300 for token in Row("prompt", 64).request(300, 7)["ids"])
