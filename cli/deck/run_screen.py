"""The deck's screen for one run: its outcome, its steps, its errors, its calls."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import DataTable, Footer, Static, TabbedContent, TabPane

from .base_screens import DeckScreen
from .deck_library import DeckLibrary, RunDetails
from .safe_text import build_cell, build_lines, format_duration, format_step_outcome, format_time

_TABS = ("summary", "steps", "errors", "calls")


class RunScreen(DeckScreen):
    """The deck's screen of one run. ``o`` opens the run's replay at the time of the row under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("o", "replay", "Replay"),
        *(Binding(str(place), f"tab('{name}')", name.capitalize(), show=False) for place, name in enumerate(_TABS, 1)),
        Binding("right,l", "turn(1)", "Next tab"),
        Binding("left,h", "turn(-1)", show=False),
    ]

    def __init__(self, asking: DeckLibrary, id: str, at: float | None = None) -> None:
        super().__init__(asking)
        self.run_id, self._at = id, at
        self._moments: dict[str, list[float]] = {}

    def compose(self) -> ComposeResult:
        yield Static("", id="head", classes="head")
        with TabbedContent(initial="summary"):
            with TabPane("1 Summary", id="summary"), VerticalScroll(id="scroll"):
                yield Static("", id="told", classes="block")
            for place, name in enumerate(_TABS[1:], 2):
                with TabPane(f"{place} {name.capitalize()}", id=name):
                    table: DataTable[object] = DataTable(cursor_type="row", id=f"{name}-table")
                    yield table
        yield Static("", id="said", classes="said")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.run_in_background(
            "The recording is being read …", lambda: self.asking.load_run(self.run_id), self._show_run
        )
        self.action_tab("summary")

    def _show_run(self, details: RunDetails) -> None:
        summary = details.summary
        self.show_status("")
        took = format_duration(summary["duration"])
        said = f"{summary['agent'] or 'somebody'}  {summary['outcome'].upper()}  {took}  {format_time(summary['started'] or 0)}"
        self.query_one("#head", Static).update(build_lines([said, f"{summary['id']}  tier {summary['tier']}"]))
        self.query_one("#told", Static).update(build_lines(_format_summary(summary)))
        self._fill_table("steps", ("ms", "step", "took", "ended"), (
            (step["t"], (f"{step.get('number', '')} {step['title']}", format_duration(step.get("duration")), format_step_outcome(step.get("success")))) for step in details.steps
        ))  # fmt: skip
        self._fill_table("errors", ("ms", "kind", "error"), ((e["t"], (e["kind"], e.get("message") or "")) for e in details.errors))  # fmt: skip
        self._fill_table(
            "calls", ("ms", "kind", "call", "took", "error"), ((c["t"], _format_call_cells(c)) for c in details.calls)
        )

    def _fill_table(self, name: str, columns: tuple[str, ...], rows: Any) -> None:
        table = self.query_one(f"#{name}-table", DataTable)
        for column in columns:
            table.add_column(build_cell(column))
        self._moments[name] = []
        for t, cells in rows:
            self._moments[name].append(t)
            table.add_row(build_cell(f"{t:.0f}", align_right=True), *(build_cell(str(each)[:200]) for each in cells))

    def action_tab(self, name: str) -> None:
        """Show the tab with this name."""
        self.query_one(TabbedContent).active = name
        self.query_one("#scroll" if name == "summary" else f"#{name}-table").focus()

    def action_turn(self, by: int) -> None:
        """Show the tab `by` places to the right; a negative number means to the left."""
        at = _TABS.index(self.query_one(TabbedContent).active)
        self.action_tab(_TABS[(at + by) % len(_TABS)])

    def action_replay(self) -> None:
        """Open the replay at the time of the row under the cursor, otherwise at the time of the search's match."""
        name, at = self.query_one(TabbedContent).active, self._at
        if moments := self._moments.get(name):
            row = self.query_one(f"#{name}-table", DataTable).cursor_row
            at = moments[row] if row < len(moments) else at
        self.run_in_background("The replay is being made …", lambda: self.asking.get_replay(self.run_id), lambda made: self.open_in_browser(made, at))  # fmt: skip


def _format_call_cells(call: Any) -> tuple[str, str, str, str]:
    name = call.get("did") or call.get("name") or call.get("model") or call.get("method") or ""
    return call["kind"], name, format_duration(call.get("duration")), call.get("error") or ""


def _format_summary(summary: Any) -> list[str]:
    from pagereel.reading import to_summary_paragraph

    told = [to_summary_paragraph(summary, markdown=False), ""]
    figures = (
        ("operations", f"{summary['operations']:,}"), ("different tools", f"{summary['unique_tools']:,}"), ("highest iteration", f"{summary['max_iteration']:,}"),
        ("retries", f"{summary['retries']:,}"), ("tokens", f"{summary['tokens']:,}"), ("cost", f"${summary['cost_usd']:.4f}"), ("errors", f"{summary['errors']:,}"),
        ("checkpoints equal", f"{summary['fidelity']['equal']} of {summary['fidelity']['checkpoints']}"),
    )  # fmt: skip
    told += [f"{name:>18}  {value}" for name, value in figures]
    for title, rows in (("Tools", summary["tools"]), ("Models", summary["models"])):
        if rows:
            told += ["", title, *(f"{row['count']:>18}  {row['name']}" for row in rows)]
    missing = {**summary["gaps"], **summary["unsupported"]}
    if missing:
        told += ["", "Missing", *(f"{count:>18}  {name}" for name, count in missing.items())]
    if summary["pages"]:
        told += ["", "Pages", *(f"  {page}" for page in summary["pages"])]
    return told
