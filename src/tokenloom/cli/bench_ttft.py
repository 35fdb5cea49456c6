"""`tokenloom bench ttft`: what users of a streaming server wait for. Knows arguments and output; knows nothing of measuring."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Annotated

import typer

from tokenloom.cli import bench_options, options
from tokenloom.cli.exits import DONE, REFUSED
from tokenloom.errors import TokenloomError

EPILOG = "Example: tokenloom bench ttft http://127.0.0.1:8080 --clients 2 --requests 12 --words 40 --tokens 8"

Urls = Annotated[
    list[str], typer.Argument(metavar="URL...", help="Servers with OpenAI's API, http://HOST:PORT or .../v1.", show_default=False)
]  # fmt: skip
Clients = Annotated[
    int, typer.Option("--clients", metavar="INTEGER", parser=options.whole(1, 4096), help="Requests under way at once.")
]
Requests = Annotated[
    int, typer.Option("--requests", metavar="INTEGER", parser=options.whole(1), help="Requests to each server.")
]
Words = Annotated[
    int, typer.Option("--words", metavar="INTEGER", parser=options.whole(1), help="Length of a prompt, in words.")
]
Tokens = Annotated[
    int, typer.Option("-n", "--tokens", metavar="INTEGER", parser=options.whole(1), help="Tokens asked for, at most.")
]
Api = Annotated[str, typer.Option("--api", metavar="chat|completions", help="The route that is asked.")]
Served = Annotated[
    str | None, typer.Option("--served-model", metavar="NAME", help="The model's name there (else the first it names).")
]
SloTtft = Annotated[
    float | None,
    typer.Option(
        "--slo-ttft",
        metavar="SECONDS",
        parser=options.real(0, 1e6),
        help="Goodput counts requests with a TTFT up to this.",
    ),
]
SloTpot = Annotated[
    float | None,
    typer.Option(
        "--slo-tpot",
        metavar="SECONDS",
        parser=options.real(0, 1e6),
        help="... and with so many seconds per later token.",
    ),
]
Rounds = Annotated[
    int, typer.Option("--rounds", metavar="INTEGER", parser=options.whole(1), help="Turns that several servers take.")
]
KeyFrom = Annotated[
    str | None, typer.Option("--api-key-env", metavar="NAME", help="Environment variable that holds the API key.")
]
IgnoreEos = Annotated[
    bool, typer.Option("--ignore-eos", help="Ask servers that know the field to go on past the end of text.")
]


def command(
    urls: Urls,
    clients: Clients = 1,
    requests: Requests = 32,
    words: Words = 200,
    tokens: Tokens = 64,
    api: Api = "chat",
    served: Served = None,
    slo_ttft: SloTtft = None,
    slo_tpot: SloTpot = None,
    rounds: Rounds = 4,
    key_from: KeyFrom = None,
    ignore_eos: IgnoreEos = False,
    out: bench_options.Out = None,
    as_json: bench_options.AsJson = False,
) -> int:
    """Time to first token, time between pieces of text and goodput of streaming servers, in a closed loop of clients; milliseconds.

    No two prompts begin alike, so caches of prefixes do not help; a server that says it found one is REJECTED (exit code 3).
    Several servers are asked in turns: A B, B A, ...
    """
    from tokenloom.bench import artefact, tables, ttft
    from tokenloom.bench.ttft_client import APIS, Target, closed_loop, prompts

    if api not in APIS:
        raise typer.BadParameter(f"{api} is not valid; give chat or completions", param_hint="--api")
    if key_from is not None and key_from not in os.environ:
        raise typer.BadParameter(f"there is no environment variable {key_from}", param_hint="--api-key-env")
    key = os.environ[key_from] if key_from else None
    targets = [Target(url, api, served or "", tokens, ignore_eos, key) for url in urls]
    limits, texts = ttft.Limits(slo_ttft, slo_tpot), prompts(words)
    for target in targets:
        target.find_model()
        bench_options.say(f"{target.url}: a request to warm up")
        if wrong := target.ask(next(texts)).error:
            raise TokenloomError(f"{target.url} did not answer a first request: {wrong}")
    replies: list[list[ttft.Reply]] = [[] for _ in targets]
    seconds = [0.0] * len(targets)
    shares = [requests // rounds + (i < requests % rounds) for i in range(rounds)] if len(targets) > 1 else [requests]
    record = artefact.begin("ttft")
    try:
        for turn, share in enumerate(shares):
            for i in range(len(targets)) if turn % 2 == 0 else reversed(range(len(targets))):
                bench_options.say(f"{targets[i].url}: {share} requests")
                begun = time.perf_counter()
                try:
                    closed_loop(targets[i], texts, clients, share, replies[i].append)
                finally:
                    seconds[i] += time.perf_counter() - begun
    except KeyboardInterrupt:
        record["interrupted"] = True
        raise
    finally:
        record["engines"] = {
            t.url: {"name": t.url, "model": t.model, "api": t.api, "words": words, "tokens": tokens} for t in targets
        }
        record["rows"] = [
            ttft.row(t.url, mine, clients, s, limits) for t, mine, s in zip(targets, replies, seconds, strict=True) if mine
        ]  # fmt: skip
        if record["rows"]:
            written = artefact.write(record, out or artefact.RESULTS, "servers")
            bench_options.say(f"wrote {written}")
            shown = json.dumps(record, indent=1) + "\n" if as_json else tables.servers_table(record["rows"])
            sys.stdout.write(shown)
    return REFUSED if artefact.refused(record["rows"]) else DONE
