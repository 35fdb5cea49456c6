"""`tokenloom run`: one prompt in, its answer streamed out. Knows the flags; knows no models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tokenloom.cli import inputs, options, report
from tokenloom.cli.opening import drafting, open_model

if TYPE_CHECKING:
    from tokenloom.runtime.model import Model

Arguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MODEL] PROMPT", help="The prompt (- reads standard input).", show_default=False),
]
PromptText = Annotated[str | None, typer.Option("-p", "--prompt", metavar="TEXT", help="The prompt, as a flag.")]
PromptFile = Annotated[Path | None, typer.Option("-f", "--file", metavar="FILE", help="Read the prompt from a file.")]
Raw = Annotated[bool, typer.Option("--raw", help="Continue the prompt as it stands, without the chat template.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object at the end instead of streamed text.")]


def _system(model: Model, flag: str | None, raw: bool) -> str | None:
    """The system message that is used; None where there is none but what the template itself may say."""
    if raw or model.template is None:
        return None
    return flag if flag is not None else model.default_system


def command(
    arguments: Arguments = None,
    model: options.ModelFile = None,
    prompt: PromptText = None,
    file: PromptFile = None,
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
    as_json: AsJson = False,
    ctx: options.Ctx = None,
    threads: options.Threads = None,
    tier: options.TierName = None,
    kv_dtype: options.KVDtypeName = "f16",
    kv_budget: options.KVBudget = None,
    arithmetic: options.Arithmetic = "exact",
    speculate: options.Speculate = None,
    no_cache: options.NoCache = False,
) -> int:
    """Answer one prompt, with the model's chat template when it has one; greedy unless told otherwise."""
    if prompt is not None and file is not None:
        raise typer.BadParameter("-p and -f both give the prompt; leave one out", param_hint="-f")
    if raw and system is not None:
        raise typer.BadParameter(
            "--raw uses no chat template, so it takes no system message; leave one of the two out",
            param_hint="--system",
        )
    flag = prompt if prompt is not None else str(file) if file is not None else None
    path, text = inputs.model_and_text(arguments or [], model, flag)
    text = inputs.not_empty(inputs.read_file(file) if file is not None else inputs.read_text(text))
    sampling: dict[str, Any] = {
        "max_tokens": max_tokens, "temp": temp, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed,
        "repeat_penalty": repeat_penalty, "presence_penalty": presence_penalty, "frequency_penalty": frequency_penalty,
        "stop": tuple(stop or ()), "ignore_eos": ignore_eos, "raw": raw, "system": system,
    }  # fmt: skip
    settings: dict[str, Any] = {
        "threads": threads, "ctx": ctx, "tier": tier, "kv_dtype": kv_dtype, "kv_budget": kv_budget, "cache": not no_cache,
        "arithmetic": arithmetic,
    }  # fmt: skip
    with open_model(path, **settings) as opened, drafting(speculate, threads=threads, tier=tier) as guess:
        generation = opened.generate(text, **({**sampling, "speculate": guess} if guess is not None else sampling))
        with report.told(generation, opened.ctx, text=not as_json):
            for piece in generation:
                if not as_json:
                    sys.stdout.write(piece)
                    sys.stdout.flush()
        if as_json:
            about = {
                "model": str(opened.path),
                "tier": opened.tier,
                "threads": opened.threads,
                "ctx": opened.ctx,
                "system": _system(opened, system, raw),
                "prompt": text,
            }
            sys.stdout.write(json.dumps({**about, **report.as_dict(generation)}, ensure_ascii=False) + "\n")
    return 0
