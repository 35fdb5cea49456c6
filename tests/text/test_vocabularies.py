"""Every shipped vocabulary against its expected ids, and the table in docs/tokenizers.md against the truth."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.text import vocabularies
from tokenloom.errors import UnsupportedError
from tokenloom.formats.gguf import open_gguf
from tokenloom.text.pretokenizers import PRE_TOKENIZERS
from tokenloom.text.tokenizer import Tokenizer
from tokenloom.text.vocab import KINDS, PREFIX

DOCUMENT = Path(__file__).parents[2] / "docs" / "tokenizers.md"


def metadata(name: str) -> dict[str, Any]:
    with open_gguf(vocabularies.model(name)) as file:
        return dict(file.metadata)


def mismatches(tokenizer: Tokenizer, name: str) -> list[str]:
    return [text for text, ids in vocabularies.lines(name) if tokenizer.encode(text, add_bos=False) != ids]


@dataclass
class Outcome:
    """What became of one vocabulary; kept so that each is built once."""

    kind: str
    pre: str
    lines: int = 0
    wrong: list[str] = field(default_factory=list)
    not_restored: list[str] = field(default_factory=list)
    ends: int = 0
    refusal: str | None = None


@cache
def outcome(name: str) -> Outcome:
    known = metadata(name)
    found = Outcome(known[PREFIX + "model"], known.get(PREFIX + "pre", "none named"))
    try:
        tokenizer = Tokenizer.from_gguf(known)
    except UnsupportedError as error:
        found.refusal = str(error)
        return found
    found.ends = len(tokenizer.eog_ids)
    if name in vocabularies.EXPECTED:
        lines = vocabularies.lines(name)
        found.lines = len(lines)
        found.wrong = mismatches(tokenizer, name)
        found.not_restored = [text for text, ids in lines if tokenizer.decode(ids) != text]
    return found


@pytest.mark.parametrize("name", vocabularies.EXPECTED)
def test_every_line_gets_its_expected_ids(name: str) -> None:
    found = outcome(name)
    assert found.refusal is None
    assert found.lines >= 46
    assert found.wrong == []
    if found.kind != "bert":  # which lower-cases, drops spaces and ends no generation
        assert found.not_restored == []
        assert found.ends >= 1


def test_guard_every_line_fails_when_the_pre_tokenizer_is_another() -> None:
    wrong = metadata("llama-bpe") | {PREFIX + "pre": "gpt-2"}
    assert mismatches(Tokenizer.from_gguf(wrong), "llama-bpe")


def verdict(name: str) -> str:
    """A row of the table, as it should read."""
    found = outcome(name)
    said = f"matches {found.lines - len(found.wrong)} of {found.lines} lines"
    if found.refusal is not None:
        said = "refused: no pre-tokenizer named" if "names no pre-tokenizer" in found.refusal else found.refusal
    elif found.lines == 0:
        said = "loads; no expected ids are shipped"
    return f"| {name} | `{found.kind}` | `{found.pre}` | {said} |"


def rows(document: str) -> dict[str, str]:
    return {line.split("|")[1].strip(): line for line in document.splitlines() if line.startswith("| ") and "`" in line}


def wrong_rows(document: str, names: tuple[str, ...]) -> list[str]:
    stated = rows(document)
    return [name for name in names if stated.get(name) != verdict(name)]


def test_the_table_says_what_is_true() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    assert wrong_rows(document, vocabularies.EXPECTED + vocabularies.WITHOUT_EXPECTATIONS) == []


def test_guard_the_table_fails_when_a_row_lies() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    lie = document.replace(rows(document)["phi-3"], rows(document)["phi-3"].replace("matches", "misses"))
    assert wrong_rows(lie, ("phi-3",)) == ["phi-3"]


def test_the_document_lists_every_kind_and_every_pre_tokenizer() -> None:
    document = DOCUMENT.read_text(encoding="utf-8")
    for name in (*PRE_TOKENIZERS, *KINDS):
        assert f"`{name}`" in document, f"docs/tokenizers.md does not list {name}"
    listed = document.split("<!-- pre-tokenizers -->")[1].split("<!-- end -->")[0]
    assert sorted(part.strip(" `\n") for part in listed.split(",")) == sorted(PRE_TOKENIZERS)
