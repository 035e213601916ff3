"""How recordings come into a library: prepared anywhere, then taken in by one writer."""

from .making import Made, Making
from .preparing import Intake, Taken, identity, prepare
from .watching import Seen, Watch

__all__ = ["Intake", "Made", "Making", "Seen", "Taken", "Watch", "identity", "prepare"]
