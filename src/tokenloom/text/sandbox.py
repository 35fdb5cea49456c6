"""A jinja2 sandbox whose every step is metered, for templates that came with a file nobody vetted.

Knows jinja2: which operations can loop, grow or nest, and where to count them. Knows nothing of chats: `template` hands
it source and variables. Imported when a template is first rendered, since jinja2 is.

How a template is kept within its budget: loop bodies, calls, filters, tests, operators, literals, slices, comparisons
and outputs all pass through `meter`. Filters whose time cannot be bounded by what they are charged are not offered.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from types import CodeType
from typing import Any

from jinja2 import TemplateSyntaxError, nodes, pass_context
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.filters import FILTERS
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.utils import _PassArg
from jinja2.visitor import NodeTransformer

from tokenloom.errors import TemplateError
from tokenloom.text.meter import (
    METER,
    STEP,
    Meter,
    charge_filter,
    charge_format,
    charge_method,
    charge_operator,
    listed,
    size,
    spend,
)

# Compiling is not metered, so what is compiled is bounded: four to seven times the largest templates in use.
LONGEST_SOURCE = 65_536
MOST_NODES = 8_000
LONGEST_CODE = 400_000
DEEPEST_LOOPS = 16  # Python itself ends at 20

# fmt: off
OFFERED_FILTERS = (
    "abs", "attr", "batch", "capitalize", "center", "count", "d", "default", "dictsort", "e", "escape", "first", "float",
    "forceescape", "format", "groupby", "indent", "int", "items", "join", "last", "length", "list", "lower", "map", "max",
    "min", "reject", "rejectattr", "replace", "reverse", "round", "safe", "select", "selectattr", "slice", "sort",
    "string", "sum", "title", "trim", "truncate", "unique", "upper", "wordcount",
)
# These compare what they are given, however deep it goes.
_DEEP_TESTS = frozenset((
    "in", "==", "eq", "equalto", "!=", "ne", ">", "gt", "greaterthan", "ge", ">=", "<", "lt", "lessthan", "<=", "le",
))
# fmt: on


def _metered_filter(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    first = 1 if _PassArg.from_obj(function) is not None else 0

    @functools.wraps(function)
    def metered(*arguments: Any, **named: Any) -> Any:
        given = list(arguments[first:])
        charge_filter(name, given, named)
        result = function(*arguments[:first], *given, **named)
        if isinstance(result, Iterator):
            return listed(result)
        spend(size(result))
        return result

    return metered


def _metered_test(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def metered(*arguments: Any, **named: Any) -> Any:
        if name in _DEEP_TESTS:
            METER.get().weigh(arguments)
        else:
            spend(STEP)
        return function(*arguments, **named)

    return metered


def _tick(value: Any) -> Any:
    spend(STEP)
    return value


def _weighed(value: Any) -> Any:
    if not isinstance(value, (str, int, float)) and value is not None:
        METER.get().weigh(value)
    return value


def _sized(value: Any) -> Any:
    spend(size(value))
    return value


def _concatenated(values: tuple[Any, ...]) -> str:
    return concat([str(_weighed(value)) for value in values])


def concat(pieces: Iterable[str]) -> str:
    """Join what a block, a macro or `~` produced."""
    parts = list(pieces)
    spend(sum(map(len, parts)))
    return "".join(parts)


def tojson(
    value: Any, ensure_ascii: bool = False, indent: Any = None, separators: Any = None, sort_keys: bool = False
) -> str:
    """JSON as transformers gives it to templates: no HTML escapes, non-ASCII text as it is."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def raise_exception(message: object) -> None:
    """What a template calls to refuse its input."""
    raise TemplateError(str(message))


def strftime_now(pattern: str) -> str:
    """The local time, formatted."""
    if len(pattern) > 100 or any(map(str.isdigit, pattern)):
        raise TemplateError("strftime_now() takes a short format without widths")
    return datetime.now().astimezone().strftime(pattern)


def bounded_range(*arguments: int) -> range:
    """`range`, whose steps are charged where they are walked."""
    numbers = range(*arguments)
    if len(numbers) > 100_000:
        raise TemplateError(f"range({', '.join(map(str, arguments))}) is longer than 100000 (size budget exceeded)")
    return numbers


class GenerationBlocks(Extension):
    """`{% generation %}…{% endgeneration %}` marks text for training; here it is its body."""

    tags = {"generation"}  # noqa: RUF012  # jinja2 reads a class attribute

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


# Names no template can spell: the steps that are inserted into its tree.
_INSERTED: dict[str, Callable[..., Any]] = {
    " tick": _tick,
    " weighed": _weighed,
    " sized": _sized,
    " concatenated": _concatenated,
}


class _InsertMeters(NodeTransformer):
    """Puts a charge where jinja2 gives a template no hook: loop bodies, literals, `~`, comparisons and slices."""

    def __init__(self, environment: MeteredEnvironment) -> None:
        self._environment = environment
        self._loops = self._nodes = 0
        self._visitors: dict[type[nodes.Node], Callable[[Any], nodes.Node]] = {
            nodes.For: self._for,
            nodes.Concat: self._concat,
            nodes.Compare: self._compare,
            nodes.List: self._list,
            nodes.Tuple: self._tuple,
            nodes.Dict: self._dict,
            nodes.Getitem: self._getitem,
        }

    def get_visitor(self, node: nodes.Node) -> Any:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise TemplateError(f"the chat template has more than {MOST_NODES} parts (size budget exceeded)")
        return self._visitors.get(type(node))

    def _through(self, step: str, node: nodes.Expr) -> nodes.Expr:
        return nodes.Filter(node, step, [], [], None, None, lineno=node.lineno, environment=self._environment)

    def _ticking(self, lineno: int) -> nodes.Expr:
        return self._through(" tick", nodes.Const(True, lineno=lineno, environment=self._environment))

    def _for(self, node: nodes.For) -> nodes.Node:
        self._loops += 1
        if self._loops > DEEPEST_LOOPS:
            raise TemplateError(f"the chat template nests more than {DEEPEST_LOOPS} loops at line {node.lineno}")
        self.generic_visit(node)
        self._loops -= 1
        tick = nodes.ExprStmt(self._ticking(node.lineno), lineno=node.lineno, environment=self._environment)
        node.body.insert(0, tick)
        if node.test is not None:
            ticking = self._ticking(node.lineno)
            node.test = nodes.And(ticking, node.test, lineno=node.lineno, environment=self._environment)
        return node

    def _concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        parts = nodes.Tuple(node.nodes, "load", lineno=node.lineno, environment=self._environment)
        return self._through(" concatenated", parts)

    def _compare(self, node: nodes.Compare) -> nodes.Node:
        self.generic_visit(node)
        node.expr = self._operand(node.expr)
        for operand in node.ops:
            operand.expr = self._operand(operand.expr)
        return node

    def _operand(self, node: nodes.Expr) -> nodes.Expr:
        return node if isinstance(node, nodes.Const) else self._through(" weighed", node)

    def _list(self, node: nodes.List) -> nodes.Node:
        self.generic_visit(node)
        return self._literal(node, node.items)

    def _tuple(self, node: nodes.Tuple) -> nodes.Node:
        self.generic_visit(node)
        return node if node.ctx != "load" else self._literal(node, node.items)

    def _dict(self, node: nodes.Dict) -> nodes.Node:
        self.generic_visit(node)
        return self._through(" weighed", node)

    def _literal(self, node: nodes.Expr, items: list[nodes.Expr]) -> nodes.Node:
        constant = all(isinstance(item, nodes.Const) for item in items)
        return self._through(" sized" if constant else " weighed", node)

    def _getitem(self, node: nodes.Getitem) -> nodes.Node:
        self.generic_visit(node)
        return self._through(" sized", node) if isinstance(node.arg, nodes.Slice) else node


@pass_context
def _finalize(context: Context, value: Any) -> Any:
    """An output: charged before it becomes text. Taking the context keeps jinja2 from running it while compiling."""
    spend(len(value)) if isinstance(value, str) else _weighed(value)
    return value


class MeteredEnvironment(ImmutableSandboxedEnvironment):
    """transformers' template environment, metered."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "**", "%"))
    concat = staticmethod(concat)

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[GenerationBlocks, loopcontrols],
            optimized=False,
            finalize=_finalize,
            cache_size=0,
        )
        offered = {name: FILTERS[name] for name in OFFERED_FILTERS} | {"tojson": tojson}
        self.filters = {name: _metered_filter(name, function) for name, function in offered.items()} | _INSERTED
        tests: dict[str, Any] = dict(TESTS)
        self.tests = {name: _metered_test(name, function) for name, function in tests.items()}
        del self.globals["lipsum"]
        self.globals.update(raise_exception=raise_exception, strftime_now=strftime_now, range=bounded_range)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _InsertMeters(self).visit(super()._parse(source, name, filename))
        return tree

    def _compile(self, source: str, filename: str) -> CodeType:
        if len(source) > LONGEST_CODE:
            raise TemplateError(
                f"the chat template compiles to more than {LONGEST_CODE} characters (size budget exceeded)"
            )
        return super()._compile(source, filename)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805  # as jinja2 has it
        spend(STEP)
        arguments = list(args)
        owner = getattr(__obj, "__self__", None)
        if isinstance(owner, (str, bytes, int, float, list, tuple, dict, type)):
            charge_method(owner, getattr(__obj, "__name__", ""), arguments)
        result = super().call(__context, __obj, *arguments, **kwargs)
        spend(size(result))
        return result

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        charge_operator(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        def metered(*args: Any, **kwargs: Any) -> str:
            charge_format(value.__self__, "{", (args, kwargs))
            return wrapped(*args, **kwargs)

        return metered


def compile_source(environment: MeteredEnvironment, source: str) -> Any:
    """A jinja2 template; TemplateError names the line that is wrong."""
    if len(source) > LONGEST_SOURCE:
        raise TemplateError(f"the chat template has {len(source)} characters, more than {LONGEST_SOURCE}")
    try:
        return environment.from_string(source)
    except TemplateSyntaxError as error:
        raise TemplateError(f"the chat template is wrong at line {error.lineno}: {error.message}") from error
    except (RecursionError, MemoryError, SyntaxError, ValueError, OverflowError) as error:
        raise TemplateError(f"the chat template cannot be compiled: {error or type(error).__name__}") from error


def render(template: Any, variables: dict[str, Any], *, seconds: float, longest: int) -> str:
    """Render within `seconds` of processor time and `longest` characters; TemplateError names the line."""
    token = METER.set(Meter.for_input(seconds, variables))
    try:
        pieces: list[str] = []
        length = 0
        for piece in template.root_render_func(template.new_context(variables)):
            length += len(piece)
            if length > longest:
                raise TemplateError(f"it writes more than {longest} characters (size budget exceeded)")
            pieces.append(piece)
        return "".join(pieces)
    except Exception as error:  # whatever a template provokes is the template's error
        raise TemplateError(f"the chat template failed{_where(template, error)}: {_reason(error)}") from error
    finally:
        METER.reset(token)


def _where(template: Any, error: BaseException) -> str:
    """The template line a failure came from, read off the generated code's frames."""
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_globals.get("environment") is template.environment:
            line = template.get_corresponding_lineno(step.tb_lineno)
        step = step.tb_next
    return f" at line {line}" if line else ""


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it calls itself without end"
    text = str(error)
    shown = text if len(text) <= 500 else text[:500] + "…"
    return shown if isinstance(error, (TemplateError, SecurityError)) else f"{shown} ({type(error).__name__})"
