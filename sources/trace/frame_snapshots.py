"""Converts the snapshots of a trace's frames to documents, each in the order in which its frame showed it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.reel import Event, Json

from .clock import TraceClock, to_number_in_range
from .document import TraceDocument
from .snapshot_grammar import MOST_NODES, SnapshotHistory
from .versions import Line

_QUIRKS: Final = "BackCompat"
_STANDARDS: Final = "CSS1Compat"
_CLICK: Final = ("down", "up", "click")
_CLICKS: Final = {
    "click": _CLICK,
    "dblclick": (*_CLICK, "dblclick"),
    "tap": _CLICK,
    "check": _CLICK,
    "uncheck": _CLICK,
    "setChecked": _CLICK,
    "mouseClick": _CLICK,
    "mouseDown": ("down",),
    "mouseUp": ("up",),
}
"""Method → the pointer's events."""
_URL_LENGTH: Final = 1 << 20


@dataclass
class FrameDocument:
    """A document that a frame of the trace showed, with the document's number in the reel."""

    d: int
    frame: str
    page: int
    t: float
    """The time of its first snapshot, in ms."""
    url: str
    document: TraceDocument
    viewport: tuple[float, float]
    n: int = 0
    embedded: tuple[int, int] | None = None
    """The document and the node of its iframe, once known."""


@dataclass
class _FrameHistory:
    """All snapshots of one frame, and the documents that it showed."""

    history: SnapshotHistory = field(default_factory=SnapshotHistory)
    shown: list[FrameDocument] = field(default_factory=list)
    sheets: list[dict[str, str | None]] = field(default_factory=list)
    """For each snapshot: URL → file of a linked sheet that a script changed."""


class TracePages:
    """The pages of a trace, numbered in the order in which they first occur."""

    def __init__(self, clock: TraceClock) -> None:
        self._clock = clock
        self._numbers: dict[str, int] = {}

    def get_or_open_page(self, name: object, t: float) -> tuple[int, list[Event]]:
        """Return a page's number, and the event that opens the page if it is new."""
        known = self._numbers.get(str(name))
        if known is not None:
            return known, []
        return self.open_page(name, t, None)

    def open_page(self, name: object, t: float, opener: object) -> tuple[int, list[Event]]:
        """Return a page's number and, if the page is new, the event that opens it."""
        if str(name) in self._numbers:
            return self._numbers[str(name)], []
        number = self._numbers[str(name)] = len(self._numbers) + 1
        event: Event = {"k": "page", "t": t, "page": number, "event": "open"}
        if opener is not None and (by := self._numbers.get(str(opener))) is not None:
            event["opener"] = by
        return number, [event]

    def get_page_number(self, name: object) -> int | None:
        """Return the number of a known page; None for an unknown one."""
        return self._numbers.get(str(name))

    @property
    def default_page_number(self) -> int:
        """Return the number of the page for events that name no page."""
        return min(self._numbers.values(), default=1)


class FrameSnapshotConverter:
    """Converts frame snapshots, which it must receive in their order, to documents and their messages."""

    def __init__(self, pages: TracePages, text_of: Callable[[str], str | None]) -> None:
        self._pages = pages
        self._text_of = text_of
        self._chains: dict[str, _FrameHistory] = {}
        self._iframes: dict[str, tuple[int, int]] = {}
        """Frame → the document and node of its iframe."""
        self._last = 0
        self.ratio = 1.0
        """Device pixels of a CSS pixel."""
        self.targets: dict[str, tuple[FrameDocument, int, bool]] = {}
        """Call → the element on which it acted, and whether the element's value is masked."""
        self.calls: dict[str, int] = {}
        """Call → the page of its snapshots."""
        self._main: dict[int, int] = {}
        """Page → its main document."""
        self.secrets: set[str] = set()
        self.shown_values: set[str] = set()
        self.cut = False
        """Whether a snapshot, or all frames together, had more nodes than are read."""

    @property
    def has_documents(self) -> bool:
        """Return whether there is any document."""
        return self._last > 0

    def skip_snapshot(self, frame: str) -> None:
        """Count a snapshot that cannot be read, because later snapshots refer to nodes by the number of snapshots
        since.
        """
        if frame in self._chains:
            chain = self._chains[frame]
            chain.history.skip_snapshot()
            chain.sheets.append({})

    def convert_snapshot(self, snapshot: Line, t: float) -> Iterator[Event]:
        """Yield the events of one snapshot of a frame, taken at `t` (ms)."""
        frame = str(snapshot.get("frameId"))[:1000]
        chain = self._chains.setdefault(frame, _FrameHistory())
        if sum(each.history.nodes for each in self._chains.values()) - chain.history.nodes > MOST_NODES:
            self.cut = True
            self.skip_snapshot(frame)
            return
        root = chain.history.add_snapshot(snapshot.get("html"))
        self.cut = self.cut or chain.history.cut
        sheets = self._find_changed_sheets(chain, snapshot.get("resourceOverrides"))
        url = str(snapshot.get("frameUrl") or "about:blank")[:_URL_LENGTH]
        viewport = _parse_viewport_size(snapshot.get("viewport"))
        page, opened = self._pages.get_or_open_page(snapshot.get("pageId"), t)
        yield from opened
        if isinstance(call := snapshot.get("callId"), str):
            self.calls.setdefault(call, page)
        now = chain.shown[-1] if chain.shown else None
        if root is None:
            return
        if now is None or not now.document.shares_node_with(root):
            if isinstance(root, tuple):
                found = chain.history.get_node(root)
                if found is None:
                    return
                root = found
            shown = yield from self._begin_document(chain, frame, page, t, url, viewport, snapshot)
            ops = shown.document.build_first_ops(root, _get_doctype(snapshot), sheets)
            yield self._build_message(shown, t, "snapshot", {"ops": ops, "why": "start"})
        else:
            shown = now
            if url != shown.url:
                shown.url = url
                yield self._build_message(shown, t, "location", {"url": url})
            if viewport != shown.viewport:
                shown.viewport = viewport
                w, h = viewport
                yield self._build_message(shown, t, "viewport", {"w": w, "h": h, "dpr": self.ratio})
            if ops := shown.document.build_change_ops(root, sheets):
                yield self._build_message(shown, t, "mutation", {"ops": ops})
        yield from self._iter_embed_events(shown)
        self._collect_secrets_and_target(shown, snapshot)

    def iter_pointer_events(self, snapshot: Line, method: str, point: tuple[float, float], t: float) -> Iterator[Event]:
        """Yield the pointer and mouse events of a call, after the snapshot that was taken during it."""
        chain = self._chains.get(str(snapshot.get("frameId"))[:1000])
        if chain is None or not chain.shown:
            return
        shown = chain.shown[-1]
        x, y = point
        yield self._build_message(shown, t, "pointer", {"points": [[0, x, y]], "type": "mouse"})
        target = shown.document.target_element
        for kind in _CLICKS.get(method, ()):
            place = {"node": target.id if target is not None else 0, "x": x, "y": y, "button": 0}
            yield self._build_message(shown, t, "mouse", {"type": kind, **place})

    def find_document_at(self, frame: str, t: float) -> int | None:
        """Return the number of the document that a frame showed at `t` (ms); the first one for an earlier time."""
        chain = self._chains.get(frame)
        if chain is None or not chain.shown:
            return None
        index = bisect_right(chain.shown, t, key=lambda shown: shown.t)
        return chain.shown[max(0, index - 1)].d

    def find_document_after(self, frame: str, t: float) -> int | None:
        """Return the number of the next document that a frame showed after `t` (ms)."""
        chain = self._chains.get(frame)
        if chain is None:
            return None
        index = bisect_right(chain.shown, t, key=lambda shown: shown.t)
        return chain.shown[index].d if index < len(chain.shown) else None

    def get_main_document(self, page: int) -> int | None:
        """Return the number of the document that a page's main frame showed last."""
        return self._main.get(page)

    def _begin_document(
        self,
        frame_history: _FrameHistory,
        frame: str,
        page: int,
        t: float,
        url: str,
        viewport: tuple[float, float],
        snapshot: Line,
    ) -> Any:
        self._last += 1
        quirks = not _get_doctype(snapshot) and not url.startswith("about:srcdoc")
        shown = FrameDocument(
            self._last, frame, page, t, url, TraceDocument(frame_history.history, quirks=quirks), viewport
        )
        frame_history.shown.append(shown)
        if snapshot.get("isMainFrame") is True:
            self._main[page] = shown.d
        yield {
            "k": "document",
            "t": t,
            "d": shown.d,
            "page": page,
            "frame": frame,
            "url": url,
            "top": snapshot.get("isMainFrame") is True,
            "viewport": {"w": viewport[0], "h": viewport[1], "dpr": self.ratio},
            "mode": _QUIRKS if quirks else _STANDARDS,
        }
        return shown

    def _build_message(self, frame_document: FrameDocument, t: float, kind: str, fields: dict[str, Any]) -> Event:
        event: dict[str, Json] = {"k": kind, "t": t, "d": frame_document.d, "n": frame_document.n, **fields}
        frame_document.n += 1
        return event

    def _iter_embed_events(self, frame_document: FrameDocument) -> Iterator[Event]:
        """Yield the `embed` events of a document and of its frames, once both documents are known."""
        for frame, node in frame_document.document.iframe_ids.items():
            self._iframes[frame] = (frame_document.d, node)
            chain = self._chains.get(frame)
            if chain is not None and chain.shown:
                yield from self._iter_changed_embed_event(chain.shown[-1])
        yield from self._iter_changed_embed_event(frame_document)

    def _iter_changed_embed_event(self, frame_document: FrameDocument) -> Iterator[Event]:
        place = self._iframes.get(frame_document.frame)
        if place is not None and frame_document.embedded != place and place[0] != frame_document.d:
            frame_document.embedded = place
            yield {"k": "embed", "t": frame_document.t, "d": frame_document.d, "parent": place[0], "node": place[1]}

    def _collect_secrets_and_target(self, frame_document: FrameDocument, snapshot: Line) -> None:
        document = frame_document.document
        self.secrets |= document.masked_values
        self.shown_values |= document.unmasked_values
        document.masked_values.clear()
        document.unmasked_values.clear()
        if document.target_element is not None:
            self.targets[str(snapshot.get("callId"))] = (
                frame_document,
                document.target_element.id,
                document.is_masked(document.target_element),
            )

    def _find_changed_sheets(self, frame_history: _FrameHistory, overrides: object) -> dict[str, str]:
        """Return the texts of the linked sheets that a script changed, by URL, at this snapshot."""
        files: dict[str, str | None] = {}
        number = len(frame_history.sheets)
        for override in overrides if isinstance(overrides, list) else []:
            if not isinstance(override, dict) or not isinstance(url := override.get("url"), str):
                continue
            ago = override.get("ref")
            if isinstance(file := override.get("file"), str):
                files[url] = file
            elif type(ago) is int and 0 < ago <= number:
                files[url] = frame_history.sheets[number - ago].get(url)
        frame_history.sheets.append(files)
        texts = {url: self._text_of(file) for url, file in files.items() if file is not None}
        return {url: text for url, text in texts.items() if text is not None}


def _get_doctype(snapshot: Line) -> str | None:
    name = snapshot.get("doctype")
    return name if isinstance(name, str) and name.isalnum() and len(name) < 100 else None


def _parse_viewport_size(viewport: object) -> tuple[float, float]:
    if not isinstance(viewport, dict):
        return 1280, 720
    return to_number_in_range(viewport.get("width"), 0, 1e6) or 0.0, to_number_in_range(
        viewport.get("height"), 0, 1e6
    ) or 0.0
