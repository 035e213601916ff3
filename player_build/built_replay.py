"""The content of a built file: sanitized events in chunks, resources in packs, and an index."""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

import orjson

from pagereel import __version__
from pagereel.reading import RecordedRun
from pagereel.reel import PLACEHOLDER, Event, Json, Reel, build_action_title, find_event_kinds

from .build_report import BuildReport, Progress
from .build_summary import BuildSummary, SummarySource
from .chunks import EventChunk, EventChunker, compress_raw_deflate
from .clip_filter import ClipFilter
from .failure_reason import explain_failure, format_failure_lines
from .fidelity import Fidelity
from .html_file import CONVERSATION, SCREENS, WHY
from .long_texts_piece import LongTexts
from .masked_page_check import MaskedPageReport
from .page_events import PAGE_KINDS, PageEventBuilder
from .resources import ResourceCatalogue, ResourcePacker
from .size_limit import OmittedCount, omit_until_within
from .verify import ReplayReport

RUN_KINDS: Final = find_event_kinds(built="run")

BODY_BYTES: Final = 256 << 10
"""Largest body that is included for reading, in bytes."""

BODIES_BYTES: Final = 4 << 20
"""Largest sum of these bodies in bytes; later ones are left out."""

_DIFFERENCES: Final = 20
"""Largest number of differences in the file; the report has all."""

_BEGUN: Final = frozenset({"call", "tool_call", "note", "memory"})
"""Kinds of events whose order at one moment is that of their ids."""

_READABLE: Final = re.compile(r"^text/(?!css|[\w.-]*(?:java|ecma)script)|json|xml|x-www-form-urlencoded", re.IGNORECASE)


def _explain_run_failure(reel: Reel, clip: ClipFilter) -> dict[str, Json] | None:
    """Return the explanation of the run's failure; None if it did not fail, or if an imported recording cannot be read
    for it.
    """
    try:
        return explain_failure(RecordedRun(reel.path, reel), clip)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        text = f"{type(error).__name__}: {error}"
        warnings.warn(f"pagereel could not find out why the run failed ({text}); the replay has all else", stacklevel=2)
        return None


def sort_by_begin_order(timeline: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a timeline; those with the same time in the order in which their actions began.

    Ids are given when an action begins, but a call is recorded when it ends; so the order is that of the ids.
    """
    for _, at_once in itertools.groupby(timeline, key=lambda event: event.get("t")):
        events = list(at_once)
        told = [n for n, event in enumerate(events) if event["k"] in _BEGUN and isinstance(event.get("id"), int)]
        begun = sorted((events[n] for n in told), key=lambda event: cast(int, event["id"]))
        for n, event in zip(told, begun, strict=True):
            events[n] = event
        yield from events


@dataclass
class BuiltReplay:
    """A recording prepared for a file: its events in chunks, its resources in packs, and the data for the index."""

    reel: SummarySource
    page: EventChunker
    run: EventChunker
    pages: PageEventBuilder
    packer: ResourcePacker
    summary: BuildSummary
    texts: LongTexts = field(default_factory=LongTexts)
    screens: int = 0
    """Number of screens."""
    bodies: int = 0
    """Bytes of bodies that were included for reading."""
    deflated: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    """Pack number → its uncompressed size, and its compressed bytes."""
    checked: ReplayReport | None = None
    """The result of checking the built file."""
    same_page: MaskedPageReport | None = None
    """The result of comparing a masked page with the raw one."""
    why: dict[str, Json] | None = None
    """The reason for the run's failure, see :func:`.failure_reason.explain_failure`."""

    @classmethod
    def from_reel(
        cls,
        reel: Reel,
        progress: Progress | None,
        clip: ClipFilter,
        *,
        shorten_urls: bool = False,
        packer: ResourcePacker | None = None,
        texts: LongTexts | None = None,
    ) -> BuiltReplay:
        """Prepare a recording.

        `shorten_urls`: see :class:`PageEventBuilder`. `packer`, `texts`: those of another recording in the same file, so that
        common resources and texts are stored once.
        """
        catalogue = ResourceCatalogue.from_reel(reel)
        packer = packer or ResourcePacker()
        built = cls(
            reel,
            EventChunker("page"),
            EventChunker("run"),
            PageEventBuilder(catalogue, packer, short=shorten_urls, start=clip.start),
            packer,
            BuildSummary(reel),
            texts or LongTexts(),
        )
        if reel.end is not None and clip.covers_whole_recording:
            built.summary.info["end"] = reel.end.get("t")
            built.summary.info["ended"] = reel.end.get("reason")
        if clip.start > 0:  # on the clock of the events
            built.summary.info["start"] = clip.start
        done, total = 0, max(1, built.summary.expected_event_count)
        last = 0.0
        for event in sort_by_begin_order(reel.timeline()):
            done += 1
            if progress and done % 500 == 0:
                progress(min(1.0, done / total))
            kind = event["k"]
            t = event.get("t")
            if not isinstance(t, int | float):
                continue
            last = max(last, t)  # A message of a document never comes before an earlier one.
            event = {**event, "t": last}
            if kind == "redaction":  # It describes the whole reel, wherever it is.
                built.summary.add_event(event)
                continue
            if not clip.keeps_event(event):
                if last < clip.start:
                    built.summary.track_shown_tab({**event, "t": 0.0})
                continue
            event = clip.shift_event(event)
            if kind in PAGE_KINDS:
                ready = built.pages.convert_event(event)
                built.page.add_event(ready)
                built.summary.add_event(ready)
            elif kind in RUN_KINDS:
                built.run.add_event(built.convert_run_event(event))
                built.summary.add_event(event)
        if isinstance(ended := (reel.end or {}).get("t"), int | float):
            built.summary.extend_duration_to(min(ended, clip.end) - clip.start)
        built.page.end_chunk()
        built.run.end_chunk()
        if built.summary.had_failure:
            built.why = _explain_run_failure(reel, clip)
        built.texts.add_chunks(built.page.chunks, built.pages.rewritten_sheet_originals)
        return built

    def omit_resources_until_within(
        self, iter_file_parts: Callable[[], Iterator[bytes]], limit: int
    ) -> tuple[dict[str, OmittedCount], int]:
        """Remove resources until the file has at most `limit` bytes; `iter_file_parts` yields the file with the resources that
        are left.

        Return the number and bytes of removed resources by kind, and the file's size in bytes.
        """

        def measure_file_size() -> int:
            return sum(map(len, iter_file_parts()))

        left = omit_until_within(self.packer, measure_file_size, limit)
        if self.pages.shortened.count:
            left["addresses"] = self.pages.shortened
        self.summary.info["leftOut"] = {kind: {"count": out.count, "bytes": out.bytes} for kind, out in left.items()}
        return left, measure_file_size()

    def convert_run_event(self, event: Event) -> Event:
        """Return an event of the run in the form of the built file.

        Screenshots, and the bodies of requests and responses, become resources; a call gets its title.
        """
        if event["k"] == "call":
            return {**event, "did": build_action_title(event)}
        if event["k"] in ("screenshot", "picture"):
            body = self.pages.catalogue.bodies.get(str(event.get("body")))
            if body is not None:
                return {
                    **event,
                    "body": f"{PLACEHOLDER}{self.packer.number_resource(event['body'], body.mime, body.data)}",
                }
        elif event["k"] == "screen":
            self.screens += 1
            return (
                event
                if "sheets" not in event
                else {**event, "sheets": [*map(self._get_picture_placeholder, cast("list[str]", event["sheets"]))]}
            )
        elif event["k"] == "request" and "post" in event:
            return {**event, "post": self.include_text_body(event["post"])}
        elif event["k"] == "response":
            return self._convert_response(event)
        elif event["k"] == "message" and "body" in event:
            return {**event, "body": self.include_text_body(event["body"])}
        return event

    def _get_picture_placeholder(self, sha256: str) -> str:
        """Return the placeholder of the resource with a picture from which screens are composed; "" if it is
        missing.
        """
        body = self.pages.catalogue.bodies.get(sha256)
        return "" if body is None else f"{PLACEHOLDER}{self.packer.number_resource(sha256, body.mime, body.data)}"

    def _convert_response(self, event: Event) -> Event:
        """Return a response event with its body, if that is readable text, and without its `set-cookie` headers."""
        headers = event.get("headers")
        if isinstance(headers, dict) and any(name.lower() == "set-cookie" for name in headers):
            event = {**event, "headers": {k: v for k, v in headers.items() if k.lower() != "set-cookie"}}
        return {**event, "body": self.include_text_body(event["body"])} if "body" in event else event

    def include_text_body(self, sha256: Json) -> str | None:
        """Add a body as a plain-text resource, and return its placeholder; None if it is not readable text, or too
        large.
        """
        body = self.pages.catalogue.bodies.get(str(sha256))
        if body is None or not _READABLE.search(body.mime) or not 0 < len(body.data) <= BODY_BYTES:
            return None
        if self.bodies + len(body.data) > BODIES_BYTES:
            return None
        self.bodies += len(body.data)
        text = body.data.decode("utf-8", "replace").encode()
        return f"{PLACEHOLDER}{self.packer.number_resource((sha256, 'body'), 'text/plain', text)}"

    def find_needed_scripts(self) -> set[str]:
        """Return the names of the player scripts that this recording needs in addition to those in every file."""
        return self.find_scripts_for_events() | self.packer.find_needed_scripts()

    def find_scripts_for_events(self) -> set[str]:
        """Return the names of the player scripts that the events need, without those that the resources need."""
        found = self.page.needs | self.run.needs
        if not self.page.chunks:
            found.add(CONVERSATION)
        if self.screens:
            found.add(SCREENS)
        if self.why is not None:
            found.add(WHY)
        return found

    def list_chunks(self) -> list[EventChunk]:
        return [*self.run.chunks, *self.page.chunks]

    def build_index(self, title: str) -> dict[str, Json]:
        """Return the index of the file, which the player reads first."""
        info = self.summary.info
        info["sizes"] = {"reel": self.reel.size, "events": self.page.raw + self.run.raw, "resources": self.packer.bytes}
        fields = self.compute_fidelity().to_json()
        if self.checked is not None and self.checked.differences:
            fields["differences"] = [str(each)[:300] for each in self.checked.differences[:_DIFFERENCES]]
        info["fidelity"] = cast(Json, fields)
        if self.same_page is not None:
            info["samePage"] = self.same_page.to_json()
        info["outcome"] = self.summary.build_outcome_fields()
        why = self.why
        info["missing"] = cast(Json, sorted(self.pages.missing)[:200])
        return {
            "version": self.texts.index_version,
            "player": __version__,
            "title": title,
            "duration": self.summary.duration,
            "opens": why["t"] if why and why["failed"] else self.summary.opening.time or self.summary.screen or 0,
            **({"why": why} if why else {}),
            "idle": cast(Json, self.summary.list_idle_spans()),
            "tabs": cast(Json, self.summary.tabs),
            **({"screens": self.screens} if self.screens else {}),
            "chunks": [[c.stream, c.start, c.end, c.events, c.raw] for c in self.list_chunks()],
            "resources": self.packer.list_index_entries(),
            "info": info,
        }

    def iter_pieces(self, index: dict[str, Json]) -> Iterator[tuple[str, bytes]]:
        """Yield the name and bytes of each piece of the file, in the order in which the player needs them.

        A browser shows the first pieces while it reads the rest.
        """
        yield "index", compress_raw_deflate(orjson.dumps(index))
        yield from self.texts.iter_pieces()
        for number, chunk in enumerate(self.list_chunks()):
            yield f"chunk-{number}", chunk.data
        yield from self.iter_packs()

    def iter_packs(self) -> Iterator[tuple[str, bytes]]:
        """Yield the name and bytes of each pack of resources."""
        for number, pack in enumerate(self.packer.iter_packs()):
            length, data = self.deflated.get(number, (-1, b""))
            if length != len(
                pack
            ):  # Only changed packs are compressed again, because leaving out resources needs the size repeatedly.
                self.deflated[number] = length, data = len(pack), compress_raw_deflate(pack)
            yield f"pack-{number}", data

    def compute_fidelity(self) -> Fidelity:
        """Return the replay's claim of fidelity: the result of the check.

        Without a check it counts the recording's own checkpoints and the missing resources.
        """
        if self.checked is not None:
            return self.checked.fidelity
        return Fidelity(self.summary.tree, missing=len(self.pages.missing))

    def build_report(self, destination: Path, size: int) -> BuildReport:
        return BuildReport(
            destination=destination,
            size=size,
            duration=self.summary.duration,
            events=sum(chunk.events for chunk in self.list_chunks()),
            resources=len(self.packer.resources),
            sealed=self.reel.closed,
            damage=str(self.reel.damage) if self.reel.damage else None,
            fidelity=self.compute_fidelity(),
            gaps=self.summary.gaps,
            missing=sorted(self.pages.missing),
            removed=self.pages.sanitizer.removed,
            differences=self.checked.differences if self.checked else [],
            same_page=self.same_page,
            why=format_failure_lines(self.why),
        )
