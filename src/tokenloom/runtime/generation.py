"""A generation: an iterator over text or ids, and what it knows about itself while it runs and after.

Knows prefill in chunks, the decode loop, stop rules and incremental text. Knows nothing of templates or of who owns the sequence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, field

from tokenloom.errors import ContextOverflowError, RequestError
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.sampler import SamplingSettings
from tokenloom.runtime.sequence import Sequence
from tokenloom.text.stream import StopMatcher, TextStream
from tokenloom.text.tokenizer import Tokenizer


@dataclass
class Timings:
    """Seconds and tokens. `prompt_tokens` counts computed ones only; the first generated token's time is the prompt's."""

    load_s: float = 0.0
    prompt_tokens: int = 0
    prompt_s: float = 0.0
    decode_tokens: int = 0
    decode_s: float = 0.0

    @property
    def prompt_tps(self) -> float:
        return self.prompt_tokens / self.prompt_s if self.prompt_s else 0.0

    @property
    def decode_tps(self) -> float:
        return self.decode_tokens / self.decode_s if self.decode_s else 0.0


@dataclass(frozen=True)
class TokenLogprob:
    """The sampled token's log probability under the model's own distribution, and the likeliest alternatives."""

    token: int
    logprob: float
    top: list[tuple[int, float]]


@dataclass(frozen=True)
class Request:
    """What to generate, checked. `max_tokens` None: until the model ends or the context is full."""

    settings: SamplingSettings
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False


@dataclass
class Lease:
    """A sequence lent to one generation: `prompt` are all its tokens, of which the sequence already holds `cached`."""

    sequence: Sequence
    prompt: list[int]
    cached: int
    give_back: Callable[[], None] = field(repr=False)


def make_request(
    *, max_tokens: int | None, stop: str | Items[str] = (), ignore_eos: bool = False, **sampling: object
) -> Request:
    """Checks what generate() was given. Raises RequestError naming the argument."""
    if max_tokens is not None and (isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 0):
        raise RequestError(f"max_tokens={max_tokens!r} is not valid; give a number of tokens, 0 or more, or None")
    stops = (stop,) if isinstance(stop, str) else tuple(stop)
    if not all(isinstance(s, str) and s for s in stops):
        raise RequestError(f"stop={stop!r} is not valid; give non-empty strings")
    if sampling.get("logit_bias") is None:
        sampling.pop("logit_bias", None)
    return Request(SamplingSettings(**sampling), max_tokens, stops, bool(ignore_eos))  # type: ignore[arg-type]


class TokenGeneration:
    """Iterates over generated ids. Attributes as in `Generation`, without text."""

    def __init__(self, engine: Engine, tokenizer: Tokenizer, lease: Lease, request: Request, load_s: float = 0.0) -> None:
        self._held: Lease | None = lease
        self._engine, self._tokenizer, self._lease, self._request = engine, tokenizer, lease, request
        self.tokens: list[int] = []
        self.finish_reason: str | None = None
        self.logprobs: list[TokenLogprob] | None = [] if request.settings.logprobs is not None else None
        self.cached_tokens = lease.cached
        self.timings = Timings(load_s)
        self._ids = self._run()

    def __iter__(self) -> Iterator[int]:
        return self._ids

    def __next__(self) -> int:
        return next(self._ids)

    def close(self) -> None:
        """Ends it now; the cache stays usable."""
        self._ids.close()
        self._release()

    def __del__(self) -> None:
        self._release()  # one that was dropped before its first token still holds the sequence

    def _release(self) -> None:
        lease, self._held = self._held, None
        if lease is not None:
            lease.give_back()

    def _run(self) -> Generator[int, None, None]:
        record = self._engine.take_record()
        try:
            yield from self._decode(record)
        finally:
            self._engine.give_record(record)
            self._release()

    def _decode(self, record: int) -> Generator[int, None, None]:
        engine, sequence, request = self._engine, self._lease.sequence, self._request
        ends = frozenset() if request.ignore_eos else self._tokenizer.eog_ids
        limit = request.max_tokens if request.max_tokens is not None else sequence.limit
        if limit == 0:
            self.finish_reason = "length"
            return
        sampling = engine.sampling
        sampling.configure(record, request.settings, engine.vocab_size)
        sampling.begin_history(record, self._lease.prompt)
        clock = time.perf_counter
        begun = clock()
        token = self._prefill(record)
        self.timings.prompt_s = clock() - begun
        batch = [Rows(sequence, [0])]
        row, records = batch[0].tokens, (record,)
        while True:
            self.tokens.append(token)
            if self.logprobs is not None:
                self.logprobs.append(TokenLogprob(token, sampling.logprob(record), sampling.top_logprobs(record)))
            if token in ends:
                self.finish_reason = "stop"
                return
            last = len(self.tokens) >= limit or sequence.length >= sequence.limit
            if last:
                self.finish_reason = "length"
            yield token
            if last:
                return
            begun = clock()
            sampling.advance(record, token)
            row[0] = token  # type: ignore[index]
            token = engine.step_and_sample(batch, records)
            self.timings.decode_s += clock() - begun
            self.timings.decode_tokens += 1

    def _prefill(self, record: int) -> int:
        """Computes the prompt's missing tokens in chunks; returns the first sampled id."""
        engine, sequence, prompt = self._engine, self._lease.sequence, self._lease.prompt
        at, token = sequence.length, -1
        while at < len(prompt):
            chunk = prompt[at : at + engine.chunk_rows]
            at += len(chunk)
            last = at == len(prompt)
            begun = time.perf_counter()
            if last:
                token = engine.step_and_sample([Rows(sequence, chunk, "last")], (record,))
            else:
                engine.step_locked([Rows(sequence, chunk, "none")])
            engine.learn_speed(len(chunk), time.perf_counter() - begun)
            self.timings.prompt_tokens += len(chunk)
        return token


class Generation:
    """Iterates over pieces of text; the pieces joined are `text`, and no piece breaks a character or shows part of a stop string.

    `tokens`, `finish_reason` ("stop", "length"; None while it runs or after it was cut short), `logprobs`, `cached_tokens`, `timings`.
    """

    def __init__(self, ids: TokenGeneration, tokenizer: Tokenizer, stop: tuple[str, ...]) -> None:
        self._source, self._tokenizer, self._stop = ids, tokenizer, stop
        self._text: list[str] = []
        self._finish: str | None = None
        self._pieces = self._run()

    def __iter__(self) -> Iterator[str]:
        return self._pieces

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Ends it now; the cache stays usable."""
        self._pieces.close()
        self._source.close()

    @property
    def text(self) -> str:
        """All text so far."""
        return "".join(self._text)

    @property
    def tokens(self) -> list[int]:
        """All generated ids so far, the one that ended it included."""
        return self._source.tokens

    @property
    def finish_reason(self) -> str | None:
        return self._finish

    @property
    def logprobs(self) -> list[TokenLogprob] | None:
        return self._source.logprobs

    @property
    def cached_tokens(self) -> int:
        """Prompt tokens that were not computed again."""
        return self._source.cached_tokens

    @property
    def timings(self) -> Timings:
        return self._source.timings

    def _run(self) -> Generator[str, None, None]:
        stream, matcher = TextStream(), StopMatcher(self._stop)
        pieces, is_special = self._tokenizer.token_bytes, self._tokenizer.is_special
        try:
            for token in self._source:
                if is_special(token):
                    continue
                piece, stopped = matcher.feed(stream.feed(pieces(token)))
                if piece:
                    self._text.append(piece)
                    yield piece
                if stopped:
                    self._finish = "stop"
                    return
            rest, stopped = matcher.feed(stream.flush())
            rest = rest if stopped else rest + matcher.flush()
            self._finish = "stop" if stopped else self._source.finish_reason
            if rest:
                self._text.append(rest)
                yield rest
        finally:
            self._source.close()


def check_fits(prompt: int, limit: int) -> None:
    """Raises ContextOverflowError with both numbers, RequestError for nothing at all."""
    if prompt == 0:
        raise RequestError("the prompt is empty; give at least one token")
    if prompt > limit:
        raise ContextOverflowError(f"the prompt has {prompt} tokens, the context {limit}; shorten it or load with a larger ctx")

