"""Compares recordings: which steps correspond, what differs beyond noise, and where two runs diverge.

    result = compare("good.reel", "bad.reel", baseline=["runs/pay-*.reel"])
    if not result.equal:
        print(result.divergence.summary)

The result is redacted, jointly for all recordings, unless ``redaction=None``.
"""

from .baseline import BaselineChange, BaselineRun, accept_run, read_baseline_log, remove_run, runs_of
from .comparing import compare, compare_async, resolve_baseline_files
from .comparison_page import write_comparison
from .effects.difference import KINDS, Kind
from .fail_on import parse_fail_on
from .markdown import format_as_markdown
from .masking import MaskedRecordings
from .records import Difference, Divergence, PairSummary, RunItemSummary, RunMoment
from .result import Comparison
from .varying_places import ENOUGH_RUNS

__all__ = [
    "ENOUGH_RUNS",
    "KINDS",
    "BaselineChange",
    "BaselineRun",
    "Comparison",
    "Difference",
    "Divergence",
    "Kind",
    "MaskedRecordings",
    "PairSummary",
    "RunItemSummary",
    "RunMoment",
    "accept_run",
    "compare",
    "compare_async",
    "format_as_markdown",
    "parse_fail_on",
    "read_baseline_log",
    "remove_run",
    "resolve_baseline_files",
    "runs_of",
    "write_comparison",
]
