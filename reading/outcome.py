"""How a run ended: passed, failed, or nobody said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

Outcome = Literal["passed", "failed", "unknown"]


def outcome_of(successes: Iterable[bool | None], reason: object, metadata: object) -> Outcome:
    """Return ``failed`` if an outermost step or the test failed, or the recording ended by an exception; else ``passed`` if one of them says so.

    `successes`: of the outermost steps. `reason`: of the ``end`` event. `metadata`: the header's, in which the pytest plugin tells a test's outcome.
    """
    told = list(successes)
    tested = metadata.get("outcome") if isinstance(metadata, Mapping) else None
    if False in told or reason == "error" or tested in ("failed", "error"):
        return "failed"
    return "passed" if True in told or tested == "passed" else "unknown"
