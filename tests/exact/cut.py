"""A copy of a GGUF file with only its first layers.

Knows the `gguf` package's reader and this directory's neighbour that writes. Knows nothing of the reader under test.
"""

from __future__ import annotations

import re
from pathlib import Path

import gguf
import numpy as np

from tests.formats.gguf_build import TYPE_IDS, Builder, Tensor


def cut_layers(source: Path, layers: int, target: Path) -> Path:
    """`source` with its first `layers` layers; all else byte for byte."""
    reader = gguf.GGUFReader(source)
    b = Builder()
    for name, field in reader.fields.items():
        if name.startswith("GGUF."):
            continue
        # parts: the key's length, the key, the type, then the value
        payload = b"".join(np.asarray(part).tobytes() for part in field.parts[3:])
        if name == "llama.block_count":
            b.add(name, "u32", layers)
        else:
            b.add_raw(
                name, TYPE_IDS["arr"] if field.types[0] == gguf.GGUFValueType.ARRAY else int(field.types[0]), payload
            )
    for t in reader.tensors:
        layer = re.match(r"blk\.(\d+)\.", t.name)
        if layer is None or int(layer[1]) < layers:
            shape = tuple(int(n) for n in t.shape[::-1])
            b.tensors.append(Tensor(t.name, shape, int(t.tensor_type), np.ascontiguousarray(t.data).tobytes()))
    return b.write(target)
