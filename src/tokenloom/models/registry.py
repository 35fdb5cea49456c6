"""The families there are, by the architecture that a file names, and what a file is by its family.

Knows a line for each family. Knows nothing of what they compute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.models import llama, qwen2
from tokenloom.models.family import Family, Metadata, Tensors
from tokenloom.trace.graph import WeightRef

FAMILIES: Mapping[str, Family] = {family.name: family for family in (llama.FAMILY, qwen2.FAMILY)}


def family_of(architecture: str) -> Family:
    """The family of a GGUF `general.architecture`. Raises UnsupportedError naming it."""
    if architecture not in FAMILIES:
        raise UnsupportedError(
            f"architecture {architecture!r} is not supported; tokenloom runs {', '.join(sorted(FAMILIES))}"
        )
    return FAMILIES[architecture]


@dataclass(frozen=True)
class Described:
    """A model by its file's names: the family, its config, its weights' names, and every weight it uses."""

    family: Family
    config: Any
    names: Any
    weights: list[WeightRef]


def describe_model(path: str, metadata: Mapping[str, Any], found: Mapping[str, WeightRef]) -> Described:
    """What a file is, with nothing left over: every key of the architecture and every tensor is used, or ignored by name.

    Raises FormatError where no architecture is stated, UnsupportedError naming what nobody asked for, since a key or tensor we do not know may
    change the arithmetic.
    """
    architecture = metadata.get("general.architecture")
    if not isinstance(architecture, str):
        raise FormatError(
            f"{path}: metadata key 'general.architecture' is missing or not a string; the file is no language model"
        )
    family, meta, tensors = family_of(architecture), Metadata(path, architecture, metadata), Tensors(path, found)
    config = family.config(meta)
    meta.close()
    names = family.tensors(config, tensors)
    tensors.close(family.ignored_tensors)
    return Described(family, config, names, tensors.taken)
