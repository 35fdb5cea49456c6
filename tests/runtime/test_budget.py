"""The cache's budget: it is kept to, what it cannot hold is refused by name, and what is kept only for later goes first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.formats.gguf_build import tiny_llama
from tests.runtime.books import assert_balanced, assert_empty
from tokenloom.errors import OutOfBudgetError, RequestError
from tokenloom.kernels.kv_page import PAGE_SLOTS, STORED, KVShape
from tokenloom.runtime import cache_size
from tokenloom.runtime.model import Model
from tokenloom.sizes import in_bytes, readable

Opener = Callable[..., Model]
PAGE = 2 * 2 * 2 * 16 * PAGE_SLOTS * 2  # bytes, of the tiny model
TEXT = np.random.default_rng(4).integers(3, 280, 400).tolist()
ASK = {"max_tokens": 6, "ignore_eos": True}


@pytest.mark.parametrize(
    ("text", "size"),
    [("800", 800), ("1k", 1024), ("2K", 2048), ("1.5G", 3 << 29), ("2GiB", 2 << 30), ("3 MB", 3_000_000), ("2kb", 2000), ("1t", 1 << 40), (5, 5)],
)  # fmt: skip
def test_sizes(text: int | str, size: int) -> None:
    assert in_bytes("kv_budget", text) == size


@pytest.mark.parametrize(
    "text", ["", "G", "-1", "1.G", "0", "0.5", "1e3", "1P", "9999999T", "1 2", 0, -3, True, 1.5, None]
)
def test_what_is_no_size(text: object) -> None:
    with pytest.raises(RequestError, match=r"kv_budget=.* is not valid; give a number of bytes, such as 800M"):
        in_bytes("kv_budget", text)  # type: ignore[arg-type]


def test_sizes_are_readable() -> None:
    assert [readable(n) for n in (1, 1023, 1024, 3 << 19, 5 << 40, 5 << 50)] == [
        "1 bytes", "1023 bytes", "1.0 KiB", "1.5 MiB", "5.0 TiB", "5120.0 TiB",
    ]  # fmt: skip


def test_the_pool_is_what_fits(tmp_path: Path, opened: Opener, capsys: pytest.CaptureFixture[str]) -> None:
    path = tiny_llama(tmp_path / "m.gguf", ctx=256)
    model = opened(path, kv_budget=10 * PAGE + PAGE - 1)
    assert (model._engine.pool.pages, model.ctx, model.info()["kv_pages"]) == (10, 160, 10)
    assert "160 of 256 tokens: kv_budget=" in capsys.readouterr().err
    model = opened(path, kv_budget=f"{100 * PAGE / 1024}K")
    assert (model._engine.pool.pages, model.ctx) == (100, 256)
    assert opened(path, kv_budget=100 * PAGE, kv_dtype="f32")._engine.pool.pages == 50
    assert opened(path, kv_budget=100 * PAGE, kv_dtype="q8")._engine.pool.pages == 177  # 18 bytes for 16 dims
    assert opened(path, kv_budget=1000 * PAGE, ctx=16)._engine.pool.pages == 1000
    assert capsys.readouterr().err == ""


def test_eight_bits_take_about_half() -> None:
    for head_dim in (32, 64, 96, 128):
        half, eight = (KVShape(3, head_dim, STORED[name]).page_bytes for name in ("f16", "q8"))
        assert eight * 64 == half * 34


def test_what_cannot_be_held_is_refused(tmp_path: Path, opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tiny_llama(tmp_path / "m.gguf", ctx=256)
    with pytest.raises(OutOfBudgetError, match=r"kv_budget=4095 holds no page of 16 tokens; give 4.0 KiB"):
        opened(path, kv_budget=PAGE - 1)
    with pytest.raises(
        OutOfBudgetError, match=r"kv_budget='8K' holds 32 tokens, fewer than ctx=33; give 12.0 KiB or more"
    ):
        opened(path, kv_budget="8K", ctx=33)
    with pytest.raises(RequestError, match="kv_budget='much'"):
        opened(path, kv_budget="much")
    monkeypatch.setattr(cache_size, "free_memory", lambda: 3 << 30)
    with pytest.raises(OutOfBudgetError, match=r"kv_budget='4G' is more than the 3.0 GiB of memory that is free"):
        opened(path, kv_budget="4G")


def test_what_is_kept_for_later_goes_first(tmp_path: Path, opened: Opener) -> None:
    """Eight pages: each new text pushes the oldest one out, never one that is in use; then it is an error."""
    model = opened(tiny_llama(tmp_path / "m.gguf", ctx=128), kv_budget=8 * PAGE)
    pool, tree = model._engine.pool, model._tree
    texts = [TEXT[40 * n : 40 * n + 40] for n in range(6)]
    for text in texts:
        list(model.generate_tokens(text, **ASK))
        assert pool.used <= 8
        assert_balanced(model)
    assert [tree.longest(text) for text in texts[-2:]] == [40, 40]
    assert tree.longest(texts[0]) == 0
    held = model.session()
    held.append(texts[5])
    other = model.session()
    other.append(TEXT[300:380])  # the last five pages
    assert tree.longest(texts[5]) == 40
    assert pool.used == 8
    for use in (lambda: held.append(TEXT[:17]), lambda: list(model.generate_tokens(TEXT[:5]))):
        with pytest.raises(OutOfBudgetError, match=r"all 8 KV pages \(128 tokens\) are in use; .*--kv-budget"):
            use()
    assert (held.tokens, other.tokens) == (texts[5], TEXT[300:380])
    other.close()
    held.append(TEXT[:17])
    held.close()
    assert_empty(model)


def test_nothing_is_forgotten_for_a_page_that_others_need(tmp_path: Path, opened: Opener) -> None:
    """Two that go on from one short page, without room for a copy: what is kept of it is given up only when that leaves it to one of them."""
    model = opened(tiny_llama(tmp_path / "m.gguf", ctx=128), kv_budget=8 * PAGE)
    pool, tree = model._engine.pool, model._tree
    with model.session() as one:
        one.append(TEXT[:20])
        two = one.fork()
        taken = [pool.take() for _ in range(6)]
        with pytest.raises(OutOfBudgetError):
            two.append([9])
        assert tree.longest(TEXT[:20]) == 20
        two.close()
        one.append([9])
        assert tree.longest([*TEXT[:20], 9]) == 21
        for page in taken:
            pool.release(page)
    assert_empty(model)


def test_short_sequences_through_few_pages(tmp_path: Path, opened: Opener) -> None:
    """All finish, with the texts of a pool without limits."""
    count, path = 300, tiny_llama(tmp_path / "m.gguf", ctx=128)
    small, large = opened(path, kv_budget=64 * PAGE), opened(path)
    prompts = [[*TEXT[:20], *TEXT[n % 300 : n % 300 + 1 + n % 30], 3 + n % 250] for n in range(count)]
    ask = {"max_tokens": 8, "ignore_eos": True, "temp": 1.0}
    for at in range(0, count, count // 10):
        some = prompts[at : at + count // 10]
        got = small.generate_many(some, **ask)
        assert [r.error for r in got] == [None] * len(some)
        assert [r.tokens for r in got] == [r.tokens for r in large.generate_many(some, **ask)]
        assert small._engine.pool.used <= 64
        assert_balanced(small)
    assert_empty(small)
