"""Extracts rrweb's events from their files: an array, lines, the formats of PostHog and Sentry, compressed strings."""

from __future__ import annotations

import heapq
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from pagereel.errors import ReelError

from ..reader_interface import ReadReport

_WHOLE: Final = 768 << 20
"""Largest file that is one JSON value, in bytes; files of lines have no limit."""
_PARTS: Final = 4_000_000
"""Largest number of commas, brackets and braces in a value that is parsed at once: each Python object takes some sixty
bytes.
"""
_PIECE: Final = 1 << 20
_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[{\]},]', re.DOTALL)
_LINE: Final = 512 << 20
_PACKED: Final = 64 << 20
"""Largest content of a compressed string, in bytes."""
_DEPTH: Final = 12
_WAITING: Final = 1_000
"""Number of events held back for sorting, because pointer events come late."""
_LARGEST: Final = 20
"""Largest kind number that is accepted; rrweb's own are 0 to 7."""


class RrwebWindowEvent(NamedTuple):
    """An rrweb event, and the name of the window (tab) of its page."""

    window: str
    event: dict[str, Any]


def iter_window_events(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[RrwebWindowEvent]:
    """Yield the events of a file, nearly in order of time."""
    waiting: list[tuple[float, int, RrwebWindowEvent]] = []
    for number, found in enumerate(_iter_file_events(path, file, report)):
        heapq.heappush(waiting, (float(found.event["timestamp"]), number, found))
        if len(waiting) > _WAITING:
            yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]


def _iter_file_events(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[RrwebWindowEvent]:
    file.seek(0)
    if file.read(3) != b"\xef\xbb\xbf":
        file.seek(0)
    first = file.readline(_LINE)
    while first and not first.strip():
        first = file.readline(_LINE)
    if first.lstrip()[:1] == b"[" and len(first) > _PIECE:
        yield from _iter_events_in_array(first + file.read(_WHOLE), report)
        return
    value, after = _parse_json(first), file.tell()
    rest = file.read(1 << 16).lstrip()[:1] if value is not None else b""
    if value is None:
        yield from _iter_events_in_whole_file(path, file, report)
    elif rest == b"\x78":
        yield from find_rrweb_events(_parse_sentry_segment(file, first))
    else:
        yield from find_rrweb_events(value)
        if rest:
            yield from _iter_events_in_lines(file, after, report)


def _parse_sentry_segment(file: BinaryIO, first: bytes) -> Any:
    """Return the JSON value of a segment in Sentry's format: one line, then compressed JSON."""
    file.seek(0)
    data = file.read().partition(first)[2].lstrip(b"\r\n")
    return _parse_json(_inflate(data))


def _iter_events_in_lines(file: BinaryIO, start: int, report: ReadReport) -> Iterator[RrwebWindowEvent]:
    file.seek(start)
    bad = 0
    while line := file.readline(_LINE):
        if not line.strip():
            continue
        value = _parse_json(line)
        if value is None:
            bad += 1
            continue
        yield from find_rrweb_events(value)
    if bad:
        report.damage = f"{bad:,} of its lines are no JSON"


def _iter_events_in_whole_file(path: Path, file: BinaryIO, report: ReadReport) -> Iterator[RrwebWindowEvent]:
    """Yield the events in one JSON value that spans many lines; if it is cut off, the events before the cut."""
    size = file.seek(0, 2)
    if size > _WHOLE:
        raise ReelError(f"{path} is one JSON value of {size:,} bytes, too large to be read; write its events as lines.")
    file.seek(0)
    data = file.read().removeprefix(b"\xef\xbb\xbf")
    if data.lstrip()[:1] == b"[" and size > _PIECE:
        yield from _iter_events_in_array(data, report)
        return
    value = _parse_json(data)
    if value is not None:
        yield from find_rrweb_events(value)
        return
    text = data.decode("utf-8", "replace")
    at = text.find("[") + 1
    decoder = json.JSONDecoder()
    while at:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            report.damage = f"it is no JSON from character {at:,} of {len(text):,} on"
            return
        yield from find_rrweb_events(value)


def _iter_events_in_array(data: bytes, report: ReadReport) -> Iterator[RrwebWindowEvent]:
    """Yield the events in a long array item by item, because all of them at once would fill the memory."""
    start = data.index(b"[") + 1
    depth = 0
    for token in _TOKEN.finditer(data, start):
        first = data[token.start()]
        depth += (first in b"[{") - (first in b"]}")
        if depth >= 0 and (depth > 0 or first != ord(",")):
            continue
        item = data[start : token.start()]
        value = _parse_json(item)
        if value is None and (item.strip() or depth == 0):
            break
        yield from find_rrweb_events(value)
        start = token.end()
        if depth < 0:
            return
    report.damage = f"it is no JSON from byte {start:,} of {len(data):,} on"


def _parse_json(data: bytes | str | None) -> Any:
    """Return the parsed value; None for invalid JSON and for ``null``, neither of which holds events."""
    if data is None:
        return None
    packed = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if len(packed) > _PARTS and sum(map(packed.count, (b",", b"[", b"{"))) > _PARTS:
        raise ReelError(
            f"It is one JSON value of {len(packed):,} bytes and more parts than can be read at once; write its events as lines."
        )
    try:
        return orjson.loads(data)
    except ValueError:
        return None


def _inflate(data: bytes) -> bytes | None:
    """Return data decompressed by zlib or gzip; None for other data, and for data that is too large."""
    try:
        unpacker = zlib.decompressobj(47)
        inner = unpacker.decompress(data, _PACKED)
    except zlib.error:
        return None
    return inner if unpacker.eof else None


def find_rrweb_events(value: Any, window: str = "", depth: int = 0) -> Iterator[RrwebWindowEvent]:
    """Yield the rrweb events anywhere in a JSON value."""
    if depth > _DEPTH:
        return
    if isinstance(value, str):
        yield from find_rrweb_events(_unpack_json(value), window, depth + 1)
    elif isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):  # PostHog: [window, event]
            yield from find_rrweb_events(value[1], value[0], depth + 1)
            return
        for item in value:
            yield from find_rrweb_events(item, window, depth + 1)
    elif isinstance(value, dict):
        event = _parse_event(value)
        if event is not None:
            yield RrwebWindowEvent(_get_window_name(value, window), event)
            return
        by_window = value.get("snapshot_data_by_window_id")
        if isinstance(by_window, dict):
            for name, inner in by_window.items():
                yield from find_rrweb_events(inner, name[:200], depth + 1)
            return
        for name, inner in value.items():
            if isinstance(inner, list | dict) or (
                isinstance(inner, str) and name in ("events", "data", "snapshot", "rrweb")
            ):
                yield from find_rrweb_events(inner, _get_window_name(value, window), depth + 1)


def _get_window_name(value: dict[str, Any], window: str) -> str:
    named = value.get("window_id", value.get("windowId"))
    return named[:200] if isinstance(named, str) else window


def _parse_event(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return an rrweb event, decompressed; None for other values."""
    kind, timestamp = value.get("type"), value.get("timestamp")
    if type(kind) is not int or not 0 <= kind <= _LARGEST or type(timestamp) not in (int, float):
        return None
    if "data" not in value or not 0 <= float(str(timestamp)) < 1e14:
        return None
    data = value["data"]
    if "cv" in value:  # PostHog: gzip, as text
        data = _unpack_json(data) if isinstance(data, str) else _unpack_fields(data)
    return {**value, "data": data if isinstance(data, dict) else {}}


def _unpack_fields(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    return {
        name: _unpack_json(inner) if isinstance(inner, str) and inner[:1] == "\x1f" else inner
        for name, inner in data.items()
    }


def _unpack_json(text: str) -> Any:
    """Return the value of a string that contains JSON, plain or compressed; None for other strings."""
    if text[:1] in ("[", "{", '"'):
        return _parse_json(text.encode("utf-8", "replace"))
    if text[:1] in ("\x1f", "\x78"):
        try:
            return _parse_json(_inflate(text.encode("latin-1")))
        except UnicodeEncodeError:
            return None
    return None


def detect_product_name(first_events: Iterable[RrwebWindowEvent]) -> str:
    """Return the name of the product that wrote a recording, judged by its first events."""
    for _, event in first_events:
        if "cv" in event:
            return "PostHog"
    return "rrweb"
