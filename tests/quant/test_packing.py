"""Packed tiles say what the file says, in no more bytes than it takes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.quant.tiles import DECODERS, decode
from tokenloom.errors import FormatError, UnsupportedError
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.layout import LINE, PACKED, layout, plane_bytes
from tokenloom.quant.packing import pack
from tokenloom.quant.table import BY_NAME, row_bytes


def random_rows(name: str, rows: int, k: int, seed: int = 5) -> np.ndarray:
    """Any bytes, but for the scale byte that MXFP4 refuses."""
    raw = np.random.default_rng(seed).integers(0, 256, (rows, row_bytes(BY_NAME[name], k)), dtype=np.uint8)
    if name == "MXFP4":
        raw[:, ::17] = np.minimum(raw[:, ::17], 254)
    return raw


def packed(name: str, raw: np.ndarray, k: int) -> np.ndarray:
    out = np.zeros((-(-len(raw) // 16), layout(name, k).stride), np.uint8)
    pack(name, raw, out)
    return out


def test_every_packed_type_has_a_decoder_here() -> None:
    assert set(DECODERS) == set(PACKED)


@pytest.mark.parametrize("name", PACKED)
@pytest.mark.parametrize(("rows", "blocks"), [(16, 1), (32, 3), (37, 2), (1, 1), (15, 5)])
def test_a_tile_read_element_by_element_gives_the_values_of_the_file(name: str, rows: int, blocks: int) -> None:
    kind = BY_NAME[name]
    k = kind.block * blocks
    raw = random_rows(name, rows, k)
    out = packed(name, raw, k)
    found = decode(name, out, k, kind.block, dict(layout(name, k).planes))
    expected = dequantize(kind, raw)
    nan = np.isnan(expected)
    assert np.array_equal(nan, np.isnan(found[:rows]))
    assert np.array_equal(expected[~nan].view(np.uint32), found[:rows][~nan].view(np.uint32))
    assert not np.nan_to_num(found[rows:]).any()


@pytest.mark.parametrize("name", PACKED)
def test_many_tiles_at_once_are_the_tiles_one_by_one(name: str) -> None:
    """Rows are packed in pieces; a piece's end is no different from its middle."""
    k = BY_NAME[name].block * (4 if BY_NAME[name].block > 1 else 300)
    raw = random_rows(name, 16 * 200 + 3, k)
    out = packed(name, raw, k)
    for tile in (0, 1, 57, 113, 199):
        assert np.array_equal(out[tile : tile + 1], packed(name, raw[16 * tile : 16 * tile + 16], k))


@pytest.mark.parametrize("name", PACKED)
def test_bytes_are_the_files_but_for_padding(name: str) -> None:
    """At most 63 bytes a plane and 15 rows a tensor are added."""
    kind = BY_NAME[name]
    assert sum(nbytes for _, nbytes in plane_bytes(name)) == 16 * kind.nbytes
    for blocks in (1, 2, 3, 17, 64):
        k = kind.block * blocks
        shape = layout(name, k)
        assert shape.stride % LINE == 0
        assert all(offset % LINE == 0 for offset in shape.planes.values())
        assert 0 <= shape.stride - 16 * row_bytes(kind, k) <= 63 * len(shape.planes)
    assert layout(name, kind.block * 64).stride <= 1.01 * 16 * row_bytes(kind, kind.block * 64)


def test_no_rows_and_no_columns() -> None:
    pack("Q8_0", np.zeros((0, 68), np.uint8), np.zeros((0, 1088), np.uint8))
    pack("Q4_K", np.zeros((16, 0), np.uint8), np.zeros((1, 0), np.uint8))
    assert layout("Q4_K", 0).stride == 0


def test_refusals() -> None:
    with pytest.raises(FormatError, match="scale byte 255, which stands for NaN"):
        pack("MXFP4", np.full((16, 17), 255, np.uint8), np.zeros((1, 320), np.uint8))
    with pytest.raises(UnsupportedError, match="NVFP4 cannot be packed"):
        pack("NVFP4", np.zeros((16, 36), np.uint8), np.zeros((1, 576), np.uint8))
    with pytest.raises(ValueError, match=r"fill tiles \[2, 576\], not \[1, 576\]"):
        pack("Q8_0", np.zeros((17, 34), np.uint8), np.zeros((1, 576), np.uint8))
    with pytest.raises(ValueError, match="a tile of 33 columns is not a whole number of Q8_0 blocks"):
        layout("Q8_0", 33)
