"""Makes a film of a recording: plans it, takes the pictures, and encodes them in the best quality that fits a size."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from pagereel.errors import SetupError, UsageError
from pagereel.integrations.replay_browser import open_replay_page
from pagereel.reading import RecordedRun

from .encoding import PIXELS, WRITERS, FilmPictures, FilmQuality, import_pyav
from .film_clock import FilmClock
from .film_pictures import SWITCHES, FilmLayout, ReplayCamera, photograph_film
from .film_plan import plan_film

Made = TypeVar("Made")
Progress = Callable[[float, float], None]
"""Told of what is done, and of how much there is."""
LEVELS: Final = {"gif": 3, "webp": 4, "mp4": 5, "webm": 5}
"""Format → how many levels of quality there are at each scale and rate."""
SCALES: Final = (1.0, 0.8, 0.64, 0.5, 0.4, 0.3)
_HOPE: Final = 1.6
"""How much smaller than its cost says a quality may come out: what is larger by more is not tried."""
SMALLEST: Final = 160
"""Width in px below which a film tells nothing."""


@dataclass(frozen=True)
class FilmSettings:
    """The settings of a film: the part of the run that it shows (ms of the run), its size, and the parts of the player
    in it.
    """

    start: float | None = None
    """None: when there is first something to see."""
    end: float | None = None
    max_size: int | None = None
    """Bytes that the file may have."""
    size: tuple[int, int] | None = None
    """Width and height in px; None: those of the page, at most 1280 wide."""
    look: FilmLayout = field(default_factory=FilmLayout)


@dataclass(frozen=True)
class Film:
    """An encoded film: its bytes, its clock, its size and its quality."""

    data: bytes
    clock: FilmClock
    """The way from its time to the run's."""
    size: tuple[int, int]
    """Width and height in px."""
    frames: int
    """How many different pictures it has."""
    quality: FilmQuality


def make_film(
    recording: Path,
    film_format: str,
    settings: FilmSettings | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Film:
    """Return a film of a recording as ``mp4``, ``webm``, ``gif`` or ``webp``.

    The recording is not masked here: redact it before (`open_shareable_reel`).

    :raises UsageError: nothing is visible in the chosen part of the run, or no quality fits into `max_size`.
    SetupError: a
        package or a browser is missing. BuildError: the replay does not open.
    """
    require_film_packages(film_format)
    return run_interruptible(
        lambda going: _plan_and_encode_film(recording, film_format, settings or FilmSettings(), going), progress
    )


def run_interruptible(work: Callable[[Progress], Made], progress: Progress) -> Made:
    """Run `work` in a new thread, and return its result.

    A new thread is needed because Playwright's sync API does not work in a thread with a running event loop. If the
    calling thread is interrupted, the work stops when it next reports progress.
    """
    stop = threading.Event()

    def report_progress(done: float, total: float) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        progress(done, total)

    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(work, report_progress)
        try:
            return made.result()
        except BaseException:
            stop.set()
            raise


def require_film_packages(film_format: str) -> None:
    """Raise SetupError where a package that the format needs is missing."""
    if film_format in ("mp4", "webm"):
        import_pyav()
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise SetupError("A film needs Pillow, which is not installed: pip install 'pagereel[film]'.") from None


def _plan_and_encode_film(recording: Path, film_format: str, settings: FilmSettings, progress: Progress) -> Film:
    plan = plan_film(RecordedRun(recording), settings.start, settings.end, story=settings.look.story)
    window = settings.look.compute_window_size(plan.size, settings.size)
    with tempfile.TemporaryDirectory(prefix="pagereel-film-") as folder:
        with open_replay_page(recording, window, without_player=False, chromium_switches=SWITCHES) as page:
            shots = photograph_film(ReplayCamera(page, settings.look), plan, Path(folder), settings.look, progress)
        pictures = FilmPictures(
            shots,
            plan.frame_count,
            window,
            FilmQuality(),
            plan.chapters,
            lambda: progress(plan.frame_count, plan.frame_count),
        )
        made, written = encode_within_size(film_format, pictures, settings.max_size)
    return Film(made, plan.clock, written.output_size, len(written.select_pictures()), written.quality)


def encode_within_size(film_format: str, pictures: FilmPictures, max_size: int | None) -> tuple[bytes, FilmPictures]:
    """Encode the film in the best quality that fits into `max_size` bytes.

    :raises UsageError: not even the lowest quality fits.
    """
    size, cost = 0, 0.0
    for quality in _list_qualities(film_format, pictures):
        if size and max_size and quality.estimated_size_share > cost * max_size / size * _HOPE:
            continue
        better = replace(pictures, quality=quality)
        made = WRITERS[film_format](better)
        if max_size is None or len(made) <= max_size:
            return made, better
        size, cost = len(made), quality.estimated_size_share
    raise UsageError(
        f"The film does not fit into {max_size:,} bytes: the smallest has {size:,}; choose a part with --from and --to, or allow more."
    )


def _list_qualities(film_format: str, pictures: FilmPictures) -> list[FilmQuality]:
    """Return the qualities to try for a format, the best first."""
    width, height = pictures.size
    most = min(1.0, (PIXELS / (len(pictures.shots) * width * height)) ** 0.5) if film_format == "gif" else 1.0
    found = [
        FilmQuality(round(scale * most, 3), every, level)
        for scale in SCALES
        for every in (1, 2, 4)
        for level in range(LEVELS[film_format])
        if scale == 1.0 or scale * width >= SMALLEST
    ]
    return sorted(found, key=lambda each: each.estimated_size_share, reverse=True)
