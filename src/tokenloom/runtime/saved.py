"""A session on disk: its tokens and its pages, bound to the model they came from.

Knows the file's layout and what must match before it is read back. Knows nothing of generating. The file is checked as hostile input: the whole
against its hash, every length against the bytes that are there, every token against the vocabulary, before a page is touched.

    8 bytes  magic    4 bytes  header length    header (JSON)    tokens (int32)    pages in order, all layers of each
    32 bytes  sha256 of everything before

All numbers are little-endian. Equal tokens give equal files: slots that hold no token are written as zeros.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from array import array
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from tokenloom.errors import FormatError, RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.sequence import Sequence

_MAGIC = b"LOOMKV\x00\x01"
_FIXED = len(_MAGIC) + 4
_DIGEST = hashlib.sha256().digest_size
_MOST_HEADER = 4096
_PIECE = 1 << 20


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
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                digest = hashlib.sha256()
                for part in _parts(sequence, tokens, fingerprint):
                    digest.update(part)
                    file.write(part)
                file.write(digest.digest())
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as problem:
        raise RequestError(f"{path}: cannot be written: {problem.strerror}") from None


def _parts(sequence: Sequence, tokens: list[int], fingerprint: Fingerprint) -> Iterator[bytes]:
    computed = sequence.length
    counts = {"tokens": len(tokens), "computed": computed}
    if sequence.approximate_from < computed:
        counts["approximate_from"] = sequence.approximate_from
    header = json.dumps({**asdict(fingerprint), **counts}).encode()
    yield _MAGIC + len(header).to_bytes(4, "little") + header
    yield array("i", tokens).tobytes()
    for number in range(-(-computed // PAGE_SLOTS)):
        yield sequence.pool.contents(sequence.table[number], min(PAGE_SLOTS, computed - number * PAGE_SLOTS))


def restore(path: str | os.PathLike[str], sequence: Sequence, fingerprint: Fingerprint, vocab: int) -> list[int]:
    """Fills an empty sequence; returns the session's tokens. Raises FormatError for a damaged file, RequestError for another model's."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise RequestError(f"{path}: not a file")
        with open(path, "rb") as file:
            return _restore(str(path), file, sequence, fingerprint, vocab)
    except OSError as problem:
        raise RequestError(f"{path}: cannot be read: {problem.strerror}") from None


def _restore(path: str, file: BinaryIO, sequence: Sequence, fingerprint: Fingerprint, vocab: int) -> list[int]:
    end = _checked_end(path, file)
    header = _header(path, file, end)
    for name, value in asdict(fingerprint).items():
        if header.get(name) != value:
            named = name.replace("_", " ")
            raise RequestError(
                f"{path}: saved with another {named}; restore it with the model and settings that saved it"
            )
    count, computed = header.get("tokens"), header.get("computed")
    if type(count) is not int or type(computed) is not int or not 0 <= computed <= count:
        raise FormatError(f"{path}: the header's counts are damaged: {count!r} tokens, {computed!r} computed")
    approximate = header.get("approximate_from", computed)
    if type(approximate) is not int or not 0 <= approximate <= computed:
        raise FormatError(f"{path}: the header's approximate_from is damaged: {approximate!r}")
    pages, size = -(-computed // PAGE_SLOTS), fingerprint.page_bytes
    if end - file.tell() != 4 * count + pages * size:
        raise FormatError(
            f"{path}: {end - file.tell()} bytes of tokens and pages, not the {4 * count + pages * size} its header states"
        )
    if count > sequence.limit:
        raise RequestError(f"{path}: {count} tokens do not fit the context of {sequence.limit}; load with a larger ctx")
    tokens = array("i", file.read(4 * count)).tolist()
    if not all(0 <= token < vocab for token in tokens):
        raise FormatError(f"{path}: a token lies outside the vocabulary of {vocab}")
    for number in range(pages):
        page = sequence.pool.take()
        sequence.adopt([page], tokens[number * PAGE_SLOTS : min(computed, (number + 1) * PAGE_SLOTS)])
        data = file.read(size)
        if len(data) != size:
            raise FormatError(f"{path}: it was changed while it was read")
        sequence.pool.fill(page, data)
    if approximate < computed:
        sequence.approximate_from = approximate
    sequence.genuine = 0  # anyone can write a file with a right checksum: other prompts do not get its pages
    sequence.written = pages * PAGE_SLOTS
    sequence.discard_uncommitted()  # whatever the file has in slots past the last token
    return tokens


def _checked_end(path: str, file: BinaryIO) -> int:
    """Where the digest of an undamaged file begins."""
    end = os.fstat(file.fileno()).st_size - _DIGEST
    if end < _FIXED or file.read(len(_MAGIC)) != _MAGIC:
        raise FormatError(f"{path}: not a saved session, or one of another version")
    digest = hashlib.sha256(_MAGIC)
    left = end - len(_MAGIC)
    while left and (piece := file.read(min(left, _PIECE))):
        digest.update(piece)
        left -= len(piece)
    if file.read(_DIGEST) != digest.digest():
        raise FormatError(f"{path}: damaged: its contents do not match their checksum")
    return end


def _header(path: str, file: BinaryIO, end: int) -> dict[str, Any]:
    file.seek(len(_MAGIC))
    length = int.from_bytes(file.read(4), "little")
    if length > min(_MOST_HEADER, end - _FIXED):
        raise FormatError(f"{path}: a header of {length} bytes; the most is {min(_MOST_HEADER, end - _FIXED)}")
    try:
        header = json.loads(file.read(length))
    except (ValueError, RecursionError):
        raise FormatError(f"{path}: the header is not JSON") from None
    if not isinstance(header, dict):
        raise FormatError(f"{path}: the header is not an object")
    return header
