"""Describes a Playwright call: its title, its locator as Python code, its parameters, its source."""

from __future__ import annotations

import contextlib
import json
import linecache
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from pagereel.credentials import is_credential_name
from pagereel.reel import MASK, Event, Json, to_python_locator, to_snake_case

from ..runtime.code_folders import list_own_folders, list_package_folders
from ..runtime.json_conversion import to_json
from .hook import ApiCall, Place

AROUND = 2
"""Lines of source before and after the calling one."""
LONGEST = 2_000
"""Longest text among the parameters, in characters."""

_TITLES = {
    "goto": "Go to",
    "evaluate": "Evaluate",
    "evaluate_handle": "Evaluate",
    "eval_on_selector": "Evaluate on selector",
    "dblclick": "Double click",
    "expect": "Expect",
}
_DEVICES = {
    "Keyboard": ("keyboard", "Keyboard"),
    "Mouse": ("mouse", "Mouse"),
    "Touchscreen": ("touchscreen", "Touchscreen"),
    "Clock": ("clock", "Clock"),
    "Tracing": ("tracing", "Tracing"),
    "APIRequestContext": ("request", "Request"),
    "CDPSession": ("cdp", "CDP"),
}
_DROPPED = frozenset(
    {
        "selector",
        "timeout",
        "strict",
        "is_function",
        "has_js_arg",
        "expected_value_is_undefined",
        "page_function_type",
        "expression_arg",
    }
)
_OBJECT = "<object>"
"""Replaces an argument that is no value: an object of the client, a function."""


_SETS = ("cookies", "storage", "headers")
"""Parameters that hold names and values which may be credentials."""


def build_call_title(call: ApiCall) -> str:
    """Return the title of a call: ``Click``, ``Expect to have text``, ``Keyboard: press``. It has no values; these are
    in the parameters.
    """
    owner, _, name = call.api.rpartition(".")
    name = name.strip("_")
    if not name:
        return call.title or _to_title_words(call.method)
    if owner.endswith("Assertions"):
        return f"Expect {_to_title_words(name).lower()}"
    return f"{_DEVICES[owner][1]}: {_to_title_words(name).lower()}" if owner in _DEVICES else _to_title_words(name)


def _to_title_words(name: str) -> str:
    return _TITLES.get(name) or to_snake_case(name).replace("_", " ").capitalize()


def to_public_method_name(call: ApiCall) -> str:
    """Return the public name of a call's method: ``click``, ``to_have_text``; with its device if it has one,
    ``keyboard.press``.
    """
    owner, _, name = call.api.rpartition(".")
    if not name:
        return to_snake_case(call.method)
    return f"{_DEVICES[owner][0]}.{name}" if owner in _DEVICES else name


def build_locator_code(call: ApiCall) -> str | None:
    """Return the element of a call as Python code that locates it; None if it has none."""
    if call.locator is not None:
        found = re.search(r"selector='(.*)'>$", call.locator, re.DOTALL)
        return to_python_locator(found[1].replace("\\'", "'")) if found else call.locator
    selector = call.params.get("selector")
    return to_python_locator(selector) if isinstance(selector, str) and selector != ":root" else None


# -- parameters -------------------------------------------------------------------------------------------------------


def read_parameters(params: Mapping[str, Any]) -> dict[str, Json]:
    """Return a call's parameters: names as in Python, secrets masked, long texts cut, the contents of files left out."""
    found: dict[str, Json] = {}
    if {"method", "params"} <= {*params}:
        # A command of the browser's own protocol may hold scripts, bodies or keys, so only its name is kept.
        params = {"method": params["method"]}
    for name, value in params.items():
        name = to_snake_case(name)
        if value is None or name in _DROPPED or value == [] or value == {}:
            continue
        if name == "expected_text":
            value = [item.get("string", item.get("regexSource")) for item in value if isinstance(item, Mapping)]
        if name == "is_not" and not value:
            continue
        if (
            name in ("arg", "expected_value", "event_init")
            and isinstance(value, Mapping)
            and {*value} == {"value", "handles"}
        ):
            value = _decode_page_argument(value["value"])
        plain = MASK if _is_secret_parameter(name) else _to_plain_value(value, name, 8)
        if plain is not _OBJECT:
            found[name] = to_json(plain)
    return found


def _is_secret_parameter(name: str) -> bool:
    return is_credential_name(name) and not name.endswith(_SETS)


def _to_plain_value(value: Any, name: str, depth: int) -> Any:
    if isinstance(value, str):
        if name in ("buffer", "base64"):
            return f"<{len(value) * 3 // 4} bytes>"
        if name == "json_data" and value[:1] in ("{", "["):
            with contextlib.suppress(ValueError):
                return _to_plain_value(json.loads(value), "", depth - 1)
        return value if len(value) <= LONGEST else f"{value[:LONGEST]}… [cut: {len(value):,} characters]"
    if value is None or isinstance(value, bool | int | float):
        return value
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        if "name" in value and "value" in value:
            # The value of a header, a cookie or an item of storage may be a credential.
            shown = str(value["name"])
            secret = name.endswith(_SETS) or is_credential_name(shown)
            return {"name": shown, "value": MASK if secret else _to_plain_value(value["value"], shown, depth - 1)}
        return {
            to_snake_case(str(k)): MASK
            if _is_secret_parameter(str(k))
            else _to_plain_value(v, to_snake_case(str(k)), depth - 1)
            for k, v in list(value.items())[:200]
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_to_plain_value(item, name, depth - 1) for item in list(value)[:200]]
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return _OBJECT


def _decode_page_argument(value: Any, depth: int = 8) -> Any:
    """Return an argument of a function in the page, decoded from the protocol's tagged form."""
    if not isinstance(value, Mapping) or depth == 0:
        return value
    for tag in ("n", "s", "b", "d", "u"):
        if tag in value:
            return value[tag]
    if "v" in value:
        return {"null": None, "undefined": None}.get(value["v"], str(value["v"]))
    if "a" in value:
        return [_decode_page_argument(item, depth - 1) for item in value["a"][:200]]
    if "o" in value:
        return {str(item["k"]): _decode_page_argument(item["v"], depth - 1) for item in value["o"][:200]}
    return "<handle>" if "h" in value else "<value>"


# -- source -----------------------------------------------------------------------------------------------------------


def find_caller_line(stack: Iterable[Place]) -> Event | None:
    """Return the line of the caller's program: the innermost frame outside of installed packages, or else the innermost
    frame.
    """
    frames: list[Place] = []
    for frame in stack:
        if frame[0].endswith(_LOOP) and frame[2].endswith("_run"):
            break  # a task that the event loop runs: the stack does not show who created it
        if not frame[0].startswith(list_own_folders()) and not frame[0].startswith("<frozen"):
            frames.append(frame)
    if not frames:
        return None
    file, line, function = next((f for f in frames if not f[0].startswith(list_package_folders())), frames[0])
    found: Event = {"file": _to_relative_path(file), "line": line, "function": function}
    if code := _read_code_lines(file, line):
        found["code"] = list(code)
    return found


_LOOP = os.path.join("asyncio", "events.py")


@cache
def _read_code_lines(file: str, line: int) -> tuple[str, ...]:
    first = max(1, line - AROUND)
    lines = [(n, linecache.getline(file, n).rstrip()) for n in range(first, line + AROUND + 1)]
    return tuple(
        f"{'>' if n == line else ' '} {n:>4}  {_mask_secrets_in_line(text)[:300]}"
        for n, text in lines
        if text or n == line
    )


_LITERAL = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_WORD = re.compile(r"[^\W\d][\w-]*")
_TYPES = re.compile(r"\.(fill|type|press_sequentially|insert_text|set_http_credentials|add_cookies)\(")


def _mask_secrets_in_line(text: str) -> str:
    """Return a line of source code, with the secrets that it types or assigns masked, because the line is also shown
    beside other calls.
    """
    typing = _TYPES.search(text)
    words = (word.end() for word in _WORD.finditer(text) if is_credential_name(word[0]))
    begin = typing.end() if typing else next(words, len(text))
    # Of all literals of the line, those that begin after it: the word itself may stand in one.
    return _LITERAL.sub(lambda literal: f'"{MASK}"' if literal.start() >= begin else literal[0], text)


@cache
def _to_relative_path(file: str) -> str:
    try:
        relative = os.path.relpath(file)
    except (OSError, ValueError):
        return file
    return file if relative.startswith("..") else relative
