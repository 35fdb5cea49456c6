"""What a caller may ask of the sampler, checked.

Knows each field's valid range and says so when a value lies outside. Knows nothing of how a token is drawn; docs/sampling.md does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from operator import index
from typing import Any

from tokenloom.errors import RequestError
from tokenloom.kernels.sampling_buffer import MAX_BIASES, MAX_LOGPROBS

_LEAST, _MOST = 1e-30, 1e30  # keep 1/temp, logit + bias and logit · penalty within float32


def _invalid(name: str, value: Any, valid: str) -> RequestError:
    return RequestError(f"{name}={value!r} is not valid; give {valid}")


def _check_number(name: str, value: Any, low: float, high: float, valid: str, *, or_zero: bool = False) -> None:
    """Refuses what is no real number, a NaN, or outside [low, high]; zero passes where `or_zero`."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _invalid(name, value, valid)
    if not (low <= float(value) <= high or (or_zero and float(value) == 0.0)):
        raise _invalid(name, value, valid)


def whole_number(name: str, value: Any, low: int, high: int | None, valid: str) -> int:
    """`value` as an int (NumPy's integers are fine, bools are not). Raises RequestError outside [low, high], saying what is `valid`."""
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = low - 1
    if isinstance(value, bool) or number < low or (high is not None and number > high):
        raise _invalid(name, value, valid)
    return number


@dataclass(frozen=True)
class SamplingSettings:
    """One generation's settings; the defaults are greedy. Raises RequestError, naming the field, its value and what is valid."""

    temp: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repeat_penalty: float = 1.0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    repeat_last_n: int = 64
    seed: int = 0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    logprobs: int | None = None

    def __post_init__(self) -> None:
        _check_number("temp", self.temp, _LEAST, _MOST, "0 (greedy) or a number from 1e-30 to 1e30", or_zero=True)
        self._whole("top_k", 0, 2**31 - 1, "a whole number from 1, or 0 for no limit")
        _check_number("top_p", self.top_p, 1e-30, 1.0, "a number above 0 up to 1 (1: off)")
        _check_number("min_p", self.min_p, 0.0, 1.0, "a number from 0 (off) to 1")
        _check_number("repeat_penalty", self.repeat_penalty, _LEAST, _MOST, "a number above 0 (1: off)")
        for name in ("presence_penalty", "frequency_penalty"):
            _check_number(name, getattr(self, name), -1e6, 1e6, "a number from -1e6 to 1e6 (0: off)")
        self._whole("repeat_last_n", -1, 2**31 - 1, "a whole number from 0 (off), or -1 for the whole context")
        self._whole("seed", 0, 2**64 - 1, "a whole number from 0 to 2**64 - 1")
        self._check_biases()
        if self.logprobs is not None:
            self._whole("logprobs", 0, MAX_LOGPROBS, f"None or a whole number from 0 to {MAX_LOGPROBS}")

    def _whole(self, name: str, low: int, high: int, valid: str) -> None:
        """Checks a field and keeps it as an int, whatever integer it was: NumPy's would overflow further on."""
        object.__setattr__(self, name, whole_number(name, getattr(self, name), low, high, valid))

    def _check_biases(self) -> None:
        biases: Any = self.logit_bias
        if not isinstance(biases, Mapping):
            raise _invalid("logit_bias", biases, "a mapping of token ids to numbers")
        if len(biases) > MAX_BIASES:
            raise RequestError(f"logit_bias has {len(biases)} entries; give at most {MAX_BIASES}")
        ids = [whole_number("logit_bias id", t, 0, 2**31 - 1, "a token id, a whole number from 0") for t in biases]
        for token, bias in biases.items():
            if not (isinstance(bias, Real) and float(bias) == -math.inf):
                valid = "a number from -1e30 to 1e30, or -inf to forbid the token"
                _check_number(f"logit_bias[{token}]", bias, -_MOST, _MOST, valid)
        object.__setattr__(self, "logit_bias", dict(zip(ids, map(float, biases.values()), strict=True)))

    def check_vocab(self, vocab: int) -> None:
        """Every biased id must be one of the model's."""
        for token in self.logit_bias:
            if token >= vocab:
                raise _invalid("logit_bias id", token, f"an id below {vocab}, the size of the vocabulary")
