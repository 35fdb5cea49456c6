"""ChatTemplate: a conversation to the text the model was trained on, by the template its file carries.

Knows what a message may hold and the variables that templates expect. Does not know jinja2 or budgets, which are
`sandbox`'s, nor tokens: the text it returns already begins with BOS where the template says so, and the tokenizer's
`parse_special` sees to it that it is there once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokenloom.errors import FormatError, RequestError

KEY = "tokenizer.chat_template"
SECONDS = 1.0
_LONGEST_BASE = 4_000_000  # characters of output, before what the request itself brings
_OWN = frozenset(("messages", "tools", "documents", "add_generation_prompt"))


class ChatTemplate:
    """A model's chat template; compiled when it is first rendered."""

    def __init__(
        self, source: str, *, tool_source: str | None = None, bos_token: str = "", eos_token: str = ""
    ) -> None:
        """`tool_source`, where a file has one, is the template for requests with tools."""
        self.source = source
        self._tool_source = tool_source
        self._tokens = {"bos_token": bos_token, "eos_token": eos_token}
        self._compiled: dict[str, Any] = {}

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any], *, bos_token: str = "", eos_token: str = "") -> ChatTemplate | None:
        """The file's template, or None when it has none."""
        source, tool_source = (_text(metadata, key) for key in (KEY, f"{KEY}.tool_use"))
        if source is None:
            return None
        return cls(source, tool_source=tool_source, bos_token=bos_token, eos_token=eos_token)

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        add_generation_prompt: bool = True,
        tools: Sequence[Mapping[str, Any]] | None = None,
        documents: Sequence[Mapping[str, Any]] | None = None,
        **extra: Any,
    ) -> str:
        """The conversation as text. RequestError names a bad message, TemplateError the template's line.

        `extra` reaches the template as variables (`enable_thinking=False`, say).
        """
        from tokenloom.text import sandbox

        variables = {
            **self._tokens,
            **{name: _plain(value, name) for name, value in extra.items() if name not in _OWN},
            "messages": check_messages(messages),
            "tools": _plain(tools, "tools"),
            "documents": _plain(documents, "documents"),
            "add_generation_prompt": bool(add_generation_prompt),
        }
        source = self._tool_source if tools and self._tool_source is not None else self.source
        if source not in self._compiled:
            self._compiled[source] = sandbox.compile_source(sandbox.MeteredEnvironment(), source)
        longest = _LONGEST_BASE + 16 * _characters(variables)
        return sandbox.render(self._compiled[source], variables, seconds=SECONDS, longest=longest)


def check_messages(messages: object) -> list[dict[str, Any]]:
    """A plain copy of the conversation; RequestError names what is wrong and where."""
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence):
        raise RequestError(f"messages must be a list of dicts, found {type(messages).__name__}")
    if not messages:
        raise RequestError("messages is empty; give at least one, like {'role': 'user', 'content': 'Hello'}")
    return [_message(message, f"messages[{i}]") for i, message in enumerate(messages)]


def _message(message: object, where: str) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise RequestError(f"{where} must be a dict with 'role' and 'content', found {type(message).__name__}")
    role = message.get("role")
    if not isinstance(role, str) or not role:
        raise RequestError(f"{where}.role must be a name like 'user', 'assistant' or 'system', found {role!r}")
    content = message.get("content")
    if content is None:
        if "content" not in message and not message.get("tool_calls"):
            raise RequestError(f"{where} has no content")
    elif isinstance(content, list):
        for i, part in enumerate(content):
            if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
                raise RequestError(
                    f"{where}.content[{i}] must be a dict with a 'type', like {{'type': 'text', 'text': …}}"
                )
    elif not isinstance(content, str):
        raise RequestError(f"{where}.content must be a string or a list of parts, found {type(content).__name__}")
    plain: dict[str, Any] = _plain(message, where)
    return plain


def _plain(value: Any, where: str, depth: int = 0) -> Any:
    """A copy made of plain JSON values only: a template gets no object whose methods it could call."""
    if value is None or type(value) in (str, bool, int, float):
        return value
    if depth > 64:
        raise RequestError(f"{where} is nested more than 64 deep")
    if isinstance(value, Mapping):
        odd = next((key for key in value if not isinstance(key, str)), None)
        if odd is not None:
            raise RequestError(f"{where} has the key {odd!r}; keys must be strings")
        return {str(key): _plain(item, f"{where}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
    for kind in (str, bool, int, float):
        if isinstance(value, kind):
            return kind(value)
    raise RequestError(f"{where} must be plain JSON data, found {type(value).__name__}")


def _characters(value: Any) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(key) + _characters(item) for key, item in value.items())
    return sum(map(_characters, value)) if isinstance(value, list) else 8


def _text(metadata: Mapping[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    if value is not None and not isinstance(value, str):
        raise FormatError(f"{key} must be a string, found {type(value).__name__}")
    return value
