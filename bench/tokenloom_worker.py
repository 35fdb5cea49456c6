"""tokenloom as a resident process, with the same requests and answers as bench/peers/llama_cpp_worker.py.

Knows the public API alone: what is timed is what a user's program would call. Knows nothing of the peer or of pairing.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import tokenloom
from tokenloom.runtime.model import Model


def decode(model: Model, prompt: list[int], n: int, **_: Any) -> dict[str, Any]:
    """The n-1 steps after the first token."""
    ids = iter(model.generate_tokens(prompt, max_tokens=n, ignore_eos=True, reuse=False))
    chosen = [next(ids)]
    wall, cpu = time.perf_counter(), time.process_time()
    chosen += ids
    return {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu, "ids": chosen}


def prompt(model: Model, ids: list[int], **_: Any) -> dict[str, Any]:
    """Until the first token is known."""
    wall, cpu = time.perf_counter(), time.process_time()
    chosen = list(model.generate_tokens(ids, max_tokens=1, ignore_eos=True, reuse=False))
    return {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu, "ids": chosen}


def main() -> None:
    model: Model | None = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        if op == "open":
            model = tokenloom.load(request["model"], threads=request["threads"], ctx=request["ctx"])
            answer: dict[str, Any] = {"threads": model.threads, "system": f"tier {model.tier}"}
        elif model is None:
            raise ValueError("open a model first")
        else:
            answer = {"decode": decode, "prompt": prompt}[op](model, **request)
        print(json.dumps(answer, default=int), flush=True)


if __name__ == "__main__":
    main()
