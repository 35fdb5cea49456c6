"""tokenloom against llama.cpp: the same file, the same threads, paired and interleaved in one run.

    python bench/compare.py                                 both models, 1 and 2 threads, decode and prompt
    python bench/compare.py --models q4_1 --threads 1 --tests decode --pairs 12

bench/peers/llama_cpp.sh builds the peer. Both programs stay resident; the one that waits is stopped (SIGSTOP).
Exit codes: 0 measured and the bars kept, 1 a bar missed, 2 usage, 3 refused: the control or the spread says that the
machine could not tell.

Knows processes and the table it writes. Knows nothing of either engine.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models import KINDS, model_file

from tokenloom.bench.pairing import Limits, as_dict, interleave, refusal, summarize

HERE = Path(__file__).resolve().parent
CTX = 512
PROMPT_LENGTH, DECODE_AFTER, DECODE_COUNT = 256, 16, 128
BARS = {"decode": 0.95, "prompt": 0.5}
COUNTED = {"decode": DECODE_COUNT - 1, "prompt": PROMPT_LENGTH}


class RefusedError(Exception):
    """The measurement says nothing; the text says why."""


def token_ids(count: int) -> list[int]:
    """Ordinary tokens in no particular order, the same in every run."""
    return [1000 + (i * 7919) % 40000 for i in range(count)]


class Worker:
    """One resident engine. Stopped except while it answers."""

    def __init__(self, name: str, command: list[str], model: Path, threads: int) -> None:
        self.name, self.threads = name, threads
        self.busiest = 0.0  # the most CPU seconds per second of any answer: the threads that really ran
        env = {k: v for k, v in os.environ.items() if not k.startswith("TOKENLOOM_") or k == "TOKENLOOM_CACHE"}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env
        )
        opened = self.ask({"op": "open", "model": str(model), "threads": threads, "ctx": CTX})
        self.system = opened["system"]
        if opened["threads"] != threads:
            raise RefusedError(f"{name} runs {opened['threads']} threads instead of {threads}")

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.send_signal(signal.SIGCONT)
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the {self.name} worker ended with {self.process.wait()}; start it by hand to see why")
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def seconds(self, request: dict[str, Any]) -> float:
        answer = self.ask(request)
        self.busiest = max(self.busiest, answer["cpu_seconds"] / answer["seconds"])
        seconds: float = answer["seconds"]
        return seconds

    def close(self) -> None:
        self.process.send_signal(signal.SIGCONT)
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


@dataclass
class Row:
    model: str
    threads: int
    test: str
    result: dict[str, Any]
    control: dict[str, Any]
    ours_tps: float
    peer_tps: float
    flash: bool
    same_ids: int
    refused: str | None

    @property
    def kept(self) -> bool:
        return bool(self.result["median"] >= BARS[self.test])


def better_flash(peer: Worker, request: dict[str, Any]) -> bool:
    """Whether the peer is faster with flash attention here; it gets whichever is."""
    taken = interleave(
        lambda: peer.seconds({**request, "flash": False}), lambda: peer.seconds({**request, "flash": True}), 4
    )
    off, on = (statistics.median(side) for side in zip(*taken, strict=True))
    return on < off


def agreeing(ours: list[int], theirs: list[int]) -> int:
    """How many tokens from the first on are the same: a sign that both run the same model."""
    return next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b), len(ours))


def compare(ours: Worker, peer: Worker, test: str, kind: str, pairs: int) -> Row:
    if test == "decode":
        request: dict[str, Any] = {"op": "decode", "prompt": token_ids(DECODE_AFTER), "ids": None, "n": DECODE_COUNT}
    else:
        request = {"op": "prompt", "ids": token_ids(PROMPT_LENGTH)}
    request["flash"] = False
    first = ours.ask(request)["ids"]  # the first answers warm both up, and are compared
    second = peer.ask(request)["ids"]
    if test == "decode":
        request["ids"] = first  # the peer is led along our tokens, so that both do the same steps
    request["flash"] = better_flash(peer, request)
    ours.ask(request)
    control = summarize(interleave(lambda: ours.seconds(request), lambda: ours.seconds(request), max(pairs // 2, 4)))
    result = summarize(interleave(lambda: ours.seconds(request), lambda: peer.seconds(request), pairs))
    refused = refusal(control, result, Limits(pairs=min(pairs, 6)))
    for worker in (ours, peer):
        if worker.busiest > worker.threads + 0.15:
            refused = f"{worker.name} used {worker.busiest:.2f} CPUs with {worker.threads} threads"
    count, agree = COUNTED[test], agreeing(first, second)
    speeds = (count / result.first_s, count / result.second_s)
    return Row(kind, ours.threads, test, as_dict(result), as_dict(control), *speeds, request["flash"], agree, refused)


def table(rows: list[Row]) -> str:
    heads = (
        "model,threads,test,tokenloom tokens/s,llama.cpp tokens/s,its flash,ratio,IQR/median,range,n,A/A,bar,verdict"
    )
    cells = [heads.split(","), ["---"] * len(heads.split(","))]
    for row in rows:
        r, flash = row.result, "on" if row.flash else "off"
        speeds = [f"{row.ours_tps:.1f}", f"{row.peer_tps:.1f}", flash]
        ratios = [f"{r['median']:.3f}", f"{r['spread']:.1%}", f"{r['low']:.2f}..{r['high']:.2f}", str(r["n"])]
        verdict = f"refused: {row.refused}" if row.refused else "kept" if row.kept else "MISSED"
        judged = [f"{row.control['median']:.3f}", str(BARS[row.test]), verdict]
        cells.append([row.model, str(row.threads), row.test, *speeds, *ratios, *judged])
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def cpu_name() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def arguments() -> argparse.Namespace:
    peers = Path(os.environ.get("TOKENLOOM_PEERS") or Path.home() / ".cache" / "tokenloom-peers")
    parser = argparse.ArgumentParser(description="tokenloom against llama.cpp, paired and interleaved")
    parser.add_argument("--models", default="q4_1,q8_0", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--tests", default="decode,prompt")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--peer", type=Path, default=peers / "llama_cpp" / "bin" / "python", help="its Python")
    parser.add_argument("--out", type=Path, default=HERE / "out")
    asked = parser.parse_args()
    if not asked.peer.exists():
        parser.error(f"no llama.cpp at {asked.peer}; bench/peers/llama_cpp.sh builds it")
    return asked


def main() -> int:
    asked = arguments()
    rows: list[Row] = []
    systems: dict[str, str] = {}
    ours_command = [sys.executable, str(HERE / "tokenloom_worker.py")]
    peer_command = [str(asked.peer), str(HERE / "peers" / "llama_cpp_worker.py")]
    started = time.time()
    for kind in asked.models.split(","):
        for threads in map(int, asked.threads.split(",")):
            ours = Worker("tokenloom", ours_command, model_file(kind), threads)
            peer = Worker("llama.cpp", peer_command, model_file(kind), threads)
            systems = {w.name: w.system for w in (ours, peer)}
            for test in asked.tests.split(","):
                rows.append(compare(ours, peer, test, kind, asked.pairs))
                print(table(rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
            ours.close()
            peer.close()
    asked.out.mkdir(parents=True, exist_ok=True)
    about = {
        "when": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "took_s": round(time.time() - started, 1),
        "cpu": cpu_name(),
        "cpus": len(os.sched_getaffinity(0)),
        "load_average": os.getloadavg(),
        "systems": systems,
    }
    record = {**about, "rows": [{**row.__dict__, "kept": row.kept} for row in rows]}
    (asked.out / "compare.json").write_text(json.dumps(record, indent=2) + "\n")
    (asked.out / "compare.md").write_text(f"{about['cpu']}, {about['when']}\n\n{table(rows)}")
    print(table(rows), end="")
    if any(row.refused for row in rows):
        return 3
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RefusedError as problem:
        print(f"refused: {problem}", file=sys.stderr)
        sys.exit(3)
