"""An arm64 Debian with the package's requirements in a folder, and the emulator that runs its Python.

Knows apt, dpkg, pip and qemu-user. Changes nothing of the system and needs no root: apt works on lists of its own. Knows no tests.

    python() is a program to be run like any other Python; sys.executable inside is that same program, so it can start others.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from packaging.markers import Marker

CHECKOUT = Path(__file__).resolve().parents[2]
PYTHON = "3.11"  # Debian 12's
FOREIGN = (
    "python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "libc6", "libgcc-s1", "libstdc++6", "zlib1g", "libexpat1", "libssl3",
    "libffi8", "libbz2-1.0", "liblzma5", "libuuid1",
)  # fmt: skip
EMULATOR = "qemu-user-static"
# of requirements/test.txt; those that are no pure Python have wheels for arm64 (libgguf has none)
WHEELS = (
    "llvmlite", "numpy", "tokenizers", "jinja2", "markupsafe", "typer", "click", "rich", "pygments", "markdown-it-py", "mdurl", "shellingham",
    "typing-extensions", "annotated-doc", "pytest", "iniconfig", "pluggy", "packaging", "pytest-timeout", "hypothesis", "sortedcontainers",
    "gguf", "mpmath", "pydantic", "pydantic-core", "annotated-types", "typing-inspection", "pyyaml", "tqdm", "requests",
)  # fmt: skip
PLATFORMS = ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64", "manylinux2014_aarch64", "manylinux_2_17_aarch64")
TARGET = {
    "python_full_version": f"{PYTHON}.2",
    "python_version": PYTHON,
    "platform_machine": "aarch64",
    "sys_platform": "linux",
}


class RootError(Exception):
    """Something that the root is made of is missing; the text says what."""


def folder() -> Path:
    """TOKENLOOM_ARM64, else ~/.cache/tokenloom-arm64."""
    return Path(os.environ.get("TOKENLOOM_ARM64") or Path.home() / ".cache" / "tokenloom-arm64")


def python() -> Path:
    """The emulated Python, set up first unless it is there and made of the same things. Raises RootError."""
    home = folder()
    root, stamp, made_of = home / "root", home / "stamp", digest()
    if not (stamp.is_file() and stamp.read_text() == made_of):
        shutil.rmtree(home, ignore_errors=True)
        packages(home)
        wheels(root / "usr/local/lib" / f"python{PYTHON}" / "dist-packages")
        stamp.write_text(made_of)
    (root / "usr/local/lib" / f"python{PYTHON}" / "dist-packages" / "tokenloom.pth").write_text(f"{CHECKOUT / 'src'}\n")
    return program(home)


def digest() -> str:
    """What the folder's content depends on."""
    return hashlib.sha256(Path(__file__).read_bytes() + "\n".join(requirements()).encode()).hexdigest()


def program(home: Path) -> Path:
    """A script under the name of Python. The name is also argv[0], from which Python takes its prefix and sys.executable."""
    path = home / "root/usr/bin/python3"
    emulator, root, python, name = (
        shlex.quote(str(p))
        for p in (
            home / "emulator/usr/bin/qemu-aarch64-static", home / "root", home / f"root/usr/bin/python{PYTHON}", path,
        )
    )  # fmt: skip
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(
        f'#!/bin/sh\nexec {emulator} -cpu "${{TOKENLOOM_ARM64_CPU:-max}}" -L {root} -0 {name} {python} "$@"\n'
    )
    draft.chmod(0o755)
    draft.replace(path)  # whole at any moment: a shell that finds its script empty ends well and says nothing
    return path


def call(*command: str | Path, cwd: Path | None = None) -> None:
    try:
        done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    except FileNotFoundError as missing:
        raise RootError(f"{missing.filename} is needed, which Debian and Ubuntu have") from missing
    if done.returncode:
        raise RootError(f"{command[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def packages(home: Path) -> None:
    """Debian's packages for both architectures, unpacked side by side: `root` for arm64, `emulator` for this machine."""
    here = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
    state = home / "apt"
    for name in ("lists/partial", "cache/archives/partial", "arm64", here):
        (state / name).mkdir(parents=True)
    (state / "status").touch()
    settings = {
        "Dir::State::lists": state / "lists", "Dir::State::status": state / "status", "Dir::Cache": state / "cache",
        "APT::Architecture": here, "APT::Architectures::": here, "APT::Sandbox::User": "root", "Acquire::Retries": 3,
    }  # fmt: skip
    apt = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in settings.items()), "-oAPT::Architectures::=arm64"]
    call(*apt, "update")
    call(*apt, "download", *(f"{name}:arm64" for name in FOREIGN), cwd=state / "arm64")
    call(*apt, "download", EMULATOR, cwd=state / here)
    for source, target in (("arm64", "root"), (here, "emulator")):
        for package in sorted((state / source).glob("*.deb")):
            call("dpkg", "-x", package, home / target)
    shutil.rmtree(state)


def requirements() -> Iterator[str]:
    """The lock's lines (with hashes) of WHEELS, as they apply to the target."""
    entries = (CHECKOUT / "requirements/test.txt").read_text().replace("\\\n", " ").splitlines()
    found = set()
    for entry in entries:
        name = entry.partition("==")[0]
        if name not in WHEELS:
            continue
        wanted, _, hashes = entry.partition("--hash")
        pinned, _, marker = wanted.partition(";")
        if not marker.strip() or Marker(marker.strip()).evaluate(TARGET):
            found.add(name)
            yield f"{pinned.strip()} --hash{hashes}"
    if missing := set(WHEELS) - found:
        raise RootError(f"requirements/test.txt no longer holds {', '.join(sorted(missing))}")


def wheels(target: Path) -> None:
    """pip unpacks other platforms' wheels when it is told which."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(requirements()))
        file.flush()
        where = [f"--platform={platform}" for platform in PLATFORMS]
        call(
            sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "--only-binary=:all:", f"--python-version={PYTHON}",
            "--implementation=cp", *where, f"--target={target}", "-r", file.name,
        )  # fmt: skip
