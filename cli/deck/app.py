"""The application of the deck, with a screen each for the list of runs, one run, figures, a comparison and the log."""

from __future__ import annotations

import os
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from .deck_library import DeckLibrary
from .runs_screen import RunsScreen

DARK, LIGHT = "textual-dark", "textual-light"


class DeckApp(App[None]):
    """The application that shows a library in a terminal. It is used with the keyboard alone."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "pagereel"
    CSS = """
    Screen { layout: vertical; }
    DataTable { height: 1fr; background: $surface; scrollbar-size-horizontal: 0; scrollbar-size-vertical: 1; }
    DataTable > .datatable--cursor { text-style: bold reverse; color: $text; background: $surface; }
    DataTable:blur > .datatable--cursor { text-style: underline; }
    DataTable > .datatable--header { text-style: bold underline; }
    Input { height: 3; border: round $foreground 50%; }
    Input:focus { border: heavy $foreground; }
    .said { height: auto; max-height: 6; padding: 0 1; }
    .lines { height: 4; padding: 0 1; border-top: solid $foreground 50%; }
    .head { height: auto; max-height: 3; padding: 0 1; text-style: bold; }
    TabbedContent { height: 1fr; }
    TabPane { height: 1fr; padding: 0; }
    ContentSwitcher { height: 1fr; }
    VerticalScroll { padding: 0 1; scrollbar-size-vertical: 1; }
    .block { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "shade", "Light/dark", show=False),
        Binding("question_mark", "keys", "Keys"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, asking: DeckLibrary, query: str = "") -> None:
        super().__init__()
        self.asking = asking
        self._query = query
        self.theme = LIGHT if _is_terminal_light() else DARK

    def on_mount(self) -> None:
        self.push_screen(RunsScreen(self.asking, self._query))

    def action_shade(self) -> None:
        """Switch between a light and a dark background."""
        self.theme = DARK if self.theme == LIGHT else LIGHT

    def action_keys(self) -> None:
        """Show what each key does."""
        from .keys_screen import KeysScreen

        if not isinstance(self.screen, KeysScreen):
            self.push_screen(KeysScreen())


def _is_terminal_light() -> bool:
    """Return whether the terminal reports a light background, as several do: ``COLORFGBG=0;15``."""
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
