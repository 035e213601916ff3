"""The deck's screen for a comparison of two runs: their divergence, and all differences."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Static

from .base_screens import TableScreen
from .deck_library import DeckComparison, DeckLibrary
from .safe_text import build_cell, build_lines

_CHAIN = 3


class CompareScreen(TableScreen):
    """The deck's screen with the differences of two runs. ``o`` opens both replays side by side."""

    COLUMNS = ("ms in A", "ms in B", "kind", "difference")
    BINDINGS: ClassVar[list[BindingType]] = [Binding("o", "replay", "Both replays")]

    def __init__(self, asking: DeckLibrary, a: str, b: str) -> None:
        super().__init__(asking)
        self.a, self.b = a, b
        self._told: DeckComparison | None = None

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#head", Static).update(build_lines([f"A {self.a[:20]}   B {self.b[:20]}"]))
        self.run_in_background(
            "They are being compared …", lambda: self.asking.compare_runs(self.a, self.b), self._show_comparison
        )

    def _show_comparison(self, comparison: DeckComparison) -> None:
        self._told = comparison
        self.show_status(*comparison.chain[:_CHAIN])
        table = self.query_one("#table", DataTable)
        for a, b, kind, said in comparison.rows:
            table.add_row(
                *(build_cell("–" if t is None else f"{t:.0f}", align_right=True) for t in (a, b)),
                build_cell(kind),
                build_cell(said[:300]),
            )

    def action_replay(self) -> None:
        """Open the page with both replays in a browser."""
        if self._told is not None:
            self.open_in_browser(self._told.page)
