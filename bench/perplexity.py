"""tokenloom's perplexity beside llama.cpp's, for the default model in every type that tokenloom runs: one text, the same windows, the same file.

    python bench/perplexity.py                              all types; what an earlier run has measured is kept
    python bench/perplexity.py --types Q8_0,Q4_K --windows 40 --again

The text is not shipped, its recipe is: two documents of docutils 0.21.2 (public domain), taken from the package's source archive on PyPI, checked by
sha256. The files are made of the default model's Q4_1 by tokenloom's encoders or, where it has none, by the libgguf package (of the `test` extra).
SmolLM2's rows are 576 or 1536 wide, so types with blocks of 256 fit one of a layer's seven matrices, ffn_down; the others are F16 then, and the table
says how much of the model is of the type named. Types of two bits and less make so small a model talk nonsense, for which no text is long
enough to tell 0.5 %, so they are in every tenth layer.
bench/peers/llama_cpp.sh builds llama.cpp. Exit codes: 0 all within 0.5 %, 1 one is not, 3 the text was too short to tell for some.

Knows types, the text and the table. Knows nothing of how perplexity is measured, which `tokenloom bench quality` does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tokenloom.formats.gguf import GGUFFile, TensorInfo, open_gguf
from tokenloom.formats.gguf_header import raw_metadata
from tokenloom.formats.gguf_write import NewTensor, write_gguf
from tokenloom.jit.cache import cache_root
from tokenloom.quant.codecs import dequantize
from tokenloom.quant.encoders import ENCODERS, quantize
from tokenloom.quant.table import BY_NAME, QTYPES, QuantType
from tokenloom.runtime.default_model import model_path

PACKAGE, ARCHIVE = "docutils==0.21.2", "docutils-0.21.2"
DOCUMENTS = ("docs/ref/rst/restructuredtext.txt", "docs/dev/rst/alternatives.txt")
TEXT_SHA256 = "102d92b84ef6763b9acdcab840c46041ca2cd886af1585257d8deae2e608b97f"
FALLBACK = "F16"  # of all other matrices: products in it are nearly the same in both engines
SPARSE = {"TQ1_0", "TQ2_0", "IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S"}
EVERY = 10  # layers of which one has a type of SPARSE
TYPES = [kind.name for kind in QTYPES.values() if kind.supported]
WITHIN = 0.5
_PIECE = 1 << 20  # elements converted at once
HEADS = (
    "type",
    "of the weights",
    "tokenloom",
    "llama.cpp",
    "difference",
    "95 % interval",
    "mean KL",
    "same top-1",
    "verdict",
)


def text_file(folder: Path) -> Path:
    """The text, fetched on first use. Raises ValueError when it is not the one that was meant."""
    target = folder / f"{ARCHIVE}.txt"
    if not target.exists():
        with tempfile.TemporaryDirectory() as place:
            fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "docutils", "-d", place]
            subprocess.run([*fetch, PACKAGE], check=True)
            with tarfile.open(next(Path(place).glob("*.tar.gz"))) as archive:
                parts = [archive.extractfile(f"{ARCHIVE}/{name}") for name in DOCUMENTS]
                data = b"".join(part.read() for part in parts if part is not None)
        found = hashlib.sha256(data).hexdigest()
        if found != TEXT_SHA256:
            raise ValueError(f"the text of {PACKAGE} has sha256 {found}, not {TEXT_SHA256}")
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return target


def encoded(kind: QuantType, values: np.ndarray) -> np.ndarray:
    """float32 rows as `kind`; types that want an importance matrix get one that finds all columns equally important."""
    if kind.name in ENCODERS:
        return quantize(kind.name, values)
    import libgguf

    weights = None
    if libgguf.quantize_requires_imatrix(kind.ggml_id):
        weights = np.ones(values.shape[-1], np.float32)
    return np.asarray(libgguf.quantize_rows(values, kind.ggml_id, imatrix=weights)).view(np.uint8)


def type_of(info: TensorInfo, wanted: QuantType) -> QuantType:
    """Matrices become the wanted type, or the fallback; norms stay F32."""
    if len(info.shape) < 2:
        return info.qtype
    fits = info.shape[-1] % wanted.block == 0
    if wanted.name in SPARSE:
        place, number, *_ = info.name.split(".")
        fits = fits and place == "blk" and int(number) % EVERY == EVERY // 2
    return wanted if fits else BY_NAME[FALLBACK]


def convert(file: GGUFFile, info: TensorInfo, kind: QuantType) -> Iterator[np.ndarray]:
    """A tensor's bytes as `kind`, some rows at a time."""
    k = info.shape[-1]
    rows, step = info.elements // k, max(1, _PIECE // k)
    for first in range(0, rows, step):
        raw = np.empty((min(step, rows - first), info.row_nbytes), np.uint8)
        file.read_into(info.name, raw, first * info.row_nbytes)
        yield raw if kind is info.qtype else encoded(kind, dequantize(info.qtype, raw))


def model_in(qtype: str, folder: Path) -> tuple[Path, float]:
    """The default model's file in a type, made on first use, and which share of its matrices' elements is of that type."""
    source, wanted = model_path(None), BY_NAME[qtype]
    with open_gguf(source) as file:
        plan = [(info, type_of(info, wanted)) for info in file.tensors.values()]
        matrices = [(info, kind) for info, kind in plan if len(info.shape) > 1]
        total = sum(info.elements for info, _ in matrices)
        share = sum(info.elements for info, kind in matrices if kind is wanted) / total
        target = folder / f"SmolLM2-135M.{qtype}{'' if share == 1 else f'-in-{100 * share:.0f}-of-100'}.gguf"
        if not target.exists():
            metadata = raw_metadata(file.shards[0].fd, str(source), file.shards[0].size)
            metadata.pop("general.file_type", None)  # readers guess it, or do without
            kinds = {info.name: kind for info, kind in plan}
            tensors = [NewTensor(info.name, info.shape, kind) for info, kind in plan]
            write_gguf(target, metadata, tensors, lambda t: convert(file, file.tensors[t.name], kinds[t.name]))
    return target, share


def measure(qtype: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """One type's row, by the command that anybody would call."""
    model, share = model_in(qtype, folder)
    command = [
        sys.executable, "-m", "tokenloom", "bench", "quality", str(model), "--text", str(text_file(folder)), "--json",
        "--against", asked.peer, "--windows", str(asked.windows), "-t", str(asked.threads), "--within", str(WITHIN),
        "--out", str(Path(__file__).resolve().parent / "results"),
    ]  # fmt: skip
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1, 3) or not done.stdout:
        raise SystemExit(f"{qtype}: the command ended with {done.returncode}: {' '.join(command)}")
    if not asked.keep:
        model.unlink()
    return {"type": qtype, "share": share, **json.loads(done.stdout)["rows"][0]}


def line(row: dict[str, Any]) -> list[str]:
    ours, theirs = (f"{r['perplexity']:.4f}" for r in row["engines"])
    ratio = row["perplexity_ratio"]
    low, high = (f"{ratio[end] - 1:+.3%}" for end in ("low", "high"))
    return [
        row["type"], f"{row['share']:.0%}", ours, theirs, f"{ratio['ratio'] - 1:+.3%}", f"{low} to {high}",
        f"{row['kl']['mean']:.5f}", f"{row['top1']['same']:.2%}", row["within"]["verdict"],
    ]  # fmt: skip


def table(rows: list[dict[str, Any]]) -> str:
    lines = [list(HEADS), ["---"] * len(HEADS), *(line(row) for row in rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="perplexity beside llama.cpp's, for every type")
    parser.add_argument("--types", default=",".join(TYPES), help="a list with commas")
    parser.add_argument("--windows", type=int, default=40, help="of 512 tokens; the text has 113")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peer", default="llama.cpp", help="llama.cpp, or llama.cpp=PATH")
    parser.add_argument("--again", action="store_true", help="measure types that were measured before, too")
    parser.add_argument("--keep", action="store_true", help="keep the model files")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent / "out" / "perplexity.json")
    asked = parser.parse_args()
    unknown = [name for name in asked.types.split(",") if name not in TYPES]
    if unknown:
        parser.error(f"no type {', '.join(unknown)}; types are {', '.join(TYPES)}")
    return asked


def main() -> int:
    asked = arguments()
    folder = cache_root() / "bench" / "perplexity"
    text_file(folder)
    kept: dict[str, dict[str, Any]] = {}
    if asked.out.exists():
        kept = {row["type"]: row for row in json.loads(asked.out.read_text())}
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    for qtype in asked.types.split(","):
        if asked.again or qtype not in kept:
            kept[qtype] = measure(qtype, folder, asked)
            ordered = [kept[name] for name in TYPES if name in kept]
            asked.out.write_text(json.dumps(ordered, indent=1) + "\n")
            print(" | ".join(line(kept[qtype])), file=sys.stderr, flush=True)
    rows = [kept[name] for name in TYPES if name in kept]
    print(table(rows), end="")
    verdicts = {row["within"]["verdict"] for row in rows}
    return 1 if "missed" in verdicts else 3 if "REJECTED" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
