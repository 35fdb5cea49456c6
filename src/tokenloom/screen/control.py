"""Imitations of a conversation's structure: the control tokens of chat templates, and lines that claim to be somebody's turn.

Knows how chat templates mark turns and tools. Does not know which model will read the text. (`Session.hold` encodes text, so the name of
a control token never becomes one; a model may still take the imitation for the thing.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokenloom.screen.verdict import Finding, excerpt_of
from tokenloom.screen.views import View

_TURN = re.compile(
    r"<[|｜](?:im_start|im_end|im_sep|endoftext|eot_id|eom_id|start_header_id|end_header_id|begin_of_text|end_of_text|system|user|assistant"
    r"|end|channel|start|message|return|call|python_tag|tool_call|tool_response|begin[▁_]of[▁_]sentence|end[▁_]of[▁_]sentence|User|Assistant"
    r"|START_OF_TURN_TOKEN|END_OF_TURN_TOKEN|SYSTEM_TOKEN|USER_TOKEN|CHATBOT_TOKEN|endofprompt|fim_prefix|fim_suffix|end_of_turn|plugin|sep)[|｜]>"
    r"|<(?:start_of_turn|end_of_turn)>|(?-i:\[/?INST\])|<</?SYS>>|\[(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|SYSTEM_PROMPT)\]",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"</?(?:tool_call|tool_response|function_calls|function_results|system[-_]reminder|system[-_]prompt|antml:[a-z_]{1,30})>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)(?:system|assistant|human|instructions?)>", re.IGNORECASE)
_HEADING = re.compile(
    r"^[ \t>]{0,8}#{1,6} {0,2}(?:system|instructions?|response|assistant|human)\b ?:?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER = re.compile(
    r"^[ \t>*_\[\"]{0,8}(?:system|assistant|human|ai)[\]*_]{0,3} {0,2}:(?!:)", re.IGNORECASE | re.MULTILINE
)
_MESSAGE = re.compile(r"[\"']role[\"'][ \t]{0,4}:[ \t]{0,4}[\"'](?:system|developer)[\"']")

_RULES = (
    ("control.turn-token", 2, _TURN),
    ("control.tool-mark-up", 2, _TOOL),
    ("control.role-tag", 1, _TAG),
    ("control.role-heading", 1, _HEADING),
    ("control.speaker", 1, _SPEAKER),
    ("control.message", 1, _MESSAGE),
)
RULE_NAMES = frozenset(name for name, _, _ in _RULES)


def find_control(view: View) -> Iterator[Finding]:
    if view.disguised:
        return
    for name, weight, pattern in _RULES:
        if match := pattern.search(view.text):
            yield Finding(name, weight, view.name, excerpt_of(view.text, *match.span()))
