"""Describes a record in a few words: a note, a score, a screen, and other events that an agent reported."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

_VERBS: Final = ("action", "type", "function", "name")
"""Fields that hold the name of an action in different computer tools."""
_PLAIN: Final = frozenset({"text", "keys", "key", "coordinate", "button", "scroll_direction", "scroll_amount"})
"""Fields of an action whose value is clear without the field's name."""


def to_utc_text(ms: object) -> str:
    """Return ms since 1970 as date and time in UTC, as in ``2026-11-26 02:17:31``; "" for other values, and for dates
    out of range.
    """
    if not isinstance(ms, int | float):
        return ""
    try:
        return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, OSError, ValueError):
        return ""


def to_record_text(record: Mapping[str, Any]) -> str:
    """Return the text of a note, a mark, a score, a screen or a similar record, without its kind, time and agent."""
    text = next((record[name] for name in ("text", "message", "label") if record.get(name)), None)
    match record.get("kind"):
        case "screen":
            parts = [describe_screen_action(record.get("action")), *_describe_screen(record)]
            return ", ".join(part for part in parts if part)
        case "score":
            return _join_with_colon(f"{record.get('name')} {record.get('value')}", text)
        case "outcome":
            return _join_with_colon("passed" if record.get("success") else "failed", text)
        case "version":
            return " ".join(str(part) for part in (record.get("what"), record.get("name")) if part)
        case "memory":
            value = record.get("value")
            said = value if isinstance(value, str | None) else json.dumps(value, ensure_ascii=False)
            return _join_with_colon(" ".join(str(record[name]) for name in ("op", "key") if record.get(name)), said)
        case "handed_on":
            return f"the trace, as span {record.get('span')}"
        case "answer" if record.get("by"):
            return _join_with_colon(record["by"], text)
        case _:
            return str(text or record.get("name") or record.get("filename") or "")


def describe_screen_action(action: Any) -> str:
    """Return an action on a screen as text: ``left click 310, 88``; an action given as text is returned unchanged. The
    player uses the same texts (``screens/action-text.ts``).
    """
    if action is None or isinstance(action, str):
        return action or ""
    if isinstance(action, list):
        return ", then ".join(words for words in map(describe_screen_action, action) if words)
    if not isinstance(action, dict):
        return json.dumps(action)
    verb = next((name for name in _VERBS if isinstance(action.get(name), str)), None)
    rest = {name: value for name, value in action.items() if name != verb}
    parts = [action[verb].replace("_", " ")] if verb else []
    if _is_number(rest.get("x")) and _is_number(rest.get("y")):
        parts.append(_to_number_list([rest.pop("x"), rest.pop("y")]))
    parts += [
        words for name, value in rest.items() if name not in ("x", "y") for words in _describe_argument(name, value)
    ]
    return " ".join(part for part in parts if part)


def _describe_argument(name: str, value: Any) -> Iterator[str]:
    if value is None or value == "":
        return
    label = "" if name in _PLAIN else f"{name.replace('_', ' ')} "
    if isinstance(value, list) and all(map(_is_number, value)):
        yield f"{label}{_to_number_list(value)}"
    elif name == "keys" and isinstance(value, list):
        yield "+".join(map(str, value))
    elif name == "text":
        yield f"\u201c{value}\u201d"
    elif isinstance(value, dict | list):
        yield f"{name} {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
    else:
        yield f"{label}{json.dumps(value) if isinstance(value, bool) else value}"


def _describe_screen(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield further parts of a screen's description: the window, and, if there was no action, the picture's size or the
    pointer.
    """
    if not record.get("action"):
        place = record.get("cursor")
        if "base" not in record or record.get("parts"):
            yield f"picture of {record.get('w')} \u00d7 {record.get('h')}"
        elif place:
            yield f"pointer at {_to_number_list(place)}"
    if record.get("window"):
        yield f"window \u201c{record['window']}\u201d"


def _join_with_colon(label: Any, text: Any) -> str:
    return f"{label}: {text}" if text not in (None, "") else str(label)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _to_number_list(values: list[float]) -> str:
    return ", ".join(f"{round(value, 1):g}" for value in values)
