"""What an architecture family is, and how it reads a file's keys and tensors with nothing left over.

Knows what a family must state: names, config, tensor map, forward. Knows no particular architecture.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.trace.graph import Trace, WeightRef


@dataclass(frozen=True)
class Family:
    """One architecture: `config` reads and consumes metadata, `tensors` maps names, `forward` records the graph."""

    name: str
    config: Callable[[Metadata], Any]
    tensors: Callable[[Any, Tensors], Any]
    forward: Callable[[Trace, Any, Any], None]
    ignored_tensors: tuple[str, ...] = ()


class Metadata:
    """A GGUF file's `<arch>.*` keys, each of which must be used or ignored by name."""

    def __init__(self, path: str, architecture: str, values: Mapping[str, Any]) -> None:
        self.path, self.architecture, self.values = path, architecture, values
        prefix = architecture + "."
        self._left = {key for key in values if key.startswith(prefix)}

    def get(
        self,
        key: str,
        kind: type[int] | type[float] | type[str] | type[bool],
        default: Any = None,
        *,
        required: bool = False,
    ) -> Any:
        """`<arch>.<key>` as `kind`; a FormatError names a missing or mistyped one."""
        full = f"{self.architecture}.{key}"
        self._left.discard(full)
        value = self.values.get(full)
        if value is None:
            if required:
                raise FormatError(f"{self.path}: metadata key {full!r} is missing; the file is incomplete")
            return default
        right = isinstance(value, (int, float) if kind is float else kind) and (
            kind is bool or not isinstance(value, bool)
        )
        if not right:
            raise FormatError(
                f"{self.path}: metadata key {full!r} should be {kind.__name__}, found {type(value).__name__}"
            )
        return kind(value)

    def flags(self, key: str) -> list[bool] | None:
        """`<arch>.<key>` as an array of bools, None where there is none. Raises FormatError for anything else."""
        full = f"{self.architecture}.{key}"
        self._left.discard(full)
        value = self.values.get(full)
        if value is None:
            return None
        flags = value.tolist() if hasattr(value, "tolist") else value
        if not isinstance(flags, list) or not all(isinstance(flag, bool) for flag in flags):
            raise FormatError(f"{self.path}: metadata key {full!r} should be an array of bools, one for each layer")
        return flags

    def ignore(self, *keys: str) -> None:
        self._left.difference_update(f"{self.architecture}.{key}" for key in keys)

    def close(self) -> None:
        """Refuses what nobody asked for: a key we do not know may change the arithmetic."""
        if self._left:
            raise UnsupportedError(
                f"{self.path}: metadata keys {', '.join(sorted(self._left))} are not understood for {self.architecture!r}"
            )


class Tensors:
    """A file's tensors by name, each of which must be taken or ignored."""

    def __init__(self, path: str, found: Mapping[str, WeightRef]) -> None:
        self.path, self._found, self._left = path, found, set(found)
        self._taken: dict[str, WeightRef] = {}

    @property
    def taken(self) -> list[WeightRef]:
        """What the family asked for, each tensor once, in order."""
        return [*self._taken.values()]

    def take(self, name: str, *shape: int) -> WeightRef:
        """The tensor `name` of exactly `shape`. Raises FormatError naming what is missing or misshapen."""
        ref = self.maybe(name, *shape)
        if ref is None:
            raise FormatError(f"{self.path}: tensor {name!r} is missing; the file is incomplete")
        return ref

    def maybe(self, name: str, *shape: int) -> WeightRef | None:
        ref = self._found.get(name)
        if ref is None:
            return None
        self._left.discard(name)
        self._taken[name] = ref
        if ref.shape != shape:
            raise FormatError(
                f"{self.path}: tensor {name!r} has shape {list(ref.shape)}, the config says {list(shape)}"
            )
        return ref

    def close(self, ignored: tuple[str, ...]) -> None:
        left = sorted(name for name in self._left if not any(re.fullmatch(pattern, name) for pattern in ignored))
        if left:
            shown = ", ".join(left[:5]) + (f" and {len(left) - 5} more" if len(left) > 5 else "")
            raise UnsupportedError(f"{self.path}: tensors {shown} are not understood for this architecture")
