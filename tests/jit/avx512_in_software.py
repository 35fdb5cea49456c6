"""The IR of the AVX-VNNI, AVX-512 and AMX tiers run without those: their target intrinsics replaced by portable definitions.

Knows what vpmaddubsw, vpmaddwd, vpdpbusd and the tile instructions compute (Intel SDM 2; LLVM IntrinsicsX86.td). Knows no kernels.

What this proves, and what not: the *IR* of those tiers computes the right bits (lane order, offsets, corrections,
register shapes). LLVM's lowering of it to AVX-512 instructions is proved only where a CPU has them; until then it is
checked by disassembly alone. The tiles are one module's globals here, so AMX in software is for one thread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import llvmlite.binding as llvm

from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, Tier, missing

_SOFTWARE_NEEDS = TIERS["avx2"]


def _mask(count: int, start: int, step: int) -> str:
    return f"<{count} x i32> <" + ", ".join(f"i32 {start + step * i}" for i in range(count)) + ">"


_PMADDUBS = f"""
define internal <32 x i16> @software.pmaddubs.w.512(<64 x i8> %a, <64 x i8> %b) noinline {{
  %wa = zext <64 x i8> %a to <64 x i32>
  %wb = sext <64 x i8> %b to <64 x i32>
  %m = mul <64 x i32> %wa, %wb
  %even = shufflevector <64 x i32> %m, <64 x i32> poison, {_mask(32, 0, 2)}
  %odd = shufflevector <64 x i32> %m, <64 x i32> poison, {_mask(32, 1, 2)}
  %sum = add <32 x i32> %even, %odd
  %low = call <32 x i32> @llvm.smax.v32i32(<32 x i32> %sum, <32 x i32> splat (i32 -32768))
  %kept = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %low, <32 x i32> splat (i32 32767))
  %r = trunc <32 x i32> %kept to <32 x i16>
  ret <32 x i16> %r
}}
declare <32 x i32> @llvm.smax.v32i32(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.smin.v32i32(<32 x i32>, <32 x i32>)
"""
_PMADDWD = f"""
define internal <16 x i32> @software.pmaddw.d.512(<32 x i16> %a, <32 x i16> %b) noinline {{
  %wa = sext <32 x i16> %a to <32 x i32>
  %wb = sext <32 x i16> %b to <32 x i32>
  %m = mul <32 x i32> %wa, %wb
  %even = shufflevector <32 x i32> %m, <32 x i32> poison, {_mask(16, 0, 2)}
  %odd = shufflevector <32 x i32> %m, <32 x i32> poison, {_mask(16, 1, 2)}
  %r = add <16 x i32> %even, %odd
  ret <16 x i32> %r
}}
"""


def _dpbusd(lanes: int) -> str:
    i32s, i8s, wide = f"<{lanes} x i32>", f"<{4 * lanes} x i8>", f"<{4 * lanes} x i32>"
    return "\n".join(
        [
            f"define internal {i32s} @software.vpdpbusd.{32 * lanes}({i32s} %acc, {i8s} %a, {i8s} %b) noinline {{",
            f"  %wa = zext {i8s} %a to {wide}",
            f"  %wb = sext {i8s} %b to {wide}",
            f"  %m = mul {wide} %wa, %wb",
            f"  %s0 = add {i32s} %acc, zeroinitializer",
            *(
                f"  %p{i} = shufflevector {wide} %m, {wide} poison, {_mask(lanes, i, 4)}\n"
                f"  %s{i + 1} = add {i32s} %s{i}, %p{i}"
                for i in range(4)
            ),
            f"  ret {i32s} %s4",
            "}",
        ]
    )


_TILE_STATE = """
@software.config = internal global [64 x i8] zeroinitializer
@software.tiles = internal global [8 x [1024 x i8]] zeroinitializer
define internal ptr @software.tile(i8 %t) noinline {
  %n = zext i8 %t to i64
  %p = getelementptr [1024 x i8], ptr @software.tiles, i64 %n
  ret ptr %p
}
define internal i64 @software.rows(i8 %t) noinline {
  %n = zext i8 %t to i64
  %at = add i64 %n, 48
  %p = getelementptr i8, ptr @software.config, i64 %at
  %v = load i8, ptr %p
  %r = zext i8 %v to i64
  ret i64 %r
}
define internal i64 @software.columns(i8 %t) noinline {
  %n = zext i8 %t to i64
  %twice = mul i64 %n, 2
  %at = add i64 %twice, 16
  %p = getelementptr i8, ptr @software.config, i64 %at
  %v = load i16, ptr %p, align 1
  %r = zext i16 %v to i64
  ret i64 %r
}
"""


def _copy_rows(name: str, into_tile: bool) -> str:
    """tileloadd or tilestored: configured rows of configured length between memory and a tile's rows of 64 bytes."""
    target, source = ("%row", "%from") if into_tile else ("%from", "%row")
    return f"""
define internal void @software.{name}(i8 %t, ptr %base, i64 %stride) noinline {{
entry:
  %tile = call ptr @software.tile(i8 %t)
  %rows = call i64 @software.rows(i8 %t)
  %bytes = call i64 @software.columns(i8 %t)
  br label %head
head:
  %i = phi i64 [0, %entry], [%next, %body]
  %more = icmp ult i64 %i, %rows
  br i1 %more, label %body, label %done
body:
  %away = mul i64 %i, %stride
  %from = getelementptr i8, ptr %base, i64 %away
  %inside = mul i64 %i, 64
  %row = getelementptr i8, ptr %tile, i64 %inside
  call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 %bytes, i1 false)
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}}
"""


_MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
_TDPBSSD = """
define internal void @software.tdpbssd(i8 %c, i8 %a, i8 %b) noinline {
entry:
  %tc = call ptr @software.tile(i8 %c)
  %ta = call ptr @software.tile(i8 %a)
  %tb = call ptr @software.tile(i8 %b)
  %m = call i64 @software.rows(i8 %c)
  %bytes = call i64 @software.columns(i8 %c)
  %n = lshr i64 %bytes, 2
  %k = call i64 @software.columns(i8 %a)
  br label %rows
rows:
  %i = phi i64 [0, %entry], [%i1, %rowdone]
  %morei = icmp ult i64 %i, %m
  br i1 %morei, label %cols, label %done
cols:
  %j = phi i64 [0, %rows], [%j1, %coldone]
  %morej = icmp ult i64 %j, %n
  br i1 %morej, label %start, label %rowdone
start:
  %ci = mul i64 %i, 16
  %cij = add i64 %ci, %j
  %pc = getelementptr i32, ptr %tc, i64 %cij
  %old = load i32, ptr %pc
  br label %inner
inner:
  %kk = phi i64 [0, %start], [%k1, %more]
  %sum = phi i32 [%old, %start], [%new, %more]
  %in = icmp ult i64 %kk, %k
  br i1 %in, label %more, label %coldone
more:
  %ai = mul i64 %i, 64
  %aik = add i64 %ai, %kk
  %pa = getelementptr i8, ptr %ta, i64 %aik
  %quad = lshr i64 %kk, 2
  %within = and i64 %kk, 3
  %bq = mul i64 %quad, 64
  %bj = mul i64 %j, 4
  %bqj = add i64 %bq, %bj
  %at = add i64 %bqj, %within
  %pb = getelementptr i8, ptr %tb, i64 %at
  %va = load i8, ptr %pa
  %vb = load i8, ptr %pb
  %wa = sext i8 %va to i32
  %wb = sext i8 %vb to i32
  %product = mul i32 %wa, %wb
  %new = add i32 %sum, %product
  %k1 = add i64 %kk, 1
  br label %inner
coldone:
  store i32 %sum, ptr %pc
  %j1 = add i64 %j, 1
  br label %cols
rowdone:
  %i1 = add i64 %i, 1
  br label %rows
done:
  ret void
}
"""
_TDPBSUD = _TDPBSSD.replace("tdpbssd", "tdpbsud").replace("%wb = sext", "%wb = zext")
# the order and the roundings of the sums are not the instruction's, which no test relies on
_DPBF16PS = f"""
define internal <16 x float> @software.dpbf16ps.512(<16 x float> %acc, <32 x bfloat> %a, <32 x bfloat> %b) alwaysinline {{
  %wa = fpext <32 x bfloat> %a to <32 x float>
  %wb = fpext <32 x bfloat> %b to <32 x float>
  %m = fmul <32 x float> %wa, %wb
  %even = shufflevector <32 x float> %m, <32 x float> poison, {_mask(16, 0, 2)}
  %odd = shufflevector <32 x float> %m, <32 x float> poison, {_mask(16, 1, 2)}
  %s = fadd <16 x float> %acc, %odd
  %r = fadd <16 x float> %s, %even
  ret <16 x float> %r
}}
"""
_CVTNE2PS2BF16 = """
define internal <32 x bfloat> @software.cvtne2ps2bf16.512(<16 x float> %upper, <16 x float> %lower) noinline {
  %both = shufflevector <16 x float> %lower, <16 x float> %upper, ORDER
  %bits = bitcast <32 x float> %both to <32 x i32>
  %shifted = lshr <32 x i32> %bits, splat (i32 16)
  %odd = and <32 x i32> %shifted, splat (i32 1)
  %half = add <32 x i32> %odd, splat (i32 32767)
  %sum = add <32 x i32> %bits, %half
  %top = lshr <32 x i32> %sum, splat (i32 16)
  %words = trunc <32 x i32> %top to <32 x i16>
  %r = bitcast <32 x i16> %words to <32 x bfloat>
  ret <32 x bfloat> %r
}
""".replace("ORDER", _mask(32, 0, 1))
_TDPBF16PS = """
define internal void @software.tdpbf16ps(i8 %c, i8 %a, i8 %b) noinline {
entry:
  %tc = call ptr @software.tile(i8 %c)
  %ta = call ptr @software.tile(i8 %a)
  %tb = call ptr @software.tile(i8 %b)
  %m = call i64 @software.rows(i8 %c)
  %bytes = call i64 @software.columns(i8 %a)
  %pairs = lshr i64 %bytes, 2
  br label %rows
rows:
  %i = phi i64 [0, %entry], [%i1, %rowdone]
  %more = icmp ult i64 %i, %m
  br i1 %more, label %start, label %done
start:
  %at = mul i64 %i, 64
  %pc = getelementptr i8, ptr %tc, i64 %at
  %pa = getelementptr i8, ptr %ta, i64 %at
  %old = load <16 x float>, ptr %pc
  br label %inner
inner:
  %k = phi i64 [0, %start], [%k1, %body]
  %sum = phi <16 x float> [%old, %start], [%new, %body]
  %in = icmp ult i64 %k, %pairs
  br i1 %in, label %body, label %rowdone
body:
  %x = getelementptr i32, ptr %pa, i64 %k
  %pair = load i32, ptr %x
  %one = insertelement <16 x i32> poison, i32 %pair, i32 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %xs = bitcast <16 x i32> %all to <32 x bfloat>
  %line = mul i64 %k, 64
  %w = getelementptr i8, ptr %tb, i64 %line
  %wi = load <16 x i32>, ptr %w
  %ws = bitcast <16 x i32> %wi to <32 x bfloat>
  %new = call <16 x float> @software.dpbf16ps.512(<16 x float> %sum, <32 x bfloat> %xs, <32 x bfloat> %ws)
  %k1 = add i64 %k, 1
  br label %inner
rowdone:
  store <16 x float> %sum, ptr %pc
  %i1 = add i64 %i, 1
  br label %rows
done:
  ret void
}
"""
_CONFIGURE = """
define internal void @software.ldtilecfg(ptr %p) noinline {
  call void @llvm.memcpy.p0.p0.i64(ptr @software.config, ptr %p, i64 64, i1 false)
  call void @llvm.memset.p0.i64(ptr @software.tiles, i8 0, i64 8192, i1 false)
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
_RELEASE = """
define internal void @software.tilerelease() noinline {
  call void @llvm.memset.p0.i64(ptr @software.config, i8 0, i64 64, i1 false)
  ret void
}
"""
_ZERO = """
define internal void @software.tilezero(i8 %t) noinline {
  %tile = call ptr @software.tile(i8 %t)
  call void @llvm.memset.p0.i64(ptr %tile, i8 0, i64 1024, i1 false)
  ret void
}
"""
_AMX = {
    "ldtilecfg": _TILE_STATE + _MEMCPY + _CONFIGURE,
    "tilerelease": _RELEASE,
    "tilezero": _ZERO,
    "tileloadd64": _copy_rows("tileloadd64", True),
    "tilestored64": _copy_rows("tilestored64", False),
    "tdpbssd": _TDPBSSD,
    "tdpbsud": _TDPBSUD,
    "tdpbf16ps": _TDPBF16PS,
}
_PSHUFB = f"""
define internal <64 x i8> @software.pshuf.b.512(<64 x i8> %a, <64 x i8> %b) noinline {{
  %a0 = shufflevector <64 x i8> %a, <64 x i8> poison, {_mask(32, 0, 1)}
  %a1 = shufflevector <64 x i8> %a, <64 x i8> poison, {_mask(32, 32, 1)}
  %b0 = shufflevector <64 x i8> %b, <64 x i8> poison, {_mask(32, 0, 1)}
  %b1 = shufflevector <64 x i8> %b, <64 x i8> poison, {_mask(32, 32, 1)}
  %r0 = call <32 x i8> @llvm.x86.avx2.pshuf.b(<32 x i8> %a0, <32 x i8> %b0)
  %r1 = call <32 x i8> @llvm.x86.avx2.pshuf.b(<32 x i8> %a1, <32 x i8> %b1)
  %r = shufflevector <32 x i8> %r0, <32 x i8> %r1, {_mask(64, 0, 1)}
  ret <64 x i8> %r
}}
declare <32 x i8> @llvm.x86.avx2.pshuf.b(<32 x i8>, <32 x i8>)
"""
_DEFINITIONS = {
    "pmaddubs.w.512": _PMADDUBS,
    "pmaddw.d.512": _PMADDWD,
    "vpdpbusd.512": _dpbusd(16),
    "vpdpbusd.256": _dpbusd(8),
    "pshuf.b.512": _PSHUFB,
    "dpbf16ps.512": _DPBF16PS,
    "cvtne2ps2bf16.512": _CVTNE2PS2BF16,
    **_AMX,
}


# of AVX-512, and of AMX: those without a family in their names
_INTRINSIC = re.compile(
    r"@llvm\.x86\.(?:avx512(?:bf16)?\.)?((?:(?<=avx512\.)[\w.]+)|(?:(?<=bf16\.)[\w.]+)|(?:ldtilecfg|t(?:ile|dp)\w+))\("
)


def in_software(ir: str) -> str:
    """The same module without what AVX2 has not. An intrinsic with no definition here is an error, not a guess."""
    used = set(_INTRINSIC.findall(ir))
    if unknown := used - set(_DEFINITIONS):
        raise AssertionError(f"no portable definition of {', '.join(sorted(unknown))}: write one")
    kept = "\n".join(line for line in ir.splitlines() if not (line.startswith("declare") and _INTRINSIC.search(line)))
    return _INTRINSIC.sub(r"@software.\1(", kept) + "\n" + "\n".join(_DEFINITIONS[u] for u in sorted(used))


def as_written(ir: str, tier: Tier) -> bytes:
    """Machine code of the module in software without LLVM's optimizations, which take most of the time; the comment keeps the cache's entry apart.

    That an optimized module in software gives the same bits is seen in whole models (tests/kernels/test_whole_models.py).
    """

    def parsed(ir: str, tier: Tier, machine: Any) -> Any:
        module = llvm.parse_assembly(f'target triple = "{tier.arch}-unknown-linux-gnu"\n{ir}')
        module.verify()
        return module

    with patch.object(compiler, "_optimized", parsed):
        return compiler.object_code(f"; as written\n{in_software(ir)}", tier)


@dataclass(frozen=True)
class Target:
    """A way to run a tier's IR: on the CPU itself, or, for tiers above it, in software on AVX2."""

    name: str
    written_for: Tier
    compiled_for: Tier
    software: bool = False
    products_only: bool = False  # in all else its IR is that of another target in software, or of one this CPU runs

    def __str__(self) -> str:
        return self.name

    def load(self, modules: Mapping[str, str], extra: Sequence[str] = ()) -> compiler.Library:
        """`compiler.load`; `extra` are further entry points of the first module."""
        build = as_written if self.software else compiler.object_code
        objects = []
        for number, (name, ir) in enumerate(modules.items()):
            names = [name, *(extra if number == 0 else ())]
            objects.append((build(ir, self.compiled_for), names))
        return compiler.Library(objects, self.compiled_for)


def _targets() -> list[Target]:
    found = [Target(t.name, t, t) for t in TIERS.values() if not missing(t)]
    if not missing(_SOFTWARE_NEEDS):
        # the feature string is the key to the cache and to LLVM: AVX2's, whatever the IR was written for
        run = replace(_SOFTWARE_NEEDS, name="in software")
        for tier in (TIERS[n] for n in ("avxvnni", "avx512", "avx512vnni", "amx")):
            if missing(tier):
                same = any(t.written_for.lanes == tier.lanes for t in found)
                found.append(Target(f"{tier.name} in software", tier, run, True, same))
    return found


TARGETS = _targets()
