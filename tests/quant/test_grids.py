"""The code books, held against the `gguf` package's, entry by entry."""

from __future__ import annotations

import gguf
import numpy as np
import pytest

from tests.quant.tiles import grid
from tokenloom.quant.blocks.iq2 import eighth_sign
from tokenloom.quant.grids import GRIDS, entries


@pytest.mark.parametrize("name", GRIDS)
def test_books_are_those_of_the_gguf_package(name: str) -> None:
    theirs = grid("IQ1_S") * 8 if name == "IQ1" else grid(name)
    assert np.array_equal(np.array(entries(name)), theirs)
    assert all(-128 <= value <= 127 for value in GRIDS[name].values)


def test_iq1_m_has_the_book_of_iq1_s() -> None:
    assert gguf.quants.IQ1_M.grid_hex == gguf.quants.IQ1_S.grid_hex


def test_the_eighth_sign_is_the_packages() -> None:
    theirs = np.frombuffer(gguf.quants.IQ2_XXS.ksigns, np.uint8)
    for kind in (np.uint8, np.uint16, np.uint32):
        assert np.array_equal(eighth_sign(np.arange(128, dtype=kind)), theirs)
