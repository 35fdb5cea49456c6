"""Keys and values laid out in pages, several sequences in one pool. Written from the layout's description; knows no kernel.

A page holds 16 slots of all KV heads: K as [head][head_dim][16], then V as [head][16][head_dim]. An 8-bit cache has a head's scales behind its codes,
f16 [window][16], a window being 32 dims.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.kernels.rig import F32, Memory, Rows

from tokenloom.jit.ir import Type, f16, f32, i8
from tokenloom.kernels.kv_page import KVShape
from tokenloom.reference.attention import quantize_kv
from tokenloom.reference.floats import round_f16

SLOTS = 16


class Pool:
    """`pages` pages of a layer; `tables[run]` are page numbers, scattered. Slots nobody wrote hold finite rubbish."""

    def __init__(self, kv_heads: int, head_dim: int, stored: Type, lengths: list[int], seed: int = 0) -> None:
        self.shape = KVShape(kv_heads, head_dim, stored)
        self.dtype = {f16: np.float16, f32: np.float32, i8: np.int8}[stored]
        self.windows = -(-head_dim // 32) if stored == i8 else 0
        needed = [-(-n // SLOTS) for n in lengths]
        rng = np.random.default_rng(seed)
        order = rng.permutation(sum(needed) + 3).tolist()
        self.tables = [[order.pop() for _ in range(n)] for n in needed]
        codes, scales = SLOTS * head_dim * np.dtype(self.dtype).itemsize, SLOTS * self.windows * 2
        self.memory = Memory((sum(needed) + 3) * 2 * kv_heads * (codes + scales))
        self.pages: NDArray[Any] = self.memory.bytes.reshape(-1, 2, kv_heads, codes + scales)
        self.values, self.scales = self.pages[..., :codes].view(self.dtype), self.pages[..., codes:].view(np.float16)
        for rubbish in (self.values, self.scales):
            rubbish[:] = (rng.standard_normal(rubbish.shape) * 50).astype(rubbish.dtype)

    @property
    def address(self) -> int:
        return self.memory.address

    def key_page(self, page: int) -> NDArray[Any]:
        """[head, dim, slot]"""
        return self.values[page, 0].reshape(self.shape.kv_heads, self.shape.head_dim, SLOTS)

    def value_page(self, page: int) -> NDArray[Any]:
        """[head, slot, dim]"""
        return self.values[page, 1].reshape(self.shape.kv_heads, SLOTS, self.shape.head_dim)

    def put(self, run: int, slot: int, k: F32, v: F32) -> None:
        """k, v [kv_heads, head_dim] into one slot, rounded as the cache rounds."""
        page, inside = self.tables[run][slot // SLOTS], slot % SLOTS
        for part, x, values in ((0, k, self.key_page(page)[:, :, inside]), (1, v, self.value_page(page)[:, inside])):
            if self.windows:
                values[:], scales = quantize_kv(x)
                self.scale_page(page, part)[:, :, inside] = scales.view(np.float16)
            else:
                values[:] = round_f16(x).view(np.float16) if self.dtype is np.float16 else x

    def scale_page(self, page: int, part: int) -> NDArray[Any]:
        """[head, window, slot] of keys (part 0) or values (1)"""
        return self.scales[page, part].reshape(self.shape.kv_heads, self.windows, SLOTS)

    def describe(self, step: Rows) -> None:
        """The runs' page tables into the step."""
        table = [page for pages in self.tables for page in pages]
        starts = np.cumsum([0, *map(len, self.tables)])[:-1]
        step.column("run_pages", starts)
        step.column("pages", table)

    @property
    def kv_dtype(self) -> str:
        return {np.float16: "f16", np.float32: "f32", np.int8: "q8"}[self.dtype]
