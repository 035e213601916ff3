"""Joins several recordings of one trace into one, on one clock, with new event numbers and an agent name for each part.

A part begins at the time that its machine's clock says (`started` in its header). If a trace shows that another part
started it (W3C Trace Context: `parent` in a header, the `span` of an event `handed_on`), it does not begin before the
time at which it was started.
"""

from __future__ import annotations

import hashlib
import heapq
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from pagereel.errors import UsageError
from pagereel.reel import KINDS, Event, Reel, ReelWriter, Renumbering, pick_header_fields

from .opening import open_any

APART: Final = 24 * 3_600_000.0
"""Ms between two parts without a common trace from which on they do not count as one run."""
SAME_MACHINE: Final = 10.0
"""Ms by which the clocks of two recordings of one machine may differ: each reads the system's clock once, which may be
adjusted in between.
"""
_FLUSH_MS: Final = 60_000
_ACTING: Final = frozenset(
    name for name, kind in KINDS.items() if kind.by != "writer" and any(f.name == "agent" for f in msgspec.structs.fields(kind.type))
)  # fmt: skip
"""The kinds of events that name an agent."""
_HAS_END: Final = frozenset({"response", "wire", "part"})
"""The kinds whose `end` is a time, as `t` is."""


@dataclass
class JoinedRecordingPart:
    """One of the recordings that are joined: its begin and end on the joined clock, and how its begin was determined."""

    path: Path
    agent: str
    """The agent's name for events of this part that name none."""
    begins: float
    """When the part begins, in ms on the joined clock."""
    ends: float = 0.0
    by: str = "clock"
    """How its beginning was found: by the ``clock``, or by the ``trace``, because another part started it."""
    moved: float = 0.0
    """Ms by which the trace moves it later than the clocks say."""
    step: tuple[int, int] | None = None
    """The part and the step that started it."""
    policy: str | None = None
    """The policy with which it was redacted before."""


@dataclass
class JoinResult:
    """The result of joining recordings."""

    path: Path
    parts: list[JoinedRecordingPart]
    notes: list[str] = field(default_factory=list)
    """Remarks on the result, a sentence each."""


def join_recordings(sources: Sequence[str | os.PathLike[str]], destination: str | os.PathLike[str]) -> JoinResult:
    """Write recordings of any kind as one reel, in the order in which they began.

    :raises UsageError: fewer than two are given, one is given twice, one has no start time, or one is unrelated to
    the others. ReelError: one is no recording.
    """
    paths = [Path(source) for source in sources]
    if len(paths) < 2:
        raise UsageError("At least two recordings can be joined.")
    with ExitStack() as stack:
        reels = sorted((stack.enter_context(open_any(path)) for path in paths), key=_read_start_time)
        parts = _compute_part_times(reels)
        joined = JoinResult(Path(destination), parts, list(_iter_join_warnings(reels, parts)))
        keys = tuple({id(key): key for reel in reels for key in reel.encrypt_to}.values())
        writer = ReelWriter(joined.path, _build_header(reels, parts), flush_ms=_FLUSH_MS, encrypt_to=keys or None)
        try:
            for event in heapq.merge(
                *_list_event_streams(reels, parts), key=lambda event: float(str(event.get("t") or 0))
            ):
                writer.write(event)
            for event in _iter_part_gaps(reels, parts):
                writer.write(event)
        finally:
            writer.close("joined", at=max(part.ends for part in parts))
    return joined


def _read_start_time(reel: Reel) -> float:
    started = reel.header.get("started")
    if not isinstance(started, int | float):
        raise UsageError(f"{reel.path} has no start time, so it cannot be placed beside others.")
    return float(started)


def _compute_part_times(reels: Sequence[Reel]) -> list[JoinedRecordingPart]:
    """Return the parts with their begin and end on the joined clock."""
    ids = [str(reel.header.get("id") or reel.header.get("started")) for reel in reels]
    if len(set(ids)) < len(ids):
        raise UsageError("One recording is given twice; give each recording once.")
    first = _read_start_time(reels[0])
    parts = [
        JoinedRecordingPart(
            reel.path, name, round(_read_start_time(reel) - first, 1), policy=_find_redaction_policy(reel)
        )
        for reel, name in zip(reels, _choose_agent_names(reels), strict=True)
    ]
    begun: dict[str, tuple[int, float, int | None]] = {}
    for number, reel in enumerate(reels):
        begun[ids[number][:16]] = number, 0.0, None  # the id of a recording's own span
        for event in reel.events({"handed_on"}):
            step = event.get("step")
            begun[str(event["span"])] = number, float(str(event["t"])), step if isinstance(step, int) else None
    for _ in parts:  # Repeated, because a part that moves may move those that it started.
        for number, (reel, part) in enumerate(zip(reels, parts, strict=True)):
            above = begun.get(str(reel.header.get("parent") or ""))
            if above is None or above[0] == number:
                continue
            of, t, step = above
            part.by, part.step = "trace", None if step is None else (of, step)
            late = parts[of].begins + t - part.begins
            if late > 0:
                part.begins = round(part.begins + late, 1)
                part.moved = round(part.moved + late, 1)
    for reel, part in zip(reels, parts, strict=True):
        part.ends = part.begins + max((float(str(event.get("t") or 0)) for event in reel.timeline()), default=0.0)
    _require_parts_close_in_time(reels, parts)
    return parts


def _require_parts_close_in_time(reels: Sequence[Reel], parts: Sequence[JoinedRecordingPart]) -> None:
    end = parts[0].ends
    for reel, part in zip(reels, parts, strict=True):
        if part.by == "clock" and part.begins - end > APART:
            hours = (part.begins - end) / 3_600_000
            raise UsageError(
                f"{reel.path} begins {hours:,.0f} hours after the others ended; they are not parts of one run."
            )
        end = max(end, part.ends)


def _choose_agent_names(reels: Sequence[Reel]) -> list[str]:
    """Return an agent name for each part; all names are different."""
    found: list[str] = []
    for reel in reels:
        name = base = " ".join(str(reel.header.get("agent") or reel.path.stem).split())[:190] or "run"
        number = 1
        while name in found:
            number += 1
            name = f"{base} ({number})"
        found.append(name)
    return found


def _find_redaction_policy(reel: Reel) -> str | None:
    return next((str(event.get("policy")) for event in reel.events({"redaction"})), None)


def _iter_join_warnings(reels: Sequence[Reel], parts: Sequence[JoinedRecordingPart]) -> Iterator[str]:
    traces = {reel.header.get("trace") for reel in reels} - {None}
    if len(traces) > 1:
        yield "The recordings say that they belong to several traces."
    if any(part.by == "clock" for part in parts[1:]):
        yield (
            f"Parts stand where their machines' clocks say: within {SAME_MACHINE:g} ms of each other on one machine, "
            "on several as far apart as their clocks are."
        )
    for part in parts:
        if part.moved:
            yield f"{part.path.name} stands {part.moved:,.0f} ms later than its machine's clock says: another part began it then."
    policies = {part.policy for part in parts}
    if policies != {None}:
        alike = (
            "each by itself, so that one person has another stand-in in each"
            if None not in policies
            else "not all of them"
        )
        yield f"The recordings were masked before, {alike}."


def _build_header(reels: Sequence[Reel], parts: Sequence[JoinedRecordingPart]) -> Event:
    headers = [reel.header for reel in reels]
    first = pick_header_fields(headers[0])
    ids = "\n".join(str(header.get("id") or header.get("started")) for header in headers)
    first["id"] = hashlib.sha256(f"joined\n{ids}".encode()).hexdigest()[:32]
    first["agent"] = ", ".join(part.agent for part in parts)
    first.pop("title", None)
    first.pop("imported", None)
    browser = next((header["browser"] for header in headers if header.get("browser")), None)
    if browser is not None:
        first["browser"] = browser
    for name in ("trace", "tenant", "user"):
        values = {str(header.get(name)) for header in headers if header.get(name)}
        first.pop(name, None)
        if len(values) == 1:
            first[name] = values.pop()
    ends = [str(header["expires"]) for header in headers if header.get("expires")]
    if ends:
        first["expires"] = min(ends)
    return first


def _list_event_streams(reels: Sequence[Reel], parts: Sequence[JoinedRecordingPart]) -> list[Iterator[Event]]:
    numbering = Renumbering()
    given: set[str] = set()
    return [_iter_renumbered_events(number, reel, parts, numbering, given) for number, reel in enumerate(reels)]


def _iter_renumbered_events(
    number: int, reel: Reel, parts: Sequence[JoinedRecordingPart], renumbering: Renumbering, written_hashes: set[str]
) -> Iterator[Event]:
    part = parts[number]
    header = reel.header
    fields: dict[str, Any] = {
        "part": number + 1, "id": header.get("id") or hashlib.sha256(str(part.path.name).encode()).hexdigest()[:32], "by": part.by,
        "end": round(part.ends, 1), "agent": part.agent, "started": header.get("started"), "parent": header.get("parent"), "moved": part.moved or None,
    }  # fmt: skip
    yield {"k": "part", "t": part.begins, **{name: value for name, value in fields.items() if value is not None}}
    for event in reel.timeline():
        kind = str(event["k"])
        if kind in ("reel", "end", "redaction", "part"):
            continue
        if kind == "resource":
            sha256 = str(event.get("sha256"))
            if sha256 in written_hashes:
                continue
            written_hashes.add(sha256)
        made = renumbering.renumber_event(event, number)
        made["t"] = round(float(str(event.get("t") or 0)) + part.begins, 1)
        if kind in _HAS_END and isinstance(end := event.get("end"), int | float):
            made["end"] = round(float(end) + part.begins, 1)
        if isinstance(event.get("chunks"), list):
            chunks = cast(list[tuple[float, int]], event["chunks"])
            made["chunks"] = [[round(t + part.begins, 1), size] for t, size in chunks]
        if kind in _ACTING:
            made.setdefault("agent", part.agent)
        if kind == "step" and made.get("parent") is None and part.step is not None:
            above, step = part.step
            made["parent"] = renumbering.get_new_number("event", above, step)
        yield made


def _iter_part_gaps(reels: Sequence[Reel], parts: Sequence[JoinedRecordingPart]) -> Iterator[Event]:
    """Yield the gap events and the redaction event that concern whole parts."""
    for reel, part in zip(reels, parts, strict=True):
        if not reel.closed:
            why = str(reel.damage) if reel.damage is not None else f"{part.agent} was not closed"
            yield {"k": "gap", "t": round(part.ends, 1), "reason": "unsealed", "detail": why}
    policies = {part.policy for part in parts}
    if len(policies) == 1 and None not in policies:
        event = next(reels[0].events({"redaction"}))
        yield {**event, "t": 0.0}
