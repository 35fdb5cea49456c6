"""One cell of turns × agents, measured: every arm takes each turn before any takes the next, so that speeds are compared at equal depth.

Knows the order, the pairs that are made of it, and why a row is REJECTED. Knows nothing of how an arm answers.

Pairs are turns: (shared, other arm) at the same turn, from the second turn on, as only the first computes the shared prefix. The control is a second
shared arm on texts of its own. Arms on the same texts must give the same tokens, and every arm here must compute the number of prompt tokens stated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenloom.bench.artefact import judged
from tokenloom.bench.machine import Conditions, Watch, busy_threads, thread_seconds
from tokenloom.bench.pairing import Limits, Summary, as_dict, refusal, summarize
from tokenloom.bench.sessions import PEER, SHARED, Cell, check, pages, prefilled
from tokenloom.bench.sessions_arms import HERE, Arm, Peer
from tokenloom.bench.side import FOREIGN
from tokenloom.errors import OutOfBudgetError
from tokenloom.runtime.model import Model

CONTROL = "shared (A/A)"
_PROBE = 256  # tokens of prefix, at most, where llama.cpp's two settings are tried

Say = Callable[[str], None]


@dataclass
class Track:
    """One arm and what it has done, turn by turn."""

    name: str
    arm: Arm
    texts: list[list[int]]
    text: int = 0  # which texts these are
    seconds: list[float] = field(default_factory=list)
    prefilled: list[int] = field(default_factory=list)
    conditions: list[Conditions] = field(default_factory=list)

    def take(self, cell: Cell, turn: int, vocab: int) -> None:
        for agent, text in enumerate(self.texts):
            text += cell.fresh(turn, agent, vocab, self.text)
        watch, begun = Watch(self.arm.pids), time.perf_counter()
        done = self.arm.turn(self.texts)
        seconds = time.perf_counter() - begun
        self.conditions.append(watch.end())
        for text, tokens in zip(self.texts, done.generated, strict=True):
            text += tokens
        self.prefilled.append(done.prefilled)
        self.seconds.append(seconds)

    def disturbed(self, turn: int) -> bool:
        return self.conditions[turn - 1].foreign > FOREIGN


def better_flash(model: Path, cell: Cell, vocab: int, threads: int, say: Say) -> bool:
    """Whether llama.cpp's server is faster with flash attention here: the second turn of a short prefix decides."""
    short = Cell(min(cell.prefix, _PROBE), 2, cell.agents, cell.decode, cell.result)
    times = {}
    for flash in (False, True):
        say(f"llama.cpp, flash attention {'on' if flash else 'off'}: a short trial")
        peer = Peer(model, short, threads=threads, flash=flash)
        try:
            track = Track(PEER, peer, [[] for _ in range(cell.agents)])
            for turn in (1, 2):
                track.take(short, turn, vocab)
            times[flash] = track.seconds[1]
        finally:
            peer.close()
    return times[True] < times[False]


@dataclass
class Measured:
    """A cell's arms. Whole turns alone count, so an interrupt leaves it as if fewer had been asked for."""

    cell: Cell
    tracks: list[Track]
    limits: Limits = field(default_factory=Limits)
    peer_threads: tuple[int, int] | None = None  # asked for, and found busy

    @property
    def turns(self) -> int:
        return min((len(track.seconds) for track in self.tracks), default=0)

    def track(self, name: str) -> Track:
        return next(track for track in self.tracks if track.name == name)

    def pairs(self, first: Track, second: Track) -> list[tuple[float, float]]:
        """Undisturbed turns from the second on."""
        return [
            (first.seconds[turn - 1], second.seconds[turn - 1])
            for turn in range(2, self.turns + 1)
            if not (first.disturbed(turn) or second.disturbed(turn))
        ]

    def summary(self, other: Track) -> Summary | None:
        taken = self.pairs(self.track(SHARED), other)
        return summarize(taken) if taken else None

    def fault(self, track: Track) -> str | None:
        """What makes this arm's figures mean something else."""
        rule = SHARED if track.name == CONTROL else track.name
        stated = prefilled(self.cell, rule)
        for turn in range(self.turns):
            if track.name != PEER and track.prefilled[turn] != stated[turn]:
                return f"computed {track.prefilled[turn]} prompt tokens in turn {turn + 1} instead of {stated[turn]}"
        ours = self.track(SHARED)
        if track.name not in (PEER, CONTROL) and self._tokens(track) != self._tokens(ours):
            return "gave other tokens than the shared arm"
        if track.name == PEER and self.peer_threads and self.peer_threads[0] != self.peer_threads[1]:
            return f"unfair: llama.cpp kept {self.peer_threads[1]} threads busy instead of {self.peer_threads[0]}"
        return None

    def _tokens(self, track: Track) -> list[list[int]]:
        """The texts up to the last whole turn."""
        end = self.cell.prefix + self.turns * (self.cell.result + self.cell.decode)
        return [text[:end] for text in track.texts]

    def _reason(self, track: Track) -> str | None:
        if fault := self.fault(track):
            return fault
        control, compared = self.summary(self.track(CONTROL)), self.summary(track)
        if control is None or compared is None:
            return "no undisturbed turn after the first"
        return refusal(control, control if track.name == SHARED else compared, self.limits)

    def engines(self) -> dict[str, dict[str, Any]]:
        """What an artefact says of the other engine."""
        peer = next((track.arm for track in self.tracks if isinstance(track.arm, Peer)), None)
        return {"theirs": {"name": PEER, "threads": peer.threads, **peer.server.about}} if peer else {}

    def rows(self) -> list[dict[str, Any]]:
        """For the artefact, one for each arm."""
        return [self._row(track) for track in self.tracks] if self.turns else []

    def _row(self, track: Track) -> dict[str, Any]:
        cell, reason, compared = self.cell, self._reason(track), self.summary(track)
        total, ours = sum(track.seconds[: self.turns]), sum(self.track(SHARED).seconds[: self.turns])
        stated = prefilled(cell, SHARED if track.name == CONTROL else track.name)[: self.turns]
        return {
            "row": f"{cell.title}: {track.name}", "arm": track.name, **judged(reason),
            "cell": {name: getattr(cell, name) for name in ("prefix", "turns", "agents", "decode", "result")},
            "turns_done": self.turns, "seconds": total, "agent_turns_per_s": self.turns * cell.agents / total,
            "prefilled": sum(track.prefilled[: self.turns]), "stated": sum(stated), "ratio_of_totals": total / ours,
            "ratio": as_dict(compared) if compared and track.name != SHARED else None,
            "turn_seconds": track.seconds[: self.turns], "conditions": [c.as_dict() for c in track.conditions[: self.turns]],
            "flash": track.arm.flash if isinstance(track.arm, Peer) else None,
        }  # fmt: skip


def check_room(model: Model, cell: Cell, arms: Sequence[str]) -> None:
    """Raises OutOfBudgetError where pages would be given up and computed again, and the counts stated be wrong."""
    needed, there = pages(cell, [*arms, SHARED]), model._engine.pool.pages
    if needed > there:
        raise OutOfBudgetError(
            f"{cell.title}: the arms hold {needed} pages at once and the cache has {there}; give a larger --kv-budget or fewer --arms"
        )


def measure(
    model: Model, cell: Cell, arms: Sequence[str], *, flash: bool | None, say: Say, into: list[Measured]
) -> None:
    """Adds the cell to `into` before its first turn, and fills it turn by turn."""
    vocab = model.tokenizer.vocab_size
    check(cell, vocab)
    check_room(model, cell, [name for name in arms if name != PEER])
    with ExitStack() as stack:
        tracks = []
        for name in arms:
            arm: Arm
            if name == PEER:
                if flash is None:
                    flash = better_flash(model.path, cell, vocab, model.threads, say)
                arm = Peer(model.path, cell, threads=model.threads, flash=flash)
            else:
                arm = HERE[name](model, cell)
            stack.callback(arm.close)
            tracks.append(Track(name, arm, [[] for _ in range(cell.agents)], 2 * len(into)))
        control = HERE[SHARED](model, cell)
        tracks.append(Track(CONTROL, control, [[] for _ in range(cell.agents)], 2 * len(into) + 1))
        _warm_up(model, vocab)
        found = Measured(cell, tracks)
        into.append(found)
        before = {pid: thread_seconds(pid) for track in tracks for pid in track.arm.pids}
        try:
            for turn in range(1, cell.turns + 1):
                say(f"{cell.title}: turn {turn}")
                for track in tracks if turn % 2 else reversed(tracks):
                    track.take(cell, turn, vocab)
        finally:
            for pid, was in before.items():
                found.peer_threads = model.threads, busy_since(pid, was)


def _warm_up(model: Model, vocab: int) -> None:
    """The first steps of each row class, on tokens that no text begins with."""
    model.generate_many([[vocab - 1] * 40, [vocab - 2] * 3], max_tokens=3, ignore_eos=True, reuse=False)
    list(model.generate_tokens([vocab - 1], max_tokens=3, ignore_eos=True, reuse=False))


def busy_since(pid: int, before: dict[int, float]) -> int:
    """How many threads of a process did the work since `before`; 0 when it is no more."""
    if not Path(f"/proc/{pid}/task").exists():
        return 0
    return busy_threads([seconds - before.get(thread, 0.0) for thread, seconds in thread_seconds(pid).items()])
