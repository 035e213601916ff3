"""Tell whether a recording was already masked by a given policy."""

from __future__ import annotations

import os

from pagereel.sources import open_any

from .contracts.policy import POLICIES


def is_masked_by_policy(source: str | os.PathLike[str], policy: object) -> bool:
    """Return whether a recording says that it was masked by this built-in policy. Masking it again would only change
    its stand-ins.

    A policy from a file never counts, because its content at the time of the masking is not known.
    """
    if not isinstance(policy, str) or policy not in POLICIES:
        return False
    with open_any(source) as reel:
        return any(event.get("policy") == policy for event in reel.events(("redaction",)))
