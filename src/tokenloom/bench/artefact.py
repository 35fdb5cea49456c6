"""What a measurement leaves behind: one JSON file with the machine, the commit, the versions, the command and the rows.

Knows the schema. Knows nothing of what the rows of a kind mean, beyond the keys that every row has.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import tokenloom
from tokenloom.bench import machine
from tokenloom.errors import FormatError

SCHEMA = "tokenloom-bench/1"
RESULTS = Path("bench") / "results"
MEASURED, REJECTED = "measured", "REJECTED"

_KEYS: dict[str, type | tuple[type, ...]] = {
    "schema": str, "kind": str, "when": str, "took_s": (int, float), "command": list, "commit": (str, type(None)),
    "modified": (bool, type(None)), "machine": dict, "versions": dict, "model": dict, "engines": dict, "interrupted": bool,
    "rows": list,
}  # fmt: skip
_ROW_KEYS: dict[str, type | tuple[type, ...]] = {"row": str, "verdict": str, "reason": (str, type(None))}


def begin(kind: str, model: Path | None = None, name: str | None = None) -> dict[str, Any]:
    """A record of that kind without rows. `name`: what the model is called in tables; `engines` is the caller's to fill."""
    return {
        "schema": SCHEMA,
        "kind": kind,
        "when": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "took_s": 0.0,
        "command": ["tokenloom", *map(_elsewhere, sys.argv[1:])],
        **_commit(),
        "machine": machine.describe(),
        "versions": _versions(),
        "model": {}
        if model is None
        else {"name": name or model.stem, "file": model.name, "bytes": model.stat().st_size},
        "engines": {},
        "interrupted": False,
        "rows": [],
    }


def _elsewhere(word: str) -> str:
    """A path as another machine can have it: from the working directory or the home directory."""
    for place, short in ((Path.cwd(), "."), (Path.home(), "~")):
        if word.startswith(f"{place}/"):
            return short + word.removeprefix(str(place))
    return word


def check(record: Any, source: str) -> None:
    """Raises FormatError that names what is not as the schema has it."""
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise FormatError(f"{source}: is no artefact of schema {SCHEMA}")
    _check_keys(record, _KEYS, source)
    for number, row in enumerate(record["rows"]):
        _check_keys(row, _ROW_KEYS, f"{source}: row {number}")
        if row["verdict"] not in (MEASURED, REJECTED) or (row["verdict"] == REJECTED) != bool(row["reason"]):
            raise FormatError(f"{source}: row {number}: verdict {row['verdict']!r} with reason {row['reason']!r}")


def _check_keys(found: Any, wanted: dict[str, type | tuple[type, ...]], where: str) -> None:
    for key, kind in wanted.items():
        if not isinstance(found, dict) or key not in found:
            raise FormatError(f"{where}: {key!r} is missing")
        if not isinstance(found[key], kind):
            raise FormatError(f"{where}: {key!r} is {found[key]!r}")


def write(record: dict[str, Any], directory: Path, subject: str) -> Path:
    """Writes a checked record under a name of its own, `WHEN-KIND-SUBJECT.json`, and returns the path."""
    begun = datetime.datetime.fromisoformat(record["when"])
    record["took_s"] = round((datetime.datetime.now(datetime.UTC) - begun).total_seconds(), 1)
    check(record, "this record")
    stamp = record["when"][:19].replace(":", "").replace("-", "")
    safe = "".join(c if c.isalnum() or c in ".-_" else "-" for c in subject)
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(_rounded(record), separators=(", ", ": "), indent=1) + "\n"
    name, number = f"{stamp}-{record['kind']}-{safe}", 1
    while True:
        path = directory / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        try:
            with open(path, "x") as file:
                file.write(text)
            return path
        except FileExistsError:  # of another run in the same second
            number += 1


def read(path: Path) -> dict[str, Any]:
    """A record, checked."""
    try:
        record = json.loads(path.read_text())
    except ValueError as problem:
        raise FormatError(f"{path}: is no JSON: {problem}") from None
    check(record, str(path))
    result: dict[str, Any] = record
    return result


def read_all(directory: Path) -> list[dict[str, Any]]:
    """All records of a directory, oldest first."""
    return sorted((read(path) for path in directory.glob("*.json")), key=lambda record: str(record["when"]))


def judged(reason: str | None) -> dict[str, str | None]:
    """The verdict of a row, and the reason for it where it is REJECTED."""
    return {"verdict": REJECTED if reason else MEASURED, "reason": reason}


def refused(rows: Sequence[dict[str, Any]]) -> bool:
    return any(row["verdict"] == REJECTED for row in rows)


def _rounded(value: Any) -> Any:
    """Floats to six significant digits: more is noise."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("tokenloom", "llvmlite", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _commit() -> dict[str, Any]:
    """The checkout's commit, and whether the package differs from it; None for both where it runs from no checkout."""
    root = Path(tokenloom.__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return {"commit": None, "modified": None}

    def git(*words: str) -> str:
        env = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        return subprocess.run(
            ["git", "-C", str(root), *words], capture_output=True, text=True, check=True, env=env
        ).stdout

    return {
        "commit": git("rev-parse", "HEAD").strip(),
        "modified": bool(git("status", "--porcelain", "--", "src").strip()),
    }
