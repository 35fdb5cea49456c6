"""What a streaming server's users wait for: time to first token, time between tokens, and how many requests a second are served well enough.

Knows replies and what is made of them. Knows nothing of HTTP.

Time to first token (TTFT) is from the request's first byte sent to its first piece of text received. Gaps are between two pieces that follow each
other; servers send one token a piece, or several, and the row says how many. Time per output token (TPOT) is a request's time after its first piece
over its tokens after the first. Goodput is requests finished per second that kept both limits asked for (Zhong et al. 2024, DistServe).
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tokenloom.bench.artefact import judged
from tokenloom.bench.pairing import bootstrap_median, quartiles

LEAST = 6  # finished requests of a row
# of a prompt: more than this found in a cache is no longer the chat template alone
CACHED_SHARE, CACHED_TOKENS = 0.1, 48


@dataclass
class Reply:
    """One request. Seconds; `pieces` are the moments at which text came, counted from the request. `error`: why it did not finish."""

    pieces: list[float] = field(default_factory=list)
    seconds: float = 0.0
    tokens: int | None = None  # as the server counts them
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    error: str | None = None

    @property
    def ttft(self) -> float:
        return self.pieces[0]

    @property
    def gaps(self) -> list[float]:
        return [b - a for a, b in zip(self.pieces, self.pieces[1:], strict=False)]

    @property
    def count(self) -> int:
        """Tokens generated; pieces where the server does not say."""
        return self.tokens if self.tokens is not None else len(self.pieces)

    @property
    def tpot(self) -> float:
        """Seconds per token after the first; 0 for a single one."""
        return (self.pieces[-1] - self.pieces[0]) / (self.count - 1) if self.count > 1 else 0.0


@dataclass(frozen=True)
class Limits:
    """What a request must keep to count as served well, in seconds; None: anything will do."""

    ttft: float | None = None
    tpot: float | None = None

    def kept(self, reply: Reply) -> bool:
        return (self.ttft is None or reply.ttft <= self.ttft) and (self.tpot is None or reply.tpot <= self.tpot)


def percentiles(values: Sequence[float], wanted: Sequence[int]) -> list[float]:
    """By linear interpolation between the values in order; of one value, that value."""
    if len(values) == 1:
        return [values[0]] * len(wanted)
    cuts = statistics.quantiles(values, n=100, method="inclusive")
    return [cuts[p - 1] for p in wanted]


def reason(replies: Sequence[Reply]) -> str | None:
    """Why these replies say nothing, or None when they may be believed."""
    finished = [reply for reply in replies if not reply.error]
    if len(finished) < LEAST:
        wrong = next((reply.error for reply in replies if reply.error), None)
        return f"{len(finished)} requests finished; {LEAST} are needed" + (f" ({wrong})" if wrong else "")
    if failed := len(replies) - len(finished):
        return f"{failed} of {len(replies)} requests failed: {next(reply.error for reply in replies if reply.error)}"
    for reply in finished:
        allowed = max(CACHED_TOKENS, CACHED_SHARE * (reply.prompt_tokens or 0))
        if reply.cached_tokens is not None and reply.cached_tokens > allowed:
            return f"prefix-cache hit: {reply.cached_tokens} of a new prompt's {reply.prompt_tokens} tokens were found in a cache"
    return None


def row(name: str, replies: Sequence[Reply], clients: int, seconds: float, limits: Limits) -> dict[str, Any]:
    """A row of the artefact: one server's replies within `seconds` of a closed loop of `clients`."""
    finished = [reply for reply in replies if not reply.error]
    why = reason(replies)
    found: dict[str, Any] = {
        "row": f"{name}, {clients} client{'s' * (clients > 1)}", "url": name, "clients": clients, **judged(why),
        "requests": len(replies), "finished": len(finished), "seconds": seconds,
    }  # fmt: skip
    if not finished:
        return {**found, "ttft": None, "gaps": None}
    times = [reply.ttft for reply in finished]
    gaps = [gap for reply in finished for gap in reply.gaps]
    tokens, pieces = sum(reply.count for reply in finished), sum(len(reply.pieces) for reply in finished)
    low, high = bootstrap_median(times)
    lower, median, upper = quartiles(times)
    return {
        **found,
        "ttft": dict(zip(("p50", "p90", "p99"), percentiles(times, (50, 90, 99)), strict=True))
        | {"ci_low": low, "ci_high": high, "spread": (upper - lower) / median, "max": max(times)},
        "gaps": dict(zip(("p50", "p90", "p99"), percentiles(gaps, (50, 90, 99)), strict=True)) | {"n": len(gaps)}
        if gaps
        else None,
        "tpot_p50": statistics.median(reply.tpot for reply in finished),
        "requests_per_s": len(finished) / seconds,
        "tokens_per_s": tokens / seconds,
        "goodput": sum(limits.kept(reply) for reply in finished) / seconds,
        "limits": {"ttft": limits.ttft, "tpot": limits.tpot},
        "tokens": tokens,
        "tokens_per_piece": tokens / pieces,
        "prompt_tokens": statistics.median(reply.prompt_tokens or 0 for reply in finished) or None,
        "most_cached": max(
            (reply.cached_tokens for reply in finished if reply.cached_tokens is not None), default=None
        ),
    }
