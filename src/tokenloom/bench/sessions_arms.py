"""The ways of answering many agents: re-prefill everything, a cache for each, shared pages and joint steps, and llama.cpp's server.

Knows how an arm is asked for one turn of all agents, and what it says of it. Knows nothing of time, of the counts that are expected, or of tables.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from tokenloom.bench.sessions import OWN, PEER, REPREFILL, SHARED, Cell
from tokenloom.errors import RunError, TokenloomError, UnsupportedError
from tokenloom.runtime.model import Model

SERVER = Path(__file__).with_name("sessions_server.py")
_PATIENCE = 600  # seconds that llama.cpp may take for an answer


@dataclass(frozen=True)
class Turn:
    """What one turn of all agents came to: prompt tokens computed, and the tokens generated for each agent."""

    prefilled: int
    generated: list[list[int]]


class Arm(Protocol):
    """`turn` takes every agent's whole text so far and answers each with `decode` more tokens, greedily."""

    name: str
    pids: list[int]

    def turn(self, texts: list[list[int]]) -> Turn: ...

    def close(self) -> None: ...


class Reprefill:
    """One agent after another, nothing kept."""

    name = REPREFILL

    def __init__(self, model: Model, cell: Cell) -> None:
        self._model, self._cell = model, cell
        self.pids: list[int] = []

    def turn(self, texts: list[list[int]]) -> Turn:
        prefilled, generated = 0, []
        for text in texts:
            running = self._model.generate_tokens(text, reuse=False, max_tokens=self._cell.decode, ignore_eos=True)
            generated.append(list(running))
            prefilled += running.timings.prompt_tokens
        return Turn(prefilled, generated)

    def close(self) -> None:
        """Nothing is held."""


class Own:
    """One agent after another, each with a session that shares nothing."""

    name = OWN

    def __init__(self, model: Model, cell: Cell) -> None:
        self._cell = cell
        self._sessions = [model.session(reuse=False) for _ in range(cell.agents)]
        self.pids: list[int] = []

    def turn(self, texts: list[list[int]]) -> Turn:
        prefilled, generated = 0, []
        for session, text in zip(self._sessions, texts, strict=True):
            new = text[len(session.tokens) :]
            running = session.generate(new, max_tokens=self._cell.decode, ignore_eos=True)
            for _ in running:
                pass
            generated.append(running.tokens)
            prefilled += running.timings.prompt_tokens
        return Turn(prefilled, generated)

    def close(self) -> None:
        for session in self._sessions:
            session.close()


class Shared:
    """All agents together: common pages once, joint steps."""

    name = SHARED

    def __init__(self, model: Model, cell: Cell) -> None:
        self._model, self._cell = model, cell
        self.pids: list[int] = []

    def turn(self, texts: list[list[int]]) -> Turn:
        results = self._model.generate_many(texts, max_tokens=self._cell.decode, ignore_eos=True)
        for result in results:
            if result.error:
                raise result.error
        return Turn(sum(result.prefilled_tokens for result in results), [result.tokens for result in results])

    def close(self) -> None:
        """Its pages are the model's, and may be given up for others."""


class Server:
    """llama.cpp's HTTP server in a process of its own."""

    def __init__(self, model: Path, *, threads: int, slots: int, ctx: int, flash: bool) -> None:
        if find_spec("xllamacpp") is None:
            raise UnsupportedError(
                "llama.cpp's server comes from the xllamacpp package; pip install it, or leave llama.cpp out of --arms"
            )
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        asked = {"model": str(model), "threads": threads, "slots": slots, "ctx": ctx, "flash": flash}
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), json.dumps(asked)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True, process_group=0,
        )  # fmt: skip
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._said.seek(0)
            last = self._said.read().decode("utf-8", "replace").strip().splitlines()[-1:]
            self.close()
            raise TokenloomError(f"llama.cpp's server did not start: {last[0] if last else 'it said nothing'}")
        self.about: dict[str, str] = json.loads(line)
        self.url, self.pid = self.about["url"], self._process.pid

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._said.close()


class Peer:
    """llama.cpp: all agents at once, each in a slot of its own whose cache it finds again. Stopped except while it answers."""

    name = PEER

    def __init__(self, model: Path, cell: Cell, *, threads: int, flash: bool) -> None:
        self._cell, self.flash, self.threads = cell, flash, threads
        self.server = Server(model, threads=threads, slots=cell.agents, ctx=-(-cell.ctx // 256) * 256, flash=flash)
        self.pids = [self.server.pid]
        self._where = urlsplit(self.server.url)
        self._clients = ThreadPoolExecutor(cell.agents, "agent")

    def _ask(self, slot: int, text: list[int]) -> dict[str, Any]:
        request = {
            "prompt": text, "n_predict": self._cell.decode, "id_slot": slot, "cache_prompt": True, "ignore_eos": True,
            "temperature": 0, "top_k": 1, "samplers": ["top_k"], "return_tokens": True,
        }  # fmt: skip
        # the server closes a connection that is idle for 5 seconds, so each request has its own
        line = http.client.HTTPConnection(str(self._where.hostname), self._where.port, timeout=_PATIENCE)
        try:
            line.request("POST", "/completion", json.dumps(request), {"Content-Type": "application/json"})
            response = line.getresponse()
            body = response.read()
        finally:
            line.close()
        if response.status != 200:
            said = body[:200].decode("utf-8", "replace")
            raise RunError(f"llama.cpp's server answered {response.status}: {said}", slot)
        answer: dict[str, Any] = json.loads(body)
        return answer

    def turn(self, texts: list[list[int]]) -> Turn:
        os.kill(self.server.pid, signal.SIGCONT)
        answers = list(self._clients.map(self._ask, range(len(texts)), texts))
        os.kill(self.server.pid, signal.SIGSTOP)
        generated = [answer["tokens"] for answer in answers]
        if any(len(tokens) != self._cell.decode for tokens in generated):
            raise RunError(
                f"llama.cpp gave {[len(t) for t in generated]} tokens instead of {self._cell.decode} each", 0
            )
        return Turn(sum(answer["timings"]["prompt_n"] for answer in answers), generated)

    def close(self) -> None:
        self._clients.shutdown(wait=False, cancel_futures=True)
        self.server.close()


HERE: dict[str, Callable[[Model, Cell], Arm]] = {REPREFILL: Reprefill, OWN: Own, SHARED: Shared}
