"""Builds replays in a separate process while the tests go on, because redacting a replay takes longer than most tests.

    builds = BackgroundBuilds(folder, Path.cwd())
    builds.add_job(reel, html, redaction="vendor", title="tests/test_shop.py::test_pays")
    errors = builds.wait_for_all()

The process starts with the first replay, has a lower priority than the tests, and ends with its parent process.
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

_SERVE: Final = "from pagereel.integrations.testing.background_builds import serve_build_jobs; serve_build_jobs()"
_NICER: Final = 5
"""Niceness of the process above that of the tests."""
_ENDED: Final = "the process that builds replays ended before this one was built"


class BackgroundBuilds:
    """A queue of replays that are built in one background process. Call its methods from one thread only."""

    def __init__(self, folder: Path, start: Path) -> None:
        """`folder`: the folder for waiting recordings, which must exist until :meth:`wait_for_all` returns. `start`: the
        working folder of the process.
        """
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
    def remaining_count(self) -> int:
        """Return the number of queued replays that are not built yet."""
        return self._added - self._done

    def add_job(self, reel: Path, html: Path, *, redaction: Any = "vendor", title: str | None = None) -> Path:
        """Queue a replay, and return its path. The recording may be deleted afterwards.

        :raises OSError: the recording cannot be read.
        """
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
            self._thread = threading.Thread(target=self._run_jobs, name="pagereel-later", daemon=True)
            self._thread.start()
        return html

    def wait_for_all(self) -> list[str]:
        """Wait until all replays are built. Return a sentence for each failed build. An interrupt cancels the remaining
        builds.
        """
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

    def _run_jobs(self) -> None:
        while (job := self._jobs.get()) is not None:
            error = _ENDED if self._given_up else self._run_job(job)
            if error:
                self._errors.append(f"{job['destination']}: {error}")
            with contextlib.suppress(OSError):
                Path(job["source"]).unlink()
            self._done += 1
        if self._process is not None:
            with contextlib.suppress(OSError):
                _require_pipe(self._process.stdin).close()
            self._process.wait()

    def _run_job(self, job: dict[str, Any]) -> str:
        """Build one replay in the process, and return the error in a sentence; "" if there was none."""
        try:
            if self._process is None or self._process.poll() is not None:
                self._process = self._start_process()
            to, back = _require_pipe(self._process.stdin), _require_pipe(self._process.stdout)
            to.write(json.dumps(job) + "\n")
            to.flush()
            answer = back.readline()
            return str(json.loads(answer)["error"]) if answer else _ENDED
        except (OSError, ValueError, KeyError) as error:
            return f"{_ENDED} ({error})"

    def _start_process(self) -> subprocess.Popen[str]:
        # Its own session, because Ctrl-C is for the tests. Its output is separate, because pytest captures that of the
        # tests.
        return subprocess.Popen(
            [sys.executable, "-c", _SERVE], cwd=self._start, start_new_session=True, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip


def _require_pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def serve_build_jobs() -> None:
    """Run the background process: build the job on each line of stdin (JSON), and write a line with its result."""
    from pagereel.player_build import build_and_return_error

    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # Output of libraries must not mix with the answers.
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICER)
    for line in sys.stdin:
        answers.write(json.dumps({"error": build_and_return_error(json.loads(line))}) + "\n")
        answers.flush()


Builder = Callable[..., object]
"""A function that builds a replay, at once or in the background: ``(reel, html, redaction=…, title=…)``."""
