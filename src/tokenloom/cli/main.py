"""The `tokenloom` program: finds the command, turns every failure into one line and an exit code.

Knows which failure ends with which exit code. Knows nothing of what a command does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tokenloom.cli import (
    asm,
    batch,
    bench,
    cache,
    chat,
    convert,
    doctor,
    info,
    profile,
    quantize,
    run,
    screen,
    tokenize,
)
from tokenloom.cli.exits import DONE, ERROR, INTERRUPTED, USAGE
from tokenloom.errors import TokenloomError

app = typer.Typer(
    name="tokenloom",
    help="Run language models with kernels generated for this processor.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.command)
app.command("chat")(chat.command)
app.command("batch")(batch.command)
app.command("info")(info.command)
app.command("tokenize")(tokenize.command)
app.command("quantize")(quantize.command)
app.command("convert")(convert.command)
app.command("cache")(cache.command)
app.command("profile")(profile.command)
app.command("screen")(screen.command)
app.command("asm")(asm.command)
app.command("doctor")(doctor.command)
app.add_typer(bench.app)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        sys.stdout.write(f"tokenloom {version('tokenloom')}\n")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _complain(text: str) -> None:
    sys.stderr.write(f"tokenloom: {' '.join(text.split())}\n")


def _usage(problem: typer.TyperException) -> int:
    """click's usage errors carry the context they arose in; the help of the bare program is not an error line."""
    context = getattr(problem, "ctx", None)
    if type(problem).__name__ == "NoArgsIsHelpError" and context is not None:
        sys.stderr.write(context.get_help() + "\n")
        return USAGE
    path = getattr(context, "command_path", "tokenloom")
    _complain(f"{problem.format_message().rstrip('.')} (see {path} --help)")
    return problem.exit_code


def _drop_stdout() -> None:
    """After the reader has gone: what is still buffered must not raise again when Python exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. TOKENLOOM_DEBUG lets a TokenloomError's traceback through."""
    try:
        result = app(args=arguments, standalone_mode=False, prog_name="tokenloom")
        sys.stdout.flush()
        return int(result or DONE)
    except typer.TyperException as problem:
        return _usage(problem)
    except TokenloomError as problem:
        if os.environ.get("TOKENLOOM_DEBUG"):
            raise
        _complain(f"error: {problem}")
        return ERROR
    except SystemExit as leaving:
        if not isinstance(leaving.__context__, BrokenPipeError):  # click makes one of the other
            raise
        _drop_stdout()
        return DONE
    except BrokenPipeError:
        _drop_stdout()
        return DONE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (OSError, MemoryError) as problem:
        # the machine's refusals (a full disk, a directory where a file should be) are no bugs of ours
        if os.environ.get("TOKENLOOM_DEBUG"):
            raise
        _complain(f"error: {problem or 'out of memory'}")
        return ERROR
