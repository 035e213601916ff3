"""Reads a whole trace: its files one after the other, on one clock."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import orjson

from pagereel.errors import ReelError
from pagereel.garbage_collection import pausing_garbage_collection
from pagereel.reel import Event, Json, find_exceeded_limit

from ..reader_interface import ReadReport
from .actions import TraceAction, TraceActions
from .archive import TraceArchive
from .calls import CallConverter
from .clock import TraceClock, to_number_in_range
from .frame_snapshots import FrameSnapshotConverter, TracePages
from .network import TraceNetworkConverter
from .non_call_events import NonCallEventConverter
from .resources import TraceResources
from .snapshot_grammar import MOST_NODES
from .versions import NEWEST, OLDEST, Line, MigrationMemory, migrate_line

_LOOKED_AT: Final = 5_000
"""Largest number of lines that are searched for a file's start time."""
_FRAME: Final = re.compile(rb'"frameId":"([^"\\]{1,1000})"')
_BEGINNING: Final = 200
UNREADABLE: Final = "unreadable-snapshot"
"""Replaces a snapshot that is too deep, or invalid JSON, because references count snapshots."""
_RUNNER: Final = "testRunner"


@dataclass
class _TraceFile:
    """One file of a trace: the recording of a browser context, or of the test runner."""

    prefix: str
    options: Line
    clock: TraceClock = field(default_factory=TraceClock)
    first: float = 0.0
    """Wall time of the first event, in ms."""
    version: int | None = None

    @property
    def is_of_test_runner(self) -> bool:
        return self.options.get("origin") == _RUNNER


class TraceReader:
    """Reads a trace's events. Raises ReelError if nothing of the trace can be read."""

    def __init__(self, path: Path, archive: TraceArchive, report: ReadReport) -> None:
        self._path = path
        self._archive = archive
        self._told = report
        prefixes = sorted(name.removesuffix(".trace") for name in archive.names if name.endswith(".trace"))
        self._parts = [part for prefix in prefixes if (part := self._open_trace_file(prefix)) is not None]
        if not self._parts:
            raise ReelError(f"{path} holds no trace that can be read{f' ({report.damage})' if report.damage else ''}.")
        zero = min(part.first for part in self._parts)
        for part in self._parts:
            part.clock.zero = zero
        self._zero = zero
        self._actions = TraceActions()
        self._resources = TraceResources(archive)

    def iter_events(self) -> Iterator[Event]:
        """Yield the header event, then the events of all files."""
        yield self._build_header()
        yield {
            "k": "gap",
            "t": 0,
            "reason": "calls",
            "detail": "a trace of Playwright's knows its pages at the beginning and the end of calls; what they showed in between is not in it",
        }
        pages = TracePages(self._parts[0].clock)
        frames = FrameSnapshotConverter(pages, self._resources.read_text)
        others = NonCallEventConverter(pages, frames, self._resources, self._actions)
        for part in self._parts:
            options = part.options.get("options")
            ratio = (
                to_number_in_range(options.get("deviceScaleFactor"), 0.01, 100) if isinstance(options, dict) else None
            )
            frames.ratio = ratio or 1.0
            yield from self._convert_file(part, pages, frames, others)
        if frames.cut:
            self._told.add_warning(
                f"Its snapshots hold more than {MOST_NODES:,} nodes at a moment; the others were left out."
            )
        last = 0
        for part in self._parts:
            network = TraceNetworkConverter(part.clock, pages, frames, self._resources, last)
            for entry in self._iter_network_entries(part):
                network.remember_document_load(entry)
            for entry in self._iter_network_entries(part):
                yield from network.convert_entry(entry)
            last = network.last
        yield from self._convert_calls(pages, frames, others)
        if not (frames.has_documents or self._actions.has_actions):
            raise ReelError(f"{self._path} is a trace without a page and without a call; there is nothing to replay.")
        yield {
            "k": "end",
            "t": self._actions.end_time,
            "reason": "error" if self._has_run_failed(others) else "imported",
            "events": 0,
        }

    def _has_run_failed(self, non_call_events: NonCallEventConverter) -> bool:
        """Return whether the run failed: by the test runner's report, or else by the script's last call."""
        return non_call_events.failed or self._actions.has_last_call_failed

    def _build_header(self) -> Event:
        library = next((part for part in self._parts if not part.is_of_test_runner), self._parts[0])
        options = library.options
        title = next((str(part.options["title"]) for part in self._parts if part.options.get("title")), None)
        version = next(
            (str(part.options["playwrightVersion"]) for part in self._parts if part.options.get("playwrightVersion")),
            "",
        )
        digest = hashlib.sha256()
        for part in self._parts:
            digest.update(orjson.dumps(part.options, option=orjson.OPT_SORT_KEYS))
        browser: dict[str, Json] = {
            "name": str(options.get("channel") or options.get("browserName") or "")[:200],
            "version": "",
        }
        header: Event = {
            "k": "reel",
            "t": 0,
            "id": digest.hexdigest()[:32],
            "started": round(self._zero, 1),
            "browser": browser,
            "platform": str(options.get("platform") or "")[:200],
            "imported": {"from": "trace", "name": "Playwright", "version": version[:100]},
        }
        if title:
            header["title"] = title[:10_000]
        return header

    def _open_trace_file(self, prefix: str) -> _TraceFile | None:
        """Return one file of the trace with its clock, which its first lines contain; None if they contain none."""
        memory = MigrationMemory()
        part = _TraceFile(prefix, {})
        wall = mono = None
        seen = False
        for index, line in enumerate(self._read_lines(f"{prefix}.trace", memory)):
            seen = True
            kind = line.get("type")
            if kind == "context-options":
                part.options = line
                wall, mono = _to_time(line.get("wallTime")), _to_time(line.get("monotonicTime"))
            elif kind in ("before", "action") and not mono:
                mono = _to_time(line.get("startTime"))
                wall = _to_time(line.get("wallTime")) or wall
            if (wall is not None and mono) or index > _LOOKED_AT:
                break
        if not seen:
            return None
        part.version = memory.version
        if part.version is None:
            part.options.setdefault("origin", _RUNNER)
        elif part.version < OLDEST:
            raise ReelError(
                f"{self._path} is a trace of format version {part.version}, of Playwright before 1.40, which "
                "pagereel cannot read; record it again with a newer Playwright."
            )
        elif part.version > NEWEST:
            self._told.add_warning(
                f"The trace has format version {part.version}, newer than the {NEWEST} that pagereel knows; it was read as far as it is alike."
            )
        part.clock.shift = (wall or 0.0) - (mono or 0.0)
        part.first = wall or 0.0
        return part

    def _convert_file(
        self,
        trace_file: _TraceFile,
        pages: TracePages,
        frames: FrameSnapshotConverter,
        non_call_events: NonCallEventConverter,
    ) -> Iterator[Event]:
        clock, runner, actions = trace_file.clock, trace_file.is_of_test_runner, self._actions
        for line in self._iter_file_lines(trace_file, ".trace"):
            kind = line.get("type")
            if kind == "frame-snapshot":
                snapshot = line.get("snapshot")
                if isinstance(snapshot, dict):
                    t = self._find_snapshot_time(snapshot, clock)
                    with pausing_garbage_collection():
                        taken = list(frames.convert_snapshot(snapshot, t))
                    yield from taken
                    action = actions.get_action(snapshot.get("callId"))
                    there = snapshot.get("phase") == "action" and snapshot.get("isMainFrame") is True
                    if there and action is not None and action.point is not None:
                        yield from frames.iter_pointer_events(snapshot, action.method, action.point, t)
            elif kind == UNREADABLE:
                frames.skip_snapshot(str(line["frameId"]))
            elif kind == "before":
                actions.read_before_line(line, clock.convert_monotonic_time(line.get("startTime")), runner=runner)
                if isinstance(page := line.get("pageId"), str):
                    yield from pages.get_or_open_page(page, clock.convert_monotonic_time(line.get("startTime")))[1]
            elif kind == "after":
                actions.read_after_line(line, clock.convert_monotonic_time(line.get("endTime")), runner=runner)
            elif kind == "action":
                actions.read_before_line(line, clock.convert_monotonic_time(line.get("startTime")), runner=runner)
                actions.read_after_line(line, clock.convert_monotonic_time(line.get("endTime")), runner=runner)
            elif kind == "input":
                actions.read_input_line(line, runner=runner)
            elif kind == "log":
                actions.add_log_line(line.get("callId"), line.get("message"), runner=runner)
            else:
                yield from non_call_events.convert_line(line, clock)
        stacks = self._archive.read_file(f"{trace_file.prefix}.stacks")
        if stacks is not None:
            try:
                self._actions.read_stacks(orjson.loads(stacks))
            except (orjson.JSONDecodeError, RecursionError, TypeError):
                self._told.add_warning("What the trace says of the callers' programs could not be read.")

    def _find_snapshot_time(self, snapshot: Line, clock: TraceClock) -> float:
        """Return the time of a snapshot in ms: the beginning or end of its call, or its own time between these."""
        t = clock.convert_monotonic_time(snapshot.get("timestamp"))
        action = self._actions.get_action(snapshot.get("callId"))
        if action is None:
            return t
        phase = snapshot.get("phase")
        if phase == "before":
            return action.start
        if phase == "after":
            return action.end if action.end is not None else t
        return max(t, action.start)

    def _convert_calls(
        self, pages: TracePages, frames: FrameSnapshotConverter, non_call_events: NonCallEventConverter
    ) -> Iterator[Event]:
        def find_page_of(action: TraceAction) -> int | None:
            page = pages.get_page_number(action.page) if action.page is not None else None
            return page if page is not None else frames.calls.get(action.id)

        def is_masked(call: str) -> bool:
            target = frames.targets.get(call)
            return target is not None and target[2]

        sources = sorted(name for name in self._archive.names if name.startswith("src/") or "/src@" in f"/{name}")
        by_name = {name.rpartition("/")[2].removeprefix("src@").partition(".")[0]: name for name in sources}
        calls = CallConverter(
            find_page_of,
            lambda name: self._resources.read_text(by_name[name]) if name in by_name else None,
            is_masked,
            frames.secrets,
            frames.shown_values,
        )
        actions = self._actions.merge_actions()
        title = next((str(part.options["title"]) for part in self._parts if part.options.get("title")), "Test")
        yield from calls.iter_events(actions, title, non_call_events.failed)
        yield from non_call_events.iter_attachment_events(actions, calls)

    # -- lines -------------------------------------------------------------------------------------------------------

    def _iter_file_lines(self, trace_file: _TraceFile, ending: str) -> Iterator[Line]:
        memory = MigrationMemory(version=trace_file.version)
        yield from self._read_lines(trace_file.prefix + ending, memory)
        self._actions.renamed.update(memory.steps)

    def _iter_network_entries(self, trace_file: _TraceFile) -> Iterator[Line]:
        for line in self._iter_file_lines(trace_file, ".network"):
            if line.get("type") == "resource-snapshot" and isinstance(entry := line.get("snapshot"), dict):
                yield entry

    def _read_lines(self, name: str, memory: MigrationMemory) -> Iterator[Line]:
        """Yield the lines of a file, converted to the newest version; invalid JSON is left out and reported."""
        for raw in self._archive.iter_lines(name):
            try:
                if find_exceeded_limit(raw) is not None:
                    raise RecursionError
                with pausing_garbage_collection():
                    line = orjson.loads(raw)
            except (orjson.JSONDecodeError, RecursionError):
                self._told.add_warning(
                    "Lines of the trace that are no JSON, nested too deeply or too large, were left out."
                )
                if b'"frame-snapshot"' in raw[:_BEGINNING] and (frame := _FRAME.search(raw)) is not None:
                    yield {"type": UNREADABLE, "frameId": frame[1].decode("utf-8", "replace")}
                continue
            if isinstance(line, dict):
                yield migrate_line(line, memory)


def _to_time(value: object) -> float | None:
    return to_number_in_range(value, 0, 1e14)
