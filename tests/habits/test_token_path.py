"""The rooms of the token path use NumPy to hold numbers, never to compute them.

Read from the source: a call of anything in `np` but what makes, views or names arrays is a violation, and so is `@`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "tokenloom"
ROOMS = ("jit", "kernels", "trace", "models", "runtime")
NUMBERS = (
    "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ intp integer floating generic"
)
ARRAYS = "ndarray NDArray dtype empty zeros full array asarray ascontiguousarray frombuffer ctypeslib typing NDArray ArrayLike DTypeLike"
HOLDS = frozenset(NUMBERS.split()) | frozenset(ARRAYS.split())


def violations(source: str) -> Iterator[tuple[int, str]]:
    """(line, what) of every use of NumPy that may compute."""
    tree = ast.parse(source)
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name for alias in node.names if alias.name.split(".")[0] == "numpy"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numpy":
            bad = {alias.name for alias in node.names} - HOLDS
            yield from ((node.lineno, f"from numpy import {name}") for name in bad)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "the @ operator"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = node.value.id
            if name in names and node.attr not in HOLDS:
                yield node.lineno, f"{name}.{node.attr}"


def test_no_numpy_arithmetic_on_the_token_path():
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {what}"
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for line, what in violations(path.read_text())
    ]
    assert not found, "\n".join(found)


def test_guard_of_numpy_fails_when_it_computes():
    planted = "import numpy as np\nfrom numpy import dot\ny = np.exp(x)\nz = a @ b\nw = np.linalg.norm(x)\n"
    assert sorted(violations(planted)) == [
        (2, "from numpy import dot"),
        (3, "np.exp"),
        (4, "the @ operator"),
        (5, "np.linalg"),
    ]


def test_guard_of_numpy_lets_arrays_be_held():
    held = "import numpy as np\nx = np.empty(3, np.float32)\ny: np.ndarray = np.frombuffer(b, np.uint8)\n"
    assert not list(violations(held))
