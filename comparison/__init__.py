"""Compares recordings: which steps correspond, what differs beyond noise, and where two runs diverge.

    result = compare("good.reel", "bad.reel", baseline=["runs/pay-*.reel"])
    if not result.equal:
        print(result.divergence.summary)

The result is redacted, jointly for all recordings, unless ``redaction=None``.
"""

from .baseline import BaselineChange, BaselineRun, accept_run, history, remove_run, runs_of
from .comparing import compare, compare_async, files_of
from .effects.difference import KINDS, Kind
from .fail_on import words_of
from .markdown import markdown
from .masking import Halves
from .page import write_comparison
from .records import Difference, Divergence, Done, PairOf, RunMoment
from .result import Comparison

__all__ = [
    "KINDS",
    "BaselineChange",
    "BaselineRun",
    "Comparison",
    "Difference",
    "Divergence",
    "Done",
    "Halves",
    "Kind",
    "PairOf",
    "RunMoment",
    "accept_run",
    "compare",
    "compare_async",
    "files_of",
    "history",
    "markdown",
    "remove_run",
    "runs_of",
    "words_of",
    "write_comparison",
]
