"""Lists all actions and failures of a run in order of time."""

from __future__ import annotations

from .recorded_run import Record, RecordedRun, newly_asked, time_key


def story(reading: RecordedRun) -> list[Record]:
    """Return all actions of the agent and all failures, in order of time; each record has `kind` and `t`. A message
    that an agent sends with several model calls is contained only in the prompt of the first of them; `said` has the
    numbers of all messages of a call.
    """
    found = [{"kind": "step", **step} for step in reading.steps()]
    seen: set[int] = set()
    found += [
        {**call, "prompt": newly_asked(call, seen)} if call.get("said") and "prompt" in call else call
        for call in reading.calls()
    ]
    found += reading.notes()
    found += [error for error in reading.errors() if error["kind"] in ("page error", "console", "request")]
    return sorted(found, key=time_key)
