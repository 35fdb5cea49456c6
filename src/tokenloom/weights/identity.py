"""What a file is, told without reading all of it: the name under which its packed form is kept.

Knows what the system says of a file and how far that can be trusted. Knows nothing of what is kept.

A file is named by its size, its inode, the times of its last change (`mtime`, and `ctime`, which no program can set) and a few of its bytes,
not by its path: links and renamed folders find the same form. Whatever writes to a file moves its ctime, so a changed file has another name; that
fails only within the clock's grain, so a file that changed less than SETTLED ago has no name yet. The bytes are for file systems that keep no
ctime of their own (FAT, some network ones). What none of this notices is a write through a mapping that was already dirty when the file was
named: the system stamps only the first of those.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from collections.abc import Iterable
from dataclasses import dataclass

from tokenloom.formats.gguf import GGUFFile
from tokenloom.formats.loom import VERSION
from tokenloom.formats.shard import Shard
from tokenloom.quant.layout import LAYOUT_VERSION

SETTLED = 2.0
"""Seconds; the coarsest clocks (FAT, old network file systems) count in steps of two."""
_SAMPLES, _SAMPLE = 16, 4096

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Identity:
    """`name` is a file name; `stamps` are what must still hold when the whole file has been read."""

    name: str
    stamps: tuple[Stamp, ...]


def identify_file(file: GGUFFile) -> Identity | None:
    """The identity of an open file, all shards together; None while it is too young to have one."""
    stamps = _stamps(file.shards)
    newest = max(max(mtime, ctime) for _, _, mtime, ctime in stamps)
    if time.time() - newest / 1e9 < SETTLED:
        return None
    digest = hashlib.sha256(struct.pack("<II", VERSION, LAYOUT_VERSION))
    for stamp, shard in zip(stamps, file.shards, strict=True):
        digest.update(struct.pack("<QQqq", *stamp))
        for number in range(_SAMPLES):
            digest.update(os.pread(shard.fd, _SAMPLE, max(0, shard.size - _SAMPLE) * number // (_SAMPLES - 1)))
    return Identity(digest.hexdigest(), stamps)


def unchanged(file: GGUFFile, identity: Identity) -> bool:
    """Whether nothing has been written to the file since it was named."""
    return _stamps(file.shards) == identity.stamps


def _stamps(shards: Iterable[Shard]) -> tuple[Stamp, ...]:
    found = [os.fstat(shard.fd) for shard in shards]
    return tuple((s.st_size, s.st_ino, s.st_mtime_ns, s.st_ctime_ns) for s in found)
