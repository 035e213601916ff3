"""Live views of recordings under way: one process for each recording, masked or not, serves any number of viewers.

The process reads the events that the recorder appends, masks them, and converts them to parts for the player, each
once. This module sends the parts as server-sent events. A new viewer gets the present pages from the process. A viewer
that lost the connection for a moment gets the parts that it missed. A viewer that is too slow begins anew.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import secrets
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

import orjson

from pagereel.errors import PagereelError
from pagereel.processes import end_process_with_parent, limit_process_memory

_LOOK_S: Final = 0.025
"""Seconds between two checks whether the recording has grown."""
_SILENT_S: Final = 600.0
"""Seconds without a new line after which the recorder counts as gone."""
_LINGER_S: Final = 20.0
"""Seconds for which a process without viewers waits for one to come back."""
_BEAT_S: Final = 10.0
_BACK: Final = 8 << 20
"""Bytes of parts that are kept for viewers that come back."""
_SLOW: Final = 16 << 20
"""Bytes that may wait for a viewer before it begins anew."""
_MEMORY: Final = 2 << 30
"""Memory limit of one process, in bytes."""
VIEWERS: Final = 100
_AT_ONCE: Final = 2_000
"""Number of events of an earlier part of the recording that are added at once."""


class LiveViewer:
    """One viewer of a live recording: the data that is still to be sent, and the numbers of the resources already sent."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.waiting = 0
        self.sent: set[int] = set()
        self.number = 0
        self.joined = False

    def queue_event_data(self, data: bytes | None) -> None:
        self.waiting += len(data or b"")
        self.queue.put_nowait(data)


@dataclass(slots=True)
class _FeedPart:
    number: int
    needs: tuple[int, ...]
    data: bytes


class LiveFeed:
    """The live stream of one recording, masked or not, for all its viewers. It is used only from the event loop."""

    def __init__(self, path: Path, masked: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._epoch = secrets.token_hex(4)
        self._resources: dict[int, bytes] = {}
        self._kept: deque[_FeedPart] = deque()
        self._bytes = 0
        self._viewers: dict[int, LiveViewer] = {}
        self._counted = 0
        self.over = False
        self.left: float = time.monotonic()
        """Since when there have been no viewers."""
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_run_feed_process, args=(str(path), masked, theirs), daemon=True, name="live"
        )
        self._process.start()
        theirs.close()
        threading.Thread(target=self._read_process_messages, daemon=True, name="live").start()

    @property
    def process_id(self) -> int | None:
        """Return the id of the process."""
        return self._process.pid

    @property
    def viewer_count(self) -> int:
        """Return the number of viewers."""
        return len(self._viewers)

    def close(self) -> None:
        """End the process that reads the recording, and the streams of all viewers."""
        self.over = True
        with contextlib.suppress(OSError, ValueError):
            self._pipe.send(("stop",))
        for viewer in self._viewers.values():
            viewer.queue_event_data(None)

    async def iter_events(self, last_event_id: str | None) -> AsyncIterator[bytes]:
        """Yield the server-sent events for one more viewer, until the recording ends. `last_event_id`: the id of the last event
        that this viewer received before it lost the connection.
        """
        viewer = LiveViewer()
        self._counted += 1
        viewer.number = self._counted
        self._viewers[viewer.number] = viewer
        try:
            yield b"retry: 1000\n\n"
            if self.over:
                yield _format_server_sent_event("gone", b"{}")
                return
            if not self._resume_viewer(viewer, last_event_id):
                self._pipe.send(("begin", viewer.number))
            while True:
                try:
                    data = await asyncio.wait_for(viewer.queue.get(), _BEAT_S)
                except TimeoutError:
                    yield b": \n\n"
                    continue
                if data is None:
                    return
                viewer.waiting -= len(data)
                yield data
        finally:
            del self._viewers[viewer.number]
            self.left = time.monotonic()

    # -- messages of the process --------------------

    def _read_process_messages(self) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                said = self._pipe.recv()
                self._loop.call_soon_threadsafe(self._handle_process_message, *said)
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._handle_process_message, "gone", "")

    def _handle_process_message(self, kind: str, *given: Any) -> None:
        if kind == "resource":
            number, mime, data = given
            told = orjson.dumps([number, mime, base64.b64encode(data).decode()])
            self._resources[number] = _format_server_sent_event("resource", told)
        elif kind == "begin":
            viewer = self._viewers.get(given[0])
            if viewer is not None:
                self._send_part(viewer, _FeedPart(*given[1:]))
                viewer.joined = True
        elif kind == "part":
            kept = _FeedPart(*given)
            self._kept.append(kept)
            self._bytes += len(kept.data)
            while self._bytes > _BACK and len(self._kept) > 1:
                self._bytes -= len(self._kept.popleft().data)
            for viewer in self._viewers.values():
                if viewer.joined:
                    self._send_part(viewer, kept)
        elif kind == "gone" and not self.over:
            self.over = True
            for viewer in self._viewers.values():
                viewer.queue_event_data(_format_server_sent_event("gone", orjson.dumps({"why": given[0]})))
                viewer.queue_event_data(None)
        elif kind == "end":
            self.over = True
            for viewer in self._viewers.values():
                viewer.queue_event_data(None)

    def _send_part(self, viewer: LiveViewer, part: _FeedPart) -> None:
        if viewer.waiting > _SLOW:
            self._restart_viewer(viewer)
            return
        for number in part.needs:
            if number not in viewer.sent:
                viewer.sent.add(number)
                viewer.queue_event_data(self._resources[number])
        viewer.queue_event_data(_format_server_sent_event("part", part.data, f"{self._epoch}-{part.number}"))

    def _restart_viewer(self, viewer: LiveViewer) -> None:
        """Drop the data that is still to be sent to a viewer that is too slow, and begin anew with the present pages."""
        while not viewer.queue.empty():
            viewer.queue.get_nowait()
        viewer.waiting, viewer.joined = 0, False
        viewer.sent.clear()
        self._pipe.send(("begin", viewer.number))

    def _resume_viewer(self, viewer: LiveViewer, last_event_id: str | None) -> bool:
        """Send the parts that a viewer missed since the event `last_event_id`. Return False if they are not kept any more."""
        epoch, _, number = (last_event_id or "").partition("-")
        if epoch != self._epoch or not number.isdecimal() or not self._kept:
            return False
        known = int(number)
        if known < self._kept[0].number - 1:
            return False
        viewer.joined = True
        for part in self._kept:
            if part.number > known:
                self._send_part(viewer, part)
        return True


class LiveFeeds:
    """The live streams of all recordings that have viewers."""

    def __init__(self) -> None:
        self._feeds: dict[tuple[Path, int, bool], LiveFeed] = {}
        self.closed = False

    async def iter_events(self, path: Path, masked: bool, last_event_id: str | None) -> AsyncIterator[bytes]:
        """Yield the server-sent events of the recording at `path`; its stream is started if it has no viewers yet."""
        if self.closed:
            return
        self._close_unused_feeds()
        key = path, path.stat().st_ino, masked
        feed = self._feeds.get(key)
        if feed is None or feed.over:
            feed = self._feeds[key] = LiveFeed(path, masked)
        if feed.viewer_count >= VIEWERS:
            yield _format_server_sent_event("gone", orjson.dumps({"why": f"{VIEWERS} watch already."}))
            return
        try:
            async for data in feed.iter_events(last_event_id):
                yield data
        finally:
            with contextlib.suppress(RuntimeError):
                asyncio.get_running_loop().call_later(_LINGER_S + 1, self._close_unused_feeds)

    def close(self) -> None:
        """End the streams of all recordings."""
        self.closed = True
        for feed in self._feeds.values():
            feed.close()
        self._feeds.clear()

    def _close_unused_feeds(self) -> None:
        for key, feed in list(self._feeds.items()):
            if feed.over or (not feed.viewer_count and time.monotonic() - feed.left >= _LINGER_S):
                feed.close()
                del self._feeds[key]


def _format_server_sent_event(name: str, data: bytes, id: str | None = None) -> bytes:
    head = f"id: {id}\n" if id else ""
    return f"{head}event: {name}\ndata: ".encode() + data + b"\n\n"


# -- the process ------------------------------------------------------------------------------------------------------


@dataclass
class _FeedProcessState:
    pipe: Connection
    growing: Any
    sent: set[int] = field(default_factory=set)
    number: int = 0
    begun: bool = False

    def send_part(self, kind: str, part: Any, *first: int) -> None:
        """Send a part, after the resources that it needs and that were not sent yet."""
        for number in part.needs:
            if number not in self.sent:
                self.sent.add(number)
                self.pipe.send(("resource", number, *self.growing.read_resource(number)))
        self.pipe.send((kind, *first, self.number, part.needs, part.data))


def _run_feed_process(path: str, masked: bool, pipe: Connection) -> None:
    """Follow a recording until its end, or until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles SIGINT, and ends this process
    end_process_with_parent()
    limit_process_memory(_MEMORY)
    try:
        _follow_recording(path, masked, pipe)
    except (EOFError, OSError):
        return  # the server is gone
    except PagereelError:
        why = "The recording cannot be read."
    except Exception as error:  # a hostile recording must end only its own view
        why = f"The recording cannot be shown ({type(error).__name__})."
    else:
        return
    with contextlib.suppress(OSError):
        pipe.send(("gone", why))


def _follow_recording(path: str, masked: bool, pipe: Connection) -> None:
    from pagereel.player_build import LiveBuild
    from pagereel.redaction import LiveMasker
    from pagereel.reel import open_reel

    with open_reel(path) as reel:
        mask = LiveMasker() if masked else None
        header = mask.mask_header(reel.header) if mask else reel.header
        growing = LiveBuild(header, {"policy": "strict", "live": True} if masked else None)
        watching = _FeedProcessState(pipe, growing)

        def read_new_events() -> list[Any]:
            events = reel.read_new_events()
            return events if mask is None else [out for event in events for out in mask.mask_event(event)]

        earlier = read_new_events()
        for at in range(0, len(earlier), _AT_ONCE):
            growing.add_events(earlier[at : at + _AT_ONCE])
        grown = time.monotonic()
        while True:
            if events := read_new_events():
                grown = time.monotonic()
                part = growing.add_events(events)
                if part is not None:
                    watching.number += 1
                    watching.send_part("part", part)
            elif time.monotonic() - grown > _SILENT_S or (reel.damage is not None and not reel.is_cut):
                pipe.send(("gone", "Nothing more was written."))
                return
            # The process was started for a viewer, so wait for that viewer even if the recording has ended.
            while pipe.poll(_LOOK_S) or (growing.ended and not watching.begun):
                asked = pipe.recv()
                if asked[0] == "stop":
                    return
                watching.begun = True
                watching.send_part("begin", growing.build_first_part(), asked[1])
            if growing.ended:
                break
        pipe.send(("end",))
