"""The cache of packed models: found again and only then, bounded, whole under two processes and under kills, and out of the way."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import tokenloom
from tests.formats.gguf_build import tiny_llama
from tokenloom.errors import RequestError
from tokenloom.formats import loom_write
from tokenloom.formats.gguf import open_gguf
from tokenloom.jit import memory
from tokenloom.jit.cache import entries, evict
from tokenloom.weights import cache as cache_module
from tokenloom.weights import identity, keep, source
from tokenloom.weights.cache import PackedCache, asked_bound, bound_of, open_cache
from tokenloom.weights.convert import convert
from tokenloom.weights.identity import identify_file, unchanged

ROOT = Path(__file__).parents[2]
IDS = [7, 8, 9, 10, 11]


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("objects")


@pytest.fixture
def packed(tmp_path: Path, objects: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache in which models of any size and age are kept; kernels are compiled once for all tests."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "objects").symlink_to(objects)
    monkeypatch.setenv("TOKENLOOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(source, "WORTH_KEEPING", 0)
    monkeypatch.setattr(identity, "SETTLED", 0.0)
    return tmp_path / "cache" / "packed"


def logits(path: Path, **settings: object) -> bytes:
    with tokenloom.load(path, threads=1, **settings) as model:  # type: ignore[arg-type]
        return model.logits(IDS).tobytes()


def kept(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.glob("*.loom")) if folder.exists() else []


@pytest.fixture
def packings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were packed."""
    seen: list[str] = []
    real = source.loader.load_weights
    monkeypatch.setattr(
        source.loader, "load_weights", lambda file, *rest: (seen.append(file.path.name), real(file, *rest))[1]
    )
    return seen


@pytest.mark.parametrize("qtype", ["Q8_0", "Q4_1", "F16", "BF16"])
def test_the_same_bits_from_gguf_cache_and_container(
    qtype: str, tmp_path: Path, packed: Path, packings: list[str]
) -> None:
    path = tiny_llama(tmp_path / "m.gguf", qtype=qtype, tied=False, rope_freqs=[1.0, 1.0, 1.5, 2.0, 3.0, 4.0, 8.0, 8.0])
    convert(str(path), str(tmp_path / "m.loom"))
    plain = logits(path, cache=False)
    assert kept(packed) == []
    assert logits(path) == plain
    assert len(kept(packed)) == 1
    assert packings == ["m.gguf"] * 2
    assert logits(path) == plain  # from the cache
    assert packings == ["m.gguf"] * 2
    assert logits(tmp_path / "m.loom") == plain
    with tokenloom.load(path, threads=1) as a, tokenloom.load(tmp_path / "m.loom", threads=1) as b:
        assert a._engine.fingerprint == b._engine.fingerprint
        assert a.tokenize("the cat") == b.tokenize("the cat")


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Entries of any size are aligned and mapped, small pages or not; whether each mapping came about."""
    seen: list[bool] = []
    real = memory.Region.map_file
    monkeypatch.setattr(loom_write, "LARGE", 0)
    monkeypatch.setattr(memory, "MOSTLY", 0.0)
    monkeypatch.setattr(memory.Region, "map_file", lambda *a: seen.append(real(*a)) or seen[-1])
    return seen


@pytest.mark.skipif(sys.platform != "linux", reason="hardware: files are mapped on Linux only")
def test_a_mapped_entry_gives_the_same_bits(
    tmp_path: Path, packed: Path, packings: list[str], mapped: list[bool]
) -> None:
    path = tiny_llama(tmp_path / "m.gguf", qtype="Q8_0", tied=False)
    convert(str(path), str(tmp_path / "m.loom"))
    plain = logits(path)
    assert mapped == []
    with tokenloom.load(path, threads=1) as model:
        assert mapped == [True]
        for entry in packed.glob("*.loom"):
            entry.unlink()  # what is mapped stays
        assert model.logits(IDS).tobytes() == plain
    assert packings == ["m.gguf"]
    assert logits(tmp_path / "m.loom") == plain
    assert mapped == [True]  # a container of the user's own is read: somebody may shorten it


@pytest.mark.skipif(sys.platform != "linux", reason="hardware: files are mapped on Linux only")
def test_a_damaged_entry_is_not_kept_mapped(
    tmp_path: Path, packed: Path, packings: list[str], mapped: list[bool]
) -> None:
    path = tiny_llama(tmp_path / "m.gguf", qtype="Q8_0", tied=False)
    plain = logits(path)
    (entry,) = packed.glob("*.loom")
    data = bytearray(entry.read_bytes())
    data[-5000] ^= 1
    entry.write_bytes(data)
    assert logits(path) == plain
    assert mapped == [True]
    assert packings == ["m.gguf"] * 2


def test_a_changed_file_has_another_name(tmp_path: Path, packed: Path, packings: list[str]) -> None:
    """One byte of a weight, the same size, the old mtime put back."""
    path = tiny_llama(tmp_path / "m.gguf", qtype="F32", tied=False)
    before, status = logits(path), path.stat()
    with open_gguf(path) as file:
        at = file.tensors["blk.0.attn_v.weight"].offset + 3
    time.sleep(0.05)
    with open(path, "r+b") as raw:
        raw.seek(at)
        (byte,) = raw.read(1)
        raw.seek(at)
        raw.write(bytes([byte ^ 0x80]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_mtime_ns, path.stat().st_size) == (status.st_mtime_ns, status.st_size)
    after = logits(path)
    assert after == logits(path, cache=False)
    assert after != before
    assert len(kept(packed)) == 2


def test_other_paths_to_one_file_find_its_entry(tmp_path: Path, packed: Path, packings: list[str]) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    (tmp_path / "link.gguf").symlink_to(path)
    (folder := tmp_path / "folder").mkdir()
    (folder / "n.gguf").symlink_to(path)
    want = logits(path)
    assert logits(tmp_path / "link.gguf") == logits(folder / "n.gguf") == want
    assert packings == ["m.gguf"]


def test_a_young_file_has_no_name_and_a_written_one_is_noticed(tmp_path: Path) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    with open_gguf(path) as file:
        assert identify_file(file) is None
    os.utime(path, (1, 1))  # mtime may lie; ctime is now
    with open_gguf(path) as file:
        assert identify_file(file) is None
    time.sleep(identity.SETTLED + 0.1)
    with open_gguf(path) as file:
        name = identify_file(file)
        assert name is not None
        assert unchanged(file, name)
        with open(path, "r+b") as raw:
            raw.write(b"G")
        assert not unchanged(file, name)


@pytest.mark.parametrize("damage", ["cut", "header", "weights", "empty", "another model"])
def test_a_damaged_entry_is_packed_anew(damage: str, tmp_path: Path, packed: Path, packings: list[str]) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    want = logits(path)
    (entry,) = packed.glob("*.loom")
    whole = bytearray(entry.read_bytes())
    if damage == "another model":
        logits(tiny_llama(tmp_path / "n.gguf", layers=1))
        (other,) = set(packed.glob("*.loom")) - {entry}
        os.replace(other, entry)
    else:
        if damage in ("header", "weights"):
            whole[20 if damage == "header" else len(whole) - 5000] ^= 1
        entry.write_bytes(whole[: {"cut": 5000, "empty": 0}.get(damage, len(whole))])
    packings.clear()
    assert logits(path) == want
    assert packings == ["m.gguf"]
    assert logits(path) == want
    assert packings == ["m.gguf"]  # and it was mended


def test_an_entry_that_cannot_be_removed_is_done_without(tmp_path: Path, packed: Path, packings: list[str]) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    want = logits(path)
    (entry,) = packed.glob("*.loom")
    entry.unlink()
    entry.mkdir()
    packings.clear()
    assert logits(path) == want
    assert packings == ["m.gguf"]


def test_switched_off_it_is_neither_read_nor_written(
    tmp_path: Path, packed: Path, packings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", "off")
    want = logits(path)
    assert not packed.exists()
    monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", "1GB")
    assert logits(path) == logits(path) == want
    monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", "0")
    assert logits(path) == want
    assert packings == ["m.gguf"] * 3


def test_more_than_the_bound_is_said(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", "10kB")
    logits(tiny_llama(tmp_path / "m.gguf"))
    assert kept(packed) == []
    assert "packed form is not kept" in (err := capsys.readouterr().err)
    assert "TOKENLOOM_CACHE_SIZE" in err


def test_the_longest_unused_makes_room(tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tiny_llama(tmp_path / f"{n}.gguf", seed=n) for n in range(4)]
    for number, path in enumerate(paths[:3]):
        logits(path)
        newest = max(packed.glob("*.loom"), key=lambda p: p.stat().st_ctime_ns)
        os.utime(newest, (1e9 + number, 1e9 + number))
    first, second, third = (e.path for e in entries(packed))
    logits(paths[0])  # a use
    monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", str(3 * first.stat().st_size))
    logits(paths[3])
    assert len(kept(packed)) == 3
    assert first.exists()
    assert third.exists()
    assert not second.exists()


def test_sizes_that_may_be_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for text, want in [
        ("5GB", 5 * 10**9),
        ("1.5 g", 3 << 29),
        ("300", 300),
        ("2MiB", 2 << 20),
        ("OFF", 0),
        ("", None),
    ]:
        monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", text)
        assert asked_bound() == want
    for text in ("much", "-1", "5PB", "1e9", "nan"):
        monkeypatch.setenv("TOKENLOOM_CACHE_SIZE", text)
        with pytest.raises(RequestError, match="TOKENLOOM_CACHE_SIZE"):
            open_cache()
    monkeypatch.delenv("TOKENLOOM_CACHE_SIZE")
    disk = os.statvfs(tmp_path)
    assert bound_of(tmp_path) == pytest.approx(min(cache_module.MOST, disk.f_bavail * disk.f_frsize // 10), rel=0.05)


def test_a_directory_of_others_is_not_used(tmp_path: Path, packed: Path) -> None:
    packed.mkdir(parents=True)
    packed.chmod(0o777)
    assert open_cache() is None
    logits(tiny_llama(tmp_path / "m.gguf"))
    assert list(packed.iterdir()) == []


def test_a_full_disk_is_said_and_leaves_nothing(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    logits(tiny_llama(tmp_path / "m.gguf"))
    assert "was not kept: No space left on device" in capsys.readouterr().err
    assert [p.name for p in packed.iterdir()] == [".lock"]


def test_nothing_is_written_while_the_model_is_busy_or_fresh(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    with tokenloom.load(path, threads=1) as model:
        time.sleep(0.6)
        assert kept(packed) == []  # no token yet
        end = time.monotonic() + 0.8
        while time.monotonic() < end:
            list(model.generate_tokens([7], max_tokens=1, ignore_eos=True))
            time.sleep(0.01)
            assert kept(packed) == []
        deadline = time.monotonic() + 5
        while not kept(packed) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(kept(packed)) == 1  # idle: written while the model is open


def test_a_write_that_takes_too_long_is_given_up_and_said(
    tmp_path: Path, packed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keep, "FELT", 0.05)
    monkeypatch.setattr(keep, "LAST_CHANCE", 0.2)
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda *a: (time.sleep(0.15), real(*a))[1])
    begun = time.monotonic()
    want = logits(path := tiny_llama(tmp_path / "m.gguf"))
    assert time.monotonic() - begun < 5
    err = capsys.readouterr().err
    assert "Ctrl-C skips it" in err
    assert "was not kept" in err
    assert [p.name for p in packed.iterdir()] == [".lock"]
    monkeypatch.setattr(os, "pwrite", real)
    assert logits(path) == want
    assert len(kept(packed)) == 1


# ---- processes -----------------------------------------------------------------------------------------------------------


def test_a_draft_that_nobody_writes_is_removed_and_one_that_is_written_is_left(tmp_path: Path) -> None:
    cache = PackedCache(tmp_path)
    draft = cache.claim("a", 100)
    assert draft is not None
    assert cache.claim("a", 100) is None  # another writer of the same, as another process would be
    (tmp_path / ".b.part").write_text("left by a killed process")
    other = cache.claim("c", 100)
    assert other is not None
    assert sorted(p.name for p in tmp_path.iterdir()) == [".a.part", ".c.part", ".lock"]
    cache.clear()
    with draft:
        cache.commit(draft)
    with other:
        pass
    assert sorted(p.name for p in tmp_path.iterdir()) == [".lock", "a.loom"]


def test_objects_are_bounded_too(tmp_path: Path) -> None:
    for number in range(10):
        (path := tmp_path / f"{number}").write_bytes(bytes(100))
        os.utime(path, (number, number))
    (tmp_path / ".new-1").write_bytes(bytes(100))
    assert [e.path.name for e in evict(tmp_path, 350)] == ["0", "1", "2", "3", "4", "5", "6"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [".new-1", "7", "8", "9"]


SETTINGS = """
    import os, random, signal, sys, time
    from pathlib import Path
    from tokenloom.weights import identity, keep, source
    source.WORTH_KEEPING, identity.SETTLED, keep.TICK = 0, 0.0, 0.0
    from tokenloom.formats.gguf import open_gguf
    from tokenloom.weights.cache import open_cache
    from tokenloom.weights.loader import refs_of
    def bring(path):
        # as load() does; returns the weights and whether they had to be packed
        with open_gguf(path) as file:
            refs = list(refs_of(file).values())
            into = source.place_weights(file, refs)
            unkept = source.load_weights(file, refs, None, None, into, open_cache())
        if unkept is not None:
            keep.Keeper(unkept, lambda: 1, lambda: False).finish()
        return into, unkept is not None
"""

CROWD = (
    SETTINGS
    + """
    sys.stdin.readline()
    for path in sys.argv[1:] * 5:
        into, _ = bring(path)
        print(hash(into.region.bytes(0, into.region.nbytes).tobytes()) % 997)
"""
)


def script(code: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(code)]


def test_processes_that_open_at_once_agree(tmp_path: Path, packed: Path) -> None:
    """Three processes, two files, room for one entry: all of them read and write and evict."""
    paths = [tiny_llama(tmp_path / f"{n}.gguf", seed=n, vocab=2000) for n in range(2)]
    room = str(int(1.5 * paths[0].stat().st_size))
    env = {**os.environ, "PYTHONHASHSEED": "1", "TOKENLOOM_CACHE_SIZE": room}
    crowd = [
        subprocess.Popen(
            script(CROWD) + [str(p) for p in order], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        for order in (paths, paths[::-1], paths)
    ]  # fmt: skip
    outs = [process.communicate("go\n", timeout=60) for process in crowd]
    assert [process.returncode for process in crowd] == [0, 0, 0], outs
    assert {err for _, err in outs} == {""}
    lines = [out.split() for out, _ in outs]
    assert lines[0] == lines[2]
    assert lines[0][:2] == lines[1][1::-1]
    assert len({*lines[0]}) == 2
    assert len(kept(packed)) == 1
    assert [p for p in packed.iterdir() if p.name.endswith(".part")] == []


KILLED = (
    SETTINGS
    + """
    want, _ = bring(sys.argv[1])
    want = want.region.bytes(0, want.region.nbytes).tobytes()
    rng, cache, found = random.Random(int(sys.argv[2])), open_cache(), []
    while len(found) < 20 or (len(found) < 200 and not any(d for _, d in found)):  # until a kill fell into a write
        child = os.fork()
        if child == 0:
            while True:
                cache.clear()
                bring(sys.argv[1])
        time.sleep(rng.uniform(0.0, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for entry in cache.entries():
            with cache.find(entry.path.stem) as file:
                assert source.holds(file, source.place_weights(file, []))
        drafts = list(cache.directory.glob(".*.part"))
        into, packed = bring(sys.argv[1])
        assert into.region.bytes(0, into.region.nbytes).tobytes() == want
        assert len(cache.entries()) == 1, "the lock of a killed process stays in nobody's way"
        again, packed_again = bring(sys.argv[1])
        assert not packed_again
        assert again.region.bytes(0, again.region.nbytes).tobytes() == want
        found.append((packed, len(drafts)))
    print(sum(p for p, _ in found), sum(d for _, d in found), len(found))
"""
)


def test_kills_at_random_moments(tmp_path: Path, packed: Path) -> None:
    """A process that opens, writes and clears all the time is killed; what it leaves is whole or nothing, and the next one goes on."""
    path = tiny_llama(tmp_path / "m.gguf", vocab=60_000, hidden=64)
    done = subprocess.run(
        [*script(KILLED), str(path), str(random.Random(3).randrange(10**6))], capture_output=True, text=True, timeout=120, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    packed_anew, drafts, rounds = map(int, done.stdout.split())
    assert 0 < packed_anew <= rounds
    assert drafts > 0, "no kill fell into a write: the test proves nothing"
    assert [p.name for p in packed.iterdir() if p.name.endswith(".part")] == []


ENDS = """
    import sys, tokenloom
    from tokenloom.weights import identity, source
    source.WORTH_KEEPING, identity.SETTLED = 0, 0.0
    model = tokenloom.load(sys.argv[1], threads=1)
    list(model.generate_tokens([7], max_tokens=1, ignore_eos=True))
    {how}
"""


@pytest.mark.parametrize("how", ["pass", "model.close()", "del model", "sys.exit(0)"])
def test_an_ending_process_keeps_what_it_packed(how: str, tmp_path: Path, packed: Path) -> None:
    path = tiny_llama(tmp_path / "m.gguf")
    done = subprocess.run(
        [*script(ENDS.format(how=how)), str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(kept(packed)) == 1


def test_arrays_are_what_they_were(tmp_path: Path, packed: Path) -> None:
    """A model whose entry is written while it is open and answers on."""
    path = tiny_llama(tmp_path / "m.gguf")
    with tokenloom.load(path, threads=1) as model:
        first = model.logits(IDS)
        time.sleep(0.8)
        assert len(kept(packed)) == 1
        assert np.array_equal(model.logits(IDS), first)
