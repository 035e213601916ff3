"""What of pagereel can run here: `pagereel doctor` prints what this floor finds."""

from .checks import Check, examine
from .extras import EXTRAS, requirements

__all__ = ["EXTRAS", "Check", "examine", "requirements"]
