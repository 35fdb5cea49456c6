"""Every kernel by name, for people who want to read one.

Knows which kernels exist; those that depend on a model's shape are shown for one with 9 heads, 3 KV heads and 64 dims. Knows nothing of tapes.
"""

from __future__ import annotations

from tokenloom.errors import RequestError
from tokenloom.jit import compiler
from tokenloom.jit.cpu import TIERS, Tier, choose
from tokenloom.kernels.args import Kernel
from tokenloom.kernels.attention import attention_merge, attention_run, attention_split
from tokenloom.kernels.embedding import embed
from tokenloom.kernels.kv_page import STORED, KVShape
from tokenloom.kernels.matmul import matmul
from tokenloom.kernels.quantization import QUANTIZE, QUANTIZE_K
from tokenloom.kernels.rope import ROPE_TABLE, rope_kv
from tokenloom.kernels.rows import FINITE, RMS_NORM
from tokenloom.kernels.sampling import SAMPLE
from tokenloom.kernels.shift import shift_kv
from tokenloom.kernels.tiles import BLOCK_TILES, FLOAT_TILES, SUPER_TILES

_HEADS, _KV_HEADS, _HEAD_DIM = 9, 3, 64


def kernels(tier: Tier) -> dict[str, Kernel]:
    """All kernels that `tier` has, by name."""
    found = [QUANTIZE, QUANTIZE_K, RMS_NORM, FINITE, ROPE_TABLE, SAMPLE]
    for qtype in (*BLOCK_TILES, *FLOAT_TILES, *SUPER_TILES):
        found += [matmul(qtype, many=False), matmul(qtype, many=True), embed(qtype)]
    for stored in STORED.values():
        shape = KVShape(_KV_HEADS, _HEAD_DIM, stored)
        found += [
            rope_kv(shape, _HEADS, _HEAD_DIM), attention_split(shape, _HEADS, tier),
            attention_merge(shape, _HEADS), attention_run(shape, _HEADS, tier), shift_kv(shape, _HEAD_DIM),
        ]  # fmt: skip
    return {kernel.name: kernel for kernel in found}


def kernel_names() -> list[str]:
    """The names `asm` and `ir` take."""
    return sorted(kernels(TIERS["generic"]))


def _find(name: str, tier: str | None) -> tuple[Kernel, Tier]:
    # any tier can be read, whether or not this CPU runs it
    chosen = TIERS[tier] if tier is not None and tier in TIERS else choose(tier)
    found = kernels(chosen)
    if name not in found:
        raise RequestError(f"no kernel is called {name!r}; kernels are {', '.join(sorted(found))}")
    return found[name], chosen


def asm(name: str, tier: str | None = None) -> str:
    """The assembly of a kernel. Raises RequestError, TierError."""
    kernel, chosen = _find(name, tier)
    return compiler.assembly(kernel.ir(chosen), chosen)


def ir(name: str, tier: str | None = None) -> str:
    """The LLVM IR of a kernel as the kernel language prints it. Raises RequestError, TierError."""
    kernel, chosen = _find(name, tier)
    return kernel.ir(chosen)
