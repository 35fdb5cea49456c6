"""The profiler's books balance, its counts are those of the model's file, and it blames the kernel that is slow."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.formats.gguf_build import tiny_llama

import tokenloom
from tokenloom.bench import profile as profiling
from tokenloom.bench.machine import Conditions
from tokenloom.bench.profile import OUTSIDE, WAKING, Sample, Stepped, as_dict, profile, summarize, times
from tokenloom.bench.profile_plot import roofline
from tokenloom.bench.profile_work import StepFacts, work_of
from tokenloom.bench.wall import Walls
from tokenloom.cli.main import main
from tokenloom.errors import ContextOverflowError, RequestError, UnsupportedError
from tokenloom.jit.cpu import TIERS
from tokenloom.kernels.args import Args, Kernel
from tokenloom.kernels.catalog import kernels
from tokenloom.kernels.rows import FINITE
from tokenloom.runtime.model import Model
from tokenloom.trace import lower
from tokenloom.trace.tape import Entry

WALLS = Walls(10.0, 400.0, 100.0)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walls are tested elsewhere; few prompts are enough."""
    monkeypatch.setattr(profiling, "measure", lambda tier, threads: WALLS)
    monkeypatch.setattr(profiling, "PROMPT_SECONDS", 0.0)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    qtypes = {"blk.0.ffn_down.weight": "F16", "blk.1.attn_q.weight": "Q4_0"}
    return tiny_llama(tmp_path_factory.mktemp("profile") / "tiny.gguf", ctx=256, qtypes=qtypes)


@pytest.fixture(scope="module")
def model(file: Path) -> Iterator[Model]:
    with tokenloom.load(file, threads=2) as opened:
        yield opened


# ---- from stamps to shares --------------------------------------------------------------------------------------------


def stamps(begun: list[int], *marks: list[tuple[int, int]]) -> np.ndarray:
    """Of two threads: their begins, then (kernel end, barrier end) of each for every entry."""
    return np.array([*marks, [(t, 0) for t in begun]], np.int64)


def test_times_are_averages_over_the_threads():
    compute, wait, late, whole = times(stamps([100, 120], [(200, 210), (180, 210)], [(220, 300), (300, 300)]))
    assert compute.tolist() == [(100 + 60) / 2, (10 + 90) / 2]
    assert wait.tolist() == [(10 + 30) / 2, 80 / 2]
    assert (late, whole) == (10, 200)
    assert compute.sum() + wait.sum() + late == whole


def step(model: Model, over: float, scale: int = 1) -> Stepped:
    """A step of two entries, norm and finite check, of 100 and 50 cycles times `scale`."""
    calls = [c for c in model._engine._tapes["one"].calls if c.kernel.name in ("rms_norm", "finite")][-2:]
    marks = stamps([0, 0], [(100 * scale,) * 2] * 2, [(150 * scale,) * 2] * 2)
    return Stepped(calls, marks, over, StepFacts(1, 1, 0))


def test_the_quicker_half_is_kept(model: Model):
    samples = [Sample(0.0, [step(model, 10.0, 9)]), Sample(0.0, [step(model, 2.0)]), Sample(1.0, [step(model, 3.0)])]
    phase = summarize("decode", 0, samples, 0.25, hz=100.0)
    shares = {s.name: s for s in phase.shares}
    assert (phase.taken, phase.kept, phase.wall_s, phase.tokens_per_s) == (3, 2, 2.0, 0.5)
    assert shares["norm"].compute_s == 1.0
    assert shares["finite check"].compute_s == 0.5
    assert shares[OUTSIDE].compute_s == 0.5
    assert (phase.barriers, phase.foreign) == (2, 0.25)


# ---- real steps -------------------------------------------------------------------------------------------------------


def test_what_others_take_is_said(model: Model, file: Path, capsys, monkeypatch: pytest.MonkeyPatch):
    """The planted disturbance: a watch that has seen another process at work."""

    class Watch:
        def __init__(self, own: tuple[int, ...]) -> None:
            assert own == ()

        def end(self) -> Conditions:
            return Conditions(0.75, None, None, None)

    monkeypatch.setattr(profiling, "Watch", Watch)
    assert [p.foreign for p in profile(model, prompt=8, decode=2).phases] == [0.75, 0.75]
    assert main(["profile", str(file), "-p", "8", "-n", "0"]) == 0
    assert "other processes kept 0.75 CPUs busy" in capsys.readouterr().out


def test_all_of_the_time_is_accounted_for(model: Model):
    for phase in profile(model, prompt=100, decode=16, depth=9).phases:
        assert phase.total.compute_s + phase.total.wait_s == pytest.approx(phase.wall_s, rel=1e-6)
        assert all(s.compute_s >= 0 and s.wait_s >= 0 for s in phase.shares)
        assert sum(s.compute_s for s in phase.details) + next(
            s.compute_s for s in phase.shares if s.name == OUTSIDE
        ) == pytest.approx(phase.total.compute_s)
        assert WAKING in {s.name for s in phase.shares}
        assert phase.tokens == (1 if phase.name == "decode" else 100)


def matrices(model: Model) -> dict[str, tuple[int, int]]:
    """Packed bytes and padded elements of every matrix that is multiplied (the embedding is, being tied)."""
    found = {}
    for t in model._engine._weights.tensors.values():
        if t.layout is not None:
            tiles = -(-t.shape[0] // 16)
            found[t.name] = (tiles * t.layout.stride, tiles * 16 * t.shape[1])
    return found


def test_bytes_and_operations_of_a_token_are_the_file_s(model: Model):
    """Every matrix is read once, every element multiplied and added once, and all visible pages of the cache are read."""
    depth = 40
    (phase,) = profile(model, prompt=0, decode=1, depth=depth).phases
    shares = {s.name: s for s in phase.shares}
    products = {name: s for name, s in shares.items() if name.startswith("product")}
    assert set(products) == {"product Q8_0", "product Q4_0", "product F16"}
    packed = matrices(model)
    assert sum(s.nbytes for s in products.values()) == sum(nbytes for nbytes, _ in packed.values())
    assert sum(s.int_ops + s.float_ops for s in products.values()) == 2 * sum(count for _, count in packed.values())
    assert products["product F16"].float_ops == 2 * packed["blk.0.ffn_down.weight"][1]
    assert products["product F16"].int_ops == 0
    config = model.config
    slot = 2 * config.num_key_value_heads * config.head_dim * 2 * config.num_hidden_layers
    assert shares["attention"].nbytes == 48 * slot  # 41 slots are three pages
    assert shares["rope"].nbytes == slot
    dims = config.num_attention_heads * config.head_dim * config.num_hidden_layers
    assert shares["attention"].float_ops == 4 * dims * (depth + 1)


def test_a_layer_with_a_window_reads_less(tmp_path: Path):
    """Three layers, two of which see 20 of 81 slots: pages 4 and 5 instead of six."""
    with tokenloom.load(
        tiny_llama(tmp_path / "m.gguf", window=20, slides=[True, False, True], layers=3), threads=1
    ) as m:
        (phase,) = profile(m, prompt=0, decode=1, depth=80).phases
        (share,) = [s for s in phase.shares if s.name == "attention"]
        page = m._engine.pool.shapes[0].page_bytes
    assert share.nbytes == (3 + 6 + 3) * page
    assert share.float_ops == 4 * 64 * (20 + 81 + 20)


def test_operations_of_a_prompt(model: Model):
    """A product has a row for each token, the head only for the last; weights are read once in each step."""
    (phase,) = profile(model, prompt=50, decode=0).phases
    packed = matrices(model)
    head = packed["token_embd.weight"][1]
    others = sum(count for _, count in packed.values()) - head
    products = [s for s in phase.shares if s.name.startswith("product")]
    assert sum(s.int_ops + s.float_ops for s in products) == 2 * (50 * others + head)
    assert sum(s.nbytes for s in products) == sum(nbytes for nbytes, _ in packed.values())


def test_the_path_is_production_s(model: Model):
    """Nothing of it stays behind, and what was sampled is what is sampled without it."""
    prompt = [5, 6, 7]
    before = list(model.generate_tokens(prompt, max_tokens=8, ignore_eos=True))
    result = profile(model, prompt=20, decode=4)
    assert model._engine.watcher is None
    assert list(model.generate_tokens(prompt, max_tokens=8, ignore_eos=True)) == before
    assert (result.tier, result.threads) == (model.tier, 2)


def test_a_slow_kernel_is_blamed(file: Path, monkeypatch: pytest.MonkeyPatch):
    """The planted violation: a finite check that does its work many thousand times."""

    def slow(a: Args) -> None:
        for _ in a.b.range(0, 20_000):
            a.b.fence()
            FINITE.emit(a)

    monkeypatch.setattr(lower, "FINITE", Kernel("finite", FINITE.params, slow))
    with tokenloom.load(file, threads=1) as opened:
        (phase,) = profile(opened, prompt=0, decode=8).phases
    assert phase.shares[0].name == "finite check"
    assert phase.shares[0].compute_s > 0.8 * phase.wall_s


def test_every_kernel_has_an_op_class():
    """Their words are made up; names and words that a new kernel does not share are missed here."""
    for tier in TIERS.values():
        for kernel in kernels(tier).values():
            values: dict[str, object] = dict.fromkeys((p for p in kernel.params if not p.startswith("*")), 16)
            work = work_of(Entry(kernel, values, 0, ""), StepFacts(3, 1, 5))  # type: ignore[arg-type]
            if kernel.name.startswith("matmul"):
                assert work.nbytes
                assert work.int_ops + work.float_ops


def test_an_unknown_kernel_is_refused():
    with pytest.raises(UnsupportedError, match="mystery"):
        work_of(Entry(Kernel("mystery", (), lambda a: None), {}, 0, ""), StepFacts(1, 1, 0))


def test_nothing_to_time_is_refused(model: Model):
    with pytest.raises(RequestError, match="nothing to time"):
        profile(model, prompt=0, decode=0)


@pytest.mark.parametrize("asked", [{"prompt": 8}, {"prompt": 0, "decode": 8}])
def test_more_than_the_context_is_refused_and_nothing_cut_short(model: Model, asked: dict[str, int]):
    with pytest.raises(
        ContextOverflowError, match=f"time {model.ctx + 1} tokens does not fit the context of {model.ctx}"
    ):
        profile(model, depth=model.ctx - 7, **{"decode": 0, **asked})


# ---- shown ------------------------------------------------------------------------------------------------------------


def test_ratios_are_to_the_limits(model: Model):
    data = as_dict(profile(model, prompt=30, decode=2))
    for phase in data["phases"].values():
        for share in phase["ops"].values():
            if share["gbs"] is not None:
                assert share["wall_fraction"] == pytest.approx(share["gbs"] / WALLS.read_gbs)
            if share["int_ops"]:
                assert share["peak_fraction"] == pytest.approx(share["gops"] / WALLS.dot_gops)
            elif share["float_ops"]:
                assert share["peak_fraction"] == pytest.approx(share["gops"] / WALLS.fma_gops)
        total = phase["total"]
        assert total["gbs"] == pytest.approx(total["nbytes"] / phase["wall_s"] / 1e9)


def test_the_roofline_has_every_op_with_bytes_and_operations(model: Model):
    result = profile(model, prompt=30, decode=2)
    root = ElementTree.fromstring(roofline(result, "a <title> & more"))
    space = "{http://www.w3.org/2000/svg}"
    texts = [t.text for t in root.iter(f"{space}text")]
    assert "a <title> & more" in texts
    for phase in result.phases:
        for share in phase.shares:
            shown = any(t and t.startswith(share.name + " ") for t in texts)
            assert shown == bool(share.nbytes and share.int_ops + share.float_ops)
    for circle in root.iter(f"{space}circle"):
        assert 0 < float(circle.get("cx", "nan")) < 900
        assert 0 < float(circle.get("cy", "nan")) < 560


def test_faster_ops_are_drawn_higher(model: Model):
    result = profile(model, prompt=0, decode=2)

    def height(scale: float) -> float:
        phase = result.phases[0]
        share = next(s for s in phase.shares if s.name == "product Q8_0")
        phase = replace(phase, shares=[replace(share, compute_s=share.compute_s / scale)])
        circles = ElementTree.fromstring(roofline(replace(result, phases=[phase]), "")).iter()
        return [float(c.get("cy", "nan")) for c in circles if c.tag.endswith("circle")][-1]

    assert height(1.5) < height(1.0)


def test_command_line(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    plot = tmp_path / "roof.svg"
    flags = ["-p", "20", "-n", "3", "--depth", "4", "-t", "1", "--tier", "generic"]
    assert main(["profile", str(file), *flags, "--json", "--plot", str(plot)]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["tier"], data["threads"], data["walls"]["read_gbs"]) == ("generic", 1, 10.0)
    assert {name: p["depth"] for name, p in data["phases"].items()} == {"decode": 4, "prompt": 4}
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")
    assert main(["profile", str(file), *flags]) == 0
    out = capsys.readouterr().out
    assert "prompt at depth 4" in out
    assert "product Q8_0" in out
    assert main(["profile", str(file), *flags, "--shapes"]) == 0
    assert "product Q4_0 64×64" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--plot", "roof.png"], "ends in .svg"),
        (["--plot", "no such directory/roof.svg"], "there is no such directory"),
        (["-p", "0", "-n", "0"], "nothing is left to time"),
        (["-p", "-1"], "whole number from 0"),
        (["--depth", "x"], "whole number from 0"),
    ],
)
def test_wrong_flags(flags: list[str], words: str, capsys: pytest.CaptureFixture[str]):
    assert main(["profile", *flags]) == 2
    assert words in capsys.readouterr().err
