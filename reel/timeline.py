"""Sorts events by the time at which they happened, not by the order in which they arrived, and finds each event in the file."""

from __future__ import annotations

import re
from array import array
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import orjson

from .events import Event
from .limits import LATEST

_HEAD: Final = re.compile(
    rb'(\{"k":"(?:snapshot|mutation)",)(?:"texts":\[[\d,]{1,4000}\],)?((?:"[dnt]":\d[\d.]{0,20},){3})"[a-z]'
)


def sort_by_time(times: Sequence[float], documents: Sequence[int], messages: Sequence[int]) -> list[int]:
    """Return the indexes of events, stably sorted by time, with each document's messages in their own order.

    Each sequence has one item per event, in file order: `times` in ms; `documents`, the document whose message it is
    (0: none); `messages`, its number there (-1: before the first). A message whose time is before that of an earlier
    message of its document comes right after that one.
    """
    chains: dict[int, list[int]] = {}
    for index, document in enumerate(documents):
        if document:
            chains.setdefault(document, []).append(index)
    time_of: dict[int, float] = {}
    place_of: dict[int, int] = {}
    for chain in chains.values():
        chain.sort(key=messages.__getitem__)
        time, place = times[chain[0]], chain[0]
        for index in chain:
            if times[index] < time:
                time_of[index] = time
            else:
                time = times[index]
            if index < place:
                place_of[index] = place
            else:
                place = index

    def sort_key(index: int) -> tuple[float, int, int]:
        return time_of.get(index, times[index]), place_of.get(index, index), messages[index]

    return sorted(range(len(times)), key=sort_key)


def parse_ops_head(line: bytes) -> Event | None:
    """Return the head of a message with ops: `k`, `d`, `t` and `n`. None for any other line, and if one of these fields
    is invalid.
    """
    found = _HEAD.match(line)
    if found is None:
        return None
    try:
        head: Event = orjson.loads(found[1] + found[2][:-1] + b"}")
    except ValueError:
        return None
    d, n, t = head.get("d"), head.get("n"), head.get("t")
    return head if type(d) is int and type(n) is int and isinstance(t, int | float) and t <= LATEST else None


@dataclass(frozen=True, slots=True)
class InvalidEvent:
    """An invalid event that was left out. `line`: its line in the frame, from 0, which is the frame's header line."""

    frame: int
    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line} of frame {self.frame}: {self.reason}"


class TimelineOrder(NamedTuple):
    """The events of a reel in the order of time: their zstd frames, lines and indexes, as one iteration found them."""

    frames: int
    frame_of: array[int]
    line_of: array[int]
    in_time: array[int]
    invalid: list[InvalidEvent]
    invalid_count: int
    events: list[Event] | None
    """The events themselves, if they are kept."""
    wrong: set[int] | None = None
    """Events of which only the head was read and whose rest is invalid; None: some have not been read to their end
    yet.
    """

    def get_index_within_line(self, index: int) -> int:
        """Return how many events before this one come from the same line; a migration may make several events of one
        line.
        """
        part = 0
        while index - part > 0 and all(of[index - part - 1] == of[index] for of in (self.frame_of, self.line_of)):
            part += 1
        return part


class TimelineSortKeys:
    """The sort keys of a reel's events, in file order."""

    def __init__(self, *, keeps: bool) -> None:
        self.frame_of, self.line_of = array("L"), array("L")
        self.times, self.documents, self.messages = array("d"), array("q"), array("q")
        self.events: list[Event] | None = [] if keeps else None

    def add_event(self, event: Event, frame: int, line: int) -> None:
        """Add the keys of an event, or of its head."""
        t, d, n = event.get("t"), event.get("d"), event.get("n")
        self.frame_of.append(frame)
        self.line_of.append(line)
        self.times.append(t if type(t) is int or type(t) is float else 0.0)
        self.documents.append(d if type(d) is int and (type(n) is int or event["k"] in ("document", "embed")) else 0)
        self.messages.append(n if type(n) is int else -1)
        if self.events is not None:
            self.events.append(event)

    def build_order(
        self, frames: int, invalid: list[InvalidEvent] | None = None, invalid_count: int = 0
    ) -> TimelineOrder:
        """Return the order of all events that were added."""
        in_time = array("L", sort_by_time(self.times, self.documents, self.messages))
        return TimelineOrder(frames, self.frame_of, self.line_of, in_time, invalid or [], invalid_count, self.events)


class ZstdFrameLineCache:
    """A cache of decompressed zstd frames: a frame is kept until all its requested lines were returned, or until the
    cache is too large.
    """

    def __init__(
        self, read: Callable[[int], list[bytes]], asked: Sequence[int], sizes: Sequence[int], most: int
    ) -> None:
        """`asked`: the frame of each line that will be requested. `sizes`: bytes of each frame. `most`: largest number
        of bytes that are kept.
        """
        self._read = read
        self._left = Counter(asked)
        self._sizes = sizes
        self._most = most
        self._held: OrderedDict[int, list[bytes]] = OrderedDict()
        self._bytes = 0

    def get_line(self, frame: int, number: int) -> bytes:
        """Return one line of a zstd frame, by the frame's and the line's number."""
        lines = self._held.get(frame)
        if lines is None:
            lines = self._held[frame] = self._read(frame)
            self._bytes += self._sizes[frame]
            while self._bytes > self._most and len(self._held) > 1:
                self._bytes -= self._sizes[self._held.popitem(last=False)[0]]
        else:
            self._held.move_to_end(frame)
        self._left[frame] -= 1
        if self._left[frame] <= 0:
            del self._held[frame]
            self._bytes -= self._sizes[frame]
        return lines[number]
