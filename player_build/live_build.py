"""Converts a recording that is still growing to parts for the player, one after the other.

    live = LiveBuild(header)
    part = live.add_events(events)       # the new events; `part.needs`: the resources that it shows
    first = live.build_first_part()      # for a new viewer: the present pages, without earlier events

An address may occur before its bytes were recorded. The node with that address then waits, and gets new ops when the
bytes arrive. All viewers get the same parts; each part continues the one before it, or the first part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

import orjson

from pagereel import __version__
from pagereel.reel import PLACEHOLDER, Event, Json, Node, ReelDamage, build_state_events

from .build_summary import BuildSummary
from .built_replay import RUN_KINDS, BuiltReplay
from .chunks import EventChunker, compress_raw_deflate
from .html_file import LIVE, render_file
from .page_events import PAGE_KINDS, PageEventBuilder
from .painted_values import PaintedValues
from .resources import PackedResource, ResourceCatalogue, ResourcePacker

_DOCUMENTS: Final = 24
"""Number of documents above which those that are no longer shown are dropped."""
_NAMED: Final = re.compile(rb"pagereel:(\d+)")
assert PLACEHOLDER == "pagereel:"


@dataclass(frozen=True, slots=True)
class LivePart:
    """A part of a live recording: JSON for the player's live script, and the numbers of the resources that it needs.

    A resource comes after the resources that it refers to.
    """

    data: bytes
    needs: tuple[int, ...]


@dataclass
class _LiveSummarySource:
    """The facts about a live recording that its summary needs."""

    header: Event
    end: Event | None = None
    closed: bool = True
    """A recording under way does not count as cut off."""
    damage: ReelDamage | None = None
    size: int = 0


class _LiveCatalogue(ResourceCatalogue):
    """A resource catalogue for a live recording. It notes the addresses that had no body when they were looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.missed: set[str] = set()

    def find_body(self, page: int, url: str, t: float, document: int = 0) -> str | None:
        found = super().find_body(page, url, t, document)
        if found is None:
            self.missed.add(url.partition("#")[0])
        return found


class _LivePacker(ResourcePacker):
    """A packer that stores each resource by itself, because live viewers request them one by one."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[object, int] = {}
        self._data: list[bytes] = []

    def number_resource(self, key: object, mime: str, data: bytes) -> int:
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self._data)
            self._data.append(data)
            self.resources.append(PackedResource(known, 0, len(data), mime))
            self.bytes += len(data)
        return known

    def read_bytes(self, number: int) -> bytes:
        return self._data[number]


_Waiting = tuple[int, int, Json]
"""A document, a node of it (0: none), and the op of a style sheet that belongs to no node."""


class _LivePageBuilder(PageEventBuilder):
    """A builder of page events for a live recording. It notes which nodes and sheets wait for resources that have not
    arrived.
    """

    def __init__(self, catalogue: _LiveCatalogue, packer: ResourcePacker) -> None:
        super().__init__(catalogue, packer)
        self._missed = catalogue.missed
        self.waiting: dict[str, list[_Waiting]] = {}

    def _convert_op(self, painted: PaintedValues, op: Json) -> Json:
        self._missed.clear()
        dressed = painted.convert_op(op)
        if self._missed and isinstance(op, list) and op[0] == "sheet":
            self._note_waiting_node(painted.document.d, 0, op)
        return dressed

    def _build_added_ops(self, painted: PaintedValues, nodes: list[Node]) -> list[Json]:
        found: list[Json] = []
        for node in nodes:
            self._missed.clear()
            found += painted.build_added_ops([node])
            self._note_waiting_node(painted.document.d, node.id, None)
        return found

    def _note_waiting_node(self, document_number: int, node: int, op: Json) -> None:
        for url in self._missed:
            self.waiting.setdefault(url, []).append((document_number, node, op))

    def iter_late_changes(self, url: str, t: float) -> Iterator[Event]:
        """Yield the events that update the waiting nodes and sheets, after the resource of an address arrived."""
        by_document: dict[int, list[tuple[int, Json]]] = {}
        for d, node, op in self.waiting.pop(url, ()):
            by_document.setdefault(d, []).append((node, op))
        for d, waited in by_document.items():
            document = self.model.documents.get(d)
            if document is None or document.root is None:
                continue
            painted = PaintedValues(self, document, t)
            nodes = {node for node, _ in waited if node in document.nodes}
            ops = self._build_added_ops(painted, [document.nodes[node] for node in sorted(nodes)])
            for _, op in waited:
                sheet = document.sheets.get(cast(int, op[1])) if isinstance(op, list) else None
                if sheet is not None and isinstance(op, list) and sheet.text == op[3]:
                    ops.append(self._convert_op(painted, op))
            if ops:
                yield {"k": "mutation", "t": t, "d": d, "ops": ops}


class LiveBuild:
    """Converts a live recording to parts for its viewers. `header`: its ``reel`` event. Its events must already be
    masked as needed.
    """

    def __init__(self, header: Event, redaction: Json = None) -> None:
        """`redaction`: the description of how it was masked; None: it was not."""
        self._told = _LiveSummarySource(header)
        self._catalogue = _LiveCatalogue()
        packer = _LivePacker()
        self._pages = _LivePageBuilder(self._catalogue, packer)
        self._built = BuiltReplay(
            self._told, EventChunker("page"), EventChunker("run"), self._pages, packer, BuildSummary(self._told)
        )
        self._built.summary.info["redaction"] = redaction
        self._open: dict[tuple[str, Json], Event] = {}
        """Steps and requests that are under way."""
        self._time = 0.0
        self._needs: dict[int, tuple[int, ...]] = {}
        self.ended = False

    def read_resource(self, number: int) -> tuple[str, bytes]:
        """Return the MIME type and the bytes of the resource with this number."""
        packer = self._built.packer
        return packer.resources[number].mime, packer.read_bytes(number)

    def add_events(self, events: Iterable[Event]) -> LivePart | None:
        """Add new events, in order of time. Return the part to send to the viewers; None if there is nothing to
        show.
        """
        events = list(events)
        page: list[Event] = []
        run: list[Event] = []
        answered = dict.fromkeys(
            url for event in events if (url := self._catalogue.add_event(event)) is not None
        )  # Before the pages of the same time, so that most of them have their styles at once.
        for event in events:
            kind, t = event["k"], event.get("t")
            if not isinstance(t, int | float):
                continue
            if kind == "end":
                self.ended, self._told.end = True, event
            self._time = max(self._time, float(t))
            event = {**event, "t": self._time}
            if kind in PAGE_KINDS:
                ready = self._pages.convert_event(event)
                self._built.summary.add_event(ready)
                page.append(ready)
            elif kind in RUN_KINDS:
                self._track_open_event(event)
                run.append(self._built.convert_run_event(event))
                self._built.summary.add_event(event)
        for url in answered:
            page += self._pages.iter_late_changes(url, self._time)
        self._drop_hidden_documents()
        return self._build_part(page, run) if page or run or self.ended else None

    def build_first_part(self) -> LivePart:
        """Return the first part for a new viewer: the present pages, and the steps and requests under way."""
        fresh = PageEventBuilder(self._catalogue, self._built.packer)
        page = [fresh.convert_event(event) for event in build_state_events(self._pages.model, self._time)]
        run = [self._built.convert_run_event(event) for event in self._open.values()]
        return self._build_part(
            page, run, title=self._built.summary.title, info=cast(Json, self._built.summary.info), begin=True
        )

    def _build_part(self, page: list[Event], run: list[Event], **more: Json) -> LivePart:
        summary = self._built.summary
        fields: dict[str, Json] = {"t": self._time, "page": cast(Json, page), "run": cast(Json, run), **more}
        if summary.tabs:
            fields["tab"] = summary.tabs[-1]
        if self.ended:
            # The facts that a replay of the ended recording has.
            fields |= {"end": True, "idle": cast(Json, summary.list_idle_spans()), "info": self._build_final_info()}
        data = orjson.dumps(fields)
        return LivePart(data, self._list_referenced_resources(data))

    def _build_final_info(self) -> Json:
        """Return the facts about the recording that are known at its end."""
        info = self._built.summary.info
        info["end"] = self._time
        return cast(Json, info)

    def _list_referenced_resources(self, data: bytes) -> tuple[int, ...]:
        """Return the numbers of the resources that a text refers to; those that its style sheets refer to come
        first.
        """
        found: dict[int, None] = {}
        for digits in _NAMED.findall(data):
            number = int(digits)
            if number in found or number >= len(self._built.packer.resources):
                continue
            if number not in self._needs:
                mime, content = self.read_resource(number)
                self._needs[number] = self._list_referenced_resources(content) if mime == "text/css" else ()
            found |= dict.fromkeys((*self._needs[number], number))
        return tuple(found)

    def _track_open_event(self, event: Event) -> None:
        kind = event["k"]
        if kind in ("step", "request"):
            self._open[str(kind), event.get("id")] = event
        elif kind in ("step_end", "response"):
            self._open.pop(("step" if kind == "step_end" else "request", event.get("id")), None)

    def _drop_hidden_documents(self) -> None:
        """Drop documents that are no longer shown, so that a recording of hours does not fill the memory."""
        model = self._pages.model
        if len(model.documents) <= _DOCUMENTS:
            return
        shown = {event["d"] for event in build_state_events(model, self._time) if event["k"] == "document"}
        for d in [d for d, document in model.documents.items() if d not in shown and document.ended]:
            model.drop_document(d)
        for url, waited in list(self._pages.waiting.items()):
            self._pages.waiting[url] = [each for each in waited if each[0] in model.documents]
            if not self._pages.waiting[url]:
                del self._pages.waiting[url]


def render_live_page(address: str, connect: str, theme: str = "auto") -> bytes:
    """Return the HTML page that shows a live recording. It contains no recorded data, but requests it from `address`.

    :param address: the address of the parts, relative to this page.
    :param connect: the same address for the content security policy, which allows no other.
    """
    index: dict[str, Json] = {
        "version": 1,
        "player": __version__,
        "title": "Live",
        "duration": 0,
        "opens": 0,
        "idle": [],
        "tabs": [],
        "chunks": [],
        "resources": [],
        "live": address,
        "info": {
            "sealed": True, "damage": None, "gaps": [], "gapCount": 0, "unsupported": {}, "redaction": None, "missing": [],
            "fidelity": {"verdict": "open", "tree": {"equal": 0, "total": 0}, "layout": None, "picture": None, "missing": 0},
            "sizes": {"reel": 0, "events": 0, "resources": 0},
        },
    }  # fmt: skip
    return b"".join(
        render_file(
            "Live", theme, [("index", compress_raw_deflate(orjson.dumps(index)))], extra_scripts=LIVE, connect=connect
        )
    )
