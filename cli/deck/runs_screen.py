"""The deck's screen with the list of runs and the query line."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import DataTable, Footer, Input, Static

from pagereel.errors import PagereelError
from pagereel.library import FoundRun, QueryError, SearchResult

from .base_screens import DeckScreen
from .deck_library import DeckLibrary
from .safe_text import build_cell, build_lines, format_duration, format_run_outcome, format_time

_BEFORE = 24
"""Characters of a query that are shown before an error in it."""


class RunsScreen(DeckScreen):
    """The deck's screen with a query line, the runs that match it, and the matching lines of the run under the
    cursor.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "Query"),
        Binding("enter", "open", "Open"),
        Binding("space", "mark", "Mark"),
        Binding("c", "compare", "Compare"),
        Binding("o", "replay", "Replay"),
        Binding("f", "figures", "Figures"),
        Binding("a", "log", "Log"),
        Binding("n", "next", "Older"),
        Binding("p", "first", "Newest", show=False),
        Binding("r", "again", "Reload", show=False),
        Binding("escape", "back", "Back", show=False),
    ]

    def __init__(self, asking: DeckLibrary, query: str = "") -> None:
        super().__init__(asking)
        self.text = query
        self._answer: SearchResult | None = None
        self._cursors: list[str | None] = [None]
        self._marked: list[str] = []

    def compose(self) -> ComposeResult:
        yield Input(self.text, placeholder='outcome:failed after:7d seen:"card declined"', id="query")
        yield Static("", id="said", classes="said")
        table: DataTable[object] = DataTable(cursor_type="row", id="runs")
        yield table
        yield Static("", id="hits", classes="lines")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        table = self.query_one("#runs", DataTable)
        for name, width in (("", 1), ("began, UTC", 16), ("outcome", 7), ("took", 8), ("steps", 5), ("cost", 9), ("agent and goal", None)):  # fmt: skip
            table.add_column(build_cell(name), width=width)
        table.focus()
        self._search_runs()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, and move the focus to the table."""
        self.text, self._cursors = event.value, [None]
        if self._search_runs():
            self.query_one("#runs", DataTable).focus()

    def on_data_table_row_highlighted(self, _: DataTable.RowHighlighted) -> None:
        """Show the matching lines of the run under the cursor."""
        run = self._get_run_under_cursor()
        told = [] if run is None else [f"{hit.t / 1_000:8.1f} s  {hit.kind}: {hit.text}" for hit in run.hits[:3]]
        if run is not None and not told:
            told = [f"{run.id}  {run.path or 'only figures are kept'}"]
        self.query_one("#hits", Static).update(build_lines(told))

    def on_data_table_row_selected(self, _: DataTable.RowSelected) -> None:
        """Open the screen of the selected run."""
        self.action_open()

    def action_back(self) -> None:
        """Move the focus to the table; if the table has it already, clear the query."""
        if isinstance(self.focused, Input):
            self.query_one("#runs", DataTable).focus()
        elif self.text:
            self.text = self.query_one("#query", Input).value = ""
            self._cursors = [None]
            self._search_runs()

    def action_ask(self) -> None:
        """Move the focus to the query line."""
        self.query_one("#query", Input).focus()

    def action_open(self) -> None:
        """Open the screen of the run under the cursor."""
        from .run_screen import RunScreen

        if (run := self._get_run_under_cursor()) is not None:
            self.app.push_screen(RunScreen(self.asking, run.id, run.hits[0].t if run.hits else None))

    def action_mark(self) -> None:
        """Mark the run under the cursor for a comparison, or unmark it. Only the last two marks are kept."""
        run = self._get_run_under_cursor()
        if run is None:
            return
        if run.id in self._marked:
            self._marked.remove(run.id)
        else:
            self._marked = [*self._marked, run.id][-2:]
        table = self.query_one("#runs", DataTable)
        for row, each in enumerate(self._answer.runs if self._answer else ()):
            table.update_cell_at((row, 0), build_cell("*" if each.id in self._marked else ""))  # type: ignore[arg-type]
        self._show_count()

    def action_compare(self) -> None:
        """Compare the two marked runs."""
        from .compare_screen import CompareScreen

        if len(self._marked) != 2:
            self.show_status("Mark two runs with the space bar first: the one that is as it should be, then the other.")
            return
        self.app.push_screen(CompareScreen(self.asking, *self._marked))

    def action_replay(self) -> None:
        """Open the replay of the run under the cursor, at the time of its first match."""
        if (run := self._get_run_under_cursor()) is not None:
            at = run.hits[0].t if run.hits else None
            self.run_in_background("The replay is being made …", lambda: self.asking.get_replay(run.id), lambda made: self.open_in_browser(made, at))  # fmt: skip

    def action_figures(self) -> None:
        """Open the screen with figures over the matching runs."""
        from .figures_screen import FiguresScreen

        self.app.push_screen(FiguresScreen(self.asking, self.text))

    def action_log(self) -> None:
        """Open the screen with the library's log."""
        from .log_screen import LogScreen

        self.app.push_screen(LogScreen(self.asking))

    def action_next(self) -> None:
        """Show the next page of runs, which are older."""
        if self._answer is not None and self._answer.next:
            self._cursors.append(self._answer.next)
            self._search_runs()

    def action_first(self) -> None:
        """Show the previous page of runs, which are newer."""
        if len(self._cursors) > 1:
            self._cursors.pop()
            self._search_runs()

    def action_again(self) -> None:
        """Search again, because runs may have been added."""
        self._search_runs()

    def _get_run_under_cursor(self) -> FoundRun | None:
        row = self.query_one("#runs", DataTable).cursor_row
        runs = self._answer.runs if self._answer is not None else ()
        return runs[row] if 0 <= row < len(runs) else None

    def _search_runs(self) -> bool:
        try:
            self._answer, goals = self.asking.search_runs(self.text, self._cursors[-1])
        except QueryError as error:
            begin = max(0, error.place - _BEFORE)
            self.show_status(
                self.text[begin:], " " * (error.place - begin) + "^", str(error).partition(" (at character")[0]
            )
            return False
        except PagereelError as error:
            self.show_status(str(error))
            return False
        table = self.query_one("#runs", DataTable)
        table.clear()
        for run in self._answer.runs:
            cost = f"${run.cost:.4f}" if run.cost else ""
            table.add_row(
                build_cell("*" if run.id in self._marked else ""), build_cell(format_time(run.started)), format_run_outcome(run.outcome), build_cell(format_duration(run.duration), align_right=True),
                build_cell(run.steps, align_right=True), build_cell(cost, align_right=True), build_cell("  ".join(each for each in (run.agent or "", " → ".join(goals.get(run.id, ()))[:300]) if each)),
            )  # fmt: skip
        self._show_count()
        return True

    def _show_count(self) -> None:
        answer = self._answer
        assert answer is not None
        page = f", page {len(self._cursors)}" if len(self._cursors) > 1 or answer.next else ""
        marked = f"; marked: {' and '.join(id[:8] for id in self._marked)}" if self._marked else ""
        self.show_status(f"{answer.total:,} run{'' if answer.total == 1 else 's'}{page}{marked}")
