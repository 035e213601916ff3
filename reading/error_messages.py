"""Extracts the error message from the body of a failed HTTP response, as one line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from pagereel.text_truncation import truncate_text

_SAYS: Final = (
    "message",
    "detail",
    "error_description",
    "title",
    "reason",
    "description",
    "error",
    "msg",
    "errors",
    "code",
)
"""Names under which APIs say what went wrong, what says most first."""
_DEPTH: Final = 4
_LONGEST: Final = 120
"""Characters of a line that are told."""
_HEADING: Final = re.compile(r"<(h1|title)\b[^<>]*+>([^<]++)<", re.IGNORECASE)
_CUT_TEXT: Final = re.compile(
    r"\"(message|detail|error_description|title|reason|error|msg)\"\s*+:\s*+\"((?:[^\"\\]|\\.)++)\""
)
"""A name and its text, in JSON of which only the beginning is known."""


def extract_error_message(body: str) -> str:
    """Return the error message in a response's body: from its JSON, a page's heading, or its first line; "" if the body
    has no message for people.
    """
    text = body.strip()
    if text.startswith(("{", "[")):
        return to_quoted_line(_find_message_in_json(text))
    if text.startswith("<"):
        found = {name.lower(): words for name, words in _HEADING.findall(text)[::-1]}
        return to_quoted_line(found.get("h1") or found.get("title") or "")
    return to_quoted_line(text.partition("\n")[0])


def _find_message_in_json(text: str) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        found = dict(_CUT_TEXT.findall(text)[::-1])
        return next((found[name] for name in _SAYS if name in found), "")
    except RecursionError:
        return ""
    level = [value]
    for _ in range(_DEPTH):
        for name in _SAYS:
            if said := next(_iter_field_texts(level, name), ""):
                return said
        level = [inner for each in level for inner in _list_inner_values(each)][:100]
    return ""


def _iter_field_texts(values: list[Any], name: str) -> Iterator[str]:
    for value in values:
        if isinstance(value, dict) and isinstance(text := value.get(name), str) and text.strip():
            yield text


def _list_inner_values(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def to_quoted_line(text: str) -> str:
    """Return a text as it is quoted in a sentence: on one line, shortened."""
    return truncate_text(" ".join(text.split()).rstrip("."), _LONGEST)
