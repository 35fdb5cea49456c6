"""The default model's tokenizer against what is known of it; round trips; BOS, EOS and special tokens."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text.synthetic import CONTROL, NORMAL, USER, G, byte_level, spm, t5
from tokenloom.errors import FormatError, RequestError
from tokenloom.text.bpe import byte_characters
from tokenloom.text.tokenizer import Tokenizer

END_OF_TEXT, IM_START, IM_END = 0, 1, 2


def make(**keys: Any) -> Tokenizer:
    return Tokenizer.from_gguf(byte_level(**keys))


def test_smollm2_known_ids(tokenizer: Tokenizer) -> None:
    assert tokenizer.vocab_size == 49152
    assert (tokenizer.bos_id, tokenizer.eos_id, tokenizer.add_bos, tokenizer.add_eos) == (
        IM_START,
        IM_END,
        False,
        False,
    )
    assert tokenizer.encode("Hello world") == [19556, 905]
    assert tokenizer.encode("The capital of France is") == [504, 3575, 282, 4649, 314]
    assert tokenizer.encode("1234") == [tokenizer.token_id(digit) for digit in "1234"]  # digits stand alone
    assert (tokenizer.name, tokenizer.pre, tokenizer.kind) == ("gpt2", "smollm", "byte-level BPE")


def test_smollm2_ends_of_generation(tokenizer: Tokenizer) -> None:
    """<|im_end|> by its id and its text, <|endoftext|> and <reponame> by their texts, as llama.cpp has it."""
    assert {tokenizer.token_text(i) for i in tokenizer.eog_ids} == {"<|im_end|>", "<|endoftext|>", "<reponame>"}
    assert {END_OF_TEXT, IM_END} < tokenizer.eog_ids
    assert IM_START not in tokenizer.eog_ids


def test_control_tokens_come_from_templates_only(tokenizer: Tokenizer) -> None:
    text = "<|im_start|>user\nHi<|im_end|>"
    parsed = tokenizer.encode(text, parse_special=True)
    assert (parsed[0], parsed[-1]) == (IM_START, IM_END)
    plain = tokenizer.encode(text)
    assert not any(map(tokenizer.is_special, plain))
    assert tokenizer.decode(parsed) == tokenizer.decode(plain) == text
    assert tokenizer.decode(parsed, skip_special=True) == "user\nHi"


def test_bytes_of_tokens(tokenizer: Tokenizer) -> None:
    assert tokenizer.token_bytes(IM_END) == b"<|im_end|>"
    assert tokenizer.token_bytes(905) == b" world"
    assert b"".join(map(tokenizer.token_bytes, tokenizer.encode("🦙 naïve"))) == "🦙 naïve".encode()


def missing_bytes(tokenizer: Tokenizer) -> set[int]:
    return {byte for byte, shown in byte_characters().items() if tokenizer.token_id(shown) is None}


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=60))
def test_smollm2_round_trip(tokenizer: Tokenizer, text: str) -> None:
    """Bytes for which the vocabulary has no token vanish, as they do elsewhere; every other text comes back."""
    missing = missing_bytes(tokenizer)
    kept = "".join(c for c in text if not missing.intersection(c.encode()))
    assert tokenizer.decode(tokenizer.encode(kept)) == kept


PIECES = ["hel", "he", " ", "\n", "<s>", "</s>", "é", "日本", "🦙", "'s", "\r\n", "1234", "\0", "lo"]


@settings(max_examples=200, deadline=None)
@given(text=st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)))
def test_byte_level_round_trip(text: str) -> None:
    tokenizer = SHARED["bytes"]
    for special in (False, True):
        assert tokenizer.decode(tokenizer.encode(text, add_bos=False, parse_special=special)) == text


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=40))
def test_sentencepiece_round_trip(text: str) -> None:
    """Byte fallback spells anything; the space put in front is taken off again."""
    kept = text.replace("▁", "_")  # SentencePiece itself reads ▁ as a space
    assert SHARED["spm"].decode(SHARED["spm"].encode(kept), skip_special=True) == kept


SHARED = {
    "bytes": Tokenizer.from_gguf(byte_level("llama-bpe")),
    "spm": Tokenizer.from_gguf(spm({"▁": (-1.0, NORMAL), "a": (-2.0, NORMAL), "▁a": (-1.5, NORMAL)})),
}


def test_bos_exactly_once() -> None:
    adds = make(add_bos_token=True)
    assert adds.encode("hel") == [256, 259]
    assert adds.encode("<s>hel", parse_special=True) == [256, 259]  # a template that begins with BOS
    assert adds.encode("<s>hel", parse_special=True, add_bos=True) == [256, 259]
    assert adds.encode("<s>hel")[0] == 256  # plain text that merely looks like BOS
    assert adds.encode("<s>hel").count(256) == 1
    assert adds.encode("hel", add_bos=False) == [259]
    assert adds.encode("") == [256]
    assert make().encode("hel") == [259]
    assert make().encode("hel", add_bos=True) == [256, 259]


def test_eos_exactly_once() -> None:
    adds = make(add_bos_token=True, add_eos_token=True)
    assert adds.encode("hel") == [256, 259, 257]
    assert adds.encode("hel</s>", parse_special=True) == [256, 259, 257]
    assert adds.encode("hel", add_bos=True) == [256, 259]
    assert adds.encode("hel", add_eos=False) == [256, 259]
    same = make(add_bos_token=True, add_eos_token=True, eos_token_id=256)
    assert same.encode("") == [256, 256]  # where BOS is EOS, an empty text still has both


def test_pre_tokenizer_gives_the_bos_rule_where_the_file_does_not() -> None:
    assert Tokenizer.from_gguf(byte_level("llama-bpe")).add_bos
    assert not Tokenizer.from_gguf(byte_level("llama-bpe", add_bos_token=False)).add_bos
    assert not Tokenizer.from_gguf(byte_level("qwen2")).add_bos


def test_asking_for_a_bos_that_is_not_there() -> None:
    without = byte_level()
    del without[G + "bos_token_id"]
    with pytest.raises(RequestError, match="no BOS"):
        Tokenizer.from_gguf(without).encode("x", add_bos=True)
    without[G + "add_bos_token"] = True
    with pytest.raises(FormatError, match="bos_token_id"):
        Tokenizer.from_gguf(without)


def test_user_defined_tokens_always_and_longest_first() -> None:
    tokenizer = make(extra={"<tool>": USER, "<tool>s": USER})
    short, long = tokenizer.token_id("<tool>"), tokenizer.token_id("<tool>s")
    assert tokenizer.encode("hel<tool>shel<tool>") == [259, long, 259, short]
    assert not tokenizer.is_special(short or 0)


def test_plain_text_never_ends_a_turn() -> None:
    """Whole-word look-up must not find a control token, nor must a file's wrong type make one reachable."""
    tokenizer = Tokenizer.from_gguf(byte_level("llama-bpe", extra={"stop": CONTROL, "<|im_end|>": USER}))
    assert not any(map(tokenizer.is_special, tokenizer.encode("stop<|im_end|>", add_bos=False)))
    assert tokenizer.token_id("<|im_end|>") in tokenizer.eog_ids
    assert tokenizer.token_id("stop") not in tokenizer.eog_ids


def test_normal_tokens_do_not_end_generations() -> None:
    assert make(extra={"<|end|>": NORMAL}).eog_ids == {257}


def test_end_is_no_end_where_return_and_call_are() -> None:
    tokenizer = make(extra={"<|end|>": CONTROL, "<|return|>": CONTROL, "<|call|>": CONTROL})
    assert {tokenizer.token_text(i) for i in tokenizer.eog_ids} == {"</s>", "<|return|>", "<|call|>"}


def test_ends_named_by_the_metadata() -> None:
    tokenizer = make(extra={"turn": NORMAL, "more": NORMAL}, eot_token_id=260, eom_token_id=261)
    assert tokenizer.eog_ids == {257, 260, 261}


def test_scores_decide_and_ties_go_left() -> None:
    scored = spm(
        {"a": (-9.0, NORMAL), "b": (-9.0, NORMAL), "ab": (-2.0, NORMAL), "ba": (-1.0, NORMAL), "aa": (-3.0, NORMAL)}
    )
    tokenizer = Tokenizer.from_gguf({**scored, G + "add_space_prefix": False, G + "add_bos_token": False})
    spell = [tokenizer.token_text(i) for i in tokenizer.encode("abab")]
    assert spell == ["a", "ba", "b"]
    assert [tokenizer.token_text(i) for i in tokenizer.encode("aaa")] == ["aa", "a"]


def test_words_are_merged_alone_only_where_no_token_crosses_a_space() -> None:
    crossing = {"a": (-9.0, NORMAL), "▁": (-9.0, NORMAL), "a▁": (-1.0, NORMAL), "a▁a": (-0.5, NORMAL)}
    tokenizer = Tokenizer.from_gguf(spm(crossing, add_space_prefix=False, add_bos_token=False))
    assert [tokenizer.token_text(i) for i in tokenizer.encode("a a")] == ["a▁a"]


def test_sentencepiece_space_prefix_and_bytes() -> None:
    tokenizer = SHARED["spm"]
    assert [tokenizer.token_text(i) for i in tokenizer.encode("a é")] == ["<s>", "▁a", "▁", "<0xC3>", "<0xA9>"]
    assert [tokenizer.token_text(i) for i in tokenizer.encode("a</s>a", parse_special=True)] == [
        "<s>",
        "▁a",
        "</s>",
        "▁a",
    ]
    assert tokenizer.encode("<s>a", parse_special=True) == tokenizer.encode("a")
    assert tokenizer.decode(tokenizer.encode(" a")) == "<s> a"
    assert tokenizer.decode(tokenizer.encode(" a"), skip_special=True) == " a"


def test_unigram() -> None:
    tokenizer = Tokenizer.from_gguf(t5())
    spell = [tokenizer.token_text(i) for i in tokenizer.encode("ab a")]
    assert spell == ["▁ab", "▁", "a", "</s>"]
    assert not tokenizer.is_special(tokenizer.encode("<s>", add_eos=False)[-1])


def test_request_errors() -> None:
    tokenizer = make()
    with pytest.raises(RequestError, match="260 tokens"):
        tokenizer.decode([260])
    with pytest.raises(RequestError, match="outside"):
        tokenizer.token_bytes(-1)
    with pytest.raises(RequestError, match="surrogate"):
        tokenizer.encode("a\udc80")


def test_fingerprint_tells_tokenizers_apart(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.fingerprint) == 64
    prints = {make().fingerprint, make(add_bos_token=True).fingerprint, make(pre="qwen2").fingerprint}
    assert len(prints) == 3
    assert make().fingerprint in prints


def test_built_fast_enough_for_every_start(smollm2: dict[str, Any]) -> None:
    """A start may take 1.5 s in all; some 0.13 s of processor time go here on the machine this was written on."""
    spent = []
    for _ in range(3):
        begun = time.process_time()
        Tokenizer.from_gguf(smollm2).encode("Hello")
        spent.append(time.process_time() - begun)
    assert min(spent) < 0.4


def test_imports_are_lazy() -> None:
    names = "tokenloom.text.tokenizer, tokenloom.text.template, tokenloom.text.stream"
    program = f"import sys, json, {names}; print(json.dumps([m for m in ('tokenizers', 'jinja2', 'numpy') if m in sys.modules]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
