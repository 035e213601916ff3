"""The deck's screen that lists its keys and their functions."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

KEYS = """\
Runs
  /        the query line; Enter searches, Esc goes back to the runs
  Enter    the run under the cursor
  Space    mark it; c compares the two that are marked
  o        open its replay in a browser, at the moment for which it was found
  f  a     figures over the runs that fit; the log
  n  p     older runs; newer ones
  r        ask again
A run
  1 2 3 4  summary, steps, errors, calls; or the arrows left and right
  o        open the replay at the row under the cursor
Everywhere
  ↑ ↓ j k  rows
  Esc      back
  t        light or dark
  q        leave
"""


class KeysScreen(ModalScreen[None]):
    """A screen over the current one that lists the deck's keys. Escape, Enter and ``?`` close it."""

    CSS = "KeysScreen { align: center middle; } KeysScreen > VerticalScroll { width: 76; max-width: 100%; height: auto; max-height: 100%; background: $surface; border: round $foreground; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,enter", "app.pop_screen", "Back")]

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(KEYS, markup=False)
