"""Lists all actions and failures of a run in order of time."""

from __future__ import annotations

from .record_fields import Record, pick_new_messages, to_time_sort_key
from .recorded_run import RecordedRun


def build_story(reading: RecordedRun) -> list[Record]:
    """Return all actions of the agent and all failures, in order of time; each record has `kind` and `t`.

    A message that an agent sends with several model calls is contained only in the prompt of the first of these calls.
    `said` lists the numbers of all messages that a call sent.
    """
    found = [{"kind": "step", **step} for step in reading.steps()]
    seen: set[int] = set()
    found += [
        {**call, "prompt": pick_new_messages(call, seen)} if call.get("said") and "prompt" in call else call
        for call in reading.calls()
    ]
    found += reading.notes()
    found += [error for error in reading.errors() if error["kind"] in ("page error", "console", "request")]
    return sorted(found, key=to_time_sort_key)
