"""Reads pagereel's own HTML (plain, compact, in a ZIP) as a reel: the inverse of a build.

Content that a build leaves out (unused bodies, positions of texts in pictures) is missing. Content that it rewrote is
restored: addresses, style sheets, canvases. A resource without an address in the file gets an address made by pagereel.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

from pagereel.reel import HEADER_FIELDS_IN_INDEX, Event, Json, find_event_kinds, find_event_problem

from ..reader_interface import ReadReport
from .pages import ReplayPageRestorer
from .replay_file import ReplayFile
from .resources import PackedResources

_PAGE: Final = find_event_kinds(built="page")
_RUN: Final = find_event_kinds(built="run")
_BODIES: Final = (("request", "post"), ("response", "body"), ("message", "body"))


def read_replay(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    """Yield the events of a replay's file. Raises ReelError for a file that pagereel did not build, or that cannot be
    read at all.
    """
    replay = ReplayFile(path, file, report)
    yield _build_header(replay)
    policy = replay.info.get("redaction")
    if isinstance(policy, dict):
        report.masked = str(policy.get("policy"))[:200]
        yield {"k": "redaction", "t": 0, "policy": report.masked, "report": policy}
    resources = PackedResources(replay)
    for event in _iter_run_events(replay):
        for kind, field in _BODIES:
            if event.get("k") == kind:
                resources.set_mime_type(event.get(field), event.get("mime"))
    yield from resources.iter_events()
    yield from _iter_left_out_gaps(replay, resources)
    pages = ReplayPageRestorer(resources)
    wrong = 0
    last = 0.0
    for event in heapq.merge(_iter_page_events(replay), _iter_run_events(replay), key=_get_time):
        for done in pages.restore_event(event) if event["k"] in _PAGE else (_restore_body_hashes(event, resources),):
            if find_event_problem(done) is None:
                last = max(last, float(cast(float, done["t"])))
                yield done
            else:
                wrong += 1
    if wrong:
        report.add_warning(f"{wrong:,} events do not follow the format and were left out.")
    _report_damage(replay, report)
    end = replay.info.get("end", replay.index.get("duration"))
    if isinstance(end, int | float) and last <= end < 1e12:
        yield {"k": "end", "t": end, "reason": _find_end_reason(replay), "events": 0}


def _find_end_reason(replay: ReplayFile) -> str:
    """Return why the recording ended. A file of an older version does not say it, so there it is derived from the run's
    outcome.
    """
    outcome = replay.info.get("outcome")
    value = outcome.get("outcome") if isinstance(outcome, dict) else None
    reason = replay.info.get("ended", {"failed": "error", "passed": "closed"}.get(str(value)))
    return str(reason) if reason in ("closed", "error") else "imported"


def _report_damage(replay: ReplayFile, report: ReadReport) -> None:
    """Copy what the file says of its recording (damage, redaction, seal) into the report."""
    damage = replay.info.get("damage")
    if isinstance(damage, str):
        replay.report_damage(f"the recording that it was built from was damaged at {damage[:300]}")
    report.unsealed = replay.info.get("sealed") is False


def _build_header(replay: ReplayFile) -> Event:
    header: Event = {"k": "reel", "t": 0, "format": 1}
    header |= {
        name: replay.info[name]
        for name in HEADER_FIELDS_IN_INDEX
        if name != "imported" and replay.info.get(name) is not None
    }
    title, version = replay.index.get("title"), replay.index.get("player")
    if isinstance(title, str):
        header["title"] = title
    imported = replay.info.get("imported")
    header["imported"] = (
        imported
        if isinstance(imported, dict)
        else {"from": "replay", "name": "pagereel", "version": str(version)[:100], **_read_fidelity_counts(replay)}
    )
    while (wrong := find_event_problem(header)) is not None:
        replay.told.add_warning(f"Its header does not follow the format ({wrong}).")
        broken = [
            name
            for name in header
            if name not in ("k", "t", "format")
            and find_event_problem({"k": "reel", "t": 0, "format": 1, name: header[name]})
        ]
        if not broken:
            return {"k": "reel", "t": 0, "format": 1}
        header = {name: value for name, value in header.items() if name not in broken}
    return header


def _read_fidelity_counts(replay: ReplayFile) -> dict[str, Json]:
    """Return the counts of the file's fidelity claim, and of the comparison between masked and raw pages."""
    fidelity, same = replay.info.get("fidelity"), replay.info.get("samePage")
    fields: dict[str, Json] = {}
    if isinstance(fidelity, dict):
        layers = {
            name: _pick_valid_counts(fidelity.get(name), "equal", "total") for name in ("tree", "layout", "picture")
        }
        fields["fidelity"] = {**layers, **_pick_valid_counts(fidelity, "missing")} if layers["tree"] else {}
    if isinstance(same, dict):
        fields["samePage"] = _pick_valid_counts(same, "equal", "of")
    return {name: claim for name, claim in fields.items() if claim}


def _pick_valid_counts(value: object, *names: str) -> dict[str, Json]:
    counts = {name: value.get(name) for name in names} if isinstance(value, dict) else {}
    return {name: count for name, count in counts.items() if type(count) is int and count >= 0}


def _iter_left_out_gaps(replay: ReplayFile, resources: PackedResources) -> Iterator[Event]:
    """Yield a gap for the resources that a build with a size limit left out."""
    left = replay.info.get("leftOut")
    if isinstance(left, dict) and left and resources.left_out:
        yield {"k": "gap", "t": 0, "reason": "left out", "detail": cast(Json, left), "count": len(resources.left_out)}


# -- events --


def _get_time(event: Event) -> float:
    t = event.get("t")
    return float(t) if isinstance(t, int | float) else 0.0


def _is_timed_event_of(event: Event, kinds: frozenset[str]) -> bool:
    return event.get("k") in kinds and isinstance(event.get("t"), int | float) and event["t"] == event["t"]


def _iter_run_events(replay: ReplayFile) -> Iterator[Event]:
    for chunk in replay.iter_chunks("run"):
        yield from (event for event in chunk or () if _is_timed_event_of(event, _RUN))


def _iter_page_events(replay: ReplayFile) -> Iterator[Event]:
    """Yield the events of pages; after an unreadable chunk, only those of documents that begin later."""
    lost = False
    known: set[Json] = set()
    last = 0.0
    for chunk in replay.iter_chunks("page"):
        if chunk is None:
            if not lost:
                yield {"k": "gap", "t": last, "reason": "lost", "detail": "a piece of the file cannot be read"}
            lost = True
            known.clear()
            continue
        for event in chunk:
            if not _is_timed_event_of(event, _PAGE) or find_event_problem(event) is not None:
                continue
            if event["k"] == "document":
                known.add(event["d"])
            last = max(last, _get_time(event))
            if not lost or event["d"] in known or event["k"] == "embed":
                yield event


def _restore_body_hashes(event: Event, resources: PackedResources) -> Event:
    """Return an event of the run in which the build's placeholders for bodies are replaced by the bodies' SHA-256."""
    done: dict[str, Any] = dict(event)
    kind = event["k"]
    if kind == "call":  # What it did is said anew by whoever asks.
        done.pop("did", None)
    if kind in ("screenshot", "picture") and str(event.get("body")).startswith("pagereel:"):
        done["body"] = resources.get_sha256(event["body"]) or _NOTHING
    if kind == "screen" and isinstance(event.get("sheets"), list):
        done["sheets"] = [resources.get_sha256(each) or _NOTHING for each in cast("list[Json]", event["sheets"])]
    for of, field in _BODIES:
        if kind == of and field in event:
            sha256 = resources.get_sha256(event[field])
            if sha256 is not None:
                done[field] = sha256
                continue
            del done[field]
            if kind == "response" and not event.get("why"):
                done["why"] = "policy"
    return done


_NOTHING: Final = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""The SHA-256 of no bytes, used for a body that was left out."""
