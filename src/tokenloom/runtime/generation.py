"""A generation: an iterator over text or ids, and what it knows about itself while it runs and after.

Knows prefill in chunks, the decode loop, stop rules and incremental text. Knows nothing of templates or of who owns the sequence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Protocol

from tokenloom.errors import ContextOverflowError, RequestError, TokenloomError
from tokenloom.runtime.engine import Engine, Rows
from tokenloom.runtime.prefix import PrefixTree
from tokenloom.runtime.sampler import SamplingSettings, whole_number
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
    """A sequence lent to one generation: `prompt` are all its tokens, of which the sequence already holds `cached`.

    It goes back once: when the generation ends, or when nobody holds the generation any more. So nothing that holds a lease may be part of a
    reference cycle.
    """

    sequence: Sequence
    prompt: list[int]
    cached: int
    give_back: Callable[[list[int]], None] = field(repr=False)
    tree: PrefixTree | None = None  # where others find the prompt once it is computed
    generated: list[int] = field(default_factory=list)

    def release(self) -> None:
        give_back, self.give_back = self.give_back, _keep
        give_back(self.generated)

    def __del__(self) -> None:
        self.release()


def _keep(generated: list[int]) -> None:
    """What a lease that has gone back does when it is given back."""


def make_request(
    vocab: int,
    *,
    max_tokens: int | None = None,
    stop: str | Items[str] | None = (),
    ignore_eos: bool = False,
    **sampling: object,
) -> Request:
    """Checks what generate() was given. Raises RequestError naming the argument."""
    if max_tokens is not None:
        max_tokens = whole_number("max_tokens", max_tokens, 0, None, "a number of tokens, 0 or more, or None")
    stops = _stops(stop)
    known = [f.name for f in fields(SamplingSettings)]
    for name in sampling:
        if name not in known:
            near = get_close_matches(name, [*known, "max_tokens", "stop", "ignore_eos"], n=1, cutoff=0.5)
            raise RequestError(
                f"{name}= is not a setting"
                + (f"; did you mean {near[0]}=?" if near else f"; settings are {', '.join(known)}")
            )
    if sampling.get("logit_bias") is None:
        sampling.pop("logit_bias", None)
    settings = SamplingSettings(**sampling)  # type: ignore[arg-type]  # it checks its fields itself
    settings.check_vocab(vocab)
    return Request(settings, max_tokens, stops, bool(ignore_eos))


def _stops(stop: Any) -> tuple[str, ...]:
    """One string or several; None is none."""
    stops = (stop,) if isinstance(stop, str) else tuple(stop or ()) if isinstance(stop or (), Iterable) else (None,)
    if not all(isinstance(s, str) and s for s in stops):
        raise RequestError(f"stop={stop!r} is not valid; give non-empty strings")
    return stops


@dataclass
class Drafts:
    """How guessing ahead went: tokens drafted, those among them that were right, and the error that ended it, if one did."""

    drafted: int = 0
    accepted: int = 0
    stopped: TokenloomError | None = None

    @property
    def acceptance(self) -> float:
        return self.accepted / self.drafted if self.drafted else 0.0


Sampled = tuple[int, TokenLogprob | None]  # a token, and its log probability where it is wanted


class Decoding(Protocol):
    """A generation's steps after its prompt, each of which gives one token or several."""

    def step(self, most: int) -> list[Sampled]: ...
    def close(self) -> None: ...


BeginSpeculation = Callable[[Lease, Request, int, Drafts], Decoding]  # with the generation's sampling record


@dataclass
class _Outcome:
    """What a running generation says about itself. The generator writes it and the handle reads it, so neither needs the other."""

    timings: Timings
    logprobs: list[TokenLogprob] | None
    finish_reason: str | None = None
    drafts: Drafts | None = None


class TokenGeneration:
    """Iterates over generated ids. Attributes as in `Generation`, without text."""

    def __init__(
        self, engine: Engine, tokenizer: Tokenizer, lease: Lease, request: Request, load_s: float = 0.0, speculation: BeginSpeculation | None = None,
    ) -> None:  # fmt: skip
        self.tokens = lease.generated
        self.cached_tokens = lease.cached
        self._lease = lease
        self._outcome = _Outcome(Timings(load_s), [] if request.settings.logprobs is not None else None)
        if speculation is not None:
            self._outcome.drafts = Drafts()
        self._ids = _run(engine, tokenizer, lease, request, self._outcome, speculation)

    def __iter__(self) -> Iterator[int]:
        return self._ids

    def __next__(self) -> int:
        return next(self._ids)

    def close(self) -> None:
        """Ends it now; the cache stays usable."""
        self._ids.close()
        self._lease.release()

    @property
    def finish_reason(self) -> str | None:
        return self._outcome.finish_reason

    @property
    def logprobs(self) -> list[TokenLogprob] | None:
        return self._outcome.logprobs

    @property
    def timings(self) -> Timings:
        return self._outcome.timings

    @property
    def drafts(self) -> Drafts | None:
        return self._outcome.drafts


class _OneByOne:
    """Steps that give a token each."""

    def __init__(self, engine: Engine, lease: Lease, request: Request, record: int) -> None:
        self._engine, self._generated, self._logprobs = engine, lease.generated, request.settings.logprobs is not None
        self._row, self._records = [0], (record,)
        self._batch = [Rows(lease.sequence, self._row)]

    def step(self, most: int) -> list[Sampled]:
        self._row[0] = self._generated[-1]
        token = self._engine.step_and_sample(self._batch, self._records)
        return [(token, logprob_of(self._engine, self._records[0], token) if self._logprobs else None)]

    def close(self) -> None:
        """Nothing is held."""


def logprob_of(engine: Engine, record: int, token: int) -> TokenLogprob:
    """Of what the last step sampled with a record."""
    return TokenLogprob(token, engine.sampling.logprob(record), engine.sampling.top_logprobs(record))


def _run(
    engine: Engine,
    tokenizer: Tokenizer,
    lease: Lease,
    request: Request,
    outcome: _Outcome,
    speculation: BeginSpeculation | None,
) -> Generator[int, None, None]:
    try:
        record = engine.take_record()
        try:
            decoding: Decoding = _OneByOne(engine, lease, request, record)
            if speculation is not None and outcome.drafts is not None:
                decoding = speculation(lease, request, record, outcome.drafts)
            try:
                yield from _decode(engine, tokenizer, lease, request, outcome, record, decoding)
            finally:
                decoding.close()
        finally:
            engine.give_record(record)
    finally:
        lease.release()


def _decode(
    engine: Engine,
    tokenizer: Tokenizer,
    lease: Lease,
    request: Request,
    outcome: _Outcome,
    record: int,
    decoding: Decoding,
) -> Generator[int, None, None]:
    sequence, tokens, timings, logprobs = lease.sequence, lease.generated, outcome.timings, outcome.logprobs
    ends = frozenset() if request.ignore_eos else tokenizer.eog_ids
    limit = request.max_tokens if request.max_tokens is not None else sequence.limit
    if limit == 0:
        outcome.finish_reason = "length"
        return
    sampling = engine.sampling
    sampling.configure(record, request.settings, engine.vocab_size)
    sampling.begin_history(record, lease.prompt)
    clock = time.perf_counter
    begun = clock()
    token = _prefill(engine, lease, record, timings)
    timings.prompt_s = clock() - begun
    if lease.tree is not None:
        lease.tree.remember(sequence)
    most = min(limit, sequence.limit - len(lease.prompt) + 1)  # the last token needs no slot
    sampled: list[Sampled] = [(token, logprob_of(engine, record, token) if logprobs is not None else None)]
    while True:
        for token, logprob in sampled:
            tokens.append(token)
            if logprobs is not None and logprob is not None:
                logprobs.append(logprob)
            if token in ends:
                outcome.finish_reason = "stop"
                return
            last = len(tokens) >= most
            if last:
                outcome.finish_reason = "length"
            yield token
            if last:
                return
            sampling.advance(record, token)
        begun = clock()
        sampled = decoding.step(most - len(tokens))
        timings.decode_s += clock() - begun
        timings.decode_tokens += len(sampled)


def _prefill(engine: Engine, lease: Lease, record: int, timings: Timings) -> int:
    """Computes the prompt's missing tokens in chunks; returns the first sampled id."""
    sequence, prompt = lease.sequence, lease.prompt
    at, token = sequence.length, -1
    while at < len(prompt):
        chunk = prompt[at : at + engine.prompt_rows]
        at += len(chunk)
        last = at == len(prompt)
        begun = time.perf_counter()
        if last:
            token = engine.step_and_sample([Rows(sequence, chunk, "last")], (record,))
        else:
            engine.step_locked([Rows(sequence, chunk, "none")])
        engine.learn_speed(len(chunk), time.perf_counter() - begun)
        timings.prompt_tokens += len(chunk)
    return token


@dataclass
class _Shown:
    """The text given out so far, and why it ended."""

    pieces: list[str] = field(default_factory=list)
    finish_reason: str | None = None


class Generation:
    """Iterates over pieces of text; the pieces joined are `text`, and no piece breaks a character or shows part of a stop string.

    `tokens`, `finish_reason` ("stop", "length"; None while it runs or after it was cut short), `logprobs`, `cached_tokens`, `timings`.
    """

    def __init__(self, ids: TokenGeneration, tokenizer: Tokenizer, stop: tuple[str, ...]) -> None:
        self._source, self._shown = ids, _Shown()
        self._pieces = _show(ids, tokenizer, stop, self._shown)

    def __iter__(self) -> Iterator[str]:
        return self._pieces

    def __next__(self) -> str:
        return next(self._pieces)

    def close(self) -> None:
        """Ends it now; the cache stays usable."""
        self._pieces.close()
        self._source.close()

    def __repr__(self) -> str:
        return f"<tokenloom.Generation: {len(self.tokens)} tokens, finish_reason {self.finish_reason}; iterate over it for its text>"

    @property
    def text(self) -> str:
        """All text so far."""
        return "".join(self._shown.pieces)

    @property
    def tokens(self) -> list[int]:
        """All generated ids so far, the one that ended it included."""
        return self._source.tokens

    @property
    def finish_reason(self) -> str | None:
        return self._shown.finish_reason

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

    @property
    def drafts(self) -> Drafts | None:
        """With `speculate`: .drafted, .accepted and .acceptance, the share of drafted tokens that were right."""
        return self._source.drafts


def _show(
    source: TokenGeneration, tokenizer: Tokenizer, stop: tuple[str, ...], shown: _Shown
) -> Generator[str, None, None]:
    stream, matcher = TextStream(), StopMatcher(stop)
    token_bytes, is_special = tokenizer.token_bytes, tokenizer.is_special
    try:
        for token in source:
            if is_special(token):
                continue
            piece, stopped = matcher.feed(stream.feed(token_bytes(token)))
            if stopped:
                shown.finish_reason = "stop"
            if piece:
                shown.pieces.append(piece)
                yield piece
            if stopped:
                return
        rest, stopped = matcher.feed(stream.flush())
        rest = rest if stopped else rest + matcher.flush()
        shown.finish_reason = "stop" if matcher.stopped else source.finish_reason
        if rest:
            shown.pieces.append(rest)
            yield rest
    finally:
        source.close()


def check_fits(prompt: int, limit: int) -> None:
    """Raises ContextOverflowError with both numbers, RequestError for nothing at all."""
    if prompt == 0:
        raise RequestError("the prompt is empty; give at least one token")
    if prompt > limit:
        raise ContextOverflowError(
            f"the prompt has {prompt} tokens, the context {limit}; shorten it or load with a larger ctx"
        )
