"""The flags that several commands share, with their valid values.

Knows what a flag may hold and says so when it holds something else. Knows nothing of what the values do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Literal

import typer

KVDtype = Literal["f16", "f32"]


def between(low: float, high: float, *, above_low: bool = False) -> Callable[[float | None], float | None]:
    """A check: the number is finite, in [low, high], or in (low, high] with `above_low`; None, not given, passes."""
    lower = f" {'above' if above_low else 'from'} {low}" if math.isfinite(low) else ""
    upper = f" up to {high}" if math.isfinite(high) else ""

    def check(value: float | None) -> float | None:
        if value is None:
            return None
        inside = low < value <= high if above_low else low <= value <= high
        if not (math.isfinite(value) and inside):
            kind = "whole" if isinstance(value, int) else "finite"
            raise typer.BadParameter(f"{value} is not valid; give a {kind} number{lower}{upper}")
        return value

    return check


def known_tier(name: str | None) -> str | None:
    from tokenloom.jit.cpu import TIERS

    if name is not None and name not in TIERS:
        raise typer.BadParameter(f"unknown tier {name!r}; tiers are {', '.join(TIERS)}")
    return name


ModelFile = Annotated[
    str | None, typer.Option("-m", "--model", metavar="FILE", help="GGUF file; the default model if left out.")
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--max-tokens",
        callback=between(0, math.inf),
        help="Stop after so many tokens (else when the model stops).",
    ),
]
Temp = Annotated[float, typer.Option("--temp", callback=between(0, math.inf), help="Temperature; 0 is greedy.")]
TopK = Annotated[
    int, typer.Option("--top-k", callback=between(0, math.inf), help="Draw from the k likeliest tokens; 0: from all.")
]
TopP = Annotated[
    float,
    typer.Option(
        "--top-p", callback=between(0, 1, above_low=True), help="Draw from the likeliest tokens up to this mass."
    ),
]
MinP = Annotated[
    float,
    typer.Option(
        "--min-p", callback=between(0, 1), help="Drop tokens below this share of the likeliest one's probability."
    ),
]
RepeatPenalty = Annotated[
    float, typer.Option("--repeat-penalty", callback=between(0, math.inf, above_low=True), help="1 is none.")
]
PresencePenalty = Annotated[
    float, typer.Option("--presence-penalty", callback=between(-math.inf, math.inf), help="0 is none.")
]
FrequencyPenalty = Annotated[
    float, typer.Option("--frequency-penalty", callback=between(-math.inf, math.inf), help="0 is none.")
]
Seed = Annotated[int, typer.Option("-s", "--seed", callback=between(0, 2**64 - 1), help="Seed of the draws.")]
Ctx = Annotated[
    int | None,
    typer.Option(
        "-c",
        "--ctx",
        callback=between(1, math.inf),
        help="Context length in tokens (else the model's own, if memory allows).",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "-t", "--threads", callback=between(1, 256), help="Threads (else the physical cores this process may use)."
    ),
]
TierName = Annotated[
    str | None,
    typer.Option("--tier", callback=known_tier, metavar="TIER", help="Instruction-set level (else the best)."),
]
KVDtypeName = Annotated[KVDtype, typer.Option("--kv-dtype", help="Type of the KV cache's values.")]
System = Annotated[str | None, typer.Option("--system", metavar="TEXT", help="System message.")]
Stop = Annotated[
    list[str] | None, typer.Option("--stop", metavar="TEXT", help="End the answer before this text; may be repeated.")
]
IgnoreEos = Annotated[bool, typer.Option("--ignore-eos", help="Go on past the model's end of text.")]
ModelPosition = Annotated[
    str | None, typer.Argument(metavar="[MODEL]", help="GGUF file; the default model if left out.", show_default=False)
]


def one_model(position: str | None, flag: str | None) -> str | None:
    """The model given either way; both at once is a mistake."""
    if position is not None and flag is not None:
        raise typer.BadParameter(f"{flag!r} and {position!r} are both models; leave one out", param_hint="-m")
    return position if position is not None else flag
