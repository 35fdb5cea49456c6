"""LLVM IR to machine code in this process, with an on-disk cache of objects.

Knows llvmlite and the cache's safety rules. Knows nothing of kernels. A cached object is named by the hash of everything that made it (IR, CPU,
features, LLVM and llvmlite versions, code model), is written by rename, lives in a directory only its owner can write, and its own hash is
checked before LLVM sees a byte; a damaged or foreign entry is rebuilt. The longest unused ones make room for new ones.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tokenloom.errors import TokenloomError
from tokenloom.jit.cache import abandoned, cache_root, evict, mark_used, private_directory
from tokenloom.jit.cpu import Tier

# constants relative to the instruction, no register or symbol for a table of them; JITLink lays each object out in one piece, so they are near
_CODE_MODEL = "small"
_DIGEST = hashlib.sha256().digest_size
OBJECTS_BOUND = 256 << 20
"""Most bytes of cached objects: the kernels of one model and tier are about a megabyte."""
_NEW = ".new-"
_ABANDONED = 3600.0  # seconds after which an unfinished entry has no writer any more
_WRITES_BETWEEN = 64  # looking through the directory costs as much as writing an entry or two
_writes = 0


def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    return llvm


def _triple(tier: Tier) -> str:
    return f"{tier.arch}-unknown-linux-gnu"


def _machine(tier: Tier) -> Any:
    target = _llvm().Target.from_triple(_triple(tier))
    return target.create_target_machine(cpu=tier.cpu, features=tier.features, opt=3, reloc="pic", codemodel=_CODE_MODEL)


def _optimized(ir: str, tier: Tier, machine: Any) -> Any:
    llvm = _llvm()
    module = llvm.parse_assembly(f'target triple = "{_triple(tier)}"\n{ir}')
    module.verify()
    tuning = llvm.PipelineTuningOptions(speed_level=2)
    # the kernels are written as vectors and unrolled on purpose; LLVM's own tries only grow them
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = tuning.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return module


def assembly(ir: str, tier: Tier) -> str:
    """The assembly LLVM makes of a module for `tier` (any tier, whether or not this CPU runs it)."""
    machine = _machine(tier)
    return str(machine.emit_assembly(_optimized(ir, tier, machine)))


def object_code(ir: str, tier: Tier) -> bytes:
    """The relocatable object of a module for `tier`, from the cache when it is there."""
    directory = private_directory(cache_root() / "objects")
    path = directory / cache_key(ir, tier) if directory else None
    if path and (found := _read_entry(path)) is not None:
        return found
    machine = _machine(tier)
    built = bytes(machine.emit_object(_optimized(ir, tier, machine)))
    if path:
        _write_entry(path, built)
    return built


def cache_key(ir: str, tier: Tier) -> str:
    import llvmlite

    llvm = _llvm()
    parts = (
        ir,
        _triple(tier),
        tier.cpu,
        tier.features,
        llvmlite.__version__,
        str(llvm.llvm_version_info),
        _CODE_MODEL,
        "1",
    )
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _read_entry(path: Path) -> bytes | None:
    try:
        # a FIFO must not make us wait for its writer
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            data = file.read() if stat.S_ISREG(found.st_mode) else b""
    except OSError:
        return None
    mark_used(path, found.st_mtime)
    digest, body = data[:_DIGEST], data[_DIGEST:]
    return body if _digest(path, body) == digest else None


def _digest(path: Path, body: bytes) -> bytes:
    """Of the name too: an object under another's name is as wrong as a damaged one."""
    return hashlib.sha256(path.name.encode() + body).digest()


def _write_entry(path: Path, body: bytes) -> None:
    """By rename, so that a reader in another process sees all of it or nothing; a full disk only costs the next start."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_NEW)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(path, body) + body)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise
        _keep_small(path.parent)
    except OSError:
        return


def _keep_small(directory: Path) -> None:
    """At a process's first write and now and then: the bound is kept within some tens of entries."""
    global _writes
    _writes += 1
    if _writes % _WRITES_BETWEEN == 1:
        evict(directory, OBJECTS_BOUND)
        for entry in abandoned(directory, _NEW, _ABANDONED):
            entry.path.unlink(missing_ok=True)


class Library:
    """Machine code of several modules, loaded; `address[name]` are the entry points. The code lives until `close()`."""

    def __init__(self, objects: Iterable[tuple[bytes, Iterable[str]]], tier: Tier) -> None:
        llvm = _llvm()
        self._jit = llvm.create_lljit_compiler(_machine(tier), use_jit_link=True)
        self._trackers = []
        self.address: dict[str, int] = {}
        for number, (code, names) in enumerate(objects):
            wanted = list(names)
            builder = llvm.JITLibraryBuilder().add_object_img(code)
            for name in wanted:
                builder.export_symbol(name)
            tracker = builder.link(self._jit, f"tokenloom{number}")
            self._trackers.append(tracker)
            for name in wanted:
                self.address[name] = int(tracker[name])
                if not self.address[name]:
                    raise TokenloomError(f"kernel {name} did not link")

    def close(self) -> None:
        """Frees the code; nothing may be running in it."""
        self._trackers.clear()
        self._jit.close()
        self.address = {}


def load(modules: Mapping[str, str], tier: Tier) -> Library:
    """Compiles (or finds) one object per module, named by its one entry point, and loads them all."""
    return Library([(object_code(ir, tier), [name]) for name, ir in modules.items()], tier)
