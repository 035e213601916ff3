"""A desktop of one's own: Xvfb with a window manager where there is one, real programs in it, input through XTEST."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

SIZE = (1280, 800)
NOTES = Path(__file__).with_name("notes.py")
_MANAGERS = (["openbox"], ["twm"])
_SHIFTED = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
_NAMED = {" ": "space", "\n": "Return", "-": "minus", ".": "period", ",": "comma", "/": "slash", "'": "apostrophe", ";": "semicolon", "=": "equal", "`": "grave", "[": "bracketleft", "]": "bracketright", "\\": "backslash"}  # fmt: skip


class Desk:
    """``with Desk() as desk``: the display's name is ``desk.display``. Skips the test where Xvfb or python-xlib is not installed."""

    def __init__(self, size: tuple[int, int] = SIZE, *, managed: bool = True) -> None:
        self.size = size
        self._managed = managed
        self._programs: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Desk:
        xvfb = shutil.which("Xvfb")
        if xvfb is None:
            pytest.skip("a desktop wants Xvfb (Debian: xvfb)")
        display = pytest.importorskip("Xlib.display")
        read, write = os.pipe()
        screen = f"{self.size[0]}x{self.size[1]}x24"
        command = [xvfb, "-displayfd", str(write), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
        self._programs.append(subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL))
        os.close(write)
        with os.fdopen(read) as told:
            self.display = f":{told.readline().strip()}"
        self.environment = {**os.environ, "DISPLAY": self.display}
        self._x: Any = display.Display(self.display)
        self.has_manager = self._managed and any(shutil.which(command[0]) for command in _MANAGERS)
        for command in _MANAGERS if self._managed else ():
            if shutil.which(command[0]):
                self.run(command)
                self.wait(
                    self._manages
                )  # a window that is there before its manager has no focus, and what is typed reaches nobody
                break
        return self

    def _manages(self) -> bool:
        """Whether a window manager has taken the windows: no second one may have this mask on the root."""
        from Xlib import X

        return bool(self._x.screen().root.get_attributes().all_event_masks & X.SubstructureRedirectMask)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._x.close()
        for program in reversed(self._programs):
            program.terminate()
        for program in reversed(self._programs):
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()

    # -- programs --

    def run(self, command: list[str], **environment: str) -> subprocess.Popen[bytes]:
        """Start a program on this desktop; it ends with it."""
        program = subprocess.Popen(
            command, env={**self.environment, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._programs.append(program)
        return program

    def notes(self) -> subprocess.Popen[bytes]:
        """Start a program with a text field, a list and a pad of digits, and wait until it shows."""
        pytest.importorskip("tkinter")
        program = self.run([sys.executable, str(NOTES)])
        self.wait(lambda: "Notes of Ada Miller" in self.titles())
        return program

    def titles(self) -> list[str]:
        """Return the titles of all windows."""
        found = []
        waiting = [self._x.screen().root]
        while waiting:
            window = waiting.pop()
            try:
                waiting += window.query_tree().children
                if window.get_attributes().map_state and (name := window.get_wm_name()):
                    found.append(name if isinstance(name, str) else name.decode("utf-8", "replace"))
            except Exception:  # It has just gone.
                continue
        return found

    def wait(self, holds: Callable[[], bool], patience: float = 30.0) -> None:
        end = time.monotonic() + patience
        while not holds():
            assert time.monotonic() < end, "the desktop did not become what was waited for"
            time.sleep(0.05)

    def still(self, patience: float = 5.0) -> Any:
        """Return a picture of the screen once it has stopped changing."""
        end = time.monotonic() + patience
        before = self.shot()
        while time.monotonic() < end:
            time.sleep(0.08)
            now = self.shot()
            if now.tobytes() == before.tobytes():
                break
            before = now
        return before

    def shot(self) -> Any:
        """Return a picture of the screen, of Pillow's."""
        from PIL import Image

        raw = self._x.screen().root.get_image(0, 0, *self.size, 2, 0xFFFFFFFF)
        return Image.frombytes("RGB", self.size, raw.data, "raw", "BGRX")

    # -- input --

    def move(self, x: int, y: int) -> None:
        self._fake(6, 0, x, y)

    def click(self, x: int, y: int, button: int = 1) -> None:
        self.move(x, y)
        self.press(button)

    def press(self, button: int = 1, times: int = 1) -> None:
        for _ in range(times):
            self._fake(4, button)
            self._fake(5, button)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.move(*start)
        self._fake(4, 1)
        for step in range(1, 9):
            self.move(*(a + (b - a) * step // 8 for a, b in zip(start, end, strict=True)))
            time.sleep(0.02)
        self._fake(5, 1)

    def type(self, text: str) -> None:
        for letter in text:
            self.key(letter)

    def key(self, letter: str) -> None:
        from Xlib import XK

        plain = _SHIFTED.get(letter, letter)
        shift = letter != plain or letter.isupper()
        code = self._x.keysym_to_keycode(
            XK.string_to_keysym(_NAMED.get(plain, plain.lower() if len(plain) == 1 else plain))
        )
        held = self._x.keysym_to_keycode(XK.string_to_keysym("Shift_L"))
        if shift:
            self._fake(2, held)
        self._fake(2, code)
        self._fake(3, code)
        if shift:
            self._fake(3, held)

    def _fake(self, kind: int, detail: int, x: int = 0, y: int = 0) -> None:
        from Xlib.ext import xtest

        xtest.fake_input(self._x, kind, detail, x=x, y=y)
        self._x.sync()
