"""Where the packed weights of an open model come from: a container, the cache, or a GGUF file that is packed now.

Knows which of them is asked first and what happens when one fails. Does not know how any of them is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from tokenloom.errors import FormatError
from tokenloom.formats.gguf import GGUFFile
from tokenloom.formats.loom import LoomFile
from tokenloom.trace.graph import WeightRef
from tokenloom.weights import loader
from tokenloom.weights.cache import PackedCache, bound_of
from tokenloom.weights.identity import identify_file, unchanged
from tokenloom.weights.keep import Unkept, say
from tokenloom.weights.loader import LoadedWeights, Progress
from tokenloom.weights.packed import holds, map_packed, place_packed, read_packed

WORTH_KEEPING = 16 << 20
"""Bytes; less is packed in the time that finding it would take."""


def place_weights(file: GGUFFile | LoomFile, refs: Sequence[WeightRef]) -> LoadedWeights:
    """Where each of `refs` will be: all that is needed to build a tape before a byte is read."""
    return place_packed(file, refs) if isinstance(file, LoomFile) else loader.place_weights(file, refs)


def load_weights(
    file: GGUFFile | LoomFile, refs: Sequence[WeightRef], progress: Progress | None, stop: Event | None, into: LoadedWeights,
    cache: PackedCache | None = None,
) -> Unkept | None:  # fmt: skip
    """Brings the weights to their places, and returns what the cache should have and has not. Raises FormatError, UnsupportedError."""
    if isinstance(file, LoomFile):
        read_packed(file, into, progress, stop)
        return None
    identity = identify_file(file) if cache and into.region.nbytes >= WORTH_KEEPING else None
    if identity is None or cache is None:
        loader.load_weights(file, refs, progress, stop, into)
        return None
    if _from_cache(cache, identity.name, into, progress, stop):
        return None
    loader.load_weights(file, refs, progress, stop, into)
    if not unchanged(file, identity):
        return None
    bound = bound_of(cache.directory)
    if into.region.nbytes > bound:
        say(
            f"{file.path}: its packed form is not kept: it takes {into.region.nbytes / 1e9:.2f} GB, the cache may have {bound / 1e9:.2f}; "
            "TOKENLOOM_CACHE_SIZE sets another bound, or off"
        )
        return None
    return Unkept(cache, identity.name, file.path, into)


def _from_cache(
    cache: PackedCache, name: str, into: LoadedWeights, progress: Progress | None, stop: Event | None
) -> bool:
    """Whether the cache had these weights, whole. A damaged entry is dropped, and nothing of it stays in memory."""
    found = cache.find(name)
    if found is None:
        return False
    with found:
        try:
            if holds(found, into):
                if not map_packed(found, into):  # nobody shortens the cache's own files; the user's are only read
                    read_packed(found, into, progress, stop)
                return True
        except FormatError:
            into.region.discard()
    cache.drop(name)
    return False
