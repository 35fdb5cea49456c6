"""`tokenloom info`: what a model file holds. Knows how to lay facts out on a terminal; the facts come from formats."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from tokenloom.cli import options

AsJson = Annotated[bool, typer.Option("--json", help="The same as one JSON object.")]
Tensors = Annotated[bool, typer.Option("--tensors", help="List every tensor too.")]


def printable(text: str) -> str:
    """A file's text with everything escaped that could move a terminal's cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)


def size(count: int) -> str:
    for unit, step in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)):
        if count >= step:
            return f"{count / step:.1f} {unit}"
    return f"{count} B"


def _number(value: Any) -> str:
    """A number; of a per-layer list, its distinct values; a file that does not say, a dash."""
    if value is None:
        return "-"
    return "/".join(str(v) for v in dict.fromkeys(value)) if isinstance(value, list) else str(value)


def _lines(facts: dict[str, Any]) -> Iterable[str]:
    tokenizer = facts["tokenizer"]
    shards = f" in {facts['shards']} files" if facts["shards"] > 1 else ""
    yield f"file          {facts['path']} ({facts['format']}, {size(facts['file_bytes'])}{shards})"
    yield f"architecture  {facts['architecture'] or 'not stated'}"
    yield f"name          {facts['name'] or '-'} (license: {facts['license'] or 'not stated'})"
    total = f"{facts['tensor_count']} tensors, {size(facts['tensor_bytes'])}"
    yield f"parameters    {facts['parameters'] / 1e6:.1f} M in {total}"
    for name, part in facts["quant"].items():
        refused = "" if part["supported"] else "  (tokenloom does not compute with this type)"
        count = f"{part['tensors']:>5} tensors {part['parameters'] / 1e6:>10.1f} M"
        yield f"  {name:<11} {count} {size(part['bytes']):>10}{refused}"
    yield f"context       {_number(facts['context_length'])} tokens"
    heads = f"{_number(facts['heads'])} heads, {_number(facts['kv_heads'])} KV heads"
    yield f"shape         {_number(facts['layers'])} layers, hidden {_number(facts['hidden_size'])}, {heads}"
    yield f"feed forward  {_number(facts['feed_forward'])}" + (
        f", {facts['experts']} experts" if facts["experts"] else ""
    )
    yield "rope          " + (", ".join(f"{key} {value}" for key, value in facts["rope"].items()) or "-")
    kind = f"{tokenizer['model'] or 'not stated'}, pre-tokenizer {tokenizer['pre'] or 'not stated'}"
    yield f"tokenizer     {kind}, {_number(tokenizer['vocab_size'])} tokens"
    special = {name: tokenizer[f"{name}_id"] for name in ("bos", "eos", "eot", "eom", "unknown", "padding")}
    yield "special ids   " + (
        ", ".join(f"{name} {value}" for name, value in special.items() if value is not None) or "-"
    )
    yield f"template      {'yes' if facts['chat_template'] else 'none (use --raw)'}"
    for tensor in facts.get("tensors", ()):
        shape = " x ".join(map(str, tensor["shape"]))
        yield f"  {tensor['name']:<32} {tensor['type']:<8} {shape:<18} {size(tensor['bytes']):>10}"


def command(
    model: options.ModelPosition = None,
    model_flag: options.ModelFile = None,
    as_json: AsJson = False,
    tensors: Tensors = False,
) -> int:
    """Describe a model file: architecture, sizes, quantization, context, tokenizer, template."""
    from tokenloom.formats.describe import describe
    from tokenloom.formats.model_file import open_model
    from tokenloom.runtime.default_model import model_path

    with open_model(model_path(options.one_model(model, model_flag))) as file:
        facts = describe(file, tensors=tensors)
    text = json.dumps(facts, indent=2) if as_json else "\n".join(printable(line) for line in _lines(facts))
    sys.stdout.write(text + "\n")
    return 0
