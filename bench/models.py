"""The model files that comparisons are run on: the default model as it ships (Q4_1), and the same model in Q8_0.

Knows the `gguf` package, which requantizes. Knows nothing of speed.

    python bench/models.py q8_0        writes the file if it is not there, and prints its path
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import gguf
import numpy as np

from tokenloom.errors import UnsupportedError
from tokenloom.jit.compiler import cache_root
from tokenloom.runtime.default_model import model_path

KINDS = {
    "q4_1": None,
    "q8_0": (gguf.GGMLQuantizationType.Q8_0, gguf.LlamaFileType.MOSTLY_Q8_0),
    "f32": (gguf.GGMLQuantizationType.F32, gguf.LlamaFileType.ALL_F32),
}


def requantize(source: Path, target: Path, kind: gguf.GGMLQuantizationType, file_type: gguf.LlamaFileType) -> None:
    """The same model with every quantized tensor in `kind`; float tensors (the norms) stay as they are."""
    reader = gguf.GGUFReader(source)
    architecture = reader.fields["general.architecture"].contents()
    part = target.with_suffix(f".{os.getpid()}")
    writer = gguf.GGUFWriter(part, architecture)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", "general.file_type"):
            continue
        inner = field.types[-1] if field.types[0] == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), field.types[0], inner)
    writer.add_file_type(file_type)
    for tensor in reader.tensors:
        data, tensor_kind = tensor.data, tensor.tensor_type
        if tensor_kind not in (gguf.GGMLQuantizationType.F32, kind):
            data = gguf.quants.quantize(gguf.quants.dequantize(data, tensor_kind).astype(np.float32), kind)
            tensor_kind = kind
        writer.add_tensor(tensor.name, data, raw_dtype=tensor_kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.rename(target)


def model_file(kind: str) -> Path:
    """The file of that kind, made on first use in tokenloom's cache directory."""
    if kind not in KINDS:
        raise UnsupportedError(f"no model kind {kind!r}; kinds are {', '.join(KINDS)}")
    source, recipe = model_path(None), KINDS[kind]
    if recipe is None:
        return source
    target = cache_root() / "bench" / f"{source.name.split('.')[0]}.{kind}.gguf"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        requantize(source, target, *recipe)
    return target


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        print(model_file(wanted))
