"""`tokenloom batch`: order, resuming, bad lines, samples; its answers are those of `generate`."""

from __future__ import annotations

import fcntl
import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.formats.gguf_build import CHATML, tiny_llama

import tokenloom
from tokenloom.cli import batch
from tokenloom.errors import NonFiniteLogitsError
from tokenloom.runtime.many import Result
from tokenloom.runtime.scheduler import Scheduler

ASK = {"max_tokens": 6, "ignore_eos": True}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("batch") / "m.gguf", template=CHATML, ctx=256)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(path: Path, *lines: Any) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def alone(file: Path, *asks: dict[str, Any]) -> list[str]:
    with tokenloom.load(file, threads=1) as model:
        texts = []
        for ask in asks:
            settings = {**ASK, "reuse": False, **ask}
            begin = model.chat if "messages" in settings else model.generate
            texts.append("".join(begin(settings.pop("messages", None) or settings.pop("prompt"), **settings)))
        return texts


def count_jobs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many are submitted from here on."""
    seen = [0]
    submit = Scheduler.submit

    def counted(self: Scheduler, jobs: Any) -> None:
        jobs = [*jobs]
        seen[0] += len(jobs)
        submit(self, jobs)

    monkeypatch.setattr(Scheduler, "submit", counted)
    return seen


FLAGS = ("-n", "6", "--ignore-eos", "-t", "1")


def test_answers_are_those_of_generate_in_order(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    asks = [
        {"prompt": "the cat", "id": "a"},
        {"messages": [{"role": "user", "content": "hello"}], "temp": 0.9, "seed": 4},
        {"prompt": "the cat sat", "raw": True, "max_tokens": 2},
        {"prompt": "the cat", "system": "be brief", "stop": "e"},
        {"prompt": "the cat", "id": 7},
    ]
    written(folder / "in.jsonl", *asks[:2], "", *asks[2:])
    outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert (outcome.code, outcome.out) == (0, ""), outcome.err
    got = read(folder / "in.out.jsonl")
    assert [g["text"] for g in got] == alone(file, *({k: v for k, v in ask.items() if k != "id"} for ask in asks))
    assert [(g["line"], g["sample"], g.get("id")) for g in got] == [
        (1, 0, "a"),
        (2, 0, None),
        (4, 0, None),
        (5, 0, None),
        (6, 0, 7),
    ]
    assert got[0]["key"] == got[4]["key"] != got[1]["key"]
    assert [len(g["tokens"]) for g in got[:3]] == [6, 6, 2]
    assert set(got[1]) == {
        "line",
        "sample",
        "text",
        "tokens",
        "finish_reason",
        "cached_tokens",
        "prefilled_tokens",
        "key",
    }
    assert outcome.err.startswith("4 answers | prompts ")  # two lines ask the same
    assert outcome.err.endswith("in.out.jsonl\n")
    assert [p.name for p in folder.iterdir() if "out" in p.name] == ["in.out.jsonl"]


def test_samples_share_their_prompt(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    prompt = "the cat and the dog went out " * 3
    written(folder / "in.jsonl", {"prompt": prompt, "raw": True}, {"prompt": "of", "n": 2, "seed": 2**64 - 1})
    outcome = cli("batch", str(file), "in.jsonl", *FLAGS, "--samples", "5", "--temp", "1.2", "-s", "3")
    assert outcome.code == 0, outcome.err
    got = read(folder / "in.out.jsonl")
    assert [(g["line"], g["sample"]) for g in got] == [(1, n) for n in range(5)] + [(2, 0), (2, 1)]
    seeds = [{"seed": 3 + n, "prompt": prompt, "raw": True, "temp": 1.2} for n in range(5)]
    seeds += [{"seed": seed, "prompt": "of", "temp": 1.2} for seed in (2**64 - 1, 0)]
    assert [g["text"] for g in got] == alone(file, *seeds)
    assert len({g["text"] for g in got[:5]}) > 1
    assert got[0]["prefilled_tokens"] > 32
    assert all(g["prefilled_tokens"] < 16 for g in got[1:5])


BAD = [
    ("not json", "not JSON"),
    ("[1]", "not an object"),
    ('"text"', "not an object"),
    ("{}", "give prompt or messages"),
    ('{"prompt": "a", "messages": []}', "give prompt or messages"),
    ('{"prompt": 3}', "prompt is 3; give a text"),
    ('{"prompt": "a", "tmep": 1}', "'tmep' is not a field"),
    ('{"prompt": "a", "n": 0}', "n=0 is not valid"),
    ('{"prompt": "a", "n": true}', "n=True is not valid"),
    ('{"prompt": "a", "seed": "x"}', "seed='x' is not valid"),
    ('{"prompt": "a", "seed": -1}', "seed=-1 is not valid"),
    ('{"prompt": "a", "temp": -1}', "temp=-1 is not valid"),
    ('{"prompt": "a", "raw": "no"}', 'raw is "no"; give true or false'),
    ('{"prompt": "\\ud800"}', "surrogate"),
    ('{"prompt": ""}', None),
    ('{"prompt": "", "raw": true}', "empty"),
    ('{"messages": [{"role": "user"}]}', "content"),
    ('{"messages": [{"role": "user", "content": "a"}], "raw": true}', "raw= takes a prompt"),
    (json.dumps({"prompt": "word " * 300}), "the context 256"),
    ("[" * 100_000, "not JSON"),
]  # fmt: skip


def test_bad_lines_are_named_and_lose_no_others(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    lines = [line for pair in BAD for line in (pair[0], {"prompt": "the"})]
    written(folder / "in.jsonl", *lines)
    outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert outcome.code == 1
    assert "Traceback" not in outcome.err
    got = read(folder / "in.out.jsonl")
    assert [g["line"] for g in got] == list(range(1, len(lines) + 1))
    assert len({g["text"] for g in got[1::2]}) == 1
    for (line, problem), answer in zip(BAD, got[::2], strict=True):
        if problem is None:
            assert "text" in answer, line
            continue
        assert problem in answer["error"], line
        assert f"line {answer['line']}: " in outcome.err
        assert "text" not in answer
    failed = sum(problem is not None for _, problem in BAD)
    assert f" | {failed} of the lines failed: 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, … | " in outcome.err


def test_mended_lines_alone_are_asked_again(
    cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder / "in.jsonl", {"prompt": "a"}, "oops", {"prompt": "b", "temp": -1}, {"prompt": "c"})
    assert cli("batch", str(file), "in.jsonl", *FLAGS).code == 1
    first = read(folder / "in.out.jsonl")
    seen = count_jobs(monkeypatch)
    written(folder / "in.jsonl", {"prompt": "new"}, {"prompt": "a"}, {"prompt": "b"}, {"prompt": "c", "id": 1})
    outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert outcome.code == 0, outcome.err
    assert seen == [2]
    assert "4 answers (2 found from before)" in outcome.err
    got = read(folder / "in.out.jsonl")
    assert [g["text"] for g in got] == alone(file, *({"prompt": p} for p in ("new", "a", "b", "c")))
    assert (got[1]["text"], got[1]["line"], got[3]["id"]) == (first[0]["text"], 2, 1)
    before = (folder / "in.out.jsonl").read_bytes()
    assert cli("batch", str(file), "in.jsonl", *FLAGS).code == 0
    assert (seen, (folder / "in.out.jsonl").read_bytes()) == ([2], before)
    # another setting is another question
    assert cli("batch", str(file), "in.jsonl", *FLAGS, "--temp", "0.5").code == 0
    assert seen == [6]


def test_another_model_s_answers_are_not_taken(
    cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder / "in.jsonl", {"prompt": "a"})
    seen = count_jobs(monkeypatch)
    other = tiny_llama(folder / "other.gguf", template=CHATML, ctx=256, seed=3)
    template = tiny_llama(folder / "template.gguf", template=CHATML + " ", ctx=256)
    for path, more in ((file, ()), (other, ()), (template, ()), (file, ("--kv-dtype", "f32")), (file, ())):
        assert cli("batch", str(path), "in.jsonl", *FLAGS, *more).code == 0
    assert seen == [5]


def test_standard_streams(cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(json.dumps({"prompt": p, "n": n}) + "\n" for p, n in (("a", 2), ("b", 1), ("a", 2))) + "oops"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    printed = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", printed)
    assert cli("batch", str(file), "-", *FLAGS).code == 1
    got = [json.loads(line) for line in printed.buffer.getvalue().splitlines()]
    assert [(g["line"], g.get("sample")) for g in got] == [(1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (4, None)]
    assert [g["text"] for g in got[:3]] == alone(file, {"prompt": "a"}, {"prompt": "a", "seed": 1}, {"prompt": "b"})
    assert [*folder.iterdir()] == []


def test_files_in_the_way_are_left_alone(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    written(folder / "in.jsonl", {"prompt": "a"})
    for content in ("precious\n", '{"line": 1}\n', "[]\n", '{"key": "a"}\n'):
        (folder / "in.out.jsonl").write_text(content)
        outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
        assert outcome.code == 1
        assert "in.out.jsonl: there is such a file, and it is no output of batch" in outcome.err
        assert (folder / "in.out.jsonl").read_text() == content
        assert not (folder / "in.out.jsonl.part").exists()
    for output, code, named in (
        ("in.jsonl", 2, "file of the requests"),
        (".", 2, "a folder"),
        ("no/such", 1, "no/such.part: cannot be used: No such"),
    ):
        outcome = cli("batch", str(file), "in.jsonl", "-o", output)
        assert (outcome.code, named in outcome.err) == (code, True), outcome.err
    assert "cannot read absent" in cli("batch", str(file), "absent").err
    assert cli("batch").code == 2
    assert cli("batch", str(file)).code == 2


CHILD = [sys.executable, "-m", "tokenloom", "batch"]


def test_a_killed_run_goes_on(
    cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed without warning, twice, and with a line cut in half: the answers are those of one run."""
    asks = [{"prompt": f"the cat {n}", "temp": 1.0, "max_tokens": 60 + n % 20} for n in range(600)]
    written(folder / "in.jsonl", *asks)
    part = folder / "in.out.jsonl.part"
    sizes = [0]
    for kind in (signal.SIGKILL, signal.SIGINT):
        child = subprocess.Popen([*CHILD, str(file), "in.jsonl", *FLAGS], stderr=subprocess.PIPE, text=True)
        while child.poll() is None and (not part.exists() or part.stat().st_size < sizes[-1] + 2000):
            time.sleep(0.002)
        child.send_signal(kind)
        _, err = child.communicate(timeout=60)
        assert child.returncode == (-signal.SIGKILL if kind == signal.SIGKILL else 130), err
        if kind == signal.SIGINT:
            assert "of 600 answers are kept in in.out.jsonl.part; the same command goes on from there" in err
        sizes.append(part.stat().st_size)
    assert not (folder / "in.out.jsonl").exists()
    with part.open("ab") as kept:
        kept.write(b'{"line": 3, "text": "half')
    known = part.read_bytes().count(b"\n")
    seen = count_jobs(monkeypatch)
    assert cli("batch", str(file), "in.jsonl", *FLAGS).code == 0
    assert 0 < seen[0] == len(asks) - known
    got = read(folder / "in.out.jsonl")
    assert [g["line"] for g in got] == list(range(1, 601))
    written(folder / "again.jsonl", *asks)
    assert cli("batch", str(file), "again.jsonl", *FLAGS).code == 0
    assert [g["text"] for g in got] == [g["text"] for g in read(folder / "again.out.jsonl")]
    assert not part.exists()


def test_two_runs_do_not_write_one_file(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    written(folder / "in.jsonl", {"prompt": "a"})
    with (folder / "in.out.jsonl.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert outcome.code == 1
    assert "in.out.jsonl.part: another run is writing it" in outcome.err
    assert cli("batch", str(file), "in.jsonl", *FLAGS).code == 0


def test_what_failed_is_asked_again(
    cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder / "in.jsonl", {"prompt": "a", "n": 2}, {"prompt": "b"})
    result = batch._Run.ended

    def failing(self: Any, number: int, outcome: Result) -> None:
        error = NonFiniteLogitsError("step 3 computed a NaN", 0) if number == 1 else None
        result(self, number, Result("", [], None, 0, 0, None, error) if error else outcome)

    with monkeypatch.context() as patched:
        patched.setattr(batch._Run, "ended", failing)
        outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert outcome.code == 1
    assert "tokenloom: line 1: step 3 computed a NaN\n" in outcome.err
    got = read(folder / "in.out.jsonl")
    assert (got[1]["error"], got[1]["sample"]) == ("step 3 computed a NaN", 1)
    seen = count_jobs(monkeypatch)
    assert cli("batch", str(file), "in.jsonl", *FLAGS).code == 0
    assert seen == [1]
    assert all("text" in g for g in read(folder / "in.out.jsonl"))


def test_progress_without_a_terminal(
    cli: Callable[..., Any], file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder / "in.jsonl", *({"prompt": f"a{n}"} for n in range(3)))
    monkeypatch.setattr(batch, "_BEAT", -1.0)
    outcome = cli("batch", str(file), "in.jsonl", *FLAGS)
    assert [line.split(", ")[0] for line in outcome.err.splitlines()[:3]] == [
        f"tokenloom: {n} of 3 answered" for n in (1, 2, 3)
    ]


def test_guesses_change_no_answer_and_no_question(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    """Answers found without guessing serve a run that guesses, and the other way round."""
    asks = [{"prompt": "the cat sat on the mat and " * 3, "temp": temp, "raw": True} for temp in (0, 0.4)]
    requests = written(folder / "in.jsonl", *asks)
    flags = ("-n", "60", "--ignore-eos", "-t", "1", "--raw")
    assert cli("batch", str(file), str(requests), *flags, "-o", "plain.jsonl").code == 0
    told = cli("batch", str(file), str(requests), *flags, "-o", "ahead.jsonl", "--speculate", "ngram")
    plain, ahead = read(folder / "plain.jsonl"), read(folder / "ahead.jsonl")
    drafts = [answer.pop("drafts") for answer in ahead]
    same = ("text", "tokens", "finish_reason", "key")
    assert [{name: a[name] for name in same} for a in ahead] == [{name: a[name] for name in same} for a in plain]
    drafted, accepted = (sum(d[name] for d in drafts) for name in ("drafted", "accepted"))
    assert drafted > 0
    assert f"{accepted} of {drafted} guesses right" in told.err
    assert "guesses" not in cli("batch", str(file), str(requests), *flags, "-o", "ahead.jsonl").err
    assert read(folder / "ahead.jsonl")[0]["drafts"] == drafts[0]


def test_a_model_guesses_for_one_text_at_a_time(cli: Callable[..., Any], file: Path, folder: Path) -> None:
    requests = written(folder / "in.jsonl", {"prompt": "a"})
    outcome = cli("batch", str(file), str(requests), "--speculate", str(file))
    assert outcome.code == 2
    assert "guessed from themselves alone: give ngram" in " ".join(outcome.err.split())
