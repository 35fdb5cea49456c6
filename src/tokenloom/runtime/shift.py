"""Closing a gap in a cache without computing what follows it again: its keys are turned to their new positions.

Knows the engine's tapes and pages. Knows nothing of text. Layer 0 depends on a token and its position alone, so its keys and values are computed anew
and exact; those of deeper layers keep what they saw of the text that is gone.
"""

from __future__ import annotations

import ctypes
from functools import cached_property

from tokenloom.errors import ClosedError
from tokenloom.jit import compiler
from tokenloom.jit.memory import Region, address_of
from tokenloom.jit.runner import BARRIER, SEGMENT
from tokenloom.kernels.rope import ROPE_TABLE
from tokenloom.kernels.shift import shift_kv
from tokenloom.kernels.step import POS_AXES, STATUS_OK, H
from tokenloom.runtime.engine import MAX_ROWS, Engine, Rows
from tokenloom.runtime.sequence import Sequence
from tokenloom.trace.lower import double_bits
from tokenloom.trace.tape import Bases, Entry, Tape


class Shift:
    """Made for an engine when it is first needed, which compiles one kernel."""

    def __init__(self, engine: Engine) -> None:
        config = engine.config
        self._engine, layers = engine, config.num_hidden_layers
        kernel = shift_kv(engine.pool.shapes[0], config.rope_dim, config.rope_style)
        self._library = compiler.Library(
            [(compiler.object_code(k.ir(engine.tier), engine.tier), [k.name]) for k in (ROPE_TABLE, kernel)],
            engine.tier,
        )
        pairs = len(engine._freq) // 8
        self._table = Region(MAX_ROWS * pairs * 8, huge=False)
        self.bases = Bases(8 + layers)
        freq, table = self.bases.new(), self.bases.new()
        self.bases[freq], self.bases[table] = address_of(engine._freq), self._table.address
        count = 4 * H["rows"]
        entries = [
            Entry(ROPE_TABLE, {"freq": (freq, 0), "table": (table, 0), "pairs": pairs, "factor": double_bits(1.0), "count": count}, BARRIER, "shift")
        ]  # fmt: skip
        for layer in range(1, layers):
            kv = self.bases.new()
            self.bases[kv] = engine.pool.slab_address(layer)
            entries.append(Entry(kernel, {"kv": (kv, 0), "table": (table, 0), "count": count}, 0, "shift"))
        last = entries.pop()
        self.tape = Tape(
            [*entries, Entry(last.kernel, last.values, last.flags | SEGMENT, last.label)], self._library.address
        )

    @cached_property
    def _layer_0(self) -> int:
        """How many entries of the tape for many rows write the first layer's keys and values."""
        names = [name for name, _, _ in self._engine._tapes["many"].listing]
        return 1 + next(n for n, name in enumerate(names) if name.startswith("rope_kv"))

    def closed(self, old: Sequence, start: int, stop: int) -> Sequence:
        """A sequence like `old` without the tokens [start, stop), what followed them approximated. Raises OutOfBudgetError."""
        new = old.fork()
        new.truncate(start)
        rest = old.tokens[stop:]
        with self._engine.lock:
            for at in range(0, len(rest), MAX_ROWS):
                self._move(old, new, stop + at, rest[at : at + MAX_ROWS])
        if rest:
            new.genuine, new.approximate_from = min(old.genuine, start), min(old.approximate_from, start)
        return new

    def _move(self, old: Sequence, new: Sequence, source: int, tokens: list[int]) -> None:
        engine, step = self._engine, self._engine._step
        if engine.closed:
            raise ClosedError("the model is closed; load it again")
        back = new.length - source
        engine._fill([Rows(new, tokens, "none")])
        words, at = step.words, step.offset
        self._walk(engine._tapes["many"].address, self._layer_0, engine._bases.address)
        words[at["run_pages"] + 1] = new.held
        ctypes.memmove(engine._step_address + 4 * (at["pages"] + new.held), old.table_address, 4 * old.held)
        for row in range(len(tokens)):
            words[at["pos"] + row * POS_AXES], words[at["att_lo"] + row] = back, source + row
        self._walk(self.tape.address, self.tape.entries, self.bases.address)
        new.commit(tokens)

    def _walk(self, tape: int, entries: int, bases: int) -> None:
        engine = self._engine
        done = engine._team.run(tape, entries, bases, engine._step_address, engine._abort_address, engine.threads)
        if done != entries:
            raise ClosedError("the step was broken off because the model is being closed")
        assert engine._step.words[H["status"]] == STATUS_OK, "these tokens were computed before"
