"""Records Playwright's calls: decides which calls belong to a recording, and writes their events.

On the caller's thread a call costs two time stamps, an id and a search for its page; its text, parameters and source
are computed on the writer thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pagereel.reel import Event

from .agent import AgentLog
from .agent_context import RunPosition, build_agent_field
from .hooks.call_text import (
    build_call_title,
    build_locator_code,
    find_caller_line,
    read_parameters,
    to_public_method_name,
)
from .hooks.hook import ApiCall
from .hooks.hook_choice import listen_to_calls
from .hooks.typed_text import TypedTextMasker
from .recording import Recording
from .runtime.json_conversion import to_json
from .runtime.recordable import Recordable
from .runtime.screen_positions import TITLE_LIMIT

_DEPTH = 12
"""Largest number of steps from a client object up to its page."""
UNFINISHED = "The recording ended before this call did."


@dataclass(slots=True)
class _CallStart:
    """The data of a call that are known when it begins: its id, its time, its position in the run, and its page."""

    id: int
    t: float
    place: RunPosition
    page: int | None
    duration: float | None = None


class PlaywrightCallRecorder:
    """The listener that records the Playwright calls of one recording."""

    def __init__(self, recording: Recording, target: Recordable, log: AgentLog) -> None:
        self._recording = recording
        self._target = target
        self._log = log
        self._open: dict[int, ApiCall] = {}
        writer = recording.kit.writer
        self._typed = TypedTextMasker(writer.write_event)
        writer.watch = self._typed.search_event_for_typed_text
        self._unlisten = listen_to_calls(target.object, self)

    def stop(self) -> None:
        """Write the running calls as unfinished, and stop listening. Never raises."""
        try:
            self._write_unfinished_calls()
        except Exception as error:
            self.on_hook_error(error)

    def _write_unfinished_calls(self) -> None:
        self._unlisten()
        for call in list(self._open.values()):
            call.error = call.error or UNFINISHED
            self._enqueue_call(call)
        self._open.clear()
        self._recording.kit.writer.enqueue_call(self._typed.write_remaining_calls)

    # -- what a hook reports, on the caller's thread
    # --------------------------------------------------------------------

    def on_call_began(self, call: ApiCall) -> None:
        mine, page = self._find_page_of_call(call.owner)
        if mine:
            facts = _CallStart(
                self._log.assign_next_id(), self._recording.clock.now(), self._log.get_run_position(), page
            )
            call.facts = {**(call.facts or {}), self: facts}
            self._open[facts.id] = call

    def on_call_ended(self, call: ApiCall) -> None:
        facts = (call.facts or {}).get(self)
        if facts is not None and self._open.pop(facts.id, None) is not None:
            facts.duration = round(self._recording.clock.now() - facts.t, 1)
            self._enqueue_call(call)

    def on_hook_error(self, error: Exception) -> None:
        self._recording.kit.writer.report_error("call", error)

    def _find_page_of_call(self, owner: Any) -> tuple[bool, int | None]:
        """Return whether a call on this object belongs to the recording, and the number of the object's page."""
        recording = self._recording
        at = owner
        for _ in range(_DEPTH):
            if at is None:
                break
            kind = type(at).__name__
            if kind == "Page":
                number = self._find_page_number(at)
                if number is not None:
                    return True, number
                if self._target.kind == "page":
                    return False, None
            elif kind == "BrowserContext":
                return any(_is_same_object(context, at) for context in recording.contexts), None
            elif kind == "Browser":
                return self._target.kind == "browser" and _is_same_object(self._target.object, at), None
            at = _find_parent_object(at, kind)
        return False, None

    def _find_page_number(self, page: Any) -> int | None:
        for known, record in self._recording.pages.items():
            if _is_same_object(known, page):
                return record.number
        return None

    # -- the writer thread --------------------------------------------------------------------------------------------

    def _enqueue_call(self, call: ApiCall) -> None:
        size = 1000 + sum(len(value) for value in call.params.values() if isinstance(value, str))
        self._recording.kit.writer.enqueue_call(self._write_call, call, call.facts[self], size=size)

    def _write_call(self, call: ApiCall, call_start: _CallStart) -> None:
        event: Event = {
            "k": "call",
            "t": call_start.t,
            "id": call_start.id,
            "step": call_start.place.step,
            **build_agent_field(call_start.place.agent),
            "title": to_json(build_call_title(call), TITLE_LIMIT),
            "method": to_public_method_name(call)[:200],
        }
        if call_start.page is not None:
            event["page"] = call_start.page
        if params := read_parameters(call.params):
            event["params"] = dict(params)
        optional: Event = {
            "locator": to_json(build_locator_code(call), TITLE_LIMIT),
            "duration": call_start.duration,
            "error": to_json(call.error, 4 * TITLE_LIMIT),
            "source": find_caller_line(call.stack),
        }
        event |= {name: value for name, value in optional.items() if value is not None}
        self._typed.write_or_hold_call(event, call.method)


def record_playwright_calls(recording: Recording, target: Recordable, log: AgentLog) -> None:
    """Record the calls of a recording from now until it ends."""
    if not recording.options.calls or target.kind == "nothing":
        return
    try:
        recording.ending.append(PlaywrightCallRecorder(recording, target, log).stop)
    except Exception as error:
        recording.kit.writer.report_error("calls", error)


def _is_same_object(public_object: Any, client_object: Any) -> bool:
    return public_object is client_object or getattr(public_object, "_impl_obj", None) is client_object


_ABOVE = {
    "Frame": ("_page", "page", "_parent"),
    "Locator": ("_frame", "page"),
    "Page": ("context",),
    "LocatorAssertions": ("_actual_locator", "_impl_obj"),
    "PageAssertions": ("_actual_page", "_impl_obj"),
}
"""By class: the attributes in which the page or context of an object is found, in the client's objects and in the
public ones.
"""


def _find_parent_object(client_object: Any, kind: str) -> Any:
    """Return the object that this one belongs to: its page, or its parent in Playwright's client."""
    for name in _ABOVE.get(kind, ("_page", "_parent", "_impl_obj", "_channel", "_object")):
        above = getattr(client_object, name, None)
        if above is not None and not callable(above):
            return above
    return None
