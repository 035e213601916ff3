"""Reads a reel: a complete one, one without an end, or a damaged one up to the damage.

The chain of hashes is checked when a reel is opened; a line is checked when it is read. A line that is no valid event,
or is past a limit (:mod:`.limits`), is skipped and listed, and reading continues after it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

import orjson

from ..errors import FutureFormatError, ReelError
from . import zstd_frames as frames
from .encrypted_file import PlainZstdFrameContainer, ZstdFrameContainer
from .events import FORMAT, Event
from .keys import Key
from .kinds import find_event_problem
from .limits import find_exceeded_limit
from .migrations import EVENTS_SINCE, migrate_event
from .reel_damage import ReelDamage as ReelDamage
from .repeated_texts import TEXT, RepeatedTextTable
from .shared_resources import SharedResourceFolder, decode_body
from .timeline import InvalidEvent, TimelineOrder, TimelineSortKeys, ZstdFrameLineCache, parse_ops_head, sort_by_time

_UNSEALED: Final = "unsealed"
"""The reason in the end of a complete copy of a recording that was cut off."""
_CACHE_BYTES: Final = 64 << 20
_KEPT_BYTES: Final = 16 << 20
"""Largest recording, in bytes, whose events are kept: as objects they take some five times as many."""
_INVALID_KEPT: Final = 20
_SORTED_AT_ONCE: Final = 2_000_000
"""Largest number of events that are sorted together: 28 bytes each, whatever their size. A longer recording is sorted
in parts of this size.
"""
_END_BYTES: Final = 64 << 10
_KIND: Final = b'{"k":"'


class Reel:
    """An open reel, returned by :func:`open_reel`: a context manager that may be iterated more than once.

    Everything before `damage` is intact: the chain of hashes holds. Invalid lines in it are skipped, and listed in
    :attr:`invalid`.
    """

    def __init__(
        self, path: Path, file: int, box: ZstdFrameContainer | None = None, encrypt_to: tuple[Key, ...] = ()
    ) -> None:
        self.path = path
        self.encrypt_to = encrypt_to
        """For an encrypted reel, the keys that can open it, to write another file for the same readers."""
        self.size = os.fstat(file).st_size
        """Bytes of the file."""
        self.header: Event = {}
        """The ``reel`` event."""
        self.format = FORMAT
        """The format of the file; its events are converted to the newest format."""
        self.kind: Literal["reel", "replay", "trace", "rrweb"] = "reel"
        """The kind of file that this reel was read from (``sources/``)."""
        self.warnings: tuple[str, ...] = ()
        """Content of that file that could not be imported, a sentence each."""
        self.sealed = False
        """Whether the file was closed and its end is intact."""
        self.end: Event | None = None
        """The ``end`` event of a sealed reel."""
        self.damage: ReelDamage | None = None
        self.invalid: list[InvalidEvent] = []
        """The first events that the last complete iteration left out; see :attr:`invalid_count`."""
        self.invalid_count = 0
        self.resources_lost = 0
        """Number of resources that the last complete iteration left out, because they are missing in the shared
        folder.
        """
        self._texts = RepeatedTextTable()
        self._file = file
        self._box = box or PlainZstdFrameContainer()
        self._frames: list[frames.StoredZstdFrame] = []
        self._order: TimelineOrder | None = None
        self._keeps = False
        self._reached = self._box.start
        self._previous: str | None = None
        self.is_cut = False
        """Whether the damage is only that the file ends inside a frame."""
        self._given = 0
        """Number of frames whose events :meth:`read_new_events` has returned."""
        self._resources: dict[str, tuple[int, int]] | None = None
        self._shared = SharedResourceFolder(path.parent)
        try:
            self._scan_zstd_frames()
        except BaseException:
            self.close()
            raise

    # -- public methods --------------------

    def events(self, kinds: Collection[str] | None = None) -> Iterator[Event]:
        """Yield the events in the order of the file, ``reel`` first, without the frames' header lines. `kinds`: only
        events of these kinds, which is much faster for rare ones.

        Invalid events are left out and listed in :attr:`invalid`.
        """
        self._clear_left_out_events()
        for _, _, event in self._iter_stored_events(kinds):
            yield from self._fill_in_shared_resource(event)

    def timeline(self) -> Iterator[Event]:
        """Yield the events sorted by ``t``, each document's messages in the order of their ``n``.

        This takes two passes: the first keeps 28 bytes per event, the second reads frames as they are needed, and
        checks their events. The order is cached, so that the next call needs one pass.
        """
        self._clear_left_out_events()
        for found in self._iter_timeline_orders():
            if found.events is None:
                yield from self._iter_events_in_time_order(found)
                continue
            for index in found.in_time:
                yield from self._fill_in_shared_resource(found.events[index])

    def _iter_events_in_time_order(self, order: TimelineOrder) -> Iterator[Event]:
        frames = ZstdFrameLineCache(
            self._read_zstd_frame_lines, order.frame_of, [frame.bound for frame in self._frames], _CACHE_BYTES
        )
        wrong: set[int] = set()
        for index in order.in_time:
            if order.wrong is not None and index in order.wrong:
                continue
            number, place = order.frame_of[index], order.line_of[index]
            line = frames.get_line(number, place)
            if self._is_older_format:  # A migration may make several events of one line.
                part = order.get_index_within_line(index)
                yield from self._fill_in_shared_resource(
                    list(self._migrate_if_older_format(orjson.loads(self._texts.expand_line(line))))[part]
                )
            elif order.wrong is None and (head := parse_ops_head(line)) is not None:
                event = self._read_rest_of_event(head, line, number, place)
                if event is None:
                    wrong.add(index)
                else:
                    yield event
            else:
                yield from self._fill_in_shared_resource(orjson.loads(self._texts.expand_line(line)))
        if order is self._order and order.wrong is None:
            self._order = order._replace(wrong=wrong, invalid=list(self.invalid), invalid_count=self.invalid_count)

    def _read_rest_of_event(self, head: Event, line: bytes, number: int, index: int) -> Event | None:
        """Return the full event of a line of which only the head was read before; None if the event is invalid."""
        for event in self._parse_line(line, number, index):
            if all(event[name] == value for name, value in head.items()):
                return event
            self._add_invalid_event(number, index, "it says twice whose it is, or when it was")
        return None

    def cache_timeline_events(self) -> None:
        """Keep the events of the next timeline in memory for later calls, unless they are too large. Use it where code
        iterates several times and changes no event.
        """
        self._keeps = sum(frame.expanded_size for frame in self._frames) <= _KEPT_BYTES

    def _iter_timeline_orders(self) -> Iterator[TimelineOrder]:
        """Yield the order of the valid events, in parts of `_SORTED_AT_ONCE`: their frames and lines, and their indexes
        in the order of the timeline.

        Most bytes of a long recording are lines with ops: only their head is read here, and the rest when the events
        are yielded.
        """
        kept = self._order
        if kept is not None and kept.frames == len(self._frames):
            self.invalid, self.invalid_count = list(kept.invalid), kept.invalid_count
            yield kept
            return
        frames_read, given = len(self._frames), False
        keys = TimelineSortKeys(keeps=self._keeps)
        for number in range(frames_read):
            for index, line in self._iter_event_lines(number):
                head = None if self._keeps or self._is_older_format else parse_ops_head(line)
                for event in self._parse_line(line, number, index) if head is None else (head,):
                    keys.add_event(event, number, index)
            if len(keys.frame_of) >= _SORTED_AT_ONCE:
                yield keys.build_order(frames_read)
                keys, given = TimelineSortKeys(keeps=False), True
        found = keys.build_order(frames_read, list(self.invalid), self.invalid_count)
        if not given:
            self._order = found
        yield found

    @property
    def reason(self) -> str:
        """Return why the recording ended: the reason in its ``end`` event, or a reason that says that the recording was
        cut off.
        """
        return _UNSEALED if self.end is None else str(self.end.get("reason") or "closed")

    @property
    def closed(self) -> bool:
        """Return whether the recording was closed by its recorder. A complete copy of a recording that was cut off,
        such as a masked one, counts as not closed.
        """
        return self.sealed and self.reason != _UNSEALED

    def read_new_events(self) -> list[Event]:
        """Return the events of a growing recording that were written since the last call; at the first call all of
        them.

        They are sorted by time, with resources first; an event that is written later may have an earlier time. An
        incomplete last zstd frame is no damage. The file is read through its open handle: when the writer replaces it
        by a compact copy at its end, this handle still has all events.
        """
        size = os.fstat(self._file).st_size
        if size > self.size and not self.sealed and (self.damage is None or self.is_cut):
            self.size, self.damage = size, None
            self._scan_zstd_frames()
        found = [
            event
            for number in range(self._given, len(self._frames))
            for index, line in self._iter_event_lines(number)
            for parsed in self._parse_line(line, number, index)
            for event in self._fill_in_shared_resource(parsed)
        ]
        self._given = len(self._frames)
        times = [t if isinstance(t := event.get("t"), int | float) else 0.0 for event in found]
        chains = [
            (d, n if isinstance(n := event.get("n"), int) else -1)
            if isinstance(d := event.get("d"), int) and ("n" in event or event["k"] in ("document", "embed"))
            else (0, -1)
            for event in found
        ]
        sorted_ = [found[index] for index in sort_by_time(times, [d for d, _ in chains], [n for _, n in chains])]
        return sorted(sorted_, key=lambda event: event["k"] != "resource")

    def resource(self, sha256: str) -> bytes | None:
        """Return the bytes of a resource, or ``None`` if the reel has none. The first call reads the whole reel once."""
        if self._resources is None:
            self._resources = {}
            for number, index, event in self._iter_without_listing_invalid({"resource"}):
                self._resources.setdefault(str(event["sha256"]), (number, index))
        place = self._resources.get(sha256)
        if place is None:
            return None
        event = next(
            iter(
                self._migrate_if_older_format(
                    orjson.loads(self._texts.expand_line(self._read_zstd_frame_lines(place[0])[place[1]]))
                )
            )
        )
        if event.get("shared") is True:
            return self._shared.read_content(sha256)
        return decode_body(event)

    def list_shared_resources(self) -> Iterator[str]:
        """Yield the SHA-256s of the resources whose bytes are in the shared folder, not in this recording."""
        for _, _, event in self._iter_without_listing_invalid({"resource"}):
            if event.get("shared") is True:
                yield str(event["sha256"])

    def iter_zstd_frames(self) -> Iterator[bytes]:
        """Yield the intact zstd frames in order, as they were written. Joined together they are a plain reel; of a
        complete plain reel they are the whole file.
        """
        for number, frame in enumerate(self._frames):
            yield self._box.decrypt_record(self._read_bytes_at(frame.offset, frame.length), number)

    def close(self) -> None:
        """Close the file. The events cannot be iterated afterwards."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
            self._order = None

    def __enter__(self) -> Reel:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()

    # -- reading --------------------

    def _read_bytes_at(self, offset: int, length: int) -> bytes:
        if self._file < 0:
            raise ReelError(f"{self.path} was closed; open it again to read on.")
        return os.pread(self._file, length, offset)

    def _read_zstd_frame_lines(self, number: int) -> list[bytes]:
        """Return the lines of a zstd frame, as stored."""
        frame = self._frames[number]
        packed = self._box.decrypt_record(self._read_bytes_at(frame.offset, frame.length), number)
        return frames.decompress_frame(packed, frame.bound).split(b"\n")[: frame.lines]

    def _iter_event_lines(self, number: int) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a zstd frame that contain events, each with its index in the frame."""
        for index, line in enumerate(self._read_zstd_frame_lines(number)):
            if index and not line.startswith(TEXT):
                yield index, line

    def _parse_line(self, line: bytes, number: int, index: int) -> Iterator[Event]:
        try:
            reason = find_exceeded_limit(line, self._texts.count_bytes_added_by_expanding(line))
            event = parse_event(self._texts.expand_line(line)) if reason is None else None
            if event is None:
                raise frames.UnreadableZstdFrameError(reason or "it is not an event")
        except frames.UnreadableZstdFrameError as error:
            self._add_invalid_event(number, index, str(error))
            return
        for each in self._migrate_if_older_format(event):
            reason = find_event_problem(each)
            if reason is None:
                yield each
            else:
                self._add_invalid_event(number, index, reason)

    def _add_invalid_event(self, number: int, index: int, reason: str) -> None:
        self.invalid_count += 1
        if len(self.invalid) < _INVALID_KEPT:
            self.invalid.append(InvalidEvent(number, index, reason))

    def _iter_without_listing_invalid(self, kinds: Collection[str]) -> Iterator[tuple[int, int, Event]]:
        """Yield events as :meth:`_iter_stored_events` does, without adding to the list of invalid events, which is
        filled only by an iteration over all kinds.
        """
        invalid, count = list(self.invalid), self.invalid_count
        yield from self._iter_stored_events(kinds)
        self.invalid, self.invalid_count = invalid, count

    def _iter_stored_events(self, kinds: Collection[str] | None) -> Iterator[tuple[int, int, Event]]:
        """Yield each valid event of these kinds (None: of all kinds) as it is stored, with the numbers of its zstd
        frame and of its line.
        """
        for number in range(len(self._frames)):
            for index, line in self._iter_event_lines(number):
                if kinds is None or self._may_be_event_of_kinds(line, kinds):
                    for event in self._parse_line(line, number, index):
                        if kinds is None or event["k"] in kinds:
                            yield number, index, event

    @property
    def _is_older_format(self) -> bool:
        """Return whether events must be converted to the newest format."""
        return self.format < EVENTS_SINCE

    def _may_be_event_of_kinds(self, line: bytes, kinds: Collection[str]) -> bool:
        """Return whether a line may contain an event of these kinds, judged by its beginning."""
        if self._is_older_format or not line.startswith(_KIND):
            return True
        end = line.find(b'"', len(_KIND))
        return line[len(_KIND) : end].decode("ascii", "replace") in kinds

    def _clear_left_out_events(self) -> None:
        """Clear the lists of left-out events, at the beginning of an iteration."""
        self.invalid, self.invalid_count, self.resources_lost = [], 0, 0

    def _fill_in_shared_resource(self, event: Event) -> Iterator[Event]:
        """Yield an event; fill in the bytes of a shared resource, and yield nothing if they are missing."""
        if event["k"] != "resource" or event.get("shared") is not True:
            yield event
            return
        whole = self._shared.fill_in_body(event)
        if whole is not None:
            yield whole
        else:
            self.resources_lost += 1

    def _migrate_if_older_format(self, event: Event) -> Iterator[Event]:
        if not self._is_older_format:
            yield event
        else:
            yield from migrate_event(event, self.format)

    # -- opening --------------------

    def _scan_zstd_frames(self) -> None:
        """Check the chain of hashes of the zstd frames, up to the first damaged one."""
        while self._reached < self.size:
            number, offset = len(self._frames), self._reached
            try:
                if self.sealed:
                    raise frames.UnreadableZstdFrameError("the file goes on after the end of the recording")
                reach, packed = self._box.read_zstd_frame(self._read_bytes_at, offset, self.size, number)
                content = frames.decompress_frame(packed, reach.bound)
                self._scan_zstd_frame(
                    content, self._previous, frames.StoredZstdFrame(offset, reach.length, reach.bound, 0)
                )
            except frames.UnreadableZstdFrameError as error:
                self.damage = ReelDamage(number, offset, str(error))
                self.is_cut = isinstance(error, frames.TruncatedZstdFrameError)
                break
            self._previous = hashlib.sha256(packed).hexdigest()
            self._reached += reach.length

    def _scan_zstd_frame(self, content: bytes, previous: str | None, frame: frames.StoredZstdFrame) -> None:
        number = len(self._frames)
        head = parse_event(content[: content.find(b"\n")])
        if head is None or head.get("k") != "frame":
            raise frames.UnreadableZstdFrameError("it does not begin with a frame's header")
        if head.get("n") != number:
            raise frames.UnreadableZstdFrameError(f"frame {head.get('n')!r} stands where frame {number} belongs"[:120])
        if head.get("prev") != previous:
            raise frames.UnreadableZstdFrameError("the frame before it is not the one that was written there")
        end = content.rfind(b"\n")
        last = content.rfind(b"\n", 0, end) + 1
        if number == 0:
            first = content.find(b"\n") + 1
            self._read_header(parse_event(content[first : content.find(b"\n", first)]) or {})
        added = self._texts.read_zstd_frame(content)
        self._frames.append(frame._replace(lines=content.count(b"\n"), added=added))
        if end + 1 < len(content):
            raise frames.UnreadableZstdFrameError("its last line has no end")
        closing = parse_event(content[last:end]) if end - last <= _END_BYTES else None
        if closing is not None and closing.get("k") == "end":
            self.sealed = True
            self.end = closing

    def _read_header(self, event: Event) -> None:
        version = event.get("format")
        if event.get("k") != "reel" or type(version) is not int or version < 1:
            raise frames.UnreadableZstdFrameError("it has no header")
        if version > FORMAT:
            raise FutureFormatError(
                f"{self.path} has format {version}, but this pagereel reads only up to {FORMAT}; "
                "install a newer one (pip install -U pagereel)."
            )
        self.header = event
        self.format = version


def parse_event(line: bytes) -> Event | None:
    try:
        event = orjson.loads(line)
    except ValueError:
        return None
    return event if type(event) is dict and type(event.get("k")) is str else None
