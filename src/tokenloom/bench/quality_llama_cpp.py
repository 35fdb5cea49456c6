"""llama.cpp's logits, for `tokenloom bench quality`: run by a Python that has `llama-cpp-python`, not by tokenloom's.

    PYTHON quality_llama_cpp.py MODEL THREADS CTX       first answers {"vocab_size": n, "version": ..., "system": ...}
    {"op": "tokenize", "text": ..., "add_bos": bool}    answers {"ids": [...]}
    {"op": "logits", "ids": [...], "first": n}          answers {"places": n}, then n · vocab_size float32: the logits of places first to len − 2

A JSON request a line on standard input, answers on standard output. Knows llama.cpp's C calls. Knows nothing of tokenloom, which need not be
installed there.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
from typing import Any

llama: Any = None


class Peer:
    """One model, one context: f16 cache, flash attention off, the whole window one batch as in llama-perplexity."""

    def __init__(self, model: str, threads: int, ctx: int) -> None:
        llama.llama_backend_init()
        self.model = llama.llama_model_load_from_file(model.encode(), llama.llama_model_default_params())
        if not self.model:
            raise SystemExit(f"llama.cpp cannot load {model}")
        self.vocab = llama.llama_model_get_vocab(self.model)
        self.vocab_size = llama.llama_vocab_n_tokens(self.vocab)
        p = llama.llama_context_default_params()
        p.n_ctx = p.n_batch = max(ctx, 32)
        p.n_ubatch, p.n_seq_max = 512, 1
        p.n_threads = p.n_threads_batch = threads
        p.flash_attn_type = 0  # LLAMA_FLASH_ATTN_TYPE_DISABLED
        p.no_perf = True
        self.context = llama.llama_init_from_model(self.model, p)
        if not self.context:
            raise SystemExit("llama.cpp cannot make a context")

    def tokenize(self, text: str, add_bos: bool) -> list[int]:
        raw = text.encode()
        room = len(raw) + 8
        ids = (llama.llama_token * room)()
        count = llama.llama_tokenize(self.vocab, raw, len(raw), ids, room, add_bos, False)
        if count < 0:
            raise SystemExit(f"llama_tokenize gave {count}")
        return list(ids[:count])

    def logits(self, ids: list[int], first: int) -> bytes:
        llama.llama_memory_clear(llama.llama_get_memory(self.context), True)
        batch = llama.llama_batch_init(len(ids), 0, 1)
        try:
            batch.n_tokens = len(ids)
            for i, token in enumerate(ids):
                batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.seq_id[i][0] = token, i, 1, 0
                batch.logits[i] = first <= i < len(ids) - 1
            status = llama.llama_decode(self.context, batch)
            if status != 0:
                raise SystemExit(f"llama_decode gave {status}")
        finally:
            llama.llama_batch_free(batch)
        places = len(ids) - 1 - first
        return ctypes.string_at(llama.llama_get_logits(self.context), 4 * places * self.vocab_size)


def main() -> None:
    global llama
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # llama.cpp may print on standard output; the answers have theirs to themselves
    llama = importlib.import_module("llama_cpp")
    peer = Peer(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

    def say(answer: dict[str, Any], data: bytes = b"") -> None:
        answers.write(json.dumps(answer).encode() + b"\n" + data)
        answers.flush()

    system = llama.llama_print_system_info().decode().strip()
    say({"vocab_size": peer.vocab_size, "version": llama.__version__, "system": system})
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "tokenize":
            say({"ids": peer.tokenize(request["text"], request["add_bos"])})
        else:
            data = peer.logits(request["ids"], request["first"])
            say({"places": len(data) // (4 * peer.vocab_size)}, data)


if __name__ == "__main__":
    main()
