"""Runs the sampling kernel by itself: a Step, a SamplingBuffer, some logits, one foreign call. Knows no model."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokenloom.jit import compiler, cpu
from tokenloom.jit.ir import Builder, Module, Value, f32, i32, i64, ptr
from tokenloom.kernels.functions_log import log32, philox
from tokenloom.kernels.sampling import SAMPLE, scratch_bytes
from tokenloom.kernels.sampling_buffer import SamplingBuffer, SamplingShape
from tokenloom.kernels.step import H, Step, StepShape

TIERS = [t.name for t in cpu.TIERS.values() if not cpu.missing(t)]


@functools.cache
def library(tier: str) -> compiler.Library:
    t = cpu.TIERS[tier]
    return compiler.load({SAMPLE.name: SAMPLE.ir(t), "functions": _functions(t)}, t)


def _functions(tier: cpu.Tier) -> str:
    """`functions(x, y, n, words)`: y = log32(x), or, where n is 0, words[0:4] = philox(key words[0:2], counter words[2:6])."""
    module = Module()
    b = Builder(module, tier)
    params = [("x", ptr), ("y", ptr), ("n", i64), ("words", ptr)]
    with b.function("functions", params) as (x, y, n, words):
        for i in b.range(0, n, 16):
            b.store(log32(b, b.load(f32.x(16), x + i * 4)), y + i * 4)

        def word(i: int) -> Value:
            return b.load(i32, words + 4 * i)

        with b.when(n.eq(0)):
            random = philox(b, (word(0), word(1)), [word(i) for i in range(2, 6)])
            for i, r in enumerate(random):
                b.store(r, words + 4 * i)
    return str(module)


def _function(tier: str) -> Any:
    kinds = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    return ctypes.CFUNCTYPE(None, *kinds)(library(tier).address["functions"])


def kernel_log(tier: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
    padded = np.ones(-(-x.size // 16) * 16, np.float32)
    padded[: x.size] = x
    y = np.empty_like(padded)
    _function(tier)(padded.ctypes.data, y.ctypes.data, padded.size, 0)
    return y[: x.size]


def kernel_philox(tier: str, key: tuple[int, int], counter: tuple[int, int, int, int]) -> tuple[int, ...]:
    words = np.array([*key, *counter], np.uint32)
    _function(tier)(0, 0, 0, words.ctypes.data)
    return tuple(int(w) for w in words[:4])


class Rig:
    """`buffer` is the SamplingBuffer to set up; `run(logits [outs, vocab])` gives the sampled ids."""

    def __init__(
        self, tier: str, vocab: int, outs: int = 1, history: int = 256, threads: int = 1, pad: int = 0
    ) -> None:
        self.vocab, self.threads = vocab, threads
        self.buffer = SamplingBuffer(SamplingShape(outs, outs, vocab, history))
        self.step = Step(StepShape(max(outs, 4), 4, outs, 16))
        self.logits = np.full((outs, vocab + pad), np.nan, np.float32)  # what lies behind a row must not matter
        self.scratch = np.frombuffer(bytearray(b"\xa5" * (scratch_bytes(vocab) * threads)), np.uint8)
        kinds = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
        self._call = ctypes.CFUNCTYPE(None, *kinds)(library(tier).address[SAMPLE.name])
        self._step = ctypes.addressof(ctypes.c_char.from_buffer(self.step.memory))
        settings = ctypes.addressof(ctypes.c_char.from_buffer(self.buffer.memory))
        self._bases = np.array([0, self.logits.ctypes.data, settings, self.scratch.ctypes.data], np.int64)
        words = SAMPLE.pack(
            logits=(1, 0), settings=(2, 0), scratch=(3, 0), vocab=vocab, stride=self.logits.strides[0],
            scratch_stride=scratch_bytes(vocab), count=4 * H["outs"],
        )  # fmt: skip
        self._words = np.array(words, np.int64)
        self.step.words[H["outs"]] = outs
        for out in range(outs):
            self.step.words[self.step.offset["out_row"] + out] = 100 + out

    def go(self) -> None:
        for thread in range(self.threads):
            self._call(self._bases.ctypes.data, self._words.ctypes.data, self._step, thread, self.threads)

    def run(self, logits: Any) -> list[int]:
        self.logits[:, : self.vocab] = logits
        self.step.words[H["status"]] = 0
        self.go()
        at = self.step.offset["sampled"]
        return self.step.words[at : at + self.logits.shape[0]].tolist()

    @property
    def status(self) -> tuple[int, int]:
        return self.step.header("status"), self.step.header("status_row")
