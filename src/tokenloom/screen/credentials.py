"""Secrets in a text: the formats in which services issue keys, and assignments of what looks random to what is called secret.

Knows prefixes, lengths and randomness, after the rules that gitleaks and detect-secrets publish. Does not know whether a key is valid, and
shows no more of one than its first characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from tokenloom.screen.verdict import Finding
from tokenloom.screen.views import View

_B = r"(?<![A-Za-z0-9_])"
_PEM = r"-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
_FORMATS: tuple[tuple[str, int, str], ...] = (
    ("private-key", 3, _PEM + r"\s{0,4}(?:[A-Za-z-]{1,20}: [^\n]{1,80}\n\n?){0,4}[A-Za-z0-9+/=\s\\]{40}"),
    ("aws", 3, _B + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    ("github", 3, _B + r"(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82})"),
    ("gitlab", 3, _B + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20}"),
    ("slack", 3, _B + r"(?:xox[abeoprs]-(?:[0-9]{10,13}-){1,3}[A-Za-z0-9-]{16}|xapp-\d-[A-Z0-9]{8,14}-\d{10,14}-[a-f0-9]{32})"),
    ("slack", 3, r"hooks\.slack\.com/(?:services|workflows)/T[A-Za-z0-9_]{6,12}/[A-Za-z0-9_]{6,14}/[A-Za-z0-9_]{16}"),
    ("anthropic", 3, _B + r"sk-ant-[a-z]{2,8}\d{2}-[A-Za-z0-9_-]{40}"),
    ("openai", 3, _B + r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})"),
    ("hugging-face", 3, _B + r"(?:hf|api_org)_[A-Za-z]{34}(?![A-Za-z])"),
    ("google", 3, _B + r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("google", 3, _B + r"(?:ya29\.[A-Za-z0-9_-]{40}|GOCSPX-[A-Za-z0-9_-]{28})"),
    ("stripe", 3, _B + r"(?:sk|rk)_(?:live|prod|test)_[A-Za-z0-9]{16}"),
    ("npm", 3, _B + r"npm_[A-Za-z0-9]{36}"),
    ("pypi", 3, _B + r"pypi-AgE[A-Za-z0-9_-]{50}"),
    ("sendgrid", 3, _B + r"SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39}"),
    ("twilio", 2, _B + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("digitalocean", 3, _B + r"do[opr]_v1_[a-f0-9]{64}"),
    ("shopify", 3, _B + r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    ("databricks", 3, _B + r"dapi[a-f0-9]{32}"),
    ("vault", 3, _B + r"hv[sbr]\.[A-Za-z0-9_-]{24}"),
    ("telegram", 3, _B + r"\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("discord", 2, _B + r"[MN][A-Za-z\d]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27}"),
    ("age", 3, r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("linear", 3, _B + r"lin_api_[A-Za-z0-9]{40}"),
    ("docker", 3, _B + r"dckr_pat_[A-Za-z0-9_-]{27}"),
    ("azure", 3, r"AccountKey=[A-Za-z0-9+/]{86}=="),
    ("json-web-token", 2, _B + r"eyJ[A-Za-z0-9_-]{15,2000}\.eyJ[A-Za-z0-9_-]{15,4000}\.[A-Za-z0-9_-]{20}"),
)  # fmt: skip
_KNOWN = tuple((f"secret.{name}", weight, re.compile(pattern)) for name, weight, pattern in _FORMATS)

_NAME = r"(?:pass(?:word|wd|phrase)|secret|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|token|credential)s?"
_ASSIGNED = re.compile(
    rf"{_NAME}(?:[_-][A-Za-z]{{1,12}})?[\"'`]?\s{{0,3}}(?::=|=>|=|:)\s{{0,3}}[\"'`]?(?P<value>[^\s\"'`,;<>(){{}}\[\]]{{8,200}})",
    re.IGNORECASE,
)
_IN_URL = re.compile(
    r"[a-z][a-z0-9+]{1,14}://[^\s:/@?#\"'<>]{1,64}:(?P<value>[^\s:/@\"'<>]{6,128})@[A-Za-z0-9.-]{1,100}"
)
_PLACEHOLDER = re.compile(
    r"example|sample|placeholder|changeme|change_me|your[_-]|xxxx|\*\*\*|\.\.\.|…|redacted|dummy|fake|insert|todo|1234567|abcdef"
    r"|^[$%<{\[]|^none$|^null$|^true$|^false$|password|secret|token|apikey|api_key|credential|environ|getenv|process\.env|config|self\.|str\b",
    re.IGNORECASE,
)
_DIGEST = re.compile(
    r"(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|sha\d{1,3}[-:].*)", re.IGNORECASE
)

RULE_NAMES = frozenset(name for name, _, _ in _KNOWN) | {"secret.assignment", "secret.url-password"}


def entropy(text: str) -> float:
    """Shannon entropy in bits per character, of the text's own distribution; "" has 0."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


def _random(value: str) -> bool:
    """Digits beside letters, and more bits per character than words and names have."""
    kinds = sum(map(bool, (re.search(r"[a-z]", value), re.search(r"[A-Z]", value), re.search(r"\d", value))))
    return kinds >= 2 and any(c.isdigit() for c in value) and entropy(value) >= min(3.3, 0.85 * math.log2(len(value)))


def _shown(secret: str) -> str:
    return f"{' '.join(secret[:6].split())}… ({len(secret)} characters)"


def find_secrets(view: View) -> Iterator[Finding]:
    """The first of every kind. Placeholders (EXAMPLE, <...>, your_key) are not secrets."""
    if view.disguised:
        return
    for name, weight, pattern in _KNOWN:
        for match in pattern.finditer(view.text):
            body = match.group()
            if "EXAMPLE" not in body and "xxxx" not in body.lower() and len(set(body[-16:])) > 5:
                yield Finding(name, weight, view.name, _shown(body))
                break
    for name, pattern in (("secret.assignment", _ASSIGNED), ("secret.url-password", _IN_URL)):
        for match in pattern.finditer(view.text):
            value = match["value"]
            strong = name == "secret.url-password" or _random(value)
            if strong and not _PLACEHOLDER.search(value) and not _DIGEST.fullmatch(value):
                yield Finding(name, 2, view.name, _shown(match.group()))
                break
