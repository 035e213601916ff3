"""Writes figures as one HTML page of charts and tables, without scripts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import jinja2

from pagereel.errors import SetupError

from .curves import CurveStep
from .query_figures import Figures
from .safe_names import to_safe_line

_NAMES = {"success": "Success", "cost_median": "The median cost", "duration_median": "The median duration", "retried": "The share of runs with retries"}  # fmt: skip


def render_figures_page(figures: Figures, title: str, description: str) -> str:
    """Return figures as an HTML page; `description` is the sentence below its title. Raises SetupError where matplotlib is not
    installed.
    """
    try:
        from .charts import draw_charts
    except ImportError:
        raise SetupError("Charts need matplotlib; install it with: pip install 'pagereel[figures]'.") from None
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pagereel.library.figures", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    return environment.get_template("page.html.j2").render(
        title=title, told=description, head=_build_head_figures(figures), steps=[describe_curve_step(step) for step in figures.steps or ()], charts=draw_charts(figures), tables=list(_iter_figure_tables(figures)),
    )  # fmt: skip


def describe_curve_step(step: CurveStep) -> str:
    """Return a sentence on a step of a curve, with what was new or gone right before it."""
    before = "; ".join(f"{change.how} {change.operator} {to_safe_line(change.value)}" for change in step.changes[:6])
    was, now = (format_figure(step.metric, value) for value in (step.before, step.after))
    came = f" Right before: {before}." if before else " Nothing that is known changed right before."
    return f"{_NAMES[step.metric]} went from {was} to {now} on {step.time}.{came}"


def format_figure(metric: str, value: float | None) -> str:
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


def _build_head_figures(figures: Figures) -> list[tuple[str, str]]:
    told = figures.all
    found = [
        ("runs", format_figure("runs", told["runs"])), ("passed", format_figure("success", told["success"])), ("cost", format_figure("cost", told["cost"])),
        ("median duration", format_figure("duration", told["duration_median"])), ("with retries", format_figure("retried", told["retried"])),
        ("with gaps", format_figure("with_gaps", told["with_gaps"])), ("checkpoints equal", format_figure("fidelity", told["fidelity"])), ("masked", format_figure("masked", told["masked"])),
        ("recordings", format_figure("bytes", figures.storage["recordings"])), ("index", format_figure("bytes", figures.storage["index"])),
    ]  # fmt: skip
    if figures.coverage is not None:
        found.append(
            (
                "recorded of expected",
                f"{format_figure('share', figures.coverage.share)} of {figures.coverage.expected:,}",
            )
        )
    return found


_COLUMNS = ("runs", "passed", "failed", "success", "cost", "cost_median", "duration_median", "tokens", "retries", "errors", "with_gaps", "fidelity", "masked")  # fmt: skip


def _iter_figure_tables(figures: Figures) -> Iterable[tuple[str, tuple[str, ...], list[tuple[Any, ...]]]]:
    heads = tuple(name.replace("_", " ") for name in _COLUMNS)
    for group, rows in figures.by.items():
        if rows:
            yield (
                f"By {group}",
                (group, *heads),
                [(to_safe_line(row["name"]), *(format_figure(name, row[name]) for name in _COLUMNS)) for row in rows],
            )
    if figures.times:
        yield (
            "Over time",
            ("time", *heads),
            [(row["time"], *(format_figure(name, row[name]) for name in _COLUMNS)) for row in figures.times],
        )
    if figures.flaky:
        yield "Tests that pass and fail", ("test", "runs", "passed", "failed", "changes", "same version"), [
            (to_safe_line(row["test"]), row["runs"], row["passed"], row["failed"], row["changes"], "yes" if row["same_version"] else "") for row in figures.flaky
        ]  # fmt: skip
    if figures.errors:
        yield "Errors", ("error", "runs", "times", "first", "last", "signature"), [
            (to_safe_line(row["words"] or row["error"]), row["runs"], row["count"], _format_day(row["first"]), _format_day(row["last"]), row["error"]) for row in figures.errors
        ]  # fmt: skip
    if figures.coverage is not None and figures.coverage.missing:
        yield "Expected and not recorded", ("name",), [(to_safe_line(name),) for name in figures.coverage.missing[:200]]


def _format_day(started: float) -> str:
    return datetime.fromtimestamp(started / 1_000, UTC).date().isoformat() if 0 < started < 1e14 else "–"
