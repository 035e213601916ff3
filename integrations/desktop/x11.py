"""Reads the events of an X11 display: screen changes (DAMAGE), keys and pointer (RECORD), the active window.

A key that types text is reported without the text.
"""

from __future__ import annotations

import os
import select
import threading
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.errors import UsageError

_BUTTONS: Final = {1: "left_click", 2: "middle_click", 3: "right_click"}
_WHEEL: Final = {4: "up", 5: "down", 6: "left", 7: "right"}
_NAMED: Final = frozenset(
    """
    BackSpace Delete Down End Escape Home Insert Left Menu Next Page_Down Page_Up Pause Print Prior Return KP_Enter Right Tab ISO_Left_Tab Up
    F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12
    """.split()  # noqa: SIM905
)
_HELD: Final = ((4, "ctrl"), (8, "alt"), (64, "super"))
"""Masks of modifiers; a key pressed with one of them types no text."""


def build_missing_extra_error() -> UsageError:
    """Return the error for a missing extra ``desktop``."""
    return UsageError("`record --desktop` needs the extra `desktop`: pip install 'pagereel[desktop]'.")


def build_display_open_error(error: Exception) -> UsageError:
    """Return the error for a display that cannot be opened."""
    return UsageError(f"The display {os.environ.get('DISPLAY')} cannot be opened: {error}.")


@dataclass(frozen=True, slots=True)
class DesktopInput:
    """One input: ``kind`` is ``move`` (of the pointer), ``type`` (a key that types text), or ``act`` (any other input,
    which ``action`` describes).
    """

    kind: str
    place: tuple[int, int] | None = None
    action: Any = None


@dataclass(slots=True)
class DisplayChanges:
    """The changes of a display since the last call of :meth:`X11Display.wait_for_changes`."""

    drawn: tuple[int, int] | None = None
    """Width and height in px of the largest changed area; None: nothing changed."""
    title: str | None = None
    inputs: list[DesktopInput] = field(default_factory=list)


class X11Display:
    """A connection to an X11 display, with a second connection for the extension RECORD, which a thread reads."""

    def __init__(self) -> None:
        try:
            from Xlib import X, display
        except ImportError:
            raise build_missing_extra_error() from None
        try:
            self._x: Any = display.Display()
            self._told: Any = display.Display()
        except Exception as error:
            raise build_display_open_error(error) from None
        self._root: Any = self._x.screen().root
        self._inputs: list[DesktopInput] = []
        self._wake = os.pipe()
        self._context: Any = None
        self._damage: Any = None
        self._active = self._x.intern_atom("_NET_ACTIVE_WINDOW")
        self._name = self._x.intern_atom("_NET_WM_NAME")
        self._watched = 0
        self._root.change_attributes(event_mask=X.PropertyChangeMask | X.SubstructureNotifyMask)
        self.tells = self._x.has_extension("DAMAGE")
        """Whether the display reports changes of the screen."""

    def __enter__(self) -> X11Display:
        if self.tells:
            from Xlib.ext import damage

            self._x.damage_query_version()
            self._damage = self._root.damage_create(damage.DamageReportBoundingBox)
        self._start_input_recording()
        self._x.flush()
        return self

    def __exit__(self, *raised: object) -> None:
        if self._context is not None:
            self._x.record_disable_context(self._context)
            self._x.flush()
            self._thread.join(2)
        self._x.close()
        for end in self._wake:
            os.close(end)

    def wait_for_changes(self, seconds: float) -> DisplayChanges:
        """Wait at most `seconds` for changes of the display, and return all that have come."""
        if not self._x.pending_events() and not self._inputs:
            select.select([self._x.fileno(), self._wake[0]], [], [], seconds)
        happened = DisplayChanges()
        while self._x.pending_events():
            event = self._x.next_event()
            if type(event).__name__ == "DamageNotify":
                width, height = happened.drawn or (0, 0)
                happened.drawn = max(width, event.area.width), max(height, event.area.height)
            else:
                happened.title = self.read_window_title()
        if select.select([self._wake[0]], [], [], 0)[0]:
            os.read(self._wake[0], 4096)
        happened.inputs, self._inputs = self._inputs, []
        return happened

    def request_next_change(self) -> None:
        """Make the display report its next change; it reports none until the previous ones are marked as handled."""
        if self._damage is not None:
            self._x.damage_subtract(self._damage)
            self._x.flush()

    def read_window_title(self) -> str | None:
        """Return the title of the active window."""
        from Xlib import X

        try:
            named = self._root.get_full_property(self._active, X.AnyPropertyType)
            number = int(named.value[0]) if named and len(named.value) else 0
            window = self._x.create_resource_object("window", number) if number else self._x.get_input_focus().focus
            if not hasattr(window, "get_full_property"):
                return None
            if window.id not in (self._watched, self._root.id):
                self._watched = window.id
                window.change_attributes(event_mask=X.PropertyChangeMask)
            value = window.get_full_property(self._name, X.AnyPropertyType)
            text = value.value if value else window.get_wm_name()
            return text.decode("utf-8", "replace") if isinstance(text, bytes) else text
        except Exception:  # The window has just closed.
            return None

    # -- events from RECORD --

    def _start_input_recording(self) -> None:
        from Xlib import X
        from Xlib.ext import record

        if not self._told.has_extension("RECORD"):
            return
        wanted = {
            "core_requests": (0, 0), "core_replies": (0, 0), "ext_requests": (0, 0, 0, 0), "ext_replies": (0, 0, 0, 0),
            "delivered_events": (0, 0), "device_events": (X.KeyPress, X.MotionNotify), "errors": (0, 0),
            "client_started": False, "client_died": False,
        }  # fmt: skip
        self._context = self._told.record_create_context(0, [record.AllClients], [wanted])
        self._told.sync()
        self._thread = threading.Thread(target=self._read_input_events, name="pagereel-x11", daemon=True)
        self._thread.start()

    def _read_input_events(self) -> None:
        from Xlib.protocol import rq

        parser = rq.EventField(None)

        def handle_reply(reply: Any) -> None:
            data = reply.data
            while len(data):
                event, data = parser.parse_binary_value(data, self._told.display, None, None)
                found = self._parse_input(event)
                if found is not None:
                    self._inputs.append(found)
            os.write(self._wake[1], b".")

        try:
            self._told.record_enable_context(self._context, handle_reply)
            self._told.record_free_context(self._context)
            self._told.close()
        except Exception:  # The display was closed.
            return

    def _parse_input(self, event: Any) -> DesktopInput | None:
        from Xlib import X

        place = (event.root_x, event.root_y)
        if event.type == X.MotionNotify:
            return DesktopInput("move", place)
        if event.type == X.ButtonPress:
            if event.detail in _WHEEL:
                return DesktopInput("act", place, {"action": "scroll", "scroll_direction": _WHEEL[event.detail]})
            action = _BUTTONS.get(event.detail)
            return DesktopInput("act", place, {"action": action, "coordinate": list(place)}) if action else None
        return self._parse_key(event) if event.type == X.KeyPress else None

    def _parse_key(self, event: Any) -> DesktopInput | None:
        """Return the input for a pressed key. It has the key's name only if the key types no text."""
        from Xlib import XK

        sym = self._told.keycode_to_keysym(event.detail, 0)
        name = next((each for each in _NAMED if XK.string_to_keysym(each) == sym), None)
        held = [word for mask, word in _HELD if event.state & mask]
        if name is not None:
            return DesktopInput("act", None, {"action": "key", "text": "+".join([*held, name])})
        if 0xFFE1 <= sym <= 0xFFEE or sym == 0:
            return None  # only a modifier
        return (
            DesktopInput("act", None, {"action": "key", "text": "+".join([*held, "…"])})
            if held
            else DesktopInput("type")
        )
