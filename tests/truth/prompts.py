"""Twenty varied texts and their ids, fixed here so that every engine is asked the same thing.

Knows: byte-level BPE from a GGUF file's token and merge lists, through `tokenizers`, without tokenloom's own tokenizer
(what matters is that the ids are real text, and equal for all). Does not know: engines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

POSITIONS = 64

TEXTS = (Path(__file__).parent / "texts.txt").read_text("utf-8").removesuffix("\n").split("\n%%%%\n")


def tokenizer(metadata: Mapping[str, Any]) -> Tokenizer:
    tokens, merges = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.merges"]
    vocab = {token: i for i, token in enumerate(tokens)}
    bpe = Tokenizer(models.BPE(vocab=vocab, merges=[tuple(merge.split(" ", 1)) for merge in merges]))
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    control = [token for token, kind in zip(tokens, metadata["tokenizer.ggml.token_type"], strict=True) if kind == 3]
    bpe.add_special_tokens(control)
    return bpe


def prompts(metadata: Mapping[str, Any]) -> list[list[int]]:
    """The first POSITIONS ids of every text; each is long enough."""
    bpe = tokenizer(metadata)
    encoded = [bpe.encode(text).ids for text in TEXTS]
    short = {text[:20]: len(ids) for text, ids in zip(TEXTS, encoded, strict=True) if len(ids) < POSITIONS}
    assert not short, f"texts with fewer than {POSITIONS} tokens: {json.dumps(short)}"
    return [ids[:POSITIONS] for ids in encoded]
