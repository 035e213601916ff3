"""How much of a run is kept, and for how long: tiers, holds, thinning, deletion."""

from .cleanup import delete_unused_resources, find_deleted_in_catalogue, find_leftover_files, write_expiry_time
from .expiring import (
    Expired,
    build_thinned_facts,
    build_thinned_summary,
    expire_runs,
    find_overdue_runs,
    finish_thinning,
    read_saved_figures,
)
from .tiers import RetentionSettings, TierTimes, format_iso_time, parse_age, parse_retention

__all__ = [
    "Expired",
    "RetentionSettings",
    "TierTimes",
    "build_thinned_facts",
    "build_thinned_summary",
    "delete_unused_resources",
    "expire_runs",
    "find_deleted_in_catalogue",
    "find_leftover_files",
    "find_overdue_runs",
    "finish_thinning",
    "format_iso_time",
    "parse_age",
    "parse_retention",
    "read_saved_figures",
    "write_expiry_time",
]  # fmt: skip
