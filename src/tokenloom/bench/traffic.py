"""What decoding a token must read: the weights it multiplies with and the cache it attends to.

Knows a file's tensors. Knows nothing of time or of any engine: it is a lower bound for all of them.
"""

from __future__ import annotations

from pathlib import Path

from tokenloom.bench.rows import Row
from tokenloom.formats.gguf import open_gguf

_CACHE_BYTES = 2  # of a cached value: f16, both engines' default


def bytes_per_token(path: Path, row: Row) -> float:
    """Bytes per generated token of a decode row: a step reads the weights once for all its sequences, and each sequence's own keys and values.

    An embedding that is no output matrix gives one row, which counts as nothing. Weights as the file has them.
    """
    with open_gguf(path) as file:
        meta, tensors = file.metadata, file.tensors
        prefix = meta["general.architecture"]
        untied = "output.weight" in tensors
        weights = sum(t.nbytes for name, t in tensors.items() if not (untied and name == "token_embd.weight"))
        heads = meta[f"{prefix}.attention.head_count"]
        kv_heads = meta.get(f"{prefix}.attention.head_count_kv", heads)
        head_dim = meta.get(f"{prefix}.attention.key_length", meta[f"{prefix}.embedding_length"] // heads)
        slot = 2 * meta[f"{prefix}.block_count"] * kv_heads * head_dim * _CACHE_BYTES
    return float(weights / row.batch + slot * (row.depth + row.n / 2))
