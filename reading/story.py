"""All that the agent did and that went wrong, as one list."""

from __future__ import annotations

from .recorded_run import Reading, Record


def story(reading: Reading) -> list[Record]:
    """Everything that the agent did and that went wrong, in order of time; each record has `kind` and `t`."""
    found = [{"kind": "step", **step} for step in reading.steps()]
    found += reading.calls()
    found += reading.notes()
    found += [error for error in reading.errors() if error["kind"] in ("page error", "console", "request")]
    return sorted(found, key=lambda record: (float(record["t"]), record["kind"] != "step"))
