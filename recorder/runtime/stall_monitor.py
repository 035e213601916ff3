"""Records when the machine stalled, and how long threads waited for a processor; an idle machine causes no events.

Without it a slow page and a busy machine look the same in a recording. The writer thread measures two things:

* how late it wakes up after it was called, or after a sleep;
* Linux's pressure stall information (``/proc/pressure/cpu``, "some"): how long at least one thread waited for a
  processor. A thread that sleeps a lot is woken in time even on an overloaded machine, so the first measure alone
  would miss that.
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
"""Smallest delay of an idle thread that is recorded, in seconds."""
_EVERY: Final = 0.3
"""Seconds between two readings of the pressure, each about 20 µs."""
_BUSY: Final = 0.3
"""Smallest share of waiting time that is recorded."""
_ALIKE: Final = 0.25
"""Largest difference of two shares that are recorded as one stretch."""
_LONGEST: Final = 5.0
"""Longest stretch, in seconds."""


class StallMonitor:
    """Measures how long the machine stalls, and passes ``stall`` events to `write`. Only one thread uses it."""

    def __init__(self, clock: Clock, write: Callable[[Event], object], pressure: str = PRESSURE) -> None:
        self._clock = clock
        self._write = write
        self._file = -1
        with suppress(OSError):
            self._file = os.open(pressure, os.O_RDONLY | os.O_CLOEXEC)
        self._last: tuple[float, float] | None = None
        """Time of the last reading of the pressure, and its value: s of waiting since the machine started."""
        self._stretch: list[tuple[float, float]] = []
        """Length in s, and share of waiting time, of each reading in a stretch."""
        self._began = 0.0

    def write_stall_if_late(self, since: float) -> None:
        """Write a ``stall`` event if the thread is late. `since`: when it should have continued, in s of
        ``time.perf_counter()``.
        """
        late = time.perf_counter() - since
        if late >= _LATE:
            ms = round(late * 1000, 1)
            self._write({"k": "stall", "t": round(max(0.0, self._clock.now() - ms), 1), "late": ms})

    def read_pressure_if_due(self) -> None:
        """Read the pressure if the interval has passed. Cheap; call it often."""
        now = time.perf_counter()
        if self._file < 0 or (self._last is not None and now - self._last[0] < _EVERY):
            return
        waited = self._read_processor_wait_time()
        if waited is None:
            self.stop()
            return
        last, self._last = self._last, (now, waited)
        if last is None:
            return
        share = min(1.0, (waited - last[1]) / (now - last[0]))
        if self._stretch and not self._continues_pressure_period(share):
            self._write_pressure_period()
        if share >= _BUSY:
            if not self._stretch:
                self._began = self._clock.now() - (now - last[0]) * 1000
            self._stretch.append((now - last[0], share))

    def stop(self) -> None:
        """Write the event of the last period in which threads waited for a processor, and close the file that reports
        it.
        """
        self._write_pressure_period()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _continues_pressure_period(self, waiting_share: float) -> bool:
        length = sum(each for each, _ in self._stretch)
        mean = sum(each * of for each, of in self._stretch) / length
        return waiting_share >= _BUSY and abs(waiting_share - mean) <= _ALIKE and length < _LONGEST

    def _write_pressure_period(self) -> None:
        if self._stretch:
            over, late = (
                sum(each) * 1000 for each in zip(*((each, each * of) for each, of in self._stretch), strict=True)
            )
            t = round(max(0.0, self._began), 1)
            self._stretch = []
            self._write({"k": "stall", "t": t, "late": round(late, 1), "over": round(over, 1)})

    def _read_processor_wait_time(self) -> float | None:
        try:
            text = os.pread(self._file, 200, 0)
            return int(text.split(b"\n", 1)[0].rpartition(b"total=")[2]) / 1e6
        except (OSError, ValueError):
            return None


def find_stall_measurement() -> str:
    """Return which measurement of stalls this system allows: ``pressure``, or ``late`` if the system reports no
    pressure.
    """
    return "pressure" if os.access(PRESSURE, os.R_OK) else "late"
