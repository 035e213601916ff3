"""Describes one step of a run: its actions, network, failures, and how the pages' text changed."""

from __future__ import annotations

import re
from collections import Counter

from .preceding_events import PrecedingEvents
from .queries import filter_records
from .record_fields import Record, drop_empty_fields
from .recorded_run import RecordedRun

_WINDOW = 2_000.0
"""Ms before and after a time without a step."""
_MOST = 60
"""Largest number of lines of a page, and of records of a kind."""


def describe_step(reading: RecordedRun, step_or_time: str) -> Record:
    """Return the actions, requests and failures of a step, and the lines of text that disappeared from its pages or
    appeared on them.

    `step_or_time`: a step's number (``3`` or ``step 3``), or a time for :meth:`RecordedRun.moment` (with a unit, ``5200ms``).
    A time stands for the innermost step at that time, or for two seconds before and after it if there is no step.
    Raises LookupError for an unknown step or time.
    """
    before = PrecedingEvents(reading)
    steps = reading.steps()
    number = re.fullmatch(r"(?:step[ =:]?)?(\d+)", step_or_time.strip())
    if number:
        step = next((each for each in steps if str(each["number"]) == number[1].lstrip("0")), None)
        if step is None:
            raise LookupError(f"there is no step {number[1][:20]}; the recording has {len(steps) or 'none'}")
    else:
        moment = reading.moment(step_or_time.strip().removesuffix("ms").strip())
        step = before.find_innermost_step(moment)
    if step is not None:
        begin = float(step["t"])
        end = begin + float(step["duration"]) if "duration" in step else reading.duration
    else:
        begin, end = max(0.0, moment - _WINDOW), min(moment + _WINDOW, reading.duration)
    told: Record = {"from": begin, "to": round(end, 1), "step": step}
    if step is not None:
        place = steps.index(step)
        told["before"] = steps[place - 1] if place else None
        told["next"] = next((each for each in steps[place + 1 :] if float(each["t"]) >= end), None)
    for name, records in (
        ("calls", reading.calls()), ("requests", reading.requests()), ("messages", reading.messages()), ("console", reading.console()),
        ("errors", reading.errors()), ("notes", reading.notes()),
    ):  # fmt: skip
        found = filter_records(records, start=begin, end=end)
        told[name] = found[:_MOST]
        if len(found) > _MOST:
            told[f"{name}_left_out"] = len(found) - _MOST
    told["pages"] = _find_text_changes(reading, begin, end)
    return {name: value for name, value in drop_empty_fields(told).items() if value != []}


def _find_text_changes(reading: RecordedRun, begin: float, end: float) -> list[Record]:
    """Return how the text of each page differs between two times in ms."""
    was = {page["page"]: page for page in reading.text(max(0.0, begin - 0.1))}
    found = []
    for page in reading.text(end):
        first = was.get(page["page"], {"text": "", "url": None})
        lines, earlier = page["text"].split("\n"), first["text"].split("\n")
        gone, came = Counter(earlier) - Counter(lines), Counter(lines) - Counter(earlier)
        told = {"page": page["page"], "url": page["url"], "title": page["title"]}
        if first["url"] != page["url"]:
            told["was"] = first["url"]
        told["gone"] = [line for line in dict.fromkeys(earlier) if line and line in gone][:_MOST]
        told["new"] = [line for line in dict.fromkeys(lines) if line and line in came][:_MOST]
        if told["gone"] or told["new"] or "was" in told:
            found.append({name: value for name, value in told.items() if value not in (None, [])})
    return found
