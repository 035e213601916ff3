"""Drops and picks fields of records, and sorts records."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]


def drop_fields(event: Record, *names: str) -> Record:
    """Return the record without these fields."""
    return {name: value for name, value in event.items() if name not in names}


def pick_new_messages(call: Record, seen_numbers: set[int]) -> Any:
    """Return the messages of a model call's prompt whose numbers are not in `seen_numbers`, and add their numbers to `seen_numbers`,
    because an agent sends its whole conversation with each call. A prompt that is one text is returned whole.
    """
    prompt, numbers = call.get("prompt"), call.get("said")
    if not isinstance(numbers, list) or not isinstance(prompt, list) or len(numbers) != len(prompt):
        return prompt
    new = [message for number, message in zip(numbers, prompt, strict=True) if number not in seen_numbers]
    seen_numbers.update(numbers)
    return new


def to_time_sort_key(record: Record) -> tuple[float, int]:
    """Return the sort key of a record: its time, then its id; ids ascend in the order of reporting."""
    id = record.get("id")
    return float(record["t"]), id if isinstance(id, int) else 0


def drop_empty_fields(record: Record) -> Record:
    """Return the record without the fields that are None or an empty dictionary."""
    return {name: value for name, value in record.items() if value is not None and value != {}}
