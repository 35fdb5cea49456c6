"""What a skip means here. Knows pytest; knows nothing of the package under test.

A skipped test leaves its claim unproved, so the summary lists every skip. One whose reason starts with "hardware:" is
the machine's doing; any other (a package that is not installed, say) is the set-up's, and with TOKENLOOM_CI=1 it fails.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from typing import Any

import pytest

# a shell in the background ignores SIGINT, and its children would; tests interrupt theirs
signal.signal(signal.SIGINT, signal.default_int_handler)

STRICT = os.environ.get("TOKENLOOM_CI") == "1"


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str | None:
    """The reason of a skip, or None when the report is no skip (an xfail is not one)."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return None
    where = report.longrepr
    return where[2].removeprefix("Skipped: ") if isinstance(where, tuple) else str(where)


def forbid_missing_package(report: pytest.TestReport | pytest.CollectReport, *, strict: bool) -> None:
    reason = skip_reason(report)
    if strict and reason is not None and not reason.startswith("hardware:"):
        report.outcome = "failed"
        report.longrepr = f'skipped in CI, where only skips that start with "hardware:" may stand: {reason}'


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    forbid_missing_package(report, strict=STRICT)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    forbid_missing_package(report, strict=STRICT)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped:
        terminalreporter.section("claims left unproved on this machine")
        for report in skipped:
            terminalreporter.write_line(f"{report.nodeid}: {skip_reason(report)}")
