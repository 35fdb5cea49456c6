"""`tokenloom bench`: the group of measuring commands, one module each.

Knows their names, and that an argument which is none of them is a MODEL to be measured alone. Knows nothing of measuring.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from tokenloom.cli import bench_compare, bench_model, bench_quality, bench_report, bench_sessions, bench_ttft

ALONE = "model"


class ModelOrCommand(TyperGroup):
    """`tokenloom bench x.gguf` and `tokenloom bench -p 512` are `tokenloom bench model ...`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [ALONE, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="bench",
    cls=ModelOrCommand,
    help="Measure, and refuse where the machine cannot tell. `tokenloom bench MODEL` measures one model "
    "(its options: `tokenloom bench model --help`). Exit code 3: a row was REJECTED.",
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(ALONE, epilog=bench_model.EPILOG)(bench_model.command)
app.command("compare", epilog=bench_compare.EPILOG)(bench_compare.command)
app.command("report", epilog=bench_report.EPILOG)(bench_report.command)
app.command("quality", epilog=bench_quality.EPILOG)(bench_quality.command)
app.command("sessions", epilog=bench_sessions.EPILOG)(bench_sessions.command)
app.command("ttft", epilog=bench_ttft.EPILOG)(bench_ttft.command)
# further commands are registered here: app.command("NAME")(bench_NAME.command)
