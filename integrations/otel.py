"""Records the spans of an OpenTelemetry-instrumented framework, and links its traces to the replay."""

from __future__ import annotations

import threading
import warnings
from pathlib import Path
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor
from opentelemetry.trace import StatusCode

from pagereel.integrations.otel_names import SpanContent, find_span_kind, read_span
from pagereel.integrations.tools import ToolCall
from pagereel.recorder import Session, Step, get_active_session

SESSION = "pagereel.session.id"
"""Span attribute: the id in the recording's header."""
REPLAY = "pagereel.replay.url"
"""Span attribute: the address of the replay at the time at which the span began."""


class ReplayProcessor(SpanProcessor):
    """A span processor that records `gen_ai.*` spans as steps, model calls and tool calls, and links each span to its
    replay.

    >>> provider = TracerProvider()  # doctest: +SKIP
    ... provider.add_span_processor(ReplayProcessor(replay_url="https://ci.example/{session}.html"))

    `session`: the recording to write to; by default the one that is active where the span begins. `replay_url`: the
    address of replays; `{session}` is the recording's id, `{name}` the reel's name without its ending. By default the
    link is the file beside the reel. Agents and workflows become steps, with the page's changes and calls inside.
    Nothing in this class raises into the traced program.
    """

    def __init__(self, session: Session | None = None, *, replay_url: str | None = None) -> None:
        self._session = session
        self._replay_url = replay_url
        self._open: dict[int, tuple[Session, Step | ToolCall | None]] = {}
        self._lock = threading.Lock()

    def on_start(self, span: Span, parent_context: Any = None) -> None:
        try:
            self._start_span(span)
        except Exception as error:
            _warn_of_error(error)

    def on_end(self, span: ReadableSpan) -> None:
        try:
            self._end_span(span)
        except Exception as error:
            _warn_of_error(error)

    def shutdown(self) -> None:
        with self._lock:
            self._open.clear()

    def force_flush(self, timeout_millis: int = 30000) -> bool:
        return True

    def _start_span(self, span: Span) -> None:
        session = self._session or get_active_session()
        context = span.get_span_context()
        if session is None or context is None:
            return
        span.set_attribute(SESSION, session.id)
        span.set_attribute(REPLAY, self.address(session))
        reading = read_span(span.name, span.attributes or {})
        opened: Step | ToolCall | None = None
        if reading.kind == "step":
            opened = session.step(reading.name, **reading.fields, **_build_trace_attributes(reading, span))
            opened.__enter__()
        elif reading.kind == "tool" and reading.fields["arguments"] is not None:
            opened = _begin_tool_call(session, reading, span)
        with self._lock:
            self._open[context.span_id] = session, opened

    def _end_span(self, span: ReadableSpan) -> None:
        context = span.get_span_context()
        with self._lock:
            session, opened = self._open.pop(context.span_id if context else 0, (None, None))
        if session is None:
            return
        reading = read_span(span.name, span.attributes or {}, span.events)
        error = _read_error(span)
        if isinstance(opened, Step):
            outcome = {name: value for name, value in reading.attributes.items() if name not in (SESSION, REPLAY)}
            opened.outcome(success=error is None, message=error, **outcome)
            opened.__exit__(None, None, None)
        elif reading.kind == "tool":
            call = opened if isinstance(opened, ToolCall) else None
            if call is None:
                call = _begin_tool_call(session, reading, span)
            call.write_result(reading.fields["result"], error)
        elif reading.kind == "llm":
            attributes = _build_trace_attributes(reading, span) | ({"error": error} if error else {})
            session.llm_call(duration=_read_duration(span), **reading.fields, **attributes)
        elif reading.kind == "step":
            # The span's kind was set only after it began: it is recorded as a step without anything inside.
            with session.step(reading.name, **reading.fields, **_build_trace_attributes(reading, span)) as step:
                step.outcome(success=error is None, message=error)

    def address(self, session: Session) -> str:
        """Return the address of the session's replay, with the present time as fragment."""
        path = Path(session.path)
        page = (
            self._replay_url.format(session=session.id, name=path.stem)
            if self._replay_url
            else path.with_suffix(".html").absolute().as_uri()
        )
        return f"{page}#t={session.now:.0f}"


def _begin_tool_call(session: Session, reading: SpanContent, span: ReadableSpan) -> ToolCall:
    told = reading.fields
    return ToolCall(
        session, reading.name, told["arguments"], agent=told.get("agent"), **_build_trace_attributes(reading, span)
    )


def _build_trace_attributes(reading: SpanContent, span: ReadableSpan) -> dict[str, Any]:
    """Return the span's remaining attributes, and its trace id and span id.

    An attribute's name without a dot gets the prefix ``span.``.
    """
    context = span.get_span_context()
    found = {name: value for name, value in reading.attributes.items() if name not in (SESSION, REPLAY)}
    if context is not None:
        found |= {"otel.trace_id": f"{context.trace_id:032x}", "otel.span_id": f"{context.span_id:016x}"}
    return {f"span.{name}" if "." not in name else name: value for name, value in found.items()}


def _read_error(span: ReadableSpan) -> str | None:
    for event in span.events:
        if event.name == "exception":
            told = event.attributes or {}
            return f"{told.get('exception.type')}: {told.get('exception.message')}"
    if span.status.status_code is StatusCode.ERROR:
        return span.status.description or str((span.attributes or {}).get("error.type") or "error")
    return None


def _read_duration(span: ReadableSpan) -> float | None:
    """Return a span's duration in ms; None if it has not ended."""
    if span.start_time is None or span.end_time is None:
        return None
    return round((span.end_time - span.start_time) / 1e6, 1)


def _warn_of_error(error: Exception) -> None:
    try:
        warnings.warn(f"pagereel: a span could not be written ({type(error).__name__}: {error})", stacklevel=3)
    except Warning:
        return  # warnings are errors in this program, which must not see it


__all__ = ["REPLAY", "SESSION", "ReplayProcessor", "find_span_kind"]
