"""Keys and values laid out in pages, several sequences in one pool. Written from the layout's description; knows no kernel.

A page holds 16 slots of all KV heads: K as [head][head_dim][16], then V as [head][16][head_dim].
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.kernels.rig import F32, Memory, Rows

from tokenloom.jit.ir import Type, f16, f32
from tokenloom.kernels.rope import KVShape
from tokenloom.reference.floats import round_f16

SLOTS = 16


class Pool:
    """`pages` pages of a layer; `tables[run]` are page numbers, scattered. Slots nobody wrote hold finite rubbish."""

    def __init__(self, kv_heads: int, head_dim: int, stored: Type, lengths: list[int], seed: int = 0) -> None:
        self.shape = KVShape(kv_heads, head_dim, stored)
        self.dtype = {f16: np.float16, f32: np.float32}[stored]
        needed = [-(-n // SLOTS) for n in lengths]
        rng = np.random.default_rng(seed)
        order = rng.permutation(sum(needed) + 3).tolist()
        self.tables = [[order.pop() for _ in range(n)] for n in needed]
        self.memory = Memory((sum(needed) + 3) * self.shape.page_bytes)
        values = self.memory.bytes.view(self.dtype)
        values[:] = rng.standard_normal(values.size).astype(self.dtype) * self.dtype(50)
        self.pages: NDArray[Any] = values.reshape(-1, 2, kv_heads, SLOTS * head_dim)

    @property
    def address(self) -> int:
        return self.memory.address

    def key_page(self, page: int) -> NDArray[Any]:
        """[head, dim, slot]"""
        return self.pages[page, 0].reshape(self.shape.kv_heads, self.shape.head_dim, SLOTS)

    def value_page(self, page: int) -> NDArray[Any]:
        """[head, slot, dim]"""
        return self.pages[page, 1].reshape(self.shape.kv_heads, SLOTS, self.shape.head_dim)

    def put(self, run: int, slot: int, k: F32, v: F32) -> None:
        """k, v [kv_heads, head_dim] into one slot, rounded as the cache rounds."""
        page, inside = self.tables[run][slot // SLOTS], slot % SLOTS
        self.key_page(page)[:, :, inside] = self._stored(k)
        self.value_page(page)[:, inside] = self._stored(v)

    def _stored(self, x: F32) -> NDArray[Any]:
        return round_f16(x).view(np.float16) if self.dtype is np.float16 else x

    def describe(self, step: Rows) -> None:
        """The runs' page tables into the step."""
        table = [page for pages in self.tables for page in pages]
        starts = np.cumsum([0, *map(len, self.tables)])[:-1]
        step.column("run_pages", starts)
        step.column("pages", table)

    @property
    def kv_dtype(self) -> str:
        return "f16" if self.dtype is np.float16 else "f32"
