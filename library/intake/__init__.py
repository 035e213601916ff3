"""Adds recordings to a library: any process prepares them, and one writer stores them."""

from .making import ActiveRecording, Making
from .preparing import Intake, PreparedRecording, identity, prepare
from .watching import FileOutcome, LibraryWatch

__all__ = [
    "ActiveRecording",
    "FileOutcome",
    "Intake",
    "LibraryWatch",
    "Making",
    "PreparedRecording",
    "identity",
    "prepare",
]
