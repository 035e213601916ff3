"""Reads rrweb's events, plain or in the formats of PostHog and Sentry, as a reel.

rrweb stores no bytes: pictures and fonts that have only an address are empty boxes, and a ``gap`` says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pagereel.errors import ReelError
from pagereel.reel import Event, find_event_problem

from ..reader_interface import ReadReport
from .custom_events import NonPageEventReader
from .pages import RrwebPageConverter
from .rrweb_files import RrwebWindowEvent, detect_product_name, iter_window_events
from .tree_building import DataAddressStore

_CUSTOM, _PLUGIN = 5, 6
_FIRST = 100
_WINDOWS = 1_000


def read_rrweb(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[Event]:
    """Yield the events of an rrweb recording. Raises ReelError for a file that contains no rrweb events."""
    found = iter_window_events(path, file, report)
    first = list(itertools.islice(found, _FIRST))
    if not first:
        damage = f" ({report.damage})" if report.damage else ""
        raise ReelError(
            f"{path} is JSON without rrweb's events in it{damage}; give an rrweb recording, a reel or a trace.zip."
        )
    started = float(first[0].event["timestamp"])
    yield _build_header(first, started)
    yield {"k": "gap", "t": 0, "reason": "resources", "detail": "rrweb keeps no bytes of pictures, fonts and films"}
    wrong = 0
    for event in _convert_events(itertools.chain(first, found), started, report):
        if find_event_problem(event) is None:
            yield event
        else:
            wrong += 1
    if wrong:
        report.add_warning(f"{wrong:,} events do not follow rrweb's format and were left out.")


def _build_header(first: list[RrwebWindowEvent], started: float) -> Event:
    name = detect_product_name(first)
    return {
        "k": "reel",
        "t": 0,
        "format": 1,
        "started": started,
        "recorder": {"name": name},
        "imported": {"from": "rrweb", "name": name},
    }


def _convert_events(window_events: Iterator[RrwebWindowEvent], started: float, report: ReadReport) -> Iterator[Event]:
    numbers, bodies, said = itertools.count(1), DataAddressStore(), NonPageEventReader()
    pages: dict[str, RrwebPageConverter] = {}
    last = 0.0
    for window, event in window_events:
        t = round(min(max(last, float(event["timestamp"]) - started), 1e11), 1)
        last = t
        page = pages.get(window)
        if page is None:
            if len(pages) >= _WINDOWS:
                report.add_warning(f"It has more than {_WINDOWS:,} windows; the others were left out.")
                continue
            page = pages[window] = RrwebPageConverter(len(pages) + 1, numbers, bodies, report)
        kind, data = event["type"], event["data"]
        if kind == _CUSTOM:
            for each in said.convert_custom_event(data, t, page.number):
                if each["k"] == "location":
                    yield from page.convert_address_change(t, str(each["url"]), each["id"])
                else:
                    yield from page.add_non_page_event(each)
        elif kind == _PLUGIN:
            for each in said.convert_plugin_event(data, t, page.number):
                yield from page.add_non_page_event(each)
        else:
            yield from page.convert_event(event, t)
    for page in pages.values():
        yield from page.pop_last_events()
    if not any(page.has_document for page in pages.values()):
        report.add_warning("It has no full snapshot, so no page can be shown.")
