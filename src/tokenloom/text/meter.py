"""What a template may spend: the meter, and what each growing operation costs before it runs.

Knows the sizes of plain values, and how far strings, formats, filters and operators can make them grow. Does not know
jinja2's environment: `sandbox` calls in here from every place where a template does something.

One unit is about a byte. An operation is charged for what it is about to make, so that nothing big is ever allocated,
and the clock is read between charges; no operation takes longer than what it was charged for.
"""

from __future__ import annotations

import re
import time
from collections.abc import ItemsView, Iterable, KeysView, Mapping, ValuesView
from contextvars import ContextVar
from typing import Any

from jinja2.utils import Namespace

from tokenloom.errors import TemplateError

BASE_WORK = 32_000_000  # what a template may make in all, for a small request
WORK_PER_INPUT = 512
MOST_WORK = 256_000_000
STEP = 8  # a list's slot, or any step
CLOCK_EVERY = 2_000  # units between two looks at the clock: some 200 steps
WIDEST = 10_000  # the largest width, precision or count a filter or a format may name
BIGGEST_INT_BITS = 8_192

# These print or compare what they are given, however deep it goes.
_DEEP_FILTERS = frozenset(
    ("dictsort", "e", "escape", "forceescape", "groupby", "max", "min", "sort", "string", "tojson", "unique")
)
_COUNTED = frozenset(("center", "indent", "batch", "slice", "round", "truncate", "tojson"))
_PADDING = frozenset(("center", "ljust", "rjust", "zfill", "expandtabs"))
_REFUSED_METHODS = frozenset(("encode", "translate", "maketrans", "to_bytes", "from_bytes"))
_NUMBER = re.compile(r"\d+")
_STAR_WIDTH = re.compile(r"%[^a-zA-Z%]*\*")
_NESTED_FIELD = re.compile(r"\{[^{}]*:[^{}]*\{")


class Meter:
    """What one rendering may still make and until when it may run (processor time of its own thread)."""

    __slots__ = ("_deadline", "_left", "_since", "seconds")

    def __init__(self, seconds: float, work: int) -> None:
        self.seconds = seconds
        self._deadline = time.thread_time() + seconds
        self._left = work
        self._since = 0

    @classmethod
    def for_input(cls, seconds: float, variables: object) -> Meter:
        """A budget that grows with what is to be rendered."""
        meter = cls(seconds, MOST_WORK)
        return cls(seconds, min(MOST_WORK, BASE_WORK + WORK_PER_INPUT * meter.weigh(variables)))

    def spend(self, units: int) -> None:
        self._left -= units
        if self._left < 0:
            raise TemplateError("it makes more text or data than a chat needs (size budget exceeded)")
        self._since += units + STEP
        if self._since > CLOCK_EVERY:
            self._since = 0
            if time.thread_time() > self._deadline:
                raise TemplateError(f"it ran longer than {self.seconds:g} s (time budget exceeded)")

    def weigh(self, value: object) -> int:
        """Charge for all that printing or comparing `value` would visit, shared parts as often as they are met."""
        total = 0
        pending = [value]
        while pending:
            item = pending.pop()
            units = size(item)
            total += units
            if isinstance(item, (list, tuple, set, frozenset, KeysView, ValuesView, ItemsView)):
                pending.extend(item)
            elif isinstance(item, Mapping):
                pending.extend(item.keys())
                pending.extend(item.values())
            elif isinstance(item, Namespace):
                pending.append(object.__getattribute__(item, "_Namespace__attrs"))
            self.spend(units)
        return total


def size(value: object) -> int:
    """Units of one value, not of what it holds."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, (list, tuple, dict, set, frozenset, range, KeysView, ValuesView, ItemsView)):
        return STEP + STEP * len(value)
    if isinstance(value, int):
        return value.bit_length() // 8
    return STEP


METER: ContextVar[Meter] = ContextVar("tokenloom_template_meter")


def spend(units: int = 0) -> Meter:
    meter = METER.get()
    meter.spend(units)
    return meter


def listed(values: Iterable[Any]) -> list[Any]:
    """A list of what an iterator yields, each item charged."""
    meter = METER.get()
    found = []
    for value in values:
        meter.spend(STEP)
        found.append(value)
    return found


def _bounded(value: object, what: str) -> None:
    if isinstance(value, (int, float)) and abs(value) > WIDEST:
        raise TemplateError(f"{what} is given {value!r}, beyond {WIDEST} (size budget exceeded)")


def _bounded_int(bits: int) -> None:
    if bits > BIGGEST_INT_BITS:
        raise TemplateError(f"an integer of more than {BIGGEST_INT_BITS} bits (size budget exceeded)")


def charge_format(pattern: str, mark: str, arguments: object) -> None:
    """Charge for `%` (mark "%") or str.format (mark "{") before it runs: each field may hold every argument."""
    widths = [int(number[:9]) for number in _NUMBER.findall(pattern)]
    widest = max(widths, default=0)
    _bounded(widest, "a format's width")
    if (_STAR_WIDTH if mark == "%" else _NESTED_FIELD).search(pattern):
        raise TemplateError("a format whose width is computed is not supported")
    meter = METER.get()
    meter.spend(len(pattern) + pattern.count(mark) * (widest + meter.weigh(arguments)))


def charge_method(owner: object, name: str, arguments: list[Any]) -> None:
    """Charge for a method of a string, a list or another plain value before it runs; may list an iterator argument."""
    meter = METER.get()
    if name in _REFUSED_METHODS:
        raise TemplateError(f"the method {name}() is not offered to templates")
    if isinstance(owner, str):
        meter.spend(len(owner))
        if name in _PADDING and arguments:
            _bounded(arguments[0], f"{name}()")
            meter.spend(owner.count("\t") * WIDEST if name == "expandtabs" else WIDEST)
        elif name == "join" and arguments:
            arguments[0] = listed(arguments[0])
            meter.weigh(arguments[0])
            meter.spend(len(owner) * len(arguments[0]))
        elif name == "replace" and len(arguments) > 1:
            _charge_replace(owner, arguments[0], arguments[1])
    elif name in ("index", "count"):
        meter.weigh(owner)
        meter.weigh(arguments)


def _charge_replace(text: str, old: object, new: object) -> None:
    if isinstance(old, str) and isinstance(new, str):
        spend(text.count(old) * len(new))


def charge_filter(name: str, arguments: list[Any], named: dict[str, Any]) -> None:
    """Charge for a filter before it runs; `arguments[0]` is the value filtered. May list an iterator argument."""
    meter = METER.get()
    value = arguments[0] if arguments else None
    rest = [*arguments[1:], *named.values()]
    meter.spend(size(value))
    if name in _DEEP_FILTERS:
        meter.weigh(arguments)
    if name in _COUNTED:
        for argument in rest:
            _bounded(argument, f"the filter {name!r}")
    if name == "join" and arguments:
        arguments[0] = listed(value) if value is not None else []
        meter.weigh(arguments[0])
        meter.spend(max((size(a) for a in rest), default=0) * len(arguments[0]))
    elif name == "replace" and len(rest) > 1:
        _charge_replace(str(value) if isinstance(value, (str, int, float)) else "", rest[0], rest[1])
    elif name == "indent" and isinstance(value, str):
        prefix = max((a if isinstance(a, int) else size(a) for a in rest), default=4)
        meter.spend((value.count("\n") + 1) * max(prefix, 0))
    elif name == "format" and isinstance(value, str):
        charge_format(value, "%", rest)
    elif name == "sum" and not all(isinstance(a, (int, float, str)) for a in rest[-1:]):
        raise TemplateError("the filter 'sum' adds numbers only")


def charge_operator(symbol: str, left: Any, right: Any) -> None:
    meter = spend(STEP)
    whole = isinstance(left, int) and isinstance(right, int)
    if symbol == "+" and not whole:
        meter.spend(size(left) + size(right))
    elif symbol == "*":
        if whole:
            _bounded_int(left.bit_length() + right.bit_length())
        elif isinstance(left, int) or isinstance(right, int):
            times, repeated = (left, right) if isinstance(left, int) else (right, left)
            meter.spend(size(repeated) * max(times, 0))
    elif symbol == "**" and whole:
        _bounded_int(left.bit_length() * max(right, 0))
    elif symbol == "%" and isinstance(left, str):
        charge_format(left, "%", right)
