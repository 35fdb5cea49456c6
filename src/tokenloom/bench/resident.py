"""An engine's process: stopped except while it answers, its threads counted.

Knows the workers' protocol, signals and CPU times. Knows nothing of pairs or of what the answers mean.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from tokenloom.bench.engines import Engine
from tokenloom.bench.machine import Conditions, Watch, busy_threads, thread_seconds
from tokenloom.errors import TokenloomError


@dataclass(frozen=True)
class Sample:
    """An answer, and the machine while it was given."""

    answer: dict[str, Any]
    conditions: Conditions

    @property
    def seconds(self) -> float:
        return float(self.answer["seconds"])


class Resident:
    """One engine with one model open. `about` is what it said when it opened."""

    def __init__(self, engine: Engine, model: Path, threads: int, ctx: int, batch: int = 1) -> None:
        self.engine, self.threads = engine, threads
        self._cpu: dict[int, float] = {}
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed by `close`)
        # a process group of its own: Ctrl-C is this program's to answer, and a group whose parent dies while it is stopped is ended by the kernel
        self._process = subprocess.Popen(
            engine.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True,
            env=engine.environment(), process_group=0,
        )  # fmt: skip
        try:
            opening = {"model": str(model), "threads": threads, "ctx": ctx, "batch": batch, **engine.opening}
            self.about = self.ask({"op": "open", **opening})
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request, one answer. Raises TokenloomError with the process's last words when it ends instead."""
        process = self._process
        assert process.stdin
        assert process.stdout
        try:
            process.send_signal(signal.SIGCONT)
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise TokenloomError(
                f"the {self.engine.name} process ended with code {process.wait()}: {self._last_words() or 'it said nothing'}"
            )
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._errors.seek(0)
        return " / ".join(self._errors.read().splitlines()[-3:])

    def sample(self, request: dict[str, Any]) -> Sample:
        before = thread_seconds(self.pid)
        watch = Watch([self.pid])
        answer = self.ask(request)
        conditions = watch.end()
        for thread, seconds in thread_seconds(self.pid).items():
            self._cpu[thread] = self._cpu.get(thread, 0.0) + seconds - before.get(thread, 0.0)
        return Sample(answer, conditions)

    def busy_threads(self) -> int:
        """How many threads did the work of the samples since the last call."""
        busy = busy_threads(self._cpu.values())
        self._cpu.clear()
        return busy

    def peak_bytes(self) -> int:
        """The most memory it ever held."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024

    def close(self) -> None:
        process = self._process
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.close()
            process.wait(10)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()
        process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Resident:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
