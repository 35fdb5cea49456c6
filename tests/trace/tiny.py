"""A llama graph without a file: weights as names and shapes, a machine that places them nowhere in particular."""

from __future__ import annotations

from collections.abc import Callable

from tokenloom.jit.cpu import TIERS
from tokenloom.jit.ir import f16
from tokenloom.kernels.kv_page import KVShape
from tokenloom.models.llama import Layer, LlamaConfig, LlamaWeights
from tokenloom.models.registry import family_of
from tokenloom.models.rope import RopeScaling
from tokenloom.quant.layout import layout
from tokenloom.trace.graph import Trace, WeightRef
from tokenloom.trace.lower import Cache, Lowered, Machine, Placed, RopeTable, RowClass, lower

ONE = RowClass("one", 1, 1, split=True)
FEW = RowClass("few", 8, 8, split=True)
MANY = RowClass("many", 128, 64, split=False)
CLASSES = (ONE, FEW, MANY)
Kinds = Callable[[str], str]


def config(layers: int = 1) -> LlamaConfig:
    return LlamaConfig(
        hidden_size=64, intermediate_size=96, num_hidden_layers=layers, num_attention_heads=4, num_key_value_heads=2, head_dim=16,
        vocab_size=100, max_position_embeddings=512, rms_norm_eps=1e-5, rope_theta=10000.0, rope_dim=16, rope_scaling=RopeScaling(),
    )  # fmt: skip


def weights(cfg: LlamaConfig, kind: Kinds, *, bias: bool = False) -> LlamaWeights:
    """`kind(short name)` gives a matrix's type."""

    def matrix(name: str, rows: int, k: int) -> WeightRef:
        return WeightRef(f"{name}.weight", kind(name.rpartition(".")[2]), (rows, k))

    def vector(name: str, n: int) -> WeightRef:
        return WeightRef(name, "F32", (n,))

    h, q, kv, ff = cfg.hidden_size, cfg.num_attention_heads * cfg.head_dim, cfg.num_key_value_heads * cfg.head_dim, cfg.intermediate_size  # fmt: skip
    layers = []
    for i in range(cfg.num_hidden_layers):
        p = f"blk.{i}."
        biases = tuple(vector(f"{p}attn_{x}.bias", n) if bias else None for x, n in (("q", q), ("k", kv), ("v", kv)))
        layers.append(
            Layer(
                vector(p + "attn_norm.weight", h),
                matrix(p + "attn_q", q, h),
                matrix(p + "attn_k", kv, h),
                matrix(p + "attn_v", kv, h),
                matrix(p + "attn_output", h, q),
                vector(p + "ffn_norm.weight", h),
                matrix(p + "ffn_gate", ff, h),
                matrix(p + "ffn_up", ff, h),
                matrix(p + "ffn_down", h, ff),
                biases,
            )
        )
    table = matrix("token_embd", cfg.vocab_size, h)
    return LlamaWeights(table, tuple(layers), vector("output_norm.weight", h), table, None)


def machine(graph: Trace, tier: str = "avx2", threads: int = 2) -> Machine:
    placed: dict[str, Placed] = {}
    for op in graph.ops:
        for ref in (*op.weights, *(b for b in op.attrs.get("bias", ()) if b)):
            placed[ref.name] = Placed((4, 0), layout(ref.qtype, ref.k) if len(ref.shape) == 2 else None)
    shape = KVShape(2, 16, f16)
    layers = [op.attrs["state"].layer for op in graph.ops if op.kind == "attention"]
    return Machine(placed, {i: Cache(5 + i, shape) for i in layers}, RopeTable((4, 0), 8, 1.0), TIERS[tier], threads, 8)


def llama(layers: int = 1, kind: Kinds = lambda name: "Q8_0", *, bias: bool = False) -> Trace:
    graph, cfg = Trace(), config(layers)
    family_of("llama").forward(graph, cfg, weights(cfg, kind, bias=bias))
    return graph


def lowered(graph: Trace, rows: RowClass = ONE, tier: str = "avx2") -> Lowered:
    return lower(graph, machine(graph, tier), rows)
