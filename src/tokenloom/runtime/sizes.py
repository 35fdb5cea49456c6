"""Sizes in bytes as people write them.

Knows digits and suffixes. Knows nothing of what is measured.
"""

from __future__ import annotations

import re

from tokenloom.errors import RequestError

VALID = "a number of bytes, such as 800M, 1.5G or 2GiB"
_POWERS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:iB|B)?", re.IGNORECASE)


def in_bytes(name: str, size: int | str) -> int:
    """Bytes of an int or of a text with a suffix; each suffix is a power of 1024. Raises RequestError, naming the argument `name`."""
    found = None
    if isinstance(size, str):
        found = _SIZE.fullmatch(size.strip())
        number = float(found[1]) * 1024 ** _POWERS[found[2].upper()] if found else 0.0
    else:
        number = size if isinstance(size, int) and not isinstance(size, bool) else 0
    if not 1 <= number < 1 << 63:
        raise RequestError(f"{name}={size!r} is not valid; give {VALID}")
    return int(number)


def readable(size: int) -> str:
    """A size with one decimal and its suffix."""
    number, suffixes = float(size), ["bytes", "KiB", "MiB", "GiB", "TiB"]
    while number >= 1024 and len(suffixes) > 1:
        number /= 1024
        del suffixes[0]
    return f"{size} bytes" if suffixes[0] == "bytes" else f"{number:.1f} {suffixes[0]}"
