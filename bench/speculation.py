#!/usr/bin/env python3
"""What guessing ahead gains and costs: decode speed with and without it, taken in turns in one process, and whether the texts are equal.

    bench/speculation.py [MODEL ...] [--pairs 5] [--tokens 256] [--threads N] [--texts story] [--together 1,4,16]

Three texts: an edit of code (mostly a copy), a story (nothing repeats), and a story whose guesses are always wrong, which is the worst case. With
--together so many edits, and stories, at once. Knows `generate(speculate=)` and `generate_many(speculate=)`. Knows no peers.
"""

from __future__ import annotations

import argparse
import statistics
import time
from contextlib import contextmanager, nullcontext
from functools import partial

import tokenloom
from tokenloom.runtime import speculation
from tokenloom.runtime.generation import Drafts

CODE = """class Inventory:
    def __init__(self, items, limit):
        self.items = items
        self.limit = limit

    def add_item(self, name, count):
        if name in self.items:
            self.items[name] = self.items[name] + count
        else:
            self.items[name] = count
        if self.items[name] > self.limit:
            self.items[name] = self.limit
        return self.items[name]

    def remove_item(self, name, count):
        if name not in self.items:
            raise KeyError(name)
        self.items[name] = self.items[name] - count
        if self.items[name] <= 0:
            del self.items[name]
        return self.items.get(name, 0)

    def count_items(self):
        total = 0
        for name in self.items:
            total = total + self.items[name]
        return total
"""
EDIT = (
    f"Rewrite this code with the class renamed to Stock, and answer with the whole code only.\n\n```python\n{CODE}```"
)
STORY = "Tell me a long story about a lighthouse keeper who finds a strange map. Use varied language."


class Wrong:
    """Guesses that no model makes: the token before the last, twice removed."""

    def propose(self, text, most):
        return [(token + 12345) % 30000 for token in text[-most:]]

    def close(self):
        pass


@contextmanager
def always_wrong():
    before, speculation.drafter_of = speculation.drafter_of, lambda speculate, model: lambda lease, request: Wrong()
    try:
        yield
    finally:
        speculation.drafter_of = before


def timed_together(model, prompts, ask, speculate, *, tokens):
    """Tokens/s of all texts, the ids, and how guessing went."""
    begun = time.perf_counter()
    results = model.generate_many(prompts, speculate=speculate, max_tokens=tokens, ignore_eos=True, **ask)
    seconds = time.perf_counter() - begun
    drafts = [result.drafts for result in results if result.drafts]
    total = Drafts(sum(d.drafted for d in drafts), sum(d.accepted for d in drafts))
    return len(prompts) * tokens / seconds, [result.tokens for result in results], total


def timed(model, prompt, ask, speculate, *, tokens):
    """Decode tokens/s, the ids, and how guessing went."""
    # the prompt is found in the cache from the second time on: only decoding is timed
    generation = model.generate(prompt, speculate=speculate, max_tokens=tokens, ignore_eos=True, **ask)
    for _ in generation:
        pass
    return generation.timings.decode_tps, generation.tokens, generation.drafts


def compare(name, run, pairs, around):
    """`run(speculate)` is one measurement."""
    ratios, plain, ahead, control = [], [], [], []
    for _ in range(pairs):
        speed, want, _ = run(None)
        with around():
            faster, got, drafts = run("ngram")
        again, _, _ = run(None)
        if got != want:
            raise SystemExit(f"{name}: the texts differ")
        base = (speed + again) / 2
        plain.append(base)
        ahead.append(faster)
        ratios.append(faster / base)
        control.append(again / speed)
    print(
        f"  {name:28} {statistics.median(plain):6.1f} -> {statistics.median(ahead):6.1f} tokens/s: x{statistics.median(ratios):.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f}; without against itself {min(control):.2f} to {max(control):.2f}); "
        f"{drafts.accepted} of {drafts.drafted} guesses right",
        flush=True,
    )


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("models", nargs="*", default=[None])
    options.add_argument("--pairs", type=int, default=5)
    options.add_argument("--tokens", type=int, default=256)
    options.add_argument("--threads", type=int)
    options.add_argument("--texts", default="", help="only texts whose name has this in it")
    options.add_argument("--together", default="", help="so many texts at once instead, such as 1,4,16")
    given = options.parse_args()
    for path in given.models or [None]:
        with tokenloom.load(path, threads=given.threads, ctx=2048) as model:
            print(
                f"{model.path.name}, {model.threads} threads, {given.pairs} pairs of {given.tokens} tokens", flush=True
            )
            for name, prompt, ask, around in (
                ("code edit, greedy", EDIT, {}, nullcontext),
                ("code edit, temp 0.5", EDIT, {"temp": 0.5, "seed": 1}, nullcontext),
                ("story, temp 1", STORY, {"temp": 1.0, "seed": 1}, nullcontext),
                ("story, guesses all wrong", STORY, {"temp": 1.0, "seed": 1}, always_wrong),
            ):
                if given.texts in name and not given.together:
                    compare(name, partial(timed, model, prompt, ask, tokens=given.tokens), given.pairs, around)
            for count in map(int, filter(None, given.together.split(","))):
                for name, text, ask in (("code edits", EDIT, {}), ("stories, temp 1", STORY, {"temp": 1.0, "seed": 1})):
                    prompts = [f"Task {n}. {text}" for n in range(count)]
                    run = partial(timed_together, model, prompts, ask, tokens=given.tokens)
                    run(None)  # the prompts are found from here on
                    if given.texts in name:
                        compare(f"{count} {name}", run, given.pairs, nullcontext)


if __name__ == "__main__":
    main()
