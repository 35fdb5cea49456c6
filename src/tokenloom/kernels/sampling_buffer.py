"""What the sampler is told about each output, and where it leaves logprobs: one int32 buffer of records and regions.

Knows the layout, as NumPy-free words for the host and as IR accessors for the kernel. Knows nothing of how a token is chosen or of sequences.

A *record* belongs to one generation; `record_of` says which record each of the Step's outputs uses. All offsets are in words from the buffer's
start, so the buffer can be copied, dumped and replayed.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tokenloom.errors import RequestError
from tokenloom.jit.ir import Builder, Value, f32, i32
from tokenloom.jit.memory import private_memory

HEADER_WORDS = 32  # of which two are used: the word offsets of the records and of `record_of`
FIELDS = (
    "seed_low", "seed_high", "index",  # the key and the counter of the draw; index: of the generated token
    "temperature", "top_k", "top_p", "min_p",  # floats are stored as their bits
    "repeat_penalty", "presence_penalty", "frequency_penalty", "window",  # window: how many latest ids count; 0: none
    "history", "history_count",  # ids of the sequence, oldest first
    "bias", "bias_count",  # pairs of id and float bits
    "mask",  # one bit per id, least significant first, cleared: forbidden; -1: no mask
    "logprobs", "logprobs_out",  # -1: none wanted; k: of the sampled id and of the k likeliest
)  # fmt: skip
RECORD_WORDS = 32
MAX_LOGPROBS = 20
MAX_BIASES = 1024
F = {name: number for number, name in enumerate(FIELDS)}
_INDEX, _HISTORY, _HISTORY_COUNT, _WINDOW = F["index"], F["history"], F["history_count"], F["window"]
_MASK, _LOGPROBS, _LOGPROBS_OUT = F["mask"], F["logprobs"], F["logprobs_out"]
NO_RECORD = -1  # in `record_of`: this output is not sampled


class Settings(Protocol):
    """What `configure` reads; `runtime.sampler.SamplingSettings` is one."""

    @property
    def temp(self) -> float: ...
    @property
    def top_k(self) -> int: ...
    @property
    def top_p(self) -> float: ...
    @property
    def min_p(self) -> float: ...
    @property
    def repeat_penalty(self) -> float: ...
    @property
    def presence_penalty(self) -> float: ...
    @property
    def frequency_penalty(self) -> float: ...
    @property
    def repeat_last_n(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def logit_bias(self) -> Mapping[int, float]: ...
    @property
    def logprobs(self) -> int | None: ...
    def check_vocab(self, vocab: int) -> None: ...


@dataclass(frozen=True)
class SamplingShape:
    """Capacities: records, the Step's outputs, vocabulary, and history ids per record (the context length serves every window)."""

    records: int
    outs: int
    vocab: int
    history: int


def _up(words: int) -> int:
    return -(-words // 16) * 16


class SamplingBuffer:
    """The host's view. `configure` and `begin_history` once per generation, `advance` once per token. The memory is zero pages until used."""

    def __init__(self, shape: SamplingShape) -> None:
        self.shape = shape
        self._record_of = HEADER_WORDS
        self._records = self._record_of + _up(shape.outs)
        sizes = (shape.history, 2 * MAX_BIASES, -(-shape.vocab // 32), 1 + 2 * MAX_LOGPROBS)
        at = self._records + shape.records * RECORD_WORDS
        starts = []
        for size in sizes:
            starts.append(at)
            at += shape.records * _up(size)
        self.memory = private_memory(at * 4)
        self.words = memoryview(self.memory).cast("i")
        self.floats = memoryview(self.memory).cast("f")
        self.words[0], self.words[1] = self._records, self._record_of
        for out in range(shape.outs):
            self.words[self._record_of + out] = out if out < shape.records else NO_RECORD
        for number in range(shape.records):
            base = self._records + number * RECORD_WORDS
            names = ("history", "bias", "mask", "logprobs_out")
            for name, start, size in zip(names, starts, sizes, strict=True):
                self.words[base + F[name]] = start + number * _up(size)
            self.words[base + _MASK] = -1
            self.words[base + _LOGPROBS] = -1
        self._masks = starts[2]

    def assign(self, out: int, record: int) -> None:
        """Output `out` of the step uses `record` (NO_RECORD: it is not sampled). At first output i uses record i."""
        self.words[self._record_of + out] = record

    def configure(self, record: int, settings: Settings, vocab: int, index: int = 0) -> None:
        """Begins a generation: all settings, no history, no mask; `index` is that of the next token. Raises RequestError."""
        settings.check_vocab(vocab)
        if vocab > self.shape.vocab:
            raise RequestError(f"vocab={vocab} is more than the {self.shape.vocab} the sampler has room for")
        base, words, floats = self._records + record * RECORD_WORDS, self.words, self.floats
        words[base + F["seed_low"]] = _signed(settings.seed & 0xFFFFFFFF)
        words[base + F["seed_high"]] = _signed(settings.seed >> 32)
        words[base + _INDEX] = index
        for field, number in (
            ("temperature", settings.temp),
            ("top_p", settings.top_p),
            ("min_p", settings.min_p),
            ("repeat_penalty", settings.repeat_penalty),
            ("presence_penalty", settings.presence_penalty),
            ("frequency_penalty", settings.frequency_penalty),
        ):
            floats[base + F[field]] = number
        words[base + F["top_k"]] = min(settings.top_k, vocab)
        penalised = (
            settings.repeat_penalty != 1.0 or settings.presence_penalty != 0.0 or settings.frequency_penalty != 0.0
        )
        last = settings.repeat_last_n
        words[base + _WINDOW] = (self.shape.history if last < 0 else min(last, self.shape.history)) if penalised else 0
        words[base + _HISTORY_COUNT] = 0
        at = words[base + F["bias"]]
        for token, bias in settings.logit_bias.items():
            words[at], floats[at + 1] = token, bias
            at += 2
        words[base + F["bias_count"]] = len(settings.logit_bias)
        words[base + _MASK] = -1
        words[base + _LOGPROBS] = -1 if settings.logprobs is None else settings.logprobs

    def begin_history(self, record: int, ids: Sequence[int]) -> None:
        """The sequence so far (prompt and answer); only what the penalties' window can see is kept."""
        base, words = self._records + record * RECORD_WORDS, self.words
        window = words[base + _WINDOW]
        tail = array("i", ids[max(0, len(ids) - window) :])
        start = words[base + _HISTORY]
        words[start : start + len(tail)] = memoryview(tail)
        words[base + _HISTORY_COUNT] = len(tail)

    def advance(self, record: int, token: int) -> None:
        """`token` has been taken: the next draw is the next index, and the penalties see it."""
        words = self.words
        base = self._records + record * RECORD_WORDS
        words[base + _INDEX] += 1
        window = words[base + _WINDOW]
        if window:
            count = words[base + _HISTORY_COUNT]
            if count == self.shape.history:
                count = self._slide(base, window)
            words[words[base + _HISTORY] + count] = token
            words[base + _HISTORY_COUNT] = count + 1

    def _slide(self, base: int, window: int) -> int:
        """A full history keeps the ids that the window will still see after one more; returns how many."""
        start, count = self.words[base + _HISTORY], self.words[base + _HISTORY_COUNT]
        kept = self.words[start + count - (window - 1) : start + count].tolist()
        self.words[start : start + len(kept)] = memoryview(array("i", kept))
        return len(kept)

    def mask_bits(self, record: int) -> memoryview:
        """The record's mask as bytes to fill: bit i % 8 of byte i // 8 allows id i. `use_mask` puts it in force."""
        size = _up(-(-self.shape.vocab // 32))
        start = self._masks + record * size
        return memoryview(self.memory)[start * 4 : (start + size) * 4]

    def use_mask(self, record: int, active: bool) -> None:
        where = self._masks + record * _up(-(-self.shape.vocab // 32))
        self.words[self._records + record * RECORD_WORDS + _MASK] = where if active else -1

    def logprob(self, record: int) -> float:
        """Of the id sampled last, under the model's own distribution; wanted by `logprobs` (0 or more)."""
        return float(self.floats[self.words[self._records + record * RECORD_WORDS + _LOGPROBS_OUT]])

    def top_logprobs(self, record: int) -> list[tuple[int, float]]:
        """(id, logprob) of the `logprobs` likeliest ids, likeliest first."""
        base = self._records + record * RECORD_WORDS
        at = self.words[base + _LOGPROBS_OUT] + 1
        k = min(self.words[base + _LOGPROBS], self.shape.vocab)
        return [(self.words[at + 2 * i], float(self.floats[at + 2 * i + 1])) for i in range(k)]


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


class RecordView:
    """The kernel's side of one record: `view.word("top_k")`, `view.float("top_p")`, `view.region("bias")`."""

    def __init__(self, b: Builder, buffer: Value, number: Value) -> None:
        self.b, self.buffer = b, buffer
        self.address = buffer + b.load_index(buffer) * 4 + number * (4 * RECORD_WORDS)

    def raw(self, name: str) -> Value:
        return self.b.load(i32, self.address + 4 * F[name])

    def word(self, name: str) -> Value:
        return self.b.load_index(self.address + 4 * F[name])

    def float(self, name: str) -> Value:
        return self.b.load(f32, self.address + 4 * F[name])

    def region(self, name: str) -> Value:
        return self.buffer + self.word(name) * 4


def record_number(b: Builder, buffer: Value, out: Value) -> Value:
    """The record of the step's output `out`, as i64."""
    table = b.load_index(buffer + 4)
    return b.load_index(buffer + table * 4 + out * 4)


__all__ = [
    "MAX_BIASES",
    "MAX_LOGPROBS",
    "NO_RECORD",
    "RecordView",
    "SamplingBuffer",
    "SamplingShape",
    "Settings",
    "record_number",
]
