"""A stand-in for the llama_cpp module, as far as quality_llama_cpp.py calls it: logits that tell which token stood at which place after which sum.

Knows the names and shapes of llama.cpp's C calls. Computes nothing that a model would.
"""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace

__version__ = "0.0 (fake)"
VOCAB = 300
llama_token = ctypes.c_int32


def llama_backend_init():
    print("noise on standard output, as llama.cpp makes", flush=True)
    print("noise on standard error " * 10_000, file=sys.stderr, flush=True)


def llama_model_default_params():
    return None


def llama_model_load_from_file(path, params):
    return None if b"missing" in path else SimpleNamespace(path=path)


def llama_model_get_vocab(model):
    return model


def llama_vocab_n_tokens(vocab):
    return VOCAB


def llama_context_default_params():
    return SimpleNamespace()


def llama_init_from_model(model, params):
    assert params.n_threads == params.n_threads_batch
    return SimpleNamespace(params=params, memory=[])


def llama_get_memory(context):
    return context.memory


def llama_memory_clear(memory, data):
    memory.clear()


def llama_tokenize(vocab, raw, size, ids, room, add_special, parse_special):
    found = [1] * add_special + list(raw)
    ids[: len(found)] = found
    return len(found)


def llama_batch_init(tokens, embd, sequences):
    sequence_ids = [[None] for _ in range(tokens)]
    fields = {name: [None] * tokens for name in ("token", "pos", "n_seq_id", "logits")}
    return SimpleNamespace(n_tokens=0, seq_id=sequence_ids, **fields)


def llama_batch_free(batch):
    batch.n_tokens = -1


def llama_decode(context, batch):
    if batch.token[0] == 299:
        return 7
    rows = []
    for i in range(batch.n_tokens):
        assert batch.pos[i] == len(context.memory)
        context.memory.append(batch.token[i])
        if batch.logits[i]:
            rows.append([float(batch.token[i]), float(sum(context.memory)), *[0.0] * (VOCAB - 2)])
    flat = [value for row in rows for value in row]
    context.logits = (ctypes.c_float * len(flat))(*flat)
    return 0


def llama_get_logits(context):
    return context.logits


def llama_print_system_info():
    return b"FAKE = 1"
