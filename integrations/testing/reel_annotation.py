"""Adds to a finished reel the facts that are known only after the test.

They are the test's outcome, its phases, and the time of its failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagereel.recorder import to_json
from pagereel.reel import Event, Reel, ReelWriter, open_reel, pick_header_fields


@dataclass(frozen=True)
class AddedNote:
    """A note at a certain time that is to be added to a finished reel."""

    unix_ms: float
    text: str
    attributes: Mapping[str, Any]
    mark: str | None = None
    """Also add a mark with this name."""
    source: Event | None = None
    """The line that raised."""


@dataclass(frozen=True)
class RunPhase:
    """A phase of a test (set-up, the test itself, tear-down) that is to be added to a finished reel as a step."""

    begin: float
    """Begin in Unix ms."""
    end: float
    title: str
    success: bool | None
    message: str | None = None
    error: str | None = None
    always: bool = False
    """Add the step even if it contains no event."""


def annotate_reel(
    path: Path, metadata: Mapping[str, Any], remarks: Sequence[AddedNote], phases: Sequence[RunPhase] = ()
) -> None:
    """Rewrite the reel at `path` with `metadata` in its header, the remarks as notes and marks, and the phases as
    steps.

    A phase contains the events of its time that have no step of their own. Times before or after the recording are
    moved to its beginning or end. An encrypted reel stays encrypted, for the same readers.

    :raises ReelError: there is no reel to read. LockedError: its key is not given.
    """
    rewritten = path.with_name(path.name + ".annotated")
    with open_reel(path) as reel:
        header = pick_header_fields(reel.header)
        known = header.get("metadata")
        header["metadata"] = {**(known if isinstance(known, dict) else {}), **_to_json_values(metadata)}
        writer = ReelWriter(rewritten, header, encrypt_to=reel.encrypt_to or None)
        steps = _PhaseSteps(reel, phases)
        for event in steps.iter_step_events():
            writer.write(event)
        for event in reel.events():
            if event["k"] not in ("reel", "end"):
                writer.write(steps.assign_step(event))
        for event in steps.iter_step_end_events():
            writer.write(event)
        for number, remark in enumerate(remarks, steps.number + 1):
            t = steps.to_recording_time(remark.unix_ms)
            writer.write(
                {"k": "note", "t": t, "id": number, "step": steps.find_step_at(t), "text": to_json(remark.text),
                 "attributes": _to_json_values(remark.attributes), **({"source": remark.source} if remark.source else {})}
            )  # fmt: skip
            if remark.mark is not None:
                writer.write({"k": "mark", "t": t, "name": remark.mark})
        writer.close(reel.reason)
    os.replace(rewritten, path)


class _PhaseSteps:
    """The phases of a test that contain events, as the steps that are added to a reel."""

    def __init__(self, reel: Reel, phases: Sequence[RunPhase]) -> None:
        started = reel.header.get("started")
        self._started = float(started) if isinstance(started, int | float) else 0.0
        self._last, self.number = 0.0, 0
        lines = []
        for event in reel.events():
            t, identifier = event.get("t"), event.get("id")
            if isinstance(t, int | float):
                self._last = max(self._last, float(t))
                if "step" in event:
                    lines.append(float(t))
            self.number = max(self.number, identifier if isinstance(identifier, int) else 0)
        self._placed: list[tuple[int, float, float, RunPhase]] = []
        for phase in phases:
            begin, end = self.to_recording_time(phase.begin), self.to_recording_time(phase.end)
            if phase.always or phase.success is False or any(begin <= t < end for t in lines):
                self.number += 1
                self._placed.append((self.number, begin, end, phase))

    def to_recording_time(self, unix_ms: float) -> float:
        """Return a Unix time in ms as a time on the recording's clock, clamped to the recording."""
        return round(min(max(0.0, unix_ms - self._started), self._last), 1)

    def find_step_at(self, t: float) -> int | None:
        """Return the number of the step at the time `t` (ms); if two steps meet there, that of the earlier one."""
        return next((number for number, begin, end, _ in self._placed if begin <= t <= end), None)

    def assign_step(self, event: Event) -> Event:
        """Return the event; if it has no step, it is assigned to the phase in which it happened."""
        name = "parent" if event["k"] == "step" else "step"
        t = event.get("t")
        if name in event and event[name] is None and isinstance(t, int | float):
            return {**event, name: self.find_step_at(float(t))}
        return event

    def iter_step_events(self) -> Iterator[Event]:
        for number, begin, _, phase in self._placed:
            yield {
                "k": "step",
                "t": begin,
                "id": number,
                "parent": None,
                "title": to_json(phase.title),
                "attributes": {"kind": "test" if phase.always else "hook"},
            }

    def iter_step_end_events(self) -> Iterator[Event]:
        for number, _, end, phase in self._placed:
            told = {"message": phase.message, "error": phase.error}
            yield {
                "k": "step_end", "t": end, "id": number, "success": phase.success,
                **_to_json_values({name: value for name, value in told.items() if value is not None}),
            }  # fmt: skip


def _to_json_values(values: Mapping[str, Any]) -> Event:
    return {name: to_json(value) for name, value in values.items()}
