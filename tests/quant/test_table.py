"""The table of tensor types, held against the `gguf` package and, where it is installed, ggml's own library."""

from __future__ import annotations

import gguf
import pytest

from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.layout import PACKED
from tokenloom.quant.table import BY_NAME, QTYPES, REMOVED, row_bytes

# ggml's struct holds two halves and 32 codes (36 bytes); the package still counts the two floats of an older layout.
GGUF_PACKAGE_IS_WRONG = {"Q8_1": (32, 36)}


def test_every_type_of_the_gguf_package_has_our_name_and_size() -> None:
    for theirs, size in gguf.GGML_QUANT_SIZES.items():
        ours = QTYPES[int(theirs)]
        assert ours.name == theirs.name
        assert (ours.block, ours.nbytes) == GGUF_PACKAGE_IS_WRONG.get(ours.name, tuple(size)), ours.name


def test_names_and_ids_are_unique_and_removed_ones_have_no_layout() -> None:
    assert len(BY_NAME) == len(QTYPES)
    assert not set(REMOVED) & set(QTYPES)
    assert not set(REMOVED.values()) & set(BY_NAME)
    assert set(REMOVED) | set(QTYPES) == set(range(max(QTYPES) + 1))


def test_every_supported_type_has_a_codec_and_a_packed_tile() -> None:
    supported = {t.name for t in QTYPES.values() if t.supported}
    assert supported >= {"F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1"}
    assert supported <= set(FORMATS)
    assert set(FORMATS) == set(PACKED)


def test_row_bytes() -> None:
    assert row_bytes(BY_NAME["Q8_0"], 64) == 68
    assert row_bytes(BY_NAME["F32"], 3) == 12
    assert row_bytes(BY_NAME["Q4_K"], 0) == 0
    assert BY_NAME["Q4_0"].bits_per_weight == 4.5
    with pytest.raises(ValueError, match="33 elements is not a whole number of Q8_0 blocks of 32"):
        row_bytes(BY_NAME["Q8_0"], 33)
    with pytest.raises(ValueError, match="-32 elements"):
        row_bytes(BY_NAME["Q8_0"], -32)
