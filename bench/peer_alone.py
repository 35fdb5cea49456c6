"""llama.cpp's own speed on this machine, without tokenloom: a check of the baseline before it is compared with.

    python bench/peer_alone.py [--pairs 5]

Knows the worker of bench/compare.py. Knows nothing of tokenloom's speed.
"""

from __future__ import annotations

import os
import statistics

from compare import COUNTED, DECODE_AFTER, DECODE_COUNT, HERE, PROMPT_LENGTH, Worker, arguments, model_file, token_ids

from tokenloom.bench.pairing import interleave

REQUESTS = {
    "decode": {"op": "decode", "prompt": token_ids(DECODE_AFTER), "ids": None, "n": DECODE_COUNT},
    "prompt": {"op": "prompt", "ids": token_ids(PROMPT_LENGTH)},
}


def measure(peer: Worker, test: str, rounds: int) -> list[str]:
    """Median and best tokens/s without and with flash attention, taken in turns."""
    peer.ask({**REQUESTS[test], "flash": False})
    taken = interleave(
        lambda: peer.seconds({**REQUESTS[test], "flash": False}),
        lambda: peer.seconds({**REQUESTS[test], "flash": True}),
        rounds,
    )
    sides = list(zip(*taken, strict=True))
    return [f"{COUNTED[test] / pick(side):.1f}" for pick in (statistics.median, min) for side in sides]


def main() -> None:
    asked = arguments()
    heads = ["model", "threads", "test", "fa off tokens/s", "fa on tokens/s", "best fa off", "best fa on", "CPUs used"]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    command = [str(asked.peer), str(HERE / "peers" / "llama_cpp_worker.py")]
    for kind in asked.models.split(","):
        for threads in map(int, asked.threads.split(",")):
            peer = Worker("llama.cpp", command, model_file(kind), threads)
            for test in asked.tests.split(","):
                cells = [kind, str(threads), test, *measure(peer, test, asked.pairs), f"{peer.busiest:.2f}"]
                print(f"| {' | '.join(cells)} |", flush=True)
            peer.close()
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
