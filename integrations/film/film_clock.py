"""Maps times of a film to times of the recorded run: the film shortens idle spans, and pauses at the failure."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

IDLE: Final = 2_000.0
"""Ms without a visible change from which on a span is cut."""
EDGE: Final = 400.0
"""Ms at each end of such a span that are shown at the run's own speed."""
SKIP: Final = 1_000.0
"""Ms of film that what is cut takes: long enough to read that it was."""
FAILURE: Final = 3_000.0
"""Ms for which the film holds the moment of the failure."""
LAST: Final = 1_600.0
"""Ms for which the film holds its last moment."""


@dataclass(frozen=True)
class FilmSegment:
    """A part of a film that plays at one speed.

    Times in ms: `film` is the time at which the part begins in the film, `run` the time at which it begins in the run.
    """

    film: float
    run: float
    speed: float
    """Ms of the run in a ms of film: 1 as it was, 0 held, more where it is cut."""


class FilmClock:
    """Converts times of a film to times of the recorded run, and back. All times are in ms."""

    def __init__(self, changes: Iterable[float], start: float, end: float, failure: float | None = None) -> None:
        """Cut the spans without `changes`, and hold the end, and also the `failure` if it is within the part."""
        moments = sorted({start, *(t for t in changes if start < t < end), end})
        stops = [failure] if failure is not None and start <= failure <= end else []
        self.stretches: list[FilmSegment] = []
        self.length = 0.0
        """Length of the film, ms."""
        self._run = start
        for a, b in pairwise(moments):
            if b - a >= IDLE:
                self._extend_to(a + EDGE, 1.0, stops)
                self._extend_to(b - EDGE, (b - a - 2 * EDGE) / SKIP, stops)
            self._extend_to(b, 1.0, stops)
        if stops:
            self._add_still_picture(FAILURE)
        else:
            self._add_still_picture(LAST)
        self._skipped = [(each.run, after.run) for each, after in pairwise(self.stretches) if each.speed > 1]

    def _extend_to(self, run_time: float, speed: float, holds: list[float]) -> None:
        """Extend the film up to the run's time `run_time` (ms). If `holds` has an earlier time, the film pauses there."""
        if holds and holds[0] < run_time:
            self._add_segment(max(holds[0], self._run), speed)
            self._add_still_picture(FAILURE)
            holds.clear()
        self._add_segment(run_time, speed)

    def _add_segment(self, run_time: float, speed: float) -> None:
        if run_time <= self._run:
            return
        if not self.stretches or self.stretches[-1].speed != speed:
            self.stretches.append(FilmSegment(self.length, self._run, speed))
        self.length += (run_time - self._run) / speed
        self._run = run_time

    def _add_still_picture(self, duration: float) -> None:
        self.stretches.append(FilmSegment(self.length, self._run, 0.0))
        self.length += duration

    def to_run_time(self, film_time: float) -> float:
        """Return the time of the run (ms) that the film shows at its time `film_time` (ms)."""
        place = max(bisect_right(self.stretches, film_time, key=_get_film_time) - 1, 0)
        found = self.stretches[place]
        until = self.stretches[place + 1].run if place + 1 < len(self.stretches) else math.inf
        return min(found.run + (film_time - found.film) * found.speed, until)

    def to_film_time(self, run_time: float) -> float:
        """Return the earliest time of the film (ms) at which it shows the run's time `run_time` (ms)."""
        place = bisect_left(
            self.stretches, run_time, key=_get_run_time
        )  # The first stretch that begins at this time or later.
        moving = self.stretches[place - 1] if place else None
        if (
            moving is not None
            and moving.speed
            and (place == len(self.stretches) or run_time < self.stretches[place].run)
        ):
            return moving.film + (run_time - moving.run) / moving.speed
        return self.stretches[place].film if place < len(self.stretches) else self.length

    def list_skipped_spans(self) -> list[tuple[float, float]]:
        """Return the idle spans of the run that the film shortens, in order, each as beginning and end in ms of the
        run.
        """
        return self._skipped

    def to_json(self) -> list[dict[str, float]]:
        """Return the parts of the film for `--json`: each with its beginning in the film (s) and in the run (ms), and
        its speed.
        """
        return [
            {"film": round(each.film / 1000, 3), "run": round(each.run, 1), "speed": round(each.speed, 3)}
            for each in self.stretches
        ]


def _get_film_time(segment: FilmSegment) -> float:
    return segment.film


def _get_run_time(segment: FilmSegment) -> float:
    return segment.run
