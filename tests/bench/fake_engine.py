"""A worker of `tokenloom.bench` that burns CPU in threads instead of running a model, and can be told to cheat.

    python fake_engine.py [threads=N] [said=N] [short=N] [cache=said|hidden] [fewer=N] [slow=1.1]

threads: how many really work; said: how many it says; short: prompt tokens it leaves out; cache: prompts it has seen take no time, and it says so or
not; fewer: tokens it does not generate; slow: times as much work.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

KNOBS = dict(word.split("=") for word in sys.argv[1:])
STEP = 4000  # iterations for a token: some milliseconds


def burn(turns: int) -> None:
    hashlib.pbkdf2_hmac("sha256", b"x" * 64, b"y", turns)


def main() -> None:
    pool, count, seen = ThreadPoolExecutor(1), 1, set()

    def work(tokens: float) -> None:
        turns = round(STEP * tokens * float(KNOBS.get("slow", 1)) / count)
        if turns:
            others = [pool.submit(burn, turns) for _ in range(count - 1)]
            burn(turns)
            for other in others:
                other.result()

    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "open":
            count = int(KNOBS.get("threads", request["threads"]))
            pool = ThreadPoolExecutor(max(1, count - 1))
            said = int(KNOBS.get("said", request["threads"]))
            answer = {
                "threads": said,
                "vocab": 50000,
                "version": "fake 1",
                "build": "none",
                "load_s": 0.1,
                "variants": ["plain", "other"],
            }
        else:
            prompts = request.get("prompts") or [request.get("prompt") or request["ids"]]
            fed = sum(map(len, prompts)) - int(KNOBS.get("short", 0))
            cached = "cache" in KNOBS and str(prompts) in seen
            seen.add(str(prompts))
            begun = time.perf_counter()
            if request["op"] == "prompt":
                work(0 if cached else fed / 4)
                ids = [[1]]
            else:
                work(request["n"])
                ids = [[1] * (request["n"] + (request["op"] == "decode") - int(KNOBS.get("fewer", 0)))] * len(prompts)
            answer = {
                "seconds": time.perf_counter() - begun,
                "ids": ids if "prompts" in request else ids[0],
                "fed": fed,
            }
            answer["computed"] = 0 if cached and KNOBS["cache"] == "said" else fed
        print(json.dumps(answer), flush=True)


main()
