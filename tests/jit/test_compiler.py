"""Machine code and its cache on disk: keys, damage, permissions, two processes at once."""

from __future__ import annotations

import ctypes
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from tests.jit.native import RUNNABLE, Elf

from tokenloom.errors import TokenloomError
from tokenloom.jit import compiler
from tokenloom.jit.cache import cache_root, private_directory
from tokenloom.jit.cpu import TIERS, choose
from tokenloom.jit.ir import Builder, Module, i64, ptr

LOWEST = TIERS[RUNNABLE[0]]
ROOT = Path(__file__).resolve().parents[2]


def module(number: int) -> str:
    """`answer(out)` stores `number`."""
    m = Module()
    b = Builder(m)
    with b.function("answer", [("out", ptr)]) as (out,):
        b.store(b.const(i64, number), out)
    return str(m)


def call(library: compiler.Library) -> int:
    out = ctypes.c_int64(-1)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address["answer"])(ctypes.addressof(out))
    return out.value


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOKENLOOM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "objects"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that LLVM was asked to compile."""
    seen: list[str] = []
    real = compiler._optimized
    monkeypatch.setattr(compiler, "_optimized", lambda ir, *rest: (seen.append(ir), real(ir, *rest))[1])
    return seen


def test_code_runs_and_frees() -> None:
    library = compiler.load({"answer": module(42)}, choose())
    assert call(library) == 42
    library.close()
    assert library.address == {}


def test_a_second_start_compiles_nothing(cache: Path, built: list[str]) -> None:
    first = compiler.object_code(module(1), LOWEST)
    assert compiler.object_code(module(1), LOWEST) == first
    assert len(built) == 1
    (entry,) = cache.iterdir()
    assert entry.name == compiler.cache_key(module(1), LOWEST)


def test_directories_and_entries_are_private(cache: Path) -> None:
    compiler.object_code(module(1), LOWEST)
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    (entry,) = cache.iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600


def test_anything_that_shapes_the_code_is_in_the_key() -> None:
    keys = {compiler.cache_key(module(n), tier) for n in (1, 2) for tier in TIERS.values()}
    assert len(keys) == 2 * len(TIERS)


def test_the_llvm_version_is_in_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    import llvmlite

    before = compiler.cache_key(module(1), LOWEST)
    monkeypatch.setattr(llvmlite, "__version__", "0.99.0")
    assert compiler.cache_key(module(1), LOWEST) != before


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "foreign", "hash only", "longer"])
def test_a_damaged_entry_is_rebuilt(cache: Path, built: list[str], damage: str) -> None:
    good = compiler.object_code(module(7), LOWEST)
    (entry,) = cache.iterdir()
    whole = entry.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    entry.write_bytes({
        "empty": b"", "cut": whole[:-1], "flipped": bytes(flipped), "foreign": b"\0" * 4096, "hash only": whole[:32], "longer": whole + b"\0",
    }[damage])  # fmt: skip
    assert compiler.object_code(module(7), LOWEST) == good
    assert len(built) == 2
    assert entry.read_bytes() == whole
    assert call(compiler.load({"answer": module(7)}, LOWEST)) == 7


def test_an_entry_that_cannot_be_read_is_no_obstacle(cache: Path) -> None:
    compiler.object_code(module(7), LOWEST)
    (entry,) = cache.iterdir()
    entry.unlink()
    entry.mkdir()
    assert call(compiler.load({"answer": module(7)}, LOWEST)) == 7


@pytest.mark.parametrize("mode", [0o777, 0o722, 0o702, 0o720])
def test_a_directory_that_others_may_write_is_not_used(cache: Path, built: list[str], mode: int) -> None:
    cache.mkdir(parents=True)
    cache.chmod(mode)
    assert call(compiler.load({"answer": module(3)}, LOWEST)) == 3
    assert call(compiler.load({"answer": module(3)}, LOWEST)) == 3
    assert len(built) == 2
    assert list(cache.iterdir()) == []


def test_a_directory_of_someone_else_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir(parents=True, mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert private_directory(cache) is None


def test_a_cache_that_cannot_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TOKENLOOM_CACHE", str(tmp_path / "file"))
    assert call(compiler.load({"answer": module(3)}, LOWEST)) == 3


def test_a_full_disk_costs_only_the_next_start(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert call(compiler.load({"answer": module(3)}, LOWEST)) == 3
    assert list(cache.iterdir()) == []  # nor is a half-written file left behind


@pytest.mark.parametrize(
    ("env", "where"),
    [
        ({"TOKENLOOM_CACHE": "/a/b", "XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/a/b"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/tokenloom"),
        ({"HOME": "/h"}, "/h/.cache/tokenloom"),
        ({"TOKENLOOM_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/tokenloom"),
    ],
    ids=["ours", "xdg", "home", "empty"],
)
def test_where_caches_live(monkeypatch: pytest.MonkeyPatch, env: dict[str, str], where: str) -> None:
    for name in ("TOKENLOOM_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, text in env.items():
        monkeypatch.setenv(name, text)
    assert cache_root() == Path(where)


START = """
import sys
from tests.jit.test_compiler import LOWEST, call, module
from tokenloom.jit import compiler
sys.stdin.readline()
for n in range(20):
    assert call(compiler.load({"answer": module(n)}, LOWEST)) == n
"""


def test_processes_that_start_at_once_agree(cache: Path) -> None:
    """Three processes are let go together over one empty cache; each entry is whole at all times."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    crowd = [
        subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, env=env, text=True, cwd=ROOT)
        for _ in range(3)
    ]
    for process in crowd:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.wait(60) for process in crowd] == [0, 0, 0]
    for process in crowd:
        assert process.stdin
        process.stdin.close()
    entries = list(cache.iterdir())
    assert len(entries) == 20
    assert not [e for e in entries if e.name.startswith(".new")]
    assert all(compiler._read_entry(e) is not None for e in entries)


def test_a_missing_entry_point_is_an_error() -> None:
    with pytest.raises((TokenloomError, RuntimeError)):
        compiler.Library([(compiler.object_code(module(1), LOWEST), ["nothing"])], LOWEST)


def test_ir_that_llvm_refuses_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="parsing error"):
        compiler.object_code("define void @f() { nonsense }", LOWEST)


def test_objects_for_other_cpus_can_be_made_here() -> None:
    for tier in TIERS.values():
        assert Elf(compiler.object_code(module(9), tier)).code("answer")[0]
