"""SentencePiece unigram (T5): the segmentation whose scores sum highest.

Knows how to set up the `tokenizers` library's unigram model and its normalizer from a checked vocabulary. Does not know
special tokens.
"""

from __future__ import annotations

from tokenloom.errors import FormatError
from tokenloom.text.bpe import SPACE, refuse_undecodable, spm_bytes
from tokenloom.text.vocab import PREFIX, Vocab


class Unigram:
    """The best path through the lattice of tokens."""

    def __init__(self, vocab: Vocab) -> None:
        from tokenizers import Regex, Tokenizer, models, normalizers

        assert vocab.scores is not None
        refuse_undecodable(vocab)
        self._vocab = vocab
        pieces = list(zip(vocab.tokens, vocab.scores, strict=True))
        fallback = all(f"<0x{byte:02X}>" in vocab.index for byte in range(256))
        try:
            self._rust = Tokenizer(models.Unigram(pieces, vocab.ids.get("unknown"), fallback))
            steps: list[normalizers.Normalizer] = []
            if vocab.charsmap:
                steps.append(normalizers.Precompiled(vocab.charsmap))
        except Exception as error:  # the library raises a bare Exception
            raise FormatError(f"{PREFIX}tokens, scores or precompiled_charsmap cannot be used: {error}") from error
        if vocab.remove_extra_whitespaces:
            steps += [normalizers.Strip(), normalizers.Replace(Regex(" {2,}"), " ")]
        self._rust.normalizer = normalizers.Sequence([*steps, normalizers.Replace(" ", SPACE)])

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """Ids of plain text; at the text's start and after a special token a space may be put in front."""
        if self._vocab.space_prefix and after_special and text.strip(" "):
            text = " " + (text.lstrip(" ") if self._vocab.remove_extra_whitespaces else text)
        return self._rust.encode(text, add_special_tokens=False).ids

    def token_bytes(self, token: int) -> bytes:
        return spm_bytes(self._vocab, token)
