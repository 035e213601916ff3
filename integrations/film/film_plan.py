"""Plans a film of a recording: the frames at which its replay changes, the size of its pages, and its captions."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pagereel.durations import format_duration
from pagereel.errors import UsageError
from pagereel.player_build import OpeningTimeFinder
from pagereel.reading import RecordedRun, find_first_failure, get_failure_time
from pagereel.reel import KINDS, Event

from .film_clock import FilmClock

FRAME: Final = 80
"""Ms of film from one frame to the next: GIF counts in hundredths of a second."""
RIPPLE: Final = 500.0
"""Ms for which the player draws a click; the same as in overlay.tsx, as are the next three."""
TRAIL: Final = 700.0
KEYS: Final = 900.0
ACTION: Final = 600.0

_LISTED: Final = frozenset(("story", "console", "network"))


@dataclass(frozen=True)
class FilmCaption:
    """A caption below the page, shown from `t` ms of the run on."""

    t: float
    words: str
    place: str = ""
    """Which step of how many it is."""
    failed: bool = False


@dataclass
class FilmPlan:
    """The plan of a film of one part of a recording. Times are in ms of the run; `frames` are numbers of frames."""

    clock: FilmClock
    frames: list[int]
    """Numbers of the frames, of :data:`FRAME` ms each, at which something may have changed."""
    size: tuple[int, int]
    """Width and height of the largest page that shows, in CSS px."""
    captions: list[FilmCaption] = field(default_factory=list)
    chapters: list[tuple[float, str]] = field(default_factory=list)
    """The outermost steps: ms of film, and title."""
    failure: tuple[float, str] | None = None
    """When the run failed, in ms, and its first cause in a sentence; None of one that did not fail."""

    @property
    def frame_count(self) -> int:
        """Return the length of the film in frames of :data:`FRAME` ms."""
        return math.ceil(self.clock.length / FRAME)

    def get_caption_at(self, frame: int) -> FilmCaption:
        """Return the caption that shows at a frame: the step, the failure, or the length of the idle span that is
        shortened there.
        """
        run = self.clock.to_run_time(frame * FRAME)
        skipped = self.clock.list_skipped_spans()
        if place := bisect_left(skipped, run, key=lambda each: each[0]):
            a, b = skipped[place - 1]
            if run < b:
                return FilmCaption(a, f"{format_duration(b - a)} without a change")
        place = bisect_right(self.captions, run, key=lambda each: each.t)
        return self.captions[place - 1] if place else FilmCaption(0.0, "")


def plan_film(
    run: RecordedRun, start: float | None = None, end: float | None = None, *, story: bool = False
) -> FilmPlan:
    """Return the plan of a film of the part of a masked recording from `start` to `end` ms.

    `story`: the film also shows the player's lists beside the page.

    :raises UsageError: nothing is visible in this part.
    """
    seen, opening = _ReplayChangeTimes(story), OpeningTimeFinder()
    with run.open_reel() as reel:
        for event in reel.timeline():
            seen.add_event(event)
            opening.add_event(event)
    last = run.duration if end is None else min(end, run.duration)
    first = min(opening.time or 0.0, last) if start is None else start
    if not 0 <= first <= last:
        raise UsageError(
            f"A film from {format_duration(max(first, 0))} to {format_duration(max(last, 0))} holds nothing: "
            f"the recording lasts {format_duration(run.duration)}."
        )
    steps = run.steps()
    failure = find_failure(run)
    changes = [*seen.changes, *(step["t"] for step in steps)]
    clock = FilmClock(changes, first, last, None if failure is None else failure[0])
    frames = {0, math.ceil(clock.length / FRAME) - 1}
    for t in [
        *changes,
        *(edge for span in clock.list_skipped_spans() for edge in span),
        *([failure[0]] if failure else ()),
    ]:
        if first <= t <= last:
            frames.add(math.ceil(clock.to_film_time(t) / FRAME))
    for a, b in seen.moving:
        if b >= first and a <= last:
            frames.update(
                range(
                    math.ceil(clock.to_film_time(max(a, first)) / FRAME),
                    math.ceil(clock.to_film_time(min(b, last)) / FRAME) + 1,
                )
            )
    shown = sorted(frame for frame in frames if frame * FRAME < clock.length)
    plan = FilmPlan(
        clock, shown, seen.get_largest_page_size(last), _build_captions(run, steps, failure), failure=failure
    )
    outermost = [step for step in steps if step.get("parent") is None and step["t"] <= last]
    begun = max((number for number, step in enumerate(outermost) if step["t"] <= first), default=0)
    plan.chapters = [
        (clock.to_film_time(max(step["t"], first)), " ".join(str(step["title"]).split())) for step in outermost[begun:]
    ]
    return plan


def find_failure(run: RecordedRun) -> tuple[float, str] | None:
    """Return the time at which the run failed (ms), and its first cause as a sentence; None for a run that did not
    fail.
    """
    if run.outcome.outcome != "failed":
        return None
    failure = find_first_failure(run)
    if not failure["chain"]:
        return None
    return get_failure_time(failure), str(failure["chain"][0])


def _build_captions(
    run: RecordedRun, steps: list[dict[str, Any]], failure: tuple[float, str] | None
) -> list[FilmCaption]:
    found = [
        FilmCaption(float(step["t"]), " ".join(str(step["title"]).split()), f"{step['number']} of {len(steps)}")
        for step in steps
    ]
    if failure is not None:
        found = [each for each in found if each.t <= failure[0]]
        found.append(FilmCaption(failure[0], failure[1], "Failed", failed=True))
    if not found and (title := run.header.get("title") or run.header.get("agent")):
        found.append(FilmCaption(0.0, str(title)))
    return sorted(found, key=lambda each: each.t)


class _ReplayChangeTimes:
    """Collects from a recording's events the times at which its replay changes."""

    def __init__(self, story: bool) -> None:
        self._story = story
        self.changes: list[float] = []
        self.moving: list[tuple[float, float]] = []
        """Spans in which it changes at every frame: a click that is drawn, a film that plays."""
        self._sizes: list[tuple[float, float, float]] = []
        self._playing: dict[tuple[Any, Any], float] = {}

    def add_event(self, event: Event) -> None:
        kind, t = str(event["k"]), float(str(event.get("t") or 0))
        about = KINDS.get(kind)
        if about is None:
            return
        if (
            (about.built == "page" and not about.unseen)
            or kind in ("screen", "screenshot", "page")
            or (self._story and about.shows in _LISTED)
        ):
            self.changes.append(t)
        self.changes += self._iter_overlay_change_times(kind, t, event)
        size = (
            event.get("viewport") if kind == "document" and event.get("top") else event if kind == "viewport" else None
        )
        if isinstance(size, dict):
            self._sizes.append((t, float(str(size["w"])), float(str(size["h"]))))
        if kind in ("snapshot", "mutation"):
            self._track_playback(t, event)

    def _iter_overlay_change_times(self, kind: str, t: float, event: Any) -> Iterator[float]:
        """Yield the times at which the player's drawing of the pointer, clicks and keys over the page changes."""
        if kind == "pointer":
            for dt, *_ in event["points"]:
                yield t + dt
            yield t + max((point[0] for point in event["points"]), default=0.0) + TRAIL
        elif kind == "mouse" and event["type"] != "up":
            self.moving.append((t, t + RIPPLE))
            yield t + RIPPLE
        elif kind == "key":
            yield t + KEYS
        elif kind == "call":
            yield t
            yield t + max(float(event.get("duration") or 0), ACTION) + 1

    def _track_playback(self, t: float, event: Any) -> None:
        for op in event["ops"]:
            if op[0] == "media":
                key = (event["d"], op[1])
                since = self._playing.pop(key, None)
                if since is not None:
                    self.moving.append((since, t))
                if not op[2].get("paused"):
                    self._playing[key] = t
            elif op[0] == "doc":
                self._add_playback_span(event["d"], t)

    def _add_playback_span(self, document_id: Any, t: float) -> None:
        for key in [key for key in self._playing if key[0] == document_id]:
            self.moving.append((self._playing.pop(key), t))

    def get_largest_page_size(self, end: float) -> tuple[int, int]:
        """Return the largest width and the largest height in px that pages had up to the time `end` (ms)."""
        sizes = [(w, h) for t, w, h in self._sizes if t <= end] or [(1280.0, 720.0)]
        return max(1, round(max(w for w, _ in sizes))), max(1, round(max(h for _, h in sizes)))
