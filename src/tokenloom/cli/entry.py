"""Where the `tokenloom` program begins: streams that can be written to, and Ctrl-C answered from the first import on.

Knows the standard streams. Knows nothing of commands, so that it is loaded in no time.
"""

from __future__ import annotations

import os
import sys

from tokenloom.cli.exits import INTERRUPTED


def _open_streams() -> None:
    """A closed stream becomes the null device; output is UTF-8 whatever the locale."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 (it lives as long as the process)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (as above)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (as above)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def entry() -> None:
    """What the console script calls."""
    try:
        _open_streams()
        from tokenloom.cli.main import main

        code = main()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)
