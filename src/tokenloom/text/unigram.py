"""SentencePiece unigram (T5, XLM-R): the segmentation whose scores sum highest.

Knows how to set up the `tokenizers` library's unigram model and its character map from a checked vocabulary, and how
spaces become ▁. Does not know special tokens.
"""

from __future__ import annotations

import secrets

from tokenloom.errors import FormatError
from tokenloom.text.bpe import SPACE, refuse_undecodable, spm_bytes
from tokenloom.text.vocab import PREFIX, SPECIAL, TokenType, Vocab


class Unigram:
    """The best path through the lattice of tokens."""

    def __init__(self, vocab: Vocab) -> None:
        from tokenizers import Tokenizer, models, normalizers

        refuse_undecodable(vocab)
        self._vocab = vocab
        falls_back = all(f"<0x{byte:02X}>" in vocab.index for byte in range(256))
        try:
            self._rust = Tokenizer(models.Unigram(_pieces(vocab), vocab.ids.get("unknown"), falls_back))
            self._charsmap = normalizers.Precompiled(vocab.charsmap) if vocab.charsmap else None
        except Exception as error:  # the library raises a bare Exception
            raise FormatError(f"{PREFIX}tokens, scores or precompiled_charsmap cannot be used: {error}") from error

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """Ids of plain text, which begins with a space where the model wants one, after a special token or not."""
        ids: list[int] = self._rust.encode(self._spaced(text), add_special_tokens=False).ids
        return ids

    def token_bytes(self, token: int) -> bytes:
        return spm_bytes(self._vocab, token)

    def _spaced(self, text: str) -> str:
        if self._charsmap is not None:
            text = self._charsmap.normalize_str(text)
        if self._vocab.remove_extra_whitespaces:
            return "".join(SPACE + word for word in text.split(" ") if word)
        spaced = text.replace(" ", SPACE)
        return SPACE + spaced if self._vocab.space_prefix and spaced.strip(SPACE) else spaced


def _pieces(vocab: Vocab) -> list[tuple[str, float]]:
    """Tokens with their scores: an added token's is 0, and a control token gets a text that no input can hold."""
    assert vocab.scores is not None
    pieces = list(zip(vocab.tokens, vocab.scores, strict=True))
    for token in vocab.of_type(TokenType.USER_DEFINED):
        pieces[token] = (vocab.tokens[token], 0.0)
    unguessable = secrets.token_hex(16)
    for token in vocab.of_type(*SPECIAL):
        pieces[token] = (f"{unguessable}{token}", vocab.scores[token])
    return pieces
