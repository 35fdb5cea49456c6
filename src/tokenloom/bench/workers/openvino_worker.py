"""OpenVINO GenAI as a resident process, with its bfloat16 hint: it reads the GGUF file itself.

Knows the openvino-genai package. Knows nothing of tokenloom. The protocol is described in this directory's `__init__.py`.

Its cache of prefixes is off. Joint steps are its scheduler's own to arrange, so there is no "batch".
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import openvino
import openvino_genai as genai

HINT = "bf16"


class Stamps(genai.StreamerBase):  # type: ignore[misc]  # a class of a package that mypy does not see
    """When each token came."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def write(self, token: Any) -> Any:
        count = len(token) if isinstance(token, list) else 1
        self.times += [time.perf_counter()] * count
        return genai.StreamingStatus.RUNNING

    def end(self) -> None:
        """Nothing is held back."""


class Engine:
    """One model."""

    def __init__(self, model: str, threads: int, ctx: int, batch: int) -> None:
        del ctx, batch  # its cache grows
        self.threads = threads
        begun = time.perf_counter()
        scheduler = genai.SchedulerConfig()
        scheduler.enable_prefix_caching = False
        self.pipeline = genai.LLMPipeline(
            model, "CPU", scheduler_config=scheduler, INFERENCE_PRECISION_HINT=HINT, INFERENCE_NUM_THREADS=threads
        )
        self.load_s = time.perf_counter() - begun

    def about(self) -> dict[str, Any]:
        return {
            "threads": self.threads, "vocab": len(self.pipeline.get_tokenizer().get_vocab()), "load_s": self.load_s,
            "version": f"openvino-genai {genai.__version__}", "build": f"OpenVINO {openvino.__version__}",
            "variants": [f"{HINT} hint"],
        }  # fmt: skip

    def _generate(self, ids: list[int], n: int) -> tuple[list[int], float, list[float], int]:
        """(tokens, seconds, when each came, prompt tokens it says it was given)"""
        rows = np.array([ids], np.int64)
        inputs = genai.TokenizedInputs(openvino.Tensor(rows), openvino.Tensor(np.ones_like(rows)))
        config = genai.GenerationConfig(max_new_tokens=n, ignore_eos=True, do_sample=False)
        stamps = Stamps()
        begun = time.perf_counter()
        result = self.pipeline.generate(inputs, config, stamps)
        seconds = time.perf_counter() - begun
        return list(result.tokens[0]), seconds, stamps.times, result.perf_metrics.get_num_input_tokens()

    def prompt(self, ids: list[int], variant: str) -> dict[str, Any]:
        chosen, seconds, _, fed = self._generate(ids, 1)
        return {"seconds": seconds, "ids": chosen, "fed": len(ids), "computed": fed}

    def decode(self, prompt: list[int], n: int, variant: str) -> dict[str, Any]:
        chosen, _, times, fed = self._generate(prompt, n + 1)
        if len(times) != n + 1:
            raise ValueError(f"{len(times)} tokens were streamed, not {n + 1}")
        return {"seconds": times[-1] - times[0], "ids": chosen, "fed": len(prompt), "computed": fed}

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        operations: dict[str, Callable[..., dict[str, Any]]] = {"prompt": self.prompt, "decode": self.decode}
        return operations[op](**request)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # the library may print on standard output; the answers have theirs to themselves
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


if __name__ == "__main__":
    main()
