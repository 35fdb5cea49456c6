"""Principle 1: every number on the token path comes from a generated kernel.

What is imported, what is called and what is written are each looked at: the modules a generating process holds, NumPy's functions during a decode
(test_calls.py), and the source of the rooms the token path lives in.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "tokenloom"
NO_NUMPY = ("kernels", "trace", "text")
VIEWS = frozenset(
    {
        "view",
        "reshape",
        "frombuffer",
        "empty",
        "copy",
        "tolist",
        "float32",
        "uint8",
        "uint32",
        "int32",
        "ndarray",
        "typing",
    }
)
PATH = ("jit", "kernels", "trace", "models", "weights", "runtime", "text", "formats", "quant")


def modules(*rooms: str) -> list[Path]:
    found = [path for room in rooms for path in sorted((PACKAGE / room).rglob("*.py"))]
    assert len(found) > len(rooms)
    return found


def imported(source: str) -> Iterator[str]:
    """Every module a source imports, also inside functions and by import_module with a constant."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.args[0] if node.args else None, ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("import_module", "__import__"):
                yield str(node.args[0].value)  # type: ignore[attr-defined]


def of_reference(source: str) -> list[str]:
    return [name for name in imported(source) if name.startswith("tokenloom.reference")]


def of_numpy(source: str) -> list[str]:
    return [name for name in imported(source) if name.split(".")[0] == "numpy"]


class _Numbers(ast.NodeVisitor):
    """NumPy's names beyond `VIEWS`, and operators or methods on what NumPy made."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if (
            isinstance(node.value, ast.Name)
            and node.value.id in ("np", "npt", "numpy")
            and node.attr not in VIEWS | {"NDArray"}
        ):
            self.found.append((node.lineno, f"np.{node.attr}"))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if any(_makes_array(side) for side in (node.left, node.right)):
            self.found.append((node.lineno, "an operator on an array"))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute) and _makes_array(node.func.value) and node.func.attr not in VIEWS:
            self.found.append((node.lineno, f"an array's .{node.func.attr}()"))
        self.generic_visit(node)


def _makes_array(node: ast.expr) -> bool:
    """A call of np.something, or of a view of one."""
    if isinstance(node, ast.Subscript):
        return _makes_array(node.value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    return (isinstance(owner, ast.Name) and owner.id in ("np", "numpy")) or _makes_array(owner)


def arithmetic(source: str) -> list[tuple[int, str]]:
    visitor = _Numbers()
    visitor.visit(ast.parse(source))
    return visitor.found


def test_no_module_imports_the_reference() -> None:
    found = {str(path): names for path in modules(*PATH) if (names := of_reference(path.read_text()))}
    assert not found


def test_kernels_and_trace_know_no_numpy() -> None:
    found = {str(path): names for path in modules(*NO_NUMPY) if (names := of_numpy(path.read_text()))}
    assert not found


def test_the_others_look_at_arrays_and_compute_nothing_with_them() -> None:
    found = {
        str(path): names for path in modules("runtime", "models", "jit") if (names := arithmetic(path.read_text()))
    }
    assert not found


GENERATE = """
    import sys, tokenloom
    with tokenloom.load(sys.argv[1], threads=2) as model:
        text = "".join(model.generate("the cat", max_tokens=5, ignore_eos=True, temp=0.8, logprobs=2))
        model.logits([5, 6, 7])
        session = model.session()
        session.append("more")
        list(session.generate("of it", max_tokens=2))
    {extra}
    held = [name for name in sys.modules if name.startswith(("tokenloom.reference", "gguf", "torch", "transformers", "scipy", "tests"))]
    assert not held, held
"""


def generates(path: Path, extra: str = "pass") -> subprocess.CompletedProcess[str]:
    code = textwrap.dedent(GENERATE).format(extra=extra)
    return subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_process_that_generates_holds_no_reference(tiny_file: Path) -> None:
    done = generates(tiny_file)
    assert done.returncode == 0, done.stderr


def test_guard_of_processes_fails_when_the_reference_is_loaded(tiny_file: Path) -> None:
    done = generates(tiny_file, "import tokenloom.reference.llama")
    assert done.returncode == 1
    assert "tokenloom.reference.llama" in done.stderr


@pytest.mark.parametrize(
    "planted",
    [
        "import tokenloom.reference",
        "from tokenloom.reference import llama",
        "from tokenloom.reference.llama import forward",
        "def f():\n    from tokenloom.reference.floats import silu",
        "from importlib import import_module\nimport_module('tokenloom.reference.llama')",
        "__import__('tokenloom.reference')",
    ],
)
def test_guard_of_imports_fails_when_the_reference_is_imported(planted: str) -> None:
    assert of_reference(planted)


def test_guard_of_imports_fails_when_a_kernel_imports_numpy() -> None:
    assert of_numpy("def f():\n    import numpy.linalg as la")
    assert of_numpy("from numpy import float32")
    assert not of_numpy("import numbers")


@pytest.mark.parametrize(
    "planted",
    [
        "np.exp(x)",
        "np.argmax(logits)",
        "np.frombuffer(m, np.float32) * 2",
        "2 - np.empty(3)",
        "np.frombuffer(m).reshape(2, 3)[:, 0] + 1",
        "np.frombuffer(m, np.float32).argmax()",
        "np.empty(4).view(np.uint8).sum()",
        "np.linalg.norm(x)",
        "np.random.default_rng()",
    ],
)
def test_guard_of_arithmetic_fails_when_arrays_compute(planted: str) -> None:
    assert arithmetic(planted)


def test_guard_of_arithmetic_lets_arrays_be_looked_at() -> None:
    assert not arithmetic("np.frombuffer(m, np.uint8, n, at).view(np.float32).reshape(2, -1)[:, :5].copy()")
    assert not arithmetic("np.empty((n, vocab), np.float32)")
