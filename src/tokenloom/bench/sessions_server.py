"""llama.cpp's HTTP server, from the xllamacpp wheel, as a process: it says where it listens, and ends when standard input does.

    PYTHON sessions_server.py '{"model": path, "threads": n, "slots": n, "ctx": tokens of a slot, "flash": bool}'
    -> {"url": "http://127.0.0.1:...", "version": ..., "build": ...}

Run by path, by the Python that has the wheel. Knows the server's parameters. Knows nothing of requests or of tokenloom.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from importlib.metadata import version
from typing import Any


def serve(model: str, threads: int, slots: int, ctx: int, flash: bool) -> dict[str, Any]:
    llama: Any = importlib.import_module("xllamacpp")
    kinds = llama.llama_flash_attn_type
    p = llama.CommonParams()
    p.model.path, p.port = model, 0
    p.n_parallel, p.n_ctx = slots, slots * ctx
    p.cpuparams.n_threads = p.cpuparams_batch.n_threads = threads
    p.flash_attn_type = kinds.LLAMA_FLASH_ATTN_TYPE_ENABLED if flash else kinds.LLAMA_FLASH_ATTN_TYPE_DISABLED
    p.cont_batching, p.warmup, p.fit_params, p.verbosity = True, True, False, 0
    server = llama.Server(p)
    about = {"version": f"xllamacpp {version('xllamacpp')}", "build": llama.get_system_info().strip()}
    return {"url": server.listening_address, **about, "server": server}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # llama.cpp may print on standard output; the answer has it to itself
    about = serve(**json.loads(sys.argv[1]))
    server = about.pop("server")  # held until the end
    answers.write(json.dumps(about) + "\n")
    sys.stdin.read()
    del server, answers
    os._exit(0)  # its threads are not waited for


if __name__ == "__main__":
    main()
