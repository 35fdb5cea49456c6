"""The engine of one open model: its weights, caches and tapes, and the step that runs some rows of some sequences.

Knows how rows become a Step and which tape takes them. Knows nothing of text, sampling settings' meaning, or who asks.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
import threading
import weakref
from collections.abc import Callable, Sized
from collections.abc import Sequence as Items
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tokenloom.errors import ClosedError, NonFiniteLogitsError, NothingAllowedError, OutOfBudgetError, RequestError
from tokenloom.jit import compiler
from tokenloom.jit.cpu import Tier
from tokenloom.jit.memory import Region, address_of, private_memory
from tokenloom.jit.team import team
from tokenloom.kernels.kv_page import PAGE_SLOTS, STORED, KVShape
from tokenloom.kernels.sampling import STATUS_ALL_FORBIDDEN
from tokenloom.kernels.sampling_buffer import SamplingBuffer, SamplingShape
from tokenloom.kernels.span import SPAN
from tokenloom.kernels.step import POS_AXES, STATUS_OK, H, Step, StepShape
from tokenloom.models.family import Family
from tokenloom.models.rope import frequencies
from tokenloom.runtime.pages import PagePool
from tokenloom.runtime.sequence import Sequence
from tokenloom.trace.graph import Trace
from tokenloom.trace.lower import Cache, Lowered, Machine, Placed, RopeTable, RowClass, lower
from tokenloom.trace.tape import ARENA, SAMPLING, Bases, Tape
from tokenloom.weights.keep import Keeper, Unkept
from tokenloom.weights.loader import LoadedWeights

MAX_ROWS, MAX_OUTS, FEW_ROWS = 128, 64, 8
MOST_HISTORY = 1 << 17  # tokens that penalties look back over at most
RECORDS = 2 * MAX_OUTS  # generations under way at once: a full scheduler leaves as many again to others
_STEP_SECONDS, _BESIDE_SECONDS = 1.0, 0.06  # of a prompt's chunk: alone, and while others wait for their next token
_LEAST_CHUNK = 32  # rows: with 16, products run at 80 % of what 128 give, with 32 at 95 %
ARITHMETIC = "1"  # of docs/arithmetic.md: caches made by another are of no use

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Rows:
    """Tokens to append to a sequence; `outs` says which rows have logits: "none", "last" or "all"."""

    sequence: Sequence
    tokens: Items[int]
    outs: str = "last"


class Watcher(Protocol):
    """Whoever wants to know where a step's time goes."""

    stamps: int  # the address where the runner leaves its stamps (jit.team), large enough for every tape of the engine

    def stepped(self, tape: Tape, entries: int, step: Step) -> None:
        """A step of so many entries of `tape` was good."""


def _pool(shapes: list[KVShape], pages: int, least: int) -> PagePool:
    """As many pages as asked for, or fewer where address space is limited, but enough for one whole context."""
    while pages > least:
        try:
            return PagePool(shapes, pages)
        except OutOfBudgetError:
            pages = max(least, pages // 4)
    return PagePool(shapes, pages)


class Engine:
    """One model ready to step. Callers of `step` hold `lock`; `step_locked` and `step_and_sample` take it."""

    def __init__(
        self, family: Family, config: Any, names: Any, weights: LoadedWeights, *, tier: Tier, threads: int, ctx: int, kv_dtype: str, pages: int,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self.kv_dtype, self.arithmetic = kv_dtype, f"{ARITHMETIC} fast" if tier.bf16 else ARITHMETIC
        self.config, self.tier, self.threads, self.ctx, self.vocab_size = config, tier, threads, ctx, config.vocab_size
        self._weights = weights
        self._bases = Bases(16 + len(weights.slabs) + config.num_hidden_layers)
        shape = KVShape(config.num_key_value_heads, config.head_dim, STORED[kv_dtype])
        self.pool = _pool([shape] * config.num_hidden_layers, pages, -(-ctx // PAGE_SLOTS))
        machine = Machine(
            self._place_weights(), self._place_caches(shape), self._rope_table(names), tier, threads, -(-ctx // SPAN)
        )
        trace = Trace()
        family.forward(trace, config, names)
        classes = (
            RowClass("one", 1, 1, split=True),
            RowClass("few", FEW_ROWS, FEW_ROWS, split=True),
            RowClass("many", MAX_ROWS, MAX_OUTS, split=False),
        )
        lowered = {c.name: lower(trace, machine, c) for c in classes}
        self._library = self._compile(lowered, progress)
        self._tapes = {name: Tape(low.entries, self._library.address) for name, low in lowered.items()}
        self._arena = Region(max(low.arena_bytes for low in lowered.values()), huge=False)
        self._bases[ARENA] = self._arena.address
        self._logits = {name: low.logits for name, low in lowered.items()}
        self.sampling = SamplingBuffer(SamplingShape(RECORDS, MAX_OUTS, config.vocab_size, min(ctx, MOST_HISTORY)))
        self._bases[SAMPLING] = address_of(self.sampling.memory)
        table_entries = MAX_ROWS * -(-ctx // PAGE_SLOTS)
        self._step = Step(StepShape(MAX_ROWS, MAX_ROWS, MAX_OUTS, table_entries))
        self._step_address = address_of(self._step.memory)
        self._columns = tuple(self._step.offset[c] for c in ("token", "run", "slot", "pos", "att_lo", "att_hi", "out"))
        self._abort_address = self._step_address + 4 * H["abort"]
        self._team = team()
        self._team.ensure(threads)
        self._class = "one"
        self.steps = 0
        self.watcher: Watcher | None = None
        self.closed = False
        self._keeper: Keeper | None = None
        self.chunk_rows, self.beside_rows = MAX_ROWS // 2, MAX_ROWS // 4
        self.joint: Sized = ()  # generations under way in joint steps, which the steps of any other hold up
        self._records = list(range(RECORDS))

    # ---- building ------------------------------------------------------------------------------------------------------

    def _place_weights(self) -> dict[str, Placed]:
        numbers = {}
        for slab in self._weights.slabs.values():
            numbers[slab.name] = self._bases.new()
            self._bases[numbers[slab.name]] = self._weights.region.address + slab.offset
        return {t.name: Placed((numbers[t.slab], t.offset), t.layout) for t in self._weights.tensors.values()}

    def _place_caches(self, shape: KVShape) -> dict[int, Cache]:
        caches = {}
        for layer in range(self.config.num_hidden_layers):
            base = self._bases.new()
            self._bases[base] = self.pool.slab_address(layer)
            caches[layer] = Cache(base, shape)
        return caches

    def _rope_table(self, names: Any) -> RopeTable:
        factors = None
        if names.rope_factors is not None:
            tensor = self._weights.tensors[names.rope_factors.name]
            start = self._weights.slabs[tensor.slab].offset + tensor.offset
            factors = self._weights.region.bytes(start, 4 * tensor.shape[0]).view(np.float32).tolist()
        rope = frequencies(self.config.rope_dim, self.config.rope_theta, self.config.rope_scaling, factors)
        pairs = -(-len(rope.freq) // 4) * 4
        self._freq = private_memory(8 * pairs)
        self._freq[: 8 * len(rope.freq)] = struct.pack(f"<{len(rope.freq)}d", *rope.freq)
        base = self._bases.new()
        self._bases[base] = address_of(self._freq)
        return RopeTable((base, 0), pairs, rope.attention_factor)

    def _compile(self, lowered: dict[str, Lowered], progress: Progress | None) -> compiler.Library:
        kernels = {entry.kernel.name: entry.kernel for low in lowered.values() for entry in low.entries}
        objects = []
        for number, kernel in enumerate(kernels.values()):
            objects.append((compiler.object_code(kernel.ir(self.tier), self.tier), [kernel.name]))
            if progress:
                progress("compiling kernels", (number + 1) / len(kernels))
        return compiler.Library(objects, self.tier)

    @property
    def longest_tape(self) -> int:
        """Entries of it."""
        return max(tape.entries for tape in self._tapes.values())

    # ---- stepping ------------------------------------------------------------------------------------------------------

    def step(self, batch: Items[Rows], records: Items[int] = ()) -> int:
        """Runs the rows of a batch and commits them. At most MAX_ROWS rows and MAX_OUTS outputs. Returns the number of outputs.

        With `records`, one sampling record for each output in order, the outputs are sampled too (`sampled`). Raises NonFiniteLogitsError
        (nothing is committed), ContextOverflowError, OutOfBudgetError.
        """
        if self.closed:
            raise ClosedError("the model is closed; load it again")
        outs = self._fill(batch)
        words = self._step.words
        rows = words[H["rows"]]
        self._class = "one" if rows == 1 else "few" if rows <= FEW_ROWS else "many"
        tape = self._tapes[self._class]
        entries = tape.entries
        if records:
            for number, record in enumerate(records):
                self.sampling.assign(number, record)
        else:
            entries -= 1  # the last entry samples
        done = self._team.run(
            tape.address, entries, self._bases.address, self._step_address, self._abort_address, self.threads,
            self.watcher.stamps if self.watcher else 0,
        )  # fmt: skip
        self.steps += 1
        if done != entries:
            self._discard(batch)
            raise ClosedError("the step was broken off because the model is being closed")
        if words[H["status"]] != STATUS_OK:
            self._fail(batch)
        for item in batch:
            item.sequence.commit(item.tokens)
        if self.watcher:
            self.watcher.stepped(tape, entries, self._step)
        return outs

    def _fill(self, batch: Items[Rows]) -> int:
        """The Step's words for a batch; reserves pages."""
        words, at = self._step.words, self._step.offset
        token, run, slot, pos, low, high, out = self._columns
        row = outs = table = 0
        for number, item in enumerate(batch):
            sequence = item.sequence
            count = len(item.tokens)
            if row + count > MAX_ROWS:
                raise RequestError(f"a step takes {MAX_ROWS} rows at most; cut the batch into several")
            sequence.reserve(count)
            words[at["run_start"] + number], words[at["run_rows"] + number] = row, count
            words[at["run_pages"] + number] = table
            ctypes.memmove(self._step_address + 4 * (at["pages"] + table), sequence.table_address, 4 * sequence.held)
            table += sequence.held
            place, last = sequence.length, row + count - 1
            for value in item.tokens:
                words[token + row], words[run + row], words[slot + row] = value, number, place
                words[pos + row * POS_AXES], words[low + row], words[high + row] = place, 0, place + 1
                if item.outs == "all" or (item.outs == "last" and row == last):
                    if outs == MAX_OUTS:
                        raise RequestError(f"a step gives {MAX_OUTS} rows of logits at most; ask for fewer")
                    words[out + row], words[at["out_row"] + outs] = outs, row
                    outs += 1
                else:
                    words[out + row] = -1
                row += 1
                place += 1
        words[H["rows"]], words[H["runs"]], words[H["outs"]] = row, len(batch), outs
        words[H["status"]] = STATUS_OK
        return outs

    def step_locked(self, batch: Items[Rows]) -> None:
        """A step without sampling, for callers on any thread."""
        with self.lock:
            self.step(batch)

    def step_and_sample(self, batch: Items[Rows], records: Items[int]) -> int:
        """A step with one output, sampled; for callers on any thread."""
        with self.lock:
            self.step(batch, records)
            return self.sampled(0)

    def take_record(self) -> int:
        """A sampling record of one's own."""
        try:
            return self._records.pop()
        except IndexError:
            raise RequestError(f"{RECORDS} generations are under way; finish or close one") from None

    def give_record(self, record: int) -> None:
        self._records.append(record)

    def learn_speed(self, rows: int, seconds: float) -> None:
        """Keeps prompt chunks within a second, so that an interrupt is seen, and short beside decodes; chunking never changes a result."""
        if rows >= 16 and seconds > 0:
            alone, beside = (int(rows / seconds * limit) // 16 * 16 for limit in (_STEP_SECONDS, _BESIDE_SECONDS))
            self.chunk_rows = max(_LEAST_CHUNK, min(MAX_ROWS, alone))
            self.beside_rows = max(PAGE_SLOTS, min(MAX_ROWS, beside))

    @property
    def prompt_rows(self) -> int:
        """Rows of a chunk of a prompt outside joint steps."""
        return self.beside_rows if self.joint else self.chunk_rows

    def sampled(self, out: int) -> int:
        """The id that sampling chose for an output of the last step."""
        return self._step.words[self._step.offset["sampled"] + out]

    def _discard(self, batch: Items[Rows]) -> None:
        for item in batch:
            item.sequence.discard_uncommitted()

    def _fail(self, batch: Items[Rows]) -> None:
        row = self._step.words[H["status_row"]]
        self._discard(batch)
        run = self._step.words[self._step.offset["run"] + row]
        if self._step.words[H["status"]] == STATUS_ALL_FORBIDDEN:
            raise NothingAllowedError("every token is forbidden by logit_bias or a mask; allow at least one", run)
        sequence = batch[run].sequence
        position = self._step.words[self._step.offset["pos"] + row * POS_AXES]
        raise NonFiniteLogitsError(
            f"step {self.steps} computed a NaN or an infinity at position {position} (after {sequence.length} tokens); "
            "the weights are damaged or overflow this arithmetic",
            run,
        )

    def logits(self, outs: int) -> npt.NDArray[np.float32]:
        """The last step's logits [outs, vocab], copied."""
        buffer = self._logits[self._class]
        raw = self._arena.bytes(buffer.offset, outs * buffer.stride).view(np.float32)
        return raw.reshape(outs, buffer.stride // 4)[:, : self.vocab_size].copy()

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of the packed weights and the config: what, besides the arithmetic, decides the bits of logits and caches."""
        digest = hashlib.sha256(repr(self.config).encode())
        digest.update(self._weights.region.bytes(0, self._weights.region.nbytes).data)
        return digest.hexdigest()

    def new_sequence(self) -> Sequence:
        return Sequence(self.pool, self.ctx)

    def keep(self, unkept: Unkept) -> None:
        """Has the packed weights written to the cache while no step runs, at the latest when the engine is closed."""
        me = weakref.ref(self)  # a model that nobody holds is not kept alive by its cache entry

        def steps() -> int:
            return engine.steps if (engine := me()) is not None else 0

        def stepping() -> bool:
            engine = me()
            if engine is None or not engine.lock.acquire(blocking=False):
                return engine is not None
            engine.lock.release()
            return False

        self._keeper = Keeper(unkept, steps, stepping)

    @property
    def lock(self) -> threading.RLock:
        """The process's one step lock: steps of all models queue on it."""
        return self._team.lock

    def close(self) -> None:
        """Breaks off a step in flight at its next segment, then frees code, weights and caches."""
        self._step.words[H["abort"]] = 1
        with self.lock:
            self.closed = True
            self._library.close()
            self._arena.discard()
            self.pool.discard()
        try:
            if self._keeper is not None:
                self._keeper.finish()  # without the lock: other models go on
        finally:
            self._weights.region.discard()
