"""Builds replays in a process of its own, while the tests go on: redacting one takes longer than most tests, and loading the models longer still.

    later = Later(folder, Path.cwd())
    later.add(reel, html, redaction="vendor", title="tests/test_shop.py::test_pays")
    errors = later.join()

The process is begun with the first replay, is nicer than the tests, and ends with the one that began it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final

_SERVE: Final = "from pagereel.integrations.testing.background_builds import serve; serve()"
_NICER: Final = 5
"""By how much the process stands back behind the tests, where cores are short."""
_ENDED: Final = "the process that builds replays ended before this one was built"


class BackgroundBuilds:
    """Replays that are built one after the other beside what else runs. Methods are called from one thread."""

    def __init__(self, folder: Path, start: Path) -> None:
        """`folder`: where recordings wait; it is there until :meth:`join` was called. `start`: where the process works."""
        self._folder = folder
        self._start = start
        self._jobs: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._errors: list[str] = []
        self._added = 0
        self._done = 0
        self._given_up = False

    @property
    def left(self) -> int:
        """How many are not built yet."""
        return self._added - self._done

    def add(self, reel: Path, html: Path, *, redaction: Any = "vendor", title: str | None = None) -> Path:
        """Build this replay as soon as those before it are done; the recording may be removed at once. Raises OSError where it cannot be read."""
        waiting = self._folder / f"{uuid.uuid4().hex}.reel"
        try:
            os.link(reel, waiting)
        except OSError:
            shutil.copy(reel, waiting)
        policy = os.fspath(redaction) if redaction is not None else None
        job = {"source": str(waiting), "destination": str(html.absolute()), "redaction": policy, "title": title}
        self._added += 1
        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="pagereel-later", daemon=True)
            self._thread.start()
        return html

    def join(self) -> list[str]:
        """Wait until all are built; a sentence for each that could not be. An interruption gives the rest up, and raises on."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            try:
                thread.join()
            except BaseException:
                self._given_up = True
                if self._process is not None:
                    self._process.kill()
                raise
        errors, self._errors = self._errors, []
        return errors

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            error = _ENDED if self._given_up else self._built(job)
            if error:
                self._errors.append(f"{job['destination']}: {error}")
            with contextlib.suppress(OSError):
                Path(job["source"]).unlink()
            self._done += 1
        if self._process is not None:
            with contextlib.suppress(OSError):
                _pipe(self._process.stdin).close()
            self._process.wait()

    def _built(self, job: dict[str, Any]) -> str:
        """Return what went wrong, nothing if it is built."""
        try:
            if self._process is None or self._process.poll() is not None:
                self._process = self._begin()
            to, back = _pipe(self._process.stdin), _pipe(self._process.stdout)
            to.write(json.dumps(job) + "\n")
            to.flush()
            answer = back.readline()
            return str(json.loads(answer)["error"]) if answer else _ENDED
        except (OSError, ValueError, KeyError) as error:
            return f"{_ENDED} ({error})"

    def _begin(self) -> subprocess.Popen[str]:
        # A session of its own: Ctrl-C is the tests' to answer. What the tests write to is captured, and is none of its business.
        return subprocess.Popen(
            [sys.executable, "-c", _SERVE], cwd=self._start, start_new_session=True, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None
    return end


def serve() -> None:
    """Build what stands on stdin, a job in JSON a line, and answer each with a line. Ends when there is no more."""
    from pagereel.player_build import build_or_say

    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # What a library prints is no answer.
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICER)
    for line in sys.stdin:
        answers.write(json.dumps({"error": build_or_say(json.loads(line))}) + "\n")
        answers.flush()


Builder = Callable[..., object]
"""What builds a replay, at once or later: ``(reel, html, redaction=…, title=…)``."""
