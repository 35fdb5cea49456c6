"""One printed kernel per tier, as text that a change of the generator has to change on purpose.

TOKENLOOM_GOLDEN=update pytest tests/kernels/test_golden_ir.py    writes the files anew; read the difference before committing it.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import pytest

from tokenloom.jit.cpu import TIERS
from tokenloom.kernels.catalog import kernels

GOLDEN = Path(__file__).parent / "golden"
PRINTED = [  # the smallest kernels that show what a tier does its own way
    ("generic", "rms_norm"),  # fma through round-to-odd
    ("avx2", "matmul_q8_0_one"),  # vpmaddubsw with moved signs, two lane groups of two tiles
    ("avx512", "matmul_q8_0_one"),
    ("avx512vnni", "matmul_q8_0_one"),  # vpdpbusd with its offset corrected
]
LARGEST = 64 << 10


def printed(tier: str, name: str) -> str:
    return kernels(TIERS[tier])[name].ir(TIERS[tier]).rstrip("\n") + "\n"


def difference(want: str, got: str) -> str:
    return "\n".join(
        difflib.unified_diff(want.splitlines(), got.splitlines(), "golden", "printed now", lineterm="", n=2)
    )


@pytest.mark.parametrize(("tier", "name"), PRINTED, ids=[f"{n}-{t}" for t, n in PRINTED])
def test_golden_ir(tier: str, name: str) -> None:
    path, now = GOLDEN / f"{name}.{tier}.ll", printed(tier, name)
    if os.environ.get("TOKENLOOM_GOLDEN") == "update":
        path.write_text(now)
    changed = difference(path.read_text(), now)
    assert not changed, f"{path.name} (TOKENLOOM_GOLDEN=update accepts it):\n{changed}"
    assert len(now) <= LARGEST, "golden files are for reading; print a smaller kernel"


def test_guard_of_golden_fails_when_a_line_changes() -> None:
    text = printed("generic", "rms_norm")
    assert difference(text, text) == ""
    assert "+  ; planted" in difference(text, text.replace("entry:", "entry:\n  ; planted", 1))
