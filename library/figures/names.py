"""Names as a page or a chart may show them."""

from __future__ import annotations

from typing import Final

from pagereel import invisible

_UNSEEN: Final = invisible.any_of(invisible.CONTROLS, invisible.TURNS, invisible.FORMATS)


def plain(text: object) -> str:
    """Return a text on one line, without what no font draws and what turns letters round."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", " ".join(str(text).split()))
