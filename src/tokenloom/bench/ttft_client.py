"""Requests to an OpenAI-compatible server, streamed: one at a time, or a closed loop of clients.

Knows HTTP, server-sent events and the two routes' fields. Knows nothing of statistics.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tokenloom.bench.ttft import Reply
from tokenloom.errors import RequestError, TokenloomError

APIS = {"chat": "/chat/completions", "completions": "/completions"}
_PATIENCE = 600.0  # seconds without a byte from the server
_WORDS = ("river", "copper", "letter", "window", "garden", "seven", "market", "winter", "paper", "engine", "silver")


@dataclass
class Target:
    """A server and how it is asked. `url` may end in /v1 or not."""

    url: str
    api: str = "chat"
    model: str = ""
    max_tokens: int = 64
    ignore_eos: bool = False
    key: str | None = None
    _open: set[socket.socket] = field(default_factory=set, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url if "//" in self.url else f"http://{self.url}")
        try:
            usable = (
                parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
            )
        except ValueError:
            usable = False
        if not usable:
            raise RequestError(f"{self.url!r} is no server's address; give http://HOST:PORT or http://HOST:PORT/v1")
        self._parts = parts
        path = parts.path.rstrip("/")
        self._base = path if path.endswith("/v1") else f"{path}/v1"

    @contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        """An open connection, closed at the end and broken off by `abandon`."""
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(str(self._parts.hostname), self._parts.port, timeout=_PATIENCE)
        connection.connect()
        line = connection.sock  # the connection may hand it to its response and forget it
        self._open.add(line)
        try:
            yield connection
        finally:
            self._open.discard(line)
            connection.close()

    def abandon(self) -> None:
        """Breaks every request off; their threads end with an error."""
        for line in [*self._open]:
            with suppress(OSError):  # it may have ended meanwhile
                line.shutdown(socket.SHUT_RDWR)

    @property
    def headers(self) -> dict[str, str]:
        key = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return {"Content-Type": "application/json", "Accept": "text/event-stream", **key}

    def find_model(self) -> None:
        """Asks the server for its first model's name, unless one was given. Raises TokenloomError when it cannot be reached."""
        if self.model:
            return
        try:
            with self.connection() as connection:
                connection.request("GET", f"{self._base}/models", headers=self.headers)
                response = connection.getresponse()
                status, body = response.status, response.read()
        except (OSError, http.client.HTTPException) as problem:
            raise TokenloomError(f"{self.url} cannot be reached: {problem or type(problem).__name__}") from None
        if status != 200:
            raise TokenloomError(f"{self.url} answered {status} when asked for its models; give --served-model")
        try:
            self.model = str(json.loads(body)["data"][0]["id"])
        except (ValueError, LookupError, TypeError):
            raise TokenloomError(
                f"{self.url} does not name its models as OpenAI's API does; give --served-model"
            ) from None

    def body(self, prompt: str) -> bytes:
        asked: dict[str, Any] = {
            "model": self.model, "max_tokens": self.max_tokens, "temperature": 0, "stream": True,
            "stream_options": {"include_usage": True},
        }  # fmt: skip
        asked |= {"messages": [{"role": "user", "content": prompt}]} if self.api == "chat" else {"prompt": prompt}
        if self.ignore_eos:
            asked["ignore_eos"] = True
        return json.dumps(asked).encode()

    def ask(self, prompt: str) -> Reply:
        """One request, to its end. What goes wrong is the reply's `error`."""
        reply, begun = Reply(), time.perf_counter()
        try:
            with self.connection() as connection:
                begun = time.perf_counter()
                connection.request("POST", self._base + APIS[self.api], self.body(prompt), self.headers)
                response = connection.getresponse()
                if response.status == 200:
                    _read(response, reply, begun)
                else:
                    said = " ".join(response.read(400).decode("utf-8", "replace").split())
                    reply.error = f"status {response.status}: {said[:200]}"
        except (OSError, http.client.HTTPException, ValueError) as problem:
            reply.error = f"{type(problem).__name__}: {problem}"
        reply.seconds = time.perf_counter() - begun
        return reply


def _read(response: http.client.HTTPResponse, reply: Reply, begun: float) -> None:
    """Server-sent events up to [DONE], each piece of text with the moment it came."""
    finished = False
    while line := response.readline():
        now = time.perf_counter() - begun
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            finished = True
            break
        event = json.loads(data)
        if event.get("error"):
            reply.error = f"the stream says: {str(event['error'])[:200]}"
            return
        if any(_text(choice) for choice in event.get("choices") or ()):
            reply.pieces.append(now)
        usage = event.get("usage")
        if usage:
            reply.tokens, reply.prompt_tokens = usage.get("completion_tokens"), usage.get("prompt_tokens")
            reply.cached_tokens = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    if not finished:
        reply.error = "the stream ended without [DONE]"
    elif not reply.pieces:
        reply.error = "the stream held no text"


def _text(choice: dict[str, Any]) -> str | None:
    delta = choice.get("delta") or {}
    text: str | None = choice.get("text") or delta.get("content") or delta.get("reasoning_content")
    return text


def prompts(words: int, run: str | None = None) -> Iterator[str]:
    """Texts of so many words, no two with a beginning in common, in this run or another."""
    run = run or os.urandom(6).hex()
    for number in itertools.count():
        rest = random.Random(f"{run} {number}").choices(_WORDS, k=max(0, words - 1))
        yield " ".join([f"{number:x}-{run}", *rest])


def closed_loop(
    target: Target, texts: Iterator[str], clients: int, requests: int, into: Callable[[Reply], None]
) -> None:
    """`clients` at once, each asking again as soon as it is answered, until `requests` are answered.

    Replies are handed out as they come. On any exception (Ctrl-C too) the requests under way are broken off and not handed out.
    """
    lock, left, stopped = threading.Lock(), iter(range(requests)), threading.Event()

    def client() -> None:
        while not stopped.is_set():
            with lock:
                if next(left, None) is None:
                    return
                text = next(texts)
            reply = target.ask(text)
            with lock:
                if not stopped.is_set():
                    into(reply)

    threads = [threading.Thread(target=client, name=f"client {i}", daemon=True) for i in range(clients)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)  # in slices, so that Ctrl-C is heard
    except BaseException:
        with lock:
            stopped.set()
        target.abandon()
        raise
