"""llama.cpp's next-token probabilities at every position of given ids, from the prebuilt `xllamacpp` wheel.

Knows: the wheel's in-process server; each prefix is one request that predicts one token and reuses the cache of the
prefix before it, so a position costs one decode step (flash attention off, f16 cache). Does not know: tokenloom.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

xllamacpp = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: agreement with llama.cpp is unproved")

Top = list[tuple[int, float]]  # (id, log probability), likeliest first


def _server(path: Path) -> xllamacpp.Server:
    """One thread: its threads spin, which is slow where cores are shared, and a step of one row gains little from more."""
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = 512
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.warmup = params.fit_params = False
    params.cache_ram_mib = params.verbosity = 0
    return xllamacpp.Server(params)


def teacher_forced(path: Path, prompts: Sequence[Sequence[int]], top: int = 10) -> list[list[Top]]:
    """For every prompt and position, llama.cpp's `top` likeliest next ids after the true ids so far."""
    server = _server(path)
    return [[_next(server, list(ids[: n + 1]), top) for n in range(len(ids))] for ids in prompts]


def continued(
    path: Path, starts: Sequence[Sequence[int]], count: int, top: int = 10
) -> list[tuple[list[int], list[Top]]]:
    """llama.cpp's own greedy continuations: the ids that lead to each of `count` choices after a start, and the choices."""
    server, out = _server(path), []
    for start in starts:
        ids, choices = list(start), []
        for _ in range(count):
            choices.append(_next(server, ids, top))
            ids.append(choices[-1][0][0])
        out.append((ids[:-1], choices))
    return out


PLAIN = (
    29  # any id whose text is whole UTF-8 and ends nothing: the server reports no probabilities beside half a character
)


def _next(server: xllamacpp.Server, prefix: list[int], top: int, forced: int | None = PLAIN) -> Top:
    """Which token is drawn does not matter: the probabilities reported are those before any bias or sampling."""
    request = {"prompt": prefix, "n_predict": 1, "n_probs": top, "temperature": 0, "cache_prompt": True}
    if forced is not None:
        request["logit_bias"] = [[forced, 1000.0]]
    answer = server.handle_completions(request)
    assert answer["usage"]["prompt_tokens"] == len(prefix), "llama.cpp did not take the ids as they are"
    ranked = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    return [(entry["id"], entry["logprob"]) for entry in ranked]
