"""Reads rrweb's events, plain or in the formats of PostHog and Sentry, as a reel.

rrweb stores no bytes: pictures and fonts that have only an address are empty boxes, and a ``gap`` says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pagereel.errors import ReelError
from pagereel.reel import Event, problem

from ..contract import ReadReport
from .file import WindowEvent, events_of, names_of
from .nodes import Bodies
from .other_events import NonPageEvents
from .pages import Page

_CUSTOM, _PLUGIN = 5, 6
_FIRST = 100
_WINDOWS = 1_000


def read(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    """Yield the events of an rrweb recording. Raises ReelError for JSON that is none."""
    found = events_of(path, file, report)
    first = list(itertools.islice(found, _FIRST))
    if not first:
        damage = f" ({report.damage})" if report.damage else ""
        raise ReelError(
            f"{path} is JSON without rrweb's events in it{damage}; give an rrweb recording, a reel or a trace.zip."
        )
    started = float(first[0].event["timestamp"])
    yield _header(first, started)
    yield {"k": "gap", "t": 0, "reason": "resources", "detail": "rrweb keeps no bytes of pictures, fonts and films"}
    wrong = 0
    for event in _read(itertools.chain(first, found), started, report):
        if problem(event) is None:
            yield event
        else:
            wrong += 1
    if wrong:
        report.warn(f"{wrong:,} events do not follow rrweb's format and were left out.")


def _header(first: list[WindowEvent], started: float) -> Event:
    name = names_of(first)
    return {
        "k": "reel",
        "t": 0,
        "format": 1,
        "started": started,
        "recorder": {"name": name},
        "imported": {"from": "rrweb", "name": name},
    }


def _read(found: Iterator[WindowEvent], started: float, report: ReadReport) -> Iterator[Event]:
    numbers, bodies, said = itertools.count(1), Bodies(), NonPageEvents()
    pages: dict[str, Page] = {}
    last = 0.0
    for window, event in found:
        t = round(min(max(last, float(event["timestamp"]) - started), 1e11), 1)
        last = t
        page = pages.get(window)
        if page is None:
            if len(pages) >= _WINDOWS:
                report.warn(f"It has more than {_WINDOWS:,} windows; the others were left out.")
                continue
            page = pages[window] = Page(len(pages) + 1, numbers, bodies, report)
        kind, data = event["type"], event["data"]
        if kind == _CUSTOM:
            for each in said.custom(data, t, page.number):
                if each["k"] == "location":
                    yield from page.moved(t, str(each["url"]), each["id"])
                else:
                    yield from page.say(each)
        elif kind == _PLUGIN:
            for each in said.plugin(data, t, page.number):
                yield from page.say(each)
        else:
            yield from page.handle(event, t)
    for page in pages.values():
        yield from page.end()
    if not any(page.shows for page in pages.values()):
        report.warn("It has no full snapshot, so no page can be shown.")
