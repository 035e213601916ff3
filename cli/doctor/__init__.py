"""`pagereel doctor`: checks which parts of pagereel can run on this machine."""

from .checks import Check, examine
from .extras import EXTRAS, requirements

__all__ = ["EXTRAS", "Check", "examine", "requirements"]
