"""Adds recordings to a library: any process prepares them, and one writer stores them."""

from .active_recordings import ActiveRecording, ActiveRecordings
from .preparing import Intake, PreparedRecording, identity, prepare
from .watching import FileOutcome, LibraryWatch

__all__ = [
    "ActiveRecording",
    "ActiveRecordings",
    "FileOutcome",
    "Intake",
    "LibraryWatch",
    "PreparedRecording",
    "identity",
    "prepare",
]
