"""What generated code says differently on each processor architecture, below the level of tiers.

Knows the futex system call, the pause in a spin, the clock, the floating-point state and the byte table look-up of x86-64 (Intel SDM 2) and of
arm64 (Arm ARM DDI 0487). Knows nothing of tiers' arithmetic, barriers or threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tokenloom.jit.cpu import Tier
from tokenloom.jit.ir import Builder, Value, i32, i64


@dataclass(frozen=True)
class Arch:
    """One architecture under Linux. Ticks are of a clock that all threads share and that never stands still."""

    futex: int  # the number of the system call
    syscall: str  # assembly and constraints of a system call with four arguments
    pause: str
    ticks: Callable[[Builder], Value]  # now, i64
    ticks_per_second: Callable[[Builder], Value]  # i64
    float_state: Callable[[Builder], Value]  # the control register, i64
    set_float_state: Callable[[Builder, Value], None]
    plain_float_state: int  # round to nearest even, subnormals kept, exceptions masked
    lookup16: Mapping[int, str]  # the intrinsic (table, bytes 0..15) by how many bytes it looks up at once


# x86 does not tell user code how fast its time stamp counter runs; a spin may be off by half
_TIME_STAMP_HZ = 3_000_000_000


def _x86_ticks(b: Builder) -> Value:
    return b.call("llvm.readcyclecounter", i64)


def _x86_ticks_per_second(b: Builder) -> Value:
    return b.const(i64, _TIME_STAMP_HZ)


def _x86_float_state(b: Builder) -> Value:
    cell = b.scratch(4, 4)
    b.do('call void asm sideeffect "stmxcsr $0", "=*m,~{memory}"(ptr elementtype(i32) ' + cell.text + ")")
    return b.zext(b.load(i32, cell), i64)


def _x86_set_float_state(b: Builder, state: Value) -> None:
    cell = b.scratch(4, 4)
    b.store(b.trunc(state, i32), cell)
    b.do('call void asm sideeffect "ldmxcsr $0", "*m,~{memory}"(ptr elementtype(i32) ' + cell.text + ")")


def _arm_register(name: str) -> Callable[[Builder], Value]:
    return lambda b: b.emit(i64, f'call i64 asm sideeffect "mrs $0, {name}", "=r"()')


def _arm_set_float_state(b: Builder, state: Value) -> None:
    b.do(f'call void asm sideeffect "msr fpcr, $0", "r,~{{memory}}"({state!r})')


ARCHES: Mapping[str, Arch] = {
    "x86_64": Arch(
        futex=202,
        syscall='"syscall", "={rax},{rax},{rdi},{rsi},{rdx},{r10},~{rcx},~{r11},~{memory}"',
        pause="pause",
        ticks=_x86_ticks,
        ticks_per_second=_x86_ticks_per_second,
        float_state=_x86_float_state,
        set_float_state=_x86_set_float_state,
        plain_float_state=0x1F80,
        lookup16={16: "llvm.x86.ssse3.pshuf.b.128", 32: "llvm.x86.avx2.pshuf.b", 64: "llvm.x86.avx512.pshuf.b.512"},
    ),
    "aarch64": Arch(
        futex=98,
        syscall='"svc #0", "={x0},{x8},{x0},{x1},{x2},{x3},~{memory}"',
        pause="isb",  # yield does nothing on cores without hardware threads; isb waits some tens of cycles
        # the cycle counter traps outside the kernel; this one counts at 1 GHz since Armv8.6 and at 20 to 100 MHz before
        ticks=_arm_register("cntvct_el0"),
        ticks_per_second=_arm_register("cntfrq_el0"),
        float_state=_arm_register("fpcr"),
        set_float_state=_arm_set_float_state,
        plain_float_state=0,
        lookup16={16: "llvm.aarch64.neon.tbl1.v16i8"},
    ),
}


def arch_of(b: Builder) -> Arch:
    """The architecture of the builder's tier."""
    assert isinstance(b.tier, Tier)
    return ARCHES[b.tier.arch]


def futex(b: Builder, address: Value, operation: int, value: Value) -> None:
    """futex(address, operation, value, no timeout); what it returns does not matter to a caller that looks at the word again."""
    arch = arch_of(b)
    word = b.cast("ptrtoint", address, i64)
    b.emit(
        i64, f"call i64 asm sideeffect {arch.syscall}(i64 {arch.futex}, {word!r}, i64 {operation}, {value!r}, i64 0)"
    )


def pause(b: Builder) -> None:
    """Lets a spinning thread's neighbour on the core run."""
    b.do(f'call void asm sideeffect "{arch_of(b).pause}", "~{{memory}}"()')


def ticks(b: Builder) -> Value:
    """The clock now, i64."""
    return arch_of(b).ticks(b)
