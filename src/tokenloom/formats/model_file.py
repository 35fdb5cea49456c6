"""A model's file, whichever of the formats it is in.

Knows how to tell a packed container from a GGUF file, and what both say of themselves. Does not know what either looks like inside.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from tokenloom.formats.gguf import GGUFFile, TensorInfo, open_gguf
from tokenloom.formats.loom import LoomFile, open_loom
from tokenloom.formats.shard import Shard
from tokenloom.formats.sniff import LOOM_MAGIC


class ModelFile(Protocol):
    """What GGUFFile and LoomFile have in common. A tensor's `nbytes` are those it takes in this file."""

    @property
    def path(self) -> Path: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    @property
    def tensors(self) -> dict[str, TensorInfo]: ...
    @property
    def shards(self) -> tuple[Shard, ...]: ...
    @property
    def format(self) -> str: ...
    @property
    def nbytes(self) -> int: ...


def open_model(path: str | os.PathLike[str]) -> GGUFFile | LoomFile:
    """Open a model by what the file is, not by its name. Raises FormatError, UnsupportedError."""
    return open_loom(path) if _begins_with(path, LOOM_MAGIC) else open_gguf(path)


def _begins_with(path: str | os.PathLike[str], magic: bytes) -> bool:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return False  # whoever opens it as a model says why it cannot be
    try:
        return os.pread(fd, len(magic), 0) == magic
    except OSError:  # a directory, a pipe
        return False
    finally:
        os.close(fd)
