"""Masks the typed text in a call, unless the page's own recording shows it.

Text filled into a password field is never read from the page (docs/threat-model.md), so the call that filled it must
not record it either. Python cannot know what kind of field a locator finds without a query, which would cost the run a
round trip. But the injector reports the new value of an unmasked field. So the call waits, on the writer thread, until
a value or a text of the page contains its text; if none does, the text is masked everywhere in the call: parameters,
error, source.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pagereel.reel import MASK, Event, Json

TYPING = {
    "fill": "value",
    "type": "text",
    "keyboard_type": "text",
    "press_sequentially": "text",
    "keyboardType": "text",
    "keyboardInsertText": "text",
    "insert_text": "text",
    "press": "key",
    "keyboardPress": "key",
    "keyboardDown": "key",
}
"""Methods of the protocol (and of the public classes) that enter text, and the parameter that holds it."""
PATIENCE = 5_000.0
"""Ms after a call's end in which the page may still show the text."""
_EARLY = 250.0
"""Ms by which the page's clock may be behind the recorder's: each process reads its own two clocks, on a machine that
may be busy. The recording has what an unmasked field held so shortly before anyway.
"""
_SHORT = 3
_REMEMBERED = 64
"""Number of the page's last values and texts that are remembered."""
_DISPATCHED = frozenset(
    {"mutation", "snapshot", "mouse", "key", "scroll", "checkpoint", "console", "request", "response"}
)
"""Kinds of events that come from the browser."""


@dataclass(slots=True)
class _PendingCall:
    event: Event
    field: str
    text: str
    begin: float
    due: float

    def is_shown_in_page_text(self, value: str, is_control: bool) -> bool:
        """Return whether this text of the page contains the typed text. Short texts occur anywhere, so for them only a
        control's value counts.
        """
        if self.field == "key":
            return False
        return value.endswith(self.text) if is_control else len(self.text) > _SHORT and self.text in value


class TypedTextMasker:
    """Holds back the calls that type text until the page shows their text, and masks the text of the others. Only the
    writer thread uses it.
    """

    def __init__(self, write: Callable[[Event], object]) -> None:
        self._write = write
        self._held: deque[_PendingCall] = deque()
        # On a busy machine the page may report the text before Playwright answers the call.
        self._before: deque[tuple[float, str, bool]] = deque(maxlen=_REMEMBERED)

    def write_or_hold_call(self, event: Event, method: str) -> None:
        """Write a call, or keep it back until the page has shown its text."""
        begin = float(str(event["t"]))
        end = begin + float(str(event.get("duration") or 0))
        self._mask_expired_calls(end)
        field = TYPING.get(method)
        params = event.get("params")
        text = params.get(field) if field and isinstance(params, dict) else None
        if not isinstance(text, str) or not field or not _is_typed_text(field, text):
            self._write(event)
            return
        held = _PendingCall(event, field, text, begin - _EARLY, end + PATIENCE)
        if any(held.begin <= t and held.is_shown_in_page_text(value, control) for t, value, control in self._before):
            self._write(event)
        else:
            self._held.append(held)

    def search_event_for_typed_text(self, event: Event) -> None:
        """Search a page event, when it is written, for the texts of the calls that are held back, and write the calls
        whose text it shows.
        """
        if event.get("k") not in _DISPATCHED:
            return
        time = float(str(event["t"]))
        if event.get("k") in ("mutation", "snapshot"):
            changed = [
                (op[2], op[0] == "value")
                for op in _list_ops(event)
                if op[0] in ("value", "text") and isinstance(op[2], str)
            ]
            self._before.extend((time, *found) for found in changed[-_REMEMBERED:])
            if not self._held:
                return
            shown = [found for op in _list_ops(event) for found in _list_shown_texts(op)]
            for held in [
                h for h in self._held if h.begin <= time and any(h.is_shown_in_page_text(*found) for found in shown)
            ]:
                self._held.remove(held)
                self._write(held.event)
        self._mask_expired_calls(time)

    def _mask_expired_calls(self, time: float) -> None:
        """Mask and write the calls that ended long before `time`, the time of the browser's latest event; the browser
        reports nothing more about them. The system's clock would not do, because Playwright's sync API delivers nothing
        while its caller is busy elsewhere.
        """
        while self._held and self._held[0].due < time:
            self._write(mask_typed_text_in_call(self._held.popleft()))

    def write_remaining_calls(self) -> None:
        """Write the calls that still wait with their text masked, because no more events follow."""
        while self._held:
            self._write(mask_typed_text_in_call(self._held.popleft()))


def _is_typed_text(field: str, text: str) -> bool:
    """Return whether a call's argument is typed text and not the name of a key, such as ``Enter`` or ``Control+A``."""
    return len(text) == 1 if field == "key" else bool(text)


def _list_ops(event: Event) -> list[Any]:
    ops = event.get("ops")
    return ops if isinstance(ops, list) else []


def _list_shown_texts(op: Any) -> list[tuple[str, bool]]:
    """Return the texts that an op shows, each with whether it is a control's value; also those in added trees."""
    if op[0] in ("value", "text"):
        return [(op[2], op[0] == "value")] if isinstance(op[2], str) else []
    found: list[tuple[str, bool]] = []
    if op[0] in ("add", "doc"):
        rest: list[Any] = list(op[1:])
        while rest:
            item = rest.pop()
            if isinstance(item, str):
                found.append((item, False))
            elif isinstance(item, list):
                rest.extend(item[1:])
    return found


def mask_typed_text_in_call(pending_call: _PendingCall) -> Event:
    """Return the event of a call with its typed text masked in every field."""
    event = dict(pending_call.event)
    params = event["params"]
    assert isinstance(params, dict)
    event["params"] = {**params, pending_call.field: MASK}
    if len(pending_call.text) > 1 or pending_call.field != "key":
        for name in ("error", "source", "title", "locator"):
            if name in event:
                event[name] = _mask_value(event[name], pending_call.text)
    return event


def _build_text_pattern(text: str) -> str:
    """Return a regular expression that finds a text; a short text must be a whole word, because an ``x`` occurs in
    other words.
    """
    plain = re.escape(text)
    return plain if len(text) > _SHORT else rf"(?<!\w){plain}(?!\w)"


def _mask_value(value: Json, text: str) -> Json:
    if isinstance(value, str):
        return re.sub(_build_text_pattern(text), MASK, value)
    if isinstance(value, list):
        return [_mask_value(item, text) for item in value]
    if isinstance(value, dict):
        return {name: _mask_value(item, text) for name, item in value.items()}
    return value
