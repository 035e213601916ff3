"""The recording's clock: milliseconds since the recording began, and their Unix time."""

from __future__ import annotations

import time


class Clock:
    """A monotonic clock that is tied to Unix time once at the start, so that a change of the system's clock does not
    reorder a recording.
    """

    def __init__(self) -> None:
        # Two clocks are read one after the other, and a busy machine may pause the thread between them: the closest
        # pair counts.
        pairs = []
        for _ in range(5):
            before = time.perf_counter()
            unix = time.time()
            pairs.append((time.perf_counter() - before, unix, before))
        _, unix, self._zero = min(pairs)
        self.started = round(unix * 1000, 1)
        """Unix ms at which the recording began."""

    def now(self) -> float:
        """Return the ms since the recording began."""
        return round((time.perf_counter() - self._zero) * 1000, 1)

    def now_unix(self) -> float:
        """Return the present Unix time in ms, computed from the recording's clock."""
        return self.started + self.now()

    def convert_unix_time(self, unix_ms: float) -> float:
        """Convert a Unix time in ms to ms on the recording's clock."""
        return round(unix_ms - self.started, 1)
