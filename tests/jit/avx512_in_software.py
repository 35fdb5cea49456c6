"""The IR of the AVX-512 tiers run without AVX-512: their three target intrinsics replaced by portable definitions.

Knows what vpmaddubsw, vpmaddwd and vpdpbusd compute (Intel SDM 2; LLVM IntrinsicsX86.td). Knows no kernels.

What this proves, and what not: the *IR* of those tiers computes the right bits (lane order, offsets, corrections,
register shapes). LLVM's lowering of it to AVX-512 instructions is proved only where a CPU has them; until then it is
checked by disassembly alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
_DPBUSD = "\n".join(
    [
        "define internal <16 x i32> @software.vpdpbusd.512(<16 x i32> %acc, <64 x i8> %a, <64 x i8> %b) noinline {",
        "  %wa = zext <64 x i8> %a to <64 x i32>",
        "  %wb = sext <64 x i8> %b to <64 x i32>",
        "  %m = mul <64 x i32> %wa, %wb",
        "  %s0 = add <16 x i32> %acc, zeroinitializer",
        *(
            f"  %p{i} = shufflevector <64 x i32> %m, <64 x i32> poison, {_mask(16, i, 4)}\n"
            f"  %s{i + 1} = add <16 x i32> %s{i}, %p{i}"
            for i in range(4)
        ),
        "  ret <16 x i32> %s4",
        "}",
    ]
)
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
_DEFINITIONS = {"pmaddubs.w.512": _PMADDUBS, "pmaddw.d.512": _PMADDWD, "vpdpbusd.512": _DPBUSD, "pshuf.b.512": _PSHUFB}


def in_software(ir: str) -> str:
    """The same module without AVX-512 intrinsics. An intrinsic with no definition here is an error, not a guess."""
    used = set(re.findall(r"@llvm\.x86\.avx512\.([\w.]+)\(", ir))
    if unknown := used - set(_DEFINITIONS):
        raise AssertionError(f"no portable definition of llvm.x86.avx512.{', '.join(sorted(unknown))}: write one")
    kept = "\n".join(
        line for line in ir.splitlines() if not line.startswith("declare") or "@llvm.x86.avx512." not in line
    )
    return kept.replace("@llvm.x86.avx512.", "@software.") + "\n" + "\n".join(_DEFINITIONS[u] for u in sorted(used))


@dataclass(frozen=True)
class Target:
    """A way to run a tier's IR: on the CPU itself, or, for the AVX-512 tiers, in software on AVX2."""

    name: str
    written_for: Tier
    compiled_for: Tier
    software: bool = False

    def __str__(self) -> str:
        return self.name

    def load(self, modules: Mapping[str, str], extra: Sequence[str] = ()) -> compiler.Library:
        """`compiler.load`; `extra` are further entry points of the first module."""
        rewrite = in_software if self.software else str
        objects = []
        for number, (name, ir) in enumerate(modules.items()):
            names = [name, *(extra if number == 0 else ())]
            objects.append((compiler.object_code(rewrite(ir), self.compiled_for), names))
        return compiler.Library(objects, self.compiled_for)


def _targets() -> list[Target]:
    found = [Target(t.name, t, t) for t in TIERS.values() if not missing(t)]
    if not missing(_SOFTWARE_NEEDS):
        # the feature string is the key to the cache and to LLVM: AVX2's, whatever the IR was written for
        run = replace(_SOFTWARE_NEEDS, name="avx512 in software")
        found += [Target(f"{n} in software", TIERS[n], run, True) for n in ("avx512", "avx512vnni")]
    return found


TARGETS = _targets()
