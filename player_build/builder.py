"""Builds one HTML file from a reel."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from pagereel.reel import Json, Reel, open_reel
from pagereel.sources import join, open_any, write_clip

from ..durations import duration_text
from ..errors import BuildError, GateError, UsageError
from ..options import Redaction, redaction_of
from .built import Built
from .chunks import whole
from .cut import Cut
from .html import BY_NEED, SOMETIMES, render, scripts_of, shell
from .limit import OmittedCount
from .options import BuildOptions, BuildSettings
from .pages import PAGE_KINDS, PageEventBuilder
from .report import BuildReport
from .resources import Packer, ResourceCatalogue
from .same_page import same_page
from .verify import verify_replay
from .writing import write

if TYPE_CHECKING:
    from pagereel.redaction import RedactionReport


VERDICT_BYTES: Final = 4 << 10
"""Bytes reserved for the verdict of a check in a file with a size limit."""


def build(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    destination: str | os.PathLike[str],
    redaction: Redaction = "vendor",
    **options: Unpack[BuildOptions],
) -> BuildReport:
    """Build the replay of the reel `source` as one HTML file at `destination`. Several recordings, which are parts of
    one run, give one replay: see :func:`pagereel.sources.join`.

    The reel is redacted first with `redaction`: the name of a policy, the path of a policy file, or a ``Policy``;
    ``None`` or ``off`` builds the recording unmasked. A recording or replay that was masked with a policy of this name
    is used unchanged, unless a title, a vault or recognizers are given. A damaged recording, or one without an end, is
    built up to the damage, and the file says so. The file is written atomically. Options: see :class:`BuildSettings`.

    :raises UsageError: arguments are invalid.
    :raises ReelError: the source is no recording.
    :raises PolicyError: the policy is invalid.
    :raises GateError: the built file contains a known value; nothing was written.
    :raises BuildError: the file cannot be written.
    """
    redaction = redaction_of(redaction)
    chosen = BuildSettings.of(options, masks=redaction is not None)
    destination = Path(destination)
    chosen.check_destination(destination)
    title, start, end, max_size = chosen.title, chosen.start, chosen.end, chosen.max_size
    with (
        _one(source, destination) as (recording, notes),
        _reel_to_show(recording, redaction, chosen) as (whole_reel, redacted),
        _clipped(whole_reel, chosen) as reel,
    ):
        if redacted and title is not None:
            title = str(reel.header.get("title") or "")  # masked, so that it may be shown
        if start and not chosen.clip and start > (ends := _ends(reel)):
            raise UsageError(
                f"A part from {duration_text(start)} on is empty; the recording ends at {duration_text(ends)}."
            )
        cut = Cut.of((), None, None) if chosen.clip else Cut.of(reel.events() if start else (), start, end)

        shown = title or ""

        def make(*, short: bool = False) -> tuple[Built, Callable[[], Iterator[bytes]]]:
            """Return the built data, and a function that yields the parts of the file with the data as it then is."""
            nonlocal shown
            built = Built.make(reel, chosen.progress, cut, short=short)
            if redacted:  # Otherwise the reel's own statement stays.
                built.summary.info["redaction"] = cast(Json, redacted.report)
                built.pages.missing |= set(redacted.result.lost.values())
            if chosen.vault is not None:  # it must be built again from the raw recording
                built.summary.info["built"] = {
                    "stem": recording.stem, "title": title, "theme": chosen.theme, "start": start, "end": end, "clip": chosen.clip,
                    "max_size": max_size,
                    "compact": chosen.compact,
                }  # fmt: skip
            hidden = redaction is not None if redacted is None else not redacted.shows(recording.stem)
            shown = title or built.summary.title or ("Recording" if hidden else recording.stem)
            late = scripts_of(built.needs())
            return built, lambda: render(
                shown,
                chosen.theme,
                built.pieces(built.index(shown)),
                chosen.stamp,
                compact=chosen.compact,
                late=late,
                outcome=built.summary.window_words(),
            )

        built, parts = make()
        left: dict[str, OmittedCount] = {}
        if max_size is not None and chosen.check:
            max_size -= VERDICT_BYTES
        if max_size is not None:
            left, size = built.fit(parts, max_size)
            if size > max_size and built.pages.inline:
                built, parts = make(short=True)
                left, size = built.fit(parts, max_size)
            if size > max_size:
                raise BuildError(
                    f"The replay does not fit into {max_size} bytes: without media, fonts, images and bodies it has {size}; "
                    "choose a part with --from and --to, or allow more."
                )
        if chosen.check:
            with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
                opened = Path(folder) / "replay.html"
                write(opened, parts(), None)
                built.checked = verify_replay(opened, launch=chosen.launch)
                if redacted:
                    raw = Path(folder) / "raw.html"
                    build(recording, raw, None, start=start, end=end, clip=chosen.clip)
                    built.same_page = same_page(raw, opened, chosen.launch)
        size = write(
            destination,
            parts(),
            redacted.gate if redacted else None,
            recording.stem if chosen.zip else None,
            chosen.stamp,
        )
    report = built.report(destination, size)
    report.notes = notes
    report.left_out = left
    report.title = shown
    report.redaction = redacted.result if redacted else None
    return report


async def build_async(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    destination: str | os.PathLike[str],
    redaction: Redaction = "vendor",
    **options: Unpack[BuildOptions],
) -> BuildReport:
    """Build as :func:`build` does, in a thread, so that the event loop keeps running. If the task is cancelled, the
    build continues to its end.
    """
    return await asyncio.to_thread(build, source, destination, redaction, **options)


def missing_of(reel: Reel) -> list[str]:
    """Return the addresses for which the recorded pages got a response whose bytes are not in the recording."""
    return sorted(_pages_of(reel).missing)


def unknown_of(reel: Reel) -> list[str]:
    """Return the addresses in the recorded pages for which the recording has no request, as with another tool's
    recording.
    """
    return sorted(_pages_of(reel).unknown)


def _pages_of(reel: Reel) -> PageEventBuilder:
    pages = PageEventBuilder(ResourceCatalogue.of(reel), Packer())
    for event in reel.timeline():
        if event["k"] in PAGE_KINDS and isinstance(event.get("t"), int | float):
            pages.convert(event)
    return pages


@contextmanager
def _one(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], destination: Path
) -> Iterator[tuple[Path, list[str]]]:
    """Yield the recording to build, and notes on joining it. Several parts of a run are joined into a temporary
    recording.
    """
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


@contextmanager
def _clipped(reel: Reel, chosen: BuildSettings) -> Iterator[Reel]:
    """Yield the recording itself, or for a clip a temporary recording that holds only its part."""
    if not chosen.clip:
        yield reel
        return
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        part = Path(folder) / "clip.reel"
        write_clip(reel, part, chosen.start or 0.0, chosen.end)
        with open_reel(part) as clip:
            yield clip


def _ends(reel: Reel) -> float:
    """Return the time of the recording's last event, in ms."""
    times = (event.get("t") for event in reel.events())
    return max((float(t) for t in times if isinstance(t, int | float)), default=0.0)


@dataclass
class _Redacted:
    result: Any
    report: Any
    """The report as JSON, for the file."""
    gate: Callable[[Path], object]
    """Raises GateError when the file contains a known value."""
    shows: Callable[[str], bool]
    """Returns whether a text, such as the recording's file name, may be shown: it contains no known value."""


def _gated(path: Path, masked: Path, result: RedactionReport) -> None:
    """Raise GateError if the built file, or the masked reel that it was made from, contains a known value.

    The error for the reel names the event, which says more than a byte offset in the file.
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
    chosen: BuildSettings,
) -> Iterator[tuple[Reel, _Redacted | None]]:
    """Yield the reel to build, redacted unless `redaction` is None. Nothing else in a build calls the redaction."""
    if redaction is None:
        with open_any(source) as reel:
            yield reel, None
        return
    with open_any(source):  # Raises the error of a damaged recording at once.
        pass
    import pagereel.redaction as room

    if (
        chosen.title is None
        and chosen.vault is None
        and not chosen.recognizers
        and room.masked_already(source, redaction)
    ):
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
            title=chosen.title,
            vault=chosen.vault,
            vault_key=chosen.vault_key,
            on_leak=chosen.on_leak,
            recognizers=chosen.recognizers,
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
            if chosen.vault is not None:  # the replay was not written, so its vault is deleted
                Path(chosen.vault).unlink(missing_ok=True)
            raise
