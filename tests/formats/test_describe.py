"""What `describe` says of a real model and of files that say little or lie."""

from __future__ import annotations

import json
import math
from pathlib import Path

from tests.formats.gguf_build import CHATML, Builder, tiny_llama
from tokenloom.formats.describe import describe
from tokenloom.formats.gguf import open_gguf


def test_smollm2(smollm2: Path) -> None:
    with open_gguf(smollm2) as model:
        info = describe(model, tensors=True)
    assert json.loads(json.dumps(info, allow_nan=False)) == info
    expected = {
        "architecture": "llama", "format": "GGUF v3", "parameters": 134515008, "tensor_count": 272,
        "context_length": 8192,
        "hidden_size": 576, "layers": 30, "heads": 9, "kv_heads": 3, "feed_forward": 1536, "experts": None,
        "license": "apache-2.0", "chat_template": True, "shards": 1,
    }  # fmt: skip
    assert {key: info[key] for key in expected} == expected
    assert list(info["quant"]) == ["Q4_1", "Q8_0", "F32"]
    assert sum(row["parameters"] for row in info["quant"].values()) == info["parameters"]
    assert sum(row["bytes"] for row in info["quant"].values()) == info["tensor_bytes"] < info["file_bytes"]
    assert info["tokenizer"]["vocab_size"] == 49152
    assert (info["tokenizer"]["model"], info["tokenizer"]["pre"]) == ("gpt2", "smollm")
    assert (info["tokenizer"]["bos_id"], info["tokenizer"]["eos_id"]) == (1, 2)
    row = {"name": "token_embd.weight", "shape": [49152, 576], "type": "Q8_0", "bytes": 30081024, "shard": 0}
    assert info["tensors"][0] == row


def test_a_tiny_model(tmp_path: Path) -> None:
    scaling = {"type": "linear", "factor": 4.0}
    path = tiny_llama(tmp_path / "m.gguf", template=CHATML, rope_scaling=scaling, qtypes={"token_embd": "F16"})
    with open_gguf(path) as model:
        info = describe(model)
    assert "tensors" not in info
    assert set(info["quant"]) == {"Q8_0", "F16", "F32"}
    assert info["rope"]["scaling.type"] == "linear"
    assert info["rope"]["scaling.factor"] == 4.0


def test_a_file_that_says_nothing_and_one_that_lies(tmp_path: Path) -> None:
    with open_gguf(Builder().write(tmp_path / "nothing.gguf")) as model:
        info = describe(model)
    assert info["architecture"] is None
    assert info["layers"] is None
    assert info["quant"] == {}
    b = (
        Builder()
        .add("general.architecture", "str", "x")
        .add("general.name", "u8", 3)
        .add("x.block_count", "str", "many")
    )
    b.add("x.attention.head_count", ["u32"], [1, 2]).add("x.context_length", "f32", math.nan).add(
        "x.expert_count", "bool", True
    )
    b.add("x.rope.freq_base", "f32", math.inf).add("tokenizer.ggml.tokens", "str", "abc")
    with open_gguf(b.write(tmp_path / "lies.gguf")) as model:
        info = describe(model)
    json.dumps(info, allow_nan=False)
    assert (info["name"], info["layers"], info["context_length"], info["experts"]) == (None, None, None, None)
    assert info["heads"] == [1, 2]
    assert info["rope"] == {"freq_base": "inf"}
    assert info["tokenizer"]["vocab_size"] is None
