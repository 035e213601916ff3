"""The deck's screen for figures over the runs of a query, with bars of block characters.

It is readable without colour.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from pagereel.library import Figures, describe_curve_step, format_figure

from .base_screens import DeckScreen
from .deck_library import DeckLibrary
from .safe_text import build_lines, draw_bar

_ROWS = 15
_NAMES = ("runs", "passed", "failed", "success", "cost", "cost_median", "duration_median", "duration_p95", "tokens", "retries", "with_gaps", "fidelity", "masked")  # fmt: skip


class FiguresScreen(DeckScreen):
    """The deck's screen with figures, which can be scrolled."""

    def __init__(self, asking: DeckLibrary, query: str) -> None:
        super().__init__(asking)
        self.text = query

    def compose(self) -> ComposeResult:
        yield Static(build_lines([f"Figures of {self.text or 'all runs'}"]), id="head", classes="head")
        with VerticalScroll(id="scroll"):
            yield Static("", id="told", classes="block")
        yield Static("", id="said", classes="said")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#scroll").focus()
        self.run_in_background(
            "They are being counted …", lambda: self.asking.load_figures(self.text), self._show_figures
        )

    def _show_figures(self, figures: Figures) -> None:
        self.show_status("")
        self.query_one("#told", Static).update(build_lines(iter_figure_lines(figures)))


def iter_figure_lines(figures: Figures) -> Iterator[str]:
    """Yield the figures as lines of text."""
    yield from (f"{name.replace('_', ' '):>16}  {format_figure(name, figures.all[name])}" for name in _NAMES)
    if figures.coverage is not None:
        share = format_figure("share", figures.coverage.share)
        yield f"{'recorded':>16}  {share} of {figures.coverage.expected:,} expected"
    if figures.times:
        yield from ("", "Success over time", *(_format_figure_row(row["time"], row) for row in figures.times[-_ROWS:]))
    for step in figures.steps or ():
        yield from ("", describe_curve_step(step))
    for group, rows in figures.by.items():
        if rows:
            yield from ("", f"By {group}", *(_format_figure_row(row["name"], row) for row in rows[:_ROWS]))
    if figures.flaky:
        yield from ("", "Tests that pass and fail")
        yield from (f"  {row['passed']} passed, {row['failed']} failed: {row['test']}" for row in figures.flaky[:_ROWS])
    if figures.errors:
        yield from ("", "Errors")
        yield from (f"{row['runs']:>6} runs  {row['words'] or row['error']}" for row in figures.errors[:_ROWS])


def _format_figure_row(name: str, row: dict[str, object]) -> str:
    success = row["success"]
    assert success is None or isinstance(success, float)
    said = format_figure("success", success)
    return f"{str(name)[:24]:<24} {draw_bar(success)} {said:>8}  {row['runs']:>6} runs"
