"""Finds every line of text that a recording's pages showed, with its first and last time, in one pass over the page model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagereel.reel import PageModel
from pagereel.sources import open_any

from .outline import build_outline, get_page_title

STILL: Final = 100.0
"""Ms without a change after which a page is read: nobody can read text that was replaced sooner."""
_LEAST: Final = 200.0
"""Smallest time in ms between two readings of a page that keeps changing."""
_NODES: Final = 20
"""Number of nodes for each ms between two readings: a page of 60,000 nodes is read every three seconds at most. The
time is that of the recording's clock, so that the same recording always gives the same lines.
"""
_CHANGES: Final = frozenset({"document", "snapshot", "mutation", "location", "embed"})


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of text that a page showed. `begin` and `end` in ms; `page`: the page's number."""

    page: int
    text: str
    begin: float
    end: float


def iter_shown_lines(path: Path) -> Iterator[ShownLine]:
    """Yield each line of text, in no order, once for each time that it appeared. A page's title and address count as
    lines.

    :raises ReelError: the file is no recording; LockedError: it is encrypted, and its key is not given.
    """
    watch = _LineWatch()
    with open_any(path) as reel:
        for event in reel.timeline():
            t = float(str(event.get("t") or 0))
            if event["k"] in _CHANGES:
                yield from watch.read_before_change(
                    t, loads_document=event["k"] == "document" and bool(event.get("top"))
                )
            watch.model.apply(event)
            watch.last = max(watch.last, t)
            if event["k"] in _CHANGES:
                watch.changed = t
    yield from watch.read_pages(watch.changed or 0.0)
    yield from watch.end_all_lines(watch.last)


class _LineWatch:
    """Reads the lines of text of a page model's pages as the model changes, and yields each line when it disappears."""

    def __init__(self) -> None:
        self.model = PageModel()
        self.last = 0.0
        self.changed: float | None = None
        """Time of the first change since the last reading, in ms; None: nothing has changed."""
        self._looked = 0.0
        self._gap = _LEAST
        self._open: dict[tuple[int, str], float] = {}
        """(page, line) → since when it is shown."""

    def read_before_change(self, t: float, loads_document: bool) -> Iterator[ShownLine]:
        """Read the pages before a change at `t` (ms), if their present text was shown long enough; yield the lines that
        disappeared.

        `loads_document`: the change is a new document in a page; then the pages are read in any case.
        """
        if self.changed is None:
            return
        if loads_document or t - self.changed >= STILL or t - self._looked >= self._gap:
            yield from self.read_pages(self.changed)
            self._looked = t

    def read_pages(self, t: float) -> Iterator[ShownLine]:
        """Read the pages, and yield the lines that disappeared at `t` (ms). New lines count as shown since `t`."""
        self.changed = None
        shown: dict[tuple[int, str], None] = {}
        nodes = 0
        for state in self.model.pages.values():
            document = self.model.documents.get(state.document or 0)
            if document is None or not state.open:
                continue
            nodes += len(document.nodes)
            lines = [get_page_title(document), document.url, *build_outline(self.model, document).split("\n")]
            shown |= {(state.number, line): None for line in lines if line}
        self._gap = max(_LEAST, nodes / _NODES)
        for key in [key for key in self._open if key not in shown]:
            yield ShownLine(*key, self._open.pop(key), t)
        for key in shown:
            self._open.setdefault(key, t)

    def end_all_lines(self, t: float) -> Iterator[ShownLine]:
        """Yield every line that is still shown; it ends at `t` (ms), the end of the recording."""
        for (page, text), begin in self._open.items():
            yield ShownLine(page, text, begin, max(begin, t))
