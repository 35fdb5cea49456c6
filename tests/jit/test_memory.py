"""Memory: a file's pages become a region's and leave again; whatever happens, the addresses stay the region's."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from tokenloom.jit import memory
from tokenloom.jit.memory import HUGE, Region

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="hardware: files are mapped on Linux only")
DATA = np.random.default_rng(1).integers(0, 256, 3 * HUGE + 4096, np.uint8)


@pytest.fixture
def file(tmp_path: Path) -> int:
    """A descriptor; the file itself is gone from its folder, as an entry may be that is mapped."""
    path = tmp_path / "data"
    path.write_bytes(DATA.tobytes())
    fd = os.open(path, os.O_RDONLY)
    path.unlink()
    return fd


def usable(region: Region) -> bool:
    """Zeroed, and can be written."""
    whole = region.bytes(0, region.nbytes)
    zeros = not whole.any()
    whole[:] = 7
    return zeros and bool((whole == 7).all())


def test_a_mapped_file_is_the_region_until_it_is_discarded(file: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOSTLY", 0.0)
    region = Region(DATA.size - HUGE, huge=True)
    address = region.address
    assert region.map_file(file, HUGE)
    os.close(file)
    assert region.address == address
    assert (region.bytes(0, region.nbytes) == DATA[HUGE:]).all()
    region.discard()
    assert usable(region)
    region.discard()
    assert not region.bytes(0, region.nbytes).any()


@pytest.mark.parametrize("why", ["an offset within a huge page", "small pages", "no such file"])
def test_what_is_not_mapped_leaves_a_usable_region(file: int, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOSTLY", 1.1 if why == "small pages" else 0.0)
    region = Region(HUGE, huge=True)
    if why == "no such file":
        os.close(file)
    assert not region.map_file(file, 4096 if why == "an offset within a huge page" else 0)
    assert usable(region)


def test_a_region_may_end_after_the_file_was_unmapped_with_it(file: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its memory goes in one piece: mapped, let go and mapped again a hundred times, the process has no more mappings than before."""
    monkeypatch.setattr(memory, "MOSTLY", 0.0)
    before = len(Path("/proc/self/maps").read_text().splitlines())
    for _ in range(100):
        assert Region(2 * HUGE, huge=True).map_file(file, 0)
    assert len(Path("/proc/self/maps").read_text().splitlines()) < before + 20
    os.close(file)


def test_a_large_file_lies_in_huge_pages(tmp_path: Path) -> None:
    """As it was set: nine tenths, measured by the kernel's own count."""
    nbytes = 64 << 20
    ones = np.ones(nbytes, np.uint8)  # memory never touched would be copied in small pieces
    with (tmp_path / "large").open("w+b", buffering=0) as large:
        for start in range(0, nbytes, 32 << 20):
            large.write(ones[start : start + (32 << 20)].data)
        region = Region(nbytes, huge=True)
        if not region.map_file(large.fileno(), 0):
            pytest.skip("hardware: this kernel and file system hold files in small pages; mapping them is unproved")
        assert region.bytes(0, nbytes).all()
