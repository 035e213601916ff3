"""The screen for figures over the runs of a query, with bars of block characters, readable without colour."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from pagereel.library import Figures, figure_text, sentence_of

from .asking import Asking
from .base import DeckScreen
from .plain import bar, lines

_ROWS = 15
_NAMES = ("runs", "passed", "failed", "success", "cost", "cost_median", "duration_median", "duration_p95", "tokens", "retries", "with_gaps", "fidelity", "masked")  # fmt: skip


class FiguresScreen(DeckScreen):
    """A page of figures that can be scrolled."""

    def __init__(self, asking: Asking, query: str) -> None:
        super().__init__(asking)
        self.text = query

    def compose(self) -> ComposeResult:
        yield Static(lines([f"Figures of {self.text or 'all runs'}"]), id="head", classes="head")
        with VerticalScroll(id="scroll"):
            yield Static("", id="told", classes="block")
        yield Static("", id="said", classes="said")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one("#scroll").focus()
        self.doing("They are being counted …", lambda: self.asking.figures(self.text), self._show)

    def _show(self, figures: Figures) -> None:
        self.say("")
        self.query_one("#told", Static).update(lines(figure_lines(figures)))


def figure_lines(figures: Figures) -> Iterator[str]:
    """Yield the figures as lines."""
    yield from (f"{name.replace('_', ' '):>16}  {figure_text(name, figures.all[name])}" for name in _NAMES)
    if figures.coverage is not None:
        share = figure_text("share", figures.coverage.share)
        yield f"{'recorded':>16}  {share} of {figures.coverage.expected:,} expected"
    if figures.times:
        yield from ("", "Success over time", *(_row(row["time"], row) for row in figures.times[-_ROWS:]))
    for step in figures.steps or ():
        yield from ("", sentence_of(step))
    for group, rows in figures.by.items():
        if rows:
            yield from ("", f"By {group}", *(_row(row["name"], row) for row in rows[:_ROWS]))
    if figures.flaky:
        yield from ("", "Tests that pass and fail")
        yield from (f"  {row['passed']} passed, {row['failed']} failed: {row['test']}" for row in figures.flaky[:_ROWS])
    if figures.errors:
        yield from ("", "Errors")
        yield from (f"{row['runs']:>6} runs  {row['words'] or row['error']}" for row in figures.errors[:_ROWS])


def _row(name: str, row: dict[str, object]) -> str:
    success = row["success"]
    assert success is None or isinstance(success, float)
    said = figure_text("success", success)
    return f"{str(name)[:24]:<24} {bar(success)} {said:>8}  {row['runs']:>6} runs"
