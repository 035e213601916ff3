"""Records the attempts at a test: the browser contexts, the outcome and the replays of each."""

from __future__ import annotations

import contextlib
import hashlib
import re
import uuid
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from pagereel.integrations.testing.background_builds import Builder
    from pagereel.integrations.testing.reel_annotation import AddedNote, RunPhase
    from pagereel.options import Redaction
    from pagereel.recorder import AsyncSession, SyncSession

MOST_LOCALS = 30
"""Largest number of local variables of a failing test that are noted."""


class ReplayWarning(UserWarning):
    """The warning that a replay could not be recorded or built. It does not change the test's result."""


@dataclass
class ContextRecording:
    """The recording of one browser context. `session` is None after the recording has ended."""

    context: Any
    session: SyncSession | AsyncSession | None
    reel: Path
    is_async: bool


@dataclass
class Attempt:
    """One attempt at a test, with its recordings and its outcome; a retry is another attempt."""

    nodeid: str
    retry: int
    """0 for the first attempt."""
    metadata: Mapping[str, Any]
    folder: Path
    """Folder for temporary recordings."""
    recordings: list[ContextRecording] = field(default_factory=list)
    failed: bool = False
    outcome: dict[str, Any] = field(default_factory=dict)
    """The test's result for the replay's panel Info, as far as it is known."""
    remarks: list[AddedNote] = field(default_factory=list)
    phases: list[RunPhase] = field(default_factory=list)
    settled: bool = False
    """The recordings were kept or deleted."""
    output: Path | None = None
    """The test's output folder, if pytest-playwright gives one."""
    annotated: bool = False
    """The recordings contain outcome, phases and remarks."""

    @overload
    def begin_recording(self, context: Any, is_async: Literal[False]) -> SyncSession | None: ...
    @overload
    def begin_recording(self, context: Any, is_async: Literal[True]) -> AsyncSession | None: ...
    def begin_recording(self, context: Any, is_async: bool) -> SyncSession | AsyncSession | None:
        """Return a new session for a context, which the caller must still enter.

        None: the context is recorded already, or cannot be recorded.
        """
        from pagereel.recorder import record

        if any(recording.context is context and recording.session for recording in self.recordings):
            return None
        reel = self.folder / f"{uuid.uuid4().hex}.reel"
        session: SyncSession | AsyncSession | None = call_and_warn_of_errors(
            record, context, reel, agent="pytest", metadata=self.metadata, shared=True
        )
        if session is not None:
            self.recordings.append(ContextRecording(context, session, reel, is_async))
        return session

    def find_recording(self, context: Any) -> ContextRecording | None:
        """Return the recording of a context that is still running; None if there is none."""
        return next((one for one in self.recordings if one.context is context and one.session), None)

    def finish_recordings(self) -> None:
        """End all running recordings.

        If the event loop of an async context is closed, the recording keeps only the data received so far.
        """
        for recording in self.recordings:
            session, recording.session = recording.session, None
            if session is not None:
                call_and_warn_of_errors(session.end_outside_event_loop if recording.is_async else session.stop)

    def delete_recordings(self) -> None:
        """Delete the recordings of the attempt."""
        self.settled = True
        for recording in self.recordings:
            recording.reel.unlink(missing_ok=True)

    def list_annotated_reels(self) -> list[Path]:
        """Return the paths of an ended attempt's recordings, after adding its outcome, phases and notes to them."""
        from pagereel.integrations.testing.reel_annotation import annotate_reel

        found = [recording.reel for recording in self.recordings if recording.reel.exists()]
        if not self.annotated:
            self.annotated = True
            for reel in found:
                call_and_warn_of_errors(annotate_reel, reel, self.outcome, self.remarks, self.phases)
        return found

    def build_replays(self, folder: Path, redaction: Redaction, build: Builder) -> list[Path]:
        """Build the attempt's replays into `folder`, and return their paths.

        They are named `replay.html`, or `replay-1.html`, `replay-2.html`… for several contexts. `build`: the function
        that builds one replay, at once or in the background.
        """
        reels = self.list_annotated_reels()
        built: list[Path] = []
        for number, reel in enumerate(reels, 1):
            html = folder / build_numbered_name("replay", ".html", number, len(reels))
            folder.mkdir(parents=True, exist_ok=True)
            if call_and_warn_of_errors(build, reel, html, redaction=redaction, title=self.nodeid) is not None:
                built.append(html)
        return built


def call_and_warn_of_errors(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function and return its result.

    If it raises, issue a warning and return None, so that the test does not fail.
    """
    try:
        return function(*args, **kwargs)
    except Exception as error:
        warn_of_error(error)
        return None


def warn_of_error(error: Exception) -> None:
    """Issue a warning about an error; never raise."""
    issue_warning(f"{type(error).__name__}: {error}")


def issue_warning(message: str) -> None:
    """Issue a warning; never raise, even if the project turns warnings into errors."""
    with contextlib.suppress(ReplayWarning):
        warnings.warn(ReplayWarning(f"pagereel: {message}"), stacklevel=4)


def build_numbered_name(stem: str, suffix: str, number: int, count: int) -> str:
    """Return a file name with a number if there are several: `replay.html`, or `replay-2.html` for the second of
    several.
    """
    return f"{stem}{suffix}" if count == 1 else f"{stem}-{number}{suffix}"


def get_output_folder(output: Path, nodeid: str, retry: int) -> Path:
    """Return the folder for a test's files, with the same name as pytest-playwright's fixture `output_path`."""
    name = to_folder_name(nodeid) + (f"-retry{retry}" if retry else "")
    if len(name) >= 256:
        name = f"{name[:100]}-{hashlib.sha256(name.encode()).hexdigest()[:7]}-{name[-100:]}"
    return output.absolute() / name


def to_folder_name(text: str) -> str:
    """Return a test's id as a folder's name as pytest-playwright does: `tests/test_a.py::test_b[x]` →
    `tests-test-a-py-test-b-x`.
    """
    try:
        from slugify import slugify
    except ImportError:
        return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return str(slugify(text))


def describe_locals(variables: Mapping[str, Any]) -> dict[str, str]:
    """Return the representations of local variables by name, each shortened; never raise."""
    from _pytest._io.saferepr import saferepr

    names = [name for name in variables if not name.startswith(("__", "@"))]
    return {name: saferepr(variables[name], maxsize=240) for name in names[:MOST_LOCALS]}
