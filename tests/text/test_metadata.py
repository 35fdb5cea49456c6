"""Metadata that is wrong, or asks for what is not there: a named error, each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.text.synthetic import G, byte_level, spm, t5
from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.text.tokenizer import Tokenizer

Change = Callable[[dict[str, Any]], object]


def put(key: str, value: object) -> Change:
    return lambda metadata: metadata.update({G + key: value})


def drop(key: str) -> Change:
    return lambda metadata: metadata.pop(G + key)


def at(key: str, index: int, value: object) -> Change:
    return lambda metadata: metadata[G + key].__setitem__(index, value)


WRONG: list[tuple[str, dict[str, Any], Change, str]] = [
    ("no model", byte_level(), drop("model"), "model is missing"),
    ("model no string", byte_level(), put("model", 3), "model must be a string"),
    ("pre no string", byte_level(), put("pre", ["gpt-2"]), "pre must be a string"),
    ("no tokens", byte_level(), drop("tokens"), "tokens is missing"),
    ("empty tokens", byte_level(), put("tokens", []), "tokens is empty"),
    ("tokens no array", byte_level(), put("tokens", "abc"), "tokens must be an array"),
    ("tokens numbers", byte_level(), put("tokens", np.arange(260)), r"tokens\[0\] must be a string"),
    ("a token is bytes", byte_level(), at("tokens", 7, b"x"), r"tokens\[7\] must be a string"),
    ("token twice", byte_level(), at("tokens", 7, "he"), "holds 'he' twice"),
    ("token not UTF-8", byte_level(), at("tokens", 7, "\udc80"), r"tokens\[7\] is not valid UTF-8"),
    ("types short", byte_level(), put("token_type", [1, 1]), "token_type has 2 entries for 260"),
    ("type unknown", byte_level(), at("token_type", 9, 77), r"token_type\[9\] is 77"),
    ("type negative", byte_level(), at("token_type", 9, -1), r"token_type\[9\] is -1"),
    ("type text", byte_level(), at("token_type", 9, "x"), r"token_type\[9\] is 'x'"),
    ("types a number", byte_level(), put("token_type", 1), "token_type must be an array"),
    ("no merges", byte_level(), drop("merges"), "merges is missing"),
    ("merge of one", byte_level(), put("merges", ["h e", "he"]), r"merges\[1\] is 'he'"),
    ("merge of three", byte_level(), put("merges", ["h e l"]), r"merges\[0\] is 'h e l'"),
    ("merge of nothing", byte_level(), put("merges", [" e"]), r"merges\[0\]"),
    ("merge unknown", byte_level(), put("merges", ["h e", "x y"]), "merges do not fit"),
    ("merge not UTF-8", byte_level(), put("merges", ["h \udcff"]), r"merges\[0\] is not valid UTF-8"),
    ("merges numbers", byte_level(), put("merges", [1]), r"merges\[0\] must be a string"),
    ("bos outside", byte_level(), put("bos_token_id", 260), "bos_token_id is 260"),
    ("eos huge", byte_level(), put("eos_token_id", 2**32 - 1), "eos_token_id is 4294967295"),
    ("eot negative", byte_level(), put("eot_token_id", -1), "eot_token_id is -1"),
    ("eom text", byte_level(), put("eom_token_id", "9"), "eom_token_id must be an integer"),
    ("id a boolean", byte_level(), put("padding_token_id", True), "padding_token_id must be an integer"),
    ("id a fraction", byte_level(), put("unknown_token_id", 0.5), "unknown_token_id must be an integer"),
    ("flag a number", byte_level(), put("add_bos_token", 1), "add_bos_token must be a boolean"),
    ("flag a text", byte_level(), put("add_space_prefix", "no"), "add_space_prefix must be a boolean"),
    ("no eos", byte_level(add_eos_token=True), drop("eos_token_id"), "eos_token_id is missing"),
    ("no scores", spm(), drop("scores"), "scores is missing"),
    ("scores short", spm(), put("scores", [0.0]), "scores has 1 entries"),
    ("score NaN", spm(), at("scores", 5, float("nan")), r"scores\[5\] is nan"),
    ("score infinite", spm(), put("scores", np.full(259, np.inf, np.float32)), r"scores\[0\] is inf"),
    ("score text", spm(), at("scores", 5, "1"), r"scores\[5\] is '1'"),
    ("charsmap cut", t5(), put("precompiled_charsmap", [255, 255, 255, 255, 0]), "precompiled_charsmap"),
    ("charsmap text", t5(), put("precompiled_charsmap", ["a"]), "precompiled_charsmap"),
    ("no byte token", byte_level(model="gemma4", add_bos_token=True), lambda _: None, "byte token <0x00>"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "change", "message"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_wrong_metadata_is_named(metadata: dict[str, Any], change: Change, message: str) -> None:
    change(metadata)
    with pytest.raises(FormatError, match=message):
        Tokenizer.from_gguf(metadata)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (byte_level(model="rwkv"), "tokenizer model 'rwkv'"),
        (byte_level(model="plamo2"), "tokenizer model 'plamo2'"),
        (byte_level(model=""), "tokenizer model ''"),
        (byte_level("kimi-k2"), "pre-tokenizer 'kimi-k2'"),
        (byte_level("no-such"), "pre-tokenizer 'no-such'"),
        (byte_level(None), "names no pre-tokenizer"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(metadata: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        Tokenizer.from_gguf(metadata)


def test_guard_refusals_fail_when_unknown_names_are_let_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """The violation planted: an unknown pre-tokenizer taken for another. The refusal above would not be raised."""
    from tokenloom.text import pretokenizers

    monkeypatch.setattr(pretokenizers, "find", lambda _: pretokenizers.PRE_TOKENIZERS["gpt-2"])
    assert Tokenizer.from_gguf(byte_level("no-such")).encode("hel") == [259]


def test_arrays_may_be_any_sequence() -> None:
    plain = byte_level()
    plain[G + "token_type"] = np.array(plain[G + "token_type"], np.int32)
    plain[G + "tokens"] = tuple(plain[G + "tokens"])
    plain[G + "bos_token_id"] = np.uint32(256)
    assert Tokenizer.from_gguf(plain).encode("hel", add_bos=True) == [256, 259]


def test_the_first_of_two_equal_merges_counts() -> None:
    once = byte_level(extra={"el": 1}, merges=["h e", "e l"])
    twice = byte_level(extra={"el": 1}, merges=["h e", "e l", "h e"])
    assert Tokenizer.from_gguf(twice).encode("hel") == Tokenizer.from_gguf(once).encode("hel")


def test_invalid_utf8_in_sentencepiece_tokens_is_kept_as_bytes() -> None:
    tokenizer = Tokenizer.from_gguf(spm({"\udcff\udcfe": (-1.0, 1)}))
    assert tokenizer.token_bytes(259) == b"\xff\xfe"
    assert tokenizer.fingerprint


def test_tokens_without_text_get_a_name() -> None:
    metadata = byte_level()
    metadata[G + "tokens"][256] = ""
    assert Tokenizer.from_gguf(metadata).token_text(256) == "[EMPTY_256]"
