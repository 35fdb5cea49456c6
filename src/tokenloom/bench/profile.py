"""Where the time of a prompt and of a decoded token goes: per op class, from the stamps that the tape's runner leaves.

Knows stamps, steps and shares. Knows nothing of what kernels do (`profile_work`), or of how it is shown.

What is timed is what a caller of `generate_tokens` waits for. Of all samples (tokens, prompts) the quicker half is kept: the others were disturbed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tokenloom.bench.machine import Watch
from tokenloom.bench.profile_work import StepFacts, Work, work_of
from tokenloom.bench.wall import Walls, measure
from tokenloom.errors import ContextOverflowError, RequestError
from tokenloom.jit.cpu import TIERS
from tokenloom.jit.memory import address_of, private_memory
from tokenloom.kernels.step import Step
from tokenloom.runtime.engine import Engine
from tokenloom.runtime.model import Model
from tokenloom.trace.tape import Entry, Tape

LEAST_PROMPTS, PROMPT_SECONDS = 4, 4.0
OUTSIDE, WAKING = "outside the tape", "waking threads"


@dataclass(frozen=True)
class Stepped:
    """One step: its calls, stamps [calls + 1][threads][2] in ticks of the clock (jit.team), when it was over (perf_counter), what it was of."""

    calls: list[Entry]
    stamps: npt.NDArray[np.int64]
    over: float
    facts: StepFacts


@dataclass(frozen=True)
class Sample:
    """What a caller waited for, from `begun` to the end of the last of its steps."""

    begun: float
    steps: list[Stepped]

    @property
    def wall_s(self) -> float:
        return self.steps[-1].over - self.begun


@dataclass(frozen=True)
class Share:
    """An op class in one sample, on average. Seconds are averages over the threads: computing, and waiting at the barriers that follow."""

    name: str
    calls: float = 0.0
    compute_s: float = 0.0
    wait_s: float = 0.0
    nbytes: float = 0.0
    int_ops: float = 0.0
    float_ops: float = 0.0

    def __add__(self, other: Share) -> Share:
        mine, others = asdict(self), asdict(other)
        return Share(**{k: v if k == "name" else v + others[k] for k, v in mine.items()})

    @property
    def gbs(self) -> float:
        return self.nbytes / self.compute_s / 1e9 if self.compute_s else 0.0

    @property
    def gops(self) -> float:
        return (self.int_ops + self.float_ops) / self.compute_s / 1e9 if self.compute_s else 0.0


@dataclass(frozen=True)
class Phase:
    """Prompts, or decoded tokens. `wall_s` is of one sample of `tokens` tokens; compute and waiting of all shares sum up to it.

    `foreign`: the CPUs that other processes kept busy meanwhile, on average. With more than nothing, the times are not the machine's.
    """

    name: str
    depth: int
    tokens: int
    taken: int
    kept: int
    foreign: float
    wall_s: float
    barriers: float
    shares: list[Share]
    details: list[Share]  # the same time, by kernel and shape

    @property
    def tokens_per_s(self) -> float:
        return self.tokens / self.wall_s

    @property
    def total(self) -> Share:
        return sum(self.shares, Share("total"))


@dataclass(frozen=True)
class Profile:
    """A model's phases and what the machine could do in the same run."""

    tier: str
    threads: int
    walls: Walls
    phases: list[Phase]


class Recorder:
    """An engine's watcher that keeps every step."""

    def __init__(self, engine: Engine) -> None:
        self._threads = engine.threads
        self._memory = private_memory((engine.longest_tape + 1) * self._threads * 16)
        self.stamps = address_of(self._memory)
        self.steps: list[Stepped] = []
        self._ends: list[tuple[float, int]] = []

    def stepped(self, tape: Tape, entries: int, step: Step) -> None:
        over = time.perf_counter()
        shape = (entries + 1, self._threads, 2)
        stamps = np.frombuffer(self._memory, np.int64, shape[0] * shape[1] * 2).reshape(shape).copy()
        facts = StepFacts(step.header("rows"), step.header("outs"), step.words[step.offset["slot"]])
        self.steps.append(Stepped(tape.calls[:entries], stamps, over, facts))
        self._ends.append((over, int(stamps[-2, 0, 1])))

    def take(self) -> list[Stepped]:
        taken, self.steps = self.steps, []
        return taken

    @property
    def hz(self) -> float:
        """Ticks of a second, from the ends of the first and the last step."""
        (first, begin), (last, end) = self._ends[0], self._ends[-1]
        return (end - begin) / (last - first)


# ---- from stamps to shares --------------------------------------------------------------------------------------------


def times(stamps: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], float, float]:
    """Ticks, averaged over the threads: of each entry computing, and waiting; of the lateness after the first; of all, which is their sum."""
    begun, ends, met = stamps[-1, :, 0], stamps[:-1, :, 0], stamps[:-1, :, 1]
    starts = np.concatenate([begun[None], met[:-1]])
    first = begun.min()
    return (
        (ends - starts).mean(1),
        (met - ends).mean(1),
        float((begun - first).mean()),
        float((met[-1] - first).mean()),
    )


def summarize(name: str, depth: int, samples: list[Sample], foreign: float, hz: float) -> Phase:
    """The quicker half of the samples."""
    kept = sorted(samples, key=lambda sample: sample.wall_s)[: -(-len(samples) // 2)]
    per_op: dict[str, Share] = {}
    per_detail: dict[str, Share] = {}
    scale = 1 / len(kept)
    barriers = 0
    for sample in kept:
        outside = sample.wall_s
        for step in sample.steps:
            compute, wait, late, whole = times(step.stamps)
            outside -= whole / hz
            barriers += sum(call.flags != 0 for call in step.calls)
            _add(per_op, Share(WAKING, scale, 0.0, late / hz * scale))
            for call, busy, idle in zip(step.calls, (compute / hz).tolist(), (wait / hz).tolist(), strict=True):
                work = work_of(call, step.facts)
                _add(per_op, _share(work.op, work, busy, idle, scale))
                _add(per_detail, _share(work.detail, work, busy, idle, scale))
        _add(per_op, Share(OUTSIDE, scale, outside * scale))
    tokens = sum(step.facts.rows for step in kept[0].steps)
    wall = sum(sample.wall_s for sample in kept) * scale
    return Phase(
        name,
        depth,
        tokens,
        len(samples),
        len(kept),
        foreign,
        wall,
        barriers * scale,
        _sorted(per_op),
        _sorted(per_detail),
    )


def _share(name: str, work: Work, busy: float, idle: float, scale: float) -> Share:
    return Share(
        name, scale, busy * scale, idle * scale, work.nbytes * scale, work.int_ops * scale, work.float_ops * scale
    )


def _add(shares: dict[str, Share], share: Share) -> None:
    shares[share.name] = shares[share.name] + share if share.name in shares else share


def _sorted(shares: dict[str, Share]) -> list[Share]:
    return sorted(shares.values(), key=lambda share: -(share.compute_s + share.wait_s))


# ---- taking samples ---------------------------------------------------------------------------------------------------


def ids(count: int, vocab: int, number: int = 0) -> list[int]:
    """Tokens in no particular order; another `number` gives others, so that no cache knows them."""
    return [(number * 104729 + 13 + i * 7919) % vocab for i in range(count)]


def _decode(model: Model, recorder: Recorder, count: int, depth: int) -> list[Sample]:
    """One sample for each of `count` tokens after `depth` others (at least one)."""
    prompt = ids(max(1, depth), model.config.vocab_size)
    source = iter(model.generate_tokens(prompt, max_tokens=count + 1, ignore_eos=True, reuse=False))
    next(source)
    recorder.take()
    begun = time.perf_counter()
    for _ in source:
        pass
    samples = []
    for step in recorder.take():
        samples.append(Sample(begun, [step]))
        begun = step.over
    return samples


def _prompt(model: Model, recorder: Recorder, count: int, depth: int, number: int) -> Sample:
    """Until the first token after `count` new tokens, with `depth` others in the cache already."""
    vocab = model.config.vocab_size
    before = ids(depth, vocab)
    if depth:
        list(model.generate_tokens(before, max_tokens=1, ignore_eos=True))
    recorder.take()
    begun = time.perf_counter()
    list(model.generate_tokens(before + ids(count, vocab, number), max_tokens=1, ignore_eos=True, reuse=depth > 0))
    return Sample(begun, recorder.take())


def _prompts(model: Model, recorder: Recorder, count: int, depth: int) -> list[Sample]:
    samples: list[Sample] = []
    while len(samples) < LEAST_PROMPTS or sum(s.wall_s for s in samples) < PROMPT_SECONDS:
        samples.append(_prompt(model, recorder, count, depth, len(samples) + 2))
    return samples


def profile(model: Model, *, prompt: int = 256, decode: int = 64, depth: int = 0) -> Profile:
    """Times `decode` tokens and prompts of `prompt` tokens (0: not), each after `depth` tokens in the cache; measures the machine before and after.

    Raises RequestError for nothing to time, ContextOverflowError for more than the model's context.
    """
    if not prompt and not decode:
        raise RequestError("nothing to time: give a prompt length or a number of tokens to decode")
    longest = max(depth + prompt, max(1, depth) + decode)
    if longest > model.ctx:
        raise ContextOverflowError(
            f"to time {longest} tokens does not fit the context of {model.ctx}; give a lower depth or fewer tokens, or load with a larger ctx"
        )
    engine = model._engine
    recorder = Recorder(engine)
    tier = TIERS[model.tier]
    before = measure(tier, model.threads)
    phases: list[tuple[str, list[Sample], float]] = []

    def take(name: str, samples: Callable[[], list[Sample]]) -> None:
        watch = Watch(())
        taken = samples()
        phases.append((name, taken, watch.end().foreign))

    engine.watcher = recorder
    try:
        if decode:
            _decode(model, recorder, min(decode, 4), depth)
            take("decode", lambda: _decode(model, recorder, decode, depth))
        if prompt:
            _prompt(model, recorder, prompt, depth, 1)
            take("prompt", lambda: _prompts(model, recorder, prompt, depth))
    finally:
        engine.watcher = None
    walls = before.best(measure(tier, model.threads))
    summaries = [summarize(name, depth, taken, foreign, recorder.hz) for name, taken, foreign in phases]
    return Profile(model.tier, model.threads, walls, summaries)


# ---- as data ----------------------------------------------------------------------------------------------------------


def as_dict(result: Profile) -> dict[str, Any]:
    """Everything, with the ratios to the machine's limits."""
    return {
        "tier": result.tier,
        "threads": result.threads,
        "walls": asdict(result.walls),
        "phases": {phase.name: _phase(phase, result.walls) for phase in result.phases},
    }


def _phase(phase: Phase, walls: Walls) -> dict[str, Any]:
    fields = {k: v for k, v in asdict(phase).items() if k not in ("name", "shares", "details")}
    return {
        **fields,
        "tokens_per_s": phase.tokens_per_s,
        "total": _total(phase, walls),
        "ops": _by_name(phase.shares, phase.wall_s, walls),
        "details": _by_name(phase.details, phase.wall_s, walls),
    }


def _total(phase: Phase, walls: Walls) -> dict[str, float | None]:
    """Its rates are over all of the time, waiting included."""
    total = phase.total
    found = ratios(replace(total, compute_s=phase.wall_s), phase.wall_s, walls)
    return {**found, "compute_s": total.compute_s, "time_fraction": total.compute_s / phase.wall_s}


def _by_name(shares: Iterable[Share], wall_s: float, walls: Walls) -> dict[str, Any]:
    return {share.name: ratios(share, wall_s, walls) for share in shares}


def ratios(share: Share, wall_s: float, walls: Walls) -> dict[str, float | None]:
    """A share's figures; rates and their fractions of the limits are None where there are no bytes or operations."""
    limit = walls.dot_gops if share.int_ops else walls.fma_gops
    mixed = bool(share.int_ops and share.float_ops)  # of a total: no one limit
    counted = share.int_ops + share.float_ops
    return {
        **{k: v for k, v in asdict(share).items() if k != "name"},
        "time_fraction": share.compute_s / wall_s,
        "wait_fraction": share.wait_s / wall_s,
        "gbs": share.gbs if share.nbytes else None,
        "wall_fraction": share.gbs / walls.read_gbs if share.nbytes else None,
        "gops": share.gops if counted else None,
        "peak_fraction": share.gops / limit if counted and not mixed else None,
    }
