"""Figures over many runs: success, cost, duration, by group and over time, and changes right before steps of curves."""

from .coverage import Coverage, compute_coverage, parse_expected_keys
from .figures_page import describe_curve_step, format_figure, render_figures_page
from .parquet import write_changed_days
from .periods import EVERY
from .query_figures import GROUPS, USUAL, Figures, compute_figures

__all__ = [
    "EVERY",
    "GROUPS",
    "USUAL",
    "Coverage",
    "Figures",
    "compute_coverage",
    "compute_figures",
    "describe_curve_step",
    "format_figure",
    "parse_expected_keys",
    "render_figures_page",
    "write_changed_days",
]
