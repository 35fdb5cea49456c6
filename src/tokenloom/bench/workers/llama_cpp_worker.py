"""llama.cpp as a resident process, through the llama-cpp-python package of its own environment.

Knows llama.cpp's C calls (the Python class around them would cost a third of the speed). Knows nothing of tokenloom.
The protocol is described in this directory's `__init__.py`.

What makes it a fair baseline: the C calls alone; a lasting thread pool, as llama.cpp's own programs have; flash attention off or on, whichever the
caller asks for; the memory cleared before every request; the greedy choice by NumPy, which is quicker than llama.cpp's own sampler.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import llama_cpp as llama
import numpy as np

VARIANTS = {"flash attention off": 0, "flash attention on": 1}  # LLAMA_FLASH_ATTN_TYPE_DISABLED, _ENABLED
UBATCH = 512


def loaded(name: str) -> ctypes.CDLL:
    """The library of that name that this process has loaded already (a wheel holds each under several names)."""
    with open("/proc/self/maps") as maps:
        path = next(line.split(maxsplit=5)[5].strip() for line in maps if f"/lib{name}.so" in line)
    return ctypes.CDLL(path)


def attach_threadpool(contexts: Iterable[Any], threads: int) -> None:
    """A lasting thread pool, as llama.cpp's own programs make one; without it every step starts its threads anew."""
    parameters = (ctypes.c_char * 4096)()  # more than ggml_threadpool_params, which ggml fills in itself
    loaded("ggml-base").ggml_threadpool_params_init(parameters, ctypes.c_int(threads))
    new = loaded("ggml-cpu").ggml_threadpool_new
    new.restype = ctypes.c_void_p
    pool = ctypes.c_void_p(new(parameters))
    if not pool:
        raise ValueError("ggml_threadpool_new failed")
    for context in contexts:
        loaded("llama").llama_attach_threadpool(ctypes.c_void_p(context), pool, pool)


class Engine:
    """One model and two contexts, with and without flash attention."""

    def __init__(self, model: str, threads: int, ctx: int, batch: int) -> None:
        self.threads, self.sequences = threads, batch
        begun = time.perf_counter()
        llama.llama_backend_init()
        self.model = llama.llama_model_load_from_file(model.encode(), llama.llama_model_default_params())
        if not self.model:
            raise ValueError(f"llama.cpp cannot load {model}")
        self.vocab = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(self.model))
        self.contexts = {name: self._context(ctx, flash) for name, flash in VARIANTS.items()}
        attach_threadpool(self.contexts.values(), threads)
        self.rows = llama.llama_batch_init(UBATCH, 0, 1)
        self.load_s = time.perf_counter() - begun

    def _context(self, ctx: int, flash: int) -> Any:
        p = llama.llama_context_default_params()
        p.n_ctx, p.n_batch, p.n_ubatch, p.n_seq_max = ctx * self.sequences, UBATCH, UBATCH, self.sequences
        p.n_threads = p.n_threads_batch = self.threads
        p.flash_attn_type, p.no_perf = flash, True
        context = llama.llama_init_from_model(self.model, p)
        if not context:
            raise ValueError("llama.cpp cannot make a context")
        return context

    def about(self) -> dict[str, Any]:
        used = {llama.llama_n_threads(c) for c in self.contexts.values()}
        used |= {llama.llama_n_threads_batch(c) for c in self.contexts.values()}
        return {
            "threads": max(used) if len(used) == 1 else -1, "vocab": self.vocab, "load_s": self.load_s,
            "version": f"llama-cpp-python {llama.__version__}", "build": llama.llama_print_system_info().decode().strip(),
            "variants": list(VARIANTS),
        }  # fmt: skip

    def _fresh(self, variant: str) -> Any:
        context = self.contexts[variant]
        llama.llama_memory_clear(llama.llama_get_memory(context), True)
        return context

    def _held(self, context: Any, sequence: int) -> int:
        held: int = llama.llama_memory_seq_pos_max(llama.llama_get_memory(context), sequence) + 1
        return held

    def _step(self, context: Any, tokens: list[tuple[int, int, int]], outs: int) -> list[int]:
        """Feed (id, position, sequence) rows; the greedy choices of the last `outs` of them."""
        batch = self.rows
        batch.n_tokens = len(tokens)
        for i, (token, position, sequence) in enumerate(tokens):
            batch.token[i], batch.pos[i] = token, position
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
            batch.logits[i] = i >= len(tokens) - outs
        status = llama.llama_decode(context, batch)
        if status != 0:
            raise ValueError(f"llama_decode gave {status}")
        if not outs:
            return []
        logits = np.ctypeslib.as_array(llama.llama_get_logits(context), shape=(outs, self.vocab))
        return [int(i) for i in logits.argmax(axis=1)]

    def _prefill(self, context: Any, ids: list[int], sequence: int = 0) -> int:
        """The whole prompt in batches of 512; the greedy next token."""
        chosen: list[int] = []
        for at in range(0, len(ids), UBATCH):
            part = ids[at : at + UBATCH]
            rows = [(token, at + i, sequence) for i, token in enumerate(part)]
            chosen = self._step(context, rows, int(at + len(part) == len(ids)))
        return chosen[0]

    def prompt(self, ids: list[int], variant: str) -> dict[str, Any]:
        context = self._fresh(variant)
        before = self._held(context, 0)
        begun = time.perf_counter()
        chosen = self._prefill(context, ids)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": [chosen], "fed": len(ids), "computed": self._held(context, 0) - before}

    def decode(self, prompt: list[int], n: int, variant: str) -> dict[str, Any]:
        context = self._fresh(variant)
        before = self._held(context, 0)
        chosen = [self._prefill(context, prompt)]
        computed = self._held(context, 0) - before
        one = (llama.llama_token * 1)()
        logits = np.ctypeslib.as_array(llama.llama_get_logits(context), shape=(self.vocab,))
        begun = time.perf_counter()
        for _ in range(n):
            one[0] = chosen[-1]
            if llama.llama_decode(context, llama.llama_batch_get_one(one, 1)) != 0:
                raise ValueError("llama_decode failed")
            llama.llama_synchronize(context)
            chosen.append(int(logits.argmax()))
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": chosen, "fed": len(prompt), "computed": computed}

    def batch(self, prompts: list[list[int]], n: int, variant: str) -> dict[str, Any]:
        context = self._fresh(variant)
        before = sum(self._held(context, s) for s in range(len(prompts)))
        last = [self._prefill(context, ids, s) for s, ids in enumerate(prompts)]
        computed = sum(self._held(context, s) for s in range(len(prompts))) - before
        chosen: list[list[int]] = [[] for _ in prompts]
        begun = time.perf_counter()
        for i in range(n):
            rows = [(token, len(prompts[s]) + i, s) for s, token in enumerate(last)]
            last = self._step(context, rows, len(rows))
            for s, token in enumerate(last):
                chosen[s].append(token)
        seconds = time.perf_counter() - begun
        return {"seconds": seconds, "ids": chosen, "fed": sum(map(len, prompts)), "computed": computed}

    def answer(self, op: str, request: dict[str, Any]) -> dict[str, Any]:
        operations: dict[str, Callable[..., dict[str, Any]]]
        operations = {"prompt": self.prompt, "decode": self.decode, "batch": self.batch}
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


if __name__ == "__main__":
    main()
