"""Templates that want to loop, grow, nest or escape: each ends in TemplateError, soon and without much memory."""

from __future__ import annotations

import resource
import sys
import time

import pytest

from tokenloom.errors import TemplateError
from tokenloom.text import meter, template
from tokenloom.text.template import ChatTemplate

MESSAGES = [{"role": "user", "content": "hi"}]
DOUBLING = "{% set ns = namespace(s='aaaaaaaaaaaaaaaa') %}{% for i in range(60) %}{% set ns.s = STEP %}{% endfor %}"

HOSTILE = {
    "endless range": "{% for i in range(10**9) %}x{% endfor %}",
    "nested loops": "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
    "loops whose filter rejects all": "{% for i in range(100000) %}{% for j in range(100000) if false %}{% endfor %}{% endfor %}",
    "counting": "{% set ns=namespace(i=0) %}{% for a in range(100000) %}{% for b in range(9999) %}{% set ns.i=ns.i+1 %}{% endfor %}{% endfor %}",
    "text times number": "{{ 'a' * 10**9 }}",
    "number times list": "{{ 10**9 * ['a'] }}",
    "power": "{{ 7 ** 999999999 }}",
    "power of a product": "{% set ns=namespace(i=2) %}{% for i in range(99) %}{% set ns.i=ns.i*ns.i %}{% endfor %}",
    "doubling by ~": DOUBLING.replace("STEP", "ns.s ~ ns.s"),
    "doubling by +": DOUBLING.replace("STEP", "ns.s + ns.s"),
    "doubling by %": DOUBLING.replace("STEP", "'%s%s' % (ns.s, ns.s)"),
    "doubling by format": DOUBLING.replace("STEP", "'{0}{0}'.format(ns.s)"),
    "doubling by join": DOUBLING.replace("STEP", "[ns.s, ns.s] | join"),
    "doubling by replace": DOUBLING.replace("STEP", "ns.s | replace('a', 'aa')"),
    "doubling by a block": DOUBLING.replace("{% set ns.s = STEP %}", "{% set x %}{{ ns.s }}{{ ns.s }}{% endset %}{% set ns.s = x %}"),
    "doubling by a macro": "{% macro d(x) %}{{ x }}{{ x }}{% endmacro %}" + DOUBLING.replace("STEP", "d(ns.s)"),
    "endless recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "branching recursion": "{% macro f(n) %}{% if n < 40 %}{{ f(n+1) }}{{ f(n+1) }}{% endif %}{% endmacro %}{{ f(0) }}",
    "endless loop recursion": "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "branching loop recursion": "{% for x in [1,2] recursive %}{% if loop.depth < 40 %}{{ loop([1,2]) }}{% endif %}{% endfor %}",
    "center": "{{ 'a' | center(10**9) }}",
    "ljust": "{{ 'a'.ljust(10**9) }}",
    "zfill": "{{ 'a'.zfill(1000000000) }}",
    "expandtabs": "{{ ('\t' * 1000000).expandtabs(10000) }}",
    "% width": "{{ '%1000000000d' % 1 }}",
    "% star": "{{ '%*d' % (1000000000, 1) }}",
    "format width": "{{ '{:1000000000}'.format(1) }}",
    "format nested width": "{{ '{:{}}'.format(1, 1000000000) }}",
    "format kept for later": "{% set f = '{:1000000000}'.format %}{{ f(1) }}",
    "format through map": "{{ ['%1000000000d'] | map('format', 1) | join }}",
    "join of many": "{{ (['x' * 100000] * 100000) | join(',') }}",
    "join by much": "{{ (['a'] * 100000) | join('x' * 100000) }}",
    "str.join": "{{ ('x' * 1000000).join(['a'] * 100000) }}",
    "replace filter": "{{ ('a' * 1000000) | replace('a', 'b' * 1000000) }}",
    "replace method": "{{ ('a' * 1000000).replace('', 'b' * 1000000) }}",
    "indent": "{{ ('a\n' * 100000) | indent('x' * 100000) }}",
    "indent number": "{{ 'a' | indent(10**9, true) }}",
    "tojson indent": "{{ [1] | tojson(indent=10**9) }}",
    "batch": "{{ [1] | batch(10**9, 0) | list | length }}",
    "slice": "{{ [1] | slice(10**9) | list | length }}",
    "round": "{{ 1.5 | round(10**9, 'ceil') }}",
    "sum of lists": "{{ ([[1]] * 100000) | sum(start=[]) | length }}",
    "nesting": "{% set ns=namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a=[ns.a,ns.a] %}{% endfor %}{{ ns.a }}",
    "nesting by batch": "{% set ns=namespace(a=[1]) %}{% for i in range(60) %}{% set ns.a=(ns.a*2)|batch(2)|list %}{% endfor %}{{ ns.a }}",
    "a namespace in itself": "{% set ns=namespace() %}{% set ns.a=ns %}{{ ns == [ns, ns] }}",
    "hoarding slices": "{% set b='x'*1000000 %}{% set ns=namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l=ns.l+[b[1:]] %}{% endfor %}",
    "hoarding splits": "{% set ns=namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l=ns.l+[('ab '*100000).split()] %}{% endfor %}",
    "hoarding dicts": "{% set ns=namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l=ns.l+[dict.fromkeys(range(100000))] %}{% endfor %}",
    "long chain of maps": "{{ range(100000)" + "|map('string')" * 50 + " | list | length }}",
    "sorting over and over": "{% set l=range(100000)|list %}{% for i in range(99999) %}{% set x=l|sort(reverse=true) %}{% endfor %}",
    "searching over and over": "{% set b='a'*5000000 %}{% for i in range(99999) %}{% if b~'b' in b~'c' %}{% endif %}{% endfor %}",
    "comparing over and over": "{% set l=range(100000)|list %}{% for i in range(99999) %}{% if l == l+[] %}{% endif %}{% endfor %}",
    "too much output": "{% for i in range(100000) %}" + "x" * 1000 + "{% endfor %}",
    "too much output from a macro": "{% macro f() %}" + "x" * 1000 + "{% endmacro %}{% for i in range(100000) %}{{ f() }}{% endfor %}",
    "int.to_bytes": "{{ (1).to_bytes(10**9, 'big') }}",
    "deep parentheses": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "long sum": "{{ " + "1+" * 20000 + "1 }}",
    "deep ifs": "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
    "deep loops": "{% for i in [1] %}" * 200 + "{% endfor %}" * 200,
    "too many parts": "{{a}}" * 13000,
    "too long a source": "x" * 300_000,
    "too long a program": "".join(f"{{% macro a{i}() %}}{{% endmacro %}}" for i in range(1700)),
    "strftime": "{{ strftime_now('%1000000000Y') }}",
    "lipsum": "{{ lipsum(n=10**9) }}",
    "wordwrap": "{{ ('a' * 1000000) | wordwrap(1) }}",
    "classes": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "globals": "{{ raise_exception.__globals__['os'].system('true') }}",
    "globals of a class": "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "format into attributes": "{{ '{0.__class__.__mro__}'.format(1) }}",
    "changing the messages": "{{ messages.append(1) }}",
    "changing a message": "{{ messages[0].update({'role': 'system'}) }}",
    "files": "{% include '/etc/passwd' %}",
    "imports": "{% import 'os' as os %}",
}  # fmt: skip


def ends_soon_and_small(source: str, within: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.thread_time()
    with pytest.raises(TemplateError):
        ChatTemplate(source).render(MESSAGES)
    assert time.thread_time() - begun < within
    if sys.platform == "linux":
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 250 * 1024  # kilobytes


@pytest.mark.parametrize("source", HOSTILE.values(), ids=list(HOSTILE))
def test_hostile_template_ends_soon_and_small(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "SECONDS", 0.25)  # a quarter of the budget, to keep this file quick
    ends_soon_and_small(source, within=1.75)


@pytest.mark.parametrize("name", ["nested loops", "hoarding splits", "comparing over and over"])
def test_hostile_template_ends_within_the_real_budget(name: str) -> None:
    ends_soon_and_small(HOSTILE[name], within=2.0)


def test_a_small_loop_is_not_hostile() -> None:
    assert ChatTemplate("{% for i in range(20000) %}x{% endfor %}").render(MESSAGES) == "x" * 20000


SMALLER = {
    "time": "{% for i in range(1500) %}{% for j in range(2000) %}{% endfor %}{% endfor %}",
    "size": "{{ ('a' * 60000000) | length }}",
}


@pytest.mark.parametrize("source", SMALLER.values(), ids=list(SMALLER))
def test_guard_the_budget_fails_when_nothing_is_charged(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The violation planted: a meter that never says no. Each template then runs to its end, which the guard forbids."""
    with pytest.raises(TemplateError, match="budget exceeded"):
        ChatTemplate(source).render(MESSAGES)
    monkeypatch.setattr(meter.Meter, "spend", lambda self, units: None)
    ChatTemplate(source).render(MESSAGES)
