"""Records the console messages, uncaught errors, dialogs and downloads of a page over CDP.

Dialogs are recorded over CDP only: with a ``dialog`` listener Playwright would no longer dismiss dialogs by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagereel.reel import Event, is_requested_by_browser

from ..ingest.console_format import format_console_text
from .cdp_sessions import CdpSession, Params

if TYPE_CHECKING:
    from ..ingest.transport import RecordingServices

_TEXT_LIMIT = 20_000
"""Longest text of a console message or an error, in characters."""
_RELEASE_EVERY = 200
"""Number of console calls with objects after which the browser is told to release these objects."""
_SOURCES = frozenset(
    [
        "xml",
        "javascript",
        "network",
        "storage",
        "appcache",
        "rendering",
        "security",
        "deprecation",
        "worker",
        "violation",
        "intervention",
        "recommendation",
    ]
)
"""Sources of the browser's own messages, in CDP's words."""
_LEVELS = {"warning": "warning", "error": "error", "assert": "error", "debug": "debug", "info": "info"}


class CdpConsoleRecorder:
    """The writer of one page's console events."""

    def __init__(self, kit: RecordingServices, page: int) -> None:
        self._kit = kit
        self._page = page
        self._held = 0

    def on_console_api_called(self, cdp_session: CdpSession, params: Params) -> None:
        """Record a ``Runtime.consoleAPICalled`` event. CDP repeats past messages on attaching; messages from before the
        recording are left out.
        """
        if any("objectId" in argument for argument in params["args"]):
            self._held += 1
            if self._held >= _RELEASE_EVERY:
                self._held = 0
                release = cdp_session.send("Runtime.releaseObjectGroup", {"objectGroup": "console"})
                self._kit.runner.spawn(self._kit.wrap_to_report_errors("console", release))
        self._kit.writer.enqueue_call(self._write_console_call, params, size=1000)

    def on_exception_thrown(self, params: Params) -> None:
        self._kit.writer.enqueue_call(self._write_exception, params, size=1000)

    def on_log_entry_added(self, params: Params) -> None:
        """Record a ``Log.entryAdded`` event, a message of the browser itself. CDP repeats past entries on attaching."""
        self._kit.writer.enqueue_call(self._write_log_entry, params["entry"], size=1000)

    def on_dialog_opening(self, params: Params) -> None:
        event: Event = {"type": params.get("type"), "message": str(params.get("message", ""))[:_TEXT_LIMIT]}
        if params.get("defaultPrompt"):
            event["default"] = str(params["defaultPrompt"])[:_TEXT_LIMIT]
        now = self._kit.clock.now()
        self._kit.documents.dialogs[self._page] = now
        self._enqueue_event("dialog", now, event)

    def on_download(self, params: Params) -> None:
        event: Event = {"url": params.get("url"), "filename": params.get("suggestedFilename", "")}
        self._enqueue_event("download", self._kit.clock.now(), event)

    # -- on the writer thread -----------------------------------------------------------------------------------------

    def _write_console_call(self, params: Params) -> None:
        t = self._kit.clock.convert_unix_time(params["timestamp"])
        if t < 0 or params.get("type") in ("clear", "endGroup"):
            return
        arguments = params["args"]
        texts = list(map(describe_remote_object, arguments))
        event: Event = {
            "level": _LEVELS.get(params["type"], "log"),
            "text": format_console_text(texts)[:_TEXT_LIMIT],
        }
        if any(a.get("type") == "object" for a in arguments):
            event["args"] = [text[:_TEXT_LIMIT] for text in texts]
        event.update(_read_source_position((params.get("stackTrace") or {}).get("callFrames")))
        self._write_event("console", t, event)

    def _write_log_entry(self, entry: Params) -> None:
        t = self._kit.clock.convert_unix_time(entry["timestamp"])
        if t < 0 or entry.get("source") == "console-api":  # ``Runtime`` reports these as well.
            return
        url, source = str(entry.get("url") or ""), str(entry.get("source"))
        level = "info" if is_requested_by_browser(url) else _LEVELS.get(str(entry.get("level")), "debug")
        event: Event = {
            "level": level, "text": str(entry.get("text", ""))[:_TEXT_LIMIT], "source": source if source in _SOURCES else "other",
        }  # fmt: skip
        if url:
            event["url"] = url
        if isinstance(line := entry.get("lineNumber"), int):
            event["line"] = line + 1
        self._write_event("console", t, event)

    def _write_exception(self, params: Params) -> None:
        details = params["exceptionDetails"]
        t = self._kit.clock.convert_unix_time(params["timestamp"])
        if t < 0:
            return
        thrown = details.get("exception") or {}
        text = str(thrown.get("description") or describe_remote_object(thrown) if thrown else details.get("text", ""))
        event: Event = {"message": text.split("\n    at ")[0][:_TEXT_LIMIT]}
        if "\n    at " in text:
            event["stack"] = text[:_TEXT_LIMIT]
        self._write_event("error", t, event)

    def _write_event(self, kind: str, t: float, fields: Event) -> None:
        self._kit.writer.write_event({"k": kind, "t": t, "page": self._page, **fields})

    def _enqueue_event(self, kind: str, t: float, fields: Event) -> None:
        self._kit.writer.enqueue_event({"k": kind, "t": t, "page": self._page, **fields}, size=1000)


def describe_remote_object(remote: dict[str, Any]) -> str:
    """Return a CDP RemoteObject as the console shows it, from its preview alone, without a query to the page."""
    if "value" in remote:
        value = remote["value"]
        return value if isinstance(value, str) else _to_console_text(value)
    if "unserializableValue" in remote:
        return str(remote["unserializableValue"])
    preview = remote.get("preview")
    if preview and remote.get("subtype") not in ("error", "regexp", "date", "node"):
        parts = [
            str(p.get("value", "…")) if p.get("type") != "string" else f"'{p.get('value')}'"
            for p in preview["properties"]
        ]
        if preview.get("subtype") == "array":
            return f"[{', '.join(parts)}{', …' if preview.get('overflow') else ''}]"
        named = [f"{p['name']}: {text}" for p, text in zip(preview["properties"], parts, strict=True)]
        return f"{{{', '.join(named)}{', …' if preview.get('overflow') else ''}}}"
    return str(remote.get("description") or remote.get("type", ""))


def _to_console_text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)


def _read_source_position(stack_frames: list[Params] | None) -> Event:
    if not stack_frames:
        return {}
    top = stack_frames[0]
    return {
        "url": str(top.get("url", "")),
        "line": top.get("lineNumber", 0) + 1,
        "column": top.get("columnNumber", 0) + 1,
    }
