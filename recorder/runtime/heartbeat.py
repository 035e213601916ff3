"""The recorder's heartbeat: it tells where the machine stood still, and how long something on it waited for a processor. Of a steady machine it tells nothing.

A slow answer and a machine that did something else look the same in a recording; with this they do not. Two things are measured, by a thread that is there anyway:

* how late it goes on after it was called, or after it wanted to sleep for so long;
* Linux's pressure stall information (``/proc/pressure/cpu``, "some"): for how long at least one thread waited for a processor. A thread that sleeps a lot is
  called in time even on a machine that has far too much to do, so the first alone would miss that.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from pagereel.reel import Event

from .clock import Clock

PRESSURE: Final = "/proc/pressure/cpu"
_LATE: Final = 0.05
"""Seconds from which on a thread that had nothing else to do was late."""
_EVERY: Final = 0.3
"""Seconds between two looks at the pressure: about 20 µs each."""
_BUSY: Final = 0.3
"""Share of the time for which something waited, from which on it is told."""
_ALIKE: Final = 0.25
"""Stretches whose shares differ by no more are told as one,"""
_LONGEST: Final = 5.0
"""of so many seconds at most."""


class Beat:
    """Tells by `write`, in events of the kind ``stall``. Used by one thread."""

    def __init__(self, clock: Clock, write: Callable[[Event], object], pressure: str = PRESSURE) -> None:
        self._clock = clock
        self._write = write
        self._file = -1
        with suppress(OSError):
            self._file = os.open(pressure, os.O_RDONLY | os.O_CLOEXEC)
        self._last: tuple[float, float] | None = None
        """When the pressure was last looked at, and what it was: s for which something had waited since the machine began."""
        self._stretch: list[tuple[float, float]] = []
        """Length and share of each look of a stretch, in s."""
        self._began = 0.0

    def late(self, since: float) -> None:
        """Say whether the thread is late: it was to go on at `since`, in s of ``time.perf_counter()``, and does so now."""
        late = time.perf_counter() - since
        if late >= _LATE:
            ms = round(late * 1000, 1)
            self._write({"k": "stall", "t": round(max(0.0, self._clock.now() - ms), 1), "late": ms})

    def look(self) -> None:
        """Look at the pressure, where it is time for it. Cheap; call it often."""
        now = time.perf_counter()
        if self._file < 0 or (self._last is not None and now - self._last[0] < _EVERY):
            return
        waited = self._waited()
        if waited is None:
            self.end()
            return
        last, self._last = self._last, (now, waited)
        if last is None:
            return
        share = min(1.0, (waited - last[1]) / (now - last[0]))
        if self._stretch and not self._goes_on(share):
            self._tell()
        if share >= _BUSY:
            if not self._stretch:
                self._began = self._clock.now() - (now - last[0]) * 1000
            self._stretch.append((now - last[0], share))

    def end(self) -> None:
        """Tell what is known, and look no more."""
        self._tell()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _goes_on(self, share: float) -> bool:
        length = sum(each for each, _ in self._stretch)
        mean = sum(each * of for each, of in self._stretch) / length
        return share >= _BUSY and abs(share - mean) <= _ALIKE and length < _LONGEST

    def _tell(self) -> None:
        if self._stretch:
            over, late = (
                sum(each) * 1000 for each in zip(*((each, each * of) for each, of in self._stretch), strict=True)
            )
            t = round(max(0.0, self._began), 1)
            self._stretch = []
            self._write({"k": "stall", "t": t, "late": round(late, 1), "over": round(over, 1)})

    def _waited(self) -> float | None:
        try:
            text = os.pread(self._file, 200, 0)
            return int(text.split(b"\n", 1)[0].rpartition(b"total=")[2]) / 1e6
        except (OSError, ValueError):
            return None


def measures() -> str:
    """Return what a heartbeat measures here: ``pressure``, or ``late`` where the system tells of none."""
    return "pressure" if os.access(PRESSURE, os.R_OK) else "late"
