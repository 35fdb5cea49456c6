"""SentencePiece BPE: neighbouring symbols merge while their union is a token, the best score first, leftmost on ties.

Knows that merge order, the space prefix and byte fallback, as llama.cpp defines them. Does not know special tokens.
The `tokenizers` library merges by pair and rank; here two splits of one token weigh the same, which no rank can say,
so the merging is done here, word by word where no token reaches across a space, and remembered.
"""

from __future__ import annotations

import re
from heapq import heapify, heappop, heappush

from tokenloom.errors import FormatError
from tokenloom.text.bpe import SPACE, spm_bytes
from tokenloom.text.vocab import PREFIX, TokenType, Vocab

_CACHED_WORDS = 50_000
_CACHED_LENGTH = 64  # a longer word is rare and would only fill the cache
_WORDS = re.compile(f"{SPACE}*[^{SPACE}]*")


class SentencePieceBPE:
    """BPE by score over characters."""

    def __init__(self, vocab: Vocab) -> None:
        assert vocab.scores is not None
        self._vocab = vocab
        hidden = vocab.of_type(TokenType.CONTROL, TokenType.UNKNOWN, TokenType.BYTE)
        self._ids = dict(vocab.index)
        for token in hidden:
            del self._ids[vocab.tokens[token]]
        self._scores = vocab.scores
        self._bytes = self._byte_tokens()
        # A token like "a▁b" would let merges cross word boundaries: then text is merged as one piece.
        self._cut_words = re.search(f"[^{SPACE}\0]{SPACE}", "\0".join(self._ids)) is None
        self._cache: dict[str, list[int]] = {}

    def _byte_tokens(self) -> list[int]:
        tokens: list[int] = []
        for byte in range(256):
            token = self._vocab.index.get(f"<0x{byte:02X}>", self._vocab.index.get(chr(byte) if byte < 128 else ""))
            token = self._vocab.ids.get("unknown") if token is None else token
            if token is None:
                raise FormatError(f"{PREFIX}tokens has no byte token <0x{byte:02X}> and no unknown token to stand in")
            tokens.append(token)
        return tokens

    def encode(self, text: str, *, after_special: bool) -> list[int]:
        """Ids of plain text; at the text's start and after a special token a space may be put in front."""
        if self._vocab.space_prefix and after_special:
            text = " " + text
        text = text.replace(" ", SPACE)
        ids: list[int] = []
        for word in _WORDS.findall(text) if self._cut_words else [text]:
            known = self._cache.get(word)
            if known is None:
                known = self._merge(word)
                if len(word) <= _CACHED_LENGTH and len(self._cache) < _CACHED_WORDS:
                    self._cache[word] = known
            ids += known
        return ids

    def token_bytes(self, token: int) -> bytes:
        return spm_bytes(self._vocab, token)

    def _merge(self, word: str) -> list[int]:
        """The heap holds (-score, left, end, token): a proposal is stale when either side has changed since."""
        n = len(word)
        ends = list(range(1, n + 1))  # ends[i]: where the symbol that begins at i ends; 0 once merged away
        starts = list(range(-1, n - 1))  # starts[i]: where the symbol before the one at i begins
        heap: list[tuple[float, int, int, int]] = []
        ids, scores = self._ids, self._scores
        for i in range(n - 1):
            token = ids.get(word[i : i + 2])
            if token is not None:
                heap.append((-scores[token], i, i + 1, i + 2))
        heapify(heap)
        while heap:
            _, left, middle, end = heappop(heap)
            if ends[left] != middle or ends[middle] != end:
                continue
            ends[left], ends[middle] = end, 0
            if end < n:
                starts[end] = left
                token = ids.get(word[left : ends[end]])
                if token is not None:
                    heappush(heap, (-scores[token], left, end, ends[end]))
            before = starts[left]
            if before >= 0:
                token = ids.get(word[before:end])
                if token is not None:
                    heappush(heap, (-scores[token], before, left, end))
        return self._emit(word, ends)

    def _emit(self, word: str, ends: list[int]) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(word):
            symbol = word[at : ends[at]]
            token = self._ids.get(symbol)
            if token is not None:
                found.append(token)
            else:
                found += [self._bytes[byte] for byte in symbol.encode()]
            at = ends[at]
        return found
