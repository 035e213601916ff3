"""Writes a reel so that a crash at any moment leaves a file that can be read."""

from __future__ import annotations

import hashlib
import itertools
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson

from ..errors import ReelError
from . import zstd_frames
from .digest import replace_lone_surrogates
from .encrypted_file import PlainZstdFrameContainer, ZstdFrameContainer, ZstdFrameEncryptor
from .event_fitting import limit_event_values, shorten_event_line
from .events import FORMAT, Event, Json
from .file_creation import create_private_file, open_new_private_file
from .keys import Keys, load_keys
from .kinds import find_event_problem
from .limits import LATEST, LINE_PARTS
from .repeated_texts import RepeatedTextShortener, has_reserved_form

FRAME_BYTES: Final = 1 << 20
"""Bytes that wait before a frame is written, even before `flush_ms`."""
FINAL_FRAMES: Final = (
    (0, zstd_frames.SMALL_LEVEL),
    (128 << 10, zstd_frames.SMALL_LEVEL),
    (256 << 10, zstd_frames.SMALL_LEVEL),
    (512 << 10, zstd_frames.SMALL_LEVEL),
    (1 << 20, zstd_frames.FINAL_LEVEL),
)
"""Smallest size of each frame of a closed reel, and its level; the last pair is for all further frames. Larger frames
compress better, smaller ones lose less to a damaged byte. The header is alone in its frame, so that it can be read
in a damaged reel.
"""
BINARY_FRAMES: Final = ((256 << 10, zstd_frames.SMALL_LEVEL),)
"""The same for resources in base64, mostly pictures and fonts. They follow all other events in frames of their own:
between events they would separate similar lines, and as they are most of a reel's bytes, most damage then loses no
event.
"""
PENDING_LIMIT: Final = 64 << 20
"""Largest number of bytes kept in memory while the disk refuses them."""


class ReelWriter:
    """Writes events to a new reel, one compressed frame at a time.

    Guarantees:

    * The file exists, with mode 0600 and a valid first frame, when the constructor returns. A reel at `path` is
      replaced; anything else there (a folder, a device) raises UsageError, and so does a folder that cannot be
    written
      to.
    * Each frame is one ``write`` system call. Written frames survive ``kill -9``; events in memory are at most
      `flush_ms` old, provided that :meth:`flush_if_due` is called at least that often (or events keep coming).
    * If a frame cannot be written completely (a full disk), it is removed from the file, its events wait for the
    next
      try, and :meth:`write`, :meth:`flush` or :meth:`flush_if_due` raises ReelError.
    * :meth:`close` seals the reel, then rewrites it into a few large frames, with repeated long texts stored once,
    and
      replaces the file atomically. If that fails, the sealed reel stays as it was.

    Use it from one thread at a time. In a forked child it does nothing, because the reel belongs to the parent.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        header: Event,
        *,
        flush_ms: float = 250,
        compact: bool = True,
        encrypt_to: Keys | None = None,
        purpose: str = "reel",
    ) -> None:
        """`header`: the fields of the ``reel`` event; ``k``, ``t`` and ``format`` are filled in. `flush_ms` in ms.

        `compact=False` leaves the frames as they were written. `encrypt_to`: keys (see :class:`~pagereel.reel.Key`)
        that can read the file; no byte of an event is then written unencrypted. `purpose`: stated in the encrypted
        file.
        """
        keys = load_keys(encrypt_to)
        self._sealer = ZstdFrameEncryptor(keys, purpose) if keys else None
        self.path = Path(path)
        self.events = 0
        """Number of events written so far, including the header."""
        self.size = 0
        """Bytes on the disk."""
        self.cut = 0
        """Number of events that were cut or left out because of a limit, and a description of the last change."""
        self.last_cut = ""
        self.lost = 0
        """Number of events that were dropped because the disk refused them."""
        self.closed = False
        self._flush_s = flush_ms / 1000
        self._compact = compact
        self._pid = os.getpid()
        self._compressor = zstd_frames.ZstdFrameCompressor(zstd_frames.LIVE_LEVEL)
        self._frame = 0
        self._previous: str | None = None
        self._lines: list[bytes] = []
        self._waiting = 0
        self._oldest = 0.0
        self._time = 0.0
        first: Event = {"k": "reel", "t": 0, "format": FORMAT, **header}
        self._fd = create_private_file(self.path)
        try:
            self.write(first)
            self.flush()
        except BaseException:
            os.close(self._fd)
            with suppress(OSError):
                self.path.unlink()
            raise

    def write(self, event: Event) -> Event | None:
        """Add an event. Return the event as written: values past a limit are shortened, and a ``gap`` after it says so;
        None if it was left out. Raises ReelError if it is not JSON (then it is left out) or the disk refuses.
        """
        if self.closed or os.getpid() != self._pid:
            return event
        line = encode_event(event)
        if has_reserved_form(line):
            raise ReelError(f"An event of kind {event['k']!r} looks like a line of the file's own; it was left out.")
        written, cut = limit_event_values(event)
        if written is not None and written is not event:
            line = encode_event(written)
        if written is not None and len(line) > LINE_PARTS:
            whole = written
            written, why = shorten_event_line(whole, line)
            if written is not None and written is not whole:
                line = encode_event(written)
            cut = why or cut
        if written is not None:
            self._add_line(written, line)
        if cut is not None:
            self.cut += 1
            self.last_cut = f"{cut}; {'it was left out' if written is None else 'what is past the limit was left out'}"[
                :500
            ]
            self._write_oversize_gap(event)
        if self._waiting >= FRAME_BYTES:
            self.flush()
        else:
            self.flush_if_due()
        return written

    def _write_oversize_gap(self, event: Event) -> None:
        gap: Event = {"k": "gap", "t": self._time, "reason": "oversize", "detail": self.last_cut}
        where = {name: event[name] for name in ("d", "page") if type(event.get(name)) is int}
        if find_event_problem(gap | where) is None:  # otherwise there is no such document or page
            gap |= where
        self._add_line(gap, encode_event(gap))

    def _add_line(self, event: Event, line: bytes) -> None:
        t = event.get("t")
        if (type(t) is int or type(t) is float) and t > self._time:
            self._time = min(t, LATEST)
        if not self._lines:
            self._oldest = time.monotonic()
        self._lines.append(line)
        self._waiting += len(line) + 1
        self.events += 1

    @property
    def seconds_until_flush(self) -> float | None:
        """Return the seconds until :meth:`flush_if_due` writes, negative if it is late; None if no event waits."""
        return self._oldest + self._flush_s - time.monotonic() if self._lines else None

    @property
    def is_file_in_place(self) -> bool:
        """Return whether the file is still at its path; False if it was deleted or replaced."""
        try:
            return os.path.samestat(os.stat(self.path, follow_symlinks=False), os.fstat(self._fd))
        except OSError:
            return False

    def flush_if_due(self) -> None:
        """Write a zstd frame if the oldest waiting event has waited for `flush_ms`. Cheap; call it often."""
        if self._lines and time.monotonic() - self._oldest >= self._flush_s:
            self.flush()

    def flush(self) -> None:
        """Write all waiting events. Afterwards they survive the death of this process."""
        while self._lines and not self.closed and os.getpid() == self._pid:
            lines, size = next(_split_into_zstd_frame_groups(self._lines))
            frame = encode_zstd_frame(self._compressor, self._frame, self._previous, lines)
            try:
                self._append_zstd_frame(_to_stored_bytes(self._sealer, frame, self._frame))
            except OSError as error:
                self._oldest = time.monotonic()
                if self._waiting > PENDING_LIMIT:
                    self.lost += len(self._lines)
                    self.events -= len(self._lines)
                    self._lines.clear()
                    self._waiting = 0
                raise ReelError(
                    f"{self.path} could not be written: {error.strerror or error}; free some space on its disk."
                ) from error
            self._previous = hashlib.sha256(frame).hexdigest()
            self._frame += 1
            del self._lines[: len(lines)]
            self._waiting -= size

    def close(self, reason: str = "closed", *, at: float | None = None) -> None:
        """Write the waiting events and the ``end`` event, in a frame of its own, and rewrite the reel compactly. `at`:
        the time of the end in ms; by default that of the last event.

        Raises ReelError if the disk refuses the end; then the reel stays unsealed. A second call does nothing.
        """
        if self.closed:
            return
        if os.getpid() != self._pid:
            self.closed = True
            os.close(self._fd)
            return
        try:
            self.flush()
            self._compressor = zstd_frames.ZstdFrameCompressor(zstd_frames.STORED_LEVEL)
            self.write(
                {"k": "end", "t": min(max(self._time, at or 0), LATEST), "reason": reason, "events": self.events}
            )
            self.flush()
            if self._compact:
                with suppress(Exception):  # the sealed reel is complete without the rewrite
                    self._rewrite_compactly()
        finally:
            self.closed = True
            os.close(self._fd)

    def __enter__(self) -> ReelWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.close("closed" if kind is None else "error")

    def _append_zstd_frame(self, frame: bytes) -> None:
        try:
            written = os.write(self._fd, frame)
            if written != len(frame):
                raise OSError(28, "the disk took only a part of a frame")
        except OSError:
            os.ftruncate(self._fd, self.size)
            os.lseek(self._fd, self.size, os.SEEK_SET)
            raise
        self.size += len(frame)

    def _rewrite_compactly(self) -> None:
        """Rewrite the same events in larger frames, in a new file that replaces the old one atomically."""
        temporary = self.path.with_name(f".{self.path.name}.{secrets.token_hex(6)}")
        fd = open_new_private_file(temporary)
        try:
            size = self._copy_compactly(fd)
            os.fsync(fd)
            # Another file may have been put at this path meanwhile; it must not be replaced.
            if size < self.size and self.is_file_in_place:
                os.replace(temporary, self.path)
                self.size = size
            else:
                temporary.unlink()
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        finally:
            os.close(fd)

    def _copy_compactly(self, fd: int) -> int:
        sealer = self._sealer.create_for_another_file() if self._sealer else None
        box: ZstdFrameContainer = self._sealer.box if self._sealer else PlainZstdFrameContainer()
        number = size = 0
        previous: str | None = None

        def write_zstd_frame(lines: list[bytes], level: int) -> None:
            nonlocal number, size, previous
            frame = encode_zstd_frame(zstd_frames.ZstdFrameCompressor(level), number, previous, lines)
            stored = _to_stored_bytes(sealer, frame, number)
            view = memoryview(stored)
            while view:
                view = view[os.write(fd, view) :]
            previous = hashlib.sha256(frame).hexdigest()
            number += 1
            size += len(stored)

        repeated = RepeatedTextShortener()
        for line in self._iter_written_lines(box):
            repeated.count_texts(line)
        events = (
            said
            for line in self._iter_written_lines(box)
            if not _is_line_written_last(line)
            for said in repeated.iter_shortened_lines(line)
        )
        wires = (line for line in self._iter_written_lines(box) if _is_model_exchange(line))
        binary = (line for line in self._iter_written_lines(box) if _is_base64_resource(line))
        for lines, plan in ((events, FINAL_FRAMES), (wires, FINAL_FRAMES[1:]), (binary, BINARY_FRAMES)):
            for group, level in _group_lines_by_plan(lines, plan):
                write_zstd_frame(group, level)
        write_zstd_frame(list(self._iter_written_lines(box, end=True)), zstd_frames.STORED_LEVEL)
        return size

    def _iter_written_lines(self, frame_container: ZstdFrameContainer, *, end: bool = False) -> Iterator[bytes]:
        """Yield the lines on the disk, without the frames' header lines: with `end` those of the last frame, which
        holds the end, else those of all others.
        """

        def read_at(offset: int, length: int) -> bytes:
            return os.pread(self._fd, length, offset)

        offset = frame_container.start
        for number in itertools.count():
            if offset >= self.size:
                return
            reach, packed = frame_container.read_zstd_frame(read_at, offset, self.size, number)
            offset += reach.length
            if (offset == self.size) is end:
                yield from filter(None, zstd_frames.decompress_frame(packed, reach.bound).split(b"\n")[1:])


def _split_into_zstd_frame_groups(lines: list[bytes]) -> Iterator[tuple[list[bytes], int]]:
    """Yield the waiting lines in groups, one for each zstd frame, with each group's size in bytes. There is one group,
    or several after the disk refused writes for long.
    """
    group: list[bytes] = []
    size = 0
    for line in lines:
        if group and size + len(line) > PENDING_LIMIT:
            yield group, size
            group, size = [], 0
        group.append(line)
        size += len(line) + 1
    yield group, size


def _is_line_written_last(line: bytes) -> bool:
    return _is_model_exchange(line) or _is_base64_resource(line)


def _is_model_exchange(line: bytes) -> bool:
    """Return whether a line is the HTTP exchange of a model call. Such lines resemble each other and not the lines
    between them, so they compress better together.
    """
    return line.startswith(b'{"k":"wire"')


def _is_base64_resource(line: bytes) -> bool:
    return line.startswith(b'{"k":"resource"') and b'"base64":"' in line[:1000]


def _group_lines_by_plan(
    lines: Iterable[bytes], plan: tuple[tuple[int, int], ...]
) -> Iterator[tuple[list[bytes], int]]:
    """Yield the lines in groups, each with its compression level. `plan`: the least size in bytes and the level of each
    group; the last entry is for all further groups.
    """
    rest = list(plan)
    group: list[bytes] = []
    waiting = 0
    for line in lines:
        group.append(line)
        waiting += len(line) + 1
        least, level = rest[0]
        if waiting >= least:
            yield group, level
            group, waiting = [], 0
            rest = rest[1:] or rest
    if group:
        yield group, rest[0][1]


def pick_header_fields(event: Event) -> Event:
    """Return the fields of a ``reel`` event that a copy of the recording has too; its writer sets the others."""
    return {name: value for name, value in event.items() if name not in ("k", "t", "format")}


def encode_event(event: Event) -> bytes:
    """Return the line of an event, without line end. Lone surrogates become U+FFFD. Raises ReelError if the event is
    not JSON.
    """
    try:
        try:
            return orjson.dumps(event)
        except TypeError:
            return orjson.dumps(_replace_lone_surrogates(event))
    except (TypeError, ValueError, RecursionError) as error:
        raise ReelError(
            f"An event of kind {event.get('k')!r} cannot be written as JSON ({error}); it was left out."
        ) from None


def _replace_lone_surrogates(value: Json) -> Json:
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if isinstance(value, list):
        return [_replace_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {replace_lone_surrogates(name): _replace_lone_surrogates(item) for name, item in value.items()}
    return value


def encode_zstd_frame(
    compressor: zstd_frames.ZstdFrameCompressor, number: int, previous_hash: str | None, lines: list[bytes]
) -> bytes:
    """Return one compressed zstd frame, which contains its header line and `lines`."""
    head = orjson.dumps({"k": "frame", "n": number, "prev": previous_hash})
    return compressor.compress(b"\n".join((head, *lines, b"")))


def _to_stored_bytes(encryptor: ZstdFrameEncryptor | None, frame: bytes, number: int) -> bytes:
    """Return a zstd frame as stored in the file; the first one of an encrypted file follows the file's header."""
    if encryptor is None:
        return frame
    return (b"" if number else encryptor.header) + encryptor.encrypt_zstd_frame(frame, number)
