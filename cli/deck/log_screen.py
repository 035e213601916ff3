"""The deck's screen for the log of a library. It also says whether the log is intact."""

from __future__ import annotations

from textual.widgets import DataTable, Static

from .base_screens import TableScreen
from .deck_library import DeckLog
from .safe_text import build_cell, build_lines

_TOLD = ("when", "who", "did", "prev", "sha256", "keys", "run")


class LogScreen(TableScreen):
    """The deck's screen with the actions on the library, the newest first."""

    COLUMNS = ("when", "who", "did", "run", "more")

    def on_mount(self) -> None:
        super().on_mount()
        self.run_in_background("The log is being read …", self.asking.load_log, self._show_log)

    def _show_log(self, log: DeckLog) -> None:
        whole = "The log is whole." if log.whole else "THE LOG WAS CHANGED: a line does not follow the one before it."
        left = f"Left of runs that are gone: {', '.join(log.left)}" if log.left else ""
        self.query_one("#head", Static).update(build_lines(filter(None, (whole, left))))
        self.show_status("")
        table = self.query_one("#table", DataTable)
        for line in log.lines:
            more = "  ".join(f"{name} {value}" for name, value in line.items() if name not in _TOLD and value not in ("", None))  # fmt: skip
            run = str(line.get("run", ""))[:12]
            table.add_row(*(build_cell(each) for each in (str(line.get("when", ""))[:19], line.get("who", ""), line.get("did", ""), run, more[:300])))  # fmt: skip
