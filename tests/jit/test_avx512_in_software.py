"""The stand-ins for AVX-512 instructions: against their AVX2 namesakes on the CPU, and against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.jit.avx512_in_software import in_software

from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, missing
from tokenloom.jit.ir import Builder, Module, Type, i8, i16, i32, i64, ptr

AVX2 = TIERS["avx2"]
pytestmark = pytest.mark.skipif(
    bool(missing(AVX2)), reason="hardware: no AVX2 here, so the AVX-512 tiers' IR is not run in software"
)
I8 = NDArray[np.int8]


def run(name: str, kinds: tuple[Type, ...], result: Type, *arrays: NDArray[np.generic]) -> NDArray[np.generic]:
    """An intrinsic over arrays [n, lanes], in software where it is AVX-512's."""
    module = Module()
    b = Builder(module, AVX2)
    labels = [f"in{i}" for i in range(len(kinds))]
    with b.function("f", [*((label, ptr) for label in labels), ("out", ptr), ("n", i64)]) as (*ins, out, n):
        for i in b.range(0, n):
            loaded = [b.load(k, a + i * k.nbytes) for k, a in zip(kinds, ins, strict=True)]
            b.store(b.call(name, result, *loaded), out + i * result.nbytes)
    library = compiler.load({"f": in_software(str(module))}, AVX2)
    answer = np.zeros((arrays[0].shape[0], result.lanes), {16: np.int16, 32: np.int32}[result.bits])
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(arrays) + 1), ctypes.c_int64)
    call(library.address["f"])(*[a.ctypes.data for a in arrays], answer.ctypes.data, arrays[0].shape[0])
    return answer


def codes(seed: int, n: int) -> tuple[I8, I8]:
    rng = np.random.default_rng(seed)
    a, b = (rng.integers(-128, 128, (n, 64)).astype(np.int8) for _ in range(2))
    a[::3], b[::5] = rng.choice(np.int8([-1, -128, 127]), (64,)), rng.choice(np.int8([-128, 127]), (64,))
    return a, b


def test_pmaddubs_is_twice_its_avx2_namesake() -> None:
    a, b = codes(0, 3000)
    wide = run("llvm.x86.avx512.pmaddubs.w.512", (i8.x(64),) * 2, i16.x(32), a, b)
    narrow = run("llvm.x86.avx2.pmadd.ub.sw", (i8.x(32),) * 2, i16.x(16), a, b)  # each row's first half, in effect
    whole = run("llvm.x86.avx2.pmadd.ub.sw", (i8.x(32),) * 2, i16.x(16), a.reshape(-1, 32), b.reshape(-1, 32))
    assert (wide.reshape(-1, 16) == whole).all()
    assert (narrow[:2] == whole[:2]).all()
    assert wide.max() == 32767  # it saturates, as the instruction does


def test_pmaddwd_is_twice_its_avx2_namesake() -> None:
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-(2**15), 2**15, (3000, 32)).astype(np.int16) for _ in range(2))
    a[0], b[0] = -(2**15), -(2**15)  # the one case that wraps
    wide = run("llvm.x86.avx512.pmaddw.d.512", (i16.x(32),) * 2, i32.x(16), a, b)
    narrow = run("llvm.x86.avx2.pmadd.wd", (i16.x(16),) * 2, i32.x(8), a.reshape(-1, 16), b.reshape(-1, 16))
    assert (wide.reshape(-1, 8) == narrow).all()


def test_vpdpbusd_is_its_definition() -> None:
    """Unsigned times signed, four neighbours into an int32 that wraps (Intel SDM 2C)."""
    a, b = codes(2, 3000)
    acc = np.random.default_rng(3).integers(-(2**31), 2**31, (3000, 16)).astype(np.int32)
    got = run("llvm.x86.avx512.vpdpbusd.512", (i32.x(16), i8.x(64), i8.x(64)), i32.x(16), acc, a, b)
    products = a.view(np.uint8).astype(np.int64) * b.astype(np.int64)
    want = acc.astype(np.int64) + products.reshape(3000, 16, 4).sum(-1)
    assert (got == want.astype(np.int32)).all()


def test_an_intrinsic_without_a_definition_is_an_error() -> None:
    with pytest.raises(AssertionError, match="no portable definition"):
        in_software("declare <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32>)")
