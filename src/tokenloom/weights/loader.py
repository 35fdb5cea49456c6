"""From a file's tensors to packed tiles in memory.

Knows slabs (one per layer, one each for the embedding and the head), how big each tensor becomes, and repacking in bounded pieces. Knows
nothing of requests or forward passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event

import numpy as np

from tokenloom.errors import FormatError, TokenloomError, UnsupportedError
from tokenloom.formats.gguf import GGUFFile
from tokenloom.formats.loom_write import padded
from tokenloom.formats.model_file import ModelFile
from tokenloom.jit.memory import Region
from tokenloom.kernels.tiles import ROWS, is_known
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.layout import LINE, TileLayout, layout
from tokenloom.quant.packing import pack
from tokenloom.trace.graph import WeightRef

_PIECE = 8 << 20  # bytes of file repacked at once

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class PackedTensor:
    """A tensor in its slab: the offset from the slab's start; matrices carry their tile layout."""

    name: str
    qtype: str
    shape: tuple[int, ...]
    slab: str
    offset: int
    nbytes: int
    layout: TileLayout | None


@dataclass(frozen=True)
class Slab:
    """The unit of residency: a layer, the embedding, the head."""

    name: str
    offset: int  # from the region's start
    nbytes: int


@dataclass(frozen=True)
class LoadedWeights:
    """All weights of a model in one region."""

    region: Region
    slabs: dict[str, Slab]
    tensors: dict[str, PackedTensor]


def refs_of(file: ModelFile) -> dict[str, WeightRef]:
    """Every tensor of the file as models see it."""
    return {name: WeightRef(name, info.qtype.name, tuple(info.shape)) for name, info in file.tensors.items()}


def slab_of(name: str) -> str:
    """`layer N` for blk.N.*, else the tensor's own first word."""
    match = re.match(r"blk\.(\d+)\.", name)
    return f"layer {match[1]}" if match else name.split(".")[0]


def places(refs: Sequence[WeightRef], file: GGUFFile) -> tuple[dict[str, Slab], dict[str, PackedTensor], int]:
    """The slabs, the tensors within them, and the bytes of them all."""
    members: dict[str, list[PackedTensor]] = {}
    used: dict[str, int] = {}
    for ref in refs:
        slab = slab_of(ref.name)
        at = used.get(slab, 0)
        if len(ref.shape) == 1:
            tiles, nbytes = None, -(-ref.shape[0] * 4 // LINE) * LINE
        else:
            if not is_known(ref.qtype):
                raise UnsupportedError(
                    f"{file.path}: tensor {ref.name!r} is {ref.qtype}, which has no kernel yet; "
                    "requantize it to one of the types in README's table"
                )
            tiles = layout(ref.qtype, ref.k)
            nbytes = tiles.stride * -(-ref.rows // ROWS)
        members.setdefault(slab, []).append(PackedTensor(ref.name, ref.qtype, ref.shape, slab, at, nbytes, tiles))
        used[slab] = at + nbytes
    slabs: dict[str, Slab] = {}
    tensors: dict[str, PackedTensor] = {}
    start = 0
    for name, group in members.items():
        slabs[name] = Slab(name, start, used[name])
        start += padded(used[name])  # as in a container, so that either is the image of the other
        tensors |= {t.name: t for t in group}
    return slabs, tensors, start


def place_weights(file: GGUFFile, refs: Sequence[WeightRef]) -> LoadedWeights:
    """Where each of `refs` will be: all that is needed to build a tape before a byte is read."""
    slabs, tensors, total = places(refs, file)
    return LoadedWeights(Region(total, huge=True), slabs, tensors)


def load_weights(
    file: GGUFFile, refs: Sequence[WeightRef], progress: Progress | None = None, stop: Event | None = None, into: LoadedWeights | None = None
) -> LoadedWeights:  # fmt: skip
    """Reads and repacks `refs` (each once), `into` their places where those were made before; `stop` breaks it off between pieces.

    Memory: the packed size plus one piece.
    """
    weights = into or place_weights(file, refs)
    region, slabs, tensors = weights.region, weights.slabs, weights.tensors
    done, whole = 0, sum(tensor.nbytes for tensor in tensors.values())
    for tensor in tensors.values():
        start = slabs[tensor.slab].offset + tensor.offset
        if tensor.layout is None:
            raw = file.read(tensor.name).reshape(1, -1)
            with _naming(file, tensor):
                values = dequantize(file.tensors[tensor.name].qtype, raw).reshape(-1)
            region.bytes(start, 4 * tensor.shape[0]).view(np.float32)[:] = values
        else:
            _repack(file, tensor, region, start, stop)
        done += tensor.nbytes
        if progress:
            progress("reading weights", done / whole)
    return weights


def _repack(file: GGUFFile, tensor: PackedTensor, region: Region, start: int, stop: Event | None) -> None:
    assert tensor.layout is not None
    rows = tensor.shape[0]
    row_bytes = file.tensors[tensor.name].nbytes // rows
    step = max(1, _PIECE // (row_bytes * ROWS)) * ROWS
    scratch = np.empty(min(step, rows) * row_bytes, np.uint8)
    stride = tensor.layout.stride
    for first in range(0, rows, step):
        if stop is not None and stop.is_set():
            raise TokenloomError("reading the weights was broken off")
        count = min(step, rows - first)
        raw = scratch[: count * row_bytes]
        file.read_into(tensor.name, raw, first * row_bytes)
        tiles = -(-count // ROWS)
        out = region.bytes(start + first // ROWS * stride, tiles * stride).reshape(tiles, stride)
        with _naming(file, tensor):
            pack(tensor.qtype, raw.reshape(count, row_bytes), out)


@contextmanager
def _naming(file: GGUFFile, tensor: PackedTensor) -> Iterator[None]:
    """What is refused of a block is refused by those who do not know where it lies."""
    try:
        yield
    except (FormatError, UnsupportedError) as problem:
        raise type(problem)(f"{file.path}: tensor {tensor.name!r}: {problem}") from problem
