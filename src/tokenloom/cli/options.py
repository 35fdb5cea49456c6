"""The flags that several commands share, with their valid values.

Knows what a flag may hold and says so when it holds something else. Knows nothing of what the values do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

import typer

KV_DTYPES = ("f16", "f32", "q8")
ARITHMETICS = ("exact", "fast")


def _range(low: float, high: float, *, above_low: bool = False) -> str:
    lower = f" {'above' if above_low else 'from'} {low}" if math.isfinite(low) else ""
    upper = f" up to {high}" if math.isfinite(high) else ""
    return lower + upper


def whole(low: int, high: float = math.inf) -> Callable[[str | int], int]:
    """A parser of whole numbers in [low, high]."""

    def parse(word: str | int) -> int:
        try:
            value = int(word)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise typer.BadParameter(f"{word} is not valid; give a whole number{_range(low, high)}")
        return value

    return parse


def real(low: float, high: float, *, above_low: bool = False) -> Callable[[str | float], float]:
    """A parser of finite numbers in [low, high], or in (low, high] with `above_low`."""

    def parse(word: str | float) -> float:
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        inside = low < value <= high if above_low else low <= value <= high
        if not (math.isfinite(value) and inside):
            raise typer.BadParameter(
                f"{word} is not valid; give a finite number{_range(low, high, above_low=above_low)}"
            )
        return value

    return parse


def known_arithmetic(name: str) -> str:
    if name not in ARITHMETICS:
        raise typer.BadParameter(f"{name} is not valid; give {' or '.join(ARITHMETICS)}")
    return name


def known_kv_dtype(name: str) -> str:
    if name not in KV_DTYPES:
        raise typer.BadParameter(f"{name} is not valid; give {' or '.join(KV_DTYPES)}")
    return name


def size(word: str) -> str:
    """A parser of sizes in bytes; the text stays as it is, for messages."""
    from tokenloom.errors import RequestError
    from tokenloom.sizes import VALID, in_bytes

    try:
        in_bytes("size", word)
    except RequestError:
        raise typer.BadParameter(f"{word} is not valid; give {VALID}") from None
    return word


def not_empty_each(texts: list[str] | None) -> list[str] | None:
    if texts and not all(texts):
        raise typer.BadParameter("is empty; give at least one character")
    return texts


def known_tier(name: str | None) -> str | None:
    from tokenloom.jit.cpu import TIERS

    if name is not None and name not in TIERS:
        raise typer.BadParameter(f"unknown tier {name!r}; tiers are {', '.join(TIERS)}")
    return name


ModelFile = Annotated[
    str | None, typer.Option("-m", "--model", metavar="FILE", help="GGUF or .loom file; the default model if left out.")
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--max-tokens",
        metavar="INTEGER",
        parser=whole(0),
        help="Stop after so many tokens (else when the model stops, or the context is full).",
    ),
]
Temp = Annotated[
    float, typer.Option("--temp", metavar="NUMBER", parser=real(0, math.inf), help="Temperature; 0 is greedy.")
]
TopK = Annotated[
    int,
    typer.Option(
        "--top-k", metavar="INTEGER", parser=whole(0, 2**31 - 1), help="Draw from the k likeliest tokens; 0: from all."
    ),
]
TopP = Annotated[
    float,
    typer.Option(
        "--top-p",
        metavar="NUMBER",
        parser=real(0, 1, above_low=True),
        help="Draw from the likeliest tokens up to this mass.",
    ),
]
MinP = Annotated[
    float,
    typer.Option(
        "--min-p",
        metavar="NUMBER",
        parser=real(0, 1),
        help="Drop tokens below this share of the likeliest one's probability.",
    ),
]
RepeatPenalty = Annotated[
    float,
    typer.Option("--repeat-penalty", metavar="NUMBER", parser=real(0, math.inf, above_low=True), help="1 is none."),
]
PresencePenalty = Annotated[
    float, typer.Option("--presence-penalty", metavar="NUMBER", parser=real(-math.inf, math.inf), help="0 is none.")
]
FrequencyPenalty = Annotated[
    float, typer.Option("--frequency-penalty", metavar="NUMBER", parser=real(-math.inf, math.inf), help="0 is none.")
]
Seed = Annotated[
    int, typer.Option("-s", "--seed", metavar="INTEGER", parser=whole(0, 2**64 - 1), help="Seed of the draws.")
]
Ctx = Annotated[
    int | None,
    typer.Option(
        "-c",
        "--ctx",
        metavar="INTEGER",
        parser=whole(1),
        help="Context length in tokens (else the model's own, if memory allows).",
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "-t",
        "--threads",
        metavar="INTEGER",
        parser=whole(1, 256),
        help="Threads (else the physical cores this process may use).",
    ),
]
TierName = Annotated[
    str | None,
    typer.Option("--tier", callback=known_tier, metavar="TIER", help="Instruction-set level (else the best)."),
]
KVDtypeName = Annotated[
    str,
    typer.Option(
        "--kv-dtype", callback=known_kv_dtype, metavar="|".join(KV_DTYPES), help="Type of the KV cache's values."
    ),
]
Arithmetic = Annotated[
    str,
    typer.Option(
        "--arithmetic",
        callback=known_arithmetic,
        metavar="|".join(ARITHMETICS),
        help="exact: the same bits on every machine; fast: prompts of F16, BF16 and F32 weights in bfloat16, with AMX.",
    ),
]
KVBudget = Annotated[
    str | None,
    typer.Option(
        "--kv-budget",
        metavar="SIZE",
        parser=size,
        help="Memory for the KV cache, such as 800M or 2G (else a quarter of what is free).",
    ),
]
Speculate = Annotated[
    str | None,
    typer.Option(
        "--speculate",
        metavar="ngram|FILE",
        help="Guess tokens ahead, from the text itself (ngram) or with a smaller model of the same vocabulary; the text stays the same.",
    ),
]
System = Annotated[str | None, typer.Option("--system", metavar="TEXT", help="System message.")]
Stop = Annotated[
    list[str] | None,
    typer.Option(
        "--stop", callback=not_empty_each, metavar="TEXT", help="End the answer before this text; may be repeated."
    ),
]
IgnoreEos = Annotated[bool, typer.Option("--ignore-eos", help="Go on past the model's end of text.")]
ModelPosition = Annotated[
    str | None,
    typer.Argument(metavar="[MODEL]", help="GGUF or .loom file; the default model if left out.", show_default=False),
]


NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Pack a GGUF file anew, and keep nothing of it for the next start.")
]


def one_model(position: str | None, flag: str | None) -> str | None:
    """The model given either way; both at once is a mistake."""
    if position is not None and flag is not None:
        raise typer.BadParameter(f"{flag!r} and {position!r} are both models; leave one out", param_hint="-m")
    return position if position is not None else flag
