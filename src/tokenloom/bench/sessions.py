"""Turns × agents over a shared prompt: what is asked, and how many prompt tokens each way of answering has to compute.

Knows token counts. Knows nothing of engines or time.

All agents begin with the same `prefix` tokens. In every turn each of them is given `result` new tokens (its task, later a tool's result), different
for each agent from the first one on, and `decode` tokens are generated. So the prompt of turn t (from 1) has prefix + t·result + (t−1)·decode tokens.
The last generated token of a turn was sampled but not computed, so it is part of what the next turn computes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tokenloom.bench.rows import token_ids
from tokenloom.errors import RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS
from tokenloom.runtime.engine import MAX_OUTS

REPREFILL, OWN, SHARED, PEER = "re-prefill", "own KV", "shared", "llama.cpp"


@dataclass(frozen=True)
class Cell:
    """One point of the grid. All counts are of tokens but `turns` and `agents`."""

    prefix: int
    turns: int
    agents: int
    decode: int
    result: int

    @property
    def title(self) -> str:
        return (
            f"prefix {self.prefix}, {self.turns} turns × {self.agents} agents, {self.result} in and {self.decode} out"
        )

    @property
    def ctx(self) -> int:
        """Slots that an agent's whole text takes."""
        return self.prefix + self.turns * (self.result + self.decode)

    def prompt(self, turn: int) -> int:
        """Tokens of an agent's prompt in a turn, counted from 1."""
        return self.prefix + turn * self.result + (turn - 1) * self.decode

    def fresh(self, turn: int, agent: int, vocab: int, text: int = 0) -> list[int]:
        """What an agent is given in a turn: in the first, the prefix as well. `text` tells apart runs that must not find each other's."""
        number = 1 + (text * self.turns + turn - 1) * self.agents + agent
        ids = token_ids(self.result, vocab, number)
        return ids if turn > 1 else [*token_ids(self.prefix, vocab, -text), *ids]


def grid(
    prefixes: list[int], turns: list[int], agents: list[int], decodes: list[int], results: list[int]
) -> list[Cell]:
    """Every combination."""
    return [Cell(*values) for values in product(prefixes, turns, agents, decodes, results)]


def _reprefill(cell: Cell, turn: int) -> int:
    """Everything, every time."""
    return cell.agents * cell.prompt(turn)


def _own(cell: Cell, turn: int) -> int:
    """Each agent its own cache: what is new, and the token sampled last."""
    return cell.agents * (cell.prompt(1) if turn == 1 else cell.result + 1)


def _shared(cell: Cell, turn: int) -> int:
    """What anyone has computed is found, to the token; a beginning shorter than a page is not waited for by those who start together."""
    if turn == 1 and cell.prefix < PAGE_SLOTS:
        return min(cell.agents, MAX_OUTS) * cell.prefix + cell.agents * cell.result
    return _least(cell, turn)


def _least(cell: Cell, turn: int) -> int:
    """What sharing to the token leaves: no way of answering exactly can compute less."""
    return (cell.prefix if turn == 1 else cell.agents) + cell.agents * cell.result


RULES = {REPREFILL: _reprefill, OWN: _own, SHARED: _shared, PEER: _own}


def prefilled(cell: Cell, arm: str) -> list[int]:
    """The prompt tokens that an arm computes in each turn, all agents together. llama.cpp's slots share nothing: each is a cache of its own."""
    return [RULES[arm](cell, turn) for turn in range(1, cell.turns + 1)]


def least(cell: Cell) -> int:
    """The fewest prompt tokens that have to be computed in all turns."""
    return sum(_least(cell, turn) for turn in range(1, cell.turns + 1))


def pages(cell: Cell, arms: Iterator[str] | list[str]) -> int:
    """Pages of a cache that holds all that these arms hold at once, so that none is given up and computed again."""
    full = -(-cell.ctx // PAGE_SLOTS) + 1
    needs = {REPREFILL: full, OWN: cell.agents * full, PEER: 0}
    shared = cell.prefix // PAGE_SLOTS
    needs[SHARED] = shared + cell.agents * (full - shared)
    return sum(needs[arm] for arm in arms)


def check(cell: Cell, vocab: int) -> None:
    """Raises RequestError where agents' tokens would not differ, or nothing would be asked."""
    if min(cell.turns, cell.agents, cell.decode, cell.result) < 1:
        raise RequestError("turns, agents, decode and result are numbers from 1")
    firsts = {cell.fresh(1, agent, vocab)[cell.prefix] for agent in range(cell.agents)}
    if len(firsts) < cell.agents:
        raise RequestError(f"{cell.agents} agents have no {cell.agents} different tokens in a vocabulary of {vocab}")
