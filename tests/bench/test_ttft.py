"""Times as a planned server makes them, loads as clients make them, and rows that are refused by name."""

from __future__ import annotations

import itertools
import threading
import time

import numpy as np
import pytest
from tests.bench.sse_server import Plan, serving
from tests.formats.gguf_build import tiny_llama

from tokenloom.bench import ttft
from tokenloom.bench.sessions_arms import Server
from tokenloom.bench.ttft import Limits, Reply, reason, row
from tokenloom.bench.ttft_client import Target, closed_loop, prompts
from tokenloom.errors import RequestError, TokenloomError


def loop(target: Target, clients: int, requests: int) -> list[Reply]:
    replies: list[Reply] = []
    closed_loop(target, prompts(20), clients, requests, replies.append)
    return replies


# ---- against a planned server -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("api", ["chat", "completions"])
def test_times_are_the_planned_ones(api):
    with serving(Plan(first=0.05, gap=0.01, pieces=8)) as plan:
        target = Target(plan.url, api)
        target.find_model()
        replies = loop(target, 1, 6)
    assert [reply.error for reply in replies] == [None] * 6
    assert {len(reply.pieces) for reply in replies} == {8}
    # a busy machine makes waits longer, never shorter
    assert min(reply.ttft for reply in replies) >= 0.05
    assert min(reply.tpot for reply in replies) >= 0.01
    assert np.median([gap for reply in replies for gap in reply.gaps]) < 0.05
    assert min(reply.ttft for reply in replies) < 0.15
    for reply in replies:
        assert reply.ttft + sum(reply.gaps) == pytest.approx(reply.pieces[-1])
        assert reply.pieces[-1] <= reply.seconds
        assert (reply.tokens, reply.prompt_tokens) == (8, 100)
    assert {asked["path"] for asked in plan.asked} == {f"/v1/{'chat/completions' if api == 'chat' else 'completions'}"}
    assert {asked["model"] for asked in plan.asked} == {"planned"}


def test_a_closed_loop_keeps_its_clients_busy_and_no_more():
    with serving(Plan(first=0.02, gap=0.002)) as plan:
        replies = loop(Target(plan.url, model="m"), 5, 30)
    assert len(replies) == len(plan.asked) == 30
    assert plan.most_at_once == 5


def test_no_two_prompts_begin_alike():
    with serving(Plan(first=0, gap=0)) as plan:
        target = Target(plan.url, model="m")
        loop(target, 3, 20)
        loop(target, 3, 20)
        firsts = {prompt.split()[0] for prompt in plan.prompts}
    assert len(firsts) == 40
    assert [p for p, _ in zip(prompts(5, "run"), range(3), strict=False)] == list(
        itertools.islice(prompts(5, "run"), 3)
    )
    assert len(next(prompts(200)).split()) == 200


def test_what_a_server_may_be_called():
    with serving(Plan(first=0, gap=0)) as plan:
        for url in (plan.url, f"{plan.url}/", f"{plan.url}/v1", plan.url.removeprefix("http://")):
            target = Target(url)
            target.find_model()
            assert target.model == "planned"
            assert target.ask("hello").error is None
        assert Target(f"{plan.url}/v1", model="m", key="secret", ignore_eos=True).ask("hi").error is None
    assert plan.asked[-1]["key"] == "Bearer secret"
    assert plan.asked[-1]["ignore_eos"] is True
    assert "ignore_eos" not in plan.asked[0]
    for wrong in ("ftp://here", "http://", "http://here:port", ""):
        with pytest.raises(RequestError, match="no server's address"):
            Target(wrong)


def test_a_server_that_is_not_there():
    with pytest.raises(TokenloomError, match="cannot be reached"):
        Target("http://127.0.0.1:9").find_model()
    with serving(Plan()) as plan, pytest.raises(TokenloomError, match=r"404.*--served-model"):
        Target(f"{plan.url}/other").find_model()


@pytest.mark.parametrize(
    ("how", "said"),
    [("500", "status 500: no such luck"), ("broken", "without [DONE]"), ("error", "out of pages")],
)
def test_failures_are_counted_and_named(how, said):
    with serving(Plan(first=0, gap=0, fail={3: how})) as plan:
        replies = loop(Target(plan.url, model="m"), 2, 12)
    found = row(plan.url, replies, 2, 1.0, Limits())
    assert (found["requests"], found["finished"]) == (12, 11)
    assert found["verdict"] == "REJECTED"
    assert "1 of 12 requests failed" in found["reason"]
    assert said in found["reason"]


def test_a_stream_without_text_is_a_failure():
    with serving(Plan(pieces=0)) as plan:
        assert Target(plan.url, model="m").ask("x").error == "the stream held no text"


def test_a_prefix_cache_hit_is_refused_by_name():
    for cached, refused in ((None, False), (0, False), (40, False), (90, True)):
        with serving(Plan(first=0, gap=0, cached=cached)) as plan:
            found = row(plan.url, loop(Target(plan.url, model="m"), 1, 6), 1, 1.0, Limits())
        assert (found["verdict"] == "REJECTED") is refused
        assert found["most_cached"] == cached
        if refused:
            assert "prefix-cache hit: 90 of a new prompt's 100 tokens" in found["reason"]


def test_an_interrupt_leaves_the_finished_and_breaks_off_the_rest():
    with serving(Plan(first=0.02, gap=0.0)) as plan:
        replies: list[Reply] = []

        def take(reply: Reply) -> None:
            replies.append(reply)
            plan.first = 60.0  # from now on nobody is answered

        real = threading.Thread.join

        def join(self: threading.Thread, timeout: float | None = None) -> None:
            real(self, timeout)
            if replies and self.name.startswith("client"):
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(threading.Thread, "join", join)
            with pytest.raises(KeyboardInterrupt):
                closed_loop(Target(plan.url, model="m"), prompts(5), 2, 50, take)
        deadline = time.monotonic() + 5
        while any(t.name.startswith("client") for t in threading.enumerate()) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not [t for t in threading.enumerate() if t.name.startswith("client")]
    assert replies
    assert all(reply.error is None for reply in replies)


# ---- what is made of replies ---------------------------------------------------------------------------------------------


def reply(first: float, gap: float, count: int = 5, **more: object) -> Reply:
    return Reply([first + i * gap for i in range(count)], first + count * gap, tokens=count, **more)


def test_percentiles_are_numpys():
    values = np.random.default_rng(0).exponential(1, 57).tolist()
    assert np.allclose(ttft.percentiles(values, (50, 90, 99)), np.percentile(values, (50, 90, 99)))
    assert ttft.percentiles([3.0], (50, 99)) == [3.0, 3.0]


def test_goodput_counts_requests_that_keep_both_limits():
    replies = [*[reply(0.1, 0.01)] * 4, *[reply(0.5, 0.01)] * 3, *[reply(0.1, 0.05)] * 2]
    assert row("s", replies, 1, 2.0, Limits())["goodput"] == 4.5
    assert row("s", replies, 1, 2.0, Limits(ttft=0.2))["goodput"] == 3.0
    assert row("s", replies, 1, 2.0, Limits(tpot=0.02))["goodput"] == 3.5
    assert row("s", replies, 1, 2.0, Limits(0.2, 0.02))["goodput"] == 2.0


def test_a_rows_figures():
    found = row("s", [reply(0.1 * i, 0.02) for i in range(1, 11)], 2, 4.0, Limits())
    assert found["ttft"]["p50"] == pytest.approx(0.55)
    assert found["ttft"]["ci_low"] < 0.55 < found["ttft"]["ci_high"]
    assert found["gaps"]["p99"] == pytest.approx(0.02)
    assert (found["gaps"]["n"], found["tokens"], found["tokens_per_s"]) == (40, 50, 12.5)
    assert (found["requests_per_s"], found["tokens_per_piece"], found["tpot_p50"]) == (2.5, 1.0, pytest.approx(0.02))
    packed = [Reply([0.1, 0.2], 0.3, tokens=9)] * 6
    assert row("s", packed, 1, 1.0, Limits())["tokens_per_piece"] == 4.5
    assert packed[0].tpot == pytest.approx(0.1 / 8)


def test_few_or_no_replies_say_nothing():
    assert reason([reply(0.1, 0.1)] * 6) is None
    assert "5 requests finished; 6 are needed" in str(reason([reply(0.1, 0.1)] * 5))
    found = row("s", [Reply(error="status 500: x")] * 9, 1, 1.0, Limits())
    assert found["ttft"] is None
    assert found["reason"] == "0 requests finished; 6 are needed (status 500: x)"


# ---- against llama.cpp's server ------------------------------------------------------------------------------------------


def test_llama_cpps_server_is_understood(tmp_path):
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: a real server's stream is unproved")
    path = tiny_llama(tmp_path / "tiny.gguf", ctx=512)
    server = Server(path, threads=1, slots=2, ctx=512, flash=False)
    try:
        target = Target(server.url, "completions", max_tokens=9, ignore_eos=True)
        target.find_model()
        replies = loop(target, 2, 8)
    finally:
        server.close()
    assert [reply.error for reply in replies] == [None] * 8
    assert {reply.tokens for reply in replies} == {9}
    assert all(reply.cached_tokens is not None and reply.prompt_tokens for reply in replies)
    assert reason(replies) is None
