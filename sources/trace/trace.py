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
from pagereel.garbage import collection_paused
from pagereel.reel import Event, Json, too_much

from ..contract import ReadReport
from .actions import Action, Actions
from .archive import Archive
from .calls import Calls
from .clock import TraceClock, number
from .frames import FrameSnapshots, Pages
from .network import TraceNetwork
from .other_events import OtherTraceEvents
from .resources import TraceResources
from .snapshots import MOST_NODES
from .versions import NEWEST, OLDEST, Line, Memory, modern

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
    def runner(self) -> bool:
        return self.options.get("origin") == _RUNNER


class Trace:
    """The reader of a trace's events.

    :raises ReelError: nothing of it can be read.
    """

    def __init__(self, path: Path, archive: Archive, report: ReadReport) -> None:
        self._path = path
        self._archive = archive
        self._told = report
        prefixes = sorted(name.removesuffix(".trace") for name in archive.names if name.endswith(".trace"))
        self._parts = [part for prefix in prefixes if (part := self._open_part(prefix)) is not None]
        if not self._parts:
            raise ReelError(f"{path} holds no trace that can be read{f' ({report.damage})' if report.damage else ''}.")
        zero = min(part.first for part in self._parts)
        for part in self._parts:
            part.clock.zero = zero
        self._zero = zero
        self._actions = Actions()
        self._resources = TraceResources(archive)

    def events(self) -> Iterator[Event]:
        """Yield the header event, then the events of all files."""
        yield self._header()
        yield {
            "k": "gap",
            "t": 0,
            "reason": "calls",
            "detail": "a trace of Playwright's knows its pages at the beginning and the end of calls; what they showed in between is not in it",
        }
        pages = Pages(self._parts[0].clock)
        frames = FrameSnapshots(pages, self._resources.text)
        others = OtherTraceEvents(pages, frames, self._resources, self._actions)
        for part in self._parts:
            options = part.options.get("options")
            ratio = number(options.get("deviceScaleFactor"), 0.01, 100) if isinstance(options, dict) else None
            frames.ratio = ratio or 1.0
            yield from self._part(part, pages, frames, others)
        if frames.cut:
            self._told.warn(f"Its snapshots hold more than {MOST_NODES:,} nodes at a moment; the others were left out.")
        last = 0
        for part in self._parts:
            network = TraceNetwork(part.clock, pages, frames, self._resources, last)
            for entry in self._entries(part):
                network.note_entry(entry)
            for entry in self._entries(part):
                yield from network.handle(entry)
            last = network.last
        yield from self._calls(pages, frames, others)
        if not (frames.any or self._actions.any):
            raise ReelError(f"{self._path} is a trace without a page and without a call; there is nothing to replay.")
        yield {
            "k": "end",
            "t": self._actions.end,
            "reason": "error" if self._failed(others) else "imported",
            "events": 0,
        }

    def _failed(self, others: OtherTraceEvents) -> bool:
        """Return whether the run failed: by the test runner's report, or else by the script's last call."""
        return others.failed or self._actions.last_failed

    def _header(self) -> Event:
        library = next((part for part in self._parts if not part.runner), self._parts[0])
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

    def _open_part(self, prefix: str) -> _TraceFile | None:
        """Return a file of the trace with its clock, from its first lines; None for a file without a clock."""
        memory = Memory()
        part = _TraceFile(prefix, {})
        wall = mono = None
        seen = False
        for index, line in enumerate(self._read(f"{prefix}.trace", memory)):
            seen = True
            kind = line.get("type")
            if kind == "context-options":
                part.options = line
                wall, mono = _time(line.get("wallTime")), _time(line.get("monotonicTime"))
            elif kind in ("before", "action") and not mono:
                mono = _time(line.get("startTime"))
                wall = _time(line.get("wallTime")) or wall
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
            self._told.warn(
                f"The trace has format version {part.version}, newer than the {NEWEST} that pagereel knows; it was read as far as it is alike."
            )
        part.clock.shift = (wall or 0.0) - (mono or 0.0)
        part.first = wall or 0.0
        return part

    def _part(
        self, part: _TraceFile, pages: Pages, frames: FrameSnapshots, others: OtherTraceEvents
    ) -> Iterator[Event]:
        clock, runner, actions = part.clock, part.runner, self._actions
        for line in self._lines(part, ".trace"):
            kind = line.get("type")
            if kind == "frame-snapshot":
                snapshot = line.get("snapshot")
                if isinstance(snapshot, dict):
                    t = self._moment(snapshot, clock)
                    with collection_paused():
                        taken = list(frames.handle(snapshot, t))
                    yield from taken
                    action = actions.of(snapshot.get("callId"))
                    there = snapshot.get("phase") == "action" and snapshot.get("isMainFrame") is True
                    if there and action is not None and action.point is not None:
                        yield from frames.point(snapshot, action.method, action.point, t)
            elif kind == UNREADABLE:
                frames.skip(str(line["frameId"]))
            elif kind == "before":
                actions.began(line, clock.t(line.get("startTime")), runner=runner)
                if isinstance(page := line.get("pageId"), str):
                    yield from pages.number(page, clock.t(line.get("startTime")))[1]
            elif kind == "after":
                actions.ended(line, clock.t(line.get("endTime")), runner=runner)
            elif kind == "action":
                actions.began(line, clock.t(line.get("startTime")), runner=runner)
                actions.ended(line, clock.t(line.get("endTime")), runner=runner)
            elif kind == "input":
                actions.pointed(line, runner=runner)
            elif kind == "log":
                actions.logged(line.get("callId"), line.get("message"), runner=runner)
            else:
                yield from others.handle(line, clock)
        stacks = self._archive.blob(f"{part.prefix}.stacks")
        if stacks is not None:
            try:
                self._actions.stacks(orjson.loads(stacks))
            except (orjson.JSONDecodeError, RecursionError, TypeError):
                self._told.warn("What the trace says of the callers' programs could not be read.")

    def _moment(self, snapshot: Line, clock: TraceClock) -> float:
        """Return the time of a snapshot in ms: the beginning or end of its call, or its own time between these."""
        t = clock.t(snapshot.get("timestamp"))
        action = self._actions.of(snapshot.get("callId"))
        if action is None:
            return t
        phase = snapshot.get("phase")
        if phase == "before":
            return action.start
        if phase == "after":
            return action.end if action.end is not None else t
        return max(t, action.start)

    def _calls(self, pages: Pages, frames: FrameSnapshots, others: OtherTraceEvents) -> Iterator[Event]:
        def page_of(action: Action) -> int | None:
            page = pages.known(action.page) if action.page is not None else None
            return page if page is not None else frames.calls.get(action.id)

        def masked(call: str) -> bool:
            target = frames.targets.get(call)
            return target is not None and target[2]

        sources = sorted(name for name in self._archive.names if name.startswith("src/") or "/src@" in f"/{name}")
        by_name = {name.rpartition("/")[2].removeprefix("src@").partition(".")[0]: name for name in sources}
        calls = Calls(
            page_of,
            lambda name: self._resources.text(by_name[name]) if name in by_name else None,
            masked,
            frames.secrets,
            frames.shown_values,
        )
        actions = self._actions.merged()
        title = next((str(part.options["title"]) for part in self._parts if part.options.get("title")), "Test")
        yield from calls.events(actions, title, others.failed)
        yield from others.attachments(actions, calls)

    # -- lines -------------------------------------------------------------------------------------------------------

    def _lines(self, part: _TraceFile, ending: str) -> Iterator[Line]:
        memory = Memory(version=part.version)
        yield from self._read(part.prefix + ending, memory)
        self._actions.renamed.update(memory.steps)

    def _entries(self, part: _TraceFile) -> Iterator[Line]:
        for line in self._lines(part, ".network"):
            if line.get("type") == "resource-snapshot" and isinstance(entry := line.get("snapshot"), dict):
                yield entry

    def _read(self, name: str, memory: Memory) -> Iterator[Line]:
        """Yield the lines of a file, converted to the newest version; invalid JSON is left out and reported."""
        for raw in self._archive.lines(name):
            try:
                if too_much(raw) is not None:
                    raise RecursionError
                with collection_paused():
                    line = orjson.loads(raw)
            except (orjson.JSONDecodeError, RecursionError):
                self._told.warn("Lines of the trace that are no JSON, nested too deeply or too large, were left out.")
                if b'"frame-snapshot"' in raw[:_BEGINNING] and (frame := _FRAME.search(raw)) is not None:
                    yield {"type": UNREADABLE, "frameId": frame[1].decode("utf-8", "replace")}
                continue
            if isinstance(line, dict):
                yield modern(line, memory)


def _time(value: object) -> float | None:
    return number(value, 0, 1e14)
