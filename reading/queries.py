"""Questions to a recording by name, what is picked of the answers, and each as a line for people."""

from __future__ import annotations

import time
from collections.abc import Callable

from pagereel.errors import UsageError

from .patterns import bounded
from .record_text import words_of
from .recorded_run import Record, RecordedRun, without

QUERIES: dict[str, Callable[[RecordedRun], list[Record]]] = {
    "steps": RecordedRun.steps,
    "calls": RecordedRun.calls,
    "errors": RecordedRun.errors,
    "console": RecordedRun.console,
    "requests": RecordedRun.requests,
    "messages": RecordedRun.messages,
    "notes": RecordedRun.notes,
    "stalls": RecordedRun.stalls,
}


def asked(reading: RecordedRun, query: str, agent: str | None = None) -> list[Record]:
    """Return what a query of :data:`QUERIES` gives; with `agent` only what that one of several did."""
    return [record for record in QUERIES[query](reading) if not agent or reading.is_of(record, agent)]


GREP_SECONDS = 5.0
"""A pattern that goes back and forth over a page's text would never end; whoever gave it, an agent perhaps, is told."""


def matching(grep: str) -> Callable[[str], bool]:
    """Return whether a text matches a regular expression, in any case of letters. Raises UsageError where `grep` is none, or as soon as all that
    was asked took too long together.
    """
    import regex  # it has a time limit, which Python's own module has not

    try:
        pattern = regex.compile(bounded(grep), regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise UsageError(f"grep takes a regular expression ({error}).") from None
    left = GREP_SECONDS

    def matches(text: str) -> bool:
        nonlocal left
        begin = time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            return pattern.search(text, timeout=left) is not None
        except TimeoutError:
            raise UsageError(
                f"The regular expression took longer than {GREP_SECONDS:g} s; give a simpler one, without nested repeats."
            ) from None
        finally:
            left -= time.monotonic() - begin

    return matches


def chosen(
    records: list[Record], *, grep: str | None = None, start: float | None = None, end: float | None = None,
    limit: int | None = None,
) -> list[Record]:  # fmt: skip
    """Return those that begin between two moments and say something that matches `grep` (source code aside), at most `limit`.

    Raises UsageError for what is no regular expression, and for one that takes longer than :data:`GREP_SECONDS` over all records.
    """
    matches = matching(grep) if grep else None
    found = [
        record
        for record in records
        if (start is None or record["t"] >= start)
        and (end is None or record["t"] <= end)
        and (matches is None or matches(str(without(record, "source"))))
    ]
    return found if limit is None else found[:limit]


def line_of(record: Record) -> str:
    """One record for people, on one line."""
    t, kind = float(record.get("t") or 0), record.get("kind")
    if kind == "step":
        kind = f"step {record['number']}"  # what `--at` takes
    what = record.get("title") or words_of(record) or record.get("model")
    if kind == "agent_message":
        kind, what = "message", f"to {record.get('to') or 'all'}: {what}"
    if "method" in record and "url" in record:
        what = f"{record['method']} {record['url']} {record.get('failed') or record.get('status') or ''}"
    if "late" in record:
        whose = "the machine" if "page" not in record else f"page {record['page']}"
        what = f"{whose} stood still for {record['late']:.0f} ms"
        if "over" in record:
            what = f"{record['late']:.0f} ms of {record['over']:.0f} something waited for a processor"
    if "sent" in record:
        what = f"{'sent to' if record['sent'] else 'received from'} {record.get('url')} {record.get('text') or record.get('why') or ''}"
    if record.get("locator"):
        what = f"{what} {record['locator']}"
    if record.get("agent"):
        what = f"<{record['agent']}> {what or ''}"
    verdict = {True: " ok", False: " FAILED"}.get(record.get("success", ""), " done" if record.get("ended") else "")
    trouble = f" ! {record['error']}" if record.get("error") else ""
    return " ".join(f"{t:>9.0f} {f'[{kind}] ' if kind else ''}{what or ''}{verdict}{trouble}".split("\n"))[:300]
