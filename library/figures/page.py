"""Writes figures as one HTML page of charts and tables, without scripts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import jinja2

from pagereel.errors import SetupError

from .curves import CurveStep
from .names import plain
from .numbers import Figures

_NAMES = {"success": "Success", "cost_median": "The median cost", "duration_median": "The median duration", "retried": "The share of runs with retries"}  # fmt: skip


def page_of(figures: Figures, title: str, told: str) -> str:
    """Return figures as an HTML page; `told` is the sentence below its title. Raises SetupError where matplotlib is not
    installed.
    """
    try:
        from .charts import charts_of
    except ImportError:
        raise SetupError("Charts need matplotlib; install it with: pip install 'pagereel[figures]'.") from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pagereel.library.figures", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("page.html.j2").render(
        title=title, told=told, head=_head(figures), steps=[sentence_of(step) for step in figures.steps or ()], charts=charts_of(figures), tables=list(_tables(figures)),
    )  # fmt: skip


def sentence_of(step: CurveStep) -> str:
    """Return a sentence on a step of a curve, with what was new or gone right before it."""
    before = "; ".join(f"{change.how} {change.operator} {plain(change.value)}" for change in step.changes[:6])
    was, now = (figure_text(step.metric, value) for value in (step.before, step.after))
    came = f" Right before: {before}." if before else " Nothing that is known changed right before."
    return f"{_NAMES[step.metric]} went from {was} to {now} on {step.time}.{came}"


def figure_text(metric: str, value: float | None) -> str:
    """Return a figure as text with its unit, which the metric's name decides: ``87.5 %``, ``$0.0120``, ``4.2 s``."""
    if value is None:
        return "–"
    if metric in ("success", "retried", "with_gaps", "fidelity", "masked", "share"):
        return f"{100 * value:.1f} %"
    if metric.startswith("cost"):
        return f"${value:,.4f}"
    if metric.startswith("duration"):
        return f"{value / 1_000:,.1f} s"
    if metric in ("bytes", "recordings", "index", "a_run"):
        return f"{value / 1e6:,.1f} MB"
    return f"{value:,.0f}"


def _head(figures: Figures) -> list[tuple[str, str]]:
    told = figures.all
    found = [
        ("runs", figure_text("runs", told["runs"])), ("passed", figure_text("success", told["success"])), ("cost", figure_text("cost", told["cost"])),
        ("median duration", figure_text("duration", told["duration_median"])), ("with retries", figure_text("retried", told["retried"])),
        ("with gaps", figure_text("with_gaps", told["with_gaps"])), ("checkpoints equal", figure_text("fidelity", told["fidelity"])), ("masked", figure_text("masked", told["masked"])),
        ("recordings", figure_text("bytes", figures.storage["recordings"])), ("index", figure_text("bytes", figures.storage["index"])),
    ]  # fmt: skip
    if figures.coverage is not None:
        found.append(
            ("recorded of expected", f"{figure_text('share', figures.coverage.share)} of {figures.coverage.expected:,}")
        )
    return found


_COLUMNS = ("runs", "passed", "failed", "success", "cost", "cost_median", "duration_median", "tokens", "retries", "errors", "with_gaps", "fidelity", "masked")  # fmt: skip


def _tables(figures: Figures) -> Iterable[tuple[str, tuple[str, ...], list[tuple[Any, ...]]]]:
    heads = tuple(name.replace("_", " ") for name in _COLUMNS)
    for group, rows in figures.by.items():
        if rows:
            yield (
                f"By {group}",
                (group, *heads),
                [(plain(row["name"]), *(figure_text(name, row[name]) for name in _COLUMNS)) for row in rows],
            )
    if figures.times:
        yield (
            "Over time",
            ("time", *heads),
            [(row["time"], *(figure_text(name, row[name]) for name in _COLUMNS)) for row in figures.times],
        )
    if figures.flaky:
        yield "Tests that pass and fail", ("test", "runs", "passed", "failed", "changes", "same version"), [
            (plain(row["test"]), row["runs"], row["passed"], row["failed"], row["changes"], "yes" if row["same_version"] else "") for row in figures.flaky
        ]  # fmt: skip
    if figures.errors:
        yield "Errors", ("error", "runs", "times", "first", "last", "signature"), [
            (plain(row["words"] or row["error"]), row["runs"], row["count"], _day(row["first"]), _day(row["last"]), row["error"]) for row in figures.errors
        ]  # fmt: skip
    if figures.coverage is not None and figures.coverage.missing:
        yield "Expected and not recorded", ("name",), [(plain(name),) for name in figures.coverage.missing[:200]]


def _day(started: float) -> str:
    return datetime.fromtimestamp(started / 1_000, UTC).date().isoformat() if 0 < started < 1e14 else "–"
