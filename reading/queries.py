"""Runs queries by name: returns their records, filters the records, and writes each as a line of text."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from pagereel.errors import UsageError

from .record_fields import Record, drop_fields
from .record_text import to_record_text
from .recorded_run import RecordedRun
from .regex_limits import require_small_regex

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


def run_query(reading: RecordedRun, query: str, agent: str | None = None) -> list[Record]:
    """Return the records of a query in :data:`QUERIES`; with `agent` only the records of this agent."""
    return [record for record in QUERIES[query](reading) if not agent or reading.is_record_of_agent(record, agent)]


_LOG = re.compile(r"(?<!\s)\s*\n(?:Call log:|=+ logs =+)[\s\S]*")
"""The log that follows Playwright's message; as one line it would be cut within."""
GREP_SECONDS = 5.0
"""Limit for all searches of a pattern. A pattern with much backtracking would never end; its author, perhaps an agent,
gets an error.
"""


def compile_grep(grep: str) -> Callable[[str], bool]:
    """Return a function that tests whether a text matches a regular expression, ignoring case. Raises UsageError for an
    invalid `grep`; the returned function raises it when its searches together take too long.
    """
    import regex  # it has a time limit, unlike Python's own module

    try:
        pattern = regex.compile(require_small_regex(grep), regex.IGNORECASE)
    except (regex.error, OverflowError, RecursionError) as error:
        raise UsageError(f"grep takes a regular expression ({error}).") from None
    left = GREP_SECONDS

    def is_match(text: str) -> bool:
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

    return is_match


def filter_records(
    records: list[Record], *, grep: str | None = None, start: float | None = None, end: float | None = None,
    limit: int | None = None,
) -> list[Record]:  # fmt: skip
    """Return the records that begin between two times and match `grep` (source code is not searched), at most `limit`.

    Raises UsageError for an invalid regular expression, and for one that takes longer than :data:`GREP_SECONDS` over
    all records.
    """
    matches = compile_grep(grep) if grep else None
    found = [
        record
        for record in records
        if (start is None or record["t"] >= start)
        and (end is None or record["t"] <= end)
        and (matches is None or matches(str(drop_fields(record, "source"))))
    ]
    return found if limit is None else found[:limit]


def to_text_line(record: Record) -> str:
    """Return a record as one line of text."""
    t, kind = float(record.get("t") or 0), record.get("kind")
    if kind == "step":
        kind = f"step {record['number']}"  # the form that `--at` accepts
    what = record.get("did") or record.get("title") or to_record_text(record) or record.get("model")
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
    if record.get("agent"):
        what = f"<{record['agent']}> {what or ''}"
    verdict = {True: " ok", False: " FAILED"}.get(record.get("success", ""), " done" if record.get("ended") else "")
    what = _LOG.sub("", str(what)) if what else what
    trouble = f" ! {_LOG.sub('', str(record['error']))}" if record.get("error") else ""
    return " ".join(f"{t:>9.0f} {f'[{kind}] ' if kind else ''}{what or ''}{verdict}{trouble}".split("\n"))[:300]
