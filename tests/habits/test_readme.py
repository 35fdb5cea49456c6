"""The README says what the tables say: commands, tiers, tensor types, environment variables, and the two set-up commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tokenloom.cli.main import app
from tokenloom.cli.quantize import TYPES
from tokenloom.errors import UnsupportedError
from tokenloom.jit.cpu import TIERS
from tokenloom.models.registry import family_of
from tokenloom.quant.table import QTYPES
from tokenloom.runtime.default_model import DEFAULT_SYSTEM, INSTALL

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
SOURCE = "\n".join(p.read_text() for p in (ROOT / "src").rglob("*.py"))
SUPPORTED = [t.name for t in QTYPES.values() if t.supported]


@pytest.mark.parametrize("name", [c.name for c in app.registered_commands])
def test_every_command_is_shown(name):
    assert f"tokenloom {name}" in README


@pytest.mark.parametrize("name", list(TIERS))
def test_every_tier_is_named(name):
    assert f"`{name}`" in README


def test_the_tensor_types_are_those_that_are_computed_with():
    listed = re.search(r"weights in ([A-Z0-9_, \n]+)\.", README)
    assert listed
    assert sorted(re.findall(r"[A-Z0-9_]+", listed.group(1))) == sorted(SUPPORTED)


def test_the_types_that_quantize_writes_are_those_it_knows():
    listed = re.search(r"`tokenloom quantize` writes ([A-Z0-9_, or\n]+) into", README)
    assert listed
    assert re.findall(r"[A-Z0-9_]+", listed.group(1)) == list(TYPES)


def test_the_default_models_system_message_is_shown():
    assert f'"{DEFAULT_SYSTEM}"' in README


def test_the_default_models_package_is_installed_as_the_error_says():
    assert INSTALL in README


def test_the_architectures_are_those_that_are_run():
    listed = re.search(r"of the ((?:`\w+`(?:, | and )?)+) architectures", README)
    assert listed
    with pytest.raises(UnsupportedError) as refusal:
        family_of("no such architecture")
    run = str(refusal.value).rpartition("tokenloom runs ")[2].split(", ")
    assert sorted(re.findall(r"\w+", listed.group(1).replace(" and ", " "))) == run


def test_environment_variables_are_those_the_source_reads():
    read = set(re.findall(r"environ\.get\(\"(TOKENLOOM_[A-Z_]+)\"", SOURCE))
    assert read == set(re.findall(r"^\| `(TOKENLOOM_[A-Z_]+)` \|", README, re.MULTILINE))


def test_ci_runs_the_readmes_commands():
    ci = (ROOT / ".ci" / "run").read_text()
    assert "python3 dev.py run\n" in README
    assert "python3 dev.py test\n" in README
    assert "dev.py run" in ci
    assert "dev.py test\n" in ci
