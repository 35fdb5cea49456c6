"""What a model file answers, as digests: `python -m tests.arm64.answers TIER THREADS FILE...` prints a JSON object per file.

Runs under this machine's Python and under the emulated one alike. Knows no expectations.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

from tests.arm64 import remote

import tokenloom

PROMPT = [1, *range(3, 90), 5, 7]


def answers(path: Path, tier: str | None, threads: int) -> dict[str, object]:
    """Of a prompt's logits the digest, and sampled ids: rows of every class take part (one, a few, many)."""
    with tokenloom.load(path, tier=tier, threads=threads, ctx=128) as model:
        ids = list(model.generate_tokens(PROMPT[:5], max_tokens=20, ignore_eos=True, temp=0.8, seed=3))
        logits = model.logits(PROMPT)
        return {"ids": ids, "logits": hashlib.sha256(logits.tobytes()).hexdigest(), "shape": list(logits.shape)}


if __name__ == "__main__":
    remote.install()
    for name in sys.argv[3:]:
        print(json.dumps(answers(Path(name), sys.argv[1], int(sys.argv[2]))), flush=True)
