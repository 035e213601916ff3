"""`pagereel deck`: a library in a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from pagereel.errors import SetupError, UsageError


def deck(folder: Path, query: str = "") -> int:
    """Show a library in this terminal until the user leaves it. Raises UsageError, SetupError."""
    try:
        from .app import Deck
    except ImportError:
        raise SetupError("The deck needs Textual; install it with: pip install 'pagereel[deck]'.") from None
    from .asking import Asking

    asking = Asking(folder)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"The deck is for a terminal; `pagereel library list {folder}` prints what it shows.")
    Deck(asking, query).run()
    return 0
