"""Small functions of the kernel language compiled and called, and a reader of the objects that LLVM makes.

Knows ctypes, ELF's symbol table and how x86-64 and arm64 make a frame. Knows no kernels.
"""

from __future__ import annotations

import ctypes
import functools
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, Tier, missing
from tokenloom.jit.ir import Builder, Module, Type, Value, i64, ptr

RUNNABLE = [t.name for t in TIERS.values() if not missing(t)]
LANES = 16


@dataclass(frozen=True)
class Elementwise:
    """out[i] = body(ins[i]...), 16 lanes at a time."""

    ins: tuple[Type, ...]
    out: Type
    body: Callable[..., Value]


def module_of(tier: Tier, functions: Mapping[str, Elementwise]) -> str:
    module = Module()
    for name, f in functions.items():
        b = Builder(module, tier)
        labels = [f"in{i}" for i in range(len(f.ins))]
        with b.function(name, [*((label, ptr) for label in labels), ("out", ptr), ("n", i64)]) as (*ins, out, n):
            for i in b.range(0, n, LANES):
                loaded = [b.load(k.x(LANES), a + i * k.nbytes) for k, a in zip(f.ins, ins, strict=True)]
                b.store(f.body(b, *loaded), out + i * f.out.nbytes)
    return str(module)


class Native:
    """Elementwise functions loaded for one tier; `native("name", arrays..., dtype)` calls one."""

    def __init__(self, tier: str, functions: Mapping[str, Elementwise]) -> None:
        code = compiler.object_code(module_of(TIERS[tier], functions), TIERS[tier])
        self.library = compiler.Library([(code, list(functions))], TIERS[tier])

    def __call__(self, name: str, dtype: Any, *arrays: NDArray[Any]) -> NDArray[Any]:
        n = arrays[0].size
        padded = [np.concatenate([a.reshape(-1), np.zeros(-n % LANES, a.dtype)]) for a in arrays]
        out = np.zeros(n + -n % LANES, dtype)
        call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(padded) + 1), ctypes.c_int64)
        call(self.library.address[name])(*[a.ctypes.data for a in padded], out.ctypes.data, out.size)
        return out[:n].reshape(arrays[0].shape)


def bits(x: NDArray[Any]) -> NDArray[Any]:
    """The raw bits of floats, every NaN as one and the same."""
    kind = {2: np.uint16, 4: np.uint32, 8: np.uint64}[x.dtype.itemsize]
    raw = np.ascontiguousarray(x).view(kind)
    return np.where(np.isnan(x), kind(0xFFFF), raw) if x.dtype.kind == "f" else raw


# ---- objects ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int


class Elf:
    """A 64-bit little-endian relocatable object."""

    def __init__(self, data: bytes) -> None:
        assert data[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF object"
        self.data = data
        self.machine = struct.unpack_from("<H", data, 18)[0]  # 62: x86-64, 183: arm64
        (table,) = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        heads = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
        where = heads[names][4]
        self.sections = [Section(self._text(where + h[0]), h[1], h[4], h[5], h[6], h[7]) for h in heads]

    def _text(self, at: int) -> str:
        return self.data[at : self.data.index(b"\0", at)].decode()

    def symbols(self) -> Iterator[tuple[str, int, int, int]]:
        """(name, section number, value, size); section 0 means undefined."""
        for section in self.sections:
            if section.kind == 2:  # SHT_SYMTAB
                names = self.sections[section.link].offset
                for at in range(section.offset + 24, section.offset + section.size, 24):
                    name, _, _, index, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
                    yield self._text(names + name), index, value, size

    def functions(self) -> list[str]:
        """Entry points and the helpers that were not inlined."""
        named = [(name, index) for name, index, _, size in self.symbols() if 0 < index < 0xFF00 and size]
        return [name for name, index in named if self.sections[index].name.startswith(".text")]

    def undefined(self) -> set[str]:
        return {name for name, index, _, _ in self.symbols() if index == 0 and name}

    def code(self, name: str) -> tuple[bytes, list[int]]:
        """A function's bytes, and where in them the linker writes."""
        _, index, value, size = next(s for s in self.symbols() if s[0] == name)
        section = self.sections[index]
        written = [
            struct.unpack_from("<Q", self.data, at)[0] - value
            for s in self.sections
            if s.kind == 4 and s.info == index  # SHT_RELA of that section
            for at in range(s.offset, s.offset + s.size, 24)
        ]
        start = section.offset + value
        return self.data[start : start + size], [w for w in written if 0 <= w < size]


_FIXED = re.compile(rb"\x48\x81\xec(.{4})|\x48\x83\xec(.)", re.DOTALL)  # sub rsp, imm32 and imm8
# sub rsp, register and mov rsp, register (rbp's is an epilogue); not the middle of an EVEX instruction (vpmovb2m: 62 .. .. 48 29 ..)
# nor the operands of a two-byte opcode (movd -44(%r9,%rbp), %xmm1: 0f 6e 4c 29 d4) or of a VEX instruction
# (vpbroadcastd -52(%r9,%r9,4), %ymm1: c4 c2 7d 58 4c 89 cc)
_OF_UNKNOWN_SIZE = re.compile(
    rb"(?<!\x62..)(?<!\x0f.)(?<!\xc4...)(?:[\x48\x4c]\x29[\xc4\xcc\xd4\xdc\xe4\xec\xf4\xfc]|[\x48\x4c]\x89[\xc4\xcc\xd4\xdc\xe4\xf4\xfc])",
    re.DOTALL,
)


def _x86_frame(code: bytes) -> int:
    taken = [int.from_bytes(wide or narrow, "little") for wide, narrow in _FIXED.findall(code)]
    return max(taken, default=0) + (UNKNOWN if _OF_UNKNOWN_SIZE.search(code) else 0)


def _arm_frame(code: bytes) -> int:
    """sub sp, sp, #n (and sub xN, sp, #n before an alignment); sub sp, sp, xN and mov sp, xN but x29's, an epilogue (Arm ARM C6.2)."""
    total, unknown = 0, False
    for (word,) in struct.iter_unpack("<I", code):
        if word & 0xFF8003E0 == 0xD10003E0:
            total += (word >> 10 & 0xFFF) << (12 if word >> 22 & 1 else 0)
        moved = word & 0xFFFFFC1F == 0x9100001F and word >> 5 & 31 not in (29, 31)
        unknown |= moved or word & 0xFFE0001F == 0xCB20001F
    return total + (UNKNOWN if unknown else 0)


UNKNOWN = 1 << 40


def frames(elf: Elf) -> dict[str, int]:
    """Bytes of stack each function takes besides its few pushes; a frame of unknown size counts as infinite."""
    of = {62: _x86_frame, 183: _arm_frame}[elf.machine]
    return {name: of(elf.code(name)[0]) for name in elf.functions()}


_MOVES_SP = re.compile(r"\b(?:sub|mov)q\s+%(?!rbp\b)\w+, %rsp\b")


def largest_frame(ir: str, tier: str) -> int:
    """Of a module's functions. What the bytes only seem to say of an unknown size (they may be operands), the assembly must confirm."""
    size = max(frames(compiled(ir, tier)).values())
    seeming = size >= UNKNOWN and TIERS[tier].arch == "x86_64"
    return size % UNKNOWN if seeming and not _MOVES_SP.search(compiler.assembly(ir, TIERS[tier])) else size


@functools.cache
def compiled(ir: str, tier: str) -> Elf:
    return Elf(compiler.object_code(ir, TIERS[tier]))
