"""Files that appear whole or not at all: what is in the way is said, and what a killed process left is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tokenloom.errors import RequestError
from tokenloom.formats.draft import drafted

_DIES = """
import os, signal, sys
from pathlib import Path
from tokenloom.formats.draft import drafted
with drafted(Path(sys.argv[1]), overwrite=False) as file:
    file.write(b"half of it, and more of it than the next one has")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_what_a_killed_writer_left_is_written_over(tmp_path: Path) -> None:
    out = tmp_path / "m.loom"
    died = subprocess.run([sys.executable, "-c", _DIES, str(out)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1
    assert not out.exists()
    with drafted(out, overwrite=False) as file:
        file.write(b"whole")
    assert names(tmp_path) == ["m.loom"]
    assert out.read_bytes() == b"whole"


def test_a_second_writer_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    out = tmp_path / "m.loom"
    with drafted(out, overwrite=True) as file:
        file.write(b"first")
        file.flush()
        with pytest.raises(RequestError, match="another process is writing it"), drafted(out, overwrite=True):
            pass
    assert names(tmp_path) == ["m.loom"]
    assert out.read_bytes() == b"first"


def test_a_full_disk_is_said_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (out := tmp_path / "m.loom").write_bytes(b"mine")
    monkeypatch.setattr(os, "fsync", full)
    said = r"m\.loom: cannot be written: No space left on device; give a path"
    with pytest.raises(RequestError, match=said), drafted(out, overwrite=True):
        pass
    assert names(tmp_path) == ["m.loom"]
    assert out.read_bytes() == b"mine"


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "m.loom")
    for overwrite in (False, True):
        with pytest.raises(RequestError, match="is no regular file"), drafted(pipe, overwrite=overwrite):
            pass
    assert pipe.is_fifo()
    assert names(tmp_path) == ["m.loom"]
