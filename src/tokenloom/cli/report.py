"""What a command says about a generation when it is over. Knows timings; knows no models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tokenloom.errors import TokenloomError

if TYPE_CHECKING:
    from tokenloom.runtime.generation import Generation


def rate(tokens: int, timed: int, seconds: float) -> str:
    """How many tokens, and the speed of those that were timed."""
    speed = f", {timed / seconds:.1f} tokens/s" if timed and seconds > 0 else ""
    return f"{tokens} token{'' if tokens == 1 else 's'} in {seconds:.2f} s{speed}"


def ending(generation: Generation, ctx: int) -> str:
    """Why it ended; a length that was the context's, not the caller's, is said to be."""
    total = generation.cached_tokens + generation.timings.prompt_tokens + len(generation.tokens)
    full = " (context full)" if generation.finish_reason == "length" and total >= ctx else ""
    return f"{generation.finish_reason or 'interrupted'}{full}"


def summary(generation: Generation, ctx: int, *, load: bool = True) -> str:
    """One line: prompt, generated, load time, why it ended. Tokens found in the cache do not count as computed.

    The first token comes with the prompt, so the rate of the others is that of one fewer.
    """
    t = generation.timings
    cached = f" ({generation.cached_tokens} more from cache)" if generation.cached_tokens else ""
    parts = [
        f"prompt {rate(t.prompt_tokens, t.prompt_tokens, t.prompt_s)}{cached}",
        f"generated {rate(len(generation.tokens), t.decode_tokens, t.decode_s)}",
        *_guesses(generation),
        *([f"load {t.load_s:.2f} s"] if load else []),
        f"finish {ending(generation, ctx)}",
    ]
    return " | ".join(parts)


def _guesses(generation: Generation) -> list[str]:
    drafts = generation.drafts
    if drafts is None:
        return []
    ended = f", ended by: {drafts.stopped}" if drafts.stopped else ""
    return [f"{drafts.accepted} of {drafts.drafted} guesses right{ended}"]


@contextmanager
def told(generation: Generation, ctx: int, *, text: bool = True, load: bool = True) -> Iterator[None]:
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
            sys.stderr.write(summary(generation, ctx, load=load) + "\n")


def as_dict(generation: Generation) -> dict[str, Any]:
    t, drafts = generation.timings, generation.drafts
    return {
        "text": generation.text,
        "tokens": [int(token) for token in generation.tokens],
        "finish_reason": generation.finish_reason,
        "cached_tokens": generation.cached_tokens,
        **({} if drafts is None else {"drafts": {"drafted": drafts.drafted, "accepted": drafts.accepted}}),
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
