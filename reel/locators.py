"""Converts Playwright's selectors and names to their form in Python code, for recorded calls and for traces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

_ROLE: Final = re.compile(r'\[([\w-]+)=("(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/\w*|[\w-]+)([is]?)\]')
_QUOTED: Final = re.compile(r'^("(?:[^"\\]|\\.)*")([is]?)$', re.DOTALL)
_PATTERN: Final = re.compile(r"^/((?:[^/\\]|\\.)*)/(\w*)$", re.DOTALL)
_ATTRIBUTE: Final = re.compile(r'^\[([\w-]+)=("(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/)(\w*)\]$', re.DOTALL)
_BY_ATTRIBUTE: Final = {"placeholder": "get_by_placeholder", "alt": "get_by_alt_text", "title": "get_by_title"}
_BY_TEXT: Final = {"internal:label": "get_by_label", "internal:text": "get_by_text"}
_FILTERS: Final = {"internal:has-text": "has_text", "internal:has-not-text": "has_not_text"}
_NESTED: Final = {
    "internal:and": "and_({})",
    "internal:or": "or_({})",
    "internal:chain": "locator({})",
    "internal:has": "filter(has={})",
    "internal:has-not": "filter(has_not={})",
}
_DEEPEST: Final = 4
"""Locators within locators."""
_FLAGS: Final = {"i": "re.IGNORECASE", "m": "re.MULTILINE", "s": "re.DOTALL"}


def to_snake_case(name: str) -> str:
    """Return a name in snake case, as in the Python API: ``waitUntil`` → ``wait_until``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def to_python_locator(selector: str) -> str:
    """Return a selector as Python code: ``internal:role=button[name="Pay"i]`` → ``get_by_role("button", name="Pay")``.
    An unknown selector is kept, in ``locator("…")``. A locator inside another one has no ``page.`` before it:
    ``get_by_text("Pay").or_(get_by_text("Order"))``.
    """
    return _to_locator_code(selector, _DEEPEST)


def _to_locator_code(selector: str, depth: int) -> str:
    return ".".join(_convert_selector_part(part, depth) for part in _split_selector(selector))


def _split_selector(selector: str) -> Iterator[str]:
    """Yield the parts of a selector between ``>>``; inside quotes ``>>`` does not split."""
    part: list[str] = []
    quote, escaped = "", False
    for i, c in enumerate(selector):
        if escaped or c == "\\":
            escaped = not escaped
        elif quote:
            quote = "" if c == quote else quote
        elif c in "\"'`":
            quote = c
        elif selector.startswith(">>", i):
            yield "".join(part).strip()
            part = ["\0"]
            continue
        if part == ["\0"]:  # the second character of ``>>``
            part = []
            continue
        part.append(c)
    yield "".join(part).strip()


def _convert_selector_part(part: str, depth: int) -> str:
    kind, separator, body = part.partition("=")
    if separator:
        if kind == "internal:role":
            role, options = re.match(r"[\w-]*", body), _ROLE.findall(body)
            given = [f"{to_snake_case(n.replace('-', '_'))}={_to_option_value(v)}" for n, v, _ in options]
            exact = ["exact=True"] if any(n == "name" and flag == "s" for n, _, flag in options) else []
            return f'get_by_role("{role[0] if role else ""}"{"".join(", " + x for x in [*given, *exact])})'
        if kind in _BY_TEXT and (text := _to_text_argument(body)) is not None:
            return f"{_BY_TEXT[kind]}({text})"
        if kind in _FILTERS and (text := _to_text_argument(body, exact=False)) is not None:
            return f"filter({_FILTERS[kind]}={text})"
        if kind == "internal:testid" and (found := _ATTRIBUTE.match(body)):
            return f"get_by_test_id({_to_text_argument(found[2] + found[3], exact=False)})"
        if kind == "internal:attr" and (found := _ATTRIBUTE.match(body)) and found[1] in _BY_ATTRIBUTE:
            return f"{_BY_ATTRIBUTE[found[1]]}({_to_text_argument(found[2] + found[3])})"
        if kind in _NESTED and depth and (inner := _parse_nested_selector(body)) is not None:
            return _NESTED[kind].format(_to_locator_code(inner, depth - 1))
        if kind == "internal:describe" and (words := _to_text_argument(body, exact=False)):
            return f"describe({words})"
        if kind == "nth" and re.fullmatch(r"-?\d+", body):
            return {"0": "first", "-1": "last"}.get(body, f"nth({body})")
        if kind == "visible":
            return f"filter(visible={body.capitalize()})"
        if kind == "internal:control" and body == "enter-frame":
            return "content_frame"
    return "locator(" + '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '")'


def _parse_nested_selector(body: str) -> str | None:
    """Return the selector that is nested in a part as a JSON string; None if there is none."""
    try:
        inner = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return inner if isinstance(inner, str) else None


def _to_text_argument(body: str, *, exact: bool = True) -> str | None:
    """Return Python code for the text of a selector: ``"words"i``, ``"words"s`` (exact) and ``/pattern/flags``; None
    for anything else.
    """
    if quoted := _QUOTED.match(body):
        return f"{quoted[1]}, exact=True" if exact and quoted[2] == "s" else quoted[1]
    if pattern := _PATTERN.match(body):
        flags = " | ".join(_FLAGS[flag] for flag in pattern[2] if flag in _FLAGS)
        return f"re.compile({json.dumps(pattern[1], ensure_ascii=False)}{', ' + flags if flags else ''})"
    return None


def _to_option_value(text: str) -> str:
    if text in ("true", "false"):
        return text.capitalize()
    return (_to_text_argument(text) if text[:1] == "/" else None) or text
