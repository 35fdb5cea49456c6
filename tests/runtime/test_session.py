"""Sessions: a text whose cache the caller owns, used by one at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.formats.gguf_build import CHATML, tiny_llama
from tokenloom.errors import ClosedError, RequestError, SessionBusyError, UnsupportedError
from tokenloom.runtime.model import Model

Opener = Callable[..., Model]
ASK = {"max_tokens": 7, "ignore_eos": True}
PROMPT = [40, 41, 42, 43, 44]


def test_a_text_in_pieces_is_the_text(tiny: Model) -> None:
    want = list(tiny.generate_tokens([*PROMPT, 50, 51, 52], reuse=False, **ASK))
    session = tiny.session()
    assert session.append(PROMPT) == 5
    assert session.append([50]) == 1
    generation = session.generate([51, 52], **ASK)
    assert "".join(generation) == generation.text
    assert generation.tokens == want
    assert generation.cached_tokens == 6
    assert session.tokens == [*PROMPT, 50, 51, 52, *want]
    # its last token was not computed yet, and is when the text goes on
    again = list(tiny.generate_tokens([*PROMPT, 50, 51, 52, *want, 60], reuse=False, **ASK))
    further = session.generate([60], **ASK)
    assert [*further]
    assert further.tokens == again
    session.truncate(3)
    assert session.tokens == PROMPT[:3]
    rest = session.generate([*PROMPT[3:], 50, 51, 52], **ASK)
    assert "".join(rest) == generation.text
    session.close()


def test_append_of_a_long_text_goes_in_chunks(tiny: Model) -> None:
    session = tiny.session()
    ids = [3 + (n * 7) % 270 for n in range(120)]
    session.append(ids[:1])
    session.append(ids[1:])
    want = list(tiny.generate_tokens([*ids, 9], max_tokens=2, reuse=False, ignore_eos=True))
    got = session.generate([9], max_tokens=2, ignore_eos=True)
    assert [*got] != want
    assert (got.tokens, got.cached_tokens) == (want, 120)
    session.close()


def test_text_is_tokenized_with_bos_once(tiny: Model) -> None:
    session = tiny.session()
    session.append("hello")
    session.append(" world")
    assert session.tokens == tiny.tokenize("hello") + tiny.tokenize(" world", add_bos=False)
    assert session.append("") == 0
    session.close()


def test_one_use_at_a_time(tiny: Model) -> None:
    session = tiny.session()
    session.append(PROMPT)
    running = session.generate([50], **ASK)
    next(running)
    for ask in (
        lambda: session.append([3]),
        lambda: session.generate([3]),
        lambda: session.truncate(0),
        lambda: session.close(),
    ):
        with pytest.raises(SessionBusyError, match="in use"):
            ask()
    seen: list[BaseException] = []

    def elsewhere() -> None:
        try:
            session.append([3])
        except SessionBusyError as problem:
            seen.append(problem)

    worker = threading.Thread(target=elsewhere)
    worker.start()
    worker.join()
    assert len(seen) == 1
    # another session, and the model itself, are free
    other = tiny.session()
    assert list(other.generate(PROMPT, **ASK))
    assert list(tiny.generate_tokens(PROMPT, **ASK))
    running.close()
    session.append([3])
    session.close()
    other.close()


def test_what_is_refused(tiny: Model) -> None:
    session = tiny.session()
    session.append(PROMPT)
    for length in (-1, 6):
        with pytest.raises(RequestError, match=f"length={length} .*5"):
            session.truncate(length)
    with pytest.raises(RequestError, match="outside the vocabulary"):
        session.append([10**6])
    with pytest.raises(UnsupportedError, match="chat template"):
        session.chat([{"role": "user", "content": "hi"}])
    assert session.tokens == PROMPT
    session.close()
    session.close()
    with pytest.raises(ClosedError):
        next(session.generate(PROMPT))
    with pytest.raises(RequestError, match="empty"):
        tiny.session().generate([])


def test_a_conversation_is_not_computed_twice(tmp_path: Path, opened: Opener) -> None:
    model = opened(tiny_llama(tmp_path / "chat.gguf", template=CHATML, ctx=512))
    session = model.session()
    messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "one"}]
    first = session.chat(messages, **ASK)
    answer = "".join(first)
    messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": "two"}]
    second = session.chat(messages, **ASK)
    assert "".join(second) == second.text
    prompt = len(model._messages_ids(messages[:2]))
    assert second.cached_tokens >= prompt
    fresh = model.chat(messages, reuse=False, **ASK)
    assert "".join(fresh) == second.text
    assert fresh.cached_tokens == 0
    # the same conversation through the model itself, and through generate()
    assert "".join(model.chat(messages, **ASK)) == second.text
    short = model.chat([{"role": "user", "content": "x"}], system="s", **ASK)
    assert "".join(short) == "".join(model.generate("x", system="s", **ASK))
    assert "".join(model.generate("x", raw=True, **ASK)) != ""


def test_pages_come_back(tiny: Model) -> None:
    pool = tiny._engine.pool
    tiny.generate_tokens([7], max_tokens=1, reuse=True).close()
    before = pool.used
    for _ in range(4):
        session = tiny.session(reuse=False)
        session.append([5] * 100)
        assert pool.used == before + 7
        session.truncate(17)
        assert pool.used == before + 2
        session.close()
    assert pool.used == before
