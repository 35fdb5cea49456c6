"""What a file is when it is not a GGUF file tokenloom can read, told from its first bytes.

Knows the signatures of the files people open by mistake. Does not know how to read any of them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

_CONVERT = "convert it with llama.cpp's convert_hf_to_gguf.py and open the .gguf file"
_REDOWNLOAD = "download the model file itself again"

LOOM_MAGIC = b"\x89LOOM\r\n\x1a"
"""How a packed container begins: no text, and changed by whatever changes line ends."""

_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"GGUF", "a GGUF file", "download it again"),
    (LOOM_MAGIC, "a packed tokenloom container (.loom)", "give the GGUF file it was made from"),
    (b"FUGG", "a byte-swapped (big-endian) GGUF file", "convert the model again on or for a little-endian machine"),
    (b"tjgg", "a GGJT file, the format before GGUF", "convert the original model to GGUF again"),
    (b"fmgg", "a GGMF file, a format long before GGUF", "convert the original model to GGUF again"),
    (b"lmgg", "an unversioned GGML file, a format long before GGUF", "convert the original model to GGUF again"),
    (b"algg", "a GGLA adapter, a format before GGUF", "convert the original adapter to GGUF again"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file it points to", "run `git lfs pull`"),
    (b"PK\x03\x04", "a zip archive (a PyTorch checkpoint, perhaps)", _CONVERT),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", "unpack it first"),
    (b"\xfd7zXZ", "an xz archive", "unpack it first"),
    (b"\x80\x02", "a pickled PyTorch checkpoint", _CONVERT),
    (b"\x89HDF", "an HDF5 file", _CONVERT),
    (b"\x7fELF", "an executable", _REDOWNLOAD),
)


def _is_safetensors(head: bytes) -> bool:
    return len(head) >= 9 and head[8:9] == b"{" and struct.unpack_from("<Q", head)[0] < 1 << 32


def _is_html(head: bytes) -> bool:
    return head.lstrip()[:9].lower() in (b"<!doctype",) or head.lstrip()[:5].lower() == b"<html"


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # not merely a character cut by the end of what was read
            return False
        text = head[: error.start].decode("utf-8")
    return all(c.isprintable() or c in "\t\r\n\f" for c in text)


_TESTS: tuple[tuple[Callable[[bytes], bool], str, str], ...] = (
    (_is_safetensors, "a safetensors file", _CONVERT),
    (_is_html, "an HTML page (a failed download, perhaps)", _REDOWNLOAD),
    (_is_text, "a text file", "give the path of a .gguf file"),
)


def identify(head: bytes) -> tuple[str, str]:
    """What a file beginning with `head` (at least one byte) looks like, and what to do about it."""
    for signature, what, remedy in _SIGNATURES:
        if head.startswith(signature):
            return what, remedy
    for test, what, remedy in _TESTS:
        if test(head):
            return what, remedy
    if not head.strip(b"\0"):
        return "nothing but zero bytes (an unfinished download, perhaps)", _REDOWNLOAD
    return f"a file of an unknown kind (its first bytes are {head[:4].hex(' ')})", "give the path of a .gguf file"
