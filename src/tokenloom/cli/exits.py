"""The exit codes of the program; 4 and 5 are `screen`'s. Knows numbers; knows nothing of what ends with them."""

from __future__ import annotations

DONE, ERROR, USAGE, REFUSED, INTERRUPTED = 0, 1, 2, 3, 130
