"""A model file's tokenizer metadata, checked: tokens, types, scores, merges, special ids and rules.

Knows the `tokenizer.ggml.*` keys, their types and the defaults that llama.cpp gives to absent ones. Does not know how
text is split or merged: `bpe`, `spm`, `unigram` and `wordpiece` do that with what is read here.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

from tokenloom.errors import FormatError, UnsupportedError

PREFIX = "tokenizer.ggml."


class TokenType(IntEnum):
    """The numbers of `tokenizer.ggml.token_type`."""

    UNDEFINED = 0
    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    USER_DEFINED = 4
    UNUSED = 5
    BYTE = 6


SPECIAL = (TokenType.CONTROL, TokenType.UNKNOWN)


@dataclass(frozen=True)
class Kind:
    """One tokenizer family: what `tokenizer.ggml.model` calls it, how people call it, and its defaults."""

    model: str
    title: str
    merges: bool = False
    scores: bool = False
    add_bos: bool = False
    add_eos: bool = False
    space_prefix: bool = False
    ids: Mapping[str, int] | None = None


KINDS: dict[str, Kind] = {
    kind.model: kind
    for kind in (
        Kind("gpt2", "byte-level BPE", merges=True),
        Kind("gemma4", "SentencePiece-style BPE with merges", merges=True, add_bos=True),
        Kind(
            "llama",
            "SentencePiece BPE",
            scores=True,
            add_bos=True,
            space_prefix=True,
            ids={"bos": 1, "eos": 2, "unknown": 0},
        ),
        Kind("t5", "SentencePiece unigram", scores=True, add_eos=True, ids={"eos": 1, "unknown": 2, "padding": 0}),
        Kind("bert", "WordPiece", add_bos=True, ids={"cls": 101, "seperator": 102, "unknown": 100}),
    )
}

SPECIAL_IDS = (
    "bos", "eos", "eot", "eom", "unknown", "seperator", "padding", "cls", "mask",
    "fim_pre", "fim_suf", "fim_mid", "fim_pad", "fim_rep", "fim_sep",
)  # fmt: skip

# Texts that end a generation when they stand in the vocabulary as control tokens.
EOG_TEXTS = frozenset((
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
    "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "<end_of_utterance>",
    "<eos>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~[",
    "<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<reponame>",
    "<|file_sep|>",
))  # fmt: skip
# Where these stand together "<|end|>" closes a message and not the generation.
END_IS_NOT_EOG = ({"<|return|>", "<|call|>"}, {"<|call|>", "<|flush|>"}, {"<|calls|>", "<|flush|>"})


@dataclass(frozen=True)
class Vocab:
    """Everything the metadata says about the tokenizer; `ids` holds the special ids by their short names."""

    kind: Kind
    pre: str | None
    tokens: list[str]
    types: bytes
    scores: list[float] | None
    merges: list[str] | None
    ids: Mapping[str, int]
    add_bos: bool | None
    add_eos: bool
    space_prefix: bool
    remove_extra_whitespaces: bool
    charsmap: bytes
    strips_after_special: bool
    lowercase: bool = True
    strip_accents: bool = True

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any]) -> Vocab:
        """Read and check the keys; FormatError names the bad one, UnsupportedError an unknown tokenizer model."""
        kind = _kind(metadata)
        tokens = _tokens(metadata)
        count = len(tokens)
        name = metadata.get("general.name")
        lowercase = _flag(metadata, "normalizer.lowercase", True)
        return cls(
            kind=kind,
            pre=_text(metadata, "pre"),
            tokens=tokens,
            types=_guarded(_types(metadata, count), tokens),
            scores=_scores(metadata, count, required=kind.scores),
            merges=_merges(metadata, required=kind.merges),
            ids=_special_ids(metadata, kind, count),
            add_bos=_optional_flag(metadata, "add_bos_token"),
            add_eos=_flag(metadata, "add_eos_token", kind.add_eos),
            space_prefix=_flag(metadata, "add_space_prefix", kind.space_prefix),
            remove_extra_whitespaces=_flag(metadata, "remove_extra_whitespaces", False),
            charsmap=_charsmap(metadata),
            strips_after_special=isinstance(name, str) and any(phi in name.lower() for phi in ("phi-3", "phi3")),
            lowercase=lowercase,
            strip_accents=_flag(metadata, "normalizer.strip_accents", lowercase),
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """Token text to id."""
        return dict(zip(self.tokens, range(len(self.tokens)), strict=True))

    def is_type(self, token: int, *types: TokenType) -> bool:
        return self.types[token] in types

    def of_type(self, *types: TokenType) -> list[int]:
        """Every id of these types, in order; almost every token is NORMAL, so this scans bytes and not objects."""
        found: list[int] = []
        for wanted in types:
            at = self.types.find(wanted)
            while at >= 0:
                found.append(at)
                at = self.types.find(wanted, at + 1)
        return sorted(found)

    def eog_ids(self) -> frozenset[int]:
        """Ids after which a generation is over."""
        ids = {self.ids[name] for name in ("eos", "eot", "eom", "fim_pad", "fim_rep", "fim_sep") if name in self.ids}
        controls = {self.tokens[i]: i for i in self.of_type(TokenType.CONTROL)}
        ids |= {i for text, i in controls.items() if text in EOG_TEXTS}
        if any(together <= controls.keys() for together in END_IS_NOT_EOG):
            ids.discard(controls.get("<|end|>", -1))
        return frozenset(ids)

    def fingerprint(self) -> str:
        """sha256 of everything that decides which ids a text gets."""
        digest = hashlib.sha256()
        rules = [self.kind.model, self.pre, sorted(self.ids.items()), self.add_bos, self.add_eos, self.space_prefix]
        rules += [self.remove_extra_whitespaces, self.strips_after_special, self.lowercase, self.strip_accents]
        parts: Iterable[bytes] = (
            repr(rules).encode("utf-8", "surrogateescape"),
            *("\0".join(part).encode("utf-8", "surrogateescape") for part in (self.tokens, self.merges or [])),
            self.types,
            repr(self.scores).encode(),
            self.charsmap,
        )
        for part in parts:
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()


def _kind(metadata: Mapping[str, Any]) -> Kind:
    model = _text(metadata, "model")
    if model is None:
        raise FormatError(f"{PREFIX}model is missing: the file carries no tokenizer")
    if model not in KINDS:
        raise UnsupportedError(
            f"tokenizer model {model!r} ({PREFIX}model) is not supported; supported: {', '.join(KINDS)}"
        )
    return KINDS[model]


def _text(metadata: Mapping[str, Any], key: str) -> str | None:
    value = metadata.get(PREFIX + key)
    if value is not None and not isinstance(value, str):
        raise FormatError(f"{PREFIX}{key} must be a string, found {type(value).__name__}")
    return value


def _optional_flag(metadata: Mapping[str, Any], key: str) -> bool | None:
    value = metadata.get(PREFIX + key)
    if value is not None and not isinstance(value, bool):
        raise FormatError(f"{PREFIX}{key} must be a boolean, found {type(value).__name__}")
    return value


def _flag(metadata: Mapping[str, Any], key: str, default: bool) -> bool:
    value = _optional_flag(metadata, key)
    return default if value is None else value


def _array(metadata: Mapping[str, Any], key: str) -> list[Any] | None:
    """An array as a plain list (a reader may hand out numpy arrays), or None when absent."""
    value = metadata.get(PREFIX + key)
    if value is None or isinstance(value, list):
        return value
    if isinstance(value, str | bytes | Mapping) or (not isinstance(value, Sequence) and not hasattr(value, "tolist")):
        raise FormatError(f"{PREFIX}{key} must be an array, found {type(value).__name__}")
    plain = value.tolist() if hasattr(value, "tolist") else list(value)
    if not isinstance(plain, list):
        raise FormatError(f"{PREFIX}{key} must be an array, found {type(value).__name__}")
    return plain


def _strings(metadata: Mapping[str, Any], key: str) -> list[str] | None:
    values = _array(metadata, key)
    if values and set(map(type, values)) != {str}:
        at = next(i for i, value in enumerate(values) if type(value) is not str)
        raise FormatError(f"{PREFIX}{key}[{at}] must be a string, found {type(values[at]).__name__}")
    return values


def _tokens(metadata: Mapping[str, Any]) -> list[str]:
    tokens = _strings(metadata, "tokens")
    if not tokens:
        raise FormatError(f"{PREFIX}tokens is {'missing' if tokens is None else 'empty'}")
    if "" in tokens:
        tokens = [text or f"[EMPTY_{i}]" for i, text in enumerate(tokens)]
    if len(set(tokens)) != len(tokens):
        seen: dict[str, int] = {}
        for i, text in enumerate(tokens):
            if seen.setdefault(text, i) != i:
                raise FormatError(f"{PREFIX}tokens holds {text!r} twice, at {seen[text]} and {i}")
    return tokens


def _types(metadata: Mapping[str, Any], count: int) -> bytes:
    values = _array(metadata, "token_type")
    if values is None:
        return bytes([TokenType.NORMAL]) * count
    _same_length("token_type", len(values), count)
    try:
        types = bytes(values)
    except (TypeError, ValueError):
        types = b"\xff"
    if max(types) > max(TokenType):
        at = next(i for i, value in enumerate(values) if value not in tuple(TokenType))
        raise FormatError(f"{PREFIX}token_type[{at}] is {values[at]!r}, not a token type (0 to {max(TokenType)})")
    return types


def _guarded(types: bytes, tokens: list[str]) -> bytes:
    """An added token that ends generations is a control token, whatever the file says: plain text must not make one."""
    if TokenType.USER_DEFINED not in types:
        return types
    guarded = bytearray(types)
    for at, found in enumerate(types):
        if found == TokenType.USER_DEFINED and tokens[at] in EOG_TEXTS:
            guarded[at] = TokenType.CONTROL
    return bytes(guarded)


def _scores(metadata: Mapping[str, Any], count: int, *, required: bool) -> list[float] | None:
    if not required:
        return None
    values = _array(metadata, "scores")
    if values is None:
        raise FormatError(f"{PREFIX}scores is missing: this tokenizer merges by score")
    _same_length("scores", len(values), count)
    for at, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise FormatError(f"{PREFIX}scores[{at}] is {value!r}, not a finite number")
    return values


def _merges(metadata: Mapping[str, Any], *, required: bool) -> list[str] | None:
    if not required:
        return None
    merges = _strings(metadata, "merges")
    if merges is None:
        raise FormatError(f"{PREFIX}merges is missing: a BPE tokenizer cannot work without it")
    return merges


def _charsmap(metadata: Mapping[str, Any]) -> bytes:
    values = _array(metadata, "precompiled_charsmap")
    if values is None:
        return b""
    try:
        return bytes(value & 0xFF for value in values)
    except TypeError as error:
        raise FormatError(f"{PREFIX}precompiled_charsmap must be an array of bytes") from error


def _special_ids(metadata: Mapping[str, Any], kind: Kind, count: int) -> dict[str, int]:
    ids = {name: token for name, token in (kind.ids or {}).items() if token < count}
    for name in SPECIAL_IDS:
        key = f"{name}_token_id"
        value = metadata.get(PREFIX + key)
        if value is None:
            continue
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise FormatError(f"{PREFIX}{key} must be an integer, found {type(value).__name__}")
        if not 0 <= int(value) < count:
            raise FormatError(f"{PREFIX}{key} is {int(value)}, outside the vocabulary of {count} tokens")
        ids[name] = int(value)
    return ids


def _same_length(key: str, found: int, count: int) -> None:
    if found != count:
        raise FormatError(f"{PREFIX}{key} has {found} entries for {count} tokens")
