"""How recordings come into a library: prepared anywhere, then taken in by one writer."""

from .making import ActiveRecording, Making
from .preparing import Intake, Taken, identity, prepare
from .watching import FileOutcome, LibraryWatch

__all__ = ["ActiveRecording", "FileOutcome", "Intake", "LibraryWatch", "Making", "Taken", "identity", "prepare"]
