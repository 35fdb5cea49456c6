"""Which engines can be measured, and how the process of each is started.

Knows where an engine's Python is and that each has a worker file. Knows nothing of what they are asked.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import tokenloom
from tokenloom.errors import RequestError, UnsupportedError
from tokenloom.jit.cache import cache_root
from tokenloom.jit.cpu import choose, fast

WORKERS = Path(__file__).resolve().parent / "workers"
FORMS = "llama.cpp, llama.cpp=PATH, llama.cpp=wheel, openvino, openvino=PATH, transformers, tokenloom, tokenloom=REV"


@dataclass(frozen=True)
class Engine:
    """A name for tables, and the command that starts its worker. `detail`: what tells it from another of that name."""

    name: str
    command: tuple[str, ...]
    detail: str = ""
    env: dict[str, str] = field(default_factory=dict)
    batches: bool = True  # whether it can be asked for joint steps of several sequences
    opening: dict[str, str] = field(default_factory=dict)  # what its worker is told beside the model when it opens it

    def environment(self) -> dict[str, str]:
        """The caller's without settings of tokenloom's that would favour one side, but for where its caches are."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TOKENLOOM_") or k == "TOKENLOOM_CACHE"}
        return {**kept, "TOKENIZERS_PARALLELISM": "false", **self.env}


def _worker(name: str, python: str = sys.executable) -> tuple[str, ...]:
    return (python, str(WORKERS / f"{name}_worker.py"))


def parse(text: str) -> Engine:
    """An engine from its name on a command line: one of FORMS. Raises RequestError, or UnsupportedError when it is not there."""
    name, _, detail = text.partition("=")
    if name == "tokenloom":
        return _tokenloom(detail)
    if name == "llama.cpp":
        return Engine(name, _worker("xllamacpp"), detail, batches=False) if detail == "wheel" else _llama_cpp(detail)
    if name == "openvino":
        python = _python_of_peer("openvino", detail, "bench/peers/openvino.sh installs it")
        return Engine(name, _worker("openvino", str(python)), detail, batches=False)
    if name == "transformers" and not detail:
        return Engine(name, _worker("transformers"))
    raise RequestError(f"{text!r} is no engine; give one of {FORMS}")


def pinned(tier: str | None, arithmetic: str) -> Engine:
    """This tokenloom, held to a tier or to another arithmetic. Raises TierError."""
    chosen = choose(tier) if tier else None
    if arithmetic == "fast":
        fast(chosen or choose())
    opening = {
        **({"tier": chosen.name} if chosen else {}),
        **({"arithmetic": arithmetic} if arithmetic != "exact" else {}),
    }
    detail = ", ".join(f"{name} {value}" for name, value in opening.items())
    return replace(_tokenloom(""), opening=opening, detail=detail)


def _llama_cpp(place: str) -> Engine:
    """llama-cpp-python in a virtual environment, or given as its Python; by default the one bench/peers/llama_cpp.sh builds."""
    python = _python_of_peer("llama_cpp", place, "bench/peers/llama_cpp.sh builds one")
    return Engine("llama.cpp", _worker("llama_cpp", str(python)), place)


def _python_of_peer(name: str, place: str, remedy: str) -> Path:
    """Of a virtual environment, or given itself. Raises UnsupportedError."""
    peers = Path(os.environ.get("TOKENLOOM_PEERS") or Path.home() / ".cache" / "tokenloom-peers")
    path = Path(place).expanduser() if place else peers / name
    python = path / "bin" / "python" if path.is_dir() else path
    if not python.exists():
        raise UnsupportedError(f"no {name.replace('_', '.')} at {path}; {remedy}")
    return python


def _tokenloom(revision: str) -> Engine:
    """This very tokenloom, or another commit's of the checkout it runs from."""
    if not revision:
        return Engine("tokenloom", _worker("tokenloom"))
    root = Path(tokenloom.__file__).resolve().parents[2]
    done = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    commit = done.stdout.strip()
    if done.returncode:
        raise RequestError(f"tokenloom={revision}: no such commit in the checkout {root}")
    tree = cache_root() / "bench" / "revisions" / commit
    if not tree.exists():
        packed = subprocess.run(
            ["git", "-C", str(root), "archive", commit, "src"], capture_output=True, check=True
        ).stdout
        draft = tree.with_name(f".{commit}.{os.getpid()}")
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(draft, filter="data")
        draft.rename(tree)
    # the worker is today's, so that both sides are asked the same; the package it imports is that commit's
    return Engine("tokenloom", _worker("tokenloom"), commit[:12], {"PYTHONPATH": str(tree / "src")})
