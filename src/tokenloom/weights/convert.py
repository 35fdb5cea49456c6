"""A GGUF model as a packed container: one slab in memory at a time.

Knows which tensors a model's family uses and in what order slabs are written. Knows no format's bytes, and nothing of the command line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokenloom.errors import RequestError
from tokenloom.formats.draft import drafted, refuse_own_source
from tokenloom.formats.gguf import GGUFFile
from tokenloom.formats.loom import PIECE, LoomFile
from tokenloom.formats.loom_write import LoomWriter, padded
from tokenloom.formats.model_file import open_model
from tokenloom.jit.memory import Region
from tokenloom.models.registry import describe_model
from tokenloom.weights.loader import LoadedWeights, PackedTensor, Progress, Slab, load_weights, places, refs_of
from tokenloom.weights.packed import plan

SUFFIX = ".loom"


@dataclass(frozen=True, slots=True)
class Converted:
    """Bytes of both files, and how much the container holds."""

    source_nbytes: int
    nbytes: int
    slabs: int
    tensors: int


def convert(source: str, target: str, *, overwrite: bool = False, progress: Progress | None = None) -> Converted:
    """Write the GGUF model `source` to `target`, a .loom file. Raises FormatError, UnsupportedError, RequestError."""
    path = Path(target)
    if path.suffix != SUFFIX:
        raise RequestError(
            f"{target}: convert writes packed containers; end the name in {SUFFIX} (for GGUF there is `tokenloom quantize`)"
        )
    with open_model(source) as file:
        if isinstance(file, LoomFile):
            raise RequestError(f"{source}: is a packed container already; convert reads GGUF files")
        refuse_own_source(path, [shard.path for shard in file.shards])
        return _convert(file, path, overwrite, progress)


def _convert(file: GGUFFile, target: Path, overwrite: bool, progress: Progress | None) -> Converted:
    model = describe_model(str(file.path), file.metadata, refs_of(file))
    slabs, tensors, whole = places(model.weights, file)
    with drafted(target, overwrite=overwrite) as draft:
        writer = LoomWriter(draft.fileno(), file.raw_metadata(), *plan(slabs, tensors))
        done = 0
        for slab in slabs.values():
            part = _packed_slab(file, slab, [t for t in tensors.values() if t.slab == slab.name])
            for start in range(0, padded(slab.nbytes), PIECE):
                writer.write(part.region.bytes(start, min(PIECE, padded(slab.nbytes) - start)))
            done += padded(slab.nbytes)
            part.region.discard()
            if progress:
                progress("packing", done / whole)
        writer.finish()
    return Converted(file.nbytes, writer.nbytes, len(slabs), len(tensors))


def _packed_slab(file: GGUFFile, slab: Slab, tensors: list[PackedTensor]) -> LoadedWeights:
    """One slab by itself, at the start of a region of its own."""
    alone = LoadedWeights(
        Region(padded(slab.nbytes), huge=True),
        {slab.name: Slab(slab.name, 0, slab.nbytes)},
        {t.name: t for t in tensors},
    )
    return load_weights(file, [], into=alone)
