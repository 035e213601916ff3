"""Converts the other lines of a trace: pages that open and close, the console, errors, pictures, and the program's output."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import Final

from pagereel.reel import Event, Json, is_requested_by_browser

from .actions import TraceAction, TraceActions, read_error, shorten_json, strip_terminal_colours
from .calls import CallConverter
from .clock import TraceClock
from .frame_snapshots import FrameSnapshotConverter, TracePages
from .resources import TraceResources, strip_mime_parameters
from .versions import Line

_TEXT: Final = 200_000
_NOTE_BYTES: Final = 64 << 10


class NonCallEventConverter:
    """Converts a trace's lines that do not belong to a call."""

    def __init__(
        self, pages: TracePages, frames: FrameSnapshotConverter, resources: TraceResources, actions: TraceActions
    ) -> None:
        self.failed = False
        """Whether the test runner reported an error."""
        self._actions = actions
        self._pages = pages
        self._frames = frames
        self._resources = resources
        self._notes: list[Event] = []
        self._pictures: dict[int, str] = {}
        """Page → the last picture."""

    def convert_line(self, line: Line, clock: TraceClock) -> Iterator[Event]:
        """Yield the events for one line of a trace."""
        kind = line.get("type")
        if kind == "event":
            yield from self._convert_event(line, clock.convert_monotonic_time(line.get("time")))
        elif kind == "console":
            yield from self._convert_console_line(line, clock.convert_monotonic_time(line.get("time")))
        elif kind == "screencast-frame":
            yield from self._convert_screencast_frame(line, clock.convert_monotonic_time(line.get("timestamp")))
        elif kind == "screenshot" and (action := self._actions.get_action(line.get("callId"))) is not None:
            t = action.start if line.get("phase") == "before" or action.end is None else action.end
            page = self._frames.calls.get(action.id) or self._pages.get_page_number(action.page)
            yield from self._iter_picture_events(page, line.get("file"), "image/png", t)
        elif kind in ("stdout", "stderr"):
            self._add_program_output_note(line, clock.convert_monotonic_time(line.get("timestamp")), str(kind))
        elif kind == "error":
            self.failed = True
            self._add_note(0.0, strip_terminal_colours(str(line.get("message") or "")[:_TEXT]), {"kind": "error"})

    def _convert_event(self, line: Line, t: float) -> Iterator[Event]:
        method, params = line.get("method"), line.get("params")
        params = params if isinstance(params, dict) else {}
        name = line.get("pageId") or params.get("pageId")
        if method == "page" and isinstance(name, str):
            yield from self._pages.open_page(name, t, params.get("openerPageId"))[1]
            return
        if method == "pageClosed":
            if (number := self._pages.get_page_number(name)) is not None:
                yield {"k": "page", "t": t, "page": number, "event": "close"}
            return
        if method not in ("pageError", "dialog", "download", "crash"):
            return
        page, opened = (
            self._pages.get_or_open_page(name, t) if isinstance(name, str) else (self._pages.default_page_number, [])
        )
        yield from opened
        if method == "pageError":
            error = params.get("error")
            inner = error.get("error") if isinstance(error, dict) else None
            event: Event = {
                "k": "error",
                "t": t,
                "page": page,
                "message": read_error(error) or "An error without a message.",
            }
            if isinstance(inner, dict) and isinstance(stack := inner.get("stack"), str):
                event["stack"] = stack[:_TEXT]
            yield event
        elif method == "crash":
            yield {"k": "page", "t": t, "page": page, "event": "crash"}
        elif method == "dialog":
            kind, words = str(params.get("type") or "alert"), str(params.get("message") or "")
            yield {"k": "dialog", "t": t, "page": page, "type": kind[:100], "message": words[:_TEXT]}
        else:
            url, file = str(params.get("url") or ""), str(params.get("suggestedFilename") or "")
            yield {"k": "download", "t": t, "page": page, "url": url[:_TEXT], "filename": file[:1000]}

    def _convert_console_line(self, line: Line, t: float) -> Iterator[Event]:
        name = line.get("pageId")
        page, opened = (
            self._pages.get_or_open_page(name, t) if isinstance(name, str) else (self._pages.default_page_number, [])
        )
        yield from opened
        event: Event = {
            "k": "console",
            "t": t,
            "page": page,
            "level": str(line.get("messageType") or "log")[:100],
            "text": str(line.get("text") or "")[:_TEXT],
        }
        args = line.get("args")
        if isinstance(args, list) and args:
            event["args"] = [
                shorten_json(arg.get("value", arg.get("preview"))) for arg in args[:100] if isinstance(arg, dict)
            ]
        location = line.get("location")
        if isinstance(location, dict) and isinstance(url := location.get("url"), str) and url:
            event["url"] = url[:_TEXT]
            if is_requested_by_browser(url):
                event["level"] = "info"
            for ours, theirs in (("line", "lineNumber"), ("column", "columnNumber")):
                if type(value := location.get(theirs)) is int and 0 <= value < 1 << 31:
                    event[ours] = value
        yield event

    def _convert_screencast_frame(self, line: Line, t: float) -> Iterator[Event]:
        """Yield the events of a picture of the screencast, unless the picture equals the one before."""
        name = line.get("pageId")
        if not isinstance(name, str):
            return
        page, opened = self._pages.get_or_open_page(name, t)
        yield from opened
        yield from self._iter_picture_events(page, line.get("file"), "image/jpeg", t)

    def _iter_picture_events(self, page: int | None, file: object, mime: str, t: float) -> Iterator[Event]:
        if page is None:
            return
        sha256, _, events = self._resources.store_file(file, mime, t)
        yield from events
        if sha256 is None or self._pictures.get(page) == sha256:
            return
        self._pictures[page] = sha256
        if (d := self._frames.get_main_document(page)) is not None:
            yield {"k": "picture", "t": t, "d": d, "page": page, "body": sha256}

    def _add_program_output_note(self, line: Line, t: float, stream: str) -> None:
        text = line.get("text")
        if not isinstance(text, str):
            try:
                text = base64.b64decode(str(line.get("base64") or "")).decode("utf-8", "replace")
            except (binascii.Error, ValueError):
                return
        if text.strip():
            self._add_note(t, strip_terminal_colours(text[:_TEXT]), {"kind": stream})

    def _add_note(self, t: float, text: str, attributes: dict[str, Json]) -> None:
        if text:
            self._notes.append({"k": "note", "t": t, "id": 0, "step": None, "text": text, "attributes": attributes})

    def iter_attachment_events(self, actions: list[TraceAction], calls: CallConverter) -> Iterator[Event]:
        """Yield the notes of a test's outputs and attachments; attached pictures become screenshots."""
        last = max(calls.ids.values(), default=0)
        for number, note in enumerate(self._notes, last + 1):
            yield note | {"id": number, "text": calls.mask_secrets(note["text"])}
        last += len(self._notes)
        for action in actions:
            t = action.end if action.end is not None else action.start
            for attachment in action.attachments:
                name, mime = str(attachment.get("name") or "")[:1000], str(attachment.get("contentType") or "")[:200]
                if name.startswith("_"):
                    continue
                last += 1
                if mime.startswith("image/"):
                    sha256, _, events = self._resources.store_file(attachment.get("file"), mime, t)
                    yield from events
                    if sha256 is not None:
                        yield {
                            "k": "screenshot",
                            "t": t,
                            "id": last,
                            "step": None,
                            "label": name,
                            "body": sha256,
                            "boxes": [],
                        }
                        continue
                text = self._read_attachment_text(attachment, mime)
                said: dict[str, Json] = {"kind": "attachment", "name": name, "type": strip_mime_parameters(mime)}
                yield {
                    "k": "note",
                    "t": t,
                    "id": last,
                    "step": None,
                    "text": calls.mask_secrets(text or name),
                    "attributes": said,
                }

    def _read_attachment_text(self, attachment: Line, mime: str) -> str | None:
        if not mime.startswith("text/") and "json" not in mime:
            return None
        file = attachment.get("file")
        text = self._resources.read_text(file) if isinstance(file, str) else None
        if text is None and isinstance(packed := attachment.get("base64"), str):
            try:
                text = base64.b64decode(packed).decode("utf-8", "replace")
            except (binascii.Error, ValueError):
                return None
        return text[:_NOTE_BYTES] if text else None
