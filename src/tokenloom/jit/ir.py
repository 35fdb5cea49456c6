"""The kernel language: Python expressions that print as LLVM IR.

Knows LLVM's types, instructions and text syntax. Knows nothing of llvmlite, of CPUs (a `Tier` only answers what it can do) or of language models.

A kernel is ordinary Python that runs once. `Value` overloads the arithmetic operators, `Builder.range` is a loop in the generated code,
`Builder.var` a mutable cell (LLVM turns it into a register).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Union

__all__ = [
    "Builder",
    "Module",
    "Type",
    "Value",
    "Var",
    "bf16",
    "f16",
    "f32",
    "f64",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "ptr",
    "void",
]


@dataclass(frozen=True)
class Type:
    """A scalar or vector type: `kind` is i(nteger), f(loat), b(float16), p(ointer) or v(oid); `lanes` 0 means scalar."""

    kind: str
    bits: int
    lanes: int = 0

    def x(self, lanes: int) -> Type:
        """The vector of `lanes` such scalars."""
        return Type(self.kind, self.bits, lanes)

    @property
    def scalar(self) -> Type:
        return Type(self.kind, self.bits)

    @property
    def nbytes(self) -> int:
        return (self.bits // 8) * max(1, self.lanes)

    def __str__(self) -> str:
        if self.kind == "i":
            name = f"i{self.bits}"
        elif self.kind == "f":
            name = {16: "half", 32: "float", 64: "double"}[self.bits]
        else:
            name = {"b": "bfloat", "p": "ptr", "v": "void"}[self.kind]
        return f"<{self.lanes} x {name}>" if self.lanes else name

    @property
    def suffix(self) -> str:
        """The mangled form that intrinsic names carry, such as v16f32."""
        base = f"{self.kind}{self.bits}" if self.kind != "p" else "p0"
        return f"v{self.lanes}{base}" if self.lanes else base


i1, i8, i16, i32, i64 = (Type("i", n) for n in (1, 8, 16, 32, 64))
f16, f32, f64 = (Type("f", n) for n in (16, 32, 64))
bf16 = Type("b", 16)
ptr, void = Type("p", 64), Type("v", 0)

Operand = Union["Value", int, float]


def literal(kind: Type, number: int | float) -> str:
    """The text of a constant of `kind`; floats are printed as bits, so nothing is lost in decimal."""
    if kind.kind == "i":
        text = str(int(number)) if kind.bits > 1 else ("true" if number else "false")
    elif kind.bits == 16:
        text = f"0xH{int.from_bytes(struct.pack('<e', number), 'little'):04X}"
    else:
        exact = struct.unpack("<f", struct.pack("<f", number))[0] if kind.bits == 32 else float(number)
        text = f"0x{int.from_bytes(struct.pack('<d', exact), 'little'):016X}"
    return f"splat ({kind.scalar} {text})" if kind.lanes else text


class Value:
    """One SSA value. Arithmetic emits instructions; a pointer plus an integer is a byte offset."""

    __slots__ = ("builder", "text", "type")

    def __init__(self, builder: Builder, kind: Type, text: str) -> None:
        self.builder, self.type, self.text = builder, kind, text

    def __repr__(self) -> str:
        return f"{self.type} {self.text}"

    def _binary(self, other: Operand, integer: str, floating: str, swap: bool = False) -> Value:
        b = self.builder
        right = b.const(self.type, other)
        if right.type != self.type:
            raise TypeError(f"operands differ: {self.type} and {right.type}")
        name = floating if self.type.kind == "f" else integer
        if not name:
            raise TypeError(f"no such operation on {self.type}")
        left, right = (right, self) if swap else (self, right)
        return b.emit(self.type, f"{name} {self.type} {left.text}, {right.text}")

    def __add__(self, other: Operand) -> Value:
        if self.type == ptr:
            return self.builder.offset(self, other)
        if isinstance(other, int) and other == 0 and self.type.kind == "i":
            return self
        return self._binary(other, "add", "fadd")

    def __radd__(self, other: Operand) -> Value:
        return self._binary(other, "add", "fadd", swap=True)

    def __sub__(self, other: Operand) -> Value:
        return self._binary(other, "sub", "fsub")

    def __rsub__(self, other: Operand) -> Value:
        return self._binary(other, "sub", "fsub", swap=True)

    def __mul__(self, other: Operand) -> Value:
        if isinstance(other, int) and other == 1 and self.type.kind == "i":
            return self
        return self._binary(other, "mul", "fmul")

    def __rmul__(self, other: Operand) -> Value:
        return self._binary(other, "mul", "fmul", swap=True)

    def __truediv__(self, other: Operand) -> Value:
        return self._binary(other, "", "fdiv")

    def __rtruediv__(self, other: Operand) -> Value:
        return self._binary(other, "", "fdiv", swap=True)

    def __floordiv__(self, other: Operand) -> Value:
        """Signed division rounding toward zero."""
        return self._binary(other, "sdiv", "")

    def __mod__(self, other: Operand) -> Value:
        return self._binary(other, "srem", "")

    def __and__(self, other: Operand) -> Value:
        return self._binary(other, "and", "")

    def __or__(self, other: Operand) -> Value:
        return self._binary(other, "or", "")

    def __xor__(self, other: Operand) -> Value:
        return self._binary(other, "xor", "")

    def __lshift__(self, other: Operand) -> Value:
        return self._binary(other, "shl", "")

    def __rshift__(self, other: Operand) -> Value:
        """Logical shift; `Builder.ashr` keeps the sign."""
        return self._binary(other, "lshr", "")

    def __neg__(self) -> Value:
        if self.type.kind == "f":
            return self.builder.emit(self.type, f"fneg {self.type} {self.text}")
        return self._binary(0, "sub", "", swap=True)

    def _compare(self, other: Operand, integer: str, floating: str) -> Value:
        b, right = self.builder, self.builder.const(self.type, other)
        how = f"fcmp {floating}" if self.type.kind == "f" else f"icmp {integer}"
        return b.emit(i1.x(self.type.lanes) if self.type.lanes else i1, f"{how} {self.type} {self.text}, {right.text}")

    def __lt__(self, other: Operand) -> Value:
        return self._compare(other, "slt", "olt")

    def __le__(self, other: Operand) -> Value:
        return self._compare(other, "sle", "ole")

    def __gt__(self, other: Operand) -> Value:
        return self._compare(other, "sgt", "ogt")

    def __ge__(self, other: Operand) -> Value:
        return self._compare(other, "sge", "oge")

    def eq(self, other: Operand) -> Value:
        return self._compare(other, "eq", "oeq")

    def ne(self, other: Operand) -> Value:
        """For floats: ordered and unequal, so a NaN answers false."""
        return self._compare(other, "ne", "one")

    def ult(self, other: Operand) -> Value:
        return self._compare(other, "ult", "")


class Var:
    """A mutable cell of the function being built."""

    __slots__ = ("_address", "_builder", "type")

    def __init__(self, builder: Builder, kind: Type, address: Value) -> None:
        self._builder, self.type, self._address = builder, kind, address

    @property
    def value(self) -> Value:
        return self._builder.load(self.type, self._address)

    @value.setter
    def value(self, new: Operand) -> None:
        self._builder.store(self._builder.const(self.type, new), self._address)


class Module:
    """LLVM IR under construction: declarations, internal helpers, constants and functions."""

    def __init__(self) -> None:
        self.declarations: dict[str, str] = {}
        self.functions: dict[str, str] = {}

    def __str__(self) -> str:
        return "\n".join([*self.declarations.values(), "", *self.functions.values()])


class Builder:
    """Builds one function of a module. `tier` answers what the CPU can do; helpers that it lacks become internal functions."""

    def __init__(self, module: Module, tier: object = None) -> None:
        self.module, self.tier = module, tier
        self._lines: list[str] = []
        self._entry: list[str] = []
        self._count = 0

    # ---- functions ----------------------------------------------------------------------------------------------------

    @contextmanager
    def function(
        self,
        name: str,
        params: Sequence[tuple[str, Type]],
        result: Type = void,
        linkage: str = "",
        attributes: str = "nounwind",
    ) -> Iterator[list[Value]]:
        """Defines a function; yields its parameters. Every path must end in `ret` (the last one does so by itself for void)."""
        yield [Value(self, kind, f"%{label}") for label, kind in params]
        if result == void:
            self._lines.append("  ret void")
        head = ", ".join(f"{kind} %{label}" for label, kind in params)
        body = ["entry:", *self._entry, "  br label %start", "start:", *self._lines]
        self.module.functions[name] = (
            f"define {linkage} {result} @{name}({head}) {attributes} {{\n" + "\n".join(body) + "\n}\n"
        )

    def helper(
        self,
        name: str,
        params: Sequence[Type],
        result: Type,
        body: Callable[..., Value],
        *args: Value,
        inline: bool = True,
    ) -> Value:
        """Calls an internal function of this module, built by `body(builder, *values)` the first time it is named.

        `inline=False` keeps a large one from being copied into every caller, which costs LLVM more than the call costs the CPU.
        """
        if name not in self.module.functions:
            inner = Builder(self.module, self.tier)
            self.module.functions[name] = ""  # reserves the name while the body is built
            attributes = "nounwind" if inline else "nounwind noinline"
            named = [(f"a{i}", p) for i, p in enumerate(params)]
            with inner.function(name, named, result, "internal", attributes) as values:
                inner.ret(body(inner, *values))
        return self.emit(result, f"call {result} @{name}({', '.join(map(repr, args))})")

    def ret(self, value: Value | None = None) -> None:
        self._lines.append(f"  ret {value!r}" if value is not None else "  ret void")

    def emit(self, kind: Type, text: str) -> Value:
        """One instruction with a result."""
        name = f"%v{self._count}"
        self._count += 1
        self._lines.append(f"  {name} = {text}")
        return Value(self, kind, name)

    def do(self, text: str) -> None:
        """One instruction without a result."""
        self._lines.append(f"  {text}")

    def const(self, kind: Type, number: Operand) -> Value:
        return number if isinstance(number, Value) else Value(self, kind, literal(kind, number))

    def zeros(self, kind: Type) -> Value:
        return Value(self, kind, "zeroinitializer" if kind.lanes else literal(kind, 0))

    def var(self, init: Value) -> Var:
        name = f"%c{self._count}"
        self._count += 1
        self._entry.append(f"  {name} = alloca {init.type}")
        cell = Var(self, init.type, Value(self, ptr, name))
        cell.value = init
        return cell

    def scratch(self, nbytes: int, align: int = 64) -> Value:
        """A fixed buffer in the frame; keep frames under 4 KiB."""
        name = f"%s{self._count}"
        self._count += 1
        self._entry.append(f"  {name} = alloca [{nbytes} x i8], align {align}")
        return Value(self, ptr, name)

    # ---- control ------------------------------------------------------------------------------------------------------

    def _block(self, label: str) -> None:
        self._lines.append(f"{label}:")

    def _new(self, what: str) -> str:
        self._count += 1
        return f"{what}{self._count}"

    def range(self, start: Operand, stop: Operand, step: Operand = 1, kind: Type = i64) -> Iterator[Value]:
        """A counted loop of the generated code; the body is the Python `for` body, which runs once. Signed, step > 0."""
        index = self.var(self.const(kind, start))
        head, body, done = (self._new(w) for w in ("head", "body", "done"))
        self.do(f"br label %{head}")
        self._block(head)
        now = index.value
        self.do(f"br {(now < stop)!r}, label %{body}, label %{done}")
        self._block(body)
        yield now
        index.value = now + self.const(kind, step)
        self.do(f"br label %{head}")
        self._block(done)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Runs the body where `condition` holds."""
        then, done = self._new("then"), self._new("done")
        self.do(f"br {condition!r}, label %{then}, label %{done}")
        self._block(then)
        yield
        self.do(f"br label %{done}")
        self._block(done)

    @contextmanager
    def loop(self) -> Iterator[Callable[[Value], None]]:
        """An endless loop; the yielded function leaves it where its argument holds."""
        head, done = self._new("head"), self._new("done")
        self.do(f"br label %{head}")
        self._block(head)

        def leave_if(condition: Value) -> None:
            on = self._new("on")
            self.do(f"br {condition!r}, label %{done}, label %{on}")
            self._block(on)

        yield leave_if
        self.do(f"br label %{head}")
        self._block(done)

    def either(self, condition: Value, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """Runs `yes` or `no`."""
        then, other, done = self._new("then"), self._new("else"), self._new("done")
        self.do(f"br {condition!r}, label %{then}, label %{other}")
        self._block(then)
        yes()
        self.do(f"br label %{done}")
        self._block(other)
        no()
        self.do(f"br label %{done}")
        self._block(done)

    # ---- memory -------------------------------------------------------------------------------------------------------

    def offset(self, base: Value, nbytes: Operand) -> Value:
        if isinstance(nbytes, int) and nbytes == 0:
            return base
        delta = self.const(i64, nbytes)
        if delta.type != i64:
            delta = self.sext(delta, i64)
        return self.emit(ptr, f"getelementptr i8, ptr {base.text}, i64 {delta.text}")

    def load(self, kind: Type, address: Value, align: int | None = None) -> Value:
        """`align` defaults to the size of one lane, so a vector may lie anywhere its lanes may."""
        return self.emit(kind, f"load {kind}, ptr {address.text}, align {align or max(1, kind.bits // 8)}")

    def load_index(self, address: Value) -> Value:
        """An int32 in memory as an i64, in which counts and places are computed."""
        return self.sext(self.load(i32, address), i64)

    def store(self, value: Value, address: Value, align: int | None = None) -> None:
        self.do(f"store {value!r}, ptr {address.text}, align {align or max(1, value.type.bits // 8)}")

    def atomic_load(self, kind: Type, address: Value) -> Value:
        return self.emit(kind, f"load atomic {kind}, ptr {address.text} acquire, align {kind.nbytes}")

    def atomic_store(self, value: Value, address: Value) -> None:
        self.do(f"store atomic {value!r}, ptr {address.text} release, align {value.type.nbytes}")

    def atomic_add(self, address: Value, value: Value) -> Value:
        """Returns the old value; sequentially consistent."""
        return self.emit(value.type, f"atomicrmw add ptr {address.text}, {value!r} seq_cst, align {value.type.nbytes}")

    def fence(self) -> None:
        self.do("fence seq_cst")

    def prefetch(self, address: Value, level: int = 2) -> None:
        """Into the cache of that level. The first level's few miss buffers should be left to loads where the line is still in memory."""
        self.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)", "llvm.prefetch.p0")
        self.do(f"call void @llvm.prefetch.p0(ptr {address.text}, i32 0, i32 {4 - level}, i32 1)")

    # ---- calls --------------------------------------------------------------------------------------------------------

    def declare(self, text: str, name: str) -> None:
        self.module.declarations.setdefault(name, text)

    def call(self, name: str, result: Type, *args: Value) -> Value:
        """Calls an intrinsic, declaring it from the operands' types."""
        self.declare(f"declare {result} @{name}({', '.join(str(a.type) for a in args)})", name)
        return self.emit(result, f"call {result} @{name}({', '.join(map(repr, args))})")

    def unary(self, name: str, value: Value) -> Value:
        return self.call(f"llvm.{name}.{value.type.suffix}", value.type, value)

    def binary(self, name: str, left: Value, right: Operand) -> Value:
        return self.call(f"llvm.{name}.{left.type.suffix}", left.type, left, self.const(left.type, right))

    def reduce(self, name: str, vector: Value) -> Value:
        """An integer vector's lanes joined by add, umax, umin, ..., in any order, since it cannot matter."""
        kind = vector.type
        return self.call(f"llvm.vector.reduce.{name}.{kind.suffix}", kind.scalar, vector)

    # ---- vectors and casts ----------------------------------------------------------------------------------------------

    def cast(self, how: str, value: Value, kind: Type) -> Value:
        if value.type == kind:
            return value
        return self.emit(kind, f"{how} {value!r} to {kind}")

    def sext(self, value: Value, kind: Type) -> Value:
        return self.cast("sext", value, kind)

    def zext(self, value: Value, kind: Type) -> Value:
        return self.cast("zext", value, kind)

    def trunc(self, value: Value, kind: Type) -> Value:
        return self.cast("trunc", value, kind)

    def bitcast(self, value: Value, kind: Type) -> Value:
        return self.cast("bitcast", value, kind)

    def to_float(self, value: Value, scalar: Type = f32) -> Value:
        """Signed integer to float, rounded once."""
        return self.cast("sitofp", value, scalar.x(value.type.lanes))

    def to_int(self, value: Value, scalar: Type = i32) -> Value:
        """Float to signed integer toward zero; the value must be in range (else poison)."""
        return self.cast("fptosi", value, scalar.x(value.type.lanes))

    def ashr(self, value: Value, bits: int) -> Value:
        return value._binary(bits, "ashr", "")

    def select(self, condition: Value, yes: Operand, no: Operand) -> Value:
        kind = yes.type if isinstance(yes, Value) else no.type  # type: ignore[union-attr]  # one of the two is a Value
        return self.emit(kind, f"select {condition!r}, {self.const(kind, yes)!r}, {self.const(kind, no)!r}")

    def splat(self, value: Value, lanes: int) -> Value:
        kind = value.type.x(lanes)
        one = self.emit(kind, f"insertelement {kind} poison, {value!r}, i32 0")
        return self.emit(kind, f"shufflevector {kind} {one.text}, {kind} poison, <{lanes} x i32> zeroinitializer")

    def shuffle(self, left: Value, right: Value | None, lanes: Sequence[int]) -> Value:
        other = right.text if right is not None else "poison"
        mask = ", ".join(f"i32 {i}" for i in lanes)
        kind = left.type.scalar.x(len(lanes))
        return self.emit(kind, f"shufflevector {left!r}, {left.type} {other}, <{len(lanes)} x i32> <{mask}>")

    def extract(self, vector: Value, lane: Operand) -> Value:
        return self.emit(vector.type.scalar, f"extractelement {vector!r}, {self.const(i32, lane)!r}")

    def insert(self, vector: Value, value: Value, lane: Operand) -> Value:
        return self.emit(vector.type, f"insertelement {vector!r}, {value!r}, {self.const(i32, lane)!r}")

    def lane_numbers(self, kind: Type) -> Value:
        """The vector <0, 1, 2, ...> of an integer type."""
        return Value(self, kind, "<" + ", ".join(f"{kind.scalar} {i}" for i in range(kind.lanes)) + ">")

    def halves(self, value: Value) -> tuple[Value, Value]:
        n = value.type.lanes // 2
        return self.shuffle(value, None, range(n)), self.shuffle(value, None, range(n, 2 * n))
