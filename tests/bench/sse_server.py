"""A small real HTTP server that streams what an OpenAI-compatible one would, at planned moments.

Knows HTTP and the events. Knows nothing of language models, nor of the client under test.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Plan:
    """What the server does, and what it has seen. `fail`: numbers of requests that are answered by this status or broken off."""

    first: float = 0.03
    gap: float = 0.005
    pieces: int = 6
    per_piece: int = 1
    cached: int | None = None
    fail: dict[int, str] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[str]:
        return [a["prompt"] if "prompt" in a else a["messages"][-1]["content"] for a in self.asked]


class Handler(BaseHTTPRequestHandler):
    plan: Plan

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        found = self.path == "/v1/models"
        self.send_response(200 if found else 404)
        self.end_headers()
        if found:
            self.wfile.write(b'{"data": [{"id": "planned"}]}')

    def do_POST(self) -> None:
        plan, body = self.plan, json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with plan.lock:
            number = len(plan.asked)
            plan.asked.append({**body, "path": self.path, "key": self.headers.get("Authorization")})
            plan.at_once += 1
            plan.most_at_once = max(plan.most_at_once, plan.at_once)
        ended = b""
        try:
            ended = self._answer(plan, body, plan.fail.get(number, ""))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client has gone
        finally:
            with plan.lock:
                plan.at_once -= 1
        with suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(ended)  # once it is not counted any more: a client that reads this asks again at once

    def _answer(self, plan: Plan, body: dict[str, Any], how: str) -> bytes:
        """All but the last words, which it returns."""
        if how.isdigit():
            self.send_response(int(how))
            self.end_headers()
            return b"no such\nluck"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        chat = "messages" in body
        if chat:
            self._event({"choices": [{"delta": {"role": "assistant", "content": None}}]})
        self.wfile.write(b": a comment\n\n")
        time.sleep(plan.first)
        for i in range(plan.pieces):
            if how == "broken" and i == 2:
                return b""
            if how == "error" and i == 2:
                self._event({"error": {"message": "out of pages"}})
                return b""
            if i:
                time.sleep(plan.gap)
            self._event({"choices": [{"delta": {"content": "word "}} if chat else {"text": "word "}]})
        usage: dict[str, Any] = {"completion_tokens": plan.pieces * plan.per_piece, "prompt_tokens": 100}
        if plan.cached is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": plan.cached}
        self._event({"choices": [{"delta": {}, "finish_reason": "length"}]})
        self._event({"choices": [], "usage": usage})
        return b"data: [DONE]\n\n"

    def _event(self, event: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.wfile.flush()


@contextmanager
def serving(plan: Plan) -> Iterator[Plan]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Planned", (Handler,), {"plan": plan}))
    server.daemon_threads = True
    plan.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield plan
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
