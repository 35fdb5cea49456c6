"""Ctrl-C: a real one during generation, and one simulated at every line that moves the engine from one state to the next."""

from __future__ import annotations

import ast
import inspect
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np
import pytest

import tokenloom
from tests.exact.bits import assert_same_bits
from tests.runtime.books import assert_balanced
from tokenloom.runtime import engine as engine_module
from tokenloom.runtime import generation, pages, prefix, sequence
from tokenloom.runtime import session as session_module
from tokenloom.runtime.engine import Rows
from tokenloom.runtime.model import Model

PROMPT = list(range(40, 60))
MORE = [70, 71, 72]
PARTS = (engine_module, sequence, pages, prefix, session_module)
FILES = frozenset(module.__file__ for module in PARTS)
LOOP = {generation._decode.__code__, generation._prefill.__code__}


@pytest.fixture(scope="module")
def lone(tiny_file: Path) -> Iterator[Model]:
    """One thread: thousands of steps without a barrier."""
    with tokenloom.load(tiny_file, threads=1) as model:
        yield model


def with_lines(module: ModuleType) -> set[int]:
    tree = ast.parse(inspect.getsource(module))
    return {node.lineno for node in ast.walk(tree) if isinstance(node, ast.With)}


def in_finalizer(frame: FrameType | None) -> bool:
    """Where Python swallows every exception."""
    while frame and frame.f_code.co_name != "__del__":
        frame = frame.f_back
    return frame is not None


class Interrupter:
    """Ctrl-C at the n-th line run in the traced code: whoever handles it at that time does, as `BetweenSteps` does by keeping it for later.

    The line of a `with` counts on the way in only: on the way out a tracer can raise where Python itself handles no signal, between the end of the
    body and `__exit__`.
    """

    def __init__(self, at: int, traced: Callable[[CodeType], bool]) -> None:
        self.left, self.traced, self.raised_in = at, traced, ""
        self.withs = {module.__file__: with_lines(module) for module in (*PARTS, generation)}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        if not self.traced(frame.f_code) or in_finalizer(frame):
            return None
        entered: set[int] = set()
        withs = self.withs.get(frame.f_code.co_filename, set())

        def line(frame: FrameType, event: str, arg: Any) -> Any:
            if event == "line" and frame.f_lineno not in entered:
                if frame.f_lineno in withs:
                    entered.add(frame.f_lineno)
                self.left -= 1
                if self.left == 0:
                    self.raised_in = f"{frame.f_code.co_qualname}:{frame.f_lineno}"
                    handler = signal.getsignal(signal.SIGINT)
                    assert callable(handler)
                    handler(signal.SIGINT, frame)
            return line

        return line


@contextmanager
def interrupted_at(number: int, traced: Callable[[CodeType], bool]) -> Iterator[Interrupter]:
    tracer = Interrupter(number, traced)
    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        yield tracer
    finally:
        sys.settrace(before)


def in_parts(code: CodeType) -> bool:
    return code.co_filename in FILES or code in LOOP


def lines_until_done(
    work: Callable[[], object],
    check: Callable[[str], None],
    traced: Callable[[CodeType], bool] = in_parts,
    first: int = 1,
) -> int:
    """Interrupts `work` at its first line, its second, and so on until it runs through; `check` after each. Returns how many lines there were."""
    for number in range(first, 5000):
        with interrupted_at(number, traced) as tracer:
            with suppress(KeyboardInterrupt):
                work()
            done = not tracer.raised_in
        check(tracer.raised_in)
        if done:
            return number - 1
    raise AssertionError("it never ran through")


def test_a_step_interrupted_anywhere(lone: Model) -> None:
    """Either all of a sequence's rows are committed or none, and what follows has the same bits."""
    places = interrupt_a_step(lone)
    assert {"Engine.step", "Engine._fill", "Sequence.reserve", "Sequence.commit", "PagePool.copy"} <= places


def interrupt_a_step(lone: Model, first: int = 1) -> set[str]:
    """From its line `first` on; the functions it was interrupted in."""
    engine = lone._engine
    base = engine.new_sequence()
    engine.step([Rows(base, PROMPT)])
    want = lone.logits(PROMPT + MORE + [80])
    other_want = lone.logits([*PROMPT, 90, 91])
    places: set[str] = set()
    state: dict[str, Any] = {}

    def work() -> None:
        state["one"], state["two"] = base.fork(), base.fork()
        engine.step([Rows(state["one"], MORE), Rows(state["two"], [90], "none")])

    def check(where: str) -> None:
        places.add(where.split(":")[0])
        assert base.tokens == PROMPT
        if "two" not in state:
            return
        one, two = state["one"], state["two"]
        assert one.tokens in (PROMPT, PROMPT + MORE), where
        assert two.tokens in (PROMPT, [*PROMPT, 90]), where
        for s, tokens, logits in ((one, [*PROMPT, *MORE, 80], want), (two, [*PROMPT, 90, 91], other_want)):
            rest = tokens[s.length :]
            engine.step([Rows(s, rest, "all")])
            assert_same_bits(engine.logits(len(rest)), logits[-len(rest) :])
            s.close()
        state.clear()

    assert lines_until_done(work, check, first=first) > 60
    base.close()
    return places


def test_a_generation_interrupted_anywhere(lone: Model) -> None:
    """The session goes on from what it has; the model gives the same text as before."""
    session = lone.session()
    ask = {"max_tokens": 3, "ignore_eos": True}
    want = list(lone.generate_tokens(PROMPT + MORE, reuse=False, **ask))
    further = list(lone.generate_tokens([*PROMPT, *MORE, *want, 99], reuse=False, **ask))

    def work() -> None:
        running = session.generate(MORE, **ask)
        try:
            for _ in running:
                pass
        finally:
            running.close()

    session.append(PROMPT)

    def check(where: str) -> None:
        held = session.tokens
        assert held in [(PROMPT + MORE + want)[:n] for n in range(len(PROMPT), len(PROMPT + MORE + want) + 1)], where
        if len(held) < len(PROMPT + MORE):
            held = PROMPT
            session.truncate(len(PROMPT))
            session.append(MORE)
        rest = (PROMPT + MORE + want)[len(session.tokens) :]
        running = session.generate([*rest, 99], **ask)
        assert "".join(running) == running.text
        assert running.tokens == further, where
        session.truncate(len(PROMPT))
        assert list(lone.generate_tokens(PROMPT + MORE, **ask)) == want, where

    assert lines_until_done(work, check) > 100
    session.close()


def test_a_truncation_or_close_interrupted_anywhere(lone: Model) -> None:
    engine = lone._engine
    ids = np.random.default_rng(3).integers(3, 280, 70).tolist()
    want = lone.logits([*ids[:20], 99])[-1:]
    state: dict[str, Any] = {}

    def work() -> None:
        state["s"] = s = engine.new_sequence()
        engine.step([Rows(s, ids[:64])])
        s.fork().close()
        s.truncate(20)

    def check(where: str) -> None:
        if "s" not in state:
            return
        s = state.pop("s")
        s.truncate(min(20, s.length))
        rest = [*ids[s.length : 20], 99]
        engine.step([Rows(s, rest)])
        assert_same_bits(engine.logits(1), want)
        s.close()

    assert lines_until_done(work, check, lambda code: code.co_filename in (sequence.__file__, pages.__file__)) > 50


def test_a_prefix_tree_interrupted_anywhere(tiny_file: Path) -> None:
    """What it holds it can find, each page once, and gives back."""
    model = tokenloom.load(tiny_file, threads=1)
    tree, pool, engine = model._tree, model._engine.pool, model._engine
    ids = np.random.default_rng(4).integers(3, 280, 40).tolist()
    texts = [ids[:20], ids, [*ids[:36], 7], [*ids[:16], 5]]
    kept = []
    for text in texts:
        kept.append(engine.new_sequence())
        engine.step([Rows(kept[-1], text)])

    def work() -> None:
        for one in kept:
            tree.remember(one)
        tree.forget(kept[1].table[1])
        kept[3].close()
        tree.evict()
        tree.clear()

    def check(where: str) -> None:
        if kept[3].closed:
            kept[3] = engine.new_sequence()
            engine.step([Rows(kept[3], texts[3])])
        nodes = [*tree._root.children]
        for node in nodes:
            nodes += node.children
            assert node.parent is not None
            assert node.parent.children[node.parent.place(node.key)] is node, where
        assert {node.page: node for node in nodes} == tree._used, where
        assert len(nodes) == len(tree), where
        assert_balanced(model, kept)
        tree.clear()
        assert pool.used == sum(one.held for one in kept), where

    assert lines_until_done(work, check, lambda code: code.co_filename == prefix.__file__) > 100
    for one in kept:
        one.close()
    model.close()


def test_guard_on_interrupts_fails_when_a_commit_can_be_half_done(lone: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(self: Any, tokens: Any) -> None:
        for token in tokens:
            self._tokens.append(token)
            self.length += 1

    careless.__code__ = careless.__code__.replace(co_filename=sequence.__file__)
    monkeypatch.setattr(sequence.Sequence, "commit", careless)
    with pytest.raises(AssertionError):
        interrupt_a_step(lone, first=250)  # past the forks


CHILD = textwrap.dedent("""
    import sys, tokenloom
    model = tokenloom.load(sys.argv[1], threads=2)
    prompt = list(range(40, 60))
    ask = {"max_tokens": 60, "ignore_eos": True}
    want = list(model.generate_tokens([*prompt, 7], reuse=False, **ask))
    session = model.session()
    session.append(prompt)
    for round in range(int(sys.argv[2])):
        try:
            print("go", flush=True)
            while True:
                for token in session.generate([7], **ask):
                    pass
                session.truncate(len(prompt))
        except KeyboardInterrupt:
            pass
        assert session.tokens[:20] == prompt, session.tokens
        session.truncate(len(prompt))
        running = session.generate([7], **ask)
        text = "".join(running)
        assert running.tokens == want, (running.tokens, want)
        assert list(model.generate_tokens([*prompt, 7], **ask)) == want
        print("same", flush=True)
""")


def test_a_real_interrupt_leaves_the_session_usable(tiny_file: Path) -> None:
    rounds, rng = 6, random.Random(1)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tiny_file), str(rounds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    assert child.stdout
    try:
        for _ in range(rounds):
            assert child.stdout.readline() == "go\n", child.communicate(timeout=30)[1]
            time.sleep(rng.uniform(0.005, 0.1))
            child.send_signal(signal.SIGINT)
            assert child.stdout.readline() == "same\n", child.communicate(timeout=30)[1]
        assert child.wait(timeout=30) == 0
    finally:
        child.kill()
        child.communicate()
