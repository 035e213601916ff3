"""Formats the answers to three questions of `pagereel query` as lines: first-failure, when-changed and around."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from pagereel.durations import format_duration
from pagereel.text_truncation import truncate_text

Record = dict[str, Any]
_WIDE = 160


def format_first_failure(found: Record) -> list[str]:
    """Return the answer to first-failure as lines: the chain of the failure, and the texts that appeared at
    that time.
    """
    if not found["chain"]:
        return [f"nothing went wrong (outcome: {found['outcome']})"]
    from pagereel.reading import describe_failure_location

    lines = [f"outcome: {found['outcome']}"]
    first, failure = found["first"], found["failure"]
    lines.append(
        f"first at {format_duration(first['t'])}"
        + (f", failed at {format_duration(failure['t'])}" if failure else "; the run got over it")
    )
    lines += [f"  {sentence}" for sentence in found["chain"]]
    if where := describe_failure_location(failure or {}):
        lines.append(f"  {' at '.join(where)}")
    if found.get("left_out"):
        lines.append(f"  ({found['left_out']} more in between: pagereel query … errors)")
    for page in found.get("page", ()):
        lines += [f"meanwhile page {page['page']} came to say:", *(f"  {line}" for line in page["new"])]
    return [*lines, *_format_preceding_events(found.get("after", ()), "right before that:")]


def format_when_changed(records: Iterable[Record]) -> list[str]:
    """Return the answer to when-changed as lines: the changes by each event, and the events just before it."""
    lines = []
    for _, together in groupby(records, key=lambda record: record["event"]):
        found = list(together)
        lines += [line for record in found for line in _format_change(record)]
        lines += [f"          {line}" for line in _format_preceding_events(found[0]["after"], "")]
    return lines


def _format_change(record: Record) -> Iterable[str]:
    loaded = f" with {record['loaded']}" if "loaded" in record else ""
    yield f"{record['t']:>9.0f} {record['element']} {record['change']}{loaded}  [event {record['event']}]"
    was, now = record.get("was", {}), record.get("is", {})
    for name in {**was, **now}:
        if record["change"] == "changed":
            yield f"            {name}: {_format_value(was.get(name))} → {_format_value(now.get(name))}"
        else:
            yield f"            {name}: {_format_value({**was, **now}[name])}"


def format_step_context(found: Record) -> list[str]:
    """Return the answer to around as lines: a step, the steps before and after it, and its calls, requests and changed
    pages.
    """
    from pagereel.reading import to_text_line

    step = found.get("step")
    lines = [f"{format_duration(found['from'])} to {format_duration(found['to'])}"]
    lines += [
        f"{name}: {to_text_line(each)}"
        for name, each in (("before", found.get("before")), ("step", step), ("next", found.get("next")))
        if each
    ]
    for name in ("calls", "requests", "messages", "console", "errors", "notes"):
        if found.get(name):
            lines += [f"{name}:", *(to_text_line(each) for each in found[name])]
        if found.get(f"{name}_left_out"):
            lines.append(f"  … and {found[f'{name}_left_out']} more")
    for page in found.get("pages", ()):
        lines.append(f"page {page['page']}: {page.get('title') or ''} <{page['url']}>")
        lines += [f"  - {line}" for line in page.get("gone", ())]
        lines += [f"  + {line}" for line in page.get("new", ())]
    return lines


def _format_preceding_events(records: Iterable[Record], title: str) -> list[str]:
    lines = [f"  {each['ago']:.0f} ms after {each['kind']} {_shorten_text(str(each['what']))}" for each in records]
    return [title, *lines] if title and lines else lines


def _format_value(value: Any) -> str:
    return _shorten_text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _shorten_text(text: str) -> str:
    return truncate_text(" ".join(text.split()), _WIDE)
