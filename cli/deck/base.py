"""What all screens of the deck have: the way back, a line that says what is being done, work that does not hold the keys up, and the way to a browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Static

from pagereel.errors import PagereelError

from .asking import Asking
from .plain import cell, lines

T = TypeVar("T")


class DeckScreen(Screen[None]):
    """A screen of the deck."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self.asking = asking

    def action_back(self) -> None:
        """Leave this screen."""
        self.app.pop_screen()

    def action_down(self) -> None:
        """Go one row on, as the arrow does."""
        self._move("down")

    def action_up(self) -> None:
        """Go one row back."""
        self._move("up")

    def _move(self, way: str) -> None:
        if isinstance(self.focused, DataTable):
            getattr(self.focused, f"action_cursor_{way}")()
        elif isinstance(self.focused, VerticalScroll):
            getattr(self.focused, f"action_scroll_{way}")()

    def say(self, *said: str) -> None:
        """Show sentences in the line that is there for it."""
        if self.is_attached:
            self.query_one("#said", Static).update(lines(said))

    def doing(self, what: str, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Do something in a thread, say so meanwhile, and show what came of it."""
        self.say(what)

        def run() -> None:
            try:
                told = work()
            except PagereelError as error:
                self.app.call_from_thread(self.say, str(error))
            except Exception as error:  # what went wrong is told where it can be read, not in a trace across the screen
                self.app.call_from_thread(
                    self.say, f"An error of pagereel's own ({type(error).__name__}: {error}); please report it."
                )
            else:
                self.app.call_from_thread(self._done, then, told)

        self.run_worker(run, thread=True, exclusive=True, exit_on_error=False)

    def _done(self, then: Callable[[T], None], told: T) -> None:
        if self.is_attached:
            then(told)

    def show_page(self, made: Path, t: float | None = None) -> None:
        """Open a file in a browser at a moment, ms; where there is none, say where it is."""
        address = made.resolve().as_uri() + (f"#t={t:.0f}" if t is not None else "")
        opened = _has_windows() and webbrowser.open(address)
        self.say("Opened in the browser:" if opened else "Open this in a browser:", address)


class TableScreen(DeckScreen):
    """A screen of a head, a table and a line of what is being done."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()

    def compose(self) -> ComposeResult:
        yield Static("", id="head", classes="head")
        table: DataTable[object] = DataTable(cursor_type="row", id="table")
        yield table
        yield Static("", id="said", classes="said")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        table = self.query_one("#table", DataTable)
        for column in self.COLUMNS:
            table.add_column(cell(column))
        table.focus()


def _has_windows() -> bool:
    """Return whether a browser would open a window, and not take this terminal."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in names)
