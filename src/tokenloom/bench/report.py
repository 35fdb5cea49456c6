"""docs/performance.md, made of artefacts alone: the newest row of each kind, model, machine, engine and setting.

Knows which rows stand beside which. Knows nothing of measuring. A kind of artefact gets a section by a line in SECTIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from tokenloom.bench import artefact, tables

Record = dict[str, Any]

_HEAD = """# Performance

Made by `tokenloom bench report` from the artefacts in `bench/results/`; not edited by hand (a test compares). Every figure says its spread; REJECTED
rows are shown with the reason and say nothing else. How it is measured: `tokenloom bench compare --help` and the README.
"""

_COMPARE = """
Pairs taken in turns (A B, B A) of two resident processes, the idle one stopped, on the same file, with the same tokens and threads; the other engine
with whichever of its settings is faster for the row. *ratio*: the median over pairs of its time by ours, above 1 where tokenloom is faster; its 95 %
interval by bootstrap over the pairs. *A/A*: the same median of tokenloom against another process of itself. REJECTED: IQR/median above 10 %, A/A more
than 3 % off 1, fewer than 6 undisturbed pairs, more than a third of them disturbed, or anything unfair.
"""

_MODEL = """
One process; tokens/s is the median of its samples. *MB per token*: what a token must read, weights as they are in the file and the cache at half the
row's length; beside it the share of what so many threads can read from memory here, measured in the same run. Above 100 %: it stays in caches.
"""

_QUALITY = """
The second half of every window of a text is scored from what stands before it in the window. *perplexity*: ± one standard error, tokens taken as
independent. *ratio*: ours by theirs on the same tokens, paired; its 95 % interval from the windows' means. *mean KL*: KL(theirs ‖ ours) over the
scored places. *same likeliest*: the share of places where both like the same token best.
"""

_SESSIONS = """
Turns of many agents over one prompt, every arm a turn before any takes the next. *prompt tokens* were computed, *stated* is what `--counts-only`
says; where they differ the row is REJECTED. *median turn*: an arm's time of a turn by the shared arm's, from the second turn on, with its 95 %
interval.
"""

_SERVERS = """
Streaming requests whose prompts never begin alike, in a closed loop of clients; times in milliseconds.
"""


def performance(records: Sequence[Record]) -> str:
    """The document, from records oldest first."""
    parts = [_HEAD]
    for kind, section in SECTIONS.items():
        found = [r for r in records if r["kind"] == kind and r["rows"]]
        if found:
            parts.append(section(found))
    return "\n".join(parts)


def _grouped(records: Iterable[Record], name: Callable[[Record], str]) -> dict[str, list[Record]]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(name(record), []).append(record)
    return dict(sorted(groups.items()))


def machine_name(record: Record) -> str:
    m = record["machine"]
    return (
        f"{m['cpu']}, {m['cpus']} CPUs, {m['tiers'][-1] if m['tiers'] else 'no tier'}, {m['memory_bytes'] / 1e9:.0f} GB"
    )


def engine_name(engine: dict[str, Any]) -> str:
    detail = f" {engine['detail']}" if engine.get("detail") and engine["name"] == "tokenloom" else ""
    return f"{engine['name']}{detail} ({engine.get('version', '?')}; {engine.get('build', '?').strip(' |')})"


def _origin(record: Record) -> str:
    """When, and of which commit; a + where the package was modified."""
    commit = (record["commit"] or "?")[:9] + ("+" if record["modified"] else "")
    return f"{record['when'][:10]} {commit}"


def _newest(
    records: Iterable[Record], key: Callable[[Record, dict[str, Any]], tuple[Any, ...]]
) -> list[tuple[Record, dict[str, Any]]]:
    """The last row of each key, in the order of the keys."""
    last: dict[tuple[Any, ...], tuple[Record, dict[str, Any]]] = {}
    for record in records:
        for row in record["rows"]:
            last[key(record, row)] = (record, row)
    return [last[k] for k in sorted(last)]


def _compared(records: list[Record]) -> str:
    parts = ["## Against other engines\n", _COMPARE]

    def where(record: Record) -> str:
        pinned = record["engines"].get("ours", {}).get("detail")
        held = f", tokenloom held to {pinned}" if pinned else ""
        return f"{machine_name(record)}{held}: against {engine_name(record['engines'].get('theirs', {'name': '?'}))}"

    for title, group in _grouped(records, where).items():
        rows = _newest(
            group,
            lambda record, row: (
                record["model"]["name"],
                row["kind"],
                row["n"],
                row["depth"],
                row["batch"],
                row["threads"],
            ),
        )
        lines = [[record["model"]["name"], *tables.compare_line(row), _origin(record)] for record, row in rows]
        parts.append(f"### {title}\n\n{tables.markdown(['model', *tables.COMPARE_HEADS, 'when, commit'], lines)}")
    return "\n".join(parts)


def _alone(records: list[Record]) -> str:
    parts = ["## One engine alone\n", _MODEL]

    def where(record: Record) -> str:
        return f"{machine_name(record)}: {record['engines']['ours']['name']}"

    for title, group in _grouped(records, where).items():
        rows = _newest(group, lambda record, row: (record["model"]["name"], row["kind"], row["row"], row["threads"]))
        speeds = [(record, row) for record, row in rows if row["kind"] != "start"]
        starts = [(record, row) for record, row in rows if row["kind"] == "start"]
        parts.append(f"### {title}\n")
        for heads, line, some in (
            (tables.MODEL_HEADS, tables.model_line, speeds),
            (tables.START_HEADS, tables.start_line, starts),
        ):
            lines = [[record["model"]["name"], *line(row), _origin(record)] for record, row in some]
            parts.append(tables.markdown(["model", *heads, "when, commit"], lines))
    return "\n".join(parts)


def _quality(records: list[Record]) -> str:
    parts = ["## Quality\n", _QUALITY]
    for title, group in _grouped(
        records, lambda r: f"{r['rows'][0]['text']}, windows of {r['rows'][0]['ctx']}"
    ).items():
        rows = _newest(group, lambda record, row: (record["model"]["name"], row["row"]))
        lines = [[*tables.quality_line(row), _origin(record)] for record, row in rows]
        parts.append(f"### {title}\n\n{tables.markdown([*tables.QUALITY_HEADS, 'when, commit'], lines)}")
    return "\n".join(parts)


def _sessions(records: list[Record]) -> str:
    parts = ["## Many agents over one prompt\n", _SESSIONS]
    rows = _newest(
        records,
        lambda record, row: (
            machine_name(record),
            record["model"]["name"],
            row["row"].rpartition(": ")[0],
            row["arm"],
            record["engines"]["ours"]["threads"],
        ),
    )
    cells: dict[str, list[list[str]]] = {}
    for record, row in rows:
        cell = row["row"].rpartition(": ")[0]
        title = (
            f"{machine_name(record)}: {record['model']['name']}, {record['engines']['ours']['threads']} threads, {cell}"
        )
        cells.setdefault(title, []).append([*tables.sessions_line(row), _origin(record)])
    for title, lines in cells.items():
        parts.append(f"### {title}\n\n{tables.markdown([*tables.SESSIONS_HEADS, 'when, commit'], lines)}")
    return "\n".join(parts)


def _served(record: Record, row: dict[str, Any]) -> str:
    """What a server calls its model; of a path on its machine the file's name."""
    name = str(record["engines"][row["url"]]["model"])
    return name.rpartition("/")[2] if name.startswith("/") else name


def _servers(records: list[Record]) -> str:
    parts = ["## Servers\n", _SERVERS]
    for title, group in _grouped(records, machine_name).items():
        rows = _newest(group, lambda record, row: (row["row"], _served(record, row)))
        lines = [[_served(record, row), *tables.servers_line(row), _origin(record)] for record, row in rows]
        parts.append(f"### {title}\n\n{tables.markdown(['model', *tables.SERVERS_HEADS, 'when, commit'], lines)}")
    return "\n".join(parts)


SECTIONS: dict[str, Callable[[list[Record]], str]] = {
    "compare": _compared, "model": _alone, "sessions": _sessions, "ttft": _servers, "quality": _quality,
}  # fmt: skip


def write(directory: Path, target: Path) -> bool:
    """Writes the document of a directory's artefacts to `target`; returns whether it changed."""
    text = performance(artefact.read_all(directory))
    if target.exists() and target.read_text() == text:
        return False
    target.write_text(text)
    return True
