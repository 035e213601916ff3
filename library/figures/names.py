"""Makes names safe for a page or a chart."""

from __future__ import annotations

from typing import Final

from pagereel import invisible

_UNSEEN: Final = invisible.any_of(invisible.CONTROLS, invisible.TURNS, invisible.FORMATS)


def plain(text: object) -> str:
    """Return a text on one line, without invisible characters and those that change the writing direction."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(str(text).split()))
