"""Chat templates: the real model's, what templates may use, what messages may hold, and errors that name a line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.text import vocabularies
from tokenloom.errors import FormatError, RequestError, TemplateError
from tokenloom.text.template import KEY, ChatTemplate
from tokenloom.text.tokenizer import Tokenizer

USER = [{"role": "user", "content": "Hi"}]
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get <weather> & 'more' é",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def render(source: str, messages: Any = USER, **rest: Any) -> str:
    return ChatTemplate(source, bos_token="<s>", eos_token="</s>").render(messages, **rest)


def test_smollm2(smollm2: dict[str, Any], tokenizer: Tokenizer) -> None:
    template = ChatTemplate.from_gguf(smollm2, bos_token="<|im_start|>", eos_token="<|im_end|>")
    assert template is not None
    text = template.render([{"role": "system", "content": "Be brief."}, *USER])
    assert text == "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert not template.render(USER, add_generation_prompt=False).endswith("assistant\n")
    ids = tokenizer.encode(text, parse_special=True)
    assert ids.count(1) == 3
    assert tokenizer.decode(ids) == text
    # BOS is <|im_start|> here, and the template begins with it: asked for or not, there is one.
    assert tokenizer.encode(text, parse_special=True, add_bos=True) == ids


def test_no_template_and_a_bad_one() -> None:
    assert ChatTemplate.from_gguf({}) is None
    with pytest.raises(FormatError, match=KEY):
        ChatTemplate.from_gguf({KEY: 3})


def test_a_template_of_its_own_for_tools() -> None:
    template = ChatTemplate.from_gguf({KEY: "plain", f"{KEY}.tool_use": "{{ tools[0].function.name }}"})
    assert template is not None
    assert template.render(USER) == "plain"
    assert template.render(USER, tools=[TOOL]) == "get_weather"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{ bos_token }}{{ messages[0]['content'] }}{{ eos_token }}", "<s>Hi</s>"),
        ("{% if tools is none and documents is none %}none{% endif %}", "none"),
        ("{% if true %}\n  x\n{% endif %}\ny", "  x\ny"),  # trim_blocks, lstrip_blocks
        ("{{ {'a': '<b>', 'é': [1, 2.5, none, true]} | tojson }}", '{"a": "<b>", "é": [1, 2.5, null, true]}'),
        ("{{ {'b': 1, 'a': 2} | tojson(indent=2) }}", '{\n  "b": 1,\n  "a": 2\n}'),
        ("{{ 'é' | tojson(ensure_ascii=true) }}", '"\\u00e9"'),
        ("{{ {'b': 1, 'a': 2} | tojson(separators=(',', ':'), sort_keys=true) }}", '{"a":2,"b":1}'),
        (
            "{% for i in range(5) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}",
            "02",
        ),
        ("{% generation %}a{{ 1 }}{% endgeneration %}b", "a1b"),
        (
            "{% macro f(x, y='!') %}[{{ x }}{{ y }}{{ caller() if caller else '' }}]{% endmacro %}{{ f(1) }}{% call f(2) %}c{% endcall %}",
            "[1!][2!c]",
        ),
        ("{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}", "1"),
        ("{% for x in [1, [2, [3]]] recursive %}{{ loop(x) if x is iterable else x }}{% endfor %}", "123"),
        (
            "{% for x in 'ab' %}{{ loop.index0 }}{{ loop.last }}{{ loop.previtem }}{% else %}no{% endfor %}",
            "0False1Truea",
        ),
        ("{% for x in [1, 2, 3] if x is odd %}{{ x }}{{ loop.length }}{% endfor %}", "1232"),
        (
            "{{ ['a', 'b'] | join(', ') }}|{{ ', '.join(['a', 'b']) }}|{{ 'a' ~ 1 ~ none ~ missing }}",
            "a, b|a, b|a1None",
        ),
        (
            "{{ 'a,b'.split(',') | map('upper') | list }}{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
            "['A', 'B']1",
        ),
        ("{{ 'x%sy%d' % ('a', 3) }}{{ '{}-{b}'.format(1, b=2) }}{{ '%5s' | format('a') }}", "xay31-2    a"),
        ("{{ 'abc'[1:] }}{{ messages[:1] | length }}{{ 'abc'[::-1] }}{{ [1, 2][-1] }}", "bc1cba2"),
        (
            "{{ messages[0].get('x', 'd') }}{% for k, v in messages[0].items() %}{{ k }}={{ v }};{% endfor %}",
            "drole=user;content=Hi;",
        ),
        ("{{ 'a' in 'abc' and 'role' in messages[0] and 1 < 2 <= 2 }}{{ 2 ** 3 * 2 % 5 // 1 }}", "True1"),
        (
            "{{ ' a '.strip() }}{{ 'a b' | title }}{{ 'abc' | replace('b', 'x') }}{{ 'a\nb' | indent(2) }}",
            "aA Baxca\n  b",
        ),
        ("{% set x %}a{{ 1 }}{% endset %}{% filter upper %}{{ x }}{% endfilter %}", "A1"),
        ("{{ extra_flag }}{{ missing }}{{ missing is defined }}", "yesFalse"),
        ("{{ strftime_now('%Y') | length }}", "4"),
    ],
)
def test_what_templates_use(source: str, expected: str) -> None:
    assert render(source, extra_flag="yes") == expected


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("a\nb\n{{ raise_exception('Roles must alternate') }}", "line 3: Roles must alternate"),
        ("a\n{{ x.y.z }}", "line 2: 'x' is undefined"),
        ("\n\n{% if %}", "line 3: Expected an expression"),
        ("{% unknown %}", "line 1: Encountered unknown tag 'unknown'"),
        ("\n{{ 'a' | nothing }}", "line 2: No filter named 'nothing'"),
        ("\n{{ 'a' is nothing }}", "line 2: No test named 'nothing'"),
        ("{{ 1 / 0 }}", "line 1: division by zero"),
        ("{{ 'a' + 1 }}", "line 1"),
        ("{% include 'x' %}", "line 1"),
        ("{% macro f() %}\n{{ 1 / 0 }}{% endmacro %}\n\n{{ f() }}", "line 2: division"),
    ],
)
def test_errors_name_the_line(source: str, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        render(source)


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ("Hi", "must be a list"),
        ({"role": "user"}, "must be a list"),
        ([], "messages is empty"),
        (["Hi"], r"messages\[0\] must be a dict"),
        ([*USER, {"content": "x"}], r"messages\[1\].role must be a name"),
        ([{"role": "", "content": "x"}], "role must be a name"),
        ([{"role": 1, "content": "x"}], "role must be a name"),
        ([{"role": "user"}], "has no content"),
        ([{"role": "user", "content": 3}], "content must be a string or a list"),
        ([{"role": "user", "content": ["x"]}], r"content\[0\] must be a dict with a 'type'"),
        ([{"role": "user", "content": "x", "y": object()}], r"messages\[0\].y must be plain JSON data"),
        ([{"role": "user", "content": "x", 3: 4}], "keys must be strings"),
    ],
)
def test_bad_messages(messages: Any, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        render("x", messages)


def test_messages_without_text_where_there_are_tool_calls() -> None:
    calls = [{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}}]
    messages = [{"role": "assistant", "content": None, "tool_calls": calls}, {"role": "assistant", "tool_calls": calls}]
    assert render("{{ messages[1].tool_calls[0].function.arguments | tojson }}", messages) == '{"a": 1}'


def test_the_request_cannot_replace_what_is_the_engines_own() -> None:
    assert render("{{ bos_token }}", bos_token="x") == "x"
    assert render("{{ range(2) | list }}{{ messages | length }}", USER * 3) == "[0, 1]3"


def test_long_conversations_are_within_the_budget(smollm2: dict[str, Any]) -> None:
    template = ChatTemplate.from_gguf(smollm2)
    assert template is not None
    talk = [{"role": "user" if i % 2 == 0 else "assistant", "content": "word " * 200} for i in range(2000)]
    assert len(template.render(talk)) > 2_000_000


CONVERSATIONS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]] | None]] = {
    "plain": ([{"role": "user", "content": "Hello <b>&é"}], None),
    "system": (
        [{"role": "system", "content": "Be brief."}, *USER, {"role": "assistant", "content": "Yes?"}, *USER],
        None,
    ),
    "tools": (USER, [TOOL]),
    "calls": (
        [
            {"role": "system", "content": "S"},
            {"role": "user", "content": "Weather?"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "type": "function",
                        "id": "abcdefghi",
                        "function": {"name": "get_weather", "arguments": {"city": "Paris"}},
                    }
                ],
            },
            {"role": "tool", "name": "get_weather", "tool_call_id": "abcdefghi", "content": "sunny"},
            {"role": "assistant", "content": "Sunny."},
            {"role": "user", "content": "Thanks"},
        ],
        [TOOL],
    ),
    "parts": ([{"role": "user", "content": [{"type": "text", "text": "Hello"}]}], None),
}


def test_seventy_templates_in_use_render_as_in_transformers() -> None:
    """Those that llama.cpp ships, five conversations each; where transformers refuses, so may we."""
    from transformers.utils.chat_template_utils import render_jinja_template

    compared, different = 0, []
    paths = sorted((vocabularies.folder() / "templates").glob("*.jinja"))
    assert len(paths) >= 60
    for path in paths:
        source = path.read_text(encoding="utf-8")
        template = ChatTemplate(source, bos_token="<s>", eos_token="</s>")
        for name, (messages, tools) in CONVERSATIONS.items():
            try:
                rendered, _ = render_jinja_template(
                    [messages],
                    tools=tools,
                    chat_template=source,
                    add_generation_prompt=True,
                    bos_token="<s>",
                    eos_token="</s>",
                )
            except Exception:  # noqa: BLE001, S112  # whatever it is, there is nothing to compare
                continue
            compared += 1
            if template.render(messages, tools=tools) != rendered[0]:
                different.append(f"{path.name} {name}")
    assert compared >= 300
    assert different == []
