"""Figures over many runs, as the API and the page of figures give them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from pagereel.library.figures import GROUPS, USUAL, Figures, describe_curve_step
from pagereel.library.library import Library

BY: Final = (*USUAL, "tool") if "tool" not in USUAL else USUAL
_DAYS: Final = 30


def build_figures_fields(
    library: Library, query: str, by: str | None, every: str | None, *, with_error_texts: bool
) -> dict[str, Any]:
    """Return the figures as ``pagereel library stats --json`` has them; without `with_error_texts`, errors only as hashes. Raises
    QueryError, UsageError.
    """
    groups = [group.strip() for group in by.split(",")] if by else [group for group in BY if group in GROUPS]
    figures = library.stats(query, by=groups, every=every or "day")
    told = asdict(figures)
    if figures.coverage is not None:
        told["coverage"]["share"] = figures.coverage.share
    if not with_error_texts:
        told["errors"] = [{**row, "words": ""} for row in told["errors"]]
    return told | {"stepped": _describe_curve_steps(figures)}


def _describe_curve_steps(figures: Figures) -> list[str]:
    return [describe_curve_step(step) for step in figures.steps or ()]


def select_last_days(fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the figures of the last 30 days as rows of a table."""
    return [{"name": row["time"], **row} for row in fields["times"][-_DAYS:]]
