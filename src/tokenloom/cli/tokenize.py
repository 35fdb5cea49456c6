"""`tokenloom tokenize`: a text's token ids. Knows arguments and output; reads only the metadata of a model."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from tokenloom.cli import inputs, options

Arguments = Annotated[
    list[str] | None,
    typer.Argument(metavar="[MODEL] TEXT", help="The text (- reads standard input).", show_default=False),
]
Pieces = Annotated[bool, typer.Option("--pieces", help="One token a line: its id and its text.")]
AsJson = Annotated[bool, typer.Option("--json", help="A JSON list of ids, or of [id, text] with --pieces.")]
AddBos = Annotated[
    bool | None,
    typer.Option("--bos/--no-bos", help="Begin with the beginning-of-text token (else as the model's file says)."),
]
Special = Annotated[bool, typer.Option("--special", help="Read the text of special tokens as those tokens.")]


def command(
    arguments: Arguments = None,
    model: options.ModelFile = None,
    pieces: Pieces = False,
    as_json: AsJson = False,
    add_bos: AddBos = None,
    special: Special = False,
) -> int:
    """Print the token ids of a text."""
    from tokenloom.formats.model_file import open_model
    from tokenloom.runtime.default_model import model_path
    from tokenloom.text.tokenizer import Tokenizer

    path, text = inputs.model_and_text(arguments or [], model, None, what="TEXT")
    text = inputs.read_text(text)
    with open_model(model_path(path)) as file:
        tokenizer = Tokenizer.from_gguf(file.metadata)
    ids = tokenizer.encode(text, add_bos=add_bos, parse_special=special)
    named = [(i, tokenizer.token_bytes(i).decode("utf-8", "backslashreplace")) for i in ids] if pieces else []
    if as_json:
        out = json.dumps(named if pieces else ids, ensure_ascii=False)
    elif pieces:
        out = "\n".join(f"{i:>7} {text!r}" for i, text in named)
    else:
        out = " ".join(map(str, ids))
    sys.stdout.write(out + "\n")
    return 0
