"""`pagereel events`: prints the events of a recording."""

from __future__ import annotations

import json as jsonlib
import math
from collections.abc import Collection, Iterator
from pathlib import Path

from pagereel.cli.argument_requirements import parse_redaction_option, require_readable_file
from pagereel.cli.console import print_lines, print_warning
from pagereel.cli.recording_state import describe_damage
from pagereel.errors import UsageError


def print_events(
    reel: Path,
    *,
    kinds: Collection[str],
    start: float | None,
    end: float | None,
    ids: bool = False,
    event: str | None = None,
    redaction: str = "off",
) -> int:
    """Print the events that pass the filters as NDJSON; if a policy is named, masked.

    The header has no time and counts as 0 ms. `ids`: add each event's id as the field `e`. `event`: print only the
    event whose id begins with this text. Raises UsageError if there is none.
    """
    require_readable_file(reel)
    from pagereel.reel import KINDS, EventIds, Reel, id_prefix
    from pagereel.sources import open_any

    unknown = set(kinds) - set(KINDS)
    first, last = -math.inf if start is None else start, math.inf if end is None else end

    def iter_event_lines(recording: Reel) -> Iterator[str]:
        names = EventIds(recording.header)
        found = False
        for one in recording.timeline():
            name = names.compute_next_id(one) if ids or wanted else ""
            time = one.get("t", 0)
            if kinds and one["k"] not in kinds:
                continue
            if isinstance(time, int | float) and not first <= time <= last:
                continue
            if not name.startswith(wanted):
                continue
            found = True
            shown = {"k": one["k"], "e": name, **one} if ids else one
            yield jsonlib.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        if wanted and not found:
            raise UsageError(f"{reel} has no event {event}.")

    wanted = "" if event is None else id_prefix(event)
    from pagereel.integrations import shared

    with shared(reel, parse_redaction_option(redaction)) as shown, open_any(shown.path) as recording:
        if unknown:  # unknown to this pagereel; a later version may have written it
            unknown -= {str(event["k"]) for event in recording.timeline()}
        if unknown:
            names = ", ".join(repr(kind) for kind in sorted(unknown))
            raise UsageError(f"Unknown kind of event: {names}; there are {', '.join(sorted(KINDS))}.")
        print_lines(iter_event_lines(recording))
        damage, closed = recording.damage, recording.closed
    if damage is not None:
        print_warning(f"pagereel: {reel} is damaged ({describe_damage(damage)}); these are the events before that.")
    elif not closed:
        print_warning(f"pagereel: {reel} was cut off; these are the events before the cut.")
    return 0
