"""How much context and how many KV pages a model gets.

Knows the model's own context, what the caller asks for, and what memory there is. Knows nothing of pages' contents.
"""

from __future__ import annotations

import sys
from typing import Any

from tokenloom.errors import OutOfBudgetError, RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS, STORED, KVShape
from tokenloom.runtime.sampler import whole_number
from tokenloom.sizes import in_bytes, readable
from tokenloom.weights.memory import free_memory

_CONTEXTS = 64  # whole contexts that the pool holds at most, unless a budget says otherwise


def cache_size(ctx: int | None, kv_budget: int | str | None, config: Any, kv_dtype: str) -> tuple[int, int]:
    """Slots of a sequence and pages of the pool.

    Without a budget a quarter of free memory is the cache's share, and a `ctx` that needs more gets it. With one, the pool is exactly what fits it.
    Raises RequestError, OutOfBudgetError for a budget that memory does not hold, or that does not hold one page or one context of `ctx` tokens.
    """
    longest = config.max_position_embeddings
    shape = KVShape(config.num_key_value_heads, config.head_dim, STORED[kv_dtype])
    page = config.num_hidden_layers * shape.page_bytes
    given = in_bytes("kv_budget", kv_budget) if kv_budget is not None else None
    free = free_memory()
    if given is not None and given > free:
        raise OutOfBudgetError(f"kv_budget={kv_budget!r} is more than the {readable(free)} of memory that is free")
    pages = free // 4 // page if given is None else given // page
    if given is not None and pages == 0:
        raise OutOfBudgetError(
            f"kv_budget={kv_budget!r} holds no page of {PAGE_SLOTS} tokens; give {readable(page)} or more"
        )
    pages = max(1, pages)
    if ctx is None:
        slots = min(longest, pages * PAGE_SLOTS)
        if slots < longest:
            limit = (
                "a quarter of free memory holds no more; ctx= overrides"
                if given is None
                else f"kv_budget={kv_budget!r} holds no more"
            )
            sys.stderr.write(f"tokenloom: context limited to {slots} of {longest} tokens: {limit}\n")
    else:
        slots = whole_number("ctx", ctx, 1, None, f"a number of tokens from 1 to {longest}")
        if slots > longest:
            raise RequestError(f"ctx={slots} is more than the model's own context of {longest}")
    needed = -(-slots // PAGE_SLOTS)
    if given is None:
        return slots, max(needed, min(pages, _CONTEXTS * needed))
    if needed > pages:
        raise OutOfBudgetError(
            f"kv_budget={kv_budget!r} holds {pages * PAGE_SLOTS} tokens, fewer than ctx={slots}; "
            f"give {readable(needed * page)} or more, or a smaller ctx"
        )
    return slots, pages
