"""Figures over many runs: success, cost, duration, by group and over time, and changes right before steps of curves."""

from .coverage import Coverage, coverage_of, keys_in
from .numbers import GROUPS, USUAL, Figures, figures_of
from .page import figure_text, page_of, sentence_of
from .parquet import write_days
from .times import EVERY

__all__ = [
    "EVERY",
    "GROUPS",
    "USUAL",
    "Coverage",
    "Figures",
    "coverage_of",
    "figure_text",
    "figures_of",
    "keys_in",
    "page_of",
    "sentence_of",
    "write_days",
]
