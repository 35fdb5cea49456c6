"""`tokenloom.load`: a path becomes an open model.

Knows the order of opening: file, family, tokenizer, weights, engine; and what each is told. Knows nothing of generating.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tokenloom.errors import FormatError, RequestError
from tokenloom.formats.describe import describe
from tokenloom.formats.model_file import ModelFile, open_model
from tokenloom.jit.cpu import MAX_THREADS, choose, default_threads, fast
from tokenloom.kernels.kv_page import STORED
from tokenloom.models.registry import describe_model
from tokenloom.runtime.cache_size import cache_size
from tokenloom.runtime.default_model import DEFAULT_SYSTEM, model_path
from tokenloom.runtime.engine import Engine
from tokenloom.runtime.model import Model
from tokenloom.runtime.sampler import whole_number
from tokenloom.text.template import ChatTemplate
from tokenloom.text.tokenizer import Tokenizer
from tokenloom.weights.cache import open_cache
from tokenloom.weights.loader import refs_of
from tokenloom.weights.source import load_weights, place_weights

Progress = Callable[[str, float], None]

_PATIENCE = 1.0  # seconds an opening may take before it is worth a bar


def load(
    path: str | os.PathLike[str] | None = None, *, threads: int | None = None, ctx: int | None = None, kv_dtype: str = "f16", tier: str | None = None,
    progress: Progress | None = None, cache: bool = True, kv_budget: int | str | None = None, arithmetic: str = "exact",
) -> Model:  # fmt: skip
    """Opens a GGUF file or a packed container (None: the default model of the `demo` extra).

    threads: participants, None for the physical cores within affinity and quota. ctx: slots, None for the model's own context,
    or less where a quarter of free memory would not hold its cache (said on stderr). kv_dtype: "f16", "f32", or "q8", which rounds to 8 bits
    and takes little more than half of f16's memory. tier: an instruction-set level, None for the best. kv_budget: bytes of the KV cache, a
    number or a text such as "2G" (None: a quarter of free memory); where it is used up, what is kept only for later goes first, the least
    recently used before others, and then OutOfBudgetError is raised.
    arithmetic: "exact", the same bits everywhere, or "fast": prompts of float weights in bfloat16, which needs AMX-BF16, and no promise
    of bits. progress: called with (stage, fraction) when opening takes long. cache: whether the packed form of a GGUF file may be taken from the
    user's cache directory, and written there once the model is idle or closed.

    Raises FormatError, UnsupportedError, TierError, RequestError.
    """
    begun = time.perf_counter()
    if arithmetic not in ("exact", "fast"):
        raise RequestError(f"arithmetic={arithmetic!r} is not valid; give 'exact' or 'fast'")
    chosen = choose(tier) if arithmetic == "exact" else fast(choose(tier))
    count = _threads(threads)
    if kv_dtype not in tuple(STORED):
        raise RequestError(f"kv_dtype={kv_dtype!r} is not valid; give {' or '.join(map(repr, STORED))}")
    report = _patient(progress, begun)
    kept = open_cache() if cache else None
    with open_model(model_path(path)) as file:
        model = describe_model(str(file.path), file.metadata, refs_of(file))
        config = model.config
        slots, pages = cache_size(ctx, kv_budget, config, kv_dtype)
        weights = place_weights(file, model.weights)
        # reading and repacking leave the GIL free most of the time, so the tokenizer and the tapes are built meanwhile
        with ThreadPoolExecutor(1, "tokenloom-load") as background:
            stop = threading.Event()
            reading = background.submit(load_weights, file, model.weights, report, stop, weights, kept)
            try:
                tokenizer, template = _text_side(file, config)
                about = describe(file)
                if model.names.rope_factors is not None:
                    reading.result()  # the table of frequencies is made of a tensor
                engine = Engine(
                    model.family, config, model.names, weights, tier=chosen, threads=count, ctx=slots, kv_dtype=kv_dtype,
                    pages=pages, progress=report,
                )  # fmt: skip
                unkept = reading.result()
            finally:
                stop.set()  # an error or Ctrl-C here does not wait for the rest of the file
    if unkept is not None:
        engine.keep(unkept)
    system = DEFAULT_SYSTEM if path is None else None
    return Model(
        model_path(path), engine, tokenizer, template, about, default_system=system, load_s=time.perf_counter() - begun
    )


def _text_side(file: ModelFile, config: Any) -> tuple[Tokenizer, ChatTemplate | None]:
    tokenizer = Tokenizer.from_gguf(file.metadata)
    if tokenizer.vocab_size != config.vocab_size:
        raise FormatError(
            f"{file.path}: the tokenizer has {tokenizer.vocab_size} tokens, the embedding {config.vocab_size} rows"
        )
    template = ChatTemplate.from_gguf(
        file.metadata,
        bos_token=_spelled(tokenizer, tokenizer.bos_id),
        eos_token=_spelled(tokenizer, tokenizer.eos_id),
    )
    return tokenizer, template


def _spelled(tokenizer: Tokenizer, token: int | None) -> str:
    return tokenizer.token_text(token) if token is not None else ""


def _threads(threads: int | None) -> int:
    if threads is None:
        return default_threads()
    return whole_number("threads", threads, 1, MAX_THREADS, f"a number from 1 to {MAX_THREADS}")


def _patient(progress: Progress | None, begun: float) -> Progress | None:
    """Reports only once opening has taken a while: a warm start shows nothing."""
    if progress is None:
        return None
    return lambda stage, fraction: progress(stage, fraction) if time.perf_counter() - begun > _PATIENCE else None
