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
from pagereel.sources import join_recordings, open_any, write_clip

from ..durations import format_duration
from ..errors import BuildError, GateError, UsageError
from ..options import Redaction, normalize_redaction_option
from .build_report import BuildReport
from .built_replay import BuiltReplay
from .checked_writing import write_checked_file
from .chunks import decode_all_pieces
from .clip_filter import ClipFilter
from .html_file import BY_NEED, SOMETIMES, list_included_scripts, render_file, render_shell
from .masked_page_check import compare_masked_page
from .options import BuildOptions, BuildSettings
from .page_events import PAGE_KINDS, PageEventBuilder
from .resources import ResourceCatalogue, ResourcePacker
from .size_limit import OmittedCount
from .verify import verify_replay

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
    one run, give one replay: see :func:`pagereel.sources.join_recordings`.

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
    redaction = normalize_redaction_option(redaction)
    chosen = BuildSettings.from_options(options, masks=redaction is not None)
    destination = Path(destination)
    chosen.raise_if_destination_unusable(destination)
    title, start, end, max_size = chosen.title, chosen.start, chosen.end, chosen.max_size
    with (
        _open_joined_source(source, destination) as (recording, notes),
        _open_reel_to_show(recording, redaction, chosen) as (whole_reel, redacted),
        _open_clip(whole_reel, chosen) as reel,
    ):
        if redacted and title is not None:
            title = str(reel.header.get("title") or "")  # masked, so that it may be shown
        if start and not chosen.clip and start > (ends := _find_last_event_time(reel)):
            raise UsageError(
                f"A part from {format_duration(start)} on is empty; the recording ends at {format_duration(ends)}."
            )
        cut = (
            ClipFilter.from_events((), None, None)
            if chosen.clip
            else ClipFilter.from_events(reel.events() if start else (), start, end)
        )

        shown = title or ""

        def prepare_replay(*, shorten_urls: bool = False) -> tuple[BuiltReplay, Callable[[], Iterator[bytes]]]:
            """Return the recording prepared for the file, and a function that yields the file's parts from its present
            state.

            `shorten_urls`: store long ``data:`` addresses only as resources.
            """
            nonlocal shown
            built = BuiltReplay.from_reel(reel, chosen.progress, cut, shorten_urls=shorten_urls)
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
            late = list_included_scripts(built.find_needed_scripts())
            return built, lambda: render_file(
                shown,
                chosen.theme,
                built.iter_pieces(built.build_index(shown)),
                chosen.stamp,
                compact=chosen.compact,
                extra_scripts=late,
                outcome=built.summary.get_outcome_for_title(),
            )

        built, parts = prepare_replay()
        left: dict[str, OmittedCount] = {}
        if max_size is not None and chosen.check:
            max_size -= VERDICT_BYTES
        if max_size is not None:
            left, size = built.omit_resources_until_within(parts, max_size)
            if size > max_size and built.pages.inline:
                built, parts = prepare_replay(shorten_urls=True)
                left, size = built.omit_resources_until_within(parts, max_size)
            if size > max_size:
                raise BuildError(
                    f"The replay does not fit into {max_size} bytes: without media, fonts, images and bodies it has {size}; "
                    "choose a part with --from and --to, or allow more."
                )
        if chosen.check:
            with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
                opened = Path(folder) / "replay.html"
                write_checked_file(opened, parts(), None)
                built.checked = verify_replay(opened, launch=chosen.launch)
                if redacted:
                    raw = Path(folder) / "raw.html"
                    build(recording, raw, None, start=start, end=end, clip=chosen.clip)
                    built.same_page = compare_masked_page(raw, opened, chosen.launch)
        size = write_checked_file(
            destination,
            parts(),
            redacted.gate if redacted else None,
            recording.stem if chosen.zip else None,
            chosen.stamp,
        )
    report = built.build_report(destination, size)
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


def list_missing_addresses(reel: Reel) -> list[str]:
    """Return the addresses for which the recorded pages got a response whose bytes are not in the recording."""
    return sorted(_convert_page_events(reel).missing)


def list_unknown_addresses(reel: Reel) -> list[str]:
    """Return the addresses in the recorded pages for which the recording has no request, as with another tool's
    recording.
    """
    return sorted(_convert_page_events(reel).unknown)


def _convert_page_events(reel: Reel) -> PageEventBuilder:
    """Return the builder after it has converted all page events of a recording; it then knows the missing addresses."""
    pages = PageEventBuilder(ResourceCatalogue.from_reel(reel), ResourcePacker())
    for event in reel.timeline():
        if event["k"] in PAGE_KINDS and isinstance(event.get("t"), int | float):
            pages.convert_event(event)
    return pages


@contextmanager
def _open_joined_source(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], destination: Path
) -> Iterator[tuple[Path, list[str]]]:
    """Yield the path of the recording to build, and notes on joining its parts.

    If `source` is a list, its recordings are joined into a temporary one.
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
        joined = join_recordings(parts, Path(folder) / "recording.reel")
        yield joined.path, joined.notes


@contextmanager
def _open_clip(reel: Reel, settings: BuildSettings) -> Iterator[Reel]:
    """Yield the recording to build: `reel` itself, or for a clip a temporary recording with the clip's events."""
    if not settings.clip:
        yield reel
        return
    with tempfile.TemporaryDirectory(prefix="pagereel-") as folder:
        part = Path(folder) / "clip.reel"
        write_clip(reel, part, settings.start or 0.0, settings.end)
        with open_reel(part) as clip:
            yield clip


def _find_last_event_time(reel: Reel) -> float:
    """Return the time of the recording's last event, in ms."""
    times = (event.get("t") for event in reel.events())
    return max((float(t) for t in times if isinstance(t, int | float)), default=0.0)


@dataclass
class _RedactedReel:
    """The result of redacting the reel, and functions that search for known values."""

    result: Any
    report: Any
    """The report as JSON, for the file."""
    gate: Callable[[Path], object]
    """Raises GateError when the file contains a known value."""
    shows: Callable[[str], bool]
    """Returns whether a text, such as the recording's file name, may be shown: it contains no known value."""


def _raise_if_leaking(path: Path, masked: Path, result: RedactionReport) -> None:
    """Raise GateError if the built file, or the masked reel that it was made from, contains a known value.

    The error for the reel names the event, which says more than a byte offset in the file.
    """
    import pagereel.redaction as room

    html = decode_all_pieces(path.read_bytes())
    try:
        room.gate_html(html, result, shell=render_shell((*BY_NEED, *SOMETIMES)).encode())
    except GateError:
        room.gate_html(masked, result)
        raise


@contextmanager
def _open_reel_to_show(
    source: Path, redaction: Redaction, settings: BuildSettings
) -> Iterator[tuple[Reel, _RedactedReel | None]]:
    """Yield the reel to build, and the result of its redaction; None if it is not redacted here.

    Only this function of the build calls the redaction.
    """
    if redaction is None:
        with open_any(source) as reel:
            yield reel, None
        return
    with open_any(source):  # Raises the error of a damaged recording at once.
        pass
    import pagereel.redaction as room

    if (
        settings.title is None
        and settings.vault is None
        and not settings.recognizers
        and room.is_masked_by_policy(source, redaction)
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
            title=settings.title,
            vault=settings.vault,
            vault_key=settings.vault_key,
            on_leak=settings.on_leak,
            recognizers=settings.recognizers,
        )
        try:
            with open_reel(masked) as reel:
                yield (
                    reel,
                    _RedactedReel(
                        result,
                        result.to_json(),
                        lambda path: _raise_if_leaking(path, masked, result),
                        lambda text: room.gate_html(f'"{text}"'.encode(), result, check=False).clean,
                    ),
                )
        except BaseException:
            if settings.vault is not None:  # the replay was not written, so its vault is deleted
                Path(settings.vault).unlink(missing_ok=True)
            raise
