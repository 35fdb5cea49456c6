"""llama.cpp as a resident process, through the server inside the xllamacpp wheel: no build is needed, but the wheel is made for any CPU with AVX2.

Knows the wheel's in-process server and its timings. Knows nothing of tokenloom. The protocol is described in this directory's `__init__.py`.
Its completions say how many tokens there were, not which: they are given as -1.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import xllamacpp as llama

VARIANTS = {
    "flash attention off": llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED,
    "flash attention on": llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED,
}


class Engine:
    """One model in two servers, with and without flash attention."""

    def __init__(self, model: str, threads: int, ctx: int, batch: int) -> None:
        if batch > 1:
            raise ValueError(
                "the wheel's server cannot be asked for joint steps; leave --batch out or use llama.cpp=PATH"
            )
        begun = time.perf_counter()
        self.threads = threads
        self.servers = {name: self._server(model, ctx, flash) for name, flash in VARIANTS.items()}
        self.vocab = self._vocab(model)
        self.load_s = time.perf_counter() - begun

    def _server(self, model: str, ctx: int, flash: Any) -> Any:
        p = llama.CommonParams()
        p.model.path, p.n_ctx, p.n_parallel, p.flash_attn_type = model, ctx, 1, flash
        p.cpuparams.n_threads = p.cpuparams_batch.n_threads = self.threads
        p.warmup = p.fit_params = False
        p.cache_ram_mib = p.verbosity = 0
        return llama.Server(p)

    @staticmethod
    def _vocab(model: str) -> int:
        """The server does not say, so the file is asked."""
        from gguf import GGUFReader

        return len(GGUFReader(model).fields["tokenizer.ggml.tokens"].data)

    def about(self) -> dict[str, Any]:
        return {
            "threads": self.threads, "vocab": self.vocab, "load_s": self.load_s, "version": f"xllamacpp {version('xllamacpp')}",
            "build": llama.get_system_info().strip(), "variants": list(VARIANTS),
        }  # fmt: skip

    def _complete(self, ids: list[int], n: int, variant: str) -> tuple[dict[str, Any], float]:
        request = {
            "prompt": ids,
            "n_predict": n,
            "temperature": 0,
            "top_k": 1,
            "cache_prompt": False,
            "ignore_eos": True,
        }
        begun = time.perf_counter()
        answer = self.servers[variant].handle_completions(request)
        seconds = time.perf_counter() - begun
        timings, usage = answer["timings"], answer["usage"]
        known = {
            "ids": [-1] * usage["completion_tokens"],
            "fed": usage["prompt_tokens"],
            "computed": timings["prompt_n"],
        }
        return {**known, "decode_s": timings["predicted_ms"] / 1e3}, seconds

    def prompt(self, ids: list[int], variant: str) -> dict[str, Any]:
        answer, seconds = self._complete(ids, 1, variant)
        return {**answer, "seconds": seconds}

    def decode(self, prompt: list[int], n: int, variant: str) -> dict[str, Any]:
        answer, _ = self._complete(prompt, n + 1, variant)
        return {**answer, "seconds": answer["decode_s"]}  # from the first token known to the last: n steps

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        operations: dict[str, Callable[..., dict[str, Any]]] = {"prompt": self.prompt, "decode": self.decode}
        return operations[op](**request)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # llama.cpp may print on standard output; the answers have theirs to themselves
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
        answers.write(json.dumps(answer) + "\n")
    answers.flush()
    os._exit(0)  # the servers' threads are not waited for


if __name__ == "__main__":
    main()
