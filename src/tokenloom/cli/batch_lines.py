"""The lines of a batch: what one may ask, and what makes two of them the same question.

Knows JSON and the names of fields. Knows no models and no files.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tokenloom.errors import RequestError

SETTINGS = (
    "max_tokens", "temp", "top_k", "top_p", "min_p", "repeat_penalty", "presence_penalty", "frequency_penalty", "repeat_last_n", "seed",
    "stop", "ignore_eos", "raw", "system",
)  # fmt: skip
FIELDS = ("prompt", "messages", "id", "n", *SETTINGS)
MOST_SAMPLES = 10_000


@dataclass(frozen=True)
class Question:
    """One sample of one line. `key` is the same for the same question to the same model, whatever line it is on."""

    line: int  # from 1
    sample: int
    id: Any
    key: str


def parse(line: bytes) -> dict[str, Any]:
    """A line's fields. Raises RequestError."""
    try:
        fields = json.loads(line.decode("utf-8"))
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RequestError("half of a surrogate pair is no text") from None
    except UnicodeDecodeError as problem:
        raise RequestError(f"not UTF-8: byte {problem.start} is {line[problem.start]:#04x}") from None
    except (ValueError, RecursionError) as problem:
        raise RequestError(f"not JSON: {problem}") from None
    if not isinstance(fields, dict):
        raise RequestError('not an object; give {"prompt": "…"} or {"messages": […]}')
    if unknown := [name for name in fields if name not in FIELDS]:
        raise RequestError(f"{unknown[0]!r} is not a field; fields are {', '.join(FIELDS)}")
    if ("prompt" in fields) == ("messages" in fields):
        raise RequestError("give prompt or messages, one of the two")
    for name, kind, what in (("prompt", str, "a text"), ("messages", list, "a list"), ("raw", bool, "true or false"),
                             ("ignore_eos", bool, "true or false")):  # fmt: skip
        if name in fields and type(fields[name]) is not kind:
            raise RequestError(f"{name} is {json.dumps(fields[name])[:40]}; give {what}")
    if not (type(n := fields.get("n", 1)) is int and 1 <= n <= MOST_SAMPLES):
        raise RequestError(f"n={n!r} is not valid; give a number of samples from 1 to {MOST_SAMPLES}")
    if type(fields.get("seed", 0)) is not int:
        raise RequestError(f"seed={fields['seed']!r} is not valid; give a whole number")
    return fields


def asked(fields: Mapping[str, Any], flags: Mapping[str, Any], sample: int) -> dict[str, Any]:
    """What the model is asked: the flags, the line's own settings before them, and the sample's own seed."""
    ask = {**flags, **{name: value for name, value in fields.items() if name not in ("id", "n")}}
    if 0 <= ask["seed"] < 2**64:  # else the model says what is wrong with it
        ask["seed"] = (ask["seed"] + sample) % 2**64
    if "messages" in ask and "raw" not in fields:
        ask["raw"] = False
    return ask


def questions(number: int, fields: Mapping[str, Any], flags: Mapping[str, Any], model: str) -> Iterator[Question]:
    """A line's samples. `model` is the fingerprint of who answers."""
    for sample in range(fields.get("n", flags["n"])):
        ask = asked(fields, {name: value for name, value in flags.items() if name != "n"}, sample)
        whole = json.dumps([model, ask], ensure_ascii=False, sort_keys=True).encode()
        yield Question(number, sample, fields.get("id"), hashlib.sha256(whole).hexdigest()[:32])
