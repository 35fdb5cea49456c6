"""What a command says about a generation when it is over. Knows timings; knows no models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tokenloom.errors import TokenloomError

if TYPE_CHECKING:
    from tokenloom.runtime.generation import Generation


def rate(tokens: int, seconds: float) -> str:
    speed = f", {tokens / seconds:.1f} tokens/s" if tokens and seconds > 0 else ""
    return f"{tokens} tokens in {seconds:.2f} s{speed}"


def summary(generation: Generation, *, load: bool = True) -> str:
    """One line: prompt, generated, load time, why it ended. Tokens found in the cache do not count as computed."""
    t = generation.timings
    cached = f" ({generation.cached_tokens} more from cache)" if generation.cached_tokens else ""
    parts = [
        f"prompt {rate(t.prompt_tokens, t.prompt_s)}{cached}",
        f"generated {rate(t.decode_tokens, t.decode_s)}",
        *([f"load {t.load_s:.2f} s"] if load else []),
        f"finish {generation.finish_reason or 'interrupted'}",
    ]
    return " | ".join(parts)


@contextmanager
def told(generation: Generation, *, text: bool = True, load: bool = True) -> Iterator[None]:
    """Ends the line of streamed text and sums the generation up, interrupted or not; after an error the error speaks alone."""
    failed = False
    try:
        yield
    except TokenloomError:
        failed = True
        raise
    finally:
        if text and generation.tokens:
            sys.stdout.write("\n")
            sys.stdout.flush()
        if not failed:
            sys.stderr.write(summary(generation, load=load) + "\n")


def as_dict(generation: Generation) -> dict[str, Any]:
    t = generation.timings
    return {
        "text": generation.text,
        "tokens": [int(token) for token in generation.tokens],
        "finish_reason": generation.finish_reason,
        "cached_tokens": generation.cached_tokens,
        "timings": {
            "load_s": t.load_s,
            "prompt_tokens": t.prompt_tokens,
            "prompt_s": t.prompt_s,
            "prompt_tokens_per_s": t.prompt_tps,
            "decode_tokens": t.decode_tokens,
            "decode_s": t.decode_s,
            "decode_tokens_per_s": t.decode_tps,
        },
    }
