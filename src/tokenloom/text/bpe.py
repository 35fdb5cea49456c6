"""BPE by ranked merges: byte-level (GPT-2 and its many heirs) and over raw characters with byte fallback (Gemma 4).

Knows how to set up the `tokenizers` library from a checked vocabulary, and what bytes a token stands for. Does not know
special tokens or BOS rules: it is given plain text between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tokenloom.errors import FormatError
from tokenloom.text import pretokenizers
from tokenloom.text.vocab import PREFIX, SPECIAL, TokenType, Vocab

if TYPE_CHECKING:
    from tokenizers import Tokenizer as RustTokenizer

SPACE = "▁"
_NEWLINE_RUNS = re.compile(r"[^\n]+|\n+")
_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


def byte_characters() -> dict[int, str]:
    """GPT-2's visible stand-ins: each byte's character, printable ones standing for themselves."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    hidden = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(hidden)}


_BYTE_OF = {character: byte for byte, character in byte_characters().items()}


def byte_of_token(text: str) -> int | None:
    """The byte that a `<0xNN>` token stands for."""
    match = _BYTE_TOKEN.fullmatch(text)
    return int(match[1], 16) if match else None


class ByteLevelBPE:
    """Words cut by a named pre-tokenizer, spelled in GPT-2's byte characters, merged by rank."""

    def __init__(self, vocab: Vocab) -> None:
        from tokenizers import Regex, pre_tokenizers

        self._vocab = vocab
        self.row = pretokenizers.find(vocab.pre)
        self._rust = _merger(vocab, byte_fallback=False, whole_words=self.row.whole_words)
        splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in self.row.patterns]
        spelled = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        self._rust.pre_tokenizer = pre_tokenizers.Sequence([*splits, spelled])

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """`after_special` matters to tokenizers that add a space only."""
        return self._rust.encode(text, add_special_tokens=False).ids

    def token_bytes(self, token: int) -> bytes:
        text = self._vocab.tokens[token]
        if self._vocab.is_type(token, TokenType.USER_DEFINED, *SPECIAL):
            return text.encode()
        try:
            return bytes([_BYTE_OF[character] for character in text])
        except KeyError:  # a token kept as plain text although its type says otherwise
            return text.encode()


class CharacterBPE:
    """Gemma 4's: spaces become ▁, only runs of newlines are words, characters outside the vocabulary become bytes."""

    def __init__(self, vocab: Vocab) -> None:
        missing = [byte for byte in range(256) if f"<0x{byte:02X}>" not in vocab.index]
        if missing:
            raise FormatError(
                f"{PREFIX}tokens lacks the byte token <0x{missing[0]:02X}>, which this tokenizer falls back to"
            )
        self._vocab = vocab
        self._rust = _merger(vocab, byte_fallback=True, whole_words=False)

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """`after_special` matters to tokenizers that add a space only."""
        ids: list[int] = []
        for word in _NEWLINE_RUNS.findall(text.replace(" ", SPACE)):
            whole = self._vocab.index.get(word) if word[0] == "\n" else None
            ids += [whole] if whole is not None else self._rust.encode(word, add_special_tokens=False).ids
        return ids

    def token_bytes(self, token: int) -> bytes:
        return spm_bytes(self._vocab, token)


def spm_bytes(vocab: Vocab, token: int) -> bytes:
    """The bytes of a SentencePiece token: a byte token's byte, ▁ as a space, added tokens as they are."""
    text = vocab.tokens[token]
    if vocab.is_type(token, TokenType.BYTE):
        byte = byte_of_token(text)
        if byte is not None:
            return bytes([byte])
    if not vocab.is_type(token, TokenType.USER_DEFINED, *SPECIAL):
        text = text.replace(SPACE, " ")
    return text.encode("utf-8", "surrogateescape")


def _merger(vocab: Vocab, *, byte_fallback: bool, whole_words: bool) -> RustTokenizer:
    from tokenizers import Tokenizer, models

    assert vocab.merges is not None
    refuse_undecodable(vocab)
    pairs = _pairs(vocab.merges)
    try:
        model = models.BPE(
            _reachable(vocab, pairs, whole_words), pairs, byte_fallback=byte_fallback, ignore_merges=whole_words
        )
    except Exception as error:  # the library raises a bare Exception
        raise FormatError(f"{PREFIX}merges do not fit {PREFIX}tokens: {error}") from error
    return Tokenizer(model)


def _reachable(vocab: Vocab, pairs: list[tuple[str, str]], whole_words: bool) -> dict[str, int]:
    """The tokens plain text may become. Where whole words are looked up, a control token that no merge builds must not
    be one of them, or untrusted text could name it."""
    if not whole_words:
        return vocab.index
    built = {left + right for left, right in pairs}
    hidden = {vocab.tokens[i] for i in vocab.of_type(*SPECIAL)} - built
    return {text: i for text, i in vocab.index.items() if text not in hidden}


def _pairs(merges: list[str]) -> list[tuple[str, str]]:
    """Merges as pairs; the first of two equal ones counts, as its rank is the lower."""
    pairs = [
        tuple(merge.split(" ")) for merge in (merges if len(set(merges)) == len(merges) else dict.fromkeys(merges))
    ]
    if any(len(pair) != 2 for pair in pairs) or any("" in pair for pair in pairs):
        at = next(i for i, merge in enumerate(merges) if len(merge.split(" ")) != 2 or "" in merge.split(" "))
        raise FormatError(f"{PREFIX}merges[{at}] is {merges[at]!r}, not two tokens with a space between")
    return pairs  # type: ignore[return-value]  # every tuple was just checked to be a pair


def refuse_undecodable(vocab: Vocab) -> None:
    """The Rust library takes valid Unicode only; a reader hands invalid UTF-8 over as lone surrogates."""
    for key, texts in (("tokens", vocab.tokens), ("merges", vocab.merges or [])):
        try:
            "\n".join(texts).encode()
        except UnicodeEncodeError:
            at = next(i for i, text in enumerate(texts) if any("\ud800" <= c <= "\udfff" for c in text))
            raise FormatError(f"{PREFIX}{key}[{at}] is not valid UTF-8") from None
