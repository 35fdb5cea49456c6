"""llama.cpp as a resident process: a JSON request a line on standard input, a JSON answer a line on standard output.

    {"op": "open", "model": path, "threads": n, "ctx": n}
    {"op": "decode", "prompt": [ids], "ids": [ids to feed] or null, "n": 128, "flash": false}
        times the n-1 steps after the first token
    {"op": "prompt", "ids": [ids], "flash": true}
        times from the first id in to the first token known

Knows llama.cpp's C calls (the Python class around them would cost a third of the speed). Knows nothing of tokenloom.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Iterable
from typing import Any

import llama_cpp as llama
import numpy as np


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


class Peer:
    """One model and two contexts, with and without flash attention."""

    def __init__(self, model: str, threads: int, ctx: int) -> None:
        self.threads = threads
        llama.llama_backend_init()
        self.model = llama.llama_model_load_from_file(model.encode(), llama.llama_model_default_params())
        if not self.model:
            raise ValueError(f"llama.cpp cannot load {model}")
        self.vocab_size = llama.llama_vocab_n_tokens(llama.llama_model_get_vocab(self.model))
        self.contexts = {flash: self._context(ctx, flash) for flash in (False, True)}
        attach_threadpool(self.contexts.values(), threads)

    def _context(self, ctx: int, flash: bool) -> Any:
        p = llama.llama_context_default_params()
        p.n_ctx, p.n_batch, p.n_ubatch, p.n_seq_max = ctx, 512, 512, 1
        p.n_threads = p.n_threads_batch = self.threads
        p.flash_attn_type = 1 if flash else 0  # LLAMA_FLASH_ATTN_TYPE_ENABLED, _DISABLED
        p.no_perf = True
        context = llama.llama_init_from_model(self.model, p)
        if not context:
            raise ValueError("llama.cpp cannot make a context")
        used = (llama.llama_n_threads(context), llama.llama_n_threads_batch(context))
        if used != (self.threads, self.threads):
            raise ValueError(f"asked llama.cpp for {self.threads} threads, got {used}")
        return context

    def step(self, context: Any, ids: list[int]) -> int:
        """Feed ids after what is in the context; the greedy next token."""
        tokens = (llama.llama_token * len(ids))(*ids)
        status = llama.llama_decode(context, llama.llama_batch_get_one(tokens, len(ids)))
        if status != 0:
            raise ValueError(f"llama_decode gave {status}")
        logits = np.ctypeslib.as_array(llama.llama_get_logits_ith(context, -1), shape=(self.vocab_size,))
        return int(logits.argmax())

    def fresh(self, flash: bool) -> Any:
        context = self.contexts[flash]
        llama.llama_memory_clear(llama.llama_get_memory(context), True)
        return context

    def decode(self, prompt: list[int], ids: list[int] | None, n: int, flash: bool) -> dict[str, Any]:
        """Greedy, or along `ids` (the greedy choice is made all the same, and counted as agreeing or not)."""
        context = self.fresh(flash)
        chosen = [self.step(context, prompt)]
        wall, cpu = time.perf_counter(), time.process_time()
        for i in range(n - 1):
            chosen.append(self.step(context, [ids[i] if ids else chosen[-1]]))
        return {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu, "ids": chosen}

    def prompt(self, ids: list[int], flash: bool) -> dict[str, Any]:
        context = self.fresh(flash)
        wall, cpu = time.perf_counter(), time.process_time()
        chosen = self.step(context, ids)
        return {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu, "ids": [chosen]}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # llama.cpp may print on standard output; the answers have theirs to themselves
    peer: Peer | None = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request.pop("op")
        if op == "open":
            peer = Peer(**request)
            answer: dict[str, Any] = {
                "threads": peer.threads,
                "system": llama.llama_print_system_info().decode().strip(),
            }
        elif peer is None:
            raise ValueError("open a model first")
        else:
            answer = {"decode": peer.decode, "prompt": peer.prompt}[op](**request)
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
