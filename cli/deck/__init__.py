"""`pagereel deck`: shows a library in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from pagereel.errors import SetupError, UsageError


def show_deck(folder: Path, query: str = "") -> int:
    """Show a library in this terminal until the user leaves it. Raises UsageError, SetupError."""
    try:
        from .app import DeckApp
    except ImportError:
        raise SetupError("The deck needs Textual; install it with: pip install 'pagereel[deck]'.") from None
    from .deck_library import DeckLibrary

    asking = DeckLibrary(folder)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"The deck is for a terminal; `pagereel library list {folder}` prints what it shows.")
    DeckApp(asking, query).run()
    return 0
