"""The kernel language: what each expression prints, and that what it prints is what it means."""

from __future__ import annotations

import ctypes
import textwrap
from collections.abc import Callable

import numpy as np
import pytest
from tests.jit.native import RUNNABLE, Elementwise, Native

from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS
from tokenloom.jit.ir import Builder, Module, Type, Value, f16, f32, f64, i1, i8, i16, i32, i64, literal, ptr, void

LOWEST = TIERS[RUNNABLE[0]]


def printed(build: Callable[[Builder], object]) -> list[str]:
    """The instructions that `build` emits."""
    b = Builder(Module())
    build(b)
    return [line.strip() for line in [*b._entry, *b._lines]]


def value(b: Builder, kind: Type, name: str = "%x") -> Value:
    return Value(b, kind, name)


@pytest.mark.parametrize(
    ("kind", "text", "suffix", "nbytes"),
    [
        (i1, "i1", "i1", 0), (i8, "i8", "i8", 1), (i64, "i64", "i64", 8), (f16, "half", "f16", 2), (f32, "float", "f32", 4),
        (f64, "double", "f64", 8), (ptr, "ptr", "p0", 8), (void, "void", "v0", 0), (i8.x(64), "<64 x i8>", "v64i8", 64),
        (f32.x(16), "<16 x float>", "v16f32", 64), (f64.x(4), "<4 x double>", "v4f64", 32),
    ],
)  # fmt: skip
def test_types(kind: Type, text: str, suffix: str, nbytes: int) -> None:
    assert (str(kind), kind.suffix, kind.nbytes) == (text, suffix, nbytes)
    assert kind.x(3).scalar == kind.scalar


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        (i32, -7, "-7"), (i1, 1, "true"), (i1, 0, "false"), (i16.x(4), 3, "splat (i16 3)"),
        (f32, 0.1, "0x3FB99999A0000000"), (f32, 1.0, "0x3FF0000000000000"), (f32, float("-inf"), "0xFFF0000000000000"),
        (f64, 0.1, "0x3FB999999999999A"), (f16, 1.5, "0xH3E00"), (f32.x(8), -0.0, "splat (float 0x8000000000000000)"),
        (f32, 2.0**-149, "0x36A0000000000000"),
    ],
)  # fmt: skip
def test_constants_are_printed_as_bits(kind: Type, number: float, text: str) -> None:
    assert literal(kind, number) == text


OPERATORS: list[tuple[str, Type, Callable[[Value], Value], str]] = [
    ("add", i32, lambda x: x + 3, "add i32 %x, 3"),
    ("add reversed", i32, lambda x: 3 + x, "add i32 3, %x"),
    ("sub", i32, lambda x: x - 3, "sub i32 %x, 3"),
    ("sub reversed", i32, lambda x: 3 - x, "sub i32 3, %x"),
    ("mul", i64, lambda x: x * x, "mul i64 %x, %x"),
    ("mul reversed", i64, lambda x: 5 * x, "mul i64 5, %x"),
    ("signed division", i32, lambda x: x // 3, "sdiv i32 %x, 3"),
    ("remainder", i32, lambda x: x % 3, "srem i32 %x, 3"),
    ("and", i32, lambda x: x & 3, "and i32 %x, 3"),
    ("or", i32, lambda x: x | 3, "or i32 %x, 3"),
    ("xor", i8.x(16), lambda x: x ^ -128, "xor <16 x i8> %x, splat (i8 -128)"),
    ("shift left", i32, lambda x: x << 3, "shl i32 %x, 3"),
    ("logical shift right", i32, lambda x: x >> 3, "lshr i32 %x, 3"),
    ("arithmetic shift right", i32, lambda x: x.builder.ashr(x, 3), "ashr i32 %x, 3"),
    ("negate", i32, lambda x: -x, "sub i32 0, %x"),
    ("float add", f32, lambda x: x + 1.0, "fadd float %x, 0x3FF0000000000000"),
    ("float add reversed", f32, lambda x: 1.0 + x, "fadd float 0x3FF0000000000000, %x"),
    ("float sub", f64, lambda x: x - x, "fsub double %x, %x"),
    ("float sub reversed", f32, lambda x: 1.0 - x, "fsub float 0x3FF0000000000000, %x"),
    ("float mul", f32.x(4), lambda x: x * x, "fmul <4 x float> %x, %x"),
    ("float mul reversed", f32, lambda x: 1.0 * x, "fmul float 0x3FF0000000000000, %x"),
    ("float division", f32, lambda x: x / x, "fdiv float %x, %x"),
    ("float division reversed", f32, lambda x: 1.0 / x, "fdiv float 0x3FF0000000000000, %x"),
    ("float negate", f32, lambda x: -x, "fneg float %x"),
    ("less", i32, lambda x: x < 3, "icmp slt i32 %x, 3"),
    ("less or equal", i32, lambda x: x <= 3, "icmp sle i32 %x, 3"),
    ("greater", i32, lambda x: x > 3, "icmp sgt i32 %x, 3"),
    ("greater or equal", i32, lambda x: x >= 3, "icmp sge i32 %x, 3"),
    ("equal", i32, lambda x: x.eq(3), "icmp eq i32 %x, 3"),
    ("unequal", i32, lambda x: x.ne(3), "icmp ne i32 %x, 3"),
    ("unsigned less", i32, lambda x: x.ult(3), "icmp ult i32 %x, 3"),
    ("float less", f32, lambda x: x < x, "fcmp olt float %x, %x"),
    ("float less or equal", f32, lambda x: x <= x, "fcmp ole float %x, %x"),
    ("float greater", f32.x(4), lambda x: x > x, "fcmp ogt <4 x float> %x, %x"),
    ("float greater or equal", f32, lambda x: x >= x, "fcmp oge float %x, %x"),
    ("float equal", f32, lambda x: x.eq(x), "fcmp oeq float %x, %x"),
    ("float unequal", f32, lambda x: x.ne(x), "fcmp one float %x, %x"),
    ("byte offset", ptr, lambda x: x + 8, "getelementptr i8, ptr %x, i64 8"),
    ("widen", i8.x(4), lambda x: x.builder.sext(x, i32.x(4)), "sext <4 x i8> %x to <4 x i32>"),
    ("widen unsigned", i8, lambda x: x.builder.zext(x, i32), "zext i8 %x to i32"),
    ("truncate", i32, lambda x: x.builder.trunc(x, i8), "trunc i32 %x to i8"),
    ("bitcast", f32, lambda x: x.builder.bitcast(x, i32), "bitcast float %x to i32"),
    ("to float", i32.x(8), lambda x: x.builder.to_float(x), "sitofp <8 x i32> %x to <8 x float>"),
    ("to integer", f32, lambda x: x.builder.to_int(x), "fptosi float %x to i32"),
    ("extract", f32.x(4), lambda x: x.builder.extract(x, 2), "extractelement <4 x float> %x, i32 2"),
    ("insert", i32.x(2), lambda x: x.builder.insert(x, value(x.builder, i32, "%y"), 1), "insertelement <2 x i32> %x, i32 %y, i32 1"),
    ("shuffle", i32.x(2), lambda x: x.builder.shuffle(x, x, [0, 3]), "shufflevector <2 x i32> %x, <2 x i32> %x, <2 x i32> <i32 0, i32 3>"),
    ("select", i1, lambda x: x.builder.select(x, value(x.builder, f32, "%y"), 0.0), "select i1 %x, float %y, float 0x0000000000000000"),
    ("load", ptr, lambda x: x.builder.load(f32.x(16), x), "load <16 x float>, ptr %x, align 4"),
    ("aligned load", ptr, lambda x: x.builder.load(i8.x(64), x, 64), "load <64 x i8>, ptr %x, align 64"),
    ("atomic load", ptr, lambda x: x.builder.atomic_load(i32, x), "load atomic i32, ptr %x acquire, align 4"),
    ("atomic add", ptr, lambda x: x.builder.atomic_add(x, value(x.builder, i32, "1")), "atomicrmw add ptr %x, i32 1 seq_cst, align 4"),
    ("intrinsic", f32.x(8), lambda x: x.builder.unary("roundeven", x), "call <8 x float> @llvm.roundeven.v8f32(<8 x float> %x)"),
    ("two operands", i64, lambda x: x.builder.binary("smax", x, 7), "call i64 @llvm.smax.i64(i64 %x, i64 7)"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "act", "text"), [o[1:] for o in OPERATORS], ids=[o[0] for o in OPERATORS])
def test_every_operator_prints(kind: Type, act: Callable[[Value], Value], text: str) -> None:
    assert printed(lambda b: act(value(b, kind))) == [f"%v0 = {text}"]


def test_neutral_integers_print_nothing() -> None:
    assert printed(lambda b: (value(b, i64) + 0) * 1) == []
    assert printed(lambda b: value(b, ptr) + 0) == []
    assert printed(lambda b: b.sext(value(b, i32), i32)) == []
    assert printed(lambda b: value(b, f32) + 0.0) == ["%v0 = fadd float %x, 0x0000000000000000"]  # −0 + 0 is not −0


def test_offsets_by_narrow_integers_keep_their_sign() -> None:
    assert printed(lambda b: value(b, ptr) + value(b, i32, "%y"))[0] == "%v0 = sext i32 %y to i64"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda b: value(b, i32) + value(b, i64), "operands differ"),
        (lambda b: value(b, f32) & 1, "no such operation"),
        (lambda b: value(b, i32) / 2, "no such operation"),
        (lambda b: value(b, f32) << 1, "no such operation"),
    ],
)
def test_mixed_types_are_refused(act: Callable[[Builder], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        act(Builder(Module()))


def test_golden_loop() -> None:
    module = Module()
    b = Builder(module)
    with b.function("sum", [("x", ptr), ("n", i64), ("out", ptr)]) as (x, n, out):
        total = b.var(b.const(f32, 0.0))
        for i in b.range(0, n):
            total.value = total.value + b.load(f32, x + i * 4)
        b.store(total.value, out)
    assert str(module) == "\n" + textwrap.dedent("""\
        define  void @sum(ptr %x, i64 %n, ptr %out) nounwind {
        entry:
          %c0 = alloca float
          %c1 = alloca i64
          br label %start
        start:
          store float 0x0000000000000000, ptr %c0, align 4
          store i64 0, ptr %c1, align 8
          br label %head3
        head3:
          %v5 = load i64, ptr %c1, align 8
          %v6 = icmp slt i64 %v5, %n
          br i1 %v6, label %body4, label %done5
        body4:
          %v7 = load float, ptr %c0, align 4
          %v8 = mul i64 %v5, 4
          %v9 = getelementptr i8, ptr %x, i64 %v8
          %v10 = load float, ptr %v9, align 4
          %v11 = fadd float %v7, %v10
          store float %v11, ptr %c0, align 4
          %v12 = add i64 %v5, 1
          store i64 %v12, ptr %c1, align 8
          br label %head3
        done5:
          %v13 = load float, ptr %c0, align 4
          store float %v13, ptr %out, align 4
          ret void
        }
        """)


def test_golden_branches_and_helpers() -> None:
    module = Module()
    b = Builder(module)
    with b.function("f", [("x", ptr)]) as (x,):
        n = b.load(i32, x)
        with b.when(n > 0):
            b.store(b.helper("twice", [i32], i32, lambda b, v: v + v, n), x)
        b.either(n.eq(7), lambda: b.do("fence seq_cst"), lambda: None)
        with b.loop() as leave_if:
            leave_if(b.load(i32, x).eq(0))
            b.store(b.helper("twice", [i32], i32, lambda b, v: v + v, n), x)
    text = str(module)
    assert text.count("define internal i32 @twice(i32 %a0)") == 1
    assert text.count("call i32 @twice(i32 %v0)") == 2
    assert "br i1 %v1, label %then3, label %done4" in text
    compiler.assembly(text, LOWEST)  # LLVM accepts it


@pytest.mark.parametrize("tier", RUNNABLE)
def test_the_printed_code_does_what_the_operators_say(tier: str) -> None:
    """Signed division, remainder and both shifts, lane numbers, splats, shuffles: against NumPy."""
    native = Native(tier, {
        "div": Elementwise((i32, i32), i32, lambda b, x, y: x // y),
        "mod": Elementwise((i32, i32), i32, lambda b, x, y: x % y),
        "lshr": Elementwise((i32,), i32, lambda b, x: x >> 5),
        "ashr": Elementwise((i32,), i32, lambda b, x: b.ashr(x, 5)),
        "lanes": Elementwise((i32,), i32, lambda b, x: x + b.lane_numbers(i32.x(16))),
        "swap": Elementwise((i32,), i32, lambda b, x: b.shuffle(*reversed(b.halves(x)), range(16))),
        "first": Elementwise((f32,), f32, lambda b, x: b.splat(b.extract(x, 0), 16)),
    })  # fmt: skip
    rng = np.random.default_rng(1)
    x = rng.integers(-(2**31), 2**31, 64, dtype=np.int32)
    y = rng.integers(1, 1000, 64, dtype=np.int32) * rng.choice(np.array([-1, 1], np.int32), 64)
    assert (native("div", np.int32, x, y) == np.trunc(x / y)).all()
    assert (native("mod", np.int32, x, y) == np.fmod(x, y)).all()
    assert (native("lshr", np.int32, x).view(np.uint32) == x.view(np.uint32) >> 5).all()
    assert (native("ashr", np.int32, x) == x >> 5).all()
    assert (native("lanes", np.int32, x) == x + np.arange(64) % 16).all()
    assert (native("swap", np.int32, x) == x.reshape(-1, 2, 8)[:, ::-1].reshape(-1)).all()
    z = rng.standard_normal(64).astype(np.float32)
    assert (native("first", np.float32, z) == z.reshape(-1, 16)[:, :1].repeat(16, 1).reshape(-1)).all()


def test_loops_step_and_stop() -> None:
    module = Module()
    b = Builder(module, LOWEST)
    with b.function("count", [("begin", i64), ("stop", i64), ("out", ptr)]) as (start, stop, out):
        for i in b.range(start, stop, 3):
            b.store(b.load(i64, out) + i, out)
    library = compiler.load({"count": str(module)}, LOWEST)
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)(library.address["count"])
    for start, stop in [(0, 0), (0, 1), (0, 10), (-7, 5), (5, -7)]:
        out = ctypes.c_int64(0)
        call(start, stop, ctypes.addressof(out))
        assert out.value == sum(range(start, stop, 3))
