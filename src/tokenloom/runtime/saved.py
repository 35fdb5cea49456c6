"""A session on disk: its tokens and its pages, bound to the model they came from.

Knows the file's layout and what must match before it is read back. Knows nothing of generating. The file is checked as hostile input: every
length against the bytes that are there, the whole against its hash, before a page is touched.

    8 bytes  magic    8 bytes  header length    header (JSON)    pages in order, all layers of each    32 bytes  sha256 of everything before
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tokenloom.errors import FormatError, RequestError
from tokenloom.kernels.rope import PAGE_SLOTS
from tokenloom.runtime.sequence import Sequence

_MAGIC = b"LOOMKV\x00\x01"
_DIGEST = hashlib.sha256().digest_size
_MOST_HEADER = 64 << 20


@dataclass(frozen=True)
class Fingerprint:
    """What decides the bits of a cache: two sessions may share pages exactly when these are equal."""

    model: str  # sha256 of the packed weights and the config
    tokenizer: str
    arithmetic: str
    kv_dtype: str
    page_bytes: int


def save(path: str | os.PathLike[str], sequence: Sequence, tokens: list[int], fingerprint: Fingerprint) -> None:
    """Writes by rename: a reader sees a whole file or the one before. `tokens` may go on after the sequence's own."""
    target = Path(path)
    header = json.dumps({**asdict(fingerprint), "tokens": tokens, "computed": sequence.length}).encode()
    digest = hashlib.sha256()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            pages = range(-(-sequence.length // PAGE_SLOTS))
            parts = (sequence.pool.contents(sequence.table[i]) for i in pages)
            for part in (_MAGIC, len(header).to_bytes(8, "little"), header, *parts):
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def restore(path: str | os.PathLike[str], sequence: Sequence, fingerprint: Fingerprint) -> list[int]:
    """Fills an empty sequence; returns the session's tokens. Raises FormatError for a damaged file, RequestError for another model's."""
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise RequestError(f"{path}: {problem.strerror}") from None
    header, pages = _checked(str(path), data)
    for name, value in asdict(fingerprint).items():
        if header.get(name) != value:
            raise RequestError(
                f"{path}: saved with another {name.replace('_', ' ')}; restore it with the model that saved it"
            )
    tokens, computed = _tokens(str(path), header)
    if len(tokens) > sequence.limit:
        raise RequestError(
            f"{path}: {len(tokens)} tokens do not fit the context of {sequence.limit}; load with a larger ctx"
        )
    size, count = fingerprint.page_bytes, -(-computed // PAGE_SLOTS)
    if len(pages) != size * count:
        raise FormatError(f"{path}: {len(pages)} bytes of pages, expected {size * count}")
    taken: list[int] = []
    try:
        for i in range(count):
            taken.append(sequence.pool.take())
            sequence.pool.fill(taken[-1], pages[i * size : (i + 1) * size])
    except BaseException:
        for page in taken:
            sequence.pool.release(page)
        raise
    sequence.adopt(taken, tokens[:computed])
    return tokens


def _tokens(path: str, header: dict[str, Any]) -> tuple[list[int], int]:
    """The session's tokens, and how many of them the pages hold."""
    tokens, computed = header.get("tokens"), header.get("computed")
    if not isinstance(tokens, list) or not all(type(t) is int and t >= 0 for t in tokens):
        raise FormatError(f"{path}: the header's tokens are damaged")
    if type(computed) is not int or not 0 <= computed <= len(tokens):
        raise FormatError(f"{path}: the header's count of computed tokens is damaged")
    return tokens, computed


def _checked(path: str, data: bytes) -> tuple[dict[str, Any], memoryview]:
    """The header and the pages' bytes of an undamaged file."""
    fixed = len(_MAGIC) + 8
    if len(data) < fixed + _DIGEST or data[: len(_MAGIC)] != _MAGIC:
        raise FormatError(f"{path}: not a saved session, or one of another version")
    if hashlib.sha256(memoryview(data)[:-_DIGEST]).digest() != data[-_DIGEST:]:
        raise FormatError(f"{path}: damaged: its contents do not match their checksum")
    length = int.from_bytes(data[len(_MAGIC) : fixed], "little")
    if length > min(_MOST_HEADER, len(data) - fixed - _DIGEST):
        raise FormatError(f"{path}: a header of {length} bytes is longer than the file")
    try:
        header = json.loads(data[fixed : fixed + length])
    except ValueError:
        raise FormatError(f"{path}: the header is not JSON") from None
    if not isinstance(header, dict):
        raise FormatError(f"{path}: the header is not an object")
    return header, memoryview(data)[fixed + length : len(data) - _DIGEST]
