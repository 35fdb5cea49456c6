"""`tokenloom batch`: a file of requests in, a file of answers out. Knows the flags and the progress; knows no models."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli import batch_lines, inputs, options
from tokenloom.cli.batch_answers import Answers, Printed, place
from tokenloom.cli.batch_lines import MOST_SAMPLES, Question
from tokenloom.cli.opening import open_model
from tokenloom.errors import RequestError

if TYPE_CHECKING:
    from rich.progress import Progress

    from tokenloom.runtime.generation import Drafts
    from tokenloom.runtime.many import Result


def _guessing(word: str | None) -> str | None:
    if word not in (None, "ngram"):
        raise typer.BadParameter(f"{word!r} is not valid; many texts are guessed from themselves alone: give ngram")
    return word


Arguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[MODEL] FILE",
        help='Requests, one JSON object a line: {"prompt": "…"} or {"messages": […]}, with settings of its own if it likes (- reads standard input).',
        show_default=False,
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Where answers go (else FILE.out.jsonl; - is standard output)."
    ),
]
Samples = Annotated[
    int,
    typer.Option("--samples", metavar="INTEGER", parser=options.whole(1, MOST_SAMPLES), help="Answers to each prompt, seeds counting up."),
]  # fmt: skip
Raw = Annotated[bool, typer.Option("--raw", help="Continue prompts as they stand, without the chat template.")]
Speculate = Annotated[
    str | None,
    typer.Option(
        "--speculate",
        callback=_guessing,
        metavar="ngram",
        help="Guess tokens ahead, each text from itself; answers stay the same.",
    ),
]
_BEAT = 10.0  # seconds between lines of progress where there is no terminal
_NAMED = 10  # failed lines that the summary names


def command(
    arguments: Arguments = None,
    model: options.ModelFile = None,
    output: Output = None,
    samples: Samples = 1,
    max_tokens: options.MaxTokens = None,
    temp: options.Temp = 0.0,
    top_k: options.TopK = 0,
    top_p: options.TopP = 1.0,
    min_p: options.MinP = 0.0,
    repeat_penalty: options.RepeatPenalty = 1.0,
    presence_penalty: options.PresencePenalty = 0.0,
    frequency_penalty: options.FrequencyPenalty = 0.0,
    seed: options.Seed = 0,
    stop: options.Stop = None,
    ignore_eos: options.IgnoreEos = False,
    system: options.System = None,
    raw: Raw = False,
    ctx: options.Ctx = None,
    threads: options.Threads = None,
    tier: options.TierName = None,
    kv_dtype: options.KVDtypeName = "f16",
    kv_budget: options.KVBudget = None,
    arithmetic: options.Arithmetic = "exact",
    speculate: Speculate = None,
) -> int:
    """Answer a file of requests, many at a time. The same command goes on where an earlier run was stopped."""
    path, file = inputs.model_and_text(arguments or [], model, None, what="FILE")
    lines = _read(file).split(b"\n")
    out = output or ("-" if file == "-" else str(Path(file).with_suffix(".out.jsonl")))
    if out != "-" and file != "-" and Path(out).absolute() == Path(file).absolute():
        raise typer.BadParameter(f"{out!r} is the file of the requests; give another", param_hint="-o")
    if out != "-" and Path(out).is_dir():
        raise typer.BadParameter(f"{out!r} is a folder; give a file", param_hint="-o")
    flags: dict[str, Any] = {
        "n": samples, "max_tokens": max_tokens, "temp": temp, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed,
        "repeat_penalty": repeat_penalty, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty,
        "stop": stop or [], "ignore_eos": ignore_eos, "raw": raw, "system": system,
    }  # fmt: skip
    settings: dict[str, Any] = {
        "threads": threads, "ctx": ctx, "tier": tier, "kv_dtype": kv_dtype, "kv_budget": kv_budget, "arithmetic": arithmetic,
    }  # fmt: skip
    with open_model(path, **settings) as opened:
        plan = list(_plan(file, lines, flags, opened.fingerprint))
        with Printed(plan) if out == "-" else Answers(Path(out)) as answers:
            run = _Run(plan, answers)
            how = {} if speculate is None else {"speculate": speculate}  # no part of the question: it changes no answer
            with run:
                opened.generate_each(({**_ask(lines, flags, question), **how} for question in run.todo), run.ended)
            answers.finish(plan)
    run.summary(out)
    return 1 if run.failed else 0


def _read(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as problem:
        raise RequestError(f"cannot read {file}: {problem.strerror}") from None


def _plan(file: str, lines: list[bytes], flags: dict[str, Any], model: str) -> Iterator[Question | dict[str, Any]]:
    """The questions in order; a line that asks none is an answer already, and is told at once."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield from batch_lines.questions(number, batch_lines.parse(line), flags, model)
            except RequestError as problem:
                sys.stderr.write(f"tokenloom: {file} line {number}: {problem}\n")
                yield {"line": number, "error": str(problem)}


def _ask(lines: list[bytes], flags: dict[str, Any], question: Question) -> dict[str, Any]:
    own = {name: value for name, value in flags.items() if name != "n"}
    return batch_lines.asked(batch_lines.parse(lines[question.line - 1]), own, question.sample)


class _Run:
    """What is left to ask, what came of it, and the progress that is shown meanwhile."""

    def __init__(self, plan: list[Question | dict[str, Any]], answers: Answers | Printed) -> None:
        self._plan, self._answers = plan, answers
        self.todo = [*{q.key: q for q in plan if isinstance(q, Question) and q.key not in answers}.values()]
        asked = {q.key for q in plan if isinstance(q, Question)}
        self.found = len(asked) - len(self.todo)
        self.failed = {item["line"] for item in plan if isinstance(item, dict)}
        self._bad_keys: dict[str, str] = {}
        self.done = self.prompt = self.cached = self.generated = 0
        self.drafted = self.accepted = 0
        self._guesses = False  # whether any were asked for
        self._begun = self._told = time.monotonic()
        self._bar: Progress | None = None

    def __enter__(self) -> _Run:
        if sys.stderr.isatty() and self.todo:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task("answering", total=len(self.todo))
            self._bar.start()
        return self

    def ended(self, number: int, result: Result) -> None:
        """An answer: on disk before anything is said of it."""
        question = self.todo[number]
        answer: dict[str, Any] = place(question)
        if result.error is not None:
            self._bad_keys[question.key] = str(result.error)
            self._answers.keep(question.key, {**answer, "error": str(result.error)})
        else:
            self._answers.keep(question.key, {
                **answer, "text": result.text, "tokens": [int(token) for token in result.tokens], "finish_reason": result.finish_reason,
                "cached_tokens": result.cached_tokens, "prefilled_tokens": result.prefilled_tokens, **self._guessed(result.drafts),
            })  # fmt: skip
        self.done += 1
        self.cached += result.cached_tokens
        self.prompt += result.cached_tokens + result.prefilled_tokens
        self.generated += len(result.tokens)
        self._show()

    def _guessed(self, drafts: Drafts | None) -> dict[str, Any]:
        if drafts is None:
            return {}
        self._guesses = True
        self.drafted += drafts.drafted
        self.accepted += drafts.accepted
        return {"drafts": {"drafted": drafts.drafted, "accepted": drafts.accepted}}

    def _show(self) -> None:
        now = time.monotonic()
        speed = f"{self.generated / max(now - self._begun, 1e-9):.0f} tokens/s"
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.done, description=speed)
        elif now - self._told > _BEAT:
            self._told = now
            sys.stderr.write(f"tokenloom: {self.done} of {len(self.todo)} answered, {speed}\n")

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.seconds = time.monotonic() - self._begun
        if self._bar is not None:
            self._bar.stop()
        if kind is not None and isinstance(self._answers, Answers):
            sys.stderr.write(
                f"tokenloom: {self.found + self.done} of {self.found + len(self.todo)} answers are kept in {self._answers.part}; "
                "the same command goes on from there\n"
            )
        for question in (q for q in self._plan if isinstance(q, Question) and q.key in self._bad_keys):
            if question.line not in self.failed:
                sys.stderr.write(f"tokenloom: line {question.line}: {self._bad_keys[question.key]}\n")
            self.failed.add(question.line)

    def summary(self, out: str) -> None:
        failed = sorted(self.failed)
        named = ", ".join(map(str, failed[:_NAMED])) + (", …" if len(failed) > _NAMED else "")
        parts = [
            f"{self.found + self.done} answers" + (f" ({self.found} found from before)" if self.found else ""),
            *([f"{len(failed)} of the lines failed: {named}"] if failed else []),
            f"prompts {self.prompt} tokens ({self.cached} shared)",
            f"generated {self.generated} tokens in {self.seconds:.2f} s, {self.generated / max(self.seconds, 1e-9):.1f} tokens/s",
            *([f"{self.accepted} of {self.drafted} guesses right"] if self._guesses else []),
            *([] if out == "-" else [out]),
        ]
        sys.stderr.write(" | ".join(parts) + "\n")
