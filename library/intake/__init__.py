"""Adds recordings to a library: any process prepares them, and one writer stores them."""

from .active_recordings import ActiveRecording, ActiveRecordings
from .preparing import IntakeJob, PreparedRecording, prepare_recording, read_recording_identity
from .watching import LibraryWatch, WatchedFileOutcome

__all__ = [
    "ActiveRecording",
    "ActiveRecordings",
    "IntakeJob",
    "LibraryWatch",
    "PreparedRecording",
    "WatchedFileOutcome",
    "prepare_recording",
    "read_recording_identity",
]
