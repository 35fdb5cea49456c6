"""Tokenizer metadata small enough to read, of each family, and wrong where a test wants it wrong."""

from __future__ import annotations

from typing import Any

from tokenloom.text.bpe import byte_characters

G = "tokenizer.ggml."
NORMAL, UNKNOWN, CONTROL, USER, UNUSED, BYTE = 1, 2, 3, 4, 5, 6


def byte_level(pre: str | None = "gpt-2", extra: dict[str, int] | None = None, **keys: Any) -> dict[str, Any]:
    """All bytes, two merges, `<s>` (256) and `</s>` (257) as control tokens, and `extra` texts with their types."""
    added = {"<s>": CONTROL, "</s>": CONTROL, "he": NORMAL, "hel": NORMAL, **(extra or {})}
    tokens = [*byte_characters().values(), *added]
    return {
        G + "model": "gpt2",
        **({G + "pre": pre} if pre is not None else {}),
        G + "tokens": tokens,
        G + "token_type": [NORMAL] * 256 + list(added.values()),
        G + "merges": ["h e", "he l"],
        G + "bos_token_id": 256,
        G + "eos_token_id": 257,
        **{G + key: value for key, value in keys.items()},
    }


def spm(extra: dict[str, tuple[float, int]] | None = None, **keys: Any) -> dict[str, Any]:
    """<unk>, <s>, </s>, the byte tokens, then `extra` texts with their scores and types."""
    pieces: dict[str, tuple[float, int]] = {"<unk>": (0.0, UNKNOWN), "<s>": (0.0, CONTROL), "</s>": (0.0, CONTROL)}
    pieces |= {f"<0x{byte:02X}>": (0.0, BYTE) for byte in range(256)}
    pieces |= extra or {}
    return {
        G + "model": "llama",
        G + "tokens": list(pieces),
        G + "scores": [score for score, _ in pieces.values()],
        G + "token_type": [kind for _, kind in pieces.values()],
        G + "bos_token_id": 1,
        G + "eos_token_id": 2,
        G + "unknown_token_id": 0,
        **{G + key: value for key, value in keys.items()},
    }


def t5(**keys: Any) -> dict[str, Any]:
    made = spm(
        {"▁": (-2.0, NORMAL), "a": (-3.0, NORMAL), "b": (-3.0, NORMAL), "ab": (-4.0, NORMAL), "▁ab": (-4.5, NORMAL)}
    )
    return {**made, G + "model": "t5", G + "add_space_prefix": True, **{G + key: value for key, value in keys.items()}}
