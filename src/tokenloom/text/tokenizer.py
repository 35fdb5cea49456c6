"""Tokenizer: text to ids and back for one model, with its special tokens and its BOS and EOS rules.

Knows how text is parted at special tokens, when BOS and EOS are added, and which ids end a generation. Does not know
how the text between special tokens is segmented: `bpe`, `spm`, `unigram` and `wordpiece` do that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Protocol

from tokenloom.errors import FormatError, RequestError
from tokenloom.text.bpe import ByteLevelBPE, CharacterBPE
from tokenloom.text.spm import SentencePieceBPE
from tokenloom.text.unigram import Unigram
from tokenloom.text.vocab import PREFIX, SPECIAL, TokenType, Vocab
from tokenloom.text.wordpiece import WordPiece

_C_SPACES = " \t\n\v\f\r"


class Segmenter(Protocol):
    """What a tokenizer family does with plain text."""

    def encode(self, text: str, *, after_special: bool) -> list[int]: ...

    def token_bytes(self, token: int) -> bytes: ...


_SEGMENTERS: dict[str, Callable[[Vocab], Segmenter]] = {
    "gpt2": ByteLevelBPE,
    "gemma4": CharacterBPE,
    "llama": SentencePieceBPE,
    "t5": Unigram,
    "bert": WordPiece,
}


class Tokenizer:
    """A model's tokenizer. Build one with `Tokenizer.from_gguf(metadata)`."""

    def __init__(self, vocab: Vocab) -> None:
        self._vocab = vocab
        self._segmenter: Segmenter = _SEGMENTERS[vocab.kind.model](vocab)
        self._pieces: dict[int, bytes] = {}
        self.name = vocab.kind.model
        self.kind = vocab.kind.title
        self.pre = vocab.pre
        self.vocab_size = len(vocab.tokens)
        self.bos_id = vocab.ids.get("bos", vocab.ids.get("cls") if self.name == "bert" else None)
        self.eos_id = vocab.ids.get("eos")
        self._end_id = vocab.ids.get("seperator") if self.name == "bert" else self.eos_id
        self.add_bos = self._bos_rule()
        self.add_eos = vocab.add_eos or (self.name == "bert" and self._end_id is not None)
        self.eog_ids: frozenset[int] = vocab.eog_ids()
        if self.add_bos and self.bos_id is None:
            raise FormatError(f"{PREFIX}bos_token_id is missing, but the tokenizer puts a BOS before every text")
        if self.add_eos and self._end_id is None:
            raise FormatError(f"{PREFIX}eos_token_id is missing, but the tokenizer puts an EOS after every text")

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any]) -> Tokenizer:
        """Build from GGUF metadata; FormatError names a bad key, UnsupportedError an unknown kind or pre-tokenizer."""
        return cls(Vocab.from_gguf(metadata))

    def encode(
        self, text: str, *, add_bos: bool | None = None, parse_special: bool = False, add_eos: bool | None = None
    ) -> list[int]:
        """Ids of `text`.

        `add_bos` and `add_eos`: True, False, or None for the model's own rule (an explicit `add_bos` leaves EOS off
        unless asked for). With `parse_special` the texts of control tokens become those tokens; a text that already
        begins with BOS or ends with EOS does not get another.
        """
        if add_bos and self.bos_id is None:
            raise RequestError(
                "add_bos=True, but this model has no BOS token; use add_bos=None for the model's own rule"
            )
        if add_eos and self._end_id is None:
            raise RequestError(
                "add_eos=True, but this model has no EOS token; use add_eos=None for the model's own rule"
            )
        bos = self.add_bos if add_bos is None else add_bos
        eos = (self.add_eos and add_bos is None) if add_eos is None else add_eos
        ids = self._encode(text, parse_special)
        if bos and self.bos_id is not None and ids[:1] != [self.bos_id]:
            ids.insert(0, self.bos_id)
        if eos and self._end_id is not None and (ids[-1:] != [self._end_id] or (len(ids) == 1 and bos)):
            ids.append(self._end_id)
        return ids

    def decode(self, ids: Iterable[int], *, skip_special: bool = False) -> str:
        """Text of `ids`, invalid UTF-8 as U+FFFD. The space that encoding puts before a text is taken off again."""
        kept = list(ids)
        first = next((i for i, token in enumerate(kept) if token != self.bos_id), None)
        parts = [b"" if skip_special and self.is_special(token) else self.token_bytes(token) for token in kept]
        if first is not None and self._adds_space and not self.is_special(kept[first]):
            parts[first] = parts[first].removeprefix(b" ")
        return b"".join(parts).decode("utf-8", "replace")

    def token_bytes(self, token: int) -> bytes:
        """The bytes a token stands for; of a special token, its text's."""
        piece = self._pieces.get(token)
        if piece is None:
            piece = self._pieces[token] = self._segmenter.token_bytes(self._checked(token))
        return piece

    def token_text(self, token: int) -> str:
        """The token as the file spells it."""
        return self._vocab.tokens[self._checked(token)]

    def token_id(self, text: str) -> int | None:
        """The id of a token as the file spells it, or None."""
        return self._vocab.index.get(text)

    def is_special(self, token: int) -> bool:
        """Whether the token is a control or unknown token: structure, not text."""
        return self._vocab.is_type(self._checked(token), *SPECIAL)

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of everything that decides which ids a text gets."""
        return self._vocab.fingerprint()

    @property
    def _adds_space(self) -> bool:
        return self._vocab.space_prefix or self.name == "bert"

    def _bos_rule(self) -> bool:
        """The file's own word, else the pre-tokenizer's or the family's custom."""
        stated = self._vocab.add_bos
        if self.name == "gemma4":
            return True  # its files are known to say false by mistake
        if stated is not None:
            return stated
        if isinstance(self._segmenter, ByteLevelBPE):
            return self._segmenter.row.add_bos
        return self._vocab.kind.add_bos

    def _checked(self, token: int) -> int:
        if not 0 <= token < self.vocab_size:
            raise RequestError(f"token id {token} is outside the vocabulary of {self.vocab_size} tokens")
        return token

    def _encode(self, text: str, parse_special: bool) -> list[int]:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise RequestError(f"the text is not valid Unicode: a lone surrogate at character {error.start}") from None
        ids: list[int] = []
        after_special = True
        for part in self._partition(text, parse_special):
            if isinstance(part, str):
                ids += self._segmenter.encode(part, after_special=after_special)
                after_special = False
            else:
                ids.append(part)
                after_special = True
        return ids

    def _partition(self, text: str, parse_special: bool) -> list[str | int]:
        """Cut at added tokens, the longest first; control and unknown tokens only with `parse_special`."""
        parts: list[str | int] = [text] if text else []
        for token in self._added_tokens:
            if not parse_special and self._vocab.is_type(token, *SPECIAL):
                continue
            spelled = self._vocab.tokens[token]
            if spelled in text:
                strip = self._vocab.strips_after_special and self._strips(token)
                parts = [piece for part in parts for piece in _cut(part, spelled, token, strip)]
        return parts

    @cached_property
    def _added_tokens(self) -> list[int]:
        added = self._vocab.of_type(TokenType.USER_DEFINED, *SPECIAL)
        return sorted(added, key=lambda token: -len(self._vocab.tokens[token].encode("utf-8", "surrogateescape")))

    def _strips(self, token: int) -> bool:
        """Phi-3 drops the white space after its special tokens, these three excepted."""
        return self._vocab.tokens[token] not in ("<unk>", "<s>", "<|endoftext|>")


def _cut(part: str | int, spelled: str, token: int, strip: bool) -> list[str | int]:
    if isinstance(part, int) or spelled not in part:
        return [part]
    cut: list[str | int] = []
    for i, piece in enumerate(part.split(spelled)):
        if i:
            cut.append(token)
            piece = piece.lstrip(_C_SPACES) if strip else piece
        if piece:
            cut.append(piece)
    return cut
