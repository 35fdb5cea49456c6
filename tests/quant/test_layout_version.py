"""Packed bytes outlive the program that packed them: a type whose tiles change must change the layout version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from tokenloom.quant.blocks import FORMATS
from tokenloom.quant.layout import LAYOUT_VERSION, ROWS, layout
from tokenloom.quant.packing import pack
from tokenloom.quant.table import BY_NAME

GOLDEN: dict[str, str] = json.loads((Path(__file__).parent / f"layout_v{LAYOUT_VERSION}.json").read_text())


def digest(qtype: str) -> str:
    """Of the tiles of 20 rows of 512 columns, whose bytes in the file are a fixed sequence."""
    kind = BY_NAME[qtype]
    width = 512 // kind.block * kind.nbytes
    raw = np.random.default_rng(2026).integers(0, 256, (20, width), np.uint8)
    out = np.zeros((-(-20 // ROWS), layout(qtype, 512).stride), np.uint8)
    pack(qtype, raw, out)
    return hashlib.sha256(out.tobytes()).hexdigest()[:32]


@pytest.mark.parametrize("qtype", list(FORMATS))
def test_tiles_are_those_of_the_version(qtype: str) -> None:
    """A new type is added to the file of the present version; for a changed one LAYOUT_VERSION counts up, and its file is made anew."""
    assert GOLDEN.get(qtype) == digest(qtype)


def test_every_type_has_its_golden_digest() -> None:
    assert set(GOLDEN) == set(FORMATS)
