"""Sizes in bytes as people write them.

Knows digits and suffixes. Knows nothing of what is measured.
"""

from __future__ import annotations

import re

from tokenloom.errors import RequestError

VALID = "a number of bytes, such as 800M, 1.5G or 2GiB"
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(iB|B)?", re.IGNORECASE)


def in_bytes(name: str, size: int | str) -> int:
    """Bytes of an int or of a text with a suffix: G and GiB are 1024³, GB is 1000³. Raises RequestError, naming the argument `name`."""
    number = _read(size) if isinstance(size, str) else size if type(size) is int else 0
    if not 1 <= number < 1 << 63:
        raise RequestError(f"{name}={size!r} is not valid; give {VALID}")
    return int(number)


def _read(text: str) -> float:
    """0 of what is no size."""
    found = _SIZE.fullmatch(text.strip())
    if not found:
        return 0.0
    base = 1000 if (found[3] or "").upper() == "B" else 1024
    return float(found[1]) * float(base ** _POWERS[found[2].upper()])


def readable(size: int) -> str:
    """A size with one decimal and its suffix."""
    number, suffixes = float(size), ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while number >= 1024 and len(suffixes) > 1:
        number /= 1024
        del suffixes[0]
    return f"{size} bytes" if suffixes[0] == "bytes" else f"{number:.1f} {suffixes[0]}"
