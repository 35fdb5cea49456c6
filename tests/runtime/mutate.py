"""Runs damaged models through load and a few tokens, in a process of its own, saying before each which one it is.

    python -m tests.runtime.mutate FOLDER FIRST COUNT

Every file `FOLDER/base-*.gguf` is a sound model. Mutant n is made from the seed n alone, so that one that kills the process can be made again.
Output: a line "n" before mutant n, a line with its outcome after. Knows nothing of who reads it.
"""

from __future__ import annotations

import faulthandler
import random
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import tokenloom
from tests.formats.test_gguf_fuzz import flip, long_length, long_true_length, small_ids, splice, truncate
from tokenloom.errors import TokenloomError

SECONDS = 20
NUMBERS = (
    0,
    1,
    2,
    3,
    15,
    16,
    17,
    31,
    32,
    48,
    64,
    96,
    128,
    255,
    256,
    257,
    1 << 15,
    1 << 20,
    1 << 26,
    2**31 - 1,
    2**31,
    2**32 - 1,
)


def facts(data: bytearray, header: int) -> list[int]:
    """Where the header is not the tokenizer's long lists."""
    return [
        *range(8, data.index(b"tokenizer.ggml.tokens")),
        *range(data.index(b"tokenizer.ggml.bos_token_id"), header - 4),
    ]


def numbers(data: bytearray, header: int, rng: random.Random) -> None:
    """A 32-bit value of the header becomes another plausible one: a width, a count, a token id."""
    likely = [at for at in facts(data, header) if 0 < struct.unpack_from("<I", data, at)[0] < 1024]
    struct.pack_into("<I", data, rng.choice(likely), rng.choice(NUMBERS))


def floats(data: bytearray, header: int, rng: random.Random) -> None:
    likely = [at for at in facts(data, header) if 1e-7 < abs(struct.unpack_from("<f", data, at)[0]) < 1e7]
    value = rng.choice((0.0, -1.0, 1e-30, 1e-8, 0.5, 3.0, 1e6, 1e30, float("inf"), float("nan")))
    struct.pack_into("<f", data, rng.choice(likely), value)


def weights(data: bytearray, header: int, rng: random.Random) -> None:
    """Tensor data of any bits: scales of infinity, NaN, huge and tiny values."""
    for _ in range(rng.choice((1, 8, 200))):
        at = rng.randrange(header, len(data) - 4)
        data[at : at + 4] = rng.choice(
            (b"\xff\xff\xff\xff", b"\x00\x7c\x00\x7c", rng.randbytes(4), b"\x00\x00\x80\x7f")
        )


MUTATIONS: tuple[Callable[[bytearray, int, random.Random], None], ...] = (
    flip, flip, numbers, numbers, numbers, numbers, floats, weights, weights, long_length, long_true_length, small_ids, truncate, splice,
)  # fmt: skip


def mutant(folder: Path, number: int) -> bytes:
    rng = random.Random(number)
    base = rng.choice(sorted(folder.glob("base-*.gguf")))
    data = bytearray(base.read_bytes())
    header = int(base.stem.rpartition("-")[2])
    rng.choice(MUTATIONS)(data, header, rng)
    return bytes(data)


def attempt(path: Path) -> str:
    """Every way rows go: a chunk, a few, one; text and sampling."""
    try:
        with tokenloom.load(path, threads=2, ctx=None) as model:
            ids = [5, model.config.vocab_size - 1, 7, 8, 9, 10, 11, 12, 13, 14]
            list(
                model.generate_tokens(
                    ids[: model.ctx], max_tokens=2, temp=0.7, top_k=5, repeat_penalty=1.1, ignore_eos=True
                )
            )
            list(model.generate("the cat"[: model.ctx], max_tokens=2, raw=True))
            model.logits(ids[: min(4, model.ctx)])
            model.info()
    except TokenloomError as problem:
        return type(problem).__name__
    return "ran"


def main(folder: Path, first: int, count: int) -> None:
    path = folder / f"mutant-{first}.gguf"
    for number in range(first, first + count):
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
        path.write_bytes(mutant(folder, number))
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        outcome = attempt(path)
        faulthandler.cancel_dump_traceback_later()
        sys.stdout.write(f"{outcome}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    faulthandler.enable()
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
