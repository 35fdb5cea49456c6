"""The public face of an open model.

Knows how requests become leases of a sequence: templates, tokenizing, and reuse of what earlier ones left in the cache. Knows nothing of
kernels or files.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Items
from functools import cached_property, partial
from operator import index
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from tokenloom.errors import ClosedError, RequestError, UnsupportedError
from tokenloom.runtime.engine import MAX_OUTS, Engine, Rows
from tokenloom.runtime.generation import Generation, Lease, Request, TokenGeneration, check_fits, make_request
from tokenloom.runtime.many import Ask, Result, generate_each, generate_many
from tokenloom.runtime.prefix import PrefixTree, common_prefix
from tokenloom.runtime.scheduler import Scheduler
from tokenloom.runtime.sequence import Sequence
from tokenloom.runtime.speculation import drafting_of, speculation_of
from tokenloom.text.template import ChatTemplate, check_messages
from tokenloom.text.tokenizer import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tokenloom.runtime.session import Session
    from tokenloom.runtime.shift import Shift

Message = Mapping[str, Any]


class Model:
    """An open model; get one from `tokenloom.load`. Usable as a context manager. Threads may share it: their steps take turns."""

    def __init__(
        self, path: Path, engine: Engine, tokenizer: Tokenizer, template: ChatTemplate | None, about: dict[str, Any], *,
        default_system: str | None, load_s: float,
    ) -> None:  # fmt: skip
        self.path, self.tokenizer, self.template = path, tokenizer, template
        self.config, self.ctx, self.tier, self.threads = engine.config, engine.ctx, engine.tier.name, engine.threads
        self.default_system, self.load_s = default_system, load_s
        self._engine, self._about = engine, about
        self._tree = PrefixTree(engine.pool)
        self._scheduler = Scheduler(engine, tokenizer.eog_ids, self._tree)
        me = weakref.ref(self)  # no cycle: a model that nobody holds frees its memory at once
        engine.pool.reclaim = lambda: (model := me()) is not None and model._tree.evict()
        engine.pool.forget = lambda page: model._tree.forget(page) if (model := me()) is not None else None
        self._closed = False

    # ---- text and ids ----------------------------------------------------------------------------------------------------

    def tokenize(self, text: str, add_bos: bool | None = None) -> list[int]:
        """Ids of plain text; the texts of control tokens are text. `add_bos` None: the model's own rule."""
        return self.tokenizer.encode(_text(text), add_bos=add_bos)

    def detokenize(self, ids: Iterable[int]) -> str:
        """The text of ids; bytes that are not UTF-8 become U+FFFD."""
        return self.tokenizer.decode(_ids(ids))

    def _messages_ids(self, messages: Items[Message]) -> list[int]:
        if self.template is None:
            raise UnsupportedError(
                f"{self.path.name} has no chat template; use raw=True (--raw) to continue plain text"
            )
        rendered = self.template.render([dict(m) for m in messages], add_generation_prompt=True)
        return self.tokenizer.encode(rendered, parse_special=True)

    def _prompt_ids(self, text: str, raw: bool, system: str | None) -> list[int]:
        """A user's text as the model is to see it."""
        if not isinstance(text, str):
            raise RequestError(f"text should be a str, not {type(text).__name__}")
        if not raw and self.template is not None:
            return self._messages_ids(self._system_first([{"role": "user", "content": text}], system))
        if system is not None:
            raise RequestError("system= needs the chat template; leave it out with raw=True")
        return self.tokenizer.encode(text)

    def _system_first(self, messages: Items[Message], system: str | None) -> list[Message]:
        system = self.default_system if system is None else system
        begins = bool(messages) and messages[0].get("role") == "system"
        return [*messages] if system is None or begins else [{"role": "system", "content": system}, *messages]

    # ---- generating --------------------------------------------------------------------------------------------------------

    def generate(
        self, text: str, *, raw: bool = False, system: str | None = None, reuse: bool = True, speculate: str | Model | None = None, **settings: Any
    ) -> Generation:  # fmt: skip
        """Generates from `text`: as a user's message through the chat template when the model has one, or as it stands with `raw`.

        Settings: max_tokens (None: until the model ends), temp (0: greedy), top_k, top_p, min_p, repeat_penalty, presence_penalty,
        frequency_penalty, logit_bias, seed, stop, logprobs, ignore_eos. `reuse` takes from the cache what it holds of the prompt, whoever computed
        it, and leaves this one's there. `speculate` guesses tokens ahead and checks several in a step: "ngram" takes them from the text itself, a
        model of the same vocabulary (a smaller one) says them; `.drafts` tells how that went. Neither ever changes a result. Raises RequestError,
        ContextOverflowError before anything is computed.
        """
        return self._text(self._prompt_ids(text, raw, system), reuse, settings, speculate)

    stream = generate

    def chat(
        self, messages: Items[Message], *, system: str | None = None, reuse: bool = True, speculate: str | Model | None = None, **settings: Any
    ) -> Generation:  # fmt: skip
        """Answers a conversation: [{"role": "user" | "assistant" | "system", "content": str}, …]. Settings as in `generate`."""
        check_messages(messages)  # before a system message is put first, so that an error counts as the caller does
        return self._text(self._messages_ids(self._system_first(messages, system)), reuse, settings, speculate)

    def generate_tokens(
        self, ids: Items[int], *, reuse: bool = True, speculate: str | Model | None = None, **settings: Any
    ) -> TokenGeneration:
        """Generates ids from ids. Settings as in `generate`, without stop strings."""
        if settings.get("stop"):
            raise RequestError("stop strings need text; use generate()")
        return self._begin(ids, reuse, make_request(self._engine.vocab_size, **settings), speculate)

    def _begin(self, ids: Items[int], reuse: bool, request: Request, speculate: str | Model | None) -> TokenGeneration:
        speculation = speculation_of(speculate, self)
        lease = self._lease(self._checked(ids), reuse)
        return TokenGeneration(self._engine, self.tokenizer, lease, request, self.load_s, speculation)

    def _text(
        self, ids: list[int], reuse: bool, settings: dict[str, Any], speculate: str | Model | None = None
    ) -> Generation:
        request = make_request(self._engine.vocab_size, **settings)
        return Generation(self._begin(ids, reuse, request, speculate), self.tokenizer, request.stop)

    def generate_many(
        self, prompts: Items[str | Items[int]], *, n: int = 1, raw: bool = False, system: str | None = None, reuse: bool = True,
        speculate: str | None = None, **settings: Any,
    ) -> list[Result]:  # fmt: skip
        """Generates from all prompts together, sharing what their beginnings have in common; the answers are those of `generate` alone.

        Prompts are texts (as in `generate`) or ids. `n` samples of each, seeds counting up from `seed`, in order. Results have .text, .tokens,
        .finish_reason, .cached_tokens, .prefilled_tokens, .logprobs; a sequence that fails has .error and leaves the others alone. Ctrl-C ends all of
        them between two steps. `speculate="ngram"` guesses ahead in each text, as in `generate`; results' .drafts tell how that went.
        """
        if isinstance(prompts, str):
            raise RequestError("prompts should be a list of texts or of ids, not one str")
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise RequestError(f"n={n!r} is not valid; give a number of samples, 1 or more")
        request = make_request(self._engine.vocab_size, max_tokens=settings.pop("max_tokens", None), **settings)
        ids = [self._checked(self._prompt_ids(p, raw, system) if isinstance(p, str) else p) for p in prompts]
        drafting = drafting_of(speculate, self)
        return generate_many(self._scheduler, self.tokenizer, ids, request, n=n, reuse=reuse, drafting=drafting)

    def generate_each(self, asks: Iterable[Mapping[str, Any]], on_end: Callable[[int, Result], None]) -> None:
        """Generates from requests that differ, all together, and tells `on_end` the number and the result of each when it ends.

        An ask has a `prompt` (text or ids) or `messages`, and settings as in `generate_many`. Asks are taken as they are needed. One that is refused
        or fails has .error in its result and leaves the others alone. Ctrl-C ends all of them between two steps.
        """
        generate_each(self._scheduler, self.tokenizer, (partial(self._ask, **ask) for ask in asks), on_end)

    def _ask(
        self, *, prompt: str | Items[int] | None = None, messages: Items[Message] | None = None, raw: bool = False, system: str | None = None,
        reuse: bool = True, speculate: str | None = None, **settings: Any,
    ) -> Ask:  # fmt: skip
        request = make_request(self._engine.vocab_size, **settings)
        if (prompt is None) == (messages is None):
            raise RequestError("give prompt or messages, one of the two")
        if messages is not None:
            if raw:
                raise RequestError("raw= takes a prompt; messages need the chat template")
            check_messages(messages)
            ids = self._messages_ids(self._system_first(messages, system))
        else:
            ids = self._prompt_ids(prompt, raw, system) if isinstance(prompt, str) else [*(prompt or ())]
        return Ask(self._checked(ids), request, reuse, drafting_of(speculate, self))

    def logits(self, ids: Items[int]) -> npt.NDArray[np.float32]:
        """Logits [len(ids), vocab] of every position, from a fresh cache."""
        import numpy as np

        checked = self._checked(ids)
        sequence = self._engine.new_sequence()
        result = np.empty((len(checked), self._engine.vocab_size), np.float32)
        try:
            for at in range(0, len(checked), MAX_OUTS):
                chunk = checked[at : at + MAX_OUTS]
                with self._engine.lock:
                    outs = self._engine.step([Rows(sequence, chunk, "all")])
                    result[at : at + outs] = self._engine.logits(outs)
        finally:
            sequence.close()
        return result

    def session(self, *, reuse: bool = True) -> Session:
        """A conversation or text with a cache of its own. Without `reuse` it neither takes pages that were computed elsewhere nor leaves any."""
        from tokenloom.runtime.session import Session

        self._open()
        return Session(self, self._engine, self._tree if reuse else None)

    def restore(self, path: str | os.PathLike[str]) -> Session:
        """A session as it was saved. Raises FormatError for a damaged file, RequestError for one of another model."""
        session = self.session()
        try:
            session._restore(path)
        except BaseException:
            session.close()
            raise
        return session

    @cached_property
    def _shift(self) -> Shift:
        from tokenloom.runtime.shift import Shift

        return Shift(self._engine)

    # ---- leases --------------------------------------------------------------------------------------------------------------

    def _checked(self, ids: Iterable[Any]) -> list[int]:
        self._open()
        checked = _ids(ids)
        for token in checked:
            if not 0 <= token < self._engine.vocab_size:
                raise RequestError(f"token id {token} is outside the vocabulary of {self._engine.vocab_size}")
        check_fits(len(checked), self.ctx)
        return checked

    def _lease(self, ids: list[int], reuse: bool) -> Lease:
        """A new sequence that has of the prefix tree what the prompt begins with, and leaves there what it has in the end."""
        sequence, tree = self._engine.new_sequence(), self._tree if reuse else None
        cached = begin(sequence, ids, tree)

        def give_back(generated: list[int]) -> None:
            try:
                if tree is not None and not self._closed:
                    tree.remember(sequence)
            finally:
                sequence.close()

        return Lease(sequence, ids, cached, give_back, tree)

    # ---- about -----------------------------------------------------------------------------------------------------------------

    @cached_property
    def fingerprint(self) -> str:
        """sha256 of all that decides an answer besides the request: weights, tokenizer, template, system message, arithmetic, type of the cache."""
        template = self.template.source if self.template else ""
        parts = (
            self._engine.fingerprint,
            self.tokenizer.fingerprint,
            template,
            self.default_system or "",
            self._engine.arithmetic,
        )
        return hashlib.sha256("\0".join([*parts, self._engine.kv_dtype]).encode()).hexdigest()

    def info(self) -> dict[str, Any]:
        """What the file holds and how it is being run."""
        return {
            **self._about,
            "tier": self.tier,
            "arithmetic": "fast" if self._engine.tier.bf16 else "exact",
            "threads": self.threads,
            "ctx": self.ctx,
            "kv_page_bytes": self._engine.pool.page_nbytes,
            "kv_pages": self._engine.pool.pages,
        }

    def _open(self) -> None:
        if self._closed:
            raise ClosedError(f"{os.fspath(self.path)} was closed; load it again")

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Model is machine code and memory of this process and cannot be copied or pickled; load it again from its path"
        )

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"tier {self.tier}, {self.threads} threads, ctx {self.ctx}"
        return f"<tokenloom.Model {self.path.name}: {state}>"

    def close(self) -> None:
        """Frees code, weights and caches. A generation under way, in this thread or another, ends with ClosedError."""
        if not self._closed:
            self._closed = True
            self._engine.close()

    def __enter__(self) -> Model:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _ids(ids: Iterable[Any]) -> list[int]:
    if isinstance(ids, (str, bytes)):
        raise RequestError("ids is a text; tokenize() makes ids of it")
    try:
        return [index(i) for i in ids]
    except TypeError:
        raise RequestError("ids should be whole numbers, as tokenize() gives them") from None


def _text(text: str) -> str:
    if not isinstance(text, str):
        raise RequestError(f"text should be a str, not {type(text).__name__}")
    return text


def begin(sequence: Sequence, ids: list[int], tree: PrefixTree | None) -> int:
    """Keeps what a sequence has in common with a prompt, or takes more from the tree; the last token is always computed, for its output.

    Returns how many tokens need not be computed.
    """
    sequence.truncate(common_prefix(sequence.tokens, ids))
    if tree is not None:
        tree.extend(sequence, ids)
    sequence.truncate(len(ids) - 1)
    return sequence.length
