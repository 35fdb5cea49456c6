"""A model in another type: which tensors change, to what, and the file that comes of it.

Knows which tensors are matrices worth quantizing, what stands in where a row is no whole number of blocks, and the
keys that tell a file's type. Does not know how a type is encoded (`quant`) or what the command line says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.formats.draft import refuse_own_source
from tokenloom.formats.gguf import GGUFFile, TensorInfo, open_gguf
from tokenloom.formats.gguf_write import NewTensor, u32, write_gguf
from tokenloom.jit.cpu import default_threads
from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.encoders import quantize
from tokenloom.quant.table import BY_NAME, QuantType

FALLBACKS = {
    **dict.fromkeys(("TQ1_0", "TQ2_0", "Q2_K", "Q3_K", "IQ4_XS"), "IQ4_NL"),
    "Q4_K": "Q5_0", "Q5_K": "Q5_1", "Q6_K": "Q8_0",
    **dict.fromkeys(("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1", "IQ4_NL"), "F16"),
}  # fmt: skip
"""What a tensor becomes whose rows are no whole number of blocks: smaller blocks of more bits, then none."""

FILE_TYPES = {
    "F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 7, "Q5_0": 8, "Q5_1": 9, "Q2_K": 10, "Q3_K": 11, "Q4_K": 14, "Q5_K": 16, "Q6_K": 18,
    "IQ4_NL": 25, "IQ4_XS": 30, "BF16": 32, "TQ1_0": 36, "TQ2_0": 37,
}  # fmt: skip
"""Values of `general.file_type`; 11, 14 and 16 are Q3_K_S, Q4_K_S and Q5_K_S, all of it that type."""
QUANTIZATION_VERSION = 2

_FLOATS = ("F32", "F16", "BF16")
_NOT_WEIGHTS = ("I8", "I16", "I32", "I64", "F64")
_TOO_DELICATE = (
    "_norm.weight", "ffn_gate_inp.weight", "ffn_gate_inp_shexp.weight", "altup", "laurel", "per_layer_model_proj",
    "position_embd.weight", "token_types.weight", "ssm_conv1d.weight", "shortconv.conv.weight", "time_mix_",
    "attn_rel_b.weight",
)  # fmt: skip
"""Small matrices that decide much, kept as they are, as llama.cpp keeps them: routers, convolutions, positions."""

_PIECE = 1 << 20
"""Elements that a thread converts at once."""

Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Requantized:
    """What was done: sizes of both files, tensors by their new type, and what a reader should know."""

    source_nbytes: int
    nbytes: int
    types: dict[str, int]
    remarks: tuple[str, ...]


def requantize(
    source: str,
    target: str,
    qtype: str,
    *,
    overwrite: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Requantized:
    """Write the model `source` to `target` with its matrices as `qtype`; everything else is copied."""
    workers = threads or default_threads()
    with open_gguf(source) as file, ThreadPoolExecutor(workers) as pool:
        refuse_own_source(Path(target), [shard.path for shard in file.shards])
        plan = [(info, _new_type(info, qtype)) for info in file.tensors.values()]
        for info, kind in plan:
            if kind is not info.qtype and info.qtype.name not in FORMATS:
                raise UnsupportedError(
                    f"{file.path}: tensor {info.name!r} is {info.qtype.name}, which cannot be decoded; "
                    f"start from a file of {', '.join(FORMATS)}"
                )
        total = sum(info.elements for info, _ in plan)
        done = 0

        def contents(tensor: NewTensor) -> Iterator[npt.NDArray[np.uint8]]:
            nonlocal done
            info = file.tensors[tensor.name]
            for piece, elements in _convert(file, info, tensor.qtype, pool, workers):
                yield piece
                done += elements
                if progress:
                    progress(f"writing {qtype}", done / total)

        tensors = [NewTensor(info.name, info.shape, kind) for info, kind in plan]
        nbytes = write_gguf(Path(target), _metadata(file, qtype), tensors, contents, overwrite=overwrite)
        return Requantized(
            file.nbytes, nbytes, dict(Counter(kind.name for _, kind in plan)), tuple(_remarks(plan, qtype))
        )


def _is_matrix(info: TensorInfo) -> bool:
    return (
        len(info.shape) > 1
        and info.name.endswith(".weight")
        and not any(part in info.name for part in _TOO_DELICATE)
        and info.qtype.name not in _NOT_WEIGHTS
    )


def _new_type(info: TensorInfo, wanted: str) -> QuantType:
    if len(info.shape) == 1 and info.qtype.name in _FLOATS:
        return BY_NAME["F32"]
    if not _is_matrix(info):
        return info.qtype
    name = wanted
    while info.shape[-1] % BY_NAME[name].block:
        name = FALLBACKS[name]
    return BY_NAME[name]


def _remarks(plan: list[tuple[TensorInfo, QuantType]], wanted: str) -> Iterator[str]:
    standing_in = Counter(
        (info.shape[-1], kind.name) for info, kind in plan if _is_matrix(info) and kind.name != wanted
    )
    for (k, name), count in standing_in.items():
        block = BY_NAME[wanted].block
        have, become = ("tensor has", "it becomes") if count == 1 else ("tensors have", "they become")
        yield f"{count} {have} rows of {k}, no multiple of {wanted}'s {block}: {become} {name}"
    again = Counter(info.qtype.name for info, kind in plan if kind is not info.qtype and info.qtype.name not in _FLOATS)
    for name, count in again.items():
        were, their = ("tensor was", "its") if count == 1 else ("tensors were", "their")
        yield f"{count} {were} {name} already: {their} errors stay; better start from F16, BF16 or F32"


def _metadata(file: GGUFFile, qtype: str) -> dict[str, bytes]:
    metadata = file.raw_metadata()
    metadata["general.file_type"] = u32(FILE_TYPES[qtype])
    metadata["general.quantization_version"] = u32(QUANTIZATION_VERSION)
    return metadata


def _convert(
    file: GGUFFile, info: TensorInfo, kind: QuantType, pool: ThreadPoolExecutor, workers: int
) -> Iterator[tuple[npt.NDArray[np.uint8], int]]:
    """The tensor's bytes as `kind`, some rows at a time, and how many elements they are."""
    k = info.shape[-1]
    rows = info.elements // k
    step = max(1, _PIECE // k)

    def rows_from(first: int) -> npt.NDArray[np.uint8]:
        raw = np.empty((min(step, rows - first), info.row_nbytes), np.uint8)
        file.read_into(info.name, raw, first * info.row_nbytes)
        if kind is info.qtype:
            return raw
        values = dequantize(info.qtype, raw)
        try:
            return quantize(kind.name, values)
        except FormatError as problem:
            raise FormatError(f"{file.path}: tensor {info.name!r}: {problem}") from problem

    for first in range(0, rows, step * workers):
        for piece in pool.map(rows_from, range(first, min(first + step * workers, rows), step)):
            yield piece, len(piece) * k
