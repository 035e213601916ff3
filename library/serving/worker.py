"""The worker process for heavy work: it runs tasks one at a time, within limits of time and memory.

A recording that crashes the process does not harm the server. The process ends with the server, and after an idle
time, to free its memory.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

from pagereel.errors import PagereelError
from pagereel.processes import end_process_with_parent, limit_process_memory

_IDLE_S: Final = 120.0

Task = Callable[..., dict[str, Any]]
Work = Future[dict[str, Any]]
"""The future result of a task of :mod:`.worker_tasks`."""


class RequestRefusedError(PagereelError):
    """An error that becomes a response with a status and a sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class FileNotReadyError(PagereelError):
    """The error raised when a file is still being made, and the time to wait for it is over."""


@dataclass(frozen=True, slots=True)
class TaskLimits:
    """The limits of one task.

    `seconds`: its time; a task gets more for each MiB that it reads, and the first task of a process gets more, because
    it imports modules and loads the language models. `memory`: in bytes.
    """

    seconds: float = 60.0
    seconds_mib: float = 60.0
    seconds_first: float = 60.0
    memory: int = 3 << 30

    def compute_time_limit(self, size: int) -> float:
        """Return the seconds for a task that reads `size` bytes."""
        return self.seconds + self.seconds_mib * size / (1 << 20)


_ENDED: Final = {"status": 422, "error": "The recording cannot be read: whoever reads it ends."}
_LONG: Final = {
    "status": 422,
    "error": "The recording takes longer than this server works on one: start it with a larger --task-seconds.",
}
_STOPPED: Final = {"status": 503, "error": "The server is ending."}


class _QueuedTask(NamedTuple):
    work: Work
    task: Task
    given: tuple[Any, ...]
    seconds: float


class TaskWorker:
    """A worker process and the queue of its tasks. The process starts with the first task; a thread gives it one task
    after the other.
    """

    def __init__(self, limits: TaskLimits | None = None) -> None:
        self.limits = limits or TaskLimits()
        self._asked: queue.SimpleQueue[_QueuedTask | None] = queue.SimpleQueue()
        self._process: _WorkerProcess | None = None
        self._thread: threading.Thread | None = None
        self._waiting = 0
        self._closed = False
        self._guard = threading.Lock()

    @property
    def is_started(self) -> bool:
        """Return whether the process runs, or will be started by a queued task."""
        return self._process is not None or self._waiting > 0

    def queue_task(self, task: Task, *given: Any, size: int = 0) -> Work:
        """Queue a task that reads `size` bytes. Pass the returned object to :func:`wait_for_task_result` for the task's result."""
        work: Work = Future()
        with self._guard:
            if self._closed:
                work.set_result(_STOPPED)
                return work
            if self._thread is None:
                self._thread = threading.Thread(target=self._run_queue, daemon=True, name="worker")
                self._thread.start()
            self._waiting += 1
            self._asked.put(_QueuedTask(work, task, given, self.limits.compute_time_limit(size)))
        return work

    def close(self) -> None:
        """End the process at once. Waiting tasks get an error as their result."""
        with self._guard:
            self._closed = True
            self._asked.put(None)
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join()

    def _run_queue(self) -> None:
        while True:
            try:
                asked = self._asked.get(timeout=_IDLE_S if self._process is not None else None)
            except queue.Empty:
                self._end_idle_process()
                continue
            if asked is None:
                break
            told = self._run_queued_task(asked)
            self._waiting -= 1
            asked.work.set_result(told)
        self._end_idle_process()
        while not self._asked.empty():
            left = self._asked.get()
            if left is not None:
                self._waiting -= 1
                left.work.set_result(_STOPPED)

    def _run_queued_task(self, queued: _QueuedTask) -> dict[str, Any]:
        seconds = queued.seconds
        if self._process is not None and not self._process.is_alive:  # the process was ended meanwhile
            self._end_idle_process()
        with self._guard:
            if self._closed:
                return _STOPPED
            if self._process is None:
                self._process = _WorkerProcess(self.limits.memory)
                seconds += self.limits.seconds_first
        told = self._process.run_task(queued.task, queued.given, seconds)
        if told is None or told is _LONG:
            self._end_idle_process()
        if self._closed:
            return _STOPPED
        return _ENDED if told is None else told

    def _end_idle_process(self) -> None:
        with self._guard:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()


class _WorkerProcess:
    """A process that runs one task after the other.

    It leads its own process group, so that processes started by a task end with it.
    """

    def __init__(self, memory: int) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_run_worker_loop, args=(theirs, memory), name="worker")
        self._process.start()
        theirs.close()

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()

    def run_task(self, task: Task, arguments: tuple[Any, ...], seconds: float) -> dict[str, Any] | None:
        """Run a task in the process, and return its result; None where the process ended before there was one."""
        until = time.monotonic() + seconds
        with contextlib.suppress(EOFError, OSError):
            self._pipe.send((task, arguments))
            if not self._pipe.poll(max(0.0, until - time.monotonic())):
                return _LONG
            fields: dict[str, Any] = self._pipe.recv()
            return fields
        return None

    def kill(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()  # it may not lead a process group yet

    def join(self) -> None:
        self._process.join()
        self._pipe.close()


def _run_worker_loop(pipe: Connection, memory: int) -> None:
    """Run tasks from the pipe until it is closed."""
    end_process_with_parent()
    if hasattr(os, "setsid"):
        os.setsid()  # Ctrl+C in the terminal is for the server
    limit_process_memory(memory)
    with contextlib.suppress(EOFError, OSError):
        while True:
            task, given = pipe.recv()
            try:
                told = task(*given)
            except Exception as error:  # any error must end only this task
                print(
                    f"A task of the server failed: {type(error).__name__}.", file=sys.stderr
                )  # the error's message may quote the recording
                told = {"status": 422, "error": f"The recording cannot be read ({type(error).__name__})."}
            pipe.send(told)


def wait_for_task_result(task: Work, patience: float | None = None) -> dict[str, Any]:
    """Return a task's result. `patience`: seconds to wait for it; None: without limit.

    :raises RequestRefusedError: for faults of the recording or of the client.
    :raises FileNotReadyError: the task is not finished yet.
    """
    if not wait([task], patience).done:
        raise FileNotReadyError("This is still being prepared.")
    told = task.result()
    if "error" in told:
        raise RequestRefusedError(told["status"], told["error"])
    return told


def has_task_failed(task: Work) -> bool:
    """Return whether a task has ended with a failure."""
    return task.done() and "error" in task.result()
