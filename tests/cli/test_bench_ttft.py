"""`tokenloom bench ttft` as it is called: the example of its help, several servers in turns, its artefact, Ctrl-C, and bad input."""

from __future__ import annotations

import json
import shlex

import pytest
from tests.bench.sse_server import Plan, serving

from tokenloom.bench import artefact, report, ttft_client
from tokenloom.cli.bench_ttft import EPILOG


def test_the_helps_example_runs(cli, tmp_path):
    assert EPILOG in " ".join(cli("bench", "ttft", "--help").out.split())
    words = shlex.split(EPILOG.removeprefix("Example: "))
    with serving(Plan(first=0.001, gap=0.0005)) as plan:
        here = [plan.url if word == "http://127.0.0.1:8080" else word for word in words[1:]]
        assert here != words[1:]
        outcome = cli(*here, "--out", str(tmp_path))
    assert outcome.code == 0
    assert f"| {plan.url}, 2 clients |" in outcome.out
    assert outcome.out.rstrip().endswith("| 12 | measured |")
    assert len(plan.asked) == 13  # and one to warm up
    assert {asked["max_tokens"] for asked in plan.asked} == {8}
    assert {len(prompt.split()) for prompt in plan.prompts} == {40}


def test_several_servers_take_turns(cli, tmp_path):
    with serving(Plan(first=0.001, gap=0)) as one, serving(Plan(first=0.02, gap=0, cached=99)) as two:
        outcome = cli(
            "bench", "ttft", one.url, two.url, "--requests", "10", "--rounds", "3", "--out", str(tmp_path), "--json"
        )
    assert outcome.code == 3
    record = json.loads(outcome.out)
    (file,) = tmp_path.glob("*.json")
    assert [row["verdict"] for row in artefact.read(file)["rows"]] == ["measured", "REJECTED"]
    shown = report.performance(artefact.read_all(tmp_path))
    assert all(f" | {p.url}, 1 client | " in shown for p in (one, two))
    first, second = record["rows"]
    assert (first["finished"], second["finished"]) == (10, 10)
    assert first["ttft"]["p50"] < second["ttft"]["p50"]
    assert "prefix-cache hit" in second["reason"]
    # 4 + 3 + 3 requests, A B, B A, A B
    assert [line for line in outcome.err.splitlines() if "requests" in line] == [
        f"tokenloom: {url}: {n} requests" for n, pair in ((4, (one, two)), (3, (two, one)), (3, (one, two))) for url in (p.url for p in pair)
    ]  # fmt: skip


def test_ctrl_c_keeps_what_was_finished(cli, tmp_path, monkeypatch):
    loop = ttft_client.closed_loop

    def interrupted(target, texts, clients, requests, into):
        loop(target, texts, clients, 7, into)
        raise KeyboardInterrupt

    monkeypatch.setattr(ttft_client, "closed_loop", interrupted)
    with serving(Plan(first=0, gap=0)) as plan:
        outcome = cli("bench", "ttft", plan.url, "--out", str(tmp_path))
    assert outcome.code == 130
    assert "| 7 | measured |" in outcome.out
    (file,) = tmp_path.glob("*.json")
    assert artefact.read(file)["interrupted"]


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ([], 2, "URL"),
        (["nonsense://x"], 1, "no server's address"),
        (["http://127.0.0.1:9"], 1, "cannot be reached"),
        (["http://127.0.0.1:9", "--served-model", "m"], 1, "did not answer a first request"),
        (["http://127.0.0.1:9", "--clients", "0"], 2, "--clients"),
        (["http://127.0.0.1:9", "--api", "grpc"], 2, "give chat or completions"),
        (["http://127.0.0.1:9", "--api-key-env", "NO_SUCH_VARIABLE"], 2, "NO_SUCH_VARIABLE"),
        (["http://127.0.0.1:9", "--slo-ttft", "-1"], 2, "--slo-ttft"),
    ],
)
def test_bad_input_is_one_line(arguments, code, named, cli, tmp_path):
    outcome = cli("bench", "ttft", *arguments, "--out", str(tmp_path))
    assert outcome.code == code
    assert outcome.out == ""
    complaint = [line for line in outcome.err.splitlines() if "to warm up" not in line]
    assert len(complaint) == 1
    assert named in complaint[0]
    assert list(tmp_path.iterdir()) == []
