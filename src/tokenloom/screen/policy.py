"""What a screen decides by: thresholds, sources, sizes. Read from JSON, and refused by name where it is wrong.

Knows every field and what it may hold. Knows nothing of detectors but the names of their rules.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tokenloom.errors import RequestError
from tokenloom.screen import control, credentials, hidden, injection
from tokenloom.screen.verdict import Provenance

CATEGORIES = ("injection", "control", "secret", "hidden")
RULE_NAMES = injection.RULE_NAMES | control.RULE_NAMES | credentials.RULE_NAMES | hidden.RULE_NAMES

# the weight of findings (summed over the rules of a category) at which a text is quarantined; None: never
THRESHOLDS: Mapping[Provenance, Mapping[str, int | None]] = MappingProxyType(
    {
        Provenance.TRUSTED: dict.fromkeys(CATEGORIES, None),
        Provenance.INTERNAL: dict.fromkeys(CATEGORIES, 3),
        Provenance.UNTRUSTED: dict.fromkeys(CATEGORIES, 2),
    }
)


def _refuse(name: str, value: object, wanted: str) -> RequestError:
    return RequestError(f"{name}: {value!r} is not valid; give {wanted}")


def _whole(low: int, high: int) -> Callable[[str, Any], int]:
    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _refuse(name, value, f"a whole number from {low} to {high}")
        return value

    return check


def _provenance(name: str, value: Any) -> Provenance:
    if not isinstance(value, str) or value not in list(Provenance):
        raise _refuse(name, value, "one of " + ", ".join(Provenance))
    return Provenance(value)


def _mapping(name: str, value: Any) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise _refuse(name, value, "an object")
    return value


def _sources(name: str, value: Any) -> Mapping[str, Provenance]:
    for source in _mapping(name, value):
        if not isinstance(source, str) or not source or "*" in source[:-1]:
            raise _refuse(name, source, "names of sources, which may end with one *")
    return MappingProxyType({source: _provenance(f"{name}.{source}", level) for source, level in value.items()})


def _thresholds(name: str, value: Any) -> Mapping[Provenance, Mapping[str, int | None]]:
    merged = {level: dict(row) for level, row in THRESHOLDS.items()}
    for level, row in _mapping(name, value).items():
        own = merged[_provenance(f"{name}.{level}", level)]
        for category, threshold in _mapping(f"{name}.{level}", row).items():
            path = f"{name}.{level}.{category}"
            if category not in CATEGORIES:
                raise RequestError(f"{path} is not known; categories are {', '.join(CATEGORIES)}")
            if threshold is not None and (isinstance(threshold, bool) or threshold not in range(1, 101)):
                raise _refuse(path, threshold, "a whole number from 1 to 100, or null for never")
            own[category] = threshold
    return MappingProxyType({level: MappingProxyType(row) for level, row in merged.items()})


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise _refuse(name, value, "a list of texts")
    return tuple(value)


def _rules(name: str, value: Any) -> tuple[str, ...]:
    for rule in _texts(name, value):
        if rule not in RULE_NAMES:
            raise RequestError(f"{name}: {rule!r} is no rule; rules are {', '.join(sorted(RULE_NAMES))}")
    return tuple(value)


def _phrases(name: str, value: Any) -> tuple[str, ...]:
    from tokenloom.screen.canonical import skeleton

    for phrase in _texts(name, value):
        if not 3 <= len(skeleton(phrase)) <= 200:
            raise _refuse(name, phrase, "phrases of 3 to 200 visible characters")
    return tuple(value)


@dataclass(frozen=True)
class Policy:
    """How a screen decides; every field has a default. Raises RequestError, naming the field, for a value that is not valid."""

    version: int = field(default=1, metadata={"check": _whole(1, 1)})
    default_provenance: Provenance = field(default=Provenance.UNTRUSTED, metadata={"check": _provenance})
    sources: Mapping[str, Provenance] = field(default_factory=dict, metadata={"check": _sources})
    thresholds: Mapping[Provenance, Mapping[str, int | None]] = field(
        default_factory=dict, metadata={"check": _thresholds}
    )
    rules_off: tuple[str, ...] = field(default=(), metadata={"check": _rules})
    deny: tuple[str, ...] = field(default=(), metadata={"check": _phrases})
    page_above_chars: int = field(default=16_000, metadata={"check": _whole(1, 100_000_000)})
    preview_chars: int = field(default=300, metadata={"check": _whole(0, 2_000)})
    shelf_chars: int = field(default=50_000_000, metadata={"check": _whole(1, 4_000_000_000)})
    max_chars: int = field(default=1_000_000, metadata={"check": _whole(1, 100_000_000)})
    decode_depth: int = field(default=2, metadata={"check": _whole(0, 3)})
    ledger_entries: int = field(default=1_000, metadata={"check": _whole(1, 1_000_000)})

    def __post_init__(self) -> None:
        for f in fields(self):
            object.__setattr__(self, f.name, f.metadata["check"](f.name, getattr(self, f.name)))

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Policy:
        """From what a JSON file holds. Unknown keys are refused by name."""
        known = [f.name for f in fields(cls)]
        for key in values:
            if key not in known:
                raise RequestError(f"{key!r} is not known in a policy; known are {', '.join(known)}")
        return cls(**values)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Policy:
        """From a JSON file; what is refused names the file too."""
        try:
            values = json.loads(Path(path).read_bytes(), object_pairs_hook=_once_each)
            if not isinstance(values, dict):
                raise RequestError("a policy is a JSON object")
            return cls.from_mapping(values)
        except OSError as problem:
            raise RequestError(f"cannot read the policy {os.fspath(path)}: {problem.strerror}") from None
        except RequestError as problem:
            raise RequestError(f"policy {os.fspath(path)}: {problem}") from None
        except (ValueError, RecursionError) as problem:
            raise RequestError(f"policy {os.fspath(path)} is not JSON: {problem}") from None

    def provenance_of(self, source: str) -> Provenance:
        """By the source's own name, else by the longest prefix with a *, else the default."""
        if source in self.sources:
            return self.sources[source]
        prefixes = [name for name in self.sources if name.endswith("*") and source.startswith(name[:-1])]
        return self.sources[max(prefixes, key=len)] if prefixes else self.default_provenance


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise RequestError(f"{key!r} is given twice")
        values[key] = value
    return values
