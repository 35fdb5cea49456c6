"""Packed containers and packed weights in memory: one becomes the other without a byte changing its place within a slab.

Knows that a container's data and a region of weights are the same image, slab after slab. Does not know which file is opened or kept, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import numpy.typing as npt

from tokenloom.errors import FormatError, TokenloomError, UnsupportedError
from tokenloom.formats.loom import PIECE, LoomFile, Piece
from tokenloom.formats.loom_write import NewSlab, NewTensor, padded
from tokenloom.jit.cpu import default_threads
from tokenloom.jit.memory import Region
from tokenloom.kernels.tiles import is_known
from tokenloom.trace.graph import WeightRef
from tokenloom.weights.loader import LoadedWeights, PackedTensor, Progress, Slab

_MOST_READERS = 4


def place_packed(file: LoomFile, refs: Sequence[WeightRef]) -> LoadedWeights:
    """Where a container's tensors will be. Raises FormatError when it lacks one of `refs`, UnsupportedError for a type without a kernel."""
    for ref in refs:
        if ref.name not in file.placed:
            raise FormatError(f"{file.path}: tensor {ref.name!r} is missing; the file is incomplete")
    slabs, tensors = {}, {}
    for slab in file.slabs.values():
        slabs[slab.name] = Slab(slab.name, slab.offset - file.data_start, slab.nbytes)
    for name, placed in file.placed.items():
        info = file.tensors[name]
        if placed.layout is not None and not is_known(info.qtype.name):
            raise UnsupportedError(f"{file.path}: tensor {name!r} is {info.qtype.name}, which has no kernel yet")
        tensors[name] = PackedTensor(
            name, info.qtype.name, info.shape, placed.slab, placed.offset, placed.nbytes, placed.layout
        )
    return LoadedWeights(Region(file.nbytes - file.data_start, huge=True), slabs, tensors)


def holds(file: LoomFile, weights: LoadedWeights) -> bool:
    """Whether the container is the image of exactly these weights."""
    slabs = {s.name: (s.offset, padded(s.nbytes)) for s in weights.slabs.values()}
    if slabs != {s.name: (s.offset - file.data_start, s.nbytes) for s in file.slabs.values()}:
        return False
    return {_key(t) for t in weights.tensors.values()} == {
        (name, info.shape, info.qtype.name, (at := file.placed[name]).slab, at.offset, at.nbytes)
        for name, info in file.tensors.items()
    }


def _key(t: PackedTensor) -> tuple[str, tuple[int, ...], str, str, int, int]:
    return t.name, t.shape, _stored_type(t), t.slab, t.offset, t.nbytes


def _stored_type(tensor: PackedTensor) -> str:
    """Vectors are widened when they are packed, whatever the source had."""
    return tensor.qtype if tensor.layout is not None else "F32"


def map_packed(file: LoomFile, into: LoadedWeights) -> bool:
    """Whether the file's own pages are the weights' memory now, checked; nothing has happened where the system cannot do that well.

    Only for a file that nobody else shortens (`Region.map_file`). Raises FormatError.
    """
    if not into.region.map_file(file.shards[0].fd, file.data_start):
        return False

    def check(job: list[Piece]) -> None:
        nbytes = sum(piece.nbytes for piece in job)
        file.check_pieces(job, into.region.bytes(job[0].offset - file.data_start, nbytes).data)

    with _readers() as pool:
        list(pool.map(check, _jobs(file)))
    return True


def read_packed(
    file: LoomFile, into: LoadedWeights, progress: Progress | None = None, stop: Event | None = None
) -> None:
    """Reads all slabs to their places with several threads and checks them; `stop` breaks it off. Raises FormatError."""
    jobs = list(_jobs(file))
    whole = file.nbytes - file.data_start
    region = into.region

    def read(job: list[Piece]) -> int:
        if stop is not None and stop.is_set():
            raise TokenloomError("reading the weights was broken off")
        nbytes = sum(piece.nbytes for piece in job)
        file.read_pieces(job, region.bytes(job[0].offset - file.data_start, nbytes))
        return nbytes

    done = 0
    with _readers() as pool:
        for nbytes in pool.map(read, jobs):
            done += nbytes
            if progress:
                progress("reading weights", done / whole)


def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(_MOST_READERS, default_threads()), "tokenloom-read")


def _jobs(file: LoomFile) -> Iterator[list[Piece]]:
    """Neighbouring pieces up to PIECE bytes together: a thread waits for Python's lock once a call, not once a slab."""
    job: list[Piece] = []
    size = 0
    for piece in file.pieces():
        if job and size + piece.nbytes > PIECE:
            yield job
            job, size = [], 0
        job.append(piece)
        size += piece.nbytes
    if job:
        yield job


def plan(slabs: Mapping[str, Slab], tensors: Mapping[str, PackedTensor]) -> tuple[list[NewSlab], list[NewTensor]]:
    """What a container of these weights holds."""
    rows = [NewTensor(t.name, _stored_type(t), t.shape, t.slab, t.offset, t.nbytes, t.layout) for t in tensors.values()]
    return [NewSlab(slab.name, padded(slab.nbytes)) for slab in slabs.values()], rows


def piece_of(weights: LoadedWeights, slab: str, start: int, nbytes: int) -> npt.NDArray[np.uint8]:
    """A view of a slab's bytes in memory, its padding included."""
    return weights.region.bytes(weights.slabs[slab].offset + start, nbytes)
