"""Explains in a replay why the run failed: the sentences of `pagereel query first-failure`, with links."""

from __future__ import annotations

from typing import Any, Final, cast

from pagereel.reading import (
    RecordedRun,
    describe_failure_location,
    find_first_failure,
    format_failure_chain,
    get_failure_time,
)
from pagereel.reel import Json

from .clip_filter import ClipFilter

_LEADS: Final = ("call", "request", "console", "d", "node", "is", "covered")
"""What of the recording a sentence may lead to."""


def format_failure_lines(explanation: dict[str, Json] | None) -> list[str]:
    """Return the explanation of a failure as lines for a terminal, without control characters; [] if the run did not
    fail.
    """
    if explanation is None or not explanation["failed"]:
        return []
    chain = cast("list[list[Json]]", explanation["chain"])
    return format_failure_chain((str(said) for said, *_ in chain), cast("list[str]", explanation.get("where", [])))


def explain_failure(run: RecordedRun, clip: ClipFilter) -> dict[str, Json] | None:
    """Return the explanation of why a run failed, or of the failure from which it recovered, as JSON fields; None if
    nothing failed in the clip.

    The fields: ``t`` is the time of the failure in ms; ``chain`` has sentences, each with its time and the
    call, step, request or element that it leads to;
    ``where`` has the locator of the failed call, and its line in the script.
    """
    outcome = run.outcome
    if outcome.outcome == "passed" and not outcome.recovered:
        return None
    told = find_first_failure(run)
    failure: dict[str, Any] = told["failure"] or told["first"] or {}
    if outcome.outcome == "unknown" and failure.get("kind") not in ("call", "step"):
        return None
    chain: list[Json] = [
        [said, round(link["t"] - clip.start, 1), {name: link[name] for name in _LEADS if name in link}]
        for said, link in zip(told["chain"], told.get("links", ()), strict=True)
        if clip.start <= link["t"] <= clip.end
    ]
    ended = get_failure_time(told) if chain else 0.0
    if not clip.start <= ended <= clip.end or not chain:
        return None
    where: list[Json] = [*describe_failure_location(failure)]
    return {
        "t": round(ended - clip.start, 1),
        "failed": told["failure"] is not None,
        "chain": chain,
        **({"where": where} if where else {}),
    }
