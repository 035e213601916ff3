"""Finds out what of pagereel can run here, for `pagereel doctor`."""

from .checks import Check, examine
from .extras import EXTRAS, requirements

__all__ = ["EXTRAS", "Check", "examine", "requirements"]
