"""Draws the strip of a recording: its decisive moments side by side in one picture, each with its caption."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

from pagereel.durations import format_duration
from pagereel.integrations.replay_browser import open_replay_page
from pagereel.reading import Record, RecordedRun

from .film_maker import Progress, require_film_packages, run_interruptible
from .film_pictures import SWITCHES, WIDEST, FilmLayout, ReplayCamera
from .film_plan import FilmCaption, FilmPlan, plan_film

CELL: Final = 480
"""Width of a moment in the strip, px."""
ROW: Final = 3
"""Moments beside each other."""
MOST: Final = 9
"""Moments in a strip."""
GAP: Final = 8
SAME: Final = 500.0
"""Ms before the end of a run that went well within which the end of a step is no moment of its own."""


def make_strip(recording: Path, progress: Progress = lambda _done, _total: None) -> bytes:
    """Return the strip of a recording as PNG: its first page, the ends of its steps, its failure or its end.

    The recording is not masked here: redact it before (`open_shareable_reel`).

    :raises SetupError: a package or a browser is missing. BuildError: the replay does not open.
    """
    require_film_packages("png")
    return run_interruptible(lambda going: _draw_strip(recording, going), progress)


def _draw_strip(recording: Path, progress: Progress) -> bytes:
    from PIL import Image

    run = RecordedRun(recording)
    plan = plan_film(run)
    moments = list_decisive_moments(run, plan)
    look = FilmLayout(zoom=max(1.0, min(plan.size[0], WIDEST) / CELL))
    pictures = []
    with open_replay_page(
        recording, look.compute_window_size(plan.size, None), without_player=False, chromium_switches=SWITCHES
    ) as page:
        camera = ReplayCamera(page, look)
        for number, moment in enumerate(moments):
            progress(number, len(moments))
            camera.show_moment(moment.t, moment)
            with Image.open(io.BytesIO(camera.take_screenshot())) as taken:
                width = min(CELL, taken.width)
                size = (width, round(taken.height * width / taken.width))
                pictures.append(taken.convert("RGB").resize(size, Image.Resampling.LANCZOS))
    width, height = pictures[0].size
    columns = min(ROW, len(pictures))
    rows = -(-len(pictures) // columns)
    strip = Image.new("RGB", (columns * (width + GAP) + GAP, rows * (height + GAP) + GAP), "#dde0e5")
    for number, picture in enumerate(pictures):
        strip.paste(picture, (GAP + number % columns * (width + GAP), GAP + number // columns * (height + GAP)))
    made = io.BytesIO()
    strip.save(made, "PNG", optimize=True)
    return made.getvalue()


def list_decisive_moments(run: RecordedRun, plan: FilmPlan) -> list[FilmCaption]:
    """Return the decisive moments of a run, at most nine, each with its caption: the first content, the ends of its
    outermost steps (failed ones first), and its failure or its end.
    """
    first, last = plan.clock.to_run_time(0.0), plan.clock.to_run_time(plan.clock.length)
    failure = plan.failure
    end = (
        FilmCaption(failure[0], failure[1], "Failed", failed=True)
        if failure
        else FilmCaption(
            last, f"The end, after {format_duration(run.duration)}", {"passed": "Passed"}.get(run.outcome.outcome, "")
        )
    )
    steps = [
        step
        for step in run.steps()
        if step.get("parent") is None and _get_step_end_time(step) < end.t - (1 if failure else SAME)
    ]
    room = MOST - 1 - (0 if steps else 1)
    if len(steps) > room:
        kept = [step for step in steps if step.get("success") is False][:room]
        others = [step for step in steps if step not in kept]
        count = room - len(kept)
        kept += [others[round(place * (len(others) - 1) / max(count - 1, 1))] for place in range(count)]
        steps = [step for step in steps if step in kept]
    found = [
        FilmCaption(
            max(_get_step_end_time(step), first),
            " ".join(str(step["title"]).split()),
            str(step["number"]),
            step.get("success") is False,
        )
        for step in steps
    ]
    if len(found) < MOST - 1:
        found.insert(
            0,
            FilmCaption(
                first,
                str(run.header.get("title") or run.header.get("agent") or "The first page"),
                format_duration(first),
            ),
        )
    return [*found, end]


def _get_step_end_time(step: Record) -> float:
    """Return the time at which a step ended, in ms; for a step that never ended the time at which it began."""
    return float(step["t"]) + max(float(step.get("duration") or 0.0) - 1, 0.0)
