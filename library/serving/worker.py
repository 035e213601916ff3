"""A process for heavy work: recordings are parsed, masked and built there, one at a time.

Readers do not wait for it, the server outlives it where a recording is its end, and its memory is given back when nothing was asked for a while.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Final

from pagereel.errors import PagereelError

_IDLE_S: Final = 120.0

Work = Future[dict[str, Any]]
"""What one of the tasks of :mod:`.work` gives, when it does."""


class RefusedError(PagereelError):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class MeanwhileError(PagereelError):
    """What is asked for is being made, and takes longer than whoever asks would wait for without a word."""


class Worker:
    """The process. It begins with the first task, or when somebody is expected to have one."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._idle: threading.Timer | None = None
        self._busy = 0
        self._guard = threading.Lock()

    @property
    def begun(self) -> bool:
        """Whether the process is there."""
        return self._pool is not None

    def begin(self, task: Callable[..., dict[str, Any]], *given: Any) -> Work:
        """Begin a task. :func:`result` gives what comes of it."""
        with self._guard:
            try:
                work = self._running().submit(task, *given)
            except BrokenProcessPool:  # by the task before
                self._pool = None
                work = self._running().submit(task, *given)
            self._busy += 1
        work.add_done_callback(self._ended)
        return work

    def close(self) -> None:
        """End the process, whatever it does: nobody waits for that any more, and a file has its name only when it is whole."""
        with self._guard:
            if self._idle is not None:
                self._idle.cancel()
            pool, self._pool = self._pool, None
        if pool is not None:
            for process in dict(vars(pool)["_processes"] or {}).values():
                process.terminate()
            pool.shutdown(cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        return self._pool

    def _ended(self, _: Work) -> None:
        with self._guard:
            self._busy -= 1
            if self._idle is not None:
                self._idle.cancel()
            self._idle = threading.Timer(_IDLE_S, self._rest)
            self._idle.daemon = True
            self._idle.start()

    def _rest(self) -> None:
        with self._guard:
            if self._busy:
                return
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()


def result(work: Work, patience: float | None = None) -> dict[str, Any]:
    """Return what a task gave. `patience`: for how many seconds to wait for it; None: to its end.

    :raises RefusedError: for what the recording, or who asked, is to blame for.
    :raises MeanwhileError: it goes on.
    """
    if not wait([work], patience).done:
        raise MeanwhileError("This is being made.")
    try:
        told = work.result()
    except BrokenProcessPool:
        raise RefusedError(422, "The recording cannot be read: whoever reads it ends.") from None
    if "error" in told:
        raise RefusedError(told["status"], told["error"])
    return told


def failed(work: Work) -> bool:
    """Return whether a task has ended without what it was for."""
    return work.done() and (work.exception() is not None or "error" in work.result())
