"""How quickly and how small tokenloom starts: import, first start (empty cache), second start, peak memory.

    python bench/start.py [MODEL] [--rounds 5]

Every figure is of a new process. Exit codes: 0 the bars kept, 1 a bar missed.
Knows processes and /proc. Knows nothing of the engine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tokenloom.runtime.default_model import model_path

IMPORT_S, FIRST_S, SECOND_S, EXTRA_BYTES = 0.2, 6.0, 1.5, 350_000_000
CTX = 2048
# the peak of a process is read by the process itself, after its work
LOAD = """
import json, sys, time
begin = time.perf_counter()
import tokenloom
model = tokenloom.load(sys.argv[1], ctx=int(sys.argv[2]))
loaded = time.perf_counter() - begin
list(model.generate_tokens(model.tokenize("Hello"), max_tokens=2, ignore_eos=True))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({"load_s": loaded, "peak": int(status["VmHWM"].split()[0]) * 1024}))
"""


def timed(command: list[str], cache: str) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "TOKENLOOM_CACHE": cache}, capture_output=True)
    return time.perf_counter() - begin


def import_seconds() -> float:
    code = "import time; t = time.perf_counter(); import tokenloom; print(time.perf_counter() - t)"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def load(model: Path, cache: str) -> dict[str, float]:
    command = [sys.executable, "-c", LOAD, str(model), str(CTX)]
    env = {**os.environ, "TOKENLOOM_CACHE": cache}
    found: dict[str, float] = json.loads(
        subprocess.run(command, check=True, env=env, capture_output=True, text=True).stdout
    )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="start-up times and peak memory")
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    model = model_path(asked.model)
    run = [sys.executable, "-m", "tokenloom", "run", "-m", str(model), "-n", "1", "Hello"]
    imports, firsts, seconds, peaks = [], [], [], []
    import_seconds()  # compiles the .pyc files
    for _ in range(asked.rounds):
        imports.append(import_seconds())
        with tempfile.TemporaryDirectory() as cache:
            firsts.append(load(model, cache)["load_s"])
            timed(run, cache)
            seconds.append(timed(run, cache))
            peaks.append(load(model, cache)["peak"])
    size = model.stat().st_size
    rows = [
        ("import tokenloom, s", statistics.median(imports), IMPORT_S),
        ("first load (compile + repack), s", statistics.median(firsts), FIRST_S),
        ("second `tokenloom run -n 1`, s", statistics.median(seconds), SECOND_S),
        (f"peak memory of a second start at ctx {CTX}, MB", max(peaks) / 1e6, (size + EXTRA_BYTES) / 1e6),
    ]
    print("| what | measured | bar | |\n|---|---|---|---|")
    for name, value, bar in rows:
        print(f"| {name} | {value:.3f} | {bar:.3f} | {'kept' if value <= bar else 'MISSED'} |")
    return 0 if all(value <= bar for _, value, bar in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
