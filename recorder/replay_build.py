"""Builds the replay when a recording has ended, also after an exception or an interrupt.

A separate process builds it, so that the caller's process loads no language models, its event loop keeps running, and a
Ctrl-C that ended the run does not end the build. This module knows only the command to run.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from pagereel.errors import UsageError
from pagereel.hyperlinks import link_source_location
from pagereel.options import Redaction, normalize_redaction_option

from .ingest.writer_thread import issue_warning
from .runtime.options import Options

_BUILD: Final = "from pagereel.player_build.subprocess_build import main; main()"


class ReplayBuild:
    """The build of a recording's replay. Call :meth:`require_writable_path` before the recording, and one of the other methods once
    after it.
    """

    def __init__(
        self, replay: str | os.PathLike[str], redaction: Redaction, overwrite: bool | None, quiet: bool
    ) -> None:
        self._path = Path(replay)
        self._redaction = normalize_redaction_option(redaction)
        self._overwrite = overwrite
        self._quiet = quiet
        self._process: subprocess.Popen[bytes] | None = None
        self._why: list[str] = []
        """Why the run failed, as the replay says it."""

    @classmethod
    def from_options(cls, options: Options) -> ReplayBuild | None:
        """Return the build that the recording's options ask for; None if they ask for none."""
        if options.replay is None:
            return None
        return cls(options.replay, options.redaction, options.overwrite, options.quiet)

    def require_writable_path(self, reel: str | os.PathLike[str]) -> None:
        """Raise UsageError if no file can be written at the replay's path, before the recording begins."""
        folder = self._path.absolute().parent
        if not folder.is_dir():
            raise UsageError(f"The folder {folder} of the replay {self._path} does not exist; make it first.")
        if self._path.is_dir():
            raise UsageError(f"{self._path} is a folder; name the file that the replay is to be.")
        if self._path.absolute() == Path(reel).absolute():
            raise UsageError(
                f"{self._path} is the path of the recording; give the replay another path, such as run.html."
            )
        if self._overwrite is False and self._path.exists():
            raise UsageError(f"{self._path} exists already; give another path, or leave out overwrite=False.")

    def build(self, reel: str | os.PathLike[str]) -> None:
        """Build the replay and wait. Only an interrupt raises; it cancels the build."""
        with self._report_result(reel) as problems:
            problems.append(self._run_build_process(reel))

    async def build_async(self, reel: str | os.PathLike[str]) -> None:
        """Build the replay while the event loop keeps running."""
        with self._report_result(reel) as problems:
            problems.append(await asyncio.to_thread(self._run_build_process, reel))

    @contextlib.contextmanager
    def _report_result(self, reel: str | os.PathLike[str]) -> Iterator[list[str]]:
        """Print the result of the build that runs in the ``with`` block. The block receives a list and appends its
        error messages to it. An interrupt cancels the build and is raised again.
        """
        problems: list[str] = []
        try:
            yield problems
        except Exception as error:
            problems.append(f"{type(error).__name__}: {error}")
        except BaseException:
            self._cancel_build(reel)
            raise
        self._print_result(reel, "".join(problems))

    def _run_build_process(self, reel: str | os.PathLike[str]) -> str:
        """Run the build in a process of its own. Return the build's error message; "" if it succeeded."""
        job = pickle.dumps({"source": os.fspath(reel), "destination": str(self._path), "redaction": self._redaction})
        # Its own session, because Ctrl-C in a terminal is meant for the agent.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _BUILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        # Not communicate(), which starts threads on some systems: while the interpreter exits, none can be started.
        to, back = _require_pipe(self._process.stdin), _require_pipe(self._process.stdout)
        with back:
            with contextlib.suppress(BrokenPipeError), to:
                to.write(job)
            answer = back.read().decode("utf-8", "replace")
        status = self._process.wait()
        if status:
            return f"the process that builds it ended with status {status}"
        record = json.loads(answer)
        self._why = record.get("why", [])
        return str(record["error"])

    def _cancel_build(self, reel: str | os.PathLike[str]) -> None:
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()
                self._process.wait()
        self._print_result(reel, "it was interrupted")

    def _describe_policy(self) -> list[str]:
        if self._redaction is None:
            return ["--redaction", "off"]
        if not isinstance(self._redaction, str | os.PathLike) or self._redaction == "vendor":
            return []
        return ["--redaction", os.fspath(self._redaction)]

    def _print_result(self, reel: str | os.PathLike[str], error: str) -> None:
        if error:
            words = ["pagereel", "build", os.fspath(reel), str(self._path), *self._describe_policy()]
            issue_warning(
                f"pagereel could not build the replay {self._path}: {error.removesuffix('.')}. The recording is kept; with that put right, build it: {shlex.join(words)}"
            )
        elif not self._quiet:
            with contextlib.suppress(Exception):  # There may be no stderr, or a closed one.
                why = [link_source_location(line) for line in self._why] if sys.stderr.isatty() else self._why
                print(*(f"pagereel: {self._path}", *why), sep="\n  ", file=sys.stderr, flush=True)


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
