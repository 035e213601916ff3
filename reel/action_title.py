"""Builds the short titles of calls, such as ``Fill Postal code "9999 XX"``, for everything that shows a call."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from pagereel.text_truncation import truncate_text

_LONGEST: Final = 80
"""Characters of a value in a title."""
_WHOLE: Final = 240
"""Characters of a title with values."""
_READ: Final = 4_000
"""Characters of a locator that are read."""
_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_INNER: Final = functools.reduce(lambda inner, _: rf"\((?:{_STRING}|{inner}[^()\"])*+\)|", range(4), "")
"""Brackets within brackets: locators within a locator."""
_PART: Final = re.compile(rf"(?:^|\.)([a-z_]++)(?:\(((?:{_STRING}|{_INNER}[^()\"])*+)\))?", re.DOTALL)
"""A step of a locator: its name, and what is in its brackets."""
_TEXT: Final = re.compile(rf"(?:(?<!\w)(\w++)=)?(re\.compile\()?({_STRING})", re.DOTALL)
_LOOPBACK: Final = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?", re.IGNORECASE)
_DONE: Final[Mapping[str, str]] = {
    "goto": "Go to {url}",
    "go_back": "Go back",
    "go_forward": "Go forward",
    "fill": "Fill {element} {value}",
    "type": "Type {text} into {element}",
    "press_sequentially": "Type {text} into {element}",
    "press": "Press {key} in {element}",
    "select_option": "Select {options} in {element}",
    "set_input_files": "Choose {files} for {element}",
    "check": "Check {element}",
    "uncheck": "Uncheck {element}",
    "dblclick": "Double click {element}",
    "set_checked": "Set {element}",
    "drag_to": "Drag {element}",
    "keyboard.press": "Press {key}",
    "keyboard.down": "Hold {key}",
    "keyboard.up": "Release {key}",
    "keyboard.type": "Type {text}",
    "keyboard.insert_text": "Type {text}",
    "mouse.click": "Click at {place}",
    "mouse.dblclick": "Double click at {place}",
    "mouse.move": "Move the mouse to {place}",
    "mouse.wheel": "Scroll by {distance}",
    "wait_for_timeout": "Wait {wait}",
    "wait_for_selector": "Wait for {element} {state}",
    "wait_for": "Wait for {element} {state}",
    "wait_for_load_state": "Wait for the page to load",
    "wait_for_url": "Wait for the address {url}",
    "wait_for_function": "Wait for {expression}",
    "wait_for_event": "Wait for the event {event}",
    "expect_event": "Wait for the event {event}",
    "evaluate": "Evaluate {expression} {element}",
    "evaluate_handle": "Evaluate {expression} {element}",
    "set_viewport_size": "Set the viewport to {size}",
}  # fmt: skip
"""By method: the title's words. A gap for which a call has nothing goes, and with it the word right before it where that only led to it."""
_LEADS: Final = re.compile(r" (?:in|into|for|to|at|by)$")
_GAP: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class LocatorPart:
    """One method call of a locator, such as ``get_by_role("button", name="Pay")``. `text`: its first argument; `named`:
    its keyword arguments.
    """

    kind: str
    text: str
    named: Mapping[str, str]


def parse_locator_parts(locator: str) -> list[LocatorPart]:
    """Return the method calls of a locator, which is Python code in a `call` event."""
    return list(_iter_locator_parts(locator[:_READ]))


def _iter_locator_parts(locator: str) -> Iterator[LocatorPart]:
    for match in _PART.finditer(locator):
        texts = {name: _unquote_argument(quoted, pattern) for name, pattern, quoted in _TEXT.findall(match[2] or "")}
        plain = (match[2] or "").strip()
        yield LocatorPart(match[1], texts.pop("", plain if match[1] == "nth" else ""), texts)


def _unquote_argument(quoted: str, pattern: str) -> str:
    text = re.sub(r"\\(.)", r"\1", quoted[1:-1], flags=re.DOTALL) if not pattern else quoted[1:-1]
    return f"/{text}/" if pattern else text


def build_element_title(locator: str) -> str:
    """Return a short name of the element that a locator finds: ``Place order``, ``Add in li "Bowl"``, ``#pay``."""
    name, scopes, place = "", list[str](), ""
    for part in parse_locator_parts(locator):
        if part.kind == "content_frame":
            name, scopes, place = "", [], ""
        elif part.kind == "filter":
            text = part.named.get("has_text") or _build_locator_part_name(part)
            if text:
                name = f'{name} "{" ".join(text.split())}"'.strip()
        elif part.kind == "or_":
            name = " or ".join(filter(None, (name, _build_locator_part_name(part))))
        elif part.kind == "describe":
            name, scopes, place = _build_locator_part_name(part), [], ""
        elif part.kind in ("first", "last", "nth"):
            place = (
                f" ({part.kind})"
                if part.kind != "nth"
                else f" (number {int(part.text) + 1})"
                if part.text.isdigit()
                else ""
            )
        elif part.kind.startswith("get_by_") or part.kind in ("locator", "frame_locator"):
            if '"' in name:
                scopes.append(name)
            name, place = _build_locator_part_name(part), ""
            if part.kind == "frame_locator":
                name = ""
    around = f" in {scopes[-1]}" if scopes else ""
    return f"{name or locator}{place}{around}"


def _build_locator_part_name(part: LocatorPart) -> str:
    text = " ".join((part.named.get("name") or part.text).split())
    return f'"{text}"' if part.kind == "get_by_text" and text[:1] != "/" else text


def build_action_title(call: Mapping[str, Any], *, with_values: bool = True) -> str:
    """Return what a call did and to which element, in one line.

    Without `with_values` the title leaves out texts that were typed, chosen or expected, and is not shortened: such a
    title can still
    be masked value by value. With `with_values` the call must have been masked before. `call` has the fields of a `call`
    event:
    ``method``, ``locator``, ``params``, and ``title``, which is used if the method is unknown.

    >>> build_action_title({"method": "fill", "locator": 'get_by_label("Postal code")', "params": {"value": "9999 XX"}})
    'Fill Postal code "9999 XX"'
    """
    method, locator = str(call.get("method") or ""), str(call.get("locator") or "")
    params = call.get("params")
    given: Mapping[str, Any] = params if isinstance(params, Mapping) else {}
    element = build_element_title(locator) if locator else _get_selector_parameter(given)
    title = _build_title(call, method, element, given, with_values)
    return _shorten_title(title, _WHOLE) if with_values else title


def _build_title(
    call: Mapping[str, Any], method: str, element: str, parameters: Mapping[str, Any], with_values: bool
) -> str:
    bare = method.removeprefix("not_")
    if bare.startswith("to_"):
        expected = _describe_expected_value(parameters) if with_values else ""
        return " ".join(filter(None, ("Expect", element or "the page", method.replace("_", " "), expected)))
    words = _DONE.get(method)
    if words is None:
        text = str(call.get("title") or method.replace(".", ": ").replace("_", " ").capitalize() or "A call")
        about = element or (
            build_address_title(str(parameters["url"])) if isinstance(parameters.get("url"), str) else ""
        )
        return f"{text} {about}".strip()
    found = {"element": element, **dict(_iter_title_values(parameters, with_values))}
    text, at = "", 0
    for gap in _GAP.finditer(words):
        text += words[at : gap.start()]
        at = gap.end()
        filling = found.get(gap[1], "")
        text = text + filling if filling else _LEADS.sub("", text.rstrip())
    return " ".join((text + words[at:]).split())


def _iter_title_values(params: Mapping[str, Any], with_values: bool) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each parameter that a call's title contains."""
    for name, value in params.items():
        match name, value:
            case "url", str():
                yield name, build_address_title(value)
            case (("key" | "event"), str()):
                yield name, value
            case "state", ("hidden" | "detached"):
                yield name, "to go"
            case (("value" | "text" | "expression"), str()) if with_values:
                yield name, _shorten_title(" ".join(value.split())) if name == "expression" else _quote(value)
            case "wait_timeout", int() | float():
                yield "wait", f"{round(value / 1000, 1):g} s" if value >= 1000 else f"{round(value)} ms"
            case "options", list() if with_values:
                yield name, _join_quoted(next(iter(each.values()), "") for each in value if isinstance(each, Mapping))
            case "payloads", list() if with_values:
                yield "files", _join_quoted(each.get("name", "") for each in value if isinstance(each, Mapping))
            case "local_paths", list() if with_values:
                yield "files", _join_quoted(re.split(r"[\\/]", str(each))[-1] for each in value)
            case "viewport_size", {"width": width, "height": height}:
                yield "size", f"{width} × {height}"
    for gap, pair in (("place", ("x", "y")), ("distance", ("delta_x", "delta_y"))):
        if all(isinstance(params.get(name), int | float) for name in pair):
            yield gap, ", ".join(f"{params[name]:g}" for name in pair)


def _describe_expected_value(params: Mapping[str, Any]) -> str:
    texts = params.get("expected_text")
    if isinstance(texts, list):
        return _join_quoted(texts)
    for name in ("expected_number", "expected_value"):
        if isinstance(value := params.get(name), str | int | float) and value != "":
            return _quote(value) if isinstance(value, str) else f"{value:.12g}"
    return ""


def _get_selector_parameter(params: Mapping[str, Any]) -> str:
    """Return the selector in a call's parameters; "" if there is none."""
    selector = params.get("selector")
    return selector if isinstance(selector, str) else ""


def _join_quoted(values: Any) -> str:
    return _shorten_title(", ".join(_quote(value) if isinstance(value, str) else f"{value}" for value in values))


def _quote(text: str) -> str:
    return f'"{_shorten_title(" ".join(text.split()))}"'


def build_address_title(url: str) -> str:
    """Return an address without its scheme; of a loopback address only path and query, because its port differs in each
    run.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return f"{parts.scheme}:…" if parts.scheme == "data" else url
    host = parts.netloc.rpartition("@")[2]
    query = f"?{parts.query}" if parts.query else ""
    path = "" if parts.path == "/" and not query and not _LOOPBACK.fullmatch(host) else parts.path
    return f"{'' if _LOOPBACK.fullmatch(host) else host}{path}{query}" or "/"


def _shorten_title(text: str, max_length: int = _LONGEST) -> str:
    return truncate_text(text, max_length)
