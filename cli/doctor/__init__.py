"""`pagereel doctor`: checks which parts of pagereel can run on this machine."""

from .checks import CheckResult, run_checks
from .extras import EXTRAS, parse_requirements

__all__ = ["EXTRAS", "CheckResult", "parse_requirements", "run_checks"]
