"""tokenloom: language models from Python, computed by kernels generated for this processor.

    import tokenloom
    with tokenloom.load() as model:
        for piece in model.generate("What is the capital of France?"):
            print(piece, end="")

Importing this module loads nothing heavy: LLVM, NumPy and the tokenizer come with the first `load`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenloom.errors import TokenloomError

if TYPE_CHECKING:
    from tokenloom import screen
    from tokenloom.runtime.generation import Generation
    from tokenloom.runtime.load import load
    from tokenloom.runtime.model import Model
    from tokenloom.runtime.session import Session

__all__ = ["Generation", "Model", "Session", "TokenloomError", "load", "screen"]

_HOMES = {
    "load": "tokenloom.runtime.load",
    "Model": "tokenloom.runtime.model",
    "Session": "tokenloom.runtime.session",
    "Generation": "tokenloom.runtime.generation",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, "__version__", "screen"})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("tokenloom")
    from importlib import import_module

    if name == "screen":
        return import_module("tokenloom.screen")
    if name not in _HOMES:
        raise AttributeError(f"module 'tokenloom' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
