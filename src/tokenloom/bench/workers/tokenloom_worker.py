"""tokenloom as a resident process. Knows its public API, and the scheduler where many sequences are to be stepped; knows nothing of any peer.

The protocol is described in this directory's `__init__.py`.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import tokenloom
from tokenloom.runtime.generation import make_request
from tokenloom.runtime.model import Model
from tokenloom.runtime.scheduler import Job  # where older commits, which this is run with too, have it


class Engine:
    """One open model."""

    def __init__(
        self, model: str, threads: int, ctx: int, batch: int, tier: str | None = None, arithmetic: str = "exact"
    ) -> None:
        del batch  # the scheduler takes as many as there are
        begun = time.perf_counter()
        # a thread that writes to the cache of packed models would be other load
        self.model: Model = tokenloom.load(
            model, threads=threads, ctx=ctx, tier=tier, arithmetic=arithmetic, cache=False
        )
        self.load_s = time.perf_counter() - begun

    def about(self) -> dict[str, Any]:
        model = self.model
        versions = f"Python {platform.python_version()}, llvmlite {version('llvmlite')}, NumPy {version('numpy')}"
        return {
            "threads": model.threads, "vocab": model.tokenizer.vocab_size, "version": f"tokenloom {tokenloom.__version__}",
            "build": f"tier {model.tier}, {versions}", "load_s": self.load_s, "variants": ["default"],
        }  # fmt: skip

    def prompt(self, ids: list[int], variant: str) -> dict[str, Any]:
        begun = time.perf_counter()
        generation = self.model.generate_tokens(ids, max_tokens=1, ignore_eos=True, reuse=False)
        chosen = list(generation)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": chosen, "fed": len(ids), "computed": generation.timings.prompt_tokens}

    def decode(self, prompt: list[int], n: int, variant: str) -> dict[str, Any]:
        generation = self.model.generate_tokens(prompt, max_tokens=n + 1, ignore_eos=True, reuse=False)
        chosen = [next(generation)]
        begun = time.perf_counter()
        chosen += generation
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": chosen, "fed": len(prompt), "computed": generation.timings.prompt_tokens}

    def batch(self, prompts: list[list[int]], n: int, variant: str) -> dict[str, Any]:
        """The prompts are computed first, one by one, and found again: so all sequences begin to decode within a step or two of one another."""
        scheduler, vocab = self.model._scheduler, self.model.tokenizer.vocab_size
        self.model._tree.clear()  # of what this process was asked before
        computed = 0
        for ids in prompts:
            job = Job(ids, make_request(vocab, max_tokens=1, ignore_eos=True))
            scheduler.submit([job])
            while not job.done:
                scheduler.advance()
            computed += job.prefilled_tokens
        limit = self.model.ctx
        jobs = [Job(ids, make_request(vocab, max_tokens=limit, ignore_eos=True)) for ids in prompts]
        scheduler.submit(jobs)
        while not all(job.tokens for job in jobs):
            scheduler.advance()
        before = [len(job.tokens) for job in jobs]
        begun = time.perf_counter()
        for _ in range(n):
            scheduler.advance()
        seconds = time.perf_counter() - begun
        scheduler.cancel(jobs)
        chosen = [job.tokens[start:] for job, start in zip(jobs, before, strict=True)]
        return {"seconds": seconds, "ids": chosen, "fed": sum(map(len, prompts)), "computed": computed}

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        operations: dict[str, Callable[..., dict[str, Any]]]
        operations = {"prompt": self.prompt, "decode": self.decode, "batch": self.batch}
        return operations[op](**request)


def main() -> None:
    engine: Engine | None = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        if op == "open":
            engine = Engine(**request)
            answer = engine.about()
        elif engine is None:
            raise ValueError("open a model first")
        else:
            answer = engine.answer(op, request)
        sys.stdout.write(json.dumps(answer, default=int) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
