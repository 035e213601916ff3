"""The writer: a queue, and one thread that does all slow work of a recording.

The caller's thread only appends ``(function, arguments, size)``. The writer thread calls the functions in order; they
belong to the handlers of documents and of the network and are called nowhere else, so they need no locks.

Nothing raises into the caller. A failing function becomes a ``gap`` event and one warning. When a fourth of ``limit``
bytes waits, pages are asked to sample less often (``pace``) until a sixteenth does. Past ``limit`` the queue refuses
sampled events, and past four times ``limit`` everything but the ends of calls and requests. Refusals become a gap with
the reason ``overload``.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any
from weakref import WeakSet

from pagereel.reel import Event, Keys, open_reel_writer

from ..runtime.clock import Clock
from ..runtime.closed_targets import is_closed_target_error
from ..runtime.code_folders import list_own_folders, list_package_folders
from ..runtime.json_conversion import to_text
from ..runtime.stall_monitor import StallMonitor

Job = tuple[Callable[..., object], tuple[Any, ...], int]

_FLUSH_MS = 125
"""Ms after which events are flushed to the disk. ``kill -9`` may cost 250 ms of the page: the page takes up to 65 ms
until it sends a change, and the rest is for transport and for a busy machine.
"""
_SLOW = 4
"""Factor by which pages sample less often while too much waits."""
_IDLE = 0.1
"""Longest sleep of the writer thread, in seconds."""
_LOOK = 0.5
"""Seconds between two checks whether the recording's file is still there."""

_SLOWED = f"more comes than can be written: what is sampled is sampled {_SLOW} times less often"


class RecorderWarning(UserWarning):
    """A warning that something could not be recorded. The run itself continues; the reel has a ``gap`` event with the
    details.
    """


def issue_warning(message: str) -> None:
    """Issue a warning at the line of the user's program that caused it, never at a line of pagereel. If warnings are
    set to be errors, it is not raised into the agent's run.
    """
    with contextlib.suppress(Exception):
        others = (*list_own_folders(), *list_package_folders(), "<frozen")
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(others):
            frame = frame.f_back
        if frame is None:
            warnings.warn_explicit(message, RecorderWarning, "pagereel", 0)  # a thread, or the interpreter's end
            return
        names = frame.f_globals
        warnings.warn_explicit(
            message, RecorderWarning, frame.f_code.co_filename, frame.f_lineno, str(names.get("__name__")),
            names.setdefault("__warningregistry__", {}),
        )  # fmt: skip


class WriterThread:
    """The queue to the writer thread. Only this object writes to the reel."""

    def __init__(
        self, path: str | os.PathLike[str], header: Event, clock: Clock, limit: int, encrypt_to: Keys | None = None
    ) -> None:
        self._writer = open_reel_writer(path, header, flush_ms=_FLUSH_MS, encrypt_to=encrypt_to)
        self._clock = clock
        self._limit = limit
        self._jobs: deque[Job] = deque()
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._closing: str | None = None
        self._dead = False
        self._warned = False
        self.bytes_queued = 0
        self.peak = 0
        self.dropped = 0
        self.events = 0
        self.bytes = 0
        self.gaps: dict[str, int] = {}
        self.cpu = 0.0
        self._told = 0.0
        """When the thread was last woken while it was idle, in s on the process's clock."""
        self._overloaded = False
        self.pace = 1
        """Factor by which pages should sample less often."""
        self.watch: Callable[[Event], None] | None = None
        """A callback that gets every written event, on the writer thread."""
        self.missing = False
        """The recording's file was deleted or replaced: there is no recording."""
        self._looked = 0.0
        self._beat = StallMonitor(clock, self.write_event)
        self._thread = threading.Thread(target=self._run_writer_loop, name="pagereel-writer", daemon=True)
        _open.add(self)

    @property
    def path(self) -> Path:
        """Return the path of the reel on this disk."""
        return self._writer.path

    def start(self) -> None:
        self._thread.start()

    # -- any thread ---------------------------------------------------------------------------------------------------

    def enqueue_call(
        self, function: Callable[..., object], *arguments: Any, size: int = 256, sampled: bool = False
    ) -> bool:
        """Call ``function(*arguments)`` later on the writer thread. ``size``: how many bytes the arguments hold.

        Returns False when the queue was too full and the call was dropped.
        """
        if self._dead:
            return False
        queued = self.bytes_queued
        if queued > self._limit and (sampled or queued > 4 * self._limit):
            self.dropped += 1
            if not self._overloaded:
                self._overloaded = True
                self._jobs.append((self.write_gap, ("overload", {"detail": "more came than could be written"}), 0))
            return False
        with self._lock:
            self.bytes_queued += size
        self.peak = max(self.peak, self.bytes_queued)
        if self.pace == 1 and queued > self._limit / 4:
            self.pace = _SLOW
            self._jobs.append((self.write_gap, ("overload", {"detail": _SLOWED}), 0))
        elif self.pace > 1 and queued < self._limit / 16:
            self.pace = 1
        if not self._jobs:
            self._told = time.perf_counter()
        self._jobs.append((function, arguments, size))
        self._wake.set()
        return True

    def enqueue_event(self, event: Event, size: int = 256) -> None:
        """Write one event, whose time ``t`` is set, on the writer thread."""
        self.enqueue_call(self.write_event, event, size=size)

    def report_error(self, activity: str, error: BaseException | str) -> None:
        """Write a gap and one warning for an error inside the recorder; never raise. An error that only says that a
        page is closed is ignored.
        """
        if isinstance(error, BaseException) and is_closed_target_error(error):
            return
        text = error if isinstance(error, str) else f"{type(error).__name__}: {to_text(error, 1_000)}"
        detail = f"{activity}: {text}"[:500]
        self.enqueue_call(self.write_gap, "error", {"detail": detail})
        self.warn(f"pagereel could not record everything ({detail}); the run is not affected")

    def warn(self, message: str) -> None:
        if self._warned:
            return
        self._warned = True
        issue_warning(message)

    def close(self, reason: str, timeout: float = 30.0) -> bool:
        """Write the queued events, seal the reel and end the thread. Return whether that was done in ``timeout``
        seconds. If not, issue a warning; the thread continues as long as the process lives.
        """
        if self._dead:
            return True
        if self._closing is None:
            self._closing = reason
        self._told = time.perf_counter()
        self._wake.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)
            if self._thread.is_alive():
                issue_warning(
                    f"pagereel is still writing {self.path} ({self.bytes_queued:,} bytes wait); it goes on with that, "
                    "and the recording is whole once this process has ended by itself"
                )
        return not self._thread.is_alive()

    def seal_at_process_end(self) -> None:
        """Seal the reel at the end of the process, and wait as long as the thread makes progress."""
        while True:
            left = self.bytes_queued
            if self.close("exit", timeout=10.0) or self.bytes_queued >= left:
                break

    # -- the writer thread --------------------------------------------------------------------------------------------

    def write_event(self, event: Event) -> Event | None:
        """Write an event, and return the written form; None if the event is invalid, which becomes a gap."""
        cut = self._writer.cut
        written = self._writer.write(event)
        if self._writer.cut > cut:
            self.gaps["oversize"] = self.gaps.get("oversize", 0) + 1
            self.warn(f"pagereel could not record everything ({self._writer.last_cut}); the run is not affected")
        if written is not None:
            self.events += 1
            if self.watch is not None:
                self.watch(written)
        return written

    def write_gap(self, reason: str, fields: Event | None = None) -> None:
        """Write a ``gap`` event: something was not recorded."""
        self.gaps[reason] = self.gaps.get(reason, 0) + 1
        self.write_event({"k": "gap", "t": self._clock.now(), "reason": reason, **(fields or {})})

    def _run_writer_loop(self) -> None:
        jobs = self._jobs
        while True:
            due = self._writer.seconds_until_flush
            sleep = _IDLE if due is None else min(_IDLE, max(0.0, due))
            slept = time.perf_counter()
            called = self._wake.wait(sleep)
            self._wake.clear()
            began = time.thread_time()
            with contextlib.suppress(Exception):
                self._beat.write_stall_if_late(max(slept, self._told) if called else slept + sleep)
                self._beat.read_pressure_if_due()
            while jobs:
                function, arguments, size = jobs.popleft()
                try:
                    function(*arguments)
                except Exception as error:
                    self._report_failed_call(function, error)
                with self._lock:
                    self.bytes_queued -= size
                self._flush_if_due()
            self._overloaded = False
            self._flush_if_due()
            self._warn_if_file_replaced()
            self.cpu += time.thread_time() - began
            if self._closing is not None and not jobs:
                break
        self._dead = True
        try:
            self._beat.stop()
            self._looked = 0.0
            self._warn_if_file_replaced()
            self._writer.close(self._closing)
            if self.missing:
                issue_warning(f"there is no recording of this run: {self.path} was deleted or replaced before it ended")
        except Exception as error:
            self.warn(f"pagereel could not end the recording as it should ({type(error).__name__}: {error})")
        _open.discard(self)

    def _flush_if_due(self) -> None:
        try:
            self._writer.flush_if_due()
        except Exception as error:
            self.warn(f"pagereel could not write the recording ({type(error).__name__}: {error})")

    def _warn_if_file_replaced(self) -> None:
        """Warn at once when the reel's file was deleted or replaced, because later events are then lost."""
        now = time.monotonic()
        if self.missing or now - self._looked < _LOOK:
            return
        self._looked = now
        if not self._writer.is_file_in_place:
            self.missing = True
            issue_warning(
                f"{self.path} was deleted or replaced while it is being recorded; nothing more of this run is kept there"
            )

    def _report_failed_call(self, function: Callable[..., object], error: Exception) -> None:
        name = getattr(function, "__name__", "?")
        detail = f"{name}: {type(error).__name__}: {error}"[:500]
        with contextlib.suppress(Exception):
            self.write_gap("error", {"detail": detail})
        self.warn(f"pagereel could not record everything ({detail}); the run is not affected")

    def disable_after_fork(self) -> None:
        """Make this writer do nothing in a forked child process, because the writer thread runs only in the parent."""
        self._dead = True
        self._jobs.clear()


_open: WeakSet[WriterThread] = WeakSet()


def _seal_all_reels_at_exit() -> None:
    for writer in list(_open):
        writer.seal_at_process_end()


def _disable_all_writers_after_fork() -> None:
    for writer in list(_open):
        writer.disable_after_fork()


atexit.register(_seal_all_reels_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disable_all_writers_after_fork)
