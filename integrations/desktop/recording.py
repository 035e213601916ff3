"""Records a desktop into a session: pictures of the screen, and the inputs of mouse and keyboard."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from pagereel.errors import UsageError

from .x11 import X11Display, build_display_open_error, build_missing_extra_error

if TYPE_CHECKING:
    from pagereel.recorder import Session

_SETTLED: Final = 0.15
"""Seconds from a change to its picture, so that a display drawn in parts gives one picture."""
_APART: Final = 0.4
"""Smallest time between two pictures, in seconds."""
_BURST: Final = 1.5
"""Seconds without a key after which typing counts as ended."""
_LATER: Final = 5.0
"""Seconds until a picture after a change as small as a caret, so that a blinking caret alone gives few pictures."""
_CARET: Final = (4, 64)
"""Largest size of a caret, in px."""
_CELL: Final = (40, 80)
"""Largest size of a terminal's character cell in px; a terminal's caret fills the cell."""
_SAMPLE: Final = 0.1
"""Seconds between two samples of the pointer."""
_POLL: Final = 1.0
"""Seconds between two pictures where the display does not report changes."""
_TURN: Final = 0.25


def describe_desktop_limits(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> str:
    """Return a sentence on the parts of a desktop that cannot be recorded on this machine; "" if all can be recorded.

    :raises UsageError: nothing can be recorded.
    """
    if platform in ("darwin", "win32"):
        name = "macOS" if platform == "darwin" else "Windows"
        return (
            f"On {name} a picture is taken each second, if the system allows it; clicks, keys and windows are not seen."
        )
    if not environment.get("DISPLAY"):
        wayland = (
            " A Wayland session without XWayland lets no program look on." if environment.get("WAYLAND_DISPLAY") else ""
        )
        raise UsageError(f"No X11 display can be recorded, because DISPLAY is not set.{wayland}")
    if environment.get("WAYLAND_DISPLAY"):
        return "This is a Wayland session: only windows of X11 programs are seen, with clicks and keys in them; all else stays black."
    return ""


def record_desktop(session: Session, stop: Callable[[], bool]) -> None:
    """Record the desktop into `session` until ``stop()`` returns True. ``stop()`` is called four times a second.

    :raises UsageError: the extra ``desktop`` is not installed, or the display cannot be opened.
    """
    try:
        import mss
    except ImportError:
        raise build_missing_extra_error() from None
    try:
        opened = mss.MSS()
    except Exception as error:
        raise build_display_open_error(error) from None
    with opened as camera:
        recording = _DesktopRecorder(session, lambda: _take_screenshot(camera))
        if sys.platform in ("darwin", "win32"):
            recording.record_by_polling(stop)
        else:
            recording.record_x11_changes(stop)


def _take_screenshot(screen_grabber: Any) -> Any:
    from PIL import Image

    taken = screen_grabber.grab(screen_grabber.monitors[0])
    return Image.frombytes("RGB", taken.size, taken.bgra, "raw", "BGRX")


def _pictures_differ(one: Any, other: Any) -> bool:
    """Return whether the changed area of two screenshots is larger than a blinking text caret."""
    return not _is_size_within(_compute_changed_area_size(one, other), _CARET)


def _compute_changed_area_size(one: Any, other: Any) -> tuple[int, int]:
    """Return the width and height of the smallest box around all differences of two pictures."""
    from PIL import ImageChops

    if one.size != other.size:
        return max(one.size[0], other.size[0]), max(one.size[1], other.size[1])
    left, top, right, bottom = ImageChops.difference(one, other).getbbox() or (0, 0, 0, 0)
    return right - left, bottom - top


def _is_size_within(size: tuple[int, int], max_size: tuple[int, int]) -> bool:
    return size[0] <= max_size[0] and size[1] <= max_size[1]


class _DesktopRecorder:
    def __init__(self, session: Session, shot: Callable[[], Any]) -> None:
        self._session = session
        self._screenshot = shot
        self._title: str | None = None
        self._taken = 0.0
        self._last: Any = None
        self._before: Any = None
        """The picture before the last one, unless an input came in between."""
        self._blinking = _CARET
        """Size in px of a blinking part that is ignored."""
        self._typed = 0.0
        self._sampled = 0.0
        self._place: tuple[int, int] | None = None

    def record_by_polling(self, stop: Callable[[], bool]) -> None:
        """Take a screenshot each second until ``stop()`` returns True, on systems that do not report changes of the
        screen.
        """
        while not stop():
            self._record_screen()
            time.sleep(_POLL)

    def record_x11_changes(self, stop: Callable[[], bool]) -> None:
        """Take a screenshot whenever X11 reports a change, and record inputs, until ``stop()`` returns True."""
        with X11Display() as display:
            self._title = display.read_window_title()
            self._record_screen()
            changed: float | None = None
            caret = True
            while not stop():
                now = time.monotonic()
                due = None if changed is None else max(changed + _SETTLED, self._taken + (_LATER if caret else _APART))
                wait = _TURN if due is None else min(_TURN, max(0.0, due - now))
                blinking = self._blinking
                happened = display.wait_for_changes(wait if display.tells else min(wait, _POLL))
                if happened.title is not None and happened.title != self._title:
                    self._title = happened.title
                    self._session.screen(window=self._title)
                for done in happened.inputs:
                    self._record_input(done)
                now = time.monotonic()
                if happened.drawn:
                    caret = _is_size_within(happened.drawn, blinking) and (caret or changed is None)
                    changed = changed or now
                if not display.tells and now - self._taken >= _POLL:
                    changed, caret = changed or now - _SETTLED, False
                if changed is not None and now >= max(changed + _SETTLED, self._taken + (_LATER if caret else _APART)):
                    changed, caret = None, True
                    display.request_next_change()
                    self._record_screen()
            display.request_next_change()
            self._record_screen()

    def _record_screen(self) -> None:
        picture = self._screenshot()
        self._taken = time.monotonic()
        if self._last is not None:
            apart = _compute_changed_area_size(self._last, picture)
            if _is_size_within(apart, _CARET):
                return
            if (
                self._before is not None
                and _is_size_within(apart, _CELL)
                and not _pictures_differ(self._before, picture)
            ):
                self._blinking = apart  # it changed back without any input: it blinks
                return
        self._before, self._last = self._last, picture
        self._session.screen(picture, window=self._title, cursor=self._place)

    def _record_input(self, desktop_input: Any) -> None:
        now = time.monotonic()
        if desktop_input.kind != "move":
            self._before, self._blinking = None, _CARET
        self._place = desktop_input.place or self._place
        if desktop_input.kind == "move":
            if now - self._sampled >= _SAMPLE:
                self._sampled = now
                self._session.screen(cursor=self._place)
        elif desktop_input.kind == "type":
            # The number of keys would reveal a password's length: a burst of keys is one event.
            if now - self._typed > _BURST:
                self._session.screen(action={"action": "type"}, cursor=self._place)
            self._typed = now
        else:
            self._typed = 0.0
            self._session.screen(action=desktop_input.action, cursor=self._place)
