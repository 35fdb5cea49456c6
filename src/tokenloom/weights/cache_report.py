"""What the caches hold, as plain values that print and serialise; and emptying them.

Knows both caches' directories: packed models and compiled kernels. Makes no directory and opens no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokenloom.errors import RequestError, TokenloomError
from tokenloom.formats.loom import open_loom
from tokenloom.jit.cache import Entry, cache_root, entries
from tokenloom.jit.compiler import OBJECTS_BOUND
from tokenloom.weights.cache import PackedCache, bound_of, packed_directory
from tokenloom.weights.keep import SOURCE_KEY


def contents(parts: Sequence[str]) -> dict[str, Any]:
    """{root, parts: {name: {files, bytes, bound, entries}}}; only packed models are listed one by one, the latest used first."""
    found: dict[str, Any] = {}
    for name in parts:
        held = _entries(name)
        found[name] = _sum(held) | {"bound": _bound(name)}
        if name == "packed":
            found[name]["entries"] = [_about(entry) for entry in reversed(held)]
    return {"root": str(cache_root()), "parts": found}


def clear(parts: Sequence[str]) -> dict[str, Any]:
    """Removes all entries of some caches; {root, removed: {name: {files, bytes}}}. Raises RequestError where that is not allowed."""
    removed = {}
    for name in parts:
        directory = _directory(name)
        try:
            if not directory.is_dir():
                gone = []
            elif name == "packed":
                gone = PackedCache(directory).clear()
            else:
                gone = entries(directory)
                for entry in gone:
                    entry.path.unlink(missing_ok=True)
        except OSError as problem:
            raise RequestError(f"{directory}: cannot be emptied: {problem.strerror}") from None
        removed[name] = _sum(gone)
    return {"root": str(cache_root()), "removed": removed}


def _directory(name: str) -> Path:
    return packed_directory() if name == "packed" else cache_root() / name


def _entries(name: str) -> list[Entry]:
    directory = _directory(name)
    return PackedCache(directory).entries() if name == "packed" else entries(directory)


def _bound(name: str) -> int:
    return OBJECTS_BOUND if name == "objects" else bound_of(packed_directory())


def _sum(held: Sequence[Entry]) -> dict[str, Any]:
    return {"files": len(held), "bytes": sum(entry.nbytes for entry in held)}


def _about(entry: Entry) -> dict[str, Any]:
    about: dict[str, Any] = {
        "file": entry.path.name,
        "bytes": entry.nbytes,
        "used": entry.used,
        "source": None,
        "problem": None,
    }
    try:
        with open_loom(entry.path) as file:
            source = file.metadata.get(SOURCE_KEY)
            about["source"] = source if isinstance(source, str) else None
    except TokenloomError as problem:
        about["problem"] = str(problem)
    return about
