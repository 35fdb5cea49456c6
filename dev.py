#!/usr/bin/env python3
"""Sets the project up and runs it, from a bare checkout, with the standard library alone.

    python3 dev.py run  [tokenloom run's arguments]      an answer from the default model; paths are the caller's
    python3 dev.py test [--slow] [pytest's arguments]    format, lint, types, import contracts, tests
    python3 dev.py test --arm64                          the arm64 tiers in an emulator (on Debian and Ubuntu)
    python3 dev.py lock                                  write requirements/*.txt anew

Knows the virtual environment (`.venv`, beside this file) and the locks. Knows nothing of what tokenloom does.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
TORCH = "torch==2.13.0"
DEFAULT_PROMPT = "What is the capital of France?"
SIDE_BY_SIDE = ("-n", "2", "--dist", "loadfile")  # of pytest-xdist: a file's tests share what is made for them
NO_VALUE = ("--raw", "--json", "--ignore-eos", "--no-cache")


class SetupError(Exception):
    """Something this script needs is missing or failed; the text says what to do."""


def say(text: str) -> None:
    print(f"dev.py: {text}", file=sys.stderr, flush=True)


def child_env() -> dict[str, str]:
    """The caller's environment without what would leak another Python, or pip's --user mode, into ours."""
    env = {
        k: v
        for k, v in os.environ.items()
        if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    }
    return {**env, "PYTHONNOUSERSITE": "1", "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def call(*command: str | Path, cwd: Path | None = ROOT) -> int:
    """Run it in the checkout, or with `cwd` None where the caller is; returns its exit code."""
    sys.stdout.flush()
    return subprocess.call([str(c) for c in command], cwd=cwd, env=child_env())


def python_of(venv: Path) -> Path:
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def works(python: Path) -> bool:
    if not python.exists():
        return False
    return subprocess.call([str(python), "-c", "import pip"], env=child_env(), stderr=subprocess.DEVNULL) == 0


def create_venv(venv: Path) -> None:
    if venv.exists():
        shutil.rmtree(venv)
    say(f"creating {venv} with Python {sys.version.split()[0]}")
    if call(sys.executable, "-m", "venv", venv) != 0:
        raise SetupError(
            "Python could not create a virtual environment (on Debian and Ubuntu: apt install python3-venv)"
        )


def pip(python: Path, *arguments: str | Path) -> None:
    if call(python, "-m", "pip", "install", "-q", "--no-warn-script-location", *arguments) != 0:
        raise SetupError(
            "pip could not install what is needed (its own message is above); run the same command again to go on"
        )


def digest(profile: str) -> str:
    """What the installed state depends on; the path too, since the package is installed in place."""
    h = hashlib.sha256(repr((str(ROOT), sys.version, TORCH)).encode())
    for name in ("pyproject.toml", f"requirements/{profile}.txt"):
        h.update((ROOT / name).read_bytes())
    return h.hexdigest()


def set_up(profile: str) -> Path:
    """Make `.venv` hold what `profile` ("run" or "test") needs, unless its stamp says it does; returns its Python."""
    python = python_of(VENV)
    # test holds all that run does, so either stamp will do for run
    wanted = {p: digest(p) for p in (("run", "test") if profile == "run" else ("test",))}
    for name, value in wanted.items():
        stamp = VENV / f".tokenloom-{name}"
        if stamp.is_file() and stamp.read_text() == value and python.exists():
            return python
    if not works(python):
        create_venv(VENV)
    say(f"installing requirements/{profile}.txt (the first time takes a few minutes)")
    pip(python, "--no-deps", "--require-hashes", "-r", ROOT / "requirements" / f"{profile}.txt")
    if profile == "test":
        pip(
            python, TORCH
        )  # the build of this very version that fits the machine; its own requirements are in the lock already
    pip(python, "--no-deps", "--no-build-isolation", "-e", ROOT)
    (VENV / f".tokenloom-{profile}").write_text(wanted[profile])
    return python


def with_question(arguments: list[str]) -> list[str]:
    """`tokenloom run`'s arguments, with the default question where they hold no prompt and ask for no help.

    Every option of `tokenloom run` takes a value but those of NO_VALUE; a word that belongs to no option is a prompt.
    """
    rest = iter(arguments)
    for word in rest:
        if word in ("-h", "--help", "--", "-") or not word.startswith("-"):
            return arguments
        name = word.split("=")[0] if word.startswith("--") else word[:2]
        if name in ("-p", "--prompt", "-f", "--file"):
            return arguments
        if word == name and name not in NO_VALUE:
            next(rest, None)
    return [*arguments, DEFAULT_PROMPT]


def run(arguments: list[str]) -> int:
    python = set_up("run")
    # -P: the caller's directory does not come before tokenloom on Python's path
    return call(python, "-P", "-m", "tokenloom", "run", *with_question(arguments), cwd=None)


def pytest(python: Path, arguments: list[str]) -> int:
    """pytest's exit code. What failed is run once more: a test that then passes is said to be flaky, and is a bug to be found, but no failure.
    The whole default suite runs in two processes where there are two CPUs."""
    side_by_side = SIDE_BY_SIDE if not arguments and (os.cpu_count() or 1) > 1 else ()
    code = call(python, "-m", "pytest", *side_by_side, *arguments)
    if code != 1:
        return code
    say("running what failed once more")
    code = call(python, "-m", "pytest", "--last-failed", "--last-failed-no-failures", "none", *arguments)
    if code == 0:
        say("FLAKY: the tests above failed once and passed when repeated; please report them")
    return code


def test(arguments: list[str]) -> int:
    python = set_up("test")
    if arguments == ["--arm64"]:
        return call(python, "-m", "tests.arm64")
    if "--slow" in arguments:
        return pytest(python, ["-m", "slow", *[a for a in arguments if a != "--slow"]])
    steps: list[tuple[str, list[str]]] = [
        ("format", ["-m", "ruff", "format", "--check", "."]),
        ("lint", ["-m", "ruff", "check", "."]),
        ("types", ["-m", "mypy"]),
        ("import contracts", ["-c", "from importlinter.cli import lint_imports_command as c; c()"]),
    ]
    failed = []
    for name, command in steps:
        say(name)
        if call(python, *command) != 0:
            failed.append(name)
    say("tests")
    if pytest(python, arguments) != 0:
        failed.append("tests")
    if failed:
        say(f"FAILED: {', '.join(failed)}")
    return 1 if failed else 0


def lock(arguments: list[str]) -> int:
    """Resolve requirements/*.in for every platform, with hashes. uv does it, from a throw-away environment."""
    with tempfile.TemporaryDirectory() as scratch:
        venv = Path(scratch) / "venv"
        create_venv(venv)
        pip(python_of(venv), "uv")
        for profile in ("run", "test"):
            out = Path(scratch) / f"{profile}.txt"
            options = "-q --universal --generate-hashes --python-version 3.11 --no-annotate --no-header"
            options += " --no-emit-package tokenloom"
            source = f"requirements/{profile}.in"
            override = "requirements/without.txt"
            command = [
                "-m",
                "uv",
                "pip",
                "compile",
                source,
                "--override",
                override,
                *options.split(),
                "-o",
                str(out),
                *arguments,
            ]
            if call(python_of(venv), *command) != 0:
                raise SetupError(f"uv could not resolve {source} (its own message is above)")
            header = f"# Made by `python3 dev.py lock` from {source}; not edited by hand.\n"
            (ROOT / "requirements" / f"{profile}.txt").write_text(header + out.read_text())
    return 0


COMMANDS = {"run": run, "test": test, "lock": lock}


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST:
        found = ".".join(map(str, sys.version_info[:3]))
        say(f"tokenloom needs Python 3.11 or newer; this is {found} ({sys.executable}). Try python3.11 dev.py ...")
        return 2
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if not arguments or arguments[0] not in COMMANDS:
        wrong = f"unknown command {arguments[0]!r}" if arguments else "no command given"
        say(f"{wrong}; commands are {', '.join(COMMANDS)}\n")
        print(__doc__, file=sys.stderr)
        return 2
    try:
        return COMMANDS[arguments[0]](arguments[1:])
    except SetupError as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
