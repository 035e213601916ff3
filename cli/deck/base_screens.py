"""The base classes of the deck's screens: a status line, work in the background, and opening files in a browser."""

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

from .deck_library import DeckLibrary
from .safe_text import build_cell, build_lines

T = TypeVar("T")


class DeckScreen(Screen[None]):
    """The base class of the deck's screens, with a status line and work in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
    ]

    def __init__(self, asking: DeckLibrary) -> None:
        super().__init__()
        self.asking = asking

    def action_back(self) -> None:
        """Leave this screen."""
        self.app.pop_screen()

    def action_down(self) -> None:
        """Move one row down, as the arrow key does."""
        self._move_cursor("down")

    def action_up(self) -> None:
        """Move one row up."""
        self._move_cursor("up")

    def _move_cursor(self, direction: str) -> None:
        if isinstance(self.focused, DataTable):
            getattr(self.focused, f"action_cursor_{direction}")()
        elif isinstance(self.focused, VerticalScroll):
            getattr(self.focused, f"action_scroll_{direction}")()

    def show_status(self, *text: str) -> None:
        """Show sentences in the status line."""
        if self.is_attached:
            self.query_one("#said", Static).update(build_lines(text))

    def run_in_background(self, description: str, work: Callable[[], T], callback: Callable[[T], None]) -> None:
        """Call `work` in a thread, and pass its result to `callback`. Meanwhile the status line shows the sentence `description`.

        An error is shown in the status line.
        """
        self.show_status(description)

        def run_work() -> None:
            try:
                told = work()
            except PagereelError as error:
                self.app.call_from_thread(self.show_status, str(error))
            except Exception as error:  # an error is shown in the status line, not as a traceback across the screen
                self.app.call_from_thread(
                    self.show_status, f"An error of pagereel's own ({type(error).__name__}: {error}); please report it."
                )
            else:
                self.app.call_from_thread(self._pass_result, callback, told)

        self.run_worker(run_work, thread=True, exclusive=True, exit_on_error=False)

    def _pass_result(self, callback: Callable[[T], None], result: T) -> None:
        if self.is_attached:
            callback(result)

    def open_in_browser(self, path: Path, t: float | None = None) -> None:
        """Open the file `path` in a browser at the time `t` (ms). If there is no browser, show the file's path."""
        address = path.resolve().as_uri() + (f"#t={t:.0f}" if t is not None else "")
        opened = _can_open_windows() and webbrowser.open(address)
        self.show_status("Opened in the browser:" if opened else "Open this in a browser:", address)


class TableScreen(DeckScreen):
    """A screen with a heading, a table and a status line."""

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
            table.add_column(build_cell(column))
        table.focus()


def _can_open_windows() -> bool:
    """Return whether a browser can open a window on this machine; a text browser would take over this terminal."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in names)
