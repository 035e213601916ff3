"""Reads the causes of a test's failure from its replay, for the summary in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pagereel.errors import PagereelError

LARGEST: Final = 20 << 20
"""Bytes of a replay that is read for this."""

MOST: Final = 20
"""Replays of which the terminal says why."""


def read_failure_causes(replay: Path) -> list[str]:
    """Return the causes of a failure as sentences, read from a replay.

    The list is empty for a run that did not fail, and for a replay that cannot be read.
    """
    from pagereel.reading import RecordedRun, describe_failure_location, find_first_failure, format_failure_chain

    try:
        if replay.stat().st_size > LARGEST:
            return []
        told = find_first_failure(RecordedRun(replay))
    except (PagereelError, OSError):
        return []
    failure = told["failure"]
    if failure is None:
        return []
    return format_failure_chain(told["chain"], describe_failure_location(failure))
