"""Records the console messages, uncaught errors, dialogs and downloads of a page over CDP.

Dialogs are recorded over CDP only: with a ``dialog`` listener Playwright would no longer dismiss dialogs by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagereel.reel import Event, asked_by_itself

from .links import Link, Params

if TYPE_CHECKING:
    from ..ingest.transport import Kit

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


class Console:
    """The writer of one page's console events."""

    def __init__(self, kit: Kit, page: int) -> None:
        self._kit = kit
        self._page = page
        self._held = 0

    def called(self, link: Link, params: Params) -> None:
        """Record a ``Runtime.consoleAPICalled`` event. CDP repeats past messages on attaching; messages from before the
        recording are left out.
        """
        if any("objectId" in argument for argument in params["args"]):
            self._held += 1
            if self._held >= _RELEASE_EVERY:
                self._held = 0
                release = link.send("Runtime.releaseObjectGroup", {"objectGroup": "console"})
                self._kit.runner.spawn(self._kit.guard("console", release))
        self._kit.writer.put(self._write_called, params, size=1000)

    def thrown(self, params: Params) -> None:
        self._kit.writer.put(self._write_thrown, params, size=1000)

    def logged(self, params: Params) -> None:
        """Record a ``Log.entryAdded`` event, a message of the browser itself. CDP repeats past entries on attaching."""
        self._kit.writer.put(self._write_logged, params["entry"], size=1000)

    def dialog(self, params: Params) -> None:
        event: Event = {"type": params.get("type"), "message": str(params.get("message", ""))[:_TEXT_LIMIT]}
        if params.get("defaultPrompt"):
            event["default"] = str(params["defaultPrompt"])[:_TEXT_LIMIT]
        now = self._kit.clock.now()
        self._kit.documents.dialogs[self._page] = now
        self._emit("dialog", now, event)

    def download(self, params: Params) -> None:
        event: Event = {"url": params.get("url"), "filename": params.get("suggestedFilename", "")}
        self._emit("download", self._kit.clock.now(), event)

    # -- on the writer thread -----------------------------------------------------------------------------------------

    def _write_called(self, params: Params) -> None:
        t = self._kit.clock.of_unix(params["timestamp"])
        if t < 0 or params.get("type") in ("clear", "endGroup"):
            return
        arguments = params["args"]
        event: Event = {
            "level": _LEVELS.get(params["type"], "log"),
            "text": " ".join(map(describe, arguments))[:_TEXT_LIMIT],
        }
        if any(a.get("type") == "object" for a in arguments):
            event["args"] = [describe(a)[:_TEXT_LIMIT] for a in arguments]
        event.update(_place((params.get("stackTrace") or {}).get("callFrames")))
        self._write("console", t, event)

    def _write_logged(self, entry: Params) -> None:
        t = self._kit.clock.of_unix(entry["timestamp"])
        if t < 0 or entry.get("source") == "console-api":  # ``Runtime`` reports these as well.
            return
        url, source = str(entry.get("url") or ""), str(entry.get("source"))
        level = "info" if asked_by_itself(url) else _LEVELS.get(str(entry.get("level")), "debug")
        event: Event = {
            "level": level, "text": str(entry.get("text", ""))[:_TEXT_LIMIT], "source": source if source in _SOURCES else "other",
        }  # fmt: skip
        if url:
            event["url"] = url
        if isinstance(line := entry.get("lineNumber"), int):
            event["line"] = line + 1
        self._write("console", t, event)

    def _write_thrown(self, params: Params) -> None:
        details = params["exceptionDetails"]
        t = self._kit.clock.of_unix(params["timestamp"])
        if t < 0:
            return
        thrown = details.get("exception") or {}
        text = str(thrown.get("description") or describe(thrown) if thrown else details.get("text", ""))
        event: Event = {"message": text.split("\n    at ")[0][:_TEXT_LIMIT]}
        if "\n    at " in text:
            event["stack"] = text[:_TEXT_LIMIT]
        self._write("error", t, event)

    def _write(self, kind: str, t: float, fields: Event) -> None:
        self._kit.writer.write({"k": kind, "t": t, "page": self._page, **fields})

    def _emit(self, kind: str, t: float, fields: Event) -> None:
        self._kit.writer.emit({"k": kind, "t": t, "page": self._page, **fields}, size=1000)


def describe(remote: dict[str, Any]) -> str:
    """Return a CDP RemoteObject as the console shows it, from its preview alone, without a query to the page."""
    if "value" in remote:
        value = remote["value"]
        return value if isinstance(value, str) else _plain(value)
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


def _plain(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return str(value)


def _place(frames: list[Params] | None) -> Event:
    if not frames:
        return {}
    top = frames[0]
    return {
        "url": str(top.get("url", "")),
        "line": top.get("lineNumber", 0) + 1,
        "column": top.get("columnNumber", 0) + 1,
    }
