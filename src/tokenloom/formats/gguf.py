"""GGUF models: one file or all the shards of a split one, opened together, and their tensors' bytes.

Knows how shards find each other and where in them a tensor lies. Does not know the layout of a header (`gguf_header`) or what a key or a tensor is
for (`models`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from tokenloom.errors import ClosedError, FormatError
from tokenloom.formats.gguf_header import DAMAGED, Header, TensorInfo, raw_metadata, read_header
from tokenloom.formats.shard import OpenShards, Shard, open_shard

__all__ = ["GGUFFile", "TensorInfo", "open_gguf"]

_SHARD_NAME = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf", re.DOTALL)
_OWN_TO_A_SHARD = ("split.no", "split.count", "split.tensors.count", "general.alignment")


class GGUFFile(OpenShards):
    """An open model. Reading is safe from several threads at once.

    `metadata` values are int, float, bool, str, a read-only NumPy array of numbers or bools, a `StringArray`, or a list
    of arrays. Strings that are not UTF-8 hold surrogate escapes; keys and tensor names are always UTF-8.
    """

    def __init__(self, path: Path, shards: Iterable[Shard], headers: list[Header], metadata: dict[str, Any]) -> None:
        self.path = path
        self.version = headers[0].version
        self.metadata = metadata
        self.tensors: dict[str, TensorInfo] = {}
        for header in headers:
            self.tensors |= header.tensors
        super().__init__(shards)

    @property
    def format(self) -> str:
        return f"GGUF v{self.version}"

    def raw_metadata(self) -> dict[str, bytes]:
        """Every key's type and value as the files have them, for writing them again; what belongs to these files alone is left out."""
        raw: dict[str, bytes] = {}
        for shard in self.shards:
            for key, value in raw_metadata(shard.fd, str(shard.path), shard.size).items():
                if key not in _OWN_TO_A_SHARD:
                    raw.setdefault(key, value)
        return raw

    def read(self, name: str) -> npt.NDArray[np.uint8]:
        """The bytes of a tensor, as a fresh array."""
        out = np.empty(self.tensors[name].nbytes, np.uint8)
        self.read_into(name, out)
        return out

    def read_into(self, name: str, out: npt.NDArray[np.uint8], start: int = 0) -> None:
        """Fill `out` (contiguous uint8) with a tensor's bytes from `start` on: a slab without a copy of the rest."""
        if self._closed:
            raise ClosedError(f"{self.path}: read of tensor {name!r} after close()")
        if out.dtype != np.uint8 or not out.flags.c_contiguous:
            raise ValueError(f"tensor {name!r} is read into contiguous uint8, not into {out.dtype} with {out.strides}")
        tensor = self.tensors[name]
        if start < 0 or start + out.nbytes > tensor.nbytes:
            raise ValueError(f"bytes {start} to {start + out.nbytes} of tensor {name!r}, which has {tensor.nbytes}")
        shard = self.shards[tensor.shard]
        field = f"tensor {name!r}"
        shard.read_into(out.reshape(-1).data, tensor.offset + start, field, "do not write to a model that is in use")


def open_gguf(path: str | os.PathLike[str]) -> GGUFFile:
    """Open a GGUF file; given any shard of a split model, all of it."""
    given = Path(os.fspath(path))
    opened: list[Shard] = []
    try:
        first, header = _open_shard(given, opened)
        count = _split_field(first, header, "split.count") or 1
        if count == 1:
            return GGUFFile(given, [first], [header], header.metadata)
        headers: list[Header] = []
        shards: list[Shard] = []
        for index, sibling in enumerate(_sibling_paths(given, header, count)):
            shard, its_header = (first, header) if sibling == given else _open_shard(sibling, opened)
            _check_place(shard, its_header, index, count)
            shards.append(shard)
            headers.append(its_header.as_shard(index))
        return GGUFFile(given, shards, headers, _merge(shards, headers))
    except BaseException:
        for shard in opened:
            os.close(shard.fd)
        raise


def _fail(path: Path, field: str, found: str, remedy: str) -> NoReturn:
    raise FormatError(f"{path}: {field}: {found}; {remedy}")


def _open_shard(path: Path, opened: list[Shard]) -> tuple[Shard, Header]:
    shard = open_shard(path, ".gguf")
    opened.append(shard)
    return shard, read_header(shard.fd, str(path), shard.size)


def _split_field(shard: Shard, header: Header, key: str) -> int | None:
    value = header.metadata.get(key)
    if value is not None and (type(value) is not int or not 0 <= value < 1 << 31):
        _fail(shard.path, key, f"found {value!r}; it must be a whole number", DAMAGED)
    return value


def _sibling_paths(path: Path, header: Header, count: int) -> list[Path]:
    name = _SHARD_NAME.fullmatch(path.name)
    if name is None or int(name[3]) != count:
        found = f"the model was split in {count}, and the name {path.name!r} does not end in -NNNNN-of-{count:05}.gguf"
        _fail(path, "split.count", found, "give all shards the names they were split under")
    no = header.metadata.get("split.no")
    if no != int(name[2]) - 1:
        found = f"the file says {no!r} (counted from 0), its name says {int(name[2])} of {count}"
        _fail(path, "split.no", found, "give all shards the names they were split under")
    paths = [path.with_name(f"{name[1]}-{i + 1:05}-of-{count:05}.gguf") for i in range(count)]
    missing = [p.name for p in paths if not p.exists()]
    if missing:
        shown = ", ".join(missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise FormatError(
            f"{path}: {len(missing)} of the model's {count} shards are missing beside it: {shown}; add them"
        )
    return paths


def _check_place(shard: Shard, header: Header, index: int, count: int) -> None:
    for key, due in (("split.count", count), ("split.no", index)):
        found = _split_field(shard, header, key)
        if found != due:
            _fail(
                shard.path, key, f"found {found}, and this must be {due}", "take all shards from one split of one model"
            )


def _merge(shards: list[Shard], headers: list[Header]) -> dict[str, Any]:
    """The first shard's metadata, with what later ones add; a contradicted key and a repeated tensor are refused."""
    metadata = dict(headers[0].metadata)
    names: set[str] = set()
    for shard, header in zip(shards, headers, strict=True):
        for key, value in header.metadata.items():
            if key not in metadata:
                metadata[key] = value
            elif key not in _OWN_TO_A_SHARD and not _same(metadata[key], value):
                _fail(
                    shard.path, f"metadata {key!r}", "differs from the first shard's", "take all shards from one split"
                )
        if twice := names & header.tensors.keys():
            _fail(shard.path, f"tensor {min(twice)!r}", "is in an earlier shard too", "take all shards from one split")
        names |= header.tensors.keys()
    due = _split_field(shards[0], headers[0], "split.tensors.count")
    if due is not None and due != len(names):
        _fail(shards[0].path, "split.tensors.count", f"says {due}, and the shards hold {len(names)} tensors", DAMAGED)
    return metadata


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)
