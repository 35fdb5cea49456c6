"""WordPiece as in BERT: words cut at spaces and punctuation, each spelled by the longest tokens that fit.

Knows BERT's clean-up of text and the ▁ that GGUF puts before a word's first token. Does not know the [CLS] and [SEP]
that frame an input: `tokenizer` adds those.
"""

from __future__ import annotations

import unicodedata

from tokenloom.text.bpe import spm_bytes
from tokenloom.text.vocab import Vocab

_WORD = "▁"
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """Greedy longest match, word by word; a word that cannot be spelled is the unknown token."""

    def __init__(self, vocab: Vocab) -> None:
        self._vocab = vocab
        self._longest = max(map(len, vocab.tokens))
        self._unknown = vocab.ids.get("unknown", 0)

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """`after_special` matters to tokenizers that add a space only."""
        return [token for word in self._words(text) for token in self._spell(_WORD + word)]

    def token_bytes(self, token: int) -> bytes:
        return spm_bytes(self._vocab, token)

    def _words(self, text: str) -> list[str]:
        words = [""]
        if self._vocab.strip_accents:
            text = unicodedata.normalize("NFD", text)
        dropped = ("Cc", "Cf", "Co", "Cs", "Mn") if self._vocab.strip_accents else ("Cc", "Cf", "Co", "Cs")
        for character in text:
            category = unicodedata.category(character)
            if character.isspace():
                words.append("")
            elif character not in "\0\ufffd" and category not in dropped:
                shown = character.lower() if self._vocab.lowercase else character
                if _stands_alone(character, category):
                    words += [shown, ""]
                else:
                    words[-1] += shown
        return [word for word in words if word]

    def _spell(self, word: str) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            for end in range(min(len(word), at + self._longest), at, -1):
                token = self._vocab.index.get(word[at:end])
                if token is not None:
                    found.append(token)
                    at = end
                    break
            else:
                return [self._unknown]
        return found


def _stands_alone(character: str, category: str) -> bool:
    point = ord(character)
    if category[0] == "P" or (point < 0x7F and category[0] == "S"):
        return True
    return any(first <= point <= last for first, last in _CHINESE)
