"""Handles the injector's messages: decodes batches, numbers documents, finds missing messages, checks the page model.

Everything here runs on the writer thread. A payload may come from a hostile page (in the binding transport the page can
call the binding itself), so nothing in it is trusted: sizes are capped, types are checked, invalid messages are
counted.
"""

from __future__ import annotations

import json
import math
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from typing import Any, cast

import msgspec

from pagereel.reel import Event, Json, PageModel, find_event_kinds, find_event_problem

from ..runtime.clock import Clock
from .canvases import CanvasPictureStore
from .checkpoints import DocumentCheckpoints, TrackedDocument
from .element_start_tags import Head
from .resources import ResourceStore
from .script_requests import (
    SCRIPT_REQUESTS,
    BlobRequest,
    ClosedRootsRequest,
    FindValidationBubbleCommand,
    FontsRequest,
    PassClosedRootsCommand,
    PictureRequest,
    ReadBlobCommand,
    ScriptCommand,
    ScriptRequest,
    SetLoadedFontsCommand,
    TakeSnapshotCommand,
    TakeViewportPictureCommand,
    ValidationBubbleRequest,
    parse_script_request,
)
from .script_source import ScriptSource
from .text_positions import find_unmoved_text_positions
from .writer_thread import WriterThread

MAX_PAYLOAD = 128_000_000
"""Largest batch, in characters."""
PAGE_KINDS = find_event_kinds(by="script")
_BARE = frozenset({"document", "unsupported", "blob", "gap", "stall"})
"""Kinds of messages that have no number."""
_FIRST = ("k", "d", "t", "n")
"""The first fields of every event, in this order, so that a compressor finds the repetition."""
_SOON = 500
"""Ms of a document's beginning that may be missing without a gap: nobody can use a document earlier. Its snapshot says
how long it was.
"""
_BEAT = 500.0
"""Ms before a page's late heartbeat in which the cause of the delay may have begun."""
_LEFT = 200
"""Number of closed documents that are remembered: a tab's back/forward cache has six pages, each with its frames."""
_FAR = 86_400_000.0
"""Largest difference between a page's time and the recorder's that is accepted (ms)."""


class InjectorBatch(msgspec.Struct):
    """The content of one call of the binding: several messages about one document."""

    doc: str
    b: int
    e: list[dict[str, Any]]
    f: int = 0
    """The number of the first head in `h`."""
    h: list[Head] = []


Ask = Callable[[ScriptSource, ScriptCommand], None]
"""Sends a request to the page of a source, from any thread."""


class RecordedDocuments:
    """All documents of a recording, numbered from 1 in the order of their first messages."""

    def __init__(self, writer: WriterThread, clock: Clock, resources: ResourceStore, ask: Ask, trusted: bool) -> None:
        """``trusted``: only the injector can call the binding, so its events are not checked again."""
        self._trusted = trusted
        self._writer = writer
        self._clock = clock
        self._resources = resources
        self._canvases = CanvasPictureStore(resources, clock)
        self._send = ask
        self._decoder = msgspec.json.Decoder(InjectorBatch)
        self._documents: dict[str, TrackedDocument] = {}
        self._of_source: dict[ScriptSource, TrackedDocument] = {}
        self._ended: dict[ScriptSource, TrackedDocument] = {}
        """Documents of frames that are gone; the element that showed them may still become known."""
        self._expected: dict[ScriptSource, int] = {}
        """Numbers of documents that made a request before their first message."""
        self._left: dict[str, tuple[int, dict[str, bool]]] = {}
        """The last document of a closed script context, and its fonts: it may come back from the back/forward cache."""
        self._embeds: list[tuple[ScriptSource, ScriptSource, int]] = []
        self._model = PageModel()
        self.checkpoints = DocumentCheckpoints(writer, self._model, resources, self._send_rationed_command)
        self.blobs: set[tuple[int, str]] = set()
        """blob: URLs that pages loaded, by page: the network gives their bytes."""
        self.fonts: dict[int, dict[str, bool]] = {}
        """Fonts that documents have loaded and whose bytes are kept: URL, and whether a script requested it."""
        self.dialogs: dict[int, float] = {}
        """When each page last opened a dialog, in ms."""
        self._last = 0

    # -- from the page ------------------------------------------------------------------------------------------------

    def handle_batch(self, source: ScriptSource, payload: str, arrival: float) -> None:
        """Handle one payload of the binding. ``arrival``: when it arrived, in ms on the recording's clock."""
        if len(payload) > MAX_PAYLOAD:
            self._writer.write_gap("oversize", {"page": source.page, "detail": f"a batch of {len(payload)} characters"})
            return
        try:
            batch = self._decoder.decode(payload)
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            self._writer.write_gap("error", {"page": source.page, "detail": f"not a batch of ours: {error}"[:300]})
            return
        document = self._documents.get(batch.doc)
        if document is None:
            document = self._begin_document(source, batch)
        if self._trusted:
            document.heads.add_start_tags(batch.f, batch.h)
        for event in batch.e:
            if self._trusted:
                try:
                    document.heads.restore_start_tags(event)
                except KeyError:
                    continue  # The batch with this head was lost, as the number of the next event shows.
            self._handle_event(document, event, arrival)

    def _begin_document(self, source: ScriptSource, batch: InjectorBatch) -> TrackedDocument:
        document = TrackedDocument(self._expected.pop(source, 0) or self._assign_next_number(), batch.doc, source)
        earlier = self._of_source.get(source)
        if earlier is not None:
            self._model.drop_document(earlier.number)
        self._documents[batch.doc] = document
        self._of_source[source] = document
        # While it makes the document's event, the script may already tell what it cannot record of it.
        batch.e.sort(key=lambda event: event.get("k") != "document")
        first = batch.e[0] if batch.e else {}
        if first.get("k") != "document":
            # The batch with the document's beginning was lost: write a gap, and request a snapshot.
            batch.e.insert(
                0,
                {
                    "k": "document",
                    "t": first.get("t"),
                    "url": source.url,
                    "top": source.top,
                    "viewport": {"w": 0, "h": 0, "dpr": 1},
                    "mode": "CSS1Compat",
                },
            )
        return document

    def _handle_event(self, document: TrackedDocument, event: Event, arrival: float) -> None:
        kind = event.get("k")
        source = document.source
        event["t"] = self._to_recording_time(event.get("t"), arrival)
        if kind == "blob":
            self._store_blob(document, event)
            return
        if self._trusted and kind in SCRIPT_REQUESTS:
            self._fulfil_script_request(document, parse_script_request(event))
            return
        if kind == "canvas":
            kind = event["k"] = "mutation"
            event["ops"] = self._store_canvas_picture(document, event)
        if kind not in PAGE_KINDS and kind not in _BARE:
            self._writer.write_gap(
                "error", {"d": document.number, "detail": f"unknown kind {str(kind)[:40]!r} from the page"}
            )
            return
        event["d"] = document.number
        event = {name: event[name] for name in _FIRST if name in event} | event
        if kind == "document":
            event.update(page=source.page, frame=source.frame, top=source.top)
            if (left := self._left.pop(source.world, None)) is not None:
                event["restored"], self.fonts[document.number] = left
        wrong = (
            None if self._trusted else find_event_problem({**event, "equal": False} if kind == "checkpoint" else event)
        )
        if wrong is not None:
            self._writer.write_gap("error", {"d": document.number, "detail": f"not an event of ours: {wrong}"})
            return
        if kind == "document":
            document.blank = event.get("url") == "about:blank"
            document.began = cast(float, event["t"])
            written = self._writer.write_event(event)
            self._model.apply(written or event)
            self._write_iframe_embeds()
            return
        if kind not in _BARE and not self._check_message_number(document, event):
            return
        if kind == "stall":
            event["page"] = source.page
            if self._is_stall_caused_by_dialog(event):
                return
        if kind == "unload":
            source.left = cast(float, event["t"])
        if kind == "checkpoint":
            self.checkpoints.write_checkpoint(document, event)
            return
        written = self._writer.write_event(event)
        if written is None:
            # The recording lacks this message: request the state of the page in pieces.
            document.broken = document.broken or self._send_rationed_command(document, TakeSnapshotCommand())
            return
        document.short = document.short or written is not event
        self._model.apply(written)
        self._write_size_gap(document)
        if kind == "snapshot":
            document.broken = False
            document.snapshot = cast(float, event["t"])
            age = event.get("age")
            soon = isinstance(age, int | float) and age <= _SOON
            if event.get("why") == "late" and not soon and not source.early and not document.blank:
                missed = f"the first {age:.0f} ms of its life" if isinstance(age, int | float) else "its beginning"
                self._writer.write_gap("late", {"d": document.number, "page": source.page, "detail": missed})

    def _write_size_gap(self, document: TrackedDocument) -> None:
        """Write a gap event, once for each document, if the document is larger than a page model may be; later
        additions are not recorded.
        """
        model = self._model.documents.get(document.number)
        if model is not None and model.over and not document.short:
            document.short = True
            self._writer.write_gap(
                "oversize", {"d": document.number, "page": document.source.page, "detail": model.over_why}
            )
            self._writer.warn(f"pagereel could not record everything ({model.over_why}); the run is not affected")

    def _is_stall_caused_by_dialog(self, stall: Event) -> bool:
        """Return whether a page stalled because a dialog was open."""
        t, late = cast(float, stall["t"]), cast(float, stall["late"])
        return t - _BEAT <= self.dialogs.get(cast(int, stall["page"]), -1e9) <= t + late

    def _fulfil_script_request(self, document: TrackedDocument, script_request: ScriptRequest | None) -> None:
        """Do what a message of the injector requests. It must not be called for a message that the page could have
        forged.
        """
        match script_request:
            case PictureRequest():
                self._send_rationed_command(document, TakeViewportPictureCommand())
            case ValidationBubbleRequest():
                self._send_rationed_command(document, FindValidationBubbleCommand())
            case FontsRequest():
                self._send_rationed_command(
                    document, SetLoadedFontsCommand(self.list_loaded_fonts(document.source) or "[]")
                )
            case ClosedRootsRequest(all=everywhere):
                self._send_rationed_command(document, PassClosedRootsCommand(everywhere))
            case BlobRequest(url=url) if (document.source.page, url) in self.blobs:
                pass
            case BlobRequest(medium=True):
                # Reading it would be a request that fails and shows in the page's console.
                detail: Event = {"d": document.number, "detail": "a film or sound that a script puts together"}
                self._writer.write_gap("stream", detail)
            case BlobRequest(url=url):
                self._send_rationed_command(document, ReadBlobCommand(url))

    def _send_rationed_command(self, document: TrackedDocument, command: ScriptCommand) -> bool:
        """Send a request to the script of a document, unless the rate limit (ration) of its kind is used up. Return
        whether it was sent. The first refusal of each kind is written as a gap event.
        """
        allowed = document.rations.take_from_ration(command, self._clock.now())
        if allowed == "yes":
            self._send(document.source, command)
        elif allowed == "first no":
            what = type(command).__name__
            self._writer.write_gap("cap", {"d": document.number, "detail": f"the page made too many requests: {what}"})
        return allowed == "yes"

    def _check_message_number(self, document: TrackedDocument, event: Event) -> bool:
        n = event.get("n")
        if not isinstance(n, int) or n < document.n:
            self._writer.write_gap(
                "error", {"d": document.number, "detail": f"message number {str(n)[:20]} out of order"}
            )
            return False
        if n > document.n:
            self._writer.write_gap("lost", {"d": document.number, "count": n - document.n})
            if event.get("k") != "snapshot" and not document.broken:
                document.broken = self._send_rationed_command(document, TakeSnapshotCommand())
        document.n = n + 1
        return True

    def _to_recording_time(self, t: object, arrival: float) -> float:
        if isinstance(t, int | float) and math.isfinite(t):
            ours = self._clock.convert_unix_time(t)
            if abs(ours - arrival) < _FAR:
                return max(0.0, ours)
        return arrival

    def _store_blob(self, document: TrackedDocument, event: Event) -> None:
        url, mime, data = event.get("url"), event.get("mime"), event.get("base64")
        if not (isinstance(url, str) and isinstance(mime, str) and isinstance(data, str)):
            return
        try:
            content = b64decode(data, validate=True)
        except (Base64Error, ValueError):
            self._writer.write_gap("error", {"d": document.number, "detail": "a blob that is not base64"})
            return
        body, why = self._resources.store_content(content, mime)
        if body is None:
            self._writer.write_gap(why, {"d": document.number, "detail": f"blob of {len(content)} bytes"})
            return
        self._writer.write_event(
            {"k": "alias", "t": event["t"], "page": document.source.page, "url": url, "body": body}
        )

    def request_blob(self, source: ScriptSource, url: object) -> None:
        """Make the page read the bytes of a blob: URL that no network event has reported."""
        document = self._of_source.get(source)
        if document is not None and isinstance(url, str) and url.startswith("blob:"):
            self._send_rationed_command(document, ReadBlobCommand(url))

    def list_loaded_fonts(self, source: ScriptSource) -> str:
        """Return the fonts that the document of a source has loaded, as JSON for the injector; "" if there are none.
        May be called from any thread.
        """
        document = self._of_source.get(source)
        known = list(self.fonts.get(document.number, {}).items()) if document is not None else []
        return json.dumps([{"url": url, "script": by_script} for url, by_script in known]) if known else ""

    def _store_canvas_picture(self, document: TrackedDocument, event: Event) -> list[Json]:
        """Store a canvas's picture as a resource, and return the op that names it; no op if the picture cannot be
        stored.
        """
        node, width, height = event.pop("node", 0), event.pop("w", 0), event.pop("h", 0)
        mime, data = event.pop("mime", ""), event.pop("base64", "")
        if data == "" and (last := self._find_last_canvas_picture(document, node)):
            return [["canvas", node, last, width, height]]
        try:
            content = b64decode(data, validate=True) if isinstance(data, str) else b""
        except (Base64Error, ValueError):
            content = b""
        body, why = (
            self._canvases.store_picture(content, mime if isinstance(mime, str) else "") if content else (None, "error")
        )
        if body is None:
            self._writer.write_gap(why, {"d": document.number, "detail": "a picture of a canvas"})
            return []
        return [["canvas", node, body, width, height]]

    def _find_last_canvas_picture(self, document: TrackedDocument, node: Json) -> Json:
        model = self._model.documents.get(document.number)
        known = model.nodes.get(node) if model is not None and isinstance(node, int) else None
        shown = (known.state or {}).get("canvas") if known is not None else None
        return shown[0] if isinstance(shown, list) else None

    # -- pictures -----------------------------------------------------------------------------------------------------

    def store_checkpoint_picture(self, source: ScriptSource, n: int, t: float, base64: str) -> None:
        """Store a picture that was requested at a checkpoint."""
        if (document := self._of_source.get(source)) is not None:
            self.checkpoints.store_checkpoint_picture(document, n, t, base64)

    def write_checkpoint_difference(self, source: ScriptSource, lines: str) -> None:
        """Write the first difference of a page after an unequal checkpoint, from the page's canonical lines."""
        if (document := self._of_source.get(source)) is not None:
            self.checkpoints.write_first_difference(document, lines)

    def write_text_positions(
        self, t: float, screenshot: int, page: int, before: dict[ScriptSource, str], after: dict[ScriptSource, str]
    ) -> None:
        """Write the positions of readable text that a page's frames reported before and after a screenshot."""
        lines: list[Json] = []
        for source, text in before.items():
            document = self._of_source.get(source)
            if document is not None:
                lines.append({"d": document.number, **find_unmoved_text_positions(text, after.get(source, ""))})
        self._writer.write_event({"k": "places", "t": t, "screenshot": screenshot, "page": page, "documents": lines})

    # -- frames -------------------------------------------------------------------------------------------------------

    def record_iframe_element(self, child: ScriptSource, parent: ScriptSource, node: int) -> None:
        """Record that the iframe ``node`` in the document of ``parent`` shows the document of ``child``."""
        self._embeds.append((child, parent, node))
        self._write_iframe_embeds()

    def _write_iframe_embeds(self) -> None:
        waiting = []
        for child, parent, node in self._embeds:
            inner = self._of_source.get(child) or self._ended.get(child)
            outer = self._of_source.get(parent)
            if inner is None or outer is None:
                waiting.append((child, parent, node))
                continue
            event: Event = {
                "k": "embed",
                "t": max(inner.began, outer.snapshot),
                "d": inner.number,
                "parent": outer.number,
                "node": node,
            }
            if child not in self._ended:
                self._model.apply(event)
            self._writer.write_event(event)
        self._embeds = waiting

    def get_document_number(self, source: ScriptSource | None) -> int | None:
        """Return the number of the document in a script context, also before the document's first message; None once
        the document has ended.
        """
        if source is None or source in self._ended:
            return None
        document = self._of_source.get(source)
        if document is None and source not in self._expected:
            self._expected[source] = self._assign_next_number()
        return document.number if document is not None else self._expected[source]

    def _assign_next_number(self) -> int:
        self._last += 1
        return self._last

    def end_document(self, source: ScriptSource) -> None:
        """Discard the model of a document that has ended."""
        self._expected.pop(source, None)
        document = self._of_source.pop(source, None)
        if document is not None:
            if not source.top:
                self._ended[source] = document
            self._model.drop_document(document.number)
            fonts = self.fonts.pop(document.number, {})
            if source.world:
                self._left[source.world] = document.number, fonts
                if len(self._left) > _LEFT:
                    del self._left[next(iter(self._left))]
            self._documents.pop(document.key, None)
