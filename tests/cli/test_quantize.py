"""`tokenloom quantize` from file to file: what changes, what is copied, and what a failure leaves behind."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest
from tests.formats.gguf_build import Builder, Tensor, tiny_llama, tiny_llama_builder

from tokenloom.cli import quantize as command
from tokenloom.formats.gguf import open_gguf
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.encoders import ENCODERS
from tokenloom.quant.table import BY_NAME
from tokenloom.weights import requantize
from tokenloom.weights.requantize import FALLBACKS, FILE_TYPES


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return tiny_llama(tmp_path / "in.gguf", qtype="F32", hidden=256, ff=512, head_dim=64)


def values(path: Path) -> dict[str, np.ndarray]:
    """By the `gguf` package, which shares nothing with our reader."""
    return {
        str(t.name): gguf.quants.dequantize(t.data, t.tensor_type).reshape(tuple(reversed(t.shape.tolist())))
        for t in gguf.GGUFReader(path).tensors
    }


def types(path: Path) -> dict[str, str]:
    with open_gguf(path) as file:
        return {name: info.qtype.name for name, info in file.tensors.items()}


def test_the_tables_agree():
    assert set(command.TYPES) == set(ENCODERS) == set(FILE_TYPES)
    for name, stand_in in FALLBACKS.items():
        assert stand_in in ENCODERS
        assert BY_NAME[name].block > BY_NAME[stand_in].block
        assert BY_NAME[name].bits_per_weight <= BY_NAME[stand_in].bits_per_weight
    for name in ENCODERS:  # every chain of stand-ins ends at a type that any row fits
        while BY_NAME[name].block > 1:
            name = FALLBACKS[name]


@pytest.mark.parametrize("name", command.TYPES)
def test_every_type_makes_a_file_that_another_reader_reads(name, model, tmp_path, cli):
    out = tmp_path / "out.gguf"
    outcome = cli("quantize", str(model), str(out), "--type", name)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith(f"{out}: ")
    assert outcome.out.count("\n") == 1
    before, after = values(model), values(out)
    assert list(before) == list(after)
    kinds = types(out)
    steps = {
        "TQ1_0": 0.9, "TQ2_0": 0.9, "Q2_K": 0.3, "Q3_K": 0.17, "IQ4_XS": 0.08,
        "IQ4_NL": 0.08, "Q4_K": 0.08, "Q4_1": 0.08, "Q4_0": 0.1, "Q5_K": 0.04, "Q5_1": 0.04, "Q5_0": 0.05,
        "Q6_K": 0.02, "Q8_0": 0.006, "BF16": 0.003, "F16": 0.001,
    }  # fmt: skip
    for tensor, x in before.items():
        assert kinds[tensor] == ("F32" if x.ndim == 1 else name)
        rms = np.sqrt(np.mean((after[tensor] - x) ** 2) / np.mean(x**2))
        assert rms <= (steps.get(kinds[tensor], 0.0))


def test_metadata_is_copied_byte_for_byte_but_for_the_files_type(model, tmp_path, cli):
    out = tmp_path / "out.gguf"
    assert cli("quantize", str(model), str(out), "--type", "q4_k").code == 0
    before, after = gguf.GGUFReader(model), gguf.GGUFReader(out)
    added = {"general.file_type": 14, "general.quantization_version": 2}
    for key, field in before.fields.items():
        if key.startswith("GGUF.") or key in added:
            continue
        same = after.fields[key]
        assert (field.types, b"".join(map(bytes, field.parts))) == (same.types, b"".join(map(bytes, same.parts)))
    with open_gguf(out) as file:
        assert {key: file.metadata[key] for key in added} == added
        assert set(file.metadata) == {k for k in before.fields if not k.startswith("GGUF.")} | set(added)


def test_a_quantized_model_runs(model, tmp_path, cli):
    import tokenloom

    out = tmp_path / "out.gguf"
    assert cli("quantize", str(model), str(out), "--type", "Q8_0").code == 0
    with tokenloom.load(model, threads=1) as a, tokenloom.load(out, threads=1) as b:
        ids = a.tokenize("the of and")
        exact, near = a.logits(ids), b.logits(ids)
    assert np.abs(near - exact).max() < 0.1 * np.abs(exact).max()


def test_rows_that_are_no_whole_number_of_blocks_take_the_next_type_and_say_so(tmp_path, cli):
    b = Builder().add("general.architecture", "str", "llama")
    for name, k in (("a", 256), ("b", 96), ("c", 96), ("d", 40)):
        b.add_tensor(f"{name}.weight", np.ones((4, k), np.float32))
    source, out = b.write(tmp_path / "in.gguf"), tmp_path / "out.gguf"
    outcome = cli("quantize", str(source), str(out), "--type", "Q4_K")
    assert outcome.code == 0
    assert list(types(out).values()) == ["Q4_K", "Q5_0", "Q5_0", "F16"]
    assert outcome.err.splitlines() == [
        "tokenloom: 2 tensors have rows of 96, no multiple of Q4_K's 256: they become Q5_0",
        "tokenloom: 1 tensor has rows of 40, no multiple of Q4_K's 256: it becomes F16",
    ]


def test_quantized_tensors_are_read_and_those_of_the_same_type_copied(tmp_path, cli):
    source = tiny_llama(tmp_path / "in.gguf", qtype="Q4_0", qtypes={"ffn_up": "Q8_0"})
    out = tmp_path / "out.gguf"
    outcome = cli("quantize", str(source), str(out), "--type", "Q8_0")
    assert outcome.code == 0
    assert "were Q4_0 already" in outcome.err
    with open_gguf(source) as a, open_gguf(out) as b:
        name = "blk.0.ffn_up.weight"
        assert np.array_equal(a.read(name), b.read(name))
        name = "blk.0.ffn_gate.weight"
        raw = [file.read(name).reshape(file.tensors[name].shape[0], -1) for file in (a, b)]
        x, y = dequantize(BY_NAME["Q4_0"], raw[0]), dequantize(BY_NAME["Q8_0"], raw[1])
        assert np.abs(x - y).max() <= np.abs(x).max() / 127


def test_what_is_no_weight_is_left_alone(tmp_path, cli):
    b = Builder().add("general.architecture", "str", "llama")
    half = np.ones((4, 64), np.float32)
    b.add_tensor("blk.0.ffn_gate_inp.weight", half, "F16").add_tensor("blk.0.attn_norm.weight", half, "F32")
    b.add_tensor("some.table", half, "F16").add_tensor("blk.0.attn_q.bias", np.ones(64, np.float32), "F16")
    b.add_tensor("blk.0.ffn_up_exps.weight", np.ones((3, 4, 64), np.float32), "F16")
    b.tensors.append(Tensor("ids.weight", (2, 4), 26, np.arange(8, dtype=np.int32).tobytes()))
    source, out = b.write(tmp_path / "in.gguf"), tmp_path / "out.gguf"
    assert cli("quantize", str(source), str(out), "--type", "Q8_0").code == 0
    assert types(out) == {
        "blk.0.ffn_gate_inp.weight": "F16",
        "blk.0.attn_norm.weight": "F32",
        "some.table": "F16",
        "blk.0.attn_q.bias": "F32",
        "blk.0.ffn_up_exps.weight": "Q8_0",
        "ids.weight": "I32",
    }
    with open_gguf(out) as file:
        assert file.tensors["blk.0.ffn_up_exps.weight"].shape == (3, 4, 64)
        assert np.array_equal(file.read("ids.weight").view(np.int32), np.arange(8))


def test_a_split_model_becomes_one_file(tmp_path, cli):
    builder = tiny_llama_builder(qtype="F16")
    builder.alignment = 64
    whole, first = builder.write(tmp_path / "whole.gguf"), builder.write_split(tmp_path, "parts", 3)[0]
    a, b = tmp_path / "a.gguf", tmp_path / "b.gguf"
    assert cli("quantize", str(whole), str(a), "--type", "Q8_0").code == 0
    assert cli("quantize", str(first), str(b), "--type", "Q8_0").code == 0
    assert a.read_bytes() == b.read_bytes()


def test_threads_change_nothing(tmp_path, cli, monkeypatch):
    monkeypatch.setattr(requantize, "_PIECE", 1 << 12)
    source = tiny_llama(tmp_path / "in.gguf", qtype="F32", hidden=256, head_dim=64)
    for threads in ("1", "3"):
        out = str(tmp_path / f"{threads}.gguf")
        assert cli("quantize", str(source), out, "--type", "Q4_K", "-t", threads).code == 0
    assert (tmp_path / "1.gguf").read_bytes() == (tmp_path / "3.gguf").read_bytes()


def test_an_existing_file_is_kept_unless_forced(model, tmp_path, cli):
    out = tmp_path / "out.gguf"
    out.write_text("mine")
    outcome = cli("quantize", str(model), str(out), "--type", "Q8_0")
    assert outcome.code == 1
    assert "exists already" in outcome.err
    assert "--force" in outcome.err
    assert out.read_text() == "mine"
    assert cli("quantize", str(model), str(out), "--type", "Q8_0", "--force").code == 0
    assert types(out)["token_embd.weight"] == "Q8_0"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.gguf", "out.gguf"]


def test_the_source_is_never_overwritten(model, tmp_path, cli):
    link = tmp_path / "link.gguf"
    link.symlink_to(model)
    before = model.read_bytes()
    for target in (model, link):
        for flags in ([], ["--force"]):
            outcome = cli("quantize", str(model), str(target), "--type", "F16", *flags)
            assert outcome.code == 1
            assert "is the file that is read" in outcome.err
    assert model.read_bytes() == before


def test_a_failure_leaves_nothing_behind(tmp_path, cli):
    b = tiny_llama_builder(qtype="F32")
    last = b.tensors[-2]
    b.tensors[-2] = Tensor(last.name, last.shape, last.type_id, last.data[:-4] + np.float32("nan").tobytes())
    source, out = b.write(tmp_path / "in.gguf"), tmp_path / "out.gguf"
    outcome = cli("quantize", str(source), str(out), "--type", "Q8_0")
    assert outcome.code == 1
    assert f"tensor {last.name!r}: it holds a NaN" in outcome.err
    out.write_text("mine")
    assert cli("quantize", str(source), str(out), "--type", "Q8_0", "--force").code == 1
    assert out.read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.gguf", "out.gguf"]


def test_refusals(model, tmp_path, cli):
    out = str(tmp_path / "out.gguf")
    for arguments, code, named in (
        (["quantize", str(model), out], 2, "--type"),
        (["quantize", str(model), "--type", "Q8_0"], 2, "OUT"),
        (["quantize", str(model), out, "--type", "Q4_K_M"], 2, "Q4_K is the nearest of the types F32"),
        (["quantize", str(tmp_path / "none.gguf"), out, "--type", "Q8_0"], 1, "no such file"),
        (["quantize", str(model), str(tmp_path / "no" / "out.gguf"), "--type", "Q8_0"], 1, "there is no directory"),
        (["quantize", str(model), str(tmp_path), "--type", "Q8_0", "--force"], 1, "is a directory"),
    ):
        outcome = cli(*arguments)
        assert outcome.code == code, arguments
        assert named in outcome.err
        assert outcome.err.count("\n") == 1
    b = Builder().add("general.architecture", "str", "llama")
    b.tensors.append(Tensor("x.weight", (1, 256), BY_NAME["NVFP4"].ggml_id, bytes(144)))
    outcome = cli("quantize", str(b.write(tmp_path / "iq.gguf")), out, "--type", "Q8_0")
    assert outcome.code == 1
    assert "tensor 'x.weight' is NVFP4, which cannot be decoded" in outcome.err
    assert not Path(out).exists()
