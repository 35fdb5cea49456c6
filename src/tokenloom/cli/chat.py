"""`tokenloom chat`: a conversation, at a terminal or through a pipe. Knows lines and turns; knows no models."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tokenloom.cli import options, report
from tokenloom.cli.opening import drafting, open_model
from tokenloom.errors import RequestError, TokenloomError, UnsupportedError

if TYPE_CHECKING:
    from tokenloom.runtime.model import Model

HELP = (
    "/reset forgets the conversation, /exit or /quit ends it, /help shows this; anything else is sent to the model "
    "(//text as /text)"
)


class Chat:
    """The messages so far, and how a turn adds to them. A turn that fails leaves them as they were."""

    def __init__(self, model: Model, system: str | None, sampling: dict[str, Any]) -> None:
        self._model = model
        self._sampling = sampling
        self._start = [{"role": "system", "content": system}] if system is not None else []
        self.messages: list[dict[str, str]] = list(self._start)

    def reset(self) -> None:
        self.messages = list(self._start)

    def turn(self, text: str) -> None:
        asked = [*self.messages, {"role": "user", "content": text}]
        generation = self._model.chat(asked, **self._sampling)
        with report.told(generation, self._model.ctx, load=False):
            for piece in generation:
                sys.stdout.write(piece)
                sys.stdout.flush()
        self.messages = [*asked, {"role": "assistant", "content": generation.text}]


def _lines(interactive: bool) -> Iterator[str]:
    """The user's lines. A prompt sign and line editing only at a terminal."""
    if interactive:
        import readline

        readline.set_auto_history(True)
        while True:
            try:
                yield input("> ")
            except EOFError:
                sys.stdout.write("\n")
                return
            except KeyboardInterrupt:
                sys.stdout.write("\n")
                raise
    for raw in sys.stdin.buffer:
        try:
            yield raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as problem:
            raise RequestError(f"standard input is not UTF-8 text: {raw[problem.start]:#04x} in {raw[:40]!r}") from None


def _answer(chat: Chat, text: str, interactive: bool) -> None:
    """One turn. At a terminal neither an error nor Ctrl-C ends the conversation; in a pipe both do."""
    try:
        chat.turn(text)
    except TokenloomError as problem:
        if not interactive:
            raise
        sys.stderr.write(f"tokenloom: error: {problem} (/reset starts afresh)\n")
    except KeyboardInterrupt:
        if not interactive:
            raise


def command(
    model: options.ModelPosition = None,
    model_flag: options.ModelFile = None,
    system: options.System = None,
    max_tokens: options.MaxTokens = None,
    temp: options.Temp = 0.0,
    top_k: options.TopK = 0,
    top_p: options.TopP = 1.0,
    min_p: options.MinP = 0.0,
    repeat_penalty: options.RepeatPenalty = 1.0,
    presence_penalty: options.PresencePenalty = 0.0,
    frequency_penalty: options.FrequencyPenalty = 0.0,
    seed: options.Seed = 0,
    stop: options.Stop = None,
    ctx: options.Ctx = None,
    threads: options.Threads = None,
    tier: options.TierName = None,
    kv_dtype: options.KVDtypeName = "f16",
    kv_budget: options.KVBudget = None,
    arithmetic: options.Arithmetic = "exact",
    speculate: options.Speculate = None,
    no_cache: options.NoCache = False,
) -> int:
    """Hold a conversation: one line a turn. /reset, /exit, /quit and /help are commands."""
    sampling: dict[str, Any] = {
        "max_tokens": max_tokens, "temp": temp, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed,
        "repeat_penalty": repeat_penalty, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty,
        "stop": tuple(stop or ()),
    }  # fmt: skip
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    path = options.one_model(model, model_flag)
    settings: dict[str, Any] = {
        "threads": threads, "ctx": ctx, "tier": tier, "kv_dtype": kv_dtype, "kv_budget": kv_budget, "cache": not no_cache,
        "arithmetic": arithmetic,
    }  # fmt: skip
    with open_model(path, **settings) as opened, drafting(speculate, threads=threads, tier=tier) as guess:
        if opened.template is None:
            raise UnsupportedError(
                f"{opened.path} has no chat template; continue text with `tokenloom run --raw` instead"
            )
        chat = Chat(opened, system, {**sampling, "speculate": guess} if guess is not None else sampling)
        if interactive:
            sys.stderr.write(f"{opened.path}: {HELP}\n")
        for line in _lines(interactive):
            word = line.strip()
            if word in ("/exit", "/quit"):
                break
            if word == "/reset":
                chat.reset()
            elif word == "/help":
                sys.stderr.write(HELP + "\n")
            elif word.startswith("/") and not word.startswith("//"):
                sys.stderr.write(f"tokenloom: unknown command {word.split()[0]!r}: {HELP}\n")
            elif word:
                _answer(chat, line.replace("//", "/", 1) if word.startswith("//") else line, interactive)
    return 0
