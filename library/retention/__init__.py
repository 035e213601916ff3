"""How much of a run is kept, and for how long: tiers, holds, thinning, deletion."""

from .expiring import Expired, expire, facts_kept, finish, kept_of, overdue, summary_kept
from .sweeping import catalogued_although_deleted, leftovers, prune_shared, write_expiry
from .tiers import Retention, Times, age_of, iso_of, retention_of

__all__ = [
    "Expired",
    "Retention",
    "Times",
    "age_of",
    "catalogued_although_deleted",
    "expire",
    "facts_kept",
    "finish",
    "iso_of",
    "kept_of",
    "leftovers",
    "overdue",
    "prune_shared",
    "retention_of",
    "summary_kept",
    "write_expiry",
]  # fmt: skip
