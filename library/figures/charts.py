"""Draws charts of figures as SVG, with matplotlib. Lines and bars differ by shape or hatching, not by colour alone."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pagereel.text_truncation import truncate_text

from .curves import CurveStep
from .query_figures import Figures
from .safe_names import to_safe_line

_STYLE: Final[Any] = {
    "svg.fonttype": "none", "svg.hashsalt": "pagereel", "font.family": "sans-serif", "font.size": 10, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": "#cccccc", "grid.linewidth": 0.6, "axes.axisbelow": True, "hatch.linewidth": 0.8, "text.parse_math": False,
}  # fmt: skip
_INK: Final = "#1a1a1a"
_OUTCOMES: Final = (("passed", "#ffffff", ""), ("failed", "#555555", ""), ("unknown", "#ffffff", "////"))
"""Outcome → fill colour and hatching of its bar."""
_MARKS: Final = ("o-", "s--", "^:", "D-.")
_TICKS: Final = 12
_BARS: Final = 12


def draw_charts(figures: Figures) -> list[tuple[str, str]]:
    """Draw all charts of the figures. Return each as a pair: a sentence that describes the chart, and its SVG."""
    with plt.rc_context(_STYLE):
        drawn = [
            ("Runs over time, by how they ended", _draw_over_time(figures, _draw_run_counts)),
            ("Share of runs that passed, over time", _draw_over_time(figures, _draw_success_rate)),
            ("Cost of a run over time: median, and what 95 of 100 stay below", _draw_over_time(figures, _draw_cost)),
            (
                "Duration of a run over time: median, and what 95 of 100 stay below",
                _draw_over_time(figures, _draw_duration),
            ),
        ]
        drawn += [
            (f"Share of runs that passed, by {group}", _draw_bar_chart(rows))
            for group, rows in figures.by.items()
            if len(rows) > 1
        ]
    return drawn


def _draw_over_time(figures: Figures, draw: Callable[[Axes, Figures], None]) -> str:
    figure, axes = plt.subplots(figsize=(7.6, 2.8), layout="constrained")
    draw(axes, figures)
    times = [row["time"] for row in figures.times]
    every = max(1, -(-len(times) // _TICKS))
    axes.set_xticks(
        range(0, len(times), every), [_shorten_period_label(time) for time in times[::every]], rotation=30, ha="right"
    )
    axes.set_xlim(-0.6, max(len(times) - 0.4, 0.6))
    return _render_as_svg(figure)


def _draw_run_counts(axes: Axes, figures: Figures) -> None:
    below = [0] * len(figures.times)
    for outcome, colour, hatch in _OUTCOMES:
        counts = [row[outcome] for row in figures.times]
        axes.bar(
            range(len(counts)),
            counts,
            bottom=below,
            label=outcome,
            color=colour,
            hatch=hatch,
            edgecolor=_INK,
            linewidth=0.8,
        )
        below = [a + b for a, b in zip(below, counts, strict=True)]
    axes.set_ylabel("runs")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _draw_success_rate(axes: Axes, figures: Figures) -> None:
    _draw_metric_line(axes, figures, "success", 0, scale=100)
    axes.set_ylim(-4, 104)
    axes.set_ylabel("% passed")
    _draw_curve_steps(axes, figures, "success", lambda value: f"{100 * value:.0f} %")


def _draw_cost(axes: Axes, figures: Figures) -> None:
    _draw_metric_line(axes, figures, "cost_median", 0, label="median")
    _draw_metric_line(axes, figures, "cost_p95", 1, label="95th of 100")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("US dollars")
    _draw_curve_steps(axes, figures, "cost_median", lambda value: f"${value:.3g}")


def _draw_duration(axes: Axes, figures: Figures) -> None:
    _draw_metric_line(axes, figures, "duration_median", 0, scale=0.001, label="median")
    _draw_metric_line(axes, figures, "duration_p95", 1, scale=0.001, label="95th of 100")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("seconds")
    _draw_curve_steps(axes, figures, "duration_median", lambda value: f"{value / 1_000:.3g} s")


def _draw_metric_line(
    axes: Axes, figures: Figures, metric: str, getter: int, *, scale: float = 1.0, label: str = ""
) -> None:
    values = [float("nan") if row[metric] is None else row[metric] * scale for row in figures.times]
    axes.plot(
        range(len(values)),
        values,
        _MARKS[getter],
        color=_INK,
        markersize=4,
        linewidth=1.2,
        markerfacecolor="white" if getter else _INK,
    )
    known = [(at, value) for at, value in enumerate(values) if value == value]
    if label and known:
        axes.annotate(label, known[-1], xytext=(8, 0), textcoords="offset points", va="center", annotation_clip=False)


def _draw_curve_steps(axes: Axes, figures: Figures, metric: str, labels: Callable[[float], str]) -> None:
    places = {row["time"]: at for at, row in enumerate(figures.times)}
    for step in figures.steps or ():
        if step.metric == metric:
            axes.axvline(places[step.time] - 0.5, color=_INK, linewidth=1.0, linestyle=(0, (2, 2)))
            words = f"{labels(step.before)} → {labels(step.after)}{_format_new_cause(step)}"
            axes.annotate(words, (places[step.time] - 0.5, 1.0), xycoords=("data", "axes fraction"), xytext=(3, 2), textcoords="offset points", fontsize=8)  # fmt: skip


def _format_new_cause(step: CurveStep) -> str:
    new = next((change for change in step.changes if change.how == "new"), None)
    return f", new {new.operator} {_shorten_name(new.value, 24)}" if new else ""


def _draw_bar_chart(rows: Sequence[dict[str, Any]]) -> str:
    rows = rows[:_BARS]
    figure, axes = plt.subplots(figsize=(7.6, 0.9 + 0.34 * len(rows)), layout="constrained")
    places = range(len(rows))
    axes.barh(
        places,
        [100 * (row["success"] or 0) for row in rows],
        height=0.6,
        color="#dddddd",
        edgecolor=_INK,
        linewidth=0.8,
    )
    for at, row in zip(places, rows, strict=True):
        share = "nobody says" if row["success"] is None else f"{100 * row['success']:.0f} %"
        axes.annotate(f"{share} of {row['runs']:,} runs", (100 * (row["success"] or 0), at), xytext=(5, 0), textcoords="offset points", va="center", annotation_clip=False)  # fmt: skip
    axes.set_yticks(list(places), [_shorten_name(row["name"], 32) for row in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% passed")
    axes.grid(axis="y", visible=False)
    return _render_as_svg(figure)


def _render_as_svg(figure: Figure) -> str:
    made = io.StringIO()
    figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = made.getvalue()
    return re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)


def _shorten_name(text: str, longest: int) -> str:
    return truncate_text(to_safe_line(text), longest)


def _shorten_period_label(time: str) -> str:
    return time[5:] if len(time) == 10 else time[5:].replace("T", " ")
