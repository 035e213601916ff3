"""From a reel to one HTML file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from pagereel.reel import Json, Keys, Reel, open_reel
from pagereel.sources import join, open_any

from ..errors import BuildError, GateError, UsageError
from ..options import OnLeak, Redaction, Theme, redaction_of
from .built import Built
from .chunks import whole
from .cut import Cut
from .html import BY_NEED, SOMETIMES, render, scripts_of, shell
from .limit import OmittedCount
from .pages import PAGE_KINDS, PageEventBuilder
from .report import BuildReport, Progress
from .resources import Packer, ResourceCatalogue
from .same_page import same_page
from .verify import verify_replay
from .writing import write

if TYPE_CHECKING:
    from presidio_analyzer import EntityRecognizer

    from pagereel.redaction import RedactionReport


THEMES: Final = ("auto", "light", "dark")
PAGES: Final = (".html", ".htm")

VERDICT_BYTES: Final = 4 << 10
"""What the verdict of a check may take of a file whose size is limited."""


def build(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    destination: str | os.PathLike[str],
    redaction: Redaction = "vendor",
    *,
    title: str | None = None,
    theme: Theme = "auto",
    start: float | None = None,
    end: float | None = None,
    max_size: int | None = None,
    zip: bool = False,
    compact: bool = False,
    stamp: str | None = None,
    vault: str | os.PathLike[str] | None = None,
    vault_key: Keys | None = None,
    check: bool = False,
    launch: Mapping[str, Any] | None = None,
    on_leak: OnLeak = "fail",
    recognizers: Sequence[EntityRecognizer] = (),
    progress: Progress | None = None,
) -> BuildReport:
    """Build the replay of the reel `source` as one HTML file at `destination`. Of several recordings, parts of one run, one replay is built:
    see :func:`pagereel.sources.join`.

    The reel is redacted first with `redaction`: the name of a policy, the path of a policy file, or a ``Policy``; ``None`` or ``off`` builds
    what was recorded as it was recorded. A recording or replay that was masked with the policy of this name is taken as it is, unless a
    `title`, a `vault` or `recognizers` are given.
    `title` stands in the window's title and is masked with the rest, `theme` is ``auto``, ``light`` or ``dark``. `start` and `end` (ms) cut a part
    out of the recording (see ``cut.py``). `max_size` (bytes) leaves things out until the file is within it, in the order
    media, fonts, images, bodies; the file and the report say what. `zip` writes a ZIP archive that holds the replay, for
    places that refuse HTML. `compact` writes bytes instead of base64, for a file a quarter smaller that only survives what
    leaves every byte alone (see ``reel/pieces.py``). `stamp` is kept in the file as it is (in a ZIP archive as its comment),
    see ``stamp_of()``. `vault` and `vault_key` write the originals of what is masked into a file of their own, see ``redact()``. `check` opens the file, holds it against the recording as ``verify_replay()`` does, and writes what came of
    it into the file; `launch` is for that browser. Without it the file says that it was not looked at. A damaged or unsealed reel is built up to the damage and the file says so. The file appears whole or
    not at all. `on_leak` ``drop`` leaves out what holds a known value after all, and `recognizers` are Presidio's, of your own: see ``redact()``.

    Raises UsageError for wrong arguments, ReelError for what is no reel, PolicyError and GateError from the
    redaction, BuildError when the file cannot be written.
    """
    redaction = redaction_of(redaction)
    if theme not in THEMES:
        raise UsageError(f"theme={theme!r} is none of {', '.join(THEMES)}.")
    if start is not None and not 0 <= start < float("inf"):
        raise UsageError(f"start={start:g} is no time of a recording; give at least 0 ms.")
    if end is not None and not end > (start or 0):
        raise UsageError(f"A part from {start or 0:g} to {end:g} ms holds nothing; give two times in their order.")
    destination = Path(destination)
    if destination.is_dir():
        raise UsageError(
            f"{destination} is a folder; give the path of the file to write, for example {destination / 'run.html'}."
        )
    if not destination.parent.is_dir():
        raise UsageError(f"{destination.parent} does not exist; create it first, or give another path for the replay.")
    _check_name(destination, zip)
    if vault is not None and redaction is None:
        raise UsageError("A vault leads back from what was masked; this build masks nothing.")
    if recognizers and redaction is None:
        raise UsageError("Recognizers say what is masked; this build masks nothing.")
    with (
        _one(source, destination) as (recording, notes),
        _reel_to_show(recording, redaction, title, vault, vault_key, on_leak, recognizers) as (reel, redacted),
    ):
        if redacted and title is not None:
            title = str(reel.header.get("title") or "")  # as it may be shown
        if start and start > (ends := _ends(reel)):
            raise UsageError(f"A part from {start:g} ms on holds nothing: the recording ends at {ends:.0f} ms.")
        cut = Cut.of(reel.events() if start else (), start, end)

        def make(*, short: bool = False) -> tuple[Built, Callable[[], Iterator[bytes]]]:
            """Return what is built, and the file as it is by now."""
            built = Built.make(reel, progress, cut, short=short)
            if redacted:  # Else it is what the reel says of itself.
                built.summary.info["redaction"] = cast(Json, redacted.report)
                built.pages.missing |= set(redacted.result.lost.values())
            if vault is not None:  # to be built again as it was recorded
                built.summary.info["built"] = {
                    "stem": recording.stem, "title": title, "theme": theme, "start": start, "end": end, "max_size": max_size,
                    "compact": compact,
                }  # fmt: skip
            hidden = redaction is not None if redacted is None else not redacted.shows(recording.stem)
            shown = title or built.summary.title or ("Recording" if hidden else recording.stem)
            late = scripts_of(built.needs())
            return built, lambda: render(
                shown, theme, built.pieces(built.index(shown)), stamp, compact=compact, late=late
            )

        built, parts = make()
        left: dict[str, OmittedCount] = {}
        if max_size is not None and check:
            max_size -= VERDICT_BYTES
        if max_size is not None:
            left, size = built.fit(parts, max_size)
            if size > max_size and built.pages.inline:
                built, parts = make(short=True)
                left, size = built.fit(parts, max_size)
            if size > max_size:
                raise BuildError(
                    f"The replay does not fit into {max_size} bytes: without media, fonts, images and bodies it has {size}; "
                    "cut a part out of it (--from, --to), or allow more."
                )
        if check:
            with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
                opened = Path(folder) / "replay.html"
                write(opened, parts(), None)
                built.checked = verify_replay(opened, launch=launch)
                if redacted:
                    raw = Path(folder) / "raw.html"
                    build(recording, raw, None, start=start, end=end)
                    built.same_page = same_page(raw, opened, launch)
        size = write(destination, parts(), redacted.gate if redacted else None, recording.stem if zip else None, stamp)
    report = built.report(destination, size)
    report.notes = notes
    report.left_out = left
    report.redaction = redacted.result if redacted else None
    return report


def missing_of(reel: Reel) -> list[str]:
    """Addresses for which the recorded pages got something whose bytes the recording does not have."""
    return sorted(_pages_of(reel).missing)


def unknown_of(reel: Reel) -> list[str]:
    """Addresses that the recorded pages name and that the recording has nothing of: of another tool's, those that it kept no bytes of."""
    return sorted(_pages_of(reel).unknown)


def _pages_of(reel: Reel) -> PageEventBuilder:
    pages = PageEventBuilder(ResourceCatalogue.of(reel), Packer())
    for event in reel.timeline():
        if event["k"] in PAGE_KINDS and isinstance(event.get("t"), int | float):
            pages.ready(event)
    return pages


@contextmanager
def _one(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], destination: Path
) -> Iterator[tuple[Path, list[str]]]:
    """Give the recording that is built, of several parts one that they were joined to, with what there is to note of that."""
    parts = [Path(source)] if isinstance(source, str | os.PathLike) else [Path(part) for part in source]
    for part in parts:
        if destination.exists() and part.exists() and destination.samefile(part):
            which = "the recording itself" if len(parts) == 1 else "one of the recordings"
            raise UsageError(f"{destination} is {which}; give another path for the replay.")
    if isinstance(source, str | os.PathLike):
        yield parts[0], []
        return
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        joined = join(parts, Path(folder) / "recording.reel")
        yield joined.path, joined.notes


def _ends(reel: Reel) -> float:
    """Return the time of the last event, in ms."""
    times = (event.get("t") for event in reel.events())
    return max((float(t) for t in times if isinstance(t, int | float)), default=0.0)


@dataclass
class _Redacted:
    result: Any
    report: Any
    """As JSON, for the file."""
    gate: Callable[[Path], object]
    """Raises GateError when a known value stands in the file."""
    shows: Callable[[str], bool]
    """Whether a text, such as the recording's file name, may be shown: no known value stands in it."""


def _gated(path: Path, masked: Path, result: RedactionReport) -> None:
    """Raise GateError when a known value stands in the file, or in the masked reel that it was made of: an event and its kind say more than a byte of the
    file.
    """
    import pagereel.redaction as room

    html = whole(path.read_bytes())
    try:
        room.gate_html(html, result, shell=shell((*BY_NEED, *SOMETIMES)).encode())
    except GateError:
        room.gate_html(masked, result)
        raise


@contextmanager
def _reel_to_show(
    source: Path,
    redaction: Redaction,
    title: str | None,
    vault: str | os.PathLike[str] | None,
    vault_key: Keys | None,
    on_leak: OnLeak,
    recognizers: Sequence[EntityRecognizer],
) -> Iterator[tuple[Reel, _Redacted | None]]:
    """Give the reel that may be shown: the one place where a build meets redaction."""
    if redaction is None:
        with open_any(source) as reel:
            yield reel, None
        return
    with open_any(source):  # Says at once what is wrong with it.
        pass
    import pagereel.redaction as room

    if title is None and vault is None and not recognizers and room.masked_already(source, redaction):
        with open_any(source) as reel:
            yield reel, None
        return
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        masked = Path(folder) / "masked.reel"
        result = room.redact(
            source,
            masked,
            redaction,
            gate=False,
            title=title,
            vault=vault,
            vault_key=vault_key,
            on_leak=on_leak,
            recognizers=recognizers,
        )
        try:
            with open_reel(masked) as reel:
                yield (
                    reel,
                    _Redacted(
                        result,
                        result.to_json(),
                        lambda path: _gated(path, masked, result),
                        lambda text: room.gate_html(f'"{text}"'.encode(), result, check=False).clean,
                    ),
                )
        except BaseException:
            if vault is not None:  # a vault of a replay that there is not
                Path(vault).unlink(missing_ok=True)
            raise


def _check_name(destination: Path, zipped: bool) -> None:
    """Raise UsageError where the name says that something else is in the file than will be."""
    name, ending = destination.name, destination.suffix.lower()
    if zipped and ending in PAGES:
        raise UsageError(f"{name} is the name of a page, and --zip writes an archive; name it {destination.stem}.zip.")
    if not zipped and ending == ".zip":
        raise UsageError(
            f"{name} is the name of an archive, and what is built is a page; add --zip, or name it {destination.stem}.html."
        )
    if ending == ".reel":
        raise UsageError(
            f"{name} is the name of a recording, and what is built is a page; name it {destination.stem}.html."
        )
